import { count, plain } from "../../diagnostics/plain.ts";
import { type Problem, problem } from "../../diagnostics/problem.ts";
import { type NameKey, nameKey, withoutDot } from "../../dns/name/name.ts";
import type { DesiredZone, LiveZone, UnknownRecord } from "../../dns/zone/desired-live.ts";
import type { Plan } from "../../planner/changes/change.ts";
import { placeOfZone } from "./kept-settings.ts";

/** Warns of live zones with a status that zonewright does not know, and of records that it cannot manage. */
export function unusualNotes(
  desired: readonly DesiredZone[],
  live: ReadonlyMap<NameKey, LiveZone>,
  deletions: readonly LiveZone[] = [],
): Problem[] {
  const kept = desired.flatMap((zone) => {
    const stored = live.get(nameKey(zone.name));
    return stored ? notesOf(stored, zone) : [];
  });
  return [...kept, ...deletions.flatMap((stored) => notesOf(stored))];
}

/** Warns of zones that exceed the limit of records between the writes. */
export function limitNotes({ overLimit = [] }: Pick<Plan, "overLimit">): Problem[] {
  return overLimit.map(({ zone, records, limit }) => {
    const [most, allowed] = [records, limit].map((number) => number.toLocaleString("en"));
    const summary = `${withoutDot(zone)} has up to ${most} records between the writes; the service accepts ${allowed}`;
    const fix = "Creations above the limit fail. Apply some deletions first, in a plan of their own.";
    return problem("zone-records-limit", summary, { fix, owner: zone });
  });
}

/** The notes about a zone; without `desired`, it is deleted. */
function notesOf({ name, state, unknownRecords = [] }: LiveZone, desired?: DesiredZone): Problem[] {
  const place = desired && placeOfZone(desired);
  const zone = plain(withoutDot(name));
  const notes: Problem[] = [];
  if (state !== undefined && desired) {
    const summary = `${zone} has the status "${plain(state)}" in the account: ${meanings[state] ?? "zonewright does not know it"}`;
    const fix = "zonewright writes to the zone as to an active one. Check at the service whether it is served.";
    notes.push(problem("zone-status", summary, { place, fix, owner: name }));
  }
  if (unknownRecords.length > 0) {
    const records = count(unknownRecords.length, "record");
    const summary = `${zone} has ${records} that zonewright cannot manage: ${listRecords(unknownRecords)}`;
    const fix = desired
      ? "They are left alone. Change them at the service."
      : "They are deleted with the domain. Save them first if they are still needed.";
    notes.push(problem("zone-records-unknown", summary, { place, fix, owner: name }));
  }
  return notes;
}

const meanings: { readonly [state: string]: string } = {
  has_errors: "the service found errors in the zone, and may serve an older version of it or none",
  edit_mode: "someone is editing the zone there, and the service may not serve changes before that ends",
};

const mostListed = 5;

/** The first records by name and type, and the number of the others. */
function listRecords(records: readonly UnknownRecord[]): string {
  const texts = records.slice(0, mostListed).map(({ name, type }) => plain(`${name || "@"} ${type}`));
  const more = records.length - texts.length;
  return `${texts.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
