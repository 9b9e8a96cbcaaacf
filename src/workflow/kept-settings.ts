import { type Place, type Problem, ProblemError, problem } from "../diagnostics/problem.ts";
import type { DesiredZone, Id, LiveZone } from "../dns/desired-live.ts";
import { type NameKey, nameKey, withoutDot } from "../dns/name.ts";
import { listRuns, readRun, writesOf } from "../executor/runs.ts";
import { isOfUnknownType } from "../planner/plan.ts";
import type { PlanningReads } from "../targets/target.ts";
import { type Project, stateFolder } from "./project.ts";
import type { SkippedZone } from "./skip-invalid.ts";

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
    .map((zone) => ({ zone, error: typeProblem(zone) }));
  if (found.length > 0 && !skipInvalid) throw new ProblemError(found.map(({ error }) => error));
  return found.map(({ zone: { name, file = "" }, error }) => ({
    name: nameKey(name),
    file,
    reason: `${file} does not say its type`,
    errors: [error],
  }));
}

function typeProblem(zone: DesiredZone): Problem {
  const summary = `${withoutDot(zone.name)} is a secondary zone in the account, and its file has records but no type`;
  const fix =
    zone.fileFormat === "octodns"
      ? "Files of octoDNS are of primary zones: remove this one to keep the zone, or make it a primary zone in the account."
      : `To keep it, write ${settingText(zone, "type: slave")} and remove the records. To serve the records of the file instead, write ${settingText(zone, "type: master")}.`;
  return problem("zone-type", summary, { place: placeOfZone(zone), fix, owner: zone.name });
}

/** The place of a zone in its file. */
export function placeOfZone({ places, file }: DesiredZone): Place | undefined {
  return places?.zone ?? (file === undefined ? undefined : { file, line: 1, column: 1, length: 1 });
}

/** A setting in the syntax of the zone's file. */
function settingText({ fileFormat }: DesiredZone, setting: string): string {
  return fileFormat === "bind" ? `\`;@ ${setting}\`` : `\`${setting}\``;
}

/** Notes about zones that stay disabled, because their files do not say otherwise. */
export function disabledNotes(
  desired: readonly DesiredZone[],
  live: LiveZones,
  unactivated: ReadonlySet<NameKey>,
): Problem[] {
  const isDisabled = (name: NameKey) => live.get(name)?.settings.status === "disabled" && !unactivated.has(name);
  return desired
    .filter(({ name, unstated }) => unstated?.includes("status") && isDisabled(nameKey(name)))
    .map((zone) => {
      const summary = `${withoutDot(zone.name)} is disabled, and stays so: its file does not state a status`;
      const fix =
        zone.fileFormat === "octodns"
          ? "To serve it, enable it in the account: files of octoDNS have no status."
          : `To serve it, write ${settingText(zone, "status: active")}; if it is meant to be disabled, ${settingText(zone, "status: disabled")}.`;
      return problem("zone-disabled", summary, { place: placeOfZone(zone), fix, owner: zone.name });
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
): Promise<ReadonlySet<NameKey>> {
  const disabled = desired.flatMap(({ name, settings }) => {
    const stored = live.get(nameKey(name));
    return stored?.settings.status === "disabled" && settings.status !== "disabled" ? [stored] : [];
  });
  if (disabled.length === 0) return new Set();
  const journals = unactivatedInJournals(stateFolder(project));
  const isInJournals = ({ name, id }: LiveZone) => journals.has(id) || journals.has(nameKey(name));
  const others = disabled.filter((zone) => !isInJournals(zone));
  const ofEvents = others.length === 0 ? undefined : await read.findUnactivated?.(others, { signal });
  return new Set(
    disabled.filter((zone) => isInJournals(zone) || ofEvents?.has(zone.id)).map(({ name }) => nameKey(name)),
  );
}

/**
 * The zones that runs created and left disabled, also by undoing their creation: by their ids, or by name if the reply
 * to the creation was lost.
 */
function unactivatedInJournals(folder: string): ReadonlySet<Id | NameKey> {
  const created = new Map<NameKey, { readonly key: Id | NameKey; isActive: boolean }>();
  for (const { id: run, undoes } of listRuns(folder))
    for (const { zone, step, state, id, intent } of writesOf(readRun(folder, run))) {
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
  return new Set([...created.values()].flatMap(({ key, isActive }) => (isActive ? [] : [key])));
}
