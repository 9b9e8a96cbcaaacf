import type { Id } from "../../dns/zone/desired-live.ts";
import type { ZoneEvent } from "../../dns/zone/zone-event.ts";
import type { ExpectedEvent } from "../../executor/journal/expected-events.ts";

/** A run of this project, as its journal tells. */
export interface JournaledRun {
  readonly id: string;
  /** The user of its token, if the token could read it. */
  readonly user: string | undefined;
  readonly expected: readonly ExpectedEvent[];
}

/** Events to match, and how complete they are. */
export interface EventsToMatch {
  /** Oldest first. */
  readonly events: readonly ZoneEvent[];
  /** Events from this time of the service on, in milliseconds, are all known. */
  readonly from: number;
  /** The time at which they were read, by the clock of this machine, in milliseconds. */
  readonly readAt: number;
}

/**
 * A run that caused an event. `proven`: the journal leaves no other possibility. `probable`: as many events match as
 * the run has writes, but its user is unknown, or the log is incomplete. `possible`: more events match.
 */
export interface OwnRun {
  readonly run: string;
  readonly certainty: "proven" | "probable" | "possible";
}

/** Events of one user that match writes of runs, and how many of them no run can have caused. */
export interface Surplus {
  readonly events: readonly ZoneEvent[];
  readonly extra: number;
}

export interface EventMatching {
  readonly runOf: ReadonlyMap<Id, OwnRun>;
  readonly surpluses: readonly Surplus[];
  /** The number of events of a run that the log lacks. */
  readonly missing: ReadonlyMap<string, number>;
}

/** The most that the clocks of a machine and of the service may differ, in milliseconds. */
export const clockDifference = 2 * 60 * 1000;

/** The resolution of the times of events, in milliseconds. */
const resolution = 1000;

/** The most that the clocks shift against each other during a run, in milliseconds. */
const clockShift = 1000;

/** The most rounds in which matched events narrow the possibilities of the others. */
const mostRounds = 4;

/**
 * Finds the events that writes of runs caused. `runs` are the oldest first; each ended before the next one began.
 * Events match by zone, action, name, type and user, by their number, by their order where a write was confirmed before
 * another was sent, and by time.
 */
export function matchEvents(runs: readonly JournaledRun[], log: EventsToMatch): EventMatching {
  const users = [...new Set(log.events.map(({ username }) => username))];
  const missing = new Map<string, number>();
  const most = new Map<string, OwnRun["certainty"]>();
  const all = runs.flatMap((run): JournaledRun | readonly JournaledRun[] => {
    if (run.user !== undefined) return run;
    // All writes of a run are those of one user.
    const tries = users.map((user) => ({ user, ...matchKnown([{ ...run, user }], log) }));
    const fitting = tries.filter((one) => one.missing.size === 0 && one.runOf.size > 0);
    const [only] = fitting;
    most.set(run.id, only && fitting.length === 1 ? "probable" : "possible");
    if (only && fitting.length === 1) return { ...run, user: only.user };
    const least = Math.min(...tries.map((one) => one.missing.get(run.id) ?? 0));
    if (least > 0 && least !== Infinity) missing.set(run.id, least);
    const expected = run.expected.map((one) => ({ ...one, isCertain: false }));
    return (fitting.length > 0 ? fitting : tries).map(({ user }) => ({ ...run, user, expected }));
  });
  const matching = matchKnown(all, log);
  const weaken = (own: OwnRun): OwnRun =>
    own.certainty === "possible" ? own : { ...own, certainty: most.get(own.run) ?? own.certainty };
  const runOf = new Map([...matching.runOf].map(([id, own]) => [id, weaken(own)] as const));
  return { ...matching, runOf, missing: new Map([...missing, ...matching.missing]) };
}

/** The earliest time of the event of a write, by the clock of the service. */
function earliest({ from }: Pick<ExpectedEvent, "from">): number {
  return from - clockDifference - resolution;
}

/** A run whose clock differs from that of the service by at least `low` and at most `high`, in milliseconds. */
interface Clocks {
  readonly run: JournaledRun;
  /** Whether the log lacks events of the run, so that those that it has prove nothing about the others. */
  readonly isLoose: boolean;
  low: number;
  high: number;
}

