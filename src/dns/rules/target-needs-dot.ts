import { isAddress } from "../address.ts";
import { findHost } from "../host-in-target.ts";
import { asName, parent, root } from "../name.ts";
import type { IndexedZone, Rule } from "../rule.ts";
import { type DotlessTarget, isType } from "../zone.ts";

export const targetNeedsDot: Rule = {
  id: "target-needs-dot",
  *check(zone) {
    for (const { name, written, at, source, owner } of findDoubtful(zone))
      yield {
        summary: `"${written}" has no final dot and becomes "${name}"`,
        at,
        via: source?.via,
        owner,
        fix: adviseDot(zone, written),
      };
  },
};

/** The relative targets that may be absolute names without their final dots. */
export function findDoubtful(zone: IndexedZone): DotlessTarget[] {
  const { records, dotlessTargets } = zone.zone;
  if (dotlessTargets.length === 0) return [];
  const mailboxes = records.filter((record) => isType(record, "SOA")).map(({ data }) => data.rname);
  return dotlessTargets.filter(({ name, written }) => {
    // A mailbox has no records at its own name, only at its domain.
    if (zone.answers(mailboxes.includes(name) ? parent(name) : name) || isAddress(written)) return false;
    // Limits of the API report URLs, and the contact of an SOA record that is written as an e-mail address.
    return findHost(written) === undefined;
  });
}

function adviseDot(zone: IndexedZone, written: string): string {
  const absolute = asName(`${written}.`);
  const relative = zone.show(absolute);
  const isOwn = zone.isInside(absolute) && zone.apex !== root;
  return isOwn
    ? `Write "${absolute}" with its final dot, or "${relative}".`
    : `Write "${absolute}" with its final dot.`;
}
