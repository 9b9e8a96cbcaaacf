import { plain } from "../diagnostics/plain.ts";
import { type Problem, ProblemError, problem } from "../diagnostics/problem.ts";
import type { ZoneRecord } from "../dns/zone.ts";
import { rdataText } from "../dns/zone.ts";
import type { Id, TargetWrites } from "../targets/target.ts";

/** No zone can go on: the service is under maintenance, or the journal cannot be written. */
export function isForAll({ failureOf }: Pick<TargetWrites, "failureOf">, error: unknown): boolean {
  if (hasRule(error, "journal-write") || failureOf(error) === "unavailable") return true;
  return error instanceof Error && error.cause !== undefined && isForAll({ failureOf }, error.cause);
}

export function hasRule(error: unknown, wanted: string): boolean {
  return error instanceof ProblemError && error.problems.some(({ id }) => id === wanted);
}

/** What is said when a record, or a zone, is no longer what the plan was made from. */
export function changedMeanwhile(what: readonly string[]): ProblemError {
  return new ProblemError(
    what.map((text) =>
      problem("live-changed", `somebody else has changed or deleted ${text} since the plan was made`, {
        fix: "It was left as it is. Run plan again and look at what it says now.",
      }),
    ),
  );
}

/** The refusal of a zone that the plan creates and that is there by now. */
export function createdMeanwhile(domain: string, id: Id): ProblemError {
  return new ProblemError(
    problem(
      "live-changed",
      `${plain(domain)} was created by somebody else since the plan was made: it is domain ${id} now`,
      { fix: "Nothing was written to it. If another apply is running, wait until it is done; then run plan again." },
    ),
  );
}

export function waitsInVain(summary: string): ProblemError {
  const fix = "Cure what stopped it, then run apply again.";
  return new ProblemError(problem("waits-in-vain", summary, { fix }));
}

export function shown(record: ZoneRecord): string {
  return plain(`${record.owner} ${record.type} ${rdataText(record)}`);
}

/** An error as what there is to say of it. */
export function diagnosticsOf(error: unknown): readonly Problem[] {
  if (error instanceof ProblemError) return error.problems;
  return [problem("unexpected", messageOf(error))];
}

export function messageOf(error: unknown): string {
  return plain(error instanceof Error ? error.message : String(error));
}