/** A write, and the events that it may have caused: those of its group from `first` to `last`. */
interface Slot {
  readonly clocks: Clocks;
  readonly expected: ExpectedEvent;
  /** The lines at which it was sent and confirmed, in all journals one after the other. */
  readonly sent: number;
  readonly confirmed: number;
  /** Whether the log must have its event. */
  readonly isRequired: boolean;
  /** The places in the log between which its event is. */
  after: number;
  before: number;
  first: number;
  last: number;
}

interface GroupEvent {
  readonly event: ZoneEvent;
  readonly time: number;
  /** Its place in the log. */
  readonly place: number;
}

/** The writes and the events of one user, zone, action, name and type. */
interface Group {
  /** In the order in which they were sent. */
  readonly slots: Slot[];
  readonly events: GroupEvent[];
}

/** Matches runs of known users. `loose` are the runs of which the log lacks events. */
function matchKnown(
  runs: readonly JournaledRun[],
  log: EventsToMatch,
  loose: ReadonlySet<string> = new Set(),
): EventMatching {
  const groups = groupsOf(runs, log, loose);
  for (let round = 0; round < mostRounds; round++) {
    for (const group of groups) findCandidates(group);
    const isOrdered = applyOrder(groups);
    const isTimed = applyTimes(groups);
    if (!isOrdered && !isTimed) break;
  }
  const missing = new Map<string, number>();
  for (const { slots } of groups) {
    const required = slots.filter(({ isRequired }) => isRequired);
    const matched = assign(required).first;
    for (const slot of required) {
      const { id } = slot.clocks.run;
      if (!matched.has(slot)) missing.set(id, (missing.get(id) ?? 0) + 1);
    }
  }
  const isNew = [...missing.keys()].some((id) => !loose.has(id));
  if (isNew) return matchKnown(runs, log, new Set([...loose, ...missing.keys()]));
  const runOf = new Map<Id, OwnRun>();
  const surpluses: Surplus[] = [];
  for (const group of groups) {
    const { own, surplus } = judge(group, log);
    for (const [id, run] of own) runOf.set(id, run);
    if (surplus) surpluses.push(surplus);
  }
  return { runOf, surpluses, missing };
}

function groupsOf(runs: readonly JournaledRun[], { events, from }: EventsToMatch, loose: ReadonlySet<string>): Group[] {
  const groups = new Map<string, Group>();
  let lines = 0;
  for (const run of runs) {
    const clocks = { run, isLoose: loose.has(run.id), low: -clockDifference, high: clockDifference };
    let length = 0;
    for (const expected of run.expected) {
      const key = JSON.stringify([run.user, expected.key]);
      const group = groups.get(key) ?? { slots: [], events: [] };
      groups.set(key, group);
      const [sent, confirmed] = [lines + expected.sent, lines + expected.confirmed];
      const isRequired = expected.isCertain && earliest(expected) >= from;
      const all = { after: -1, before: events.length, first: 0, last: -1 };
      group.slots.push({ clocks, expected, sent, confirmed, isRequired, ...all });
      length = Math.max(length, expected.sent, expected.isCertain ? expected.confirmed : 0);
    }
    lines += length + 1;
  }
  for (const [place, event] of events.entries()) {
    const group = groups.get(JSON.stringify([event.username, keyOfEvent(event)]));
    group?.events.push({ event, time: Date.parse(`${event.created}Z`), place });
  }
  return [...groups.values()];
}

/** The zone, action, name and type of an event, as of the write that causes it. */
export function keyOfEvent({ zone, action, records: [first] }: ZoneEvent): string {
  return first ? `${zone} ${action} ${first.owner} ${first.type}` : `${zone} ${action}`;
}

function findCandidates({ slots, events }: Group): void {
  for (const slot of slots) {
    const { clocks, expected, after, before } = slot;
    const [from, to] = [expected.from + clocks.low - resolution, expected.to + clocks.high];
    const isPossible = ({ time, place }: GroupEvent) => time >= from && time <= to && place > after && place < before;
    slot.first = events.findIndex(isPossible);
    slot.last = slot.first < 0 ? -1 : events.findLastIndex(isPossible);
  }
}

