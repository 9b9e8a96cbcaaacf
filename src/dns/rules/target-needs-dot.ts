import { asName, parent, root } from "../name.ts";
import type { IndexedZone, Rule } from "../rule.ts";
import { isType } from "../zone.ts";
import { isAddress } from "./target-is-address.ts";

export const targetNeedsDot: Rule = {
  id: "target-needs-dot",
  *check(zone) {
    const mailboxes = zone.zone.records.filter((record) => isType(record, "SOA")).map(({ data }) => data.rname);
    for (const { name, written, at, source, owner } of zone.zone.dotlessTargets) {
      // A mailbox has no records at its own name, only at its domain.
      if (zone.answers(mailboxes.includes(name) ? parent(name) : name) || isAddress(written)) continue;
      if (/^\w+:\/\//.test(written)) continue; // limits of the API report URLs
      yield {
        summary: `"${written}" has no final dot and becomes "${name}"`,
        at,
        via: source?.via,
        owner,
        fix: adviseDot(zone, written),
      };
    }
  },
};

function adviseDot(zone: IndexedZone, written: string): string {
  const absolute = asName(`${written}.`);
  const relative = zone.show(absolute);
  const isOwn = zone.isInside(absolute) && zone.apex !== root;
  return isOwn
    ? `Write "${absolute}" with its final dot, or "${relative}".`
    : `Write "${absolute}" with its final dot.`;
}
