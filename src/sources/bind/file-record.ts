import type { SourceText } from "../../diagnostics/source-text.ts";
import type { Name } from "../../zone/name.ts";
import { parseRdata, type Rdata } from "../../zone/record-type.ts";
import { typeOf } from "../../zone/types/index.ts";
import type { ZoneRecord } from "../../zone/zone.ts";
import { Scanner } from "./scan.ts";

/** What entries share until the next `$ORIGIN`: the text that they stand in, and what their names are relative to. */
export class Surroundings {
  readonly source: SourceText;
  readonly origin: Name;
  readonly #scanner: Scanner;

  constructor(source: SourceText, origin: Name) {
    this.source = source;
    this.origin = origin;
    this.#scanner = new Scanner(source.text);
  }

  /** Reads the data of an entry that was checked before. `skip` tokens stand before it. */
  data(type: string, start: number, skip: number): Rdata {
    this.#scanner.moveTo(start);
    this.#scanner.next();
    const { table } = this.#scanner;
    table.next = skip;
    table.origin = this.origin;
    return parseRdata(typeOf(type), table);
  }
}

/**
 * A record of a master file. Its data was checked when the file was read and is made when somebody asks: what a million
 * records cost is the objects that they are made of.
 */
export class FileRecord implements ZoneRecord {
  readonly owner: Name;
  readonly type: string;
  readonly ttl: number | undefined;
  readonly start: number;
  readonly end: number;
  readonly #surroundings: Surroundings;
  readonly #skip: number;
  #data: Rdata | undefined;

  constructor(
    owner: Name,
    type: string,
    ttl: number | undefined,
    data: Rdata | undefined,
    surroundings: Surroundings,
    start: number,
    end: number,
    skip: number,
  ) {
    this.owner = owner;
    this.type = type;
    this.ttl = ttl;
    this.start = start;
    this.end = end;
    this.#surroundings = surroundings;
    this.#skip = skip;
    this.#data = data;
  }

  get source(): SourceText {
    return this.#surroundings.source;
  }

  get data(): Rdata {
    this.#data ??= this.#surroundings.data(this.type, this.start, this.#skip);
    return this.#data;
  }
}
