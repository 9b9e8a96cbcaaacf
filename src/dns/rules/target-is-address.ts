import { type Name, relativeTo } from "../name.ts";
import type { Rule } from "../rule.ts";
import { targets } from "../zone.ts";

/** Whether a name looks like an address. */
export function isAddress(name: string): boolean {
  return /^\d+\.\d+\.\d+\.\d+$|^[0-9a-f]*:[0-9a-f]*:[0-9a-f:.]*$/i.test(name);
}

/** Whether a target, relative to some zone, can look like an address: most cannot. */
export function mayBeAddress(target: Name): boolean {
  const first = target.charCodeAt(0);
  return (first >= 48 && first <= 57) || target.includes(":");
}

/** Types whose RDATA is a name that resolvers look up in turn. */
const pointers = ["CNAME", "DNAME", "MX", "NS", "SRV", "SVCB", "HTTPS"];

export const targetIsAddress: Rule = {
  id: "target-is-address",
  *check(zone) {
    for (const { owner, type, records } of zone.sets(...pointers)) {
      for (const record of records) {
        for (const target of targets(record)) {
          if (!mayBeAddress(target)) continue;
          const written = relativeTo(target, zone.zone.name).replace(/\.$/, "");
          if (!isAddress(written)) continue;
          yield {
            summary: `${zone.show(owner)} ${type} points to the address "${written}"`,
            at: record,
            fix: `Create an ${written.includes(":") ? "AAAA" : "A"} record for the address and point to its name.`,
          };
        }
      }
    }
  },
};
