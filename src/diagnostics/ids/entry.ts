import type { Severity } from "../problem.ts";

/**
 * What a problem means for the run, and so its exit code: `input`: something that the user gave has to change; `usage`:
 * the command line makes no sense; `refused`: the plan no longer fits; `later`: the same call may succeed later; `failed`:
 * the disk, the network or the service.
 */
export type ProblemKind = "input" | "usage" | "refused" | "later" | "failed";

/** Zone files of the zone example.com, in YAML unless `format` says otherwise: one that keeps a rule, one that breaks it. */
export interface Example {
  readonly format?: "bind";
  readonly ok: string;
  readonly ko: string;
}

/** One id of the registry: an error about the input unless it says otherwise. */
interface Entry {
  readonly severity?: Severity;
  readonly kind?: ProblemKind;
  /** The reason in a sentence, with its source. */
  readonly why: string;
  /** Left out where it would fill pages. */
  readonly example?: Example;
}

export type Entries = Readonly<Record<string, Entry>>;
