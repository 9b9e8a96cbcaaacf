import { advise } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { aroundSummary, type Place, type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { acrossRules, checkAcross } from "../../dns/across.ts";
import { checkZone, rules } from "../../dns/check.ts";
import { nearestZone } from "../../dns/lookup/lookup.ts";
import { asName, isInside, type NameKey, nameKey, relativeTo, withoutDot } from "../../dns/name/name.ts";
import type { DesiredZone, LiveZone } from "../../dns/zone/desired-live.ts";
import { placeOf, setKeyOf, type Zone } from "../../dns/zone/zone.ts";
import { type Plan, subject, writesOf } from "../../planner/changes/change.ts";
import { applyScope } from "../../planner/match/match.ts";
import type { Capabilities, TargetKind } from "../../targets/target.ts";
import { mapItems, type TaskContext } from "../project/progress.ts";
import type { Project } from "../project/project.ts";
import { applySeverities } from "../project/severities.ts";
import { isRecordLimit } from "../project/switchable.ts";
import { type SkippedZone, skipZones } from "../zones/skip-invalid.ts";

/** Findings that concern the whole plan. */
const always: readonly string[] = [
  "ignore-expired",
  "node-in-snapshot",
  "powerdns/alias",
  "powerdns/alias-transfer",
  "zone-disabled",
  "zone-records-case",
  "zone-records-disabled",
  "zone-records-unknown",
  "zone-skipped",
  "zone-status",
];

const acrossIds: ReadonlySet<string> = new Set(acrossRules.map(({ id }) => id));
const ruleIds: ReadonlySet<string> = new Set([...rules.map(({ id }) => id), ...acrossIds]);

/**
 * The findings of zone files that a reviewer of a plan needs: those about names that it touches, and those that it
 * makes true. A note counts the others.
 */
export function selectFindings(
  plan: Plan,
  live: ReadonlyMap<NameKey, LiveZone>,
  findings: readonly Problem[],
): Problem[] {
  if (plan.zones.length === 0) return findings.filter(({ id, place }) => place === undefined || always.includes(id));
  const files = new Set(plan.zones.map(({ zone }) => zone.file));
  const touched = new Set(plan.zones.flatMap((zone) => writesOf(zone).map((change) => nameKey(subject(change).owner))));
  const withSettings = new Set(
    plan.zones.flatMap(({ zone, domainId, settings }) =>
      domainId === undefined || settings.length > 0 ? [zone.file] : [],
    ),
  );
  const lines = new Set(plan.zones.flatMap((zone) => writesOf(zone).map((change) => lineOf(placeOf(subject(change))))));
  const isTouched = ({ owner, place }: Problem) =>
    owner === undefined
      ? withSettings.has(place?.file) || lines.has(lineOf(place))
      : touched.has(nameKey(asName(owner)));
  const names = plan.zones.map(({ zone }) => zone.name);
  const isInPlan = ({ owner, place }: Problem) =>
    owner === undefined ? files.has(place?.file) : names.some((zone) => isInside(asName(owner), zone));
  const before = findingsBefore(plan, live, findings);
  const isShown = (found: Problem) =>
    found.place === undefined ||
    always.includes(found.id) ||
    (isRecordLimit(found.id) && files.has(found.place.file)) ||
    isTouched(found) ||
    ((acrossIds.has(found.id) || (ruleIds.has(found.id) && isInPlan(found))) && !before.has(findingKey(found)));
  const shown = findings.filter(isShown);
  // The address of a node is noted once, however many zones refer to it, and is no finding.
  const others = findings.filter((found) => found.id !== "node-addresses" && !isShown(found)).length;
  const keyOfShown = ({ id, summary, place }: Problem) =>
    id === "node-addresses" ? summary : `${id} ${lineOf(place)} ${summary}`;
  const unique = [...new Map(shown.map((found) => [keyOfShown(found), found])).values()];
  const zones = new Set([...live.keys(), ...names.map(nameKey)]);
  const named = unique.map((found) => withZone(found, zones));
  return others === 0 ? named : [...named, othersNote(others)];
}

/** A finding with the name of its zone, if neither its text nor its file has it: of a template or an included file. */
function withZone(found: Problem, zones: ReadonlySet<NameKey>): Problem {
  if (found.owner === undefined) return found;
  const zone = nearestZone(nameKey(asName(found.owner)), (name) => (zones.has(name) ? name : undefined));
  if (zone === undefined) return found;
  const name = withoutDot(zone);
  const isNamed = [found.place?.file ?? "", found.summary].some((text) => text.toLowerCase().includes(name));
  return isNamed ? found : aroundSummary(found, `${name}: `);
}

function lineOf(place: Place | undefined): string | undefined {
  return place && `${place.file}:${place.line}`;
}

function othersNote(others: number): Problem {
  return problem("findings-elsewhere", `${count(others, "finding")} about records that this plan does not touch`, {
    fix: advise`${{ run: "validate" }} lists them.`,
  });
}

/** The findings of the rules in the live zones, as far as a plan can change them. */
function findingsBefore(
  { zones }: Plan,
  live: ReadonlyMap<NameKey, LiveZone>,
  findings: readonly Problem[],
): ReadonlySet<string> {
  if (!findings.some(({ id }) => ruleIds.has(id))) return new Set();
  // How a target is written is in its file, also of a record that is stored already.
  const dotless = new Map(zones.map(({ zone }) => [nameKey(zone.name), zone.dotlessTargets ?? []]));
  const stored = new Map(
    [...live].map(([name, { settings, records, ...zone }]): [NameKey, Zone] => [
      name,
      { name: zone.name, settings, records, places: {}, dotlessTargets: dotless.get(name) ?? [] },
    ]),
  );
  const before = zones.flatMap(({ zone }) => {
    const one = stored.get(nameKey(zone.name));
    return one ? checkZone(one) : [];
  });
  // Zones that stay the same answer for names of those that change.
  if (findings.some(({ id }) => acrossIds.has(id))) before.push(...checkAcross([...stored.values()]).flat());
  return new Set(before.map(findingKey));
}

/** A text that findings about the same fault of a name share, whatever line it is on. */
function findingKey({ id, owner, summary }: Problem): string {
  return JSON.stringify([id, owner && nameKey(asName(owner)), summary]);
}

interface Checked {
  /** Warnings and notes that the files alone do not show. */
  readonly notes: readonly Problem[];
  /** Zones with errors. */
  readonly skipped: readonly SkippedZone[];
}

/**
 * Checks the records of files that manage a part of their zones, or point into such a zone, with the live records that
 * the files do not manage. `known` are the findings of the files.
 * @throws {ProblemError} with the errors, unless `skipInvalid` leaves the zones out
 */
export async function checkWithLive(
  project: Pick<Project, "switches" | "isStrict" | "target" | keyof TaskContext>,
  { desired, live }: { readonly desired: readonly DesiredZone[]; readonly live: ReadonlyMap<NameKey, LiveZone> },
  known: readonly Problem[],
  { skipInvalid }: { readonly skipInvalid?: boolean },
): Promise<Checked> {
  if (!desired.some(isPartial)) return { notes: [], skipped: [] };
  const { apex } = project.target.capabilities;
  const zones = desired.map((zone) => completeZone(zone, live.get(nameKey(zone.name)), apex));
  const across = checkAcross(zones);
  const keys = new Set(known.map(findingKey));
  const notes: Problem[] = [];
  const invalid: { zone: Zone; errors: readonly Problem[] }[] = [];
  const found = await mapItems(project, ["checking zones", "zone"], zones, (zone, index) => [
    ...(isPartial(desired[index]) ? checkZone(zone) : []),
    ...(across[index] ?? []),
  ]);
  for (const [index, zone] of zones.entries()) {
    // Without a place it is about a live record, which is left to others.
    const fresh = applySeverities(found[index] ?? [], zone, project.switches, project.isStrict).filter(
      (one) => one.place !== undefined && !keys.has(findingKey(one)),
    );
    const errors = fresh.filter(({ severity }) => severity === "error");
    if (errors.length === 0) notes.push(...fresh);
    else invalid.push({ zone, errors });
  }
  const reasonOf = (file: string) => `${file} does not fit the records that it does not manage`;
  return { notes, skipped: skipZones(invalid, skipInvalid, reasonOf) };
}

function isPartial(zone: DesiredZone | undefined): boolean {
  return zone?.scope !== undefined && (zone.scope.manage === "listed" || zone.scope.ignore.length > 0);
}

/** The zone as it will be, including what its file does not manage. */
function completeZone(desired: DesiredZone, live: LiveZone | undefined, apex: Capabilities["apex"]): Zone {
  const { name, settings, excused, dotlessTargets = [], file, fileFormat, places = {}, scope } = desired;
  return {
    name,
    settings,
    records: applyScope(desired, live, apex).records,
    places,
    dotlessTargets,
    ...(excused && { excused }),
    ...(file !== undefined && { file }),
    ...(fileFormat && { fileFormat }),
    // Without a live zone, the other records stay unknown.
    ...(live === undefined && scope && { scope }),
  };
}

/** @throws {ProblemError} `zone-not-creatable` for zones to delete on a service where its operator does that. */
export function refuseDeletions(
  { name, capabilities }: Pick<TargetKind, "name" | "capabilities">,
  deletions: readonly LiveZone[],
): void {
  if (capabilities.zones !== "neither") return;
  const refused = deletions.map((zone) =>
    problem("zone-not-creatable", `${textOf(zone)} stays on the ${name}, where zones cannot be deleted`, {
      fix: "Have the operator of the service remove the zone.",
      owner: zone.name,
    }),
  );
  if (refused.length > 0) throw new ProblemError(refused);
}

/**
 * Refuses changes for which no message has room, before anything is written.
 * @throws {ProblemError} `update/too-large`
 */
export function refuseTooLarge({ tooLarge = [] }: Pick<Plan, "tooLarge">): void {
  const refused = new Map<string, Problem>();
  for (const { zone, writes } of tooLarge) {
    const sets = new Map(writes.map(subject).map((record) => [setKeyOf(record), record]));
    const [first, ...more] = sets.values();
    if (first === undefined) continue;
    const name = `${escapeControl(relativeTo(first.owner, zone))} ${first.type}`;
    const others = more.length > 0 ? ` and ${count(more.length, "other RRset")}` : "";
    const summary = `${textOf({ name: zone })}: the change of ${name}${others} and the stored records that it replaces do not fit into one update`;
    const fix =
      "Remove the RRset with one apply, and add it with the next one; its name has no such records in between.";
    refused.set(summary, problem("update/too-large", summary, { fix, owner: first.owner }));
  }
  if (refused.size > 0) throw new ProblemError([...refused.values()]);
}

/** Tells whether edits by others can be lost where records are read with their zone, not right before each change. */
export function lockNotes(
  { zones }: Pick<Plan, "zones">,
  { ids, lock, isLocal }: TargetKind["capabilities"],
): Problem[] {
  if (zones.length === 0) return [];
  // A file is compared once more right before it is replaced.
  if (isLocal)
    return [
      problem("lock", "a write is refused if someone else edited its RRsets meanwhile, except in the last instant"),
    ];
  if (lock === "compared") return [problem("no-lock", comparedText)];
  if (lock !== "none") {
    const summary =
      lock === "rrset"
        ? "the service refuses a write if someone else changed its RRsets since they were read, except for their TTLs"
        : "the service refuses a write if someone else changed its records since they were read";
    return [problem("lock", summary)];
  }
  if (ids === "stored") return [];
  const summary =
    "the service has no lock: edits by others between the read of a zone and its writes may be overwritten";
  return [problem("no-lock", summary)];
}

const comparedText =
  "the service has no lock: RRsets are read right before they are written, and an edit by someone else in between, usually within 50 ms, is overwritten";

function textOf({ name }: Pick<DesiredZone, "name">): string {
  return escapeControl(withoutDot(name));
}
