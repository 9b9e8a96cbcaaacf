import { type Problem, problem } from "../../diagnostics/problem.ts";
import type { ZoneEvent } from "../../dns/zone/zone-event.ts";
import type { PlanFile } from "../../planner/plan-file/plan-schema.ts";
import { noEventLog } from "../../targets/no-event-log.ts";
import type { Target } from "../../targets/target.ts";

/** Events of the plan's zones since the plan was made, and notes about them. */
export interface PastEvents {
  /** Oldest first. */
  readonly events: readonly ZoneEvent[];
  readonly notes: readonly Problem[];
  /** Why others are missing, if they are. */
  readonly unknown?: string;
}

/** Reads the event log. If it cannot be read, or not all of it, a note says so; not where the service has none. */
export async function eventsSince(
  { observed }: PlanFile,
  { read, capabilities }: Target,
  signal: AbortSignal,
): Promise<PastEvents> {
  if (!capabilities.events) return { events: [], notes: [], unknown: noEventLog };
  if (observed.lastEvent === undefined)
    return unknownEvents("the plan or its snapshot was made with a token that cannot read events");
  const zones = new Set(observed.zones.map(({ zone }) => zone));
  const log = await read.readEvents({ after: observed.lastEvent }, { signal });
  if ("unknown" in log) return unknownEvents(log.unknown);
  const own = log.events.filter(({ zone }) => zones.has(zone));
  const notes = [...zones].flatMap((zone) => noteOf(own.filter((event) => event.zone === zone)));
  if (log.isWhole) return { events: own, notes };
  const rest = unknownEvents("there are too many events");
  return { ...rest, events: own, notes: [...notes, ...rest.notes] };
}

function unknownEvents(unknown: string): PastEvents {
  const summary = `cannot tell who changed these zones after the plan was made: ${unknown}`;
  return { events: [], notes: [problem("plan-events", summary)], unknown };
}

/** Summarises the newest events of a zone in one sentence; at most `most`. */
const most = 3;

function noteOf(events: readonly ZoneEvent[]): Problem[] {
  const [first] = events;
  if (first === undefined) return [];
  const shown = events.slice(-most).map(eventText);
  const earlier = events.length - shown.length;
  const more = earlier === 0 ? "" : `${earlier} earlier ${earlier === 1 ? "event" : "events"}, then `;
  const summary = `${first.zone.slice(0, -1)} was changed after the plan was made: ${more}${shown.join(", ")}`;
  return [problem("plan-events", summary)];
}

const verbs: Readonly<Record<string, string>> = {
  dns_zone_create: "created the zone",
  dns_zone_update: "changed the settings",
  dns_zone_delete: "deleted the zone",
  dns_zone_import: "imported the zone",
  dns_record_create: "created",
  dns_record_update: "changed",
  dns_record_delete: "deleted",
};

/** `admin changed www.example.com A at 2026-03-04T12:10:00`; not escaped yet. */
export function eventText(event: ZoneEvent): string {
  return `${eventSubject(event)} at ${event.created}`;
}

/** `admin changed www.example.com A`; not escaped yet. */
export function eventSubject({ action, username, records }: ZoneEvent): string {
  const verb = verbs[action] ?? action;
  const names = records.map(({ owner, type }) => `${owner.slice(0, -1)} ${type}`).join(" that was ");
  const what = names === "" && action.startsWith("dns_record_") ? "a record" : names;
  return [username, verb, what].filter(Boolean).join(" ");
}
