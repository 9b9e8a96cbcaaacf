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
  /** The name in a zone that it is about: there a zone file can excuse it. */
  readonly owner?: string;
  /** The places that include the file of `place`, the nearest first. */
  readonly via?: readonly Place[];
}

/** The parts of a problem that the registry does not know; `severity` where it is not the usual one. */
type Details = { readonly [Key in Exclude<keyof Problem, "id" | "kind" | "summary">]?: Problem[Key] | undefined };

/** Makes a problem. Its kind, and its severity unless given, are those of the registry. */
export function problem(id: ProblemId, summary: string, details: Details = {}): Problem {
  const { kind, severity } = registry[id];
  const made: Record<string, unknown> = { id, kind, severity, summary };
  for (const [key, value] of Object.entries(details)) if (value !== undefined) made[key] = value;
  return made as unknown as Problem;
}

export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some(({ severity }) => severity === "error");
}

/** A known failure: its problems say it all to a person, its stack is of no use to them. */
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
