import { type Place, type Problem, problem } from "../../diagnostics/problem.ts";
import type { SourceText } from "../../diagnostics/source-text.ts";
import { Fault } from "../../dns/name/fault.ts";
import { mostFaults } from "../kit/faults.ts";

/**
 * Problems of a zone file and of the files that it includes, up to a limit. Reading stops at the limit, so reaching it
 * is always an error: a zone that was read in part must not be used.
 */
export class ProblemList {
  readonly all: Problem[] = [];
  readonly #file: SourceText;
  /** The `$INCLUDE`s that last led to each included file, the nearest first. */
  readonly #vias = new Map<string, readonly Place[]>();

  constructor(file: SourceText) {
    this.#file = file;
  }

  /** Whether the limit is exceeded, so that reading may stop. */
  get areTooMany(): boolean {
    return this.all.length > mostFaults;
  }

  /** Sets the `$INCLUDE`s through which `file` is read from now on. */
  setVia(file: string, via: readonly Place[]): void {
    this.#vias.set(file, via);
  }

  /** Removes the problems from `index` on. */
  truncate(index: number): void {
    if (!this.areTooMany) this.all.length = Math.min(index, this.all.length);
  }

  /** Adds a problem; `via` are the `$INCLUDE`s of the file being read. */
  add(found: Problem, via: readonly Place[] = []): void {
    const { length } = this.all;
    const chain = via.length > 0 ? via : (this.#vias.get(found.place?.file ?? "") ?? []);
    if (length < mostFaults) this.all.push(chain.length > 0 ? { ...found, via: chain } : found);
    else if (length === mostFaults) this.all.push(problemAt(tooMany, this.#file.place(this.#file.text.length)));
  }
}

export function problemAt({ problem: found }: Fault, place: Place | undefined): Problem {
  return problem(found.id, found.summary, { place, fix: found.fix });
}

const tooMany = new Fault("too-many-errors", `only the first ${mostFaults} problems are shown`, "Fix these first.");
