import { adviceText, type Fix } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, ProblemError, problem, problemError } from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import type { Id } from "../../dns/zone/desired-live.ts";
import { rdataText, recordKeyOf, type ZoneRecord } from "../../dns/zone/zone.ts";
import type { Target, TargetWrites } from "../../targets/target.ts";

/** The part of a target that classifies failures. */
export interface FailureReader {
  readonly writes: Pick<TargetWrites, "failureOf">;
}

/** Stops every zone: the service is under maintenance, or the journal or a backup cannot be written. */
export function isForAll(target: FailureReader, error: unknown): boolean {
  if (hasProblem(error, "journal-write") || target.writes.failureOf(error) === "unavailable") return true;
  return error instanceof Error && error.cause !== undefined && isForAll(target, error.cause);
}

/** Whether a zone or record does not exist, or not as it was planned. */
export function isMissing(target: FailureReader, error: unknown): boolean {
  if (hasProblem(error, "live-changed") || target.writes.failureOf(error) === "gone") return true;
  return error instanceof Error && error.cause !== undefined && isMissing(target, error.cause);
}

export function hasProblem(error: unknown, wanted: ProblemId): boolean {
  return error instanceof ProblemError && error.problems.some(({ id }) => id === wanted);
}

/** Records or zones that differ from what the plan was made from. */
export function liveChangedError(what: readonly string[]): ProblemError {
  return new ProblemError(
    what.map((text) =>
      problem("live-changed", `${text} was changed or deleted by someone else after the plan was made`, {
        fix: "It was left unchanged. Run plan again and review the new plan.",
      }),
    ),
  );
}

/** An RRset that someone else changed: as it was known, and as it is stored. */
export interface ChangedSet extends Pick<ZoneRecord, "owner" | "type"> {
  readonly before: readonly ZoneRecord[];
  readonly now: readonly ZoneRecord[];
}

/** RRsets that are not as a refused write requires them. */
export function setsChangedError(sets: readonly ChangedSet[]): ProblemError {
  return new ProblemError(
    sets.map((set) =>
      problem("live-changed", escapeControl(changedSetText(set)), {
        fix: "It was left unchanged. Run plan again and review the new plan.",
      }),
    ),
  );
}

function changedSetText({ owner, type, before, now }: ChangedSet): string {
  const [was, is] = [valuesText(before, now), valuesText(now, before)];
  const head = `${owner} ${type} was ${before.length === 0 ? "created" : now.length === 0 ? "deleted" : "changed"} by someone else after the plan was made`;
  if (before.length === 0) return `${head}: it is ${is}`;
  return now.length === 0 ? `${head}: it was ${was}` : `${head}: it was ${was}, and is ${is} now`;
}

const mostValues = 8;

/** The values of a set, those that another one lacks first, and the TTLs if nothing else differs. */
function valuesText(records: readonly ZoneRecord[], others: readonly ZoneRecord[]): string {
  const keys = new Set(others.map(recordKeyOf));
  const isShared = (record: ZoneRecord) => keys.has(recordKeyOf(record));
  const hasTtls = records.length === others.length && records.every(isShared);
  const textsOf = (some: readonly ZoneRecord[]) =>
    some.map((record) => `${hasTtls ? `${record.ttl} ` : ""}${rdataText(record)}`).sort();
  const texts = [...textsOf(records.filter((one) => !isShared(one))), ...textsOf(records.filter(isShared))];
  const more = texts.length - mostValues;
  return more > 0 ? `${texts.slice(0, mostValues).join(", ")} and ${more} more` : texts.join(", ");
}

/** A zone that the plan creates and that exists already. */
export function domainCreatedError(domain: string, id: Id): ProblemError {
  return problemError(
    "live-changed",
    `${escapeControl(domain)} was created by someone else after the plan was made, as domain ${id}`,
    {
      fix: "Nothing was written to it. If another apply is running, wait until it ends. Then run plan again.",
    },
  );
}

/**
 * A zone that left the account, or the name server, during the run. Writes that could not be reverted remain in the
 * zone, and only its new owner can revert them.
 */
export function zoneGoneError({ capabilities }: Pick<Target, "capabilities">, id: Id, error: unknown): ProblemError {
  const [summary, fix] =
    capabilities.ids === "content"
      ? ["the zone does not exist any more: it was deleted during the run", "The next plan creates it again."]
      : [
          `domain ${id} is no longer in this account: it was deleted, or transferred to another account`,
          "If another account has it now, move its zone file to the repository of that account. If it was deleted, the next plan creates it again.",
        ];
  const left = problemsOf(error).filter((one) => one.id === "restore-failed");
  const restore = "The account that has the domain now has to restore it: until then lookups of the name may fail.";
  const problems = left.map((one) => ({ ...one, fix: restore }));
  return new ProblemError([problem("zone-gone", summary, { fix }), ...problems], { cause: error });
}

export function dependencyFailedError(summary: string): ProblemError {
  const fix = "Fix the error that stopped it.";
  return problemError("dependency-failed", summary, { fix });
}

/** Owner name, type and RDATA, for messages. */
export function recordText(record: ZoneRecord): string {
  return escapeControl(`${record.owner} ${record.type} ${rdataText(record)}`);
}

export function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof ProblemError) return error.problems;
  return [problem("unexpected", messageOf(error))];
}

/** The message of an error, without control characters outside steps. */
export function messageOf(error: unknown): Fix {
  const words = error instanceof ProblemError ? error.words : error instanceof Error ? error.message : String(error);
  return typeof words === "string" ? escapeControl(words) : words;
}

/** The message of an error for the journal and events, in the words of the command line, whose users read them. */
export function messageText(error: unknown): string {
  return adviceText(messageOf(error), "cli");
}
