import { count } from "../diagnostics/plain.ts";
import { type Problem, problem } from "../diagnostics/problem.ts";
import type { Id } from "../dns/desired-live.ts";
import { nameKey } from "../dns/name.ts";
import type { ZoneEvent } from "../dns/zone-event.ts";
import type { JournalRecord } from "../executor/journal-line.ts";
import { listRuns, type RunWrite, readRun, writesOf } from "../executor/runs.ts";
import { eventText } from "./event-log.ts";
import { type Project, stateFolder } from "./project.ts";

/** The events that runs of this project caused. */
export interface OwnEvents {
  readonly runOf: ReadonlyMap<Id, string>;
  /** Whether the project has journals to compare events with. */
  readonly hasJournals: boolean;
}

/** The most that the clocks of this machine and of the service may differ, in milliseconds. */
const clockDifference = 2 * 60 * 1000;

/** Finds for each write of the journals the event that it caused. One write has at most one event. */
export function findOwnEvents(project: Project, events: readonly ZoneEvent[]): OwnEvents {
  const folder = stateFolder(project);
  const runs = listRuns(folder);
  const runOf = new Map<Id, string>();
  const byKey = new Map<string, ZoneEvent[]>();
  for (const event of events) {
    const key = keyOfEvent(event);
    byKey.set(key, [...(byKey.get(key) ?? []), event]);
  }
  const [first] = events;
  const isRecent = (time: string) => first !== undefined && distance(time, first) > -clockDifference;
  for (const { id } of first === undefined ? [] : runs) {
    for (const write of writesOf(readRun(folder, id))) {
      if (!isRecent(write.at)) continue;
      for (const key of keysOfWrite(write)) {
        const candidates = (byKey.get(key) ?? []).filter(
          (event) => !runOf.has(event.id) && Math.abs(distance(write.at, event)) <= clockDifference,
        );
        const [nearest] = candidates.sort((a, b) => Math.abs(distance(write.at, a)) - Math.abs(distance(write.at, b)));
        if (nearest) runOf.set(nearest.id, id);
      }
    }
  }
  return { runOf, hasJournals: runs.length > 0 };
}

/** Milliseconds from an event to a time. */
function distance(time: string, { created }: ZoneEvent): number {
  return Date.parse(time) - Date.parse(`${created}Z`);
}

function keyOfEvent({ zone, action, records: [first] }: ZoneEvent): string {
  return first ? `${zone} ${action} ${first.owner} ${first.type}` : `${zone} ${action}`;
}

/** The events that a write causes: one, and a second one if it was reverted. */
function keysOfWrite({ zone, step, write, state, intent }: RunWrite): string[] {
  if (state === "already" || state === "not-done") return [];
  const name = nameKey(zone);
  if (step === "zone") return [`${name} dns_zone_create`];
  if (step === "delete-zone") return [`${name} dns_zone_delete`];
  if (typeof step === "string") return [`${name} dns_zone_update`];
  const { before, after } = intent?.records?.[write] ?? {};
  const key = (action: string, { owner, type }: JournalRecord) => `${name} ${action} ${nameKey(owner)} ${type}`;
  if (after && before)
    return state === "undone" ? twice(key("dns_record_update", after)) : [key("dns_record_update", after)];
  const record = after ?? before;
  if (!record) return [];
  const keys = [key("dns_record_create", record), key("dns_record_delete", record)];
  if (state === "undone") return keys;
  return after ? keys.slice(0, 1) : keys.slice(1);
}

function twice(key: string): string[] {
  return [key, key];
}

/** The most events that the alarm names. */
const mostNamed = 3;

/** Warns of changes by the token's user that no run has recorded. */
export function warnOfUnknownWrites(
  events: readonly ZoneEvent[],
  user: string | undefined,
  { runOf, hasJournals }: OwnEvents,
): Problem[] {
  if (user === undefined || !hasJournals) return [];
  const unknown = events.filter(({ id, username }) => username === user && !runOf.has(id));
  if (unknown.length === 0) return [];
  const named = unknown.slice(-mostNamed).map(eventText);
  const more = unknown.length > named.length ? `${unknown.length - named.length} earlier, then ` : "";
  const summary = `${count(unknown.length, "change")} by the user of this token ${unknown.length === 1 ? "is" : "are"} in no journal in .zonewright/runs: ${more}${named.join(", ")}`;
  const fix = "If you did not make them, revoke the token. If another checkout made them, they are in its journals.";
  return [problem("drift-own-write", summary, { fix })];
}
