import type { Fix } from "../advice.ts";

export type Severity = "error" | "warning" | "note";

/**
 * The cause of a problem, which determines the exit code: `input`: the user's files or settings must change; `usage`:
 * the command line is invalid; `refused`: the plan no longer applies; `later`: the same call may succeed later;
 * `failed`: the disk, the network or the service failed.
 */
export type ProblemKind = "input" | "usage" | "refused" | "later" | "failed";

/**
 * Zone files of example.com, one that keeps a rule (`ok`) and one that breaks it (`ko`). YAML, unless `format` is set.
 */
export interface Example {
  readonly format?: "bind";
  readonly valid: string;
  readonly invalid: string;
}

/** One id of the registry. Defaults: severity `error`, kind `input`. */
interface Entry {
  readonly severity?: Severity;
  readonly kind?: ProblemKind;
  /** Why the rule exists, in one or two sentences, with the RFC where one is the source. */
  readonly why: Fix;
  /**
   * The source of a limit of the API: a section of docs/decisions, or `openapi.json`.
   */
  readonly source?: string;
  /** Omitted if it would fill pages. */
  readonly example?: Example;
}

export type Entries = Readonly<Record<string, Entry>>;
