import { typesWithAddress } from "../../dns/lookup/find-address.ts";
import { type NameKey, withLabel } from "../../dns/name/name.ts";
import type { Owners } from "../../dns/zone/owners.ts";
import { countAll, effectsAt, type Guard, recordsAt, wideFinding } from "../risk/guard.ts";

export const lastRecords: Guard = {
  guard: "G03",
  title: "last records",
  about: "deletes all records of a zone, or the last address of its apex or www",
  of: { kinds: ["change", "delete"] },
  counts:
    "Counts the records that a zone has after the plan, and the A, AAAA, ALIAS and CNAME records of its apex and of www. At least one has to remain if there was one.",
  examples: {
    valid: ["- www A 192.0.2.1", "+ www A 192.0.2.2", "  @ MX 10 mail.example.net."],
    invalid: {
      lines: ["- www A 192.0.2.1", "  @ MX 10 mail.example.net."],
      finding: "www.example.com A: deletes the last address",
    },
  },
  *check(zone) {
    if (countAll(zone.before) > 0 && countAll(zone.after) === 0) {
      yield wideFinding(
        "deletes all records of the zone",
        zone.effects.filter(({ kind }) => kind === "delete"),
      );
      return;
    }
    for (const name of [zone.zone, withLabel("www", zone.zone)]) {
      if (!hasAddress(zone.before, name) || hasAddress(zone.after, name)) continue;
      yield { text: "deletes the last address", effects: effectsAt(zone, name, ...typesWithAddress) };
    }
  },
};

function hasAddress(owners: Owners, name: NameKey): boolean {
  return typesWithAddress.some((type) => recordsAt(owners, name, type).length > 0);
}
