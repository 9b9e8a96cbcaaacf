import { appendFileSync, readdirSync } from "node:fs";
import { chmod, open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ProblemError } from "../../diagnostics/problem.ts";
import { type Name, type NameKey, nameKey } from "../../dns/name/name.ts";
import type { Id } from "../../dns/zone/desired-live.ts";
import { makeFolder, readRegularFile } from "../../file-system.ts";
import type { Plan } from "../../planner/changes/change.ts";
import { type Appender, FileJournal, journalProblem } from "./journal.ts";
import { type JournalLine, type JournalLineOf, readJournal, type Where } from "./journal-line.ts";
import { countWrites } from "./writes.ts";

/** A run, as recorded by its journal. */
export interface Run extends Omit<About, "resumes"> {
  readonly id: string;
  /** Moments in ISO 8601, UTC. */
  readonly begun: string;
  readonly ended: string | undefined;
  /** `partly`: the run ended with work left to do. `unfinished`: it was interrupted. */
  readonly state: "done" | "partly" | "unfinished";
  readonly zones: readonly Name[];
  /** Zones that it had to delete, and whether it did. */
  readonly deletions: ReadonlyMap<NameKey, boolean>;
  /** Zones that left the account during the run. */
  readonly gone: ReadonlySet<NameKey>;
  /** Whether someone else changed data that it had to write, so that it needs a new plan. */
  readonly isChanged: boolean;
  /** Number of writes of its plan, and how many of them took effect according to the journal. */
  readonly writes: number;
  readonly written: number;
  /** Number of writes that were sent and have no known outcome: the next run looks it up. */
  readonly open: number;
}

/** A run that has begun. `write` writes a file into its folder. */
interface OpenRun {
  readonly id: string;
  readonly journal: FileJournal;
  write(folder: string, file: string, text: string): Promise<void>;
  end(state: JournalLineOf<"end">["state"]): Promise<void>;
}

export type About = Readonly<
  Pick<
    JournalLineOf<"begin">,
    "api" | "target" | "user" | "commit" | "approvedPlans" | "resumes" | "firstPass" | "undoes" | "approved"
  >
>;

/** Input of a new run besides its plan. */
interface NewRun {
  readonly id: string;
  readonly about?: About;
  readonly now: () => Date;
  readonly disk?: JournalDisk;
}

/** An id that sorts by time. `suffix` distinguishes runs of the same millisecond. */
export function runId(now: Date, suffix: string): string {
  return `${now.toISOString().replace(/[-:]/g, "")}-${suffix}`;
}

/** An id that sorts after those of all runs, also if the clock stands still or was set back since the last one. */
export function nextRunId(folder: string, now: Date, suffix: string): string {
  const [, date = "", hour, minute, rest] = /^(\d{8})T(\d\d)(\d\d)([\d.]+Z)-/.exec(lastRun(folder) ?? "") ?? [];
  const day = date.replace(/^(....)(..)/, "$1-$2-");
  const last = Date.parse(`${day}T${hour}:${minute}:${rest}`);
  return runId(last >= now.getTime() ? new Date(last + 1) : now, suffix);
}

/**
 * Creates the folder of a run under `folder` (`.zonewright`, ignored by git) and begins its journal.
 * @throws {ProblemError} `journal-write`
 */
export async function beginRun(
  folder: string,
  plan: Plan,
  { id, about = {}, now, disk = ownDisk }: NewRun,
): Promise<OpenRun> {
  const own = join(folder, "runs", id);
  const withJournalErrors = async <T>(path: string, action: () => Promise<T>): Promise<T> => {
    try {
      return await action();
    } catch (error) {
      throw error instanceof ProblemError ? error : journalProblem(path, error);
    }
  };
  const file = join(own, "journal.jsonl");
  const journal = await withJournalErrors(file, async () => {
    await disk.folder(folder);
    await disk.write(join(folder, ".gitignore"), "*\n");
    await disk.folder(own);
    return new FileJournal(await disk.create(file), file);
  });
  const zones = plan.zones.map((zone) => ({
    zone: zone.zone.name,
    ...(zone.domainId !== undefined && { domainId: zone.domainId }),
    writes: countWrites(zone),
  }));
  const deletions = plan.deletions.map(
    ({ name: zone, id: domainId }) => ({ zone, domainId, writes: 1, deletes: true }) as const,
  );
  const at = now().toISOString();
  await journal.note({
    kind: "begin",
    format: "zonewright.journal/1",
    run: id,
    at,
    zones: [...zones, ...deletions],
    ...about,
  });
  return {
    id,
    journal,
    write: (name, fileName, text) =>
      withJournalErrors(join(own, name, fileName), async () => {
        await disk.folder(join(own, name));
        await disk.write(join(own, name, fileName), text);
      }),
    end: async (state) => {
      // Without its last line a run is considered unfinished: the next one checks, and finds nothing open.
      await journal.note({ kind: "end", at: now().toISOString(), state }).catch(() => {});
      await journal.close();
    },
  };
}

