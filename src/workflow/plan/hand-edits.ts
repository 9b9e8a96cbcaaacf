import { advise } from "../../diagnostics/advice.ts";
import { type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import { momentText } from "../../diagnostics/quantities.ts";
import { type Name, nameKey } from "../../dns/name/name.ts";
import { asId } from "../../dns/zone/desired-live.ts";
import type { EventLog, EventStart } from "../../targets/target.ts";
import type { ReadingConnection } from "../connect/connection.ts";
import { attribute, newestOf } from "../drift/attribution.ts";
import { compareSides } from "../drift/classes.ts";
import { noteEventsInSnapshot } from "../drift/events-in-snapshot.ts";
import { isDrift, type ZoneFinding } from "../drift/finding.ts";
import { findOwnEvents, notesOfMissing } from "../drift/own-writes.ts";
import { listKnownEvents } from "../drift/view.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import type { Snapshot } from "../project/snapshot-target.ts";
import { hasSameRecords, lastEventOf, liveZonesOf, loadSnapshot, type SnapshotToPlan } from "../snapshot/snapshot.ts";
import { addressOf } from "./observe.ts";
import type { ObservedPlan } from "./plan-report.ts";

// Loaded on use: the API keeps a log of events.
const loadBaselines = () => import("../drift/baselines.ts");

/** Changes outside git since the snapshot, with notes about the snapshot and the number of requests. */
export interface HandEdits {
  readonly handEdits: readonly ZoneFinding[];
  readonly notes: readonly Problem[];
  readonly reads: number;
}

/** The snapshot of the last apply. */
interface SnapshotPlace {
  readonly place: string;
  /** Whether the user named it. */
  readonly isAsked: boolean;
}

type EditedPlan = Pick<ObservedPlan, "desired" | "live" | "plan">;

const none: HandEdits = { handEdits: [], notes: [], reads: 0 };

/**
 * Finds the changes outside git that a plan of these zones would undo, and the zones that lost their files: since the
 * snapshot, or without one, where the service keeps no log of events, since the state that is last known. The event log
 * is only read if there are such changes, and without it their authors are unknown.
 * @throws {ProblemError} if a snapshot that was asked for cannot be read
 */
export async function findHandEdits(
  context: RunContext,
  project: Project,
  from: ReadingConnection | SnapshotToPlan,
  { desired, live, plan, snapshot: place }: EditedPlan & { readonly snapshot: SnapshotPlace | undefined },
): Promise<HandEdits> {
  const { events } = project.target.capabilities;
  if (place === undefined) return events ? none : findUnlogged(project, from, { desired, live });
  const snapshot = readSnapshot(context, place);
  if (!("target" in snapshot)) return { ...none, notes: [snapshot] };
  if (snapshot.target.api !== addressOf(from) || !hasSameRecords(project, snapshot.target)) return none;
  const orphans = plan.unmanaged.flatMap((name) => orphanWarning(name, snapshot));
  if (!events) {
    const asked = place.isAsked ? snapshot : undefined;
    return { ...(await findUnlogged(project, from, { desired, live }, asked)), notes: orphans };
  }
  const before = await liveZonesOf(snapshot);
  const zones = desired.flatMap((git) => {
    const zone = nameKey(git.name);
    const { apex } = project.target.capabilities;
    const sides = { snapshot: before.get(zone), git, live: live.get(zone), apex };
    // A zone that the snapshot does not cover may have existed then.
    if (!sides.snapshot && snapshot.zones?.includes(zone) === false) return [];
    const differences = compareSides(sides).filter(isDrift);
    return differences.length === 0 ? [] : [{ zone, sides, differences }];
  });
  if (zones.length === 0) return { ...none, notes: orphans };
  const found = await readEvents(context, from, { after: lastEventOf(snapshot) ?? asId(0) });
  const log = listKnownEvents(found, snapshot, context.now());
  let reads = "api" in from && project.target.capabilities.events ? 1 : 0;
  const own = await findOwnEvents(project, {
    log,
    snapshot,
    readAt: context.now(),
    readFrom: async (time) => {
      reads++;
      return readEvents(context, from, { from: time });
    },
  });
  const handEdits = zones.flatMap(({ zone, sides, differences }) => {
    const events = log.events.filter((event) => event.zone === zone);
    const evidence = {
      ...log,
      ...sides,
      events,
      newest: newestOf(log.events),
      runOf: own.runOf,
    };
    return differences.map(
      (difference): ZoneFinding => ({
        zone,
        finding: { ...difference, by: attribute(difference, evidence) },
      }),
    );
  });
  return {
    handEdits,
    notes: [...orphans, ...noteEventsInSnapshot(log.events, before, live), ...notesOfMissing(own)],
    reads,
  };
}

/** Changes outside git without a log of events: since a snapshot that was asked for, or else since the last run. */
async function findUnlogged(
  project: Project,
  from: ReadingConnection | SnapshotToPlan,
  { desired, live }: Pick<EditedPlan, "desired" | "live">,
  asked?: Snapshot,
): Promise<HandEdits> {
  // The last run may be newer than the zones of a plan against a snapshot.
  if (!("api" in from) && asked === undefined) return none;
  const { byUnknown, findLastKnown, zonesOfSnapshot } = await loadBaselines();
  const names = desired.map(({ name }) => nameKey(name));
  const known = asked
    ? await zonesOfSnapshot(asked, names)
    : await findLastKnown(project, { api: addressOf(from), live }, names);
  const { apex } = project.target.capabilities;
  const handEdits = desired.flatMap((git) => {
    const zone = nameKey(git.name);
    const found = known.get(zone);
    if (found?.state !== "known") return [];
    const differences = compareSides({ snapshot: found.zone, git, live: live.get(zone), apex }).filter(isDrift);
    return byUnknown(differences).map((finding) => ({ zone, finding }));
  });
  return { ...none, handEdits };
}

/** A damaged snapshot that the user did not name is a note, no error: the plan does not need it. */
function readSnapshot(context: RunContext, { place, isAsked }: SnapshotPlace): Snapshot | Problem {
  try {
    return loadSnapshot(context, place);
  } catch (error) {
    if (isAsked || !(error instanceof ProblemError)) throw error;
    const { id, summary } = error.problem;
    return problem(id, `changes outside git are not marked: ${summary}`, { severity: "note" });
  }
}

async function readEvents(
  { signal }: RunContext,
  from: ReadingConnection | SnapshotToPlan,
  start: EventStart,
): Promise<EventLog | { readonly unknown: string }> {
  return "api" in from
    ? from.target.read.readEvents(start, { signal })
    : { unknown: "the plan is made from a snapshot" };
}

/** A warning of a live zone that had a file when the snapshot was saved, and has none now. */
function orphanWarning(name: Name, { zones = [], time }: Snapshot): Problem[] {
  if (!zones.includes(nameKey(name))) return [];
  const zone = name.slice(0, -1);
  const summary = advise`this change orphans ${zone}: it had a zone file at ${momentText(Date.parse(time))}, and has none now. It stays as it is, unless ${{ set: "deleteZone", to: zone }} deletes it`;
  const fix =
    "If the file was renamed by mistake, rename it back. In the action, the input `delete-zones` deletes the zone.";
  return [problem("zone-orphaned", summary, { fix })];
}
