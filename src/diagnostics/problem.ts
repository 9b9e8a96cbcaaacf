import type { ProblemKind, Severity } from "./ids/entry.ts";
import { type ProblemId, registry } from "./registry.ts";

export type { Severity };

/**
 * A place in a text: `line` and `column` count from 1, `column` and `length` in characters; `file` as the user named
 * it.
 */
export interface Place {
  file: string;
  line: number;
  column: number;
  length: number;
}

/** A problem or a note, as it is reported to a person. */
export interface Problem {
  readonly id: ProblemId;
  readonly kind: ProblemKind;
  readonly severity: Severity;
  /** One line that is useful alone, without a final full stop. */
  readonly summary: string;
  /** Why, in sentences. */
  readonly detail?: string;
  /** The fix, in sentences. */
  readonly fix?: string;
  readonly place?: Place;
  /** The owner name that it is about, at which `lenient` in a zone file can lower its severity. */
  readonly owner?: string;
  /** The places that include the file of `place`, the nearest first. */
  readonly via?: readonly Place[];
}

/** The parts of a problem that are not in the registry; `severity` if it is not the default. */
type Details = { readonly [Key in Exclude<keyof Problem, "id" | "kind" | "summary">]?: Problem[Key] | undefined };

/** Creates a problem with the kind and, unless given, the severity of the registry. */
export function problem(id: ProblemId, summary: string, details: Details = {}): Problem {
  const { kind, severity } = registry[id];
  const made: Record<string, unknown> = { id, kind, severity, summary };
  for (const [key, value] of Object.entries(details)) if (value !== undefined) made[key] = value;
  return made as unknown as Problem;
}

export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some(({ severity }) => severity === "error");
}

/** An error whose problems explain it to the user, so that its stack is not printed. */
export class ProblemError extends Error {
  readonly problems: readonly Problem[];

  /** The first problem; most errors have no other. */
  get problem(): Problem {
    return this.problems[0] as Problem;
  }

  constructor(problems: Problem | readonly Problem[], options?: ErrorOptions) {
    const all = "id" in problems ? [problems] : problems;
    super(all.map(({ summary }) => summary).join("\n"), options);
    this.name = "ProblemError";
    this.problems = all;
  }
}

/** The error of a command line that cannot be run. */
export function usageError(summary: string): ProblemError {
  return new ProblemError(problem("usage", summary));
}
