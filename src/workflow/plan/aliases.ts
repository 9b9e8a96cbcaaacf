import type { Problem } from "../../diagnostics/problem.ts";
import { type NameKey, nameKey } from "../../dns/name/name.ts";
import type { DesiredZone, LiveZone } from "../../dns/zone/desired-live.ts";
import { recordKeyOf, type ZoneRecord } from "../../dns/zone/zone.ts";
import type { AliasReview, AliasZone, PlanningReads, ReadOptions } from "../../targets/target.ts";
import { placeOfZone } from "../zones/kept-conflicts.ts";

/** Examines whether the service answers the ALIAS records of zones; it is asked only if there are any. */
export async function reviewAliasesOf(
  { reviewAliases }: Pick<PlanningReads, "reviewAliases">,
  { desired, live }: { readonly desired: readonly DesiredZone[]; readonly live: ReadonlyMap<NameKey, LiveZone> },
  options: ReadOptions,
): Promise<AliasReview> {
  const zones = desired.flatMap((zone): AliasZone[] => {
    const { name, records } = zone;
    const aliases = records.filter(isAlias);
    if (aliases.length === 0) return [];
    const stored = live.get(nameKey(name));
    const known = new Set(stored?.records.filter(isAlias).map(recordKeyOf));
    const added = aliases.filter((record) => !known.has(recordKeyOf(record))).length;
    const settings = { ...stored?.settings, ...zone.settings };
    return [{ name, settings, isSigned: stored?.isSigned ?? false, count: aliases.length, added }];
  });
  if (!reviewAliases || zones.length === 0) return { unanswered: new Map(), problems: [] };
  const { unanswered, problems } = await reviewAliases(zones, options);
  const files = new Map<string | undefined, DesiredZone>(desired.map((zone) => [zone.name, zone]));
  const placed = problems.map((one): Problem => {
    const zone = files.get(one.owner);
    const place = zone && placeOfZone(zone);
    return place ? { ...one, place } : one;
  });
  return { unanswered, problems: placed };
}

function isAlias({ type }: ZoneRecord): boolean {
  return type === "ALIAS";
}
