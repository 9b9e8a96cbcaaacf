import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, problem } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { type NameKey, nameKey, withoutDot } from "../../dns/name/name.ts";
import type { DesiredZone, Id, LiveZone, UnknownRecord } from "../../dns/zone/desired-live.ts";
import { listRuns, readRun, writesOfRun } from "../../executor/journal/runs.ts";
import type { Plan } from "../../planner/changes/change.ts";
import { isOfUnknownType } from "../../planner/plan.ts";
import { isPrivateType } from "../../targets/server-types.ts";
import type { PlanningReads } from "../../targets/target.ts";
import type { Project } from "../project/project.ts";
import { stateFolder } from "../project/state-folder.ts";
import { isKept, listLeftAlone, placeOfZone } from "./kept-conflicts.ts";
import { type SkippedZone, skipZones } from "./skip-invalid.ts";

type LiveZones = ReadonlyMap<NameKey, LiveZone>;

/**
 * The zones whose files have records and no type, although the account has them as secondary zones.
 * @throws {ProblemError} `zone-type` unless they are left out
 */
export function withoutTypes(
  desired: readonly DesiredZone[],
  live: LiveZones,
  { skipInvalid }: { readonly skipInvalid?: boolean },
): SkippedZone[] {
  const found = desired
    .filter((zone) => isOfUnknownType(zone, live.get(nameKey(zone.name))))
    .map((zone) => ({ zone, errors: [typeProblem(zone, live.get(nameKey(zone.name))?.settings.master_ips)] }));
  return skipZones(found, skipInvalid, (file) => `${file} does not say its type`);
}

/**
 * The zones of files that the service transfers from elsewhere, so that nothing can be written to them.
 * @throws {ProblemError} `zone-secondary` unless they are left out
 */
export function withoutSecondaries(
  desired: readonly DesiredZone[],
  live: LiveZones,
  { skipInvalid }: { readonly skipInvalid?: boolean },
): SkippedZone[] {
  const found = desired.flatMap((zone) => {
    const stored = live.get(nameKey(zone.name));
    return stored?.secondaryOf ? [{ zone, errors: [secondaryProblem(zone, stored)] }] : [];
  });
  return skipZones(found, skipInvalid, () => "the records of its live version come from elsewhere");
}

/** Whether a zone is a catalog (RFC 9432) that PowerDNS makes from the zones that name it as theirs. */
export function isProducer({ settings }: Pick<LiveZone, "settings">): boolean {
  return settings.kind === "Producer";
}

function secondaryProblem(zone: DesiredZone, stored: LiveZone): Problem {
  const { secondaryOf = [] } = stored;
  const name = escapeControl(withoutDot(zone.name));
  const from = secondaryOf.length === 0 ? "its primary" : secondaryOf.map(escapeControl).join(", ");
  const summary = isProducer(stored)
    ? `${name} is a producer zone, a catalog whose members PowerDNS lists itself`
    : `${name} is a secondary zone of the service, whose records come from ${from}`;
  const fix = isProducer(stored)
    ? "Remove this file, and set the catalog of each member in PowerDNS."
    : "Change it at its primary and remove this file, or make it a primary zone of the service first.";
  return problem("zone-secondary", summary, { place: placeOfZone(zone), fix, owner: zone.name });
}

function typeProblem(zone: DesiredZone, masters: unknown = []): Problem {
  const summary = `${withoutDot(zone.name)} is a secondary zone in the account, and its file has records but no type`;
  const fix =
    zone.fileFormat === "octodns"
      ? "Files of octoDNS are of primary zones: remove this one to keep the zone, or make it a primary zone in the account."
      : `To keep it, write ${settingText(zone, "type: slave")} and ${settingText(zone, `master_ips: ${JSON.stringify(masters)}`)}, and remove the records. To serve the records of the file instead, write ${settingText(zone, "type: master")}.`;
  return problem("zone-type", summary, { place: placeOfZone(zone), fix, owner: zone.name });
}

