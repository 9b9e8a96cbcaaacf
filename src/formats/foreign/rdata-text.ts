import { Fault } from "../../dns/fault.ts";
import type { Name } from "../../dns/name.ts";
import { checkStrings } from "../../dns/rdata/field.ts";
import { parseRdata, type Rdata, type RecordType } from "../../dns/rdata/record-type.ts";
import { splitText, toOctets } from "../../dns/text.ts";
import { Scanner } from "../kit/scan.ts";

/**
 * Reads RDATA in the syntax of zone files. Without an origin its names are absolute, and their final dot may be
 * missing.
 * @throws {Fault} without a place
 */
export function readRdataText(type: RecordType, text: string, origin?: Name): Rdata {
  const scanner = new Scanner(toOctets(text));
  if (!scanner.next() && !type.fields.every(({ kind }) => kind.mayBeEmpty))
    throw new Fault("value-missing", `the ${type.type} record has no value`);
  if (origin !== undefined) scanner.table.origin = origin;
  const data = parseRdata(type, scanner.table);
  if (scanner.next()) throw new Fault("rdata-extra", "the value has extra words");
  return data;
}

/** The data of a type that consists of texts, such as TXT, from one text. @throws {Fault} without a place */
export function readTextData(text: string): Rdata {
  return { strings: checkStrings(splitText(toOctets(text))) };
}

/** Whether a type such as TXT consists of texts only. */
export function isTextType({ fields }: RecordType): boolean {
  return fields.length === 1 && fields[0]?.kind.json === "texts";
}

/** A text in quotes, for RDATA in the syntax of zone files. */
export function quoteText(text: string): string {
  return `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}
