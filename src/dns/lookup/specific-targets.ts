import { isAddress } from "../name/address.ts";
import type { Name } from "../name/name.ts";
import type { ZoneRecord } from "../zone/zone.ts";
import { hostIn, isHostReported } from "./host-in-target.ts";
import type { IndexedZone } from "./rule.ts";
import { findDoubtful, isCertain } from "./target-dot.ts";

/** Returns a test for targets that more specific rules report: without a final dot, an address, or a host in a URL. */
export function createTargetTest(zone: IndexedZone): (record: ZoneRecord, target: Name) => boolean {
  const dotless = new Set(findDoubtful(zone).flatMap((target) => (isCertain(zone, target) ? [target.name] : [])));
  return (record, target) =>
    dotless.has(target) ||
    isAddress(zone.show(target)) ||
    (isHostReported(record, zone.zone) && hostIn(target, zone.zone) !== undefined);
}
