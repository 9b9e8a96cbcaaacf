import { type Problem, problem } from "../../diagnostics/problem.ts";
import { type Name, shownName } from "../../dns/name/name.ts";
import { placeOf, rdataText, type Zone, type ZoneRecord } from "../../dns/zone/zone.ts";
import type { Setting } from "../../dns/zone/zone-settings.ts";
import { targetsKey } from "../kit/scope.ts";
import type { ReadResult, WriteOptions, ZoneFileBytes } from "../kit/source.ts";

/** The number of characters that messages show of RDATA. */
const longestData = 60;

/** A zone in the form of another program, and what that form does not contain. */
export interface WrittenZone {
  readonly text: string;
  /** `export-lost` and `export-changed`, for records. */
  readonly problems: readonly Problem[];
  /** Settings of the zone, and parts of its file, for which the form has no place. */
  readonly omitted: readonly string[];
}

/** A form of another program that is only written. */
export interface Exporter {
  readonly name: string;
  /** The extension of its files, with the dot. */
  readonly ending: string;
  write(zone: Zone, options: WriteOptions): WrittenZone;
  /** Reads a written file back, to check it. */
  read(file: ZoneFileBytes): ReadResult;
}

/** Collects the parts of a zone that the form of another program cannot contain. */
export class Losses {
  readonly problems: Problem[] = [];
  readonly omitted: string[] = [];
  readonly #program: string;
  readonly #zone: Name;

  /** `program` is its name in messages. */
  constructor(program: string, zone: Name) {
    this.#program = program;
    this.#zone = zone;
  }

  /** A record that is not written; `why` is a clause about the program. */
  lose(record: ZoneRecord, why: string, fix?: string): void {
    this.#add("export-lost", record, `not written: ${this.#program} ${why}`, fix);
  }

  /** A record that is written in another form; `how` is a clause about the program. */
  change(record: ZoneRecord, how: string): void {
    this.#add("export-changed", record, `${this.#program} ${how}`);
  }

  /** A whole zone that the program cannot use. */
  loseZone(why: string, fix: string): void {
    this.problems.push(
      problem("export-lost", `${shownName(this.#zone.slice(0, -1))}: ${this.#program} ${why}`, { fix }),
    );
  }

  /** Names what the zone and its file have of these settings, and of what configures only zonewright. */
  omitSettings(zone: Zone, settings: readonly Setting[]): void {
    const { manage, ignore = [] } = zone.scope ?? {};
    this.omitted.push(
      ...settings.map(({ name }) => name).filter((name) => zone.settings[name] !== undefined),
      ...(zone.targets ? [targetsKey] : []),
      ...(manage === undefined || manage === "all" ? [] : ["manage"]),
      ...(ignore.length > 0 ? ["ignore"] : []),
      ...(zone.excused && zone.excused.length > 0 ? ["lenient"] : []),
    );
  }

  #add(id: "export-lost" | "export-changed", record: ZoneRecord, message: string, fix?: string): void {
    const rdata = rdataText(record);
    const shown = rdata.length > longestData ? `${rdata.slice(0, longestData)}…` : rdata;
    const about = `${shownName(record.owner)} ${record.type} ${shown}`.trimEnd();
    this.problems.push(problem(id, `${about}: ${message}`, { place: placeOf(record), fix }));
  }
}
