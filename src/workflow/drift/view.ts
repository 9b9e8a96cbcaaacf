import { advise, type Fix } from "../../diagnostics/advice.ts";
import type { NameKey } from "../../dns/name/name.ts";
import { asId } from "../../dns/zone/desired-live.ts";
import type { ZoneEvent } from "../../dns/zone/zone-event.ts";
import type { EventLog } from "../../targets/target.ts";
import type { ReadingConnection } from "../connect/connection.ts";
import { reportLive } from "../project/progress.ts";
import type { RunContext } from "../project/run-context.ts";
import type { ApiSnapshot, OtherDomain } from "../project/snapshot-target.ts";
import { requireApi } from "../snapshot/snapshot.ts";
import { type DriftState, newState } from "./state.ts";

/** The live zones as far as they are known, and the reading that it took. */
export interface LiveView {
  readonly live: ApiSnapshot;
  readonly log: KnownEvents;
  /** The domains that no zone file describes; undefined if they were never listed, because nothing had changed. */
  readonly others: readonly OtherDomain[] | undefined;
  readonly reading: ReadCounts;
}

/** Events of zones since the snapshot. */
export interface KnownEvents {
  /** Oldest first. */
  readonly events: readonly ZoneEvent[];
  /** Events before this time, in milliseconds, may be missing for the reason `gap`. */
  readonly from: number;
  readonly gap?: string;
}

export interface ReadCounts {
  /** The number of events since the snapshot, or since the state. */
  readonly events: number;
  /** The number of zones whose records were read. */
  readonly zones: number;
  /** Why every zone was read; undefined if only those with events were. */
  readonly fullBecause?: Fix;
}

/** The live zones to view, and the state to start from. */
export interface ViewRequest {
  /** The zones of the project. */
  readonly zones: readonly NameKey[];
  /** The snapshot after the last apply; later events bring it up to date. */
  readonly snapshot: ApiSnapshot | undefined;
  /** The view of an earlier poll, which continues the snapshot. */
  readonly state?: DriftState | undefined;
  /** Whether to read every zone. */
  readonly isFull: boolean;
}

/** The retention of events by the service, in days (decisions/documents#events). */
const keptDays = 90;

/**
 * The live zones of the project. If nothing happened since the snapshot or the state, that is one request: for the
 * newer events. Else only the zones that events name are read again; all of them if the log does not reach back.
 */
export async function readView(
  context: RunContext,
  connection: ReadingConnection,
  { zones, snapshot, state, isFull }: ViewRequest,
): Promise<LiveView> {
  const { signal, onProgress } = context;
  const { target, api } = requireApi(connection);
  const time = context.now();
  const start = state?.live ?? snapshot;
  // Read before the zones, so that no change between the two is missed the next time.
  const found = await target.read.readEvents({ after: asId(start?.lastEvent ?? 0) }, { signal });
  const newer = listKnownEvents(found, start, time);
  const log = state ? continueLog(state, newer) : newer;
  const reason = isFull ? advise`${{ set: "full" }} is given` : reasonToReadAll(start, newer);
  const isCovered = (zone: NameKey) => start?.zones === undefined || start.zones.includes(zone);
  const counts = { events: newer.events.length, zones: 0 };
  if (start && reason === undefined && newer.events.length === 0 && zones.every(isCovered))
    return { live: start, others: state?.others, log, reading: counts };
  const lastEvent = newer.events.at(-1)?.id ?? start?.lastEvent ?? 0;
  const head = {
    time: `${time.toISOString().slice(0, 19)}Z`,
    target: start?.target ?? { api, account: null },
    zones: [...zones],
    ...("unknown" in found ? {} : { lastEvent: Number(lastEvent) }),
  };
  const changed = new Set(newer.events.map(({ zone }) => zone));
  const earlier = start && reason === undefined ? { snapshot: start, changed } : undefined;
  const {
    snapshot: now,
    others,
    read,
  } = await target.takeSnapshot(head, {
    signal,
    onRead: reportLive(onProgress),
    earlier,
  });
  const reading = { ...counts, zones: read, ...(reason !== undefined && { fullBecause: reason }) };
  return { live: now, others, log, reading };
}

/** The events of a state and the newer ones. */
function continueLog({ events, gap }: DriftState, newer: KnownEvents): KnownEvents {
  if (newer.gap !== undefined) return newer;
  const all = [...events, ...newer.events];
  return gap ? { events: all, from: Date.parse(gap.from), gap: gap.why } : { ...newer, events: all };
}

/** The state after a poll. */
export function stateOf(snapshot: ApiSnapshot | undefined, { live, others, log }: LiveView): DriftState {
  const { events, from, gap } = log;
  const time = Number.isFinite(from) ? new Date(from).toISOString() : live.time;
  return newState(snapshot, {
    live,
    ...(others && { others: others.map(({ name, created }) => ({ name, created })) }),
    events: events.map((event) => ({ ...event, records: [...event.records] })),
    ...(gap !== undefined && { gap: { from: time, why: gap } }),
  });
}

/** The events since `start`, and whether some are missing. */
export function listKnownEvents(
  found: EventLog | { readonly unknown: string },
  start: Pick<ApiSnapshot, "time"> | undefined,
  now: Date,
): KnownEvents {
  if ("unknown" in found) return { events: [], from: Number.POSITIVE_INFINITY, gap: found.unknown };
  const { events, isWhole } = found;
  const [first] = events;
  if (!isWhole && first) {
    const gap = `only the newest ${events.length} events can be read`;
    return { events, from: Date.parse(`${first.created}Z`), gap };
  }
  const oldest = now.getTime() - keptDays * 86_400_000;
  if (start && Date.parse(start.time) >= oldest) return { events, from: Number.NEGATIVE_INFINITY };
  const kept = `${keptDays} days for which the service keeps events`;
  return {
    events,
    from: oldest,
    gap: start ? `the snapshot is older than the ${kept}` : `it may be older than the ${kept}`,
  };
}

function reasonToReadAll(start: ApiSnapshot | undefined, { gap }: KnownEvents): string | undefined {
  if (start === undefined) return "there is no snapshot";
  if (gap !== undefined) return gap;
  return start.lastEvent === undefined ? "the snapshot was saved with a token that cannot read events" : undefined;
}
