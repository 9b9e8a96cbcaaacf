import type { Diagnostic, Place } from "../../diagnostics/diagnostic.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import type { SourceText } from "../../diagnostics/source-text.ts";
import { Fault } from "../../zone/fault.ts";
import { Faults, mostFaults } from "../faults.ts";
import { isOctodns } from "./cures.ts";
import type { YamlEntry } from "./tree.ts";

/** What there is to say of a YAML zone, each thing once: what an anchor holds is read again at each alias. */
export class YamlFaults {
  readonly #faults: Faults;
  readonly #said = new Set<string>();

  constructor(source: SourceText) {
    this.#faults = new Faults(() => source.place(source.text.length));
  }

  get list(): Faults["list"] {
    return this.#faults.list;
  }

  say(diagnostic: Diagnostic): void {
    const key = JSON.stringify({ ...diagnostic, owner: undefined });
    if (!this.#said.has(key)) this.#faults.say(diagnostic);
    if (this.#said.size < mostFaults) this.#said.add(key);
  }

  error(rule: string, summary: string, at: Place, fix?: string): void {
    this.say({ severity: "error", rule, summary, at, ...(fix !== undefined && { fix }) });
  }

  /** What the action gives; undefined where it throws a fault, which then is said. */
  attempt<T>(at: Place, action: () => T): T | undefined {
    try {
      return action();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.error(error.rule, error.message, at, error.fix);
      return undefined;
    }
  }

  unknownKey({ key, keyAt, value }: YamlEntry, known: readonly string[], where: string): void {
    const near = nearest(key, known);
    const fix = isOctodns(value)
      ? "A folder of octoDNS files is named with format: octodns in zonewright.yaml."
      : near
        ? `Did you mean ${near}?`
        : `Known keys: ${known.join(", ")}.`;
    this.error("unknown-key", `${key === "" ? '""' : key} is no key of ${where}`, keyAt, fix);
  }
}
