import type { SourceText } from "../../diagnostics/source-text.ts";
import { type Name, root } from "../../dns/name/name.ts";
import type { OwnerTable } from "../../dns/name/owner-table.ts";
import { parseRdata } from "../../dns/rdata/record-type.ts";
import type { RecordReader } from "../../dns/zone/record-table.ts";
import type { ZoneRecord } from "../../dns/zone/zone.ts";
import { isBlank, Scanner } from "../kit/scan.ts";
import { readRecordHead } from "./head.ts";

/** Text and origin that entries share until the next `$ORIGIN`. */
export class EntryContext implements RecordReader {
  readonly source: SourceText;
  readonly origin: Name;
  /** Numbers of the text in the table of owners, as one of relative and of absolute names. */
  readonly relative: number;
  readonly absolute: number;
  #scanner: Scanner | undefined;

  constructor(source: SourceText, origin: Name, owners: OwnerTable) {
    this.source = source;
    this.origin = origin;
    this.relative = owners.addText(source, origin === root ? "." : `.${origin}`);
    this.absolute = owners.addText(source, "");
  }

  /** Reads the valid record whose first token is at `start`, with no parenthesis before it. */
  read(start: number): Pick<ZoneRecord, "type" | "data"> & { readonly end: number } {
    this.#scanner ??= new Scanner(this.source.text);
    this.#scanner.moveTo(start);
    this.#scanner.next();
    const { table } = this.#scanner;
    table.origin = this.origin;
    const inheritsOwner = isBlank(table.text.charCodeAt(start - 1));
    table.next = inheritsOwner ? 0 : 1;
    const { type } = readRecordHead(table);
    return { type: type.type, data: parseRdata(type, table), end: table.endOf(table.count - 1) };
  }
}
