import { Advice, adviceText, advise, type Door, type Fix } from "./advice.ts";
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
  /** The summary with its steps, if it names any; in `summary`, they have the words of the library. */
  readonly headline?: Advice;
  /** Why, in sentences. */
  readonly detail?: Fix;
  /** The fix, in sentences. */
  readonly fix?: Fix;
  readonly place?: Place;
  /** The owner name that it is about, at which `lenient` in a zone file can lower its severity. */
  readonly owner?: string;
  /** The places that include the file of `place`, the nearest first. */
  readonly via?: readonly Place[];
}

/** The parts of a problem that are not in the registry; `severity` if it is not the default. */
type Details = {
  readonly [Key in Exclude<keyof Problem, "id" | "kind" | "summary" | "headline">]?: Problem[Key] | undefined;
};

/** Creates a problem with the kind and, unless given, the severity of the registry. */
export function problem(id: ProblemId, summary: Fix, details: Details = {}): Problem {
  const { kind, severity } = registry[id];
  const made: Record<string, unknown> = { id, kind, severity, summary: `${summary}` };
  if (summary instanceof Advice) made.headline = summary;
  for (const [key, value] of Object.entries(details)) if (value !== undefined) made[key] = value;
  return made as unknown as Problem;
}

/** The summary of a problem in the words of a door. */
export function summaryText({ summary, headline }: Pick<Problem, "summary" | "headline">, door: Door): string {
  return adviceText(headline ?? summary, door);
}

/** The problem with text around its summary. */
export function aroundSummary(found: Problem, before: string, after = ""): Problem {
  const { summary, headline } = found;
  const text = { ...found, summary: before + summary + after };
  return headline === undefined ? text : { ...text, headline: advise`${before}${headline}${after}` };
}

/** A replacer of `JSON.stringify`: advice and the summaries of problems get the words of the command line. */
export function inCommandLineWords(this: unknown, key: string, value: unknown): unknown {
  const own = (this as Record<string, unknown>)[key];
  if (own instanceof Advice) return adviceText(own, "cli");
  if (!(typeof own === "object" && own !== null && "headline" in own && own.headline instanceof Advice)) return value;
  const { headline, ...rest } = own;
  return { ...rest, summary: headline };
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

  /** @internal The message, with steps as data. */
  get words(): Fix {
    const { headline } = this.problem;
    return this.problems.length === 1 && headline !== undefined ? headline : this.message;
  }

  constructor(problems: Problem | readonly Problem[], options?: ErrorOptions) {
    const all = "id" in problems ? [problems] : problems;
    super(all.map(({ summary }) => summary).join("\n"), options);
    this.name = "ProblemError";
    this.problems = all;
  }
}

/** The error of one problem. */
export function problemError(id: ProblemId, summary: Fix, details?: Details): ProblemError {
  return new ProblemError(problem(id, summary, details));
}

/** The error of a command line that cannot be run. */
export function usageError(summary: Fix): ProblemError {
  return problemError("usage", summary);
}