/** A setting in the syntax of the zone's file. */
function settingText({ fileFormat }: DesiredZone, setting: string): string {
  return fileFormat === "bind" ? `\`;@ ${setting}\`` : `\`${setting}\``;
}

/** How it is known that a run left a zone disabled. */
type Evidence = "journal" | "events";

/** Notes about disabled zones whose files state no status: most stay so, and some are served without a journal. */
export function disabledNotes(
  desired: readonly DesiredZone[],
  live: LiveZones,
  unactivated: ReadonlyMap<NameKey, Evidence>,
): Problem[] {
  return desired.flatMap((zone) => {
    const name = nameKey(zone.name);
    const evidence = unactivated.get(name);
    const isDisabled = live.get(name)?.settings.status === "disabled";
    if (!zone.unstated?.includes("status") || !isDisabled || evidence === "journal") return [];
    const about = { place: placeOfZone(zone), owner: zone.name };
    const [active, disabled] = ["status: active", "status: disabled"].map((text) => settingText(zone, text));
    const inAccount = "in the account: files of octoDNS have no status";
    const isOctodns = zone.fileFormat === "octodns";
    if (evidence === "events") {
      const summary = `${withoutDot(zone.name)} is disabled, and will be served: the user of this token created it and has not changed its settings since, as an unfinished run does`;
      const fix = isOctodns
        ? `If it is meant to be disabled, set its status ${inAccount}.`
        : `If it is meant to be disabled, write ${disabled}.`;
      return problem("zone-disabled", summary, { ...about, fix });
    }
    const summary = `${withoutDot(zone.name)} is disabled, and stays so: its file does not state a status`;
    const fix = isOctodns
      ? `To serve it, enable it ${inAccount}.`
      : `To serve it, write ${active}; if it is meant to be disabled, ${disabled}.`;
    return problem("zone-disabled", summary, { ...about, fix });
  });
}

/**
 * The zones that runs of this project created and did not activate: by the journals, or by the event log, because a
 * run on another machine leaves no journal here.
 */
export async function findUnactivated(
  project: Project,
  read: PlanningReads,
  { desired, live }: { readonly desired: readonly DesiredZone[]; readonly live: LiveZones },
  signal: AbortSignal,
): Promise<ReadonlyMap<NameKey, Evidence>> {
  const disabled = desired.flatMap(({ name, settings }) => {
    const stored = live.get(nameKey(name));
    return stored?.settings.status === "disabled" && settings.status !== "disabled" ? [stored] : [];
  });
  if (disabled.length === 0) return new Map();
  const journals = findCreatedInJournals(stateFolder(project));
  const inJournals = ({ name, id }: LiveZone) => journals.get(id) ?? journals.get(nameKey(name));
  const others = disabled.filter((zone) => inJournals(zone) === undefined);
  const silent = new Set(
    desired.flatMap(({ name, unstated }) => (unstated?.includes("status") ? [nameKey(name)] : [])),
  );
  const asked = others.filter(({ name }) => silent.has(nameKey(name))); // a stated status is judged by the guards
  const ofEvents = asked.length === 0 ? undefined : await read.findUnactivated?.(asked, { signal });
  return new Map(
    disabled.flatMap((zone): [NameKey, Evidence][] => {
      const evidence = inJournals(zone)?.isActive === false ? "journal" : ofEvents?.has(zone.id) ? "events" : undefined;
      return evidence ? [[nameKey(zone.name), evidence]] : [];
    }),
  );
}

/**
 * The zones that runs created, by their ids, or by name if the reply to the creation was lost. Those that are not
 * active were left so, also by undoing their creation.
 */
