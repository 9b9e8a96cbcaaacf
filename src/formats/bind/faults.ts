import { type Place, type Problem, problem } from "../../diagnostics/problem.ts";
import type { SourceText } from "../../diagnostics/source-text.ts";
import { Fault } from "../../dns/fault.ts";
import { mostFaults } from "../kit/faults.ts";

/**
 * What is wrong with a zone file and with what it includes, up to a bound. Reading stops there, so that there is more is
 * always an error: a zone that was read in part must not be used.
 */
export class Faults {
  readonly all: Problem[] = [];
  readonly #file: SourceText;
  /** Through which `$INCLUDE`s each included file was reached last, the nearest first. */
  readonly #vias = new Map<string, readonly Place[]>();

  constructor(file: SourceText) {
    this.#file = file;
  }

  /** There are more than are shown: no use in reading on. */
  get areTooMany(): boolean {
    return this.all.length > mostFaults;
  }

  /** From here on `file` is read because of these `$INCLUDE`s. */
  reached(file: string, via: readonly Place[]): void {
    this.#vias.set(file, via);
  }

  /** Takes back all but the first ones. */
  forgetFrom(index: number): void {
    if (!this.areTooMany) this.all.length = Math.min(index, this.all.length);
  }

  /** `via` where a file is being read that others include. */
  say(found: Problem, via: readonly Place[] = []): void {
    const { length } = this.all;
    const chain = via.length > 0 ? via : (this.#vias.get(found.place?.file ?? "") ?? []);
    if (length < mostFaults) this.all.push(chain.length > 0 ? { ...found, via: chain } : found);
    else if (length === mostFaults) this.all.push(problemAt(tooMany, this.#file.place(this.#file.text.length)));
  }
}

/** The problem of a fault, with its place. */
export function problemAt({ problem: found }: Fault, place: Place | undefined): Problem {
  return problem(found.id, found.summary, { place, fix: found.fix });
}

const tooMany = new Fault("too-many-faults", `only the first ${mostFaults} faults are shown`, "Mend these first.");