/** The runs of a project, the oldest first. `folder` is its `.zonewright`. */
export function listRuns(folder: string): Run[] {
  return runIds(folder).flatMap((id) => summary(id, readRun(folder, id)) ?? []);
}

export function lastRun(folder: string): string | undefined {
  return runIds(folder).at(-1);
}

/** A run whose journal is parsed only where its lines are asked for, because journals can be long and many. */
export interface UnparsedRun extends Pick<Run, "id" | "zones"> {
  readonly lines: () => JournalLine[];
  readonly summary: () => Run | undefined;
}

/** The runs of a project, the newest first; each is read when its turn comes. `folder` is its `.zonewright`. */
export function* newestRuns(folder: string): Generator<UnparsedRun> {
  for (const id of runIds(folder).reverse()) {
    const text = readText(folder, id);
    const [first = ""] = text.split("\n", 1);
    const [begin] = readJournal(first);
    if (begin?.kind !== "begin") continue; // interrupted before anything was sent
    const lines = () => readJournal(text);
    yield { id, zones: begin.zones.map(({ zone }) => zone), lines, summary: () => summary(id, lines()) };
  }
}

/** The newest run, if it is not done. Of a run that is done only the end is parsed, because journals can be long. */
export function findUnfinishedRun(folder: string): Run | undefined {
  for (const id of runIds(folder).reverse()) {
    const text = readText(folder, id);
    const [last] = readJournal(text.slice(text.trimEnd().lastIndexOf("\n") + 1));
    if (last?.kind === "end" && last.state === "done") return undefined;
    const run = summary(id, readJournal(text));
    if (run) return run;
  }
  return undefined;
}

/** Ends a run that was interrupted, once it is known that nothing of it is left to do. */
export function endRun(folder: string, id: string, now: Date): void {
  const end: JournalLine = { kind: "end", at: now.toISOString(), state: "done" };
  try {
    // The last line may be truncated.
    appendFileSync(journalOf(folder, id), `\n${JSON.stringify(end)}\n`);
  } catch {
    // It stays unfinished: the next command finds again that nothing is left.
  }
}

/** The runs that were interrupted since the last complete one, oldest first. */
export function findInterruptedRuns(folder: string): string[] {
  const ids = runIds(folder);
  const last = ids.findLastIndex((id) => readRun(folder, id).some(({ kind }) => kind === "end"));
  return ids.slice(last + 1);
}

/** The complete lines of a run's journal; empty if the run does not exist. */
export function readRun(folder: string, id: string): JournalLine[] {
  return readJournal(readText(folder, id));
}

function readText(folder: string, id: string): string {
  try {
    return readRegularFile(journalOf(folder, id)).toString();
  } catch {
    return "";
  }
}

function journalOf(folder: string, id: string): string {
  return join(folder, "runs", id, "journal.jsonl");
}

function runIds(folder: string): string[] {
  try {
    return readdirSync(join(folder, "runs")).sort();
  } catch {
    return []; // no run yet
  }
}

