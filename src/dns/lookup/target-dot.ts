import { isAddress } from "../name/address.ts";
import { asName, labels, nameKey, parent, root, withLabel } from "../name/name.ts";
import { endsInSuffix } from "../name/public-suffix.ts";
import { type DotlessTarget, isType } from "../zone/zone.ts";
import { findHost, isHostReported } from "./host-in-target.ts";
import type { IndexedZone } from "./rule.ts";

/** Top-level domains that are more often the names of environments and services: `db.prod`. */
const environments: ReadonlySet<string> = new Set(["app", "box", "cloud", "dev", "host", "int", "prod", "zone"]);

/**
 * Whether a relative target that the zone does not answer for is certainly an absolute name: it is a URL or the like,
 * ends in the name of the zone, or in a public suffix (publicsuffix.org) that is no label of the zone.
 */
export function isCertain(zone: IndexedZone, { written }: DotlessTarget): boolean {
  if (findHost(written) !== undefined) return true;
  const absolute = nameKey(asName(`${written}.`));
  if (zone.isInside(absolute) && zone.apex !== root) return true;
  const parts = labels(absolute);
  const last = parts.at(-1) ?? "";
  const isEnvironment = parts.length === 2 && environments.has(last);
  return !isEnvironment && zone.rrsets(withLabel(last, zone.apex)) === undefined && endsInSuffix(written);
}

/** The relative targets that may be absolute names without their final dots. */
export function findDoubtful(zone: IndexedZone): DotlessTarget[] {
  const { records, dotlessTargets } = zone.zone;
  if (dotlessTargets.length === 0) return [];
  const mailboxes = records.filter((record) => isType(record, "SOA")).map(({ data }) => data.rname);
  return dotlessTargets.filter((target) => {
    const { name, written, type } = target;
    const isContact = mailboxes.includes(name);
    // A mailbox has no records at its own name, only at its domain.
    if (zone.answers(isContact ? parent(name) : name) || isAddress(written)) return false;
    const isReported = isHostReported(target, zone.zone) || (type === "SOA" && isContact);
    return !isReported || findHost(written) === undefined;
  });
}
