/** A place in a text: `line` and `column` count from 1, `column` and `length` in characters; `file` as the user named it. */
export interface Place {
  file: string;
  line: number;
  column: number;
  length: number;
}

export type Severity = "error" | "warning" | "note";

/**
 * Something to say to a person. `rule` is a stable id; `summary` says what in one line without user data where it can;
 * `detail` says why; `fix` says what to do.
 */
export interface Diagnostic {
  severity: Severity;
  rule: string;
  summary: string;
  detail?: string;
  fix?: string;
  at?: Place;
  /** The name in a zone that it is about: there a zone file can excuse it. */
  owner?: string;
  /** The places that include the file of `at`, the nearest first. */
  via?: readonly Place[];
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === "error");
}

/** A known failure: its message is a sentence for a person, its stack is of no use to them. */
export class Refusal extends Error {
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(({ summary }) => summary).join("\n"));
    this.name = "Refusal";
    this.diagnostics = diagnostics;
  }
}
