import type { Clock } from "../clock.ts";
import { escapeControl } from "../diagnostics/escape.ts";
import type { Problem } from "../diagnostics/problem.ts";
import { isSameName, type Name, nameKey } from "../dns/name/name.ts";
import type { LiveZone } from "../dns/zone/desired-live.ts";
import { canonical, type ZoneRecord } from "../dns/zone/zone.ts";
import { readLive } from "../targets/read-live.ts";
import type { PlanningReads, ReadOptions, Target } from "../targets/target.ts";
import { recordText } from "./journal/apply-problems.ts";
import type { JournalLine, JournalRecord } from "./journal/journal-line.ts";
import { visibleAfterMs } from "./journal/once.ts";
import { type RunWrite, writesOfRun } from "./journal/runs.ts";

/** Interval between two checks, in milliseconds. */
const pauseMs = 5_000;

interface SettleOptions extends ReadOptions {
  /** Called once, with the longest possible wait in milliseconds and the writes in question. */
  readonly onWait: (ms: number, writes: readonly string[]) => void;
}

/**
 * Waits until writes with an unknown outcome are visible in the live zones or can no longer take effect. A plan made
 * earlier might create again a record whose write is still under way.
 */
export async function resolveLostWrites(
  runs: readonly (readonly JournalLine[])[],
  read: PlanningReads,
  clock: Clock,
  { onWait, ...options }: SettleOptions,
): Promise<void> {
  let isSaid = false;
  for (let open = openWrites(runs, clock.now()); open.length > 0; open = openWrites(runs, clock.now())) {
    const zones = new Set(open.map(({ write }) => nameKey(write.zone)));
    const live = await readLive(read, (name) => zones.has(name), options);
    const hidden = open.filter((item) => !isProven(item, live.zones.get(nameKey(item.write.zone))));
    if (hidden.length === 0 || options.signal?.aborted) return;
    const longest = Math.max(...hidden.map(({ age }) => visibleAfterMs - age));
    if (!isSaid) onWait(longest, hidden.map(writeText));
    isSaid = true;
    await clock.sleep(Math.min(longest, pauseMs), options.signal);
  }
}

/**
 * Finishes zones that a run, for example a killed one, wrote to and did not read back. Calls `onProblem` with each
 * problem.
 */
export async function finishWrittenZones(
  lines: readonly JournalLine[],
  { read, writes }: Pick<Target, "read" | "writes">,
  onProblem: (zone: Name, problem: Problem) => void,
): Promise<void> {
  if (!writes.finishZone || lines.some((line) => line.kind === "end" && line.state === "done")) return;
  const written = writesOfRun(lines).filter(
    ({ state, step }) => /^(?:open|done)$/.test(state) && step !== "delete-zone",
  );
  const zones = new Map(written.map(({ zone }) => [nameKey(zone), zone]));
  for (const line of lines)
    if (line.kind === "zone" && /^(?:done|differs)$/.test(line.state)) zones.delete(nameKey(line.zone));
  for (const zone of zones.values()) {
    const found = await read.findZone(zone);
    for (const problem of found ? await writes.finishZone(found.id) : []) onProblem(zone, problem);
  }
}

/** A write for messages, such as `create www.example.com. A 192.0.2.1`. */
function writeText({ write: { zone, step }, record }: OpenWrite): string {
  const name = escapeControl(zone.slice(0, -1));
  if (step === "zone") return `create the zone ${name}`;
  if (step === "delete-zone") return `delete the zone ${name}`;
  const { before, after } = record ?? {};
  if (after) return `${before ? "change" : "create"} ${recordText(liveOf(after))}`;
  return before ? `delete ${recordText(liveOf(before))}` : `change the settings of ${name}`;
}

function liveOf({ ttl, ...record }: JournalRecord): ZoneRecord {
  return { ...record, ttl };
}

interface OpenWrite {
  readonly write: RunWrite;
  readonly age: number;
  readonly record: { before?: JournalRecord | undefined; after?: JournalRecord | undefined } | undefined;
}

/** Writes that were sent, have no known outcome, and may still take effect. */
function openWrites(runs: readonly (readonly JournalLine[])[], now: number): OpenWrite[] {
  return runs.flatMap((lines) =>
    writesOfRun(lines)
      .filter(({ state }) => state === "open")
      .map((write) => ({ write, age: now - Date.parse(write.at), record: write.intent?.records?.[write.write] }))
      .filter(({ age }) => age >= 0 && age < visibleAfterMs),
  );
}

/**
 * Whether the zone proves that the write took effect. A record with the same value and another TTL is no proof: it may
 * be an earlier attempt that someone edited, while the last one is still under way.
 */
function isProven({ write, record }: OpenWrite, live: LiveZone | undefined): boolean {
  if (write.step === "zone") return live !== undefined;
  if (write.step === "delete-zone") return live === undefined;
  if (!live || !record) return false;
  const { before, after } = record;
  if (!after) return !live.records.some(({ id }) => id === before?.id);
  const alike = live.records.filter(
    (stored) =>
      isSameName(stored.owner, after.owner) && stored.type === after.type && canonical(stored) === canonical(after),
  );
  // Without ids, or if someone deleted the record, so that the write can no longer take effect.
  const isGone = !live.records.some(({ id }) => id === before?.id);
  return alike.some(({ id, ttl }) => (isGone || id === before?.id) && (ttl === after.ttl || ttl === after.otherTtl));
}
