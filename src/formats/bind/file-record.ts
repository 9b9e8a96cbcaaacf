import type { SourceText } from "../../diagnostics/source-text.ts";
import type { Name } from "../../dns/name.ts";
import { parseRdata, type Rdata } from "../../dns/rdata/record-type.ts";
import type { TokenTable } from "../../dns/rdata/token-table.ts";
import type { ZoneRecord } from "../../dns/zone.ts";
import { isBlank, Scanner } from "../kit/scan.ts";
import { readHead } from "./head.ts";

/** Text and origin that entries share until the next `$ORIGIN`. */
export class EntryContext {
  readonly source: SourceText;
  readonly origin: Name;
  readonly #scanner: Scanner;

  constructor(source: SourceText, origin: Name) {
    this.source = source;
    this.origin = origin;
    this.#scanner = new Scanner(source.text);
  }

  /** The tokens of the entry whose first one is at `start`, with no parenthesis before it. */
  tokens(start: number): TokenTable {
    this.#scanner.moveTo(start);
    this.#scanner.next();
    const { table } = this.#scanner;
    table.origin = this.origin;
    return table;
  }
}

/**
 * A record whose RDATA was validated when the file was read, but is parsed only on first use, like its end: objects and
 * fields are the main cost of a million records.
 */
export class FileRecord implements ZoneRecord {
  readonly owner: Name;
  readonly type: string;
  readonly ttl: number | undefined;
  readonly start: number;
  readonly #context: EntryContext;
  #data: Rdata | undefined;

  constructor(owner: Name, type: string, ttl: number | undefined, start: number, surroundings: EntryContext) {
    this.owner = owner;
    this.type = type;
    this.ttl = ttl;
    this.start = start;
    this.#context = surroundings;
    this.#data = undefined;
  }

  get source(): SourceText {
    return this.#context.source;
  }

  get end(): number {
    const table = this.#context.tokens(this.start);
    return table.endOf(table.count - 1);
  }

  get data(): Rdata {
    this.#data ??= this.#read();
    return this.#data;
  }

  #read(): Rdata {
    const table = this.#context.tokens(this.start);
    const inheritsOwner = isBlank(table.text.charCodeAt(this.start - 1));
    if (!inheritsOwner) table.next++;
    return parseRdata(readHead(table).type, table);
  }
}
