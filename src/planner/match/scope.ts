import { isSameName, type Name, nameKey, relativeTo, root } from "../../dns/name/name.ts";
import { fromOctets } from "../../dns/name/text.ts";
import { txtText } from "../../dns/policies/kind.ts";
import type { DesiredRecord, DesiredZone, LiveRecord, LiveZone } from "../../dns/zone/desired-live.ts";
import { type OwnerSets, ownersOf } from "../../dns/zone/owners.ts";
import { globTest, type Ignore, ignoreTest } from "../../dns/zone/scope.ts";
import { canonical, isType, rdataText, type ZoneRecord } from "../../dns/zone/zone.ts";
import { policyOf } from "./match.ts";

/** The records of the zone after the plan, including ignored ones. */
export interface ScopedRecords {
  readonly records: readonly DesiredRecord[];
  /** Number of ignored live records, without the apex NS set, which the service manages. */
  readonly ignored: number;
}

/**
 * Adds to the desired records the live ones that are not managed: those that match an `ignore` pattern, those of
 * unlisted names and types with `manage: listed`, responses to ACME challenges (RFC 8555 §8.4), and the apex NS set.
 * Records that the file lists, or that cannot coexist with those, are always managed.
 */
export function applyScope(desired: DesiredZone, live: LiveZone | undefined): ScopedRecords {
  if (live === undefined || desired.settings.type === "slave") return { records: desired.records, ignored: 0 };
  const owners = ownersOf(desired.records);
  const listed = (record: ZoneRecord) => owners.get(nameKey(record.owner));
  const isApexNs = ({ type, owner }: ZoneRecord) => type === "NS" && isSameName(owner, desired.name);
  const patterns = (desired.scope?.ignore ?? []).map((ignore) => patternOf(ignore, desired.name));
  const isOutside = (record: ZoneRecord) =>
    isChallenge(record) ||
    patterns.some((fits) => fits(record)) ||
    (desired.scope?.manage === "listed" && listed(record)?.has(record.type) !== true);
  const kept: LiveRecord[] = [];
  let ignored = 0;
  for (const record of live.records) {
    if (isApexNs(record)) kept.push(record);
    else if (isOutside(record) && !isClaimed(record, listed(record))) {
      kept.push(record);
      ignored++;
    }
  }
  return { records: kept.length === 0 ? desired.records : [...desired.records, ...kept], ignored };
}

function isChallenge({ owner, type }: ZoneRecord): boolean {
  return type === "TXT" && /^_acme-challenge\./i.test(owner);
}

/** Whether the file lists this record, or one that cannot coexist with it. */
function isClaimed(record: ZoneRecord, sets: OwnerSets | undefined): boolean {
  if (sets === undefined) return false;
  if (sets.has("CNAME") !== (record.type === "CNAME")) return true;
  const value = canonical(record);
  const isNullMx = (record: ZoneRecord) => isType(record, "MX") && record.data.exchange === root;
  return (sets.get(record.type)?.records ?? []).some((other) => {
    const others = canonical(other);
    const policy = policyOf(others);
    return (
      record.type === "CNAME" ||
      others === value ||
      isNullMx(record) !== isNullMx(other) ||
      (record.type === "TXT" && policy !== undefined && policy === policyOf(value))
    );
  });
}

function patternOf(ignore: Ignore, zone: Name): (record: ZoneRecord) => boolean {
  const [ofSet, ofValue] = [ignoreTest(ignore), globTest(ignore.value)];
  return (record) =>
    ofSet(relativeTo(nameKey(record.owner), zone), [record.type]) &&
    (ignore.value === undefined || ofValue(valueText(record)));
}

function valueText(record: ZoneRecord): string {
  return isType(record, "TXT") ? fromOctets(txtText(record)) : rdataText(record);
}
