import type { Place } from "../../diagnostics/problem.ts";
import { SourceText } from "../../diagnostics/source-text.ts";
import { Fault } from "../../dns/name/fault.ts";
import { type Name, readName } from "../../dns/name/name.ts";
import type { OwnerTable } from "../../dns/name/owner-table.ts";
import { OctetLine } from "../../dns/rdata/octet-line.ts";
import { isOfAbsence } from "../kit/faults.ts";
import type { ProblemSubject } from "../kit/headline.ts";
import { ScanFault, Scanner } from "../kit/scan.ts";
import { EntryContext } from "./entry-context.ts";
import { readRecordHead } from "./head.ts";
import type { TreeBuilder } from "./tree.ts";

/** A file to open, and the `$INCLUDE`s that lead to it, the nearest first. */
export interface FileToOpen {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly origin: Name;
  /** Equal for the same file under different names. */
  readonly identity: string;
  readonly via: readonly Place[];
  /** The file that includes this one. */
  readonly outer: OpenFile | undefined;
}

/**
 * The state of reading one file. An included file has its own, so that neither its origin nor its owner affects the
 * outer file.
 */
export class OpenFile {
  readonly source: SourceText;
  readonly scanner: Scanner;
  /** Reads ordinary lines; only up to the last line feed. */
  readonly line: OctetLine;
  readonly plainEnd: number;
  /** Undefined for a plain reading. */
  tree: TreeBuilder | undefined;
  readonly via: readonly Place[];
  readonly outer: OpenFile | undefined;
  readonly identity: string;
  surroundings: EntryContext;
  /** The owner read last, by its number; -1 if it was invalid, or before the first one. */
  ownerId: number;
  /** Its offsets. */
  ownerStart = 0;
  ownerEnd = 0;
  isOwnerGiven: boolean;
  readonly #owners: OwnerTable;
  readonly #contexts = new Map<Name, EntryContext>();

  constructor({ file, bytes, origin, identity, via, outer }: FileToOpen, owners: OwnerTable) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
    this.source = new SourceText(file, text, "latin1", via);
    this.scanner = new Scanner(text);
    this.identity = identity;
    this.via = via;
    this.outer = outer;
    this.line = new OctetLine(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length));
    this.plainEnd = bytes.lastIndexOf(10) + 1;
    this.#owners = owners;
    this.surroundings = this.#contextOf(origin);
    // An included file that starts with white space continues with the previous owner.
    this.ownerId = outer?.ownerId ?? -1;
    this.isOwnerGiven = outer?.isOwnerGiven ?? false;
  }

  /** Sets the origin of the relative names that follow. */
  setOrigin(origin: Name): void {
    this.surroundings = this.#contextOf(origin);
    this.ownerEnd = this.ownerStart;
  }

  #contextOf(origin: Name): EntryContext {
    const context = this.#contexts.get(origin) ?? new EntryContext(this.source, origin, this.#owners);
    this.#contexts.set(origin, context);
    return context;
  }

  /** Undefined if it was invalid, or before the first one. */
  get owner(): Name | undefined {
    return this.ownerId < 0 ? undefined : this.#owners.name(this.ownerId);
  }

  /** Sets the owner of the entries that follow, which stands at the offsets. */
  setOwner(id: number, start: number, end: number): void {
    this.ownerId = id;
    this.ownerStart = start;
    this.ownerEnd = end;
    this.isOwnerGiven = true;
  }

  /** Whether this file, or one that includes it, is being read. */
  isReading(identity: string): boolean {
    return this.identity === identity || (this.outer?.isReading(identity) ?? false);
  }

  place(token: number): Place {
    const { table } = this.scanner;
    return this.source.place(table.startOf(token), table.endOf(token));
  }

  /** The place of an error in the current entry: the token before `next`, or the whole entry if a token is missing. */
  placeOf(fault: Fault): Place {
    if (fault instanceof ScanFault) return this.source.place(fault.start, fault.end);
    const { table } = this.scanner;
    if (this.isOfWhole(fault)) return this.source.place(table.startOf(0), table.endOf(table.count - 1));
    return this.place(Math.min(table.next, table.count) - 1);
  }

  /** Whether the error concerns the whole entry rather than one of its tokens. */
  isOfWhole(fault: Fault): boolean {
    return this.scanner.table.next === 0 || isOfAbsence(fault.problem);
  }

  /** Owner and type of an entry that the scanner could not finish. */
  get begun(): ProblemSubject {
    const { table, startsBlank } = this.scanner;
    if (table.count === 0) return {};
    const { origin } = this.surroundings;
    try {
      table.next = startsBlank ? 0 : 1;
      const owner = startsBlank ? this.owner : readName(table.text.slice(table.starts[0], table.ends[0]), origin);
      return { owner, type: table.isAtEnd ? undefined : readRecordHead(table).type.type };
    } catch (error) {
      if (error instanceof Fault) return {};
      throw error;
    }
  }
}
