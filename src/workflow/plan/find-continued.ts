import { type NameKey, nameKey } from "../../dns/name/name.ts";
import type { LiveZone } from "../../dns/zone/desired-live.ts";
import { listRuns, type Run, readRun } from "../../executor/journal/runs.ts";
import { revertRun } from "../../executor/revert-run.ts";
import type { Connection } from "../project/connect.ts";
import type { Project } from "../project/project.ts";
import { stateFolder } from "../project/state-folder.ts";
import { type ContinuedRun, describeApprovals } from "./continuation.ts";

/** The last run, if it was interrupted or did not finish and is of the kind that is continued. */
export function findContinued(
  project: Project,
  { api, sign }: Connection,
  { isContinued, isExplicit }: { isContinued: (run: Run) => boolean; isExplicit: boolean },
): ContinuedRun | undefined {
  const folder = stateFolder(project);
  const runs = listRuns(folder);
  const run = runs.at(-1);
  if (run?.approved === undefined || run.state === "done" || run.api !== api || !isContinued(run)) return undefined;
  const { signature, ...approved } = run.approved;
  const isSigned = signature === sign?.(describeApprovals(api, approved));
  return {
    run,
    before: (live) => revertRuns(folder, runs, live),
    guards: isSigned ? approved.guards : [],
    isExplicit,
  };
}

/** Reverts the last run, and the runs that it continued in the zones that it continued. */
function revertRuns(folder: string, runs: readonly Run[], live: ReadonlyMap<NameKey, LiveZone>) {
  let zones = live;
  let included: ReadonlySet<NameKey> = new Set(live.keys());
  for (let run = runs.at(-1); run; ) {
    const earlier = revertRun(readRun(folder, run.id), zones);
    const known = included;
    zones = new Map(
      [...zones].flatMap(([name, zone]) => {
        const before = known.has(name) ? earlier.get(name) : zone;
        return before ? [[name, before] as const] : [];
      }),
    );
    const { continues, zones: judged = [] } = run.approved ?? {};
    included = new Set(judged.flatMap((zone) => (zone.continues ? [nameKey(zone.zone)] : [])));
    run = runs.find(({ id }) => id === continues && id < (run?.id ?? ""));
  }
  return zones;
}