/** An event of a write that was confirmed before another was sent precedes the event of the other. */
function applyOrder(groups: readonly Group[]): boolean {
  const marks = groups.flatMap(({ slots, events }) =>
    slots
      .filter(({ clocks }) => !clocks.isLoose)
      .flatMap((slot) => {
        const isProof = slot.isRequired && slot.first >= 0;
        const low = isProof ? (events[slot.first]?.place ?? -1) : -1;
        const high = isProof ? (events[slot.last]?.place ?? Infinity) : Infinity;
        return [
          { line: slot.sent, isSent: true, slot, low, high },
          { line: slot.confirmed, isSent: false, slot, low, high },
        ];
      }),
  );
  marks.sort((a, b) => a.line - b.line);
  let isNarrowed = false;
  let low = -1;
  for (const mark of marks) {
    if (!mark.isSent) low = Math.max(low, mark.low);
    else if (low > mark.slot.after) [mark.slot.after, isNarrowed] = [low, true];
  }
  let high = Number.POSITIVE_INFINITY;
  for (const mark of marks.reverse()) {
    if (mark.isSent) high = Math.min(high, mark.high);
    else if (mark.line !== Infinity && high < mark.slot.before) [mark.slot.before, isNarrowed] = [high, true];
  }
  return isNarrowed;
}

/** Learns how the clocks differ from events that only one write can have caused. */
function applyTimes(groups: readonly Group[]): boolean {
  let isNarrowed = false;
  for (const { slots, events } of groups) {
    const { first, last } = assign(slots.filter(({ isRequired }) => isRequired));
    for (const [slot, index] of first) {
      const { clocks, expected } = slot;
      if (clocks.isLoose || last.get(slot) !== index) continue;
      if (slots.some((other) => other !== slot && other.first <= index && index <= other.last)) continue;
      const { time } = events[index] as GroupEvent;
      const low = Math.max(clocks.low, time - expected.to - clockShift);
      const high = Math.min(clocks.high, time + resolution - expected.from + clockShift);
      if (low === clocks.low && high === clocks.high) continue;
      Object.assign(clocks, { low, high });
      isNarrowed = true;
    }
  }
  return isNarrowed;
}

/** Gives as many writes as possible an event each, in order: once the first possible ones, once the last. */
function assign(slots: readonly Slot[]): Record<"first" | "last", ReadonlyMap<Slot, number>> {
  const some = slots.filter((slot) => slot.first >= 0);
  // Writes sent at once may cause their events in any order: what one of them may have caused, so may the others.
  const from = some.map((slot) => slot.first);
  for (let index = from.length - 2; index >= 0; index--)
    from[index] = Math.min(from[index] as number, from[index + 1] as number);
  const to = some.map((slot) => slot.last);
  for (let index = 1; index < to.length; index++) to[index] = Math.max(to[index] as number, to[index - 1] as number);
  const first = new Map<Slot, number>();
  let next = 0;
  for (const [index, slot] of some.entries()) {
    const place = Math.max(next, from[index] as number);
    if (place > (to[index] as number)) continue;
    first.set(slot, place);
    next = place + 1;
  }
  const last = new Map<Slot, number>();
  next = Number.POSITIVE_INFINITY;
  for (const [index, slot] of [...some.entries()].reverse()) {
    if (!first.has(slot)) continue;
    const place = Math.min(next, to[index] as number);
    last.set(slot, place);
    next = place - 1;
  }
  return { first, last };
}

/** The events of a group that runs caused. */
function judge(
  { slots, events }: Group,
  { readAt }: EventsToMatch,
): { readonly own: ReadonlyMap<Id, OwnRun>; readonly surplus: Surplus | undefined } {
  const own = new Map<Id, OwnRun>();
  const { first, last } = assign(slots.filter(({ isRequired }) => isRequired));
  for (const [slot, index] of first) {
    const { clocks, expected } = slot;
    // The log may lag behind. A write whose event it does not have yet proves nothing about another event.
    const isProven = !clocks.isLoose && expected.to + clockDifference <= readAt;
    const certainty = isProven ? "proven" : "probable";
    if (last.get(slot) === index) own.set((events[index] as GroupEvent).event.id, { run: clocks.run.id, certainty });
  }
  const matched = [...assign(slots).first];
  const rest = events.filter(
    ({ event }, index) => !own.has(event.id) && slots.some(({ first, last }) => first <= index && index <= last),
  );
  const extra = own.size + rest.length - matched.length;
  for (const { event } of rest) {
    const index = events.findIndex((one) => one.event === event);
    const cause = matched.find(([, place]) => place === index)?.[0];
    const near = cause ?? slots.findLast((slot) => slot.first <= index && index <= slot.last);
    if (near) own.set(event.id, { run: near.clocks.run.id, certainty: extra > 0 ? "possible" : "probable" });
  }
  return { own, surplus: extra > 0 ? { events: rest.map(({ event }) => event), extra } : undefined };
}
