import { freedText } from "../../dns/name/freed-address.ts";
import { newAddresses } from "../risk/addresses.ts";
import { type Guard, noLimit } from "../risk/guard.ts";

/** A record that still points to such an address is only a warning of the plan: the plan does not make it worse. */
export const freedAddress: Guard = {
  guard: "G24",
  title: "freed address",
  about: "points a record to an address that a node of the account had and none has now",
  ofNew: true,
  counts: `Compares new A and AAAA records with the addresses that nodes lost in the last 90 days. ${noLimit}`,
  examples: {
    valid: ["+ www A 203.0.113.25"],
    invalid: {
      lines: ["+ www A 203.0.113.24"],
      finding:
        'www.example.com A: points to 203.0.113.24, which the node "web-1" had until 2026-03-01 and no node of the account has now',
    },
  },
  *check(zone, { freed }) {
    if (freed.size === 0) return;
    for (const { effect, address } of newAddresses(zone)) {
      const found = freed.get(address);
      if (found) yield { text: `points to ${freedText(found)}`, effects: [effect] };
    }
  },
};
