import { nearest } from "../../diagnostics/nearest.ts";
import { type Place, type Problem, problem } from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import type { SourceText } from "../../diagnostics/source-text.ts";
import { Fault } from "../../dns/fault.ts";
import type { Name } from "../../dns/name.ts";
import { Faults, mostFaults } from "../faults.ts";
import { type About, headline } from "../headline.ts";
import type { YamlEntry } from "./tree.ts";

/** What there is to say of a YAML zone, each thing once: what an anchor holds is read again at each alias. */
export class YamlFaults {
  readonly #faults: Faults;
  readonly #said = new Set<string>();

  /** The zone that messages name owners in. */
  zone: Name;

  constructor(source: SourceText, zone: Name) {
    this.zone = zone;
    this.#faults = new Faults(() => source.place(source.text.length));
  }

  get list(): Faults["list"] {
    return this.#faults.list;
  }

  /** `summary`: the headline where it names whose record it is, which differs from alias to alias. */
  say(found: Problem, summary = found.summary): void {
    const key = JSON.stringify({ ...found, owner: undefined });
    if (!this.#said.has(key)) this.#faults.say({ ...found, summary });
    if (this.#said.size < mostFaults) this.#said.add(key);
  }

  error(id: ProblemId, summary: string, place: Place, fix?: string, about: About = {}): void {
    const found = problem(id, summary, { place, fix });
    this.say(found, headline(summary, this.zone, about));
  }

  /** What the action gives; undefined where it throws a fault, which then is said. */
  attempt<T>(at: Place, action: () => T, about: About = {}): T | undefined {
    try {
      return action();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.error(error.problem.id, error.message, at, error.problem.fix, about);
      return undefined;
    }
  }

  unknownKey({ key, keyAt }: YamlEntry, known: readonly string[], where: string, about: About = {}): void {
    const near = nearest(key, known);
    const fix = near ? `Did you mean ${near}?` : `Known keys: ${known.join(", ")}.`;
    this.error("unknown-key", `${key === "" ? '""' : key} is no key of ${where}`, keyAt, fix, about);
  }
}
