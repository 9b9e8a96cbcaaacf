import { ProblemError, problemError } from "../../diagnostics/problem.ts";
import { Fault } from "../../dns/name/fault.ts";
import type { Name } from "../../dns/name/name.ts";
import { toOctets } from "../../dns/name/text.ts";
import type { Rdata, RecordType } from "../../dns/rdata/record-type.ts";
import type { DotlessTarget } from "../../dns/zone/zone.ts";
import { headline } from "../../formats/kit/headline.ts";
import { isTextType, readRdataText, readTextData } from "../../formats/kit/rdata-text.ts";
import { adviseStraightForm } from "../../formats/kit/straight-form.ts";

/** A value of the command line as RDATA. */
export interface GivenValue {
  /** As it was given. */
  readonly text: string;
  readonly data: Rdata;
  /** Whether it is a text without quotes, which a record may have in strings of other lengths. */
  readonly isText: boolean;
  /** Its relative names that look like absolute ones without their final dots. */
  readonly dotless: readonly Pick<DotlessTarget, "name" | "written">[];
  /** Its names that were converted from another script. */
  readonly converted: readonly { readonly written: string; readonly name: Name }[];
}

/** The record that values are for. */
interface ValuesOf {
  readonly owner: Name;
  readonly type: RecordType;
  readonly zone: Name;
}

/**
 * Reads values, each as in a BIND zone file of the zone. A value of a type such as TXT that does not start with a
 * quotation mark is the text itself. @throws {ProblemError} with the first fault, in terms of the record
 */
export function readValues(values: readonly string[], of: ValuesOf): readonly GivenValue[] {
  return values.map((value) => {
    try {
      return readValue(value, of);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const { owner, type, zone } = of;
      const { id, fix } = adviseStraightForm(error.problem, type, toOctets(value), zone);
      const summary = headline(error.message, zone, { owner, type: type.type, value });
      throw problemError(id, summary, { owner, fix: isOneValue(values, of) ? adviseQuotes(values) : fix });
    }
  });
}

function readValue(text: string, { type, zone }: ValuesOf): GivenValue {
  const isEmpty = text.trim() === "" && !type.fields.every(({ kind }) => kind.mayBeEmpty);
  if (isEmpty) throw new Fault("value-missing", "the value is empty", adviseEmpty(type));
  const none = { text, dotless: [], converted: [] };
  if (isTextType(type) && !/^\s*"/.test(text)) return { ...none, data: readTextData(text), isText: true };
  const dotless: GivenValue["dotless"][number][] = [];
  const converted: GivenValue["converted"][number][] = [];
  let hasComment = false;
  const data = readRdataText(type, text, {
    origin: zone,
    onDotless: (target) => dotless.push(target),
    onConverted: (written, name) => converted.push({ written, name }),
    onComment: () => {
      hasComment = true;
    },
  });
  if (hasComment)
    throw new Fault("rdata-extra", "a semicolon begins a comment", "Put a text with a semicolon in quotation marks.");
  return { text, data, isText: false, dotless, converted };
}

function adviseEmpty(type: RecordType): string {
  if (isTextType(type)) return `Write '""' for an empty text.`;
  return `Write a value, for example '${type.fields.map(({ example }) => example).join(" ")}'.`;
}

/** Whether the values are the words of one value, which a shell has split. */
function isOneValue(values: readonly string[], of: ValuesOf): boolean {
  if (values.length < 2) return false;
  try {
    readValue(values.join(" "), of);
    return true;
  } catch (error) {
    if (error instanceof ProblemError) return false;
    throw error;
  }
}

function adviseQuotes(values: readonly string[]): string {
  return `Each argument is one value. Put the words of one in quotes: '${values.join(" ")}'.`;
}
