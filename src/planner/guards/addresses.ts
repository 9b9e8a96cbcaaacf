import { freedText } from "../../dns/name/freed-address.ts";
import { specialBlock } from "../../dns/name/special-address.ts";
import { isUnresolved } from "../../dns/zone/node-reference.ts";
import type { Effect } from "../changes/effects.ts";
import { excusedNames, type Guard, newRecords, type ZoneChange } from "./guard.ts";

export const specialAddresses: Guard = {
  guard: "G12",
  title: "special-purpose address",
  about: "a special-purpose address is published, and its name is not `lenient` for the rule `private-address`",
  ofNew: true,
  *check(zone) {
    const excused = excusedNames(zone, "private-address");
    for (const { effect, address } of newAddresses(zone)) {
      const special = excused.has(effect.name) ? undefined : specialBlock(address);
      if (special === undefined) continue;
      const text = `publishes the ${special.purpose} address ${address} (${special.block}, ${special.source})`;
      yield { text, effects: [effect] };
    }
  },
};

/** A record that still points to such an address is only a warning of the plan: the plan does not make it worse. */
export const freedAddresses: Guard = {
  guard: "G24",
  title: "freed address",
  about: "a record is pointed to an address that a node of the account had and none has now",
  ofNew: true,
  *check(zone, { freed }) {
    if (freed.size === 0) return;
    for (const { effect, address } of newAddresses(zone)) {
      const found = freed.get(address);
      if (found) yield { text: `points to ${freedText(found)}`, effects: [effect] };
    }
  },
};

/** The addresses that a name gets, but not those that it has and whose TTL changes. */
function* newAddresses(zone: ZoneChange): Generator<{ effect: Effect; address: string }> {
  for (const { effect, record } of newRecords(zone, "A", "AAAA"))
    if (!isUnresolved(record)) yield { effect, address: record.data.address };
}
