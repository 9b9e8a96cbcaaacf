import type { Client } from "../client/client.ts";
import { ClientError } from "../client/client-error.ts";
import { TransportError } from "../client/transport-error.ts";
import { type Problem, problem } from "../diagnostics/problem.ts";
import type { ZoneEvent } from "../dns/zone-event.ts";
import type { PlanFile } from "../planner/plan-schema.ts";
import { readEvents } from "../targets/api/events.ts";
import { isHidden } from "./plan-file.ts";

/** Events of the plan's zones since it was made, and the notes to print about them. */
export interface PastEvents {
  /** Oldest first. */
  readonly events: readonly ZoneEvent[];
  readonly notes: readonly Problem[];
}

/** Reads the event log. Where it cannot be read the plan is applied all the same, and a note says what is not known. */
export async function eventsSince(
  { observed }: PlanFile,
  client: Pick<Client, "listEvents">,
  signal: AbortSignal,
): Promise<PastEvents> {
  if (observed.lastEvent === undefined)
    return unknown("the plan was made from a snapshot, or with a token that cannot read events");
  const zones = new Set(observed.zones.map(({ zone }) => zone));
  try {
    const { events, isWhole } = await readEvents(client, observed.lastEvent, { signal });
    const own = events.filter(({ zone }) => zones.has(zone));
    const notes = [...zones].flatMap((zone) => noteOf(own.filter((event) => event.zone === zone)));
    return { events: own, notes: isWhole ? notes : [...notes, ...unknown("there are too many events").notes] };
  } catch (error) {
    if (isHidden(error)) return unknown("this token cannot read events (scope events:read_only)");
    if (!(error instanceof ClientError) || isAborted(error)) throw error;
    return unknown(`the event log cannot be read: ${error.problems[0]?.summary}`);
  }
}

function isAborted(error: unknown): boolean {
  return error instanceof TransportError && error.kind === "aborted";
}

function unknown(why: string): PastEvents {
  const summary = `not known who changed these zones since the plan was made: ${why}`;
  return { events: [], notes: [problem("plan-events", summary)] };
}

/** The newest events of a zone in one sentence; the last of `most`. */
const most = 3;

function noteOf(events: readonly ZoneEvent[]): Problem[] {
  const [first] = events;
  if (first === undefined) return [];
  const shown = events.slice(-most).map(eventText);
  const earlier = events.length - shown.length;
  const more = earlier === 0 ? "" : `${earlier} earlier ${earlier === 1 ? "event" : "events"}, then `;
  const summary = `${first.zone.slice(0, -1)} was changed since the plan was made: ${more}${shown.join(", ")}`;
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
export function eventText({ action, username, created, records }: ZoneEvent): string {
  const verb = verbs[action] ?? action;
  const names = records.map(({ owner, type }) => `${owner.slice(0, -1)} ${type}`).join(" that was ");
  const what = names === "" && action.startsWith("dns_record_") ? "a record" : names;
  return [username, verb, what, `at ${created}`].filter(Boolean).join(" ");
}
