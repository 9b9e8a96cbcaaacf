import { findHost } from "../lookup/host-in-target.ts";
import type { IndexedZone, Rule } from "../lookup/rule.ts";
import { findDoubtful, isCertain } from "../lookup/target-dot.ts";
import { asName, root } from "../name/name.ts";
import { fromOctets } from "../name/text.ts";
import { typeOf } from "../types/index.ts";
import { emailToName } from "../types/soa.ts";
import type { DotlessTarget } from "../zone/zone.ts";

export const targetNeedsDot: Rule = {
  id: "target-needs-dot",
  *check(zone) {
    for (const target of findDoubtful(zone)) {
      if (!isCertain(zone, target)) continue;
      const { name, written, at, source, owner } = target;
      const what = findHost(written)?.what;
      yield {
        summary: `"${written}" ${what === undefined ? "has no final dot" : `is ${what}`} and becomes "${name}"`,
        at,
        via: source?.via,
        owner,
        fix: adviseHost(target) ?? adviseDot(zone, written),
      };
    }
  },
};

/** The fix for a host in something else; undefined for a name alone. */
function adviseHost({ written, type }: DotlessTarget): string | undefined {
  const found = findHost(written);
  if (!found) return undefined;
  const email = written.replace(/^mailto:\/*/i, "");
  return typeOf(type).fields.some(({ isMailbox }) => isMailbox) && findHost(email)?.what === "an e-mail address"
    ? `Write "${fromOctets(emailToName(email))}": a dot stands for the @ (RFC 1035 §8).`
    : `Write the name of the host alone, as "${found.host}.".`;
}

function adviseDot(zone: IndexedZone, written: string): string {
  const absolute = asName(`${written}.`);
  const relative = zone.show(absolute);
  const isOwn = zone.isInside(absolute) && zone.apex !== root;
  return isOwn
    ? `Write "${absolute}" with its final dot, or "${relative}".`
    : `Write "${absolute}" with its final dot.`;
}
