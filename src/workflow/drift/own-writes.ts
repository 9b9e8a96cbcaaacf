import { type Problem, problem } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import type { ZoneEvent } from "../../dns/zone/zone-event.ts";
import { expectedEvents } from "../../executor/journal/expected-events.ts";
import { listRuns, readRun } from "../../executor/journal/runs.ts";
import { groupBy } from "../../group-by.ts";
import type { EventLog } from "../../targets/target.ts";
import type { Project } from "../project/project.ts";
import type { Snapshot } from "../project/snapshot-target.ts";
import { stateFolder } from "../project/state-folder.ts";
import { eventSubject, eventText } from "./event-log.ts";
import { clockDifference, type EventMatching, type JournaledRun, keyOfEvent, matchEvents } from "./match-events.ts";
import type { KnownEvents } from "./view.ts";

/** The events that runs of this project caused. */
export interface OwnEvents extends EventMatching {
  /** Whether the project has journals to compare events with. */
  readonly hasJournals: boolean;
}

/** A log to find the events of runs in. */
export interface OwnEventsRequest {
  readonly log: KnownEvents;
  /** The snapshot after which the log begins. */
  readonly snapshot: Pick<Snapshot, "time"> | undefined;
  /** The time at which the log was read. */
  readonly readAt: Date;
  /** Reads all events from a time on, in the format of the service. */
  readonly readFrom: (time: string) => Promise<EventLog | { readonly unknown: string }>;
}

/**
 * Finds the events that the writes in the journals caused. If the snapshot was saved soon after a run, some events of
 * the run are older than the log: they are read as well if later ones could be mistaken for them.
 */
export async function findOwnEvents(project: Project, request: OwnEventsRequest): Promise<OwnEvents> {
  const { log, snapshot, readAt, readFrom } = request;
  const folder = stateFolder(project);
  const ids = listRuns(folder);
  const hasJournals = ids.length > 0;
  if (log.events.length === 0) return { runOf: new Map(), surpluses: [], missing: new Map(), hasJournals };
  const runs = ids.map(({ id, user }) => ({ id, user, expected: expectedEvents(readRun(folder, id)) }));
  const isFromSnapshot = snapshot !== undefined && log.from === Number.NEGATIVE_INFINITY;
  // The snapshot has the time of the machine that saved it, to the second.
  const from = isFromSnapshot ? Date.parse(snapshot.time) + 1000 + clockDifference : log.from;
  const known = { events: log.events, from, readAt: readAt.getTime() };
  const start = isFromSnapshot ? startOfRuns(runs, known) : undefined;
  const earlier = start === undefined ? undefined : await readFrom(new Date(start).toISOString().slice(0, 19));
  if (start === undefined || earlier === undefined || "unknown" in earlier || !earlier.isWhole)
    return { ...matchEvents(runs, known), hasJournals };
  const [first] = log.events;
  const end = earlier.events.findIndex(({ id }) => id === first?.id);
  const events = [...earlier.events.slice(0, Math.max(0, end)), ...log.events];
  return { ...matchEvents(runs, { ...known, events, from: start }), hasJournals };
}

/**
 * The time of the service, in milliseconds, at which the first run began that may have events before the log and others
 * in it; undefined if there is none.
 */
function startOfRuns(
  runs: readonly JournaledRun[],
  { events, from }: { readonly events: readonly ZoneEvent[]; readonly from: number },
): number | undefined {
  const byKey = groupBy(events, keyOfEvent);
  let start = Number.POSITIVE_INFINITY;
  for (const { user, expected } of [...runs].reverse()) {
    const begin =
      expected.reduce((least, one) => Math.min(least, one.from), Number.POSITIVE_INFINITY) - clockDifference - 1000;
    const end = expected.reduce((most, one) => Math.max(most, one.to), 0) + clockDifference;
    const isMistakable = expected.some(
      (one) =>
        one.from - clockDifference - 1000 < from &&
        byKey.get(one.key)?.some(({ username, created }) => {
          const time = Date.parse(`${created}Z`);
          return (user ?? username) === username && time >= begin && time <= one.to + clockDifference;
        }),
    );
    // Runs that follow each other closely are matched together.
    if (expected.length > 0 && (isMistakable || end >= start)) start = Math.min(start, begin);
  }
  return start < from ? Math.floor(start / 1000) * 1000 : undefined;
}

/** Notes that the log lacks events of runs. */
export function notesOfMissing({ missing }: OwnEvents): Problem[] {
  return [...missing].map(([run, number]) => {
    const summary = `the event log lacks ${count(number, "event")} of run ${run}: it lags behind, or was cut`;
    const fix = "Until it is complete, the events of this run cannot be told from those of others for certain.";
    return problem("drift-log", summary, { fix });
  });
}

/** The most events that the alarm names. */
const mostNamed = 3;

/** Warns of changes by the token's user that no run has recorded. */
export function warnOfUnknownWrites(
  events: readonly ZoneEvent[],
  user: string | undefined,
  { runOf, surpluses, hasJournals }: OwnEvents,
): Problem[] {
  if (user === undefined || !hasJournals) return [];
  const shown = new Set(events);
  const isShown = ({ events }: { readonly events: readonly ZoneEvent[] }) =>
    events.some((event) => event.username === user && shown.has(event));
  const alike = surpluses
    .filter(isShown)
    .map(({ events, extra }) => ({ number: extra, text: surplusText(events, extra) }));
  const unknown = events
    .filter(({ id, username }) => username === user && !runOf.has(id))
    .map((event) => ({ number: 1, text: eventText(event) }));
  const all = [...alike.filter(({ number }) => number > 0), ...unknown];
  const sum = (list: typeof all) => list.reduce((total, { number }) => total + number, 0);
  const total = sum(all);
  if (total === 0) return [];
  const named = all.slice(-mostNamed);
  const earlier = total - sum(named);
  const more = earlier > 0 ? `${earlier} earlier, then ` : "";
  const texts = named.map(({ text }) => text).join(", ");
  const summary = `${count(total, "change")} ${total === 1 ? "was" : "were"} made as this user, but not by a run of this checkout: ${more}${texts}`;
  const fix = "If you did not make them, revoke the token. If another checkout made them, they are in its journals.";
  return [problem("drift-own-write", summary, { fix })];
}

/** `admin changed www.example.com A (1 of 2 times from … to …)`; not escaped yet. */
function surplusText(events: readonly ZoneEvent[], extra: number): string {
  const [first, last] = [events[0], events.at(-1)];
  if (!first || !last) return "";
  return `${eventSubject(first)} (${extra} of ${count(events.length, "time")} from ${first.created} to ${last.created})`;
}
