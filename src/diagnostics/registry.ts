import type { Fix } from "./advice.ts";
import { api } from "./ids/api.ts";
import { dns } from "./ids/dns.ts";
import type { Entries, Example, ProblemKind, Severity } from "./ids/entry.ts";
import { github } from "./ids/github.ts";
import { practice } from "./ids/practice.ts";
import { project } from "./ids/project.ts";
import { reading } from "./ids/reading.ts";
import { service } from "./ids/service.ts";

const sets = { api, dns, practice, reading, project, service, github };

/** The sets that ids are registered in; the first three are rules about zones. */
export type ProblemSet = keyof typeof sets;

/** The id of a rule about zones. */
export type RuleId = keyof typeof api | keyof typeof dns | keyof typeof practice;

/** The stable id of a problem, which users see in brackets, look up with `zonewright explain` and configure. */
export type ProblemId =
  | RuleId
  | keyof typeof reading
  | keyof typeof project
  | keyof typeof service
  | keyof typeof github;

/** The entry of an id. */
export interface RegisteredProblem<Id extends ProblemId = ProblemId> {
  readonly id: Id;
  readonly set: ProblemSet;
  readonly kind: ProblemKind;
  /** Default severity. */
  readonly severity: Severity;
  /** Why the rule exists, in one or two sentences, with the RFC where one is the source. */
  readonly why: Fix;
  /** The source of a limit of the API. */
  readonly source?: string;
  readonly example?: Example;
}

/** Every problem that can be reported, by id. */
export const registry: { readonly [Id in ProblemId]: RegisteredProblem<Id> } = Object.fromEntries(
  Object.entries(sets).flatMap(([set, entries]) =>
    Object.entries(entries as Entries).map(([id, entry]) => [
      id,
      { id, set, kind: "input", severity: "error", ...entry },
    ]),
  ),
) as never;

/** Present ids, by those that they had before version 0.2. */
export const renamedIds: ReadonlyMap<string, ProblemId> = new Map([
  ["ack-ended", "ack-expired"],
  ["ack-useless", "ack-unused"],
  ["drift-base", "drift-snapshot"],
  ["file-passed-over", "file-skipped"],
  ["fmt-left-alone", "fmt-skipped"],
  ["guard-held", "guard-blocked"],
  ["ignore-ended", "ignore-expired"],
  ["not-put-back", "restore-failed"],
  ["too-many-faults", "too-many-errors"],
  ["transfer/cut", "transfer/incomplete"],
  ["type-not-held", "type-unsupported"],
  ["undo-left", "undo-skipped"],
  ["waits-in-vain", "dependency-failed"],
]);

/** Every id, in the order of the registry. */
export const problemIds = Object.keys(registry) as readonly ProblemId[];

export function isProblemId(text: string): text is ProblemId {
  return Object.hasOwn(registry, text);
}