function findCreatedInJournals(folder: string): ReadonlyMap<Id | NameKey, { readonly isActive: boolean }> {
  const created = new Map<NameKey, { readonly key: Id | NameKey; isActive: boolean }>();
  for (const { id: run, undoes } of listRuns(folder)) {
    const lines = readRun(folder, run);
    for (const { zone, step, state, id, intent } of writesOfRun(lines)) {
      const name = nameKey(zone);
      if (state === "not-done" || state === "undone") continue;
      if (step === "zone") created.set(name, { key: id ?? name, isActive: false });
      if (step === "delete-zone") created.delete(name);
      const status = intent?.settings?.find((setting) => setting.name === "status");
      const known = created.get(name);
      if (!known || !status) continue;
      // Without a reply, the zone shows it: it is disabled.
      if (status.after === "active") known.isActive ||= state !== "open";
      else if (undoes !== undefined) known.isActive = false;
      else created.delete(name);
    }
    // A zone that is disabled at the end of a complete creation is meant to be.
    const ended = lines.flatMap((line) => (line.kind === "zone" && line.state === "done" ? [nameKey(line.zone)] : []));
    for (const name of undoes === undefined ? ended : []) {
      const known = created.get(name);
      if (known) known.isActive = true;
    }
  }
  return new Map([...created.values()].map((zone) => [zone.key, zone]));
}

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
  const zone = escapeControl(withoutDot(name));
  const notes: Problem[] = [];
  if (state !== undefined && desired) {
    const summary = `${zone} has the status "${escapeControl(state)}" in the account: ${meanings[state] ?? "zonewright does not know it"}`;
    const fix = "zonewright writes to the zone as to an active one. Check at the service whether it is served.";
    notes.push(problem("zone-status", summary, { place, fix, owner: name }));
  }
  if (desired) notes.push(...notesOfServer(zone, unknownRecords).map((one) => ({ ...one, owner: name })));
  const disabled = unknownRecords.filter(({ isDisabled }) => isDisabled);
  if (disabled.length > 0) {
    const summary = `${zone} has ${count(disabled.length, "disabled record")}, which no lookup gets: ${listLeftAlone(disabled)}`;
    const fix = desired
      ? "They stay as they are. Enable or delete them at the service; those that the file has as well are enabled."
      : "They are deleted with the zone. Save them first if they are still needed.";
    notes.push(problem("zone-records-disabled", summary, { place, fix, owner: name }));
  }
  const unfound = unknownRecords.filter(({ hasUpperCase }) => hasUpperCase);
  if (unfound.length > 0) {
    const records = count(unfound.length, "RRset");
    const summary = `${zone} has ${records} stored in upper case, which no lookup gets: ${listLeftAlone(unfound)}`;
    const fix = desired
      ? "They stay as they are: the API cannot change them. Remove them from the database; `pdnsutil list-zone` and `pdnsutil load-zone` with its output store the zone in lower case, without its disabled records."
      : "They are deleted with the zone. Save them first if they are still needed.";
    notes.push(problem("zone-records-case", summary, { place, fix, owner: name }));
  }
  const others = unknownRecords.filter((one) => isKept(one) && !one.isDisabled);
  if (others.length > 0) {
    const records = count(others.length, "record");
    const summary = `${zone} has ${records}, neither compared nor changed: ${listLeftAlone(others)}`;
    const fix = desired
      ? "They are left alone. Change them at the service."
      : "They are deleted with the domain. Save them first if they are still needed.";
    notes.push(problem("zone-records-unknown", summary, { place, fix, owner: name }));
  }
  return notes;
}

/** Notes about records that belong to the server; of private types only this is known. */
function notesOfServer(zone: string, records: readonly UnknownRecord[]): Problem[] {
  const types = [...new Set(records.flatMap(({ type, isOfService }) => (isOfService ? [type] : [])))].sort();
  const [own, others] = [types.filter((type) => !isPrivateType(type)), types.filter(isPrivateType)];
  const summaries = [
    ...(own.length > 0 ? [`${zone}: the server makes its ${own.join(", ")} records itself`] : []),
    ...(others.length > 0
      ? [`${zone}: its ${others.join(", ")} records are of a private type, such as servers use for their own state`]
      : []),
  ];
  return summaries.map((summary) => problem("zone-records-signed", summary));
}

const meanings: { readonly [state: string]: string } = {
  has_errors: "the service found errors in the zone, and may serve an older version of it or none",
  edit_mode: "someone is editing the zone there, and the service may not serve changes before that ends",
};
