import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { NameKey } from "../../src/dns/name/name.ts";
import { asId, type Id } from "../../src/dns/zone/desired-live.ts";
import type { ZoneEvent } from "../../src/dns/zone/zone-event.ts";
import type { EventLog } from "../../src/targets/target.ts";
import type { OwnEventsRequest } from "../../src/workflow/drift/own-writes.ts";
import type { ApiSnapshot as Snapshot } from "../../src/workflow/project/snapshot-target.ts";
import { Random } from "../executor/random.ts";

/** A history of runs and of hand edits, with the author of every event. */
export interface OwnHistory {
  readonly request: OwnEventsRequest;
  /** All events, also those before the snapshot. */
  readonly events: readonly ZoneEvent[];
  /** The runs that caused events. */
  readonly truth: ReadonlyMap<Id, string>;
  /** Whether every write has its event, every reply arrived, and the log has them all. */
  readonly isPlain: boolean;
}

/** The user of the token, and others. */
export const users = ["admin", "alice", "bob"] as const;

export const zone = "example.com.";
const noon = Date.parse("2026-03-04T12:00:00Z");
const actions = ["create", "update", "delete"] as const;
const kinds = ["plain", "plain", "lost", "lag", "cut", "unknown"] as const;

interface Commit {
  readonly time: number;
  readonly user: string;
  readonly action: string;
  readonly name: string;
  readonly run?: string;
}

/** Writes the journals of a history into a folder. The clocks of the machine and of the service differ. */
export function makeHistory(seed: number, folder: string): OwnHistory {
  const numbers = new Random(seed);
  const below = (end: number) => numbers.below(end);
  const pick = <T>(values: readonly T[]) => values[below(values.length)] as T;
  const kind = pick(kinds);
  const skew = pick([0, 0, 700, -1500, 30_000, -100_000]);
  const commits: Commit[] = [];
  const names = ["www", "api", "mail"].slice(0, 1 + below(3));
  let time = noon;
  const snapshotAfter = below(4);
  let savedAt: number | undefined;
  const editNear = (near: number) =>
    commits.push({
      time: near + pick([-40_000, -12_000, -1000, -300, 0, 200, 900, 12_000, 12_000, 60_000]),
      user: pick(users),
      action: pick(actions),
      name: pick(names),
    });
  for (let number = 1; number <= 1 + below(3); number++) {
    time += pick([300, 5000, 60_000, 3_600_000]);
    const run = `2026-${number}`;
    const lines: { time: number; line: Record<string, unknown> }[] = [];
    const note = (line: Record<string, unknown>, at = time) => lines.push({ time: at, line });
    const user = kind === "unknown" && below(2) === 0 ? {} : { user: "admin" };
    const begin = { kind: "begin", format: "zonewright.journal/1", run, zones: [{ zone, writes: 1 }], ...user };
    note({ ...begin, at: new Date(time).toISOString() });
    for (let step = 1; step <= 1 + below(4); step++) {
      // Writes of a round are sent at once.
      const round = Array.from({ length: 1 + below(2) }, (_, write) => ({
        write,
        action: pick(actions),
        name: pick(names),
      }));
      for (const [index, { action, name }] of round.entries()) {
        const where = { zone, step: step * 10 + index, write: 0 };
        const record = { owner: `${name}.${zone}`, type: "A", data: { address: "192.0.2.1" } };
        const sides = {
          ...(action !== "create" && { before: record }),
          ...(action !== "delete" && { after: record }),
        };
        note({ kind: "intent", zone, step: where.step, records: [sides] });
        const sent = time + below(50);
        const took = 20 + below(300);
        note({ kind: "sent", ...where, at: new Date(sent).toISOString() }, sent);
        const commit = { time: sent + below(took), user: "admin", action, name, run };
        const isLost = kind === "lost" && below(3) === 0;
        const isStored = !isLost || below(2) === 0;
        if (isStored) commits.push(commit);
        if (isLost) {
          const at = new Date(sent + took).toISOString();
          note({ kind: "ambiguous", ...where, why: "reset", at }, sent + took);
          if (below(2) === 0) note({ kind: "resolved", ...where, done: isStored }, sent + took + 1);
        } else note({ kind: "acked", ...where }, sent + took);
        if (below(3) === 0) editNear(commit.time);
      }
      time += 400 + below(2000);
    }
    for (let burst = below(3); burst > 0; burst--) editNear(time);
    if (below(5) > 0) note({ kind: "end", at: new Date(time).toISOString(), state: "done" });
    const text = lines.sort((a, b) => a.time - b.time).map(({ line }) => `${JSON.stringify(line)}\n`);
    const file = join(folder, ".zonewright/runs", run, "journal.jsonl");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text.join(""));
    time += pick([100, 800, 3000]);
    if (number === snapshotAfter) savedAt = time + pick([0, 0, -700]);
  }
  const isSoon = kind === "lag";
  const readAt = time + (isSoon ? 10_000 : 3_600_000);
  const all = commits.filter((commit) => commit.time <= readAt).sort((a, b) => a.time - b.time);
  const events = all.map(
    ({ time, user, action, name }, index): ZoneEvent => ({
      id: asId(index + 1),
      zone: zone as NameKey,
      action: `dns_record_${action}`,
      username: user,
      created: new Date(time + skew).toISOString().slice(0, 19),
      records: [{ owner: `${name}.${zone}` as NameKey, type: "A" }],
    }),
  );
  const truth = new Map(all.flatMap(({ run }, index) => (run === undefined ? [] : [[asId(index + 1), run] as const])));
  const hidden = isSoon ? below(Math.min(6, events.length)) : 0;
  const shown = events.slice(0, events.length - hidden);
  const atSnapshot = savedAt === undefined ? 0 : all.filter((commit) => commit.time <= (savedAt as number)).length;
  const cut = kind === "cut" ? below(events.length) : 0;
  const since = shown.slice(Math.max(atSnapshot, cut));
  const log =
    cut > atSnapshot && since[0]
      ? { events: since, from: Date.parse(`${since[0].created}Z`), gap: "only the newest events can be read" }
      : { events: since, from: savedAt === undefined ? noon - 86_400_000 : Number.NEGATIVE_INFINITY };
  const readFrom = async (from: string): Promise<EventLog> => ({
    events: shown.slice(cut).filter(({ created }) => created >= from),
    isWhole: cut === 0,
  });
  const snapshot = { time: `${new Date(savedAt ?? 0).toISOString().slice(0, 19)}Z` } as Snapshot;
  return {
    request: { log, snapshot: savedAt === undefined ? undefined : snapshot, readAt: new Date(readAt), readFrom },
    events,
    truth,
    isPlain: kind === "plain",
  };
}
