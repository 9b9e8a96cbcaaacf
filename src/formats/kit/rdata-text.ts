import { Fault } from "../../dns/name/fault.ts";
import type { Name } from "../../dns/name/name.ts";
import { fromOctets, splitText, toOctets } from "../../dns/name/text.ts";
import { checkStrings } from "../../dns/rdata/field.ts";
import { parseRdata, type Rdata, type RecordType } from "../../dns/rdata/record-type.ts";
import type { DotlessTarget } from "../../dns/zone/zone.ts";
import { Scanner } from "./scan.ts";

/** How names in RDATA are read. */
export interface NameReading {
  /** Without it they are absolute, and their final dot may be missing. */
  readonly origin?: Name;
  /** Called for relative names that look like absolute ones without their final dot. */
  readonly onDotless?: (target: Pick<DotlessTarget, "name" | "written">) => void;
  /** Called for names that are converted from another script. */
  readonly onConverted?: (written: string, name: Name) => void;
  /** Called for a comment, which is no part of the data. */
  readonly onComment?: () => void;
}

/**
 * Reads RDATA in the syntax of zone files.
 * @throws {Fault} without a place
 */
export function readRdataText(
  type: RecordType,
  text: string,
  { origin, onDotless, onConverted, onComment }: NameReading = {},
): Rdata {
  const scanner = new Scanner(toOctets(text));
  if (onComment) scanner.onComment = onComment;
  if (!scanner.next() && !type.fields.every(({ kind }) => kind.mayBeEmpty))
    throw new Fault("value-missing", `the ${type.type} record has no value`);
  if (origin !== undefined) scanner.table.origin = origin;
  const data = parseRdata(type, scanner.table);
  const { table } = scanner;
  const wordOf = (token: number) => table.text.slice(table.starts[token], table.ends[token]);
  for (const { name, token } of table.dotless) onDotless?.({ name, written: wordOf(token) });
  for (const { name, token } of table.converted) onConverted?.(fromOctets(wordOf(token)), name);
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