function summary(id: string, lines: readonly JournalLine[]): Run | undefined {
  const begin = lines.find((line) => line.kind === "begin");
  if (!begin) return undefined; // interrupted before anything was sent
  const end = lines.findLast((line) => line.kind === "end");
  const { api, target, user, planDigest = "", nonce, commit, firstPass, undoes, approved } = begin;
  const former = nonce === undefined ? undefined : [{ nonce, effectDigest: "", planDigest }];
  const approvedPlans = begin.approvedPlans ?? former;
  const written = writesOfRun(lines);
  const isDone = (name: Name) =>
    written.some(
      ({ zone, step, state }) => zone === name && step === "delete-zone" && /^(?:done|already)$/.test(state),
    );
  return {
    id,
    begun: begin.at,
    ended: end?.at,
    ...{ api, target, user, commit, approvedPlans, firstPass, undoes, approved },
    state: end?.state ?? "unfinished",
    zones: begin.zones.map(({ zone }) => zone),
    deletions: new Map(
      begin.zones.flatMap(({ zone, deletes }) => (deletes ? [[nameKey(zone), isDone(zone)] as const] : [])),
    ),
    gone: new Set(lines.flatMap((line) => (line.kind === "zone" && line.gone ? [nameKey(line.zone)] : []))),
    isChanged: lines.some((line) => line.kind === "zone" && line.changed),
    writes: begin.zones.reduce((sum, { writes }) => sum + writes, 0),
    written: written.filter(({ state }) => state === "done").length,
    open: written.filter(({ state }) => state === "open").length,
  };
}

/** A write of a run, and its outcome. */
export interface RunWrite extends Where {
  /** `open`: sent, and its outcome is unknown. `already`: someone else had already made the change. */
  readonly state: "open" | "done" | "already" | "not-done" | "undone";
  /** Time at which it was last sent, in ISO 8601. */
  readonly at: string;
  /** The id of the created record or zone. */
  readonly id?: Id | undefined;
  /** The step that it belongs to. */
  readonly intent?: JournalLineOf<"intent"> | undefined;
}

/** The writes of a run in the order in which they were first sent. */
export function writesOfRun(lines: readonly JournalLine[]): RunWrite[] {
  const writes = new Map<string, RunWrite>();
  const intents = new Map<string, JournalLineOf<"intent">>();
  for (const line of lines) {
    if (line.kind === "intent") intents.set(`${line.zone} ${line.step}`, line);
    if (!("write" in line)) continue;
    const { zone, step, write, back } = line;
    const key = `${zone} ${step} ${write}`;
    const before = writes.get(key);
    const next = stateAfter(line);
    if (next === undefined) continue;
    if (back) {
      if (before) writes.set(key, stateOfReverted(before, next, timeOf(line)));
      continue;
    }
    const given = "id" in line ? line.id : undefined;
    const [at, id] = [timeOf(line) ?? before?.at ?? "", given ?? before?.id];
    writes.set(key, { zone, step, write, state: next, at, id, intent: intents.get(`${zone} ${step}`) });
  }
  return [...writes.values()];
}

/** A write of which the reversal is in a state. */
function stateOfReverted(before: RunWrite, reversal: RunWrite["state"], at = before.at): RunWrite {
  if (reversal === "done") return { ...before, state: "undone" };
  return reversal === "open" ? { ...before, state: "open", at } : before;
}

function stateAfter(line: JournalLine): RunWrite["state"] | undefined {
  switch (line.kind) {
    case "sent":
    case "ambiguous":
      return "open";
    case "acked":
      return line.already ? "already" : "done";
    case "refused":
      return "not-done";
    case "resolved":
      return line.done ? "done" : "not-done";
    default:
      return undefined;
  }
}

function timeOf(line: JournalLine): string | undefined {
  return "at" in line ? line.at : undefined;
}

/** File operations of a run. Tests make each of them fail. */
export interface JournalDisk {
  /** Creates a folder and its parents, accessible only to this user. */
  folder(path: string): Promise<void>;
  /** Writes a file, readable only by this user; resolves once it is flushed to disk. */
  write(path: string, text: string): Promise<void>;
  /** Creates a file to append to; fails if it exists. */
  create(path: string): Promise<Appender>;
}

const ownDisk: JournalDisk = {
  folder: async (path) => {
    if (!makeFolder(path, 0o700)) await chmod(path, 0o700);
  },
  write: (path, text) => writeFile(path, text, { mode: 0o600, flush: true }),
  create: async (path) => {
    const file = await open(path, "ax", 0o600);
    return {
      append: async (text) => {
        await file.appendFile(text);
        await file.datasync();
      },
      close: () => file.close(),
    };
  },
};
