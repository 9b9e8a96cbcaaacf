import { Fault } from "./fault.ts";
import type { Field, SpellName } from "./field.ts";
import type { Name } from "./name.ts";
import type { TokenTable } from "./token-table.ts";

/** RDATA of some type: plain values under the API's field names. */
export type Rdata = Readonly<Record<string, unknown>>;

/** What the toolkit knows of one record type: its fields, in RDATA order. Shared code never asks which type it holds. */
export interface RecordType {
  readonly type: string;
  readonly code: number;
  readonly fields: readonly Field[];
}

interface FieldOf<T> extends Omit<Field<T>, "name" | "kind" | "default"> {
  readonly kind: Field<T>["kind"];
  readonly default?: T;
}

/** Declares a record type; the keys of `fields` are the keys of its data. */
export function recordType<T extends object>(type: {
  type: string;
  code: number;
  fields: { [K in keyof T]: FieldOf<T[K]> };
}): RecordType {
  const fields = Object.entries(type.fields).map(([name, field]) => ({ name, ...(field as FieldOf<unknown>) }));
  return { ...type, fields: fields as unknown as Field[] };
}

/**
 * Reads RDATA from tokens, all of them.
 * @throws {Fault} at the token before `tokens.next`, or at none when one is missing (`<type>-needs-<field>`).
 */
export function parseRdata(type: RecordType, tokens: TokenTable): Rdata {
  const data: Record<string, unknown> = {};
  for (const field of type.fields) {
    if (tokens.isAtEnd) throw missing(type, field);
    try {
      data[field.name] = field.kind.read(tokens, field.name);
    } catch (error) {
      throw isLeftOut(type, field, tokens) ? missing(type, field) : error;
    }
  }
  if (!tokens.isAtEnd) {
    tokens.next++;
    throw new Fault(
      "rdata-extra",
      `${type.type} data has more parts than the type takes`,
      "Remove it, or quote text with spaces.",
    );
  }
  return data;
}

/** Does another word stand where a number or a mnemonic should, because that is not there at all? */
function isLeftOut(type: RecordType, field: Field, tokens: TokenTable): boolean {
  const at = tokens.next - 1;
  const isShort = tokens.count - at < type.fields.length - type.fields.indexOf(field);
  const word = tokens.text.slice(tokens.starts[at], tokens.ends[at]);
  return isShort && (field.kind.json !== "integer" || !/\d/.test(word));
}

/** The fault of a record that lacks a field. */
export function missing({ type }: RecordType, { name, about, example }: Field): Fault {
  const article = /^[AMNS]/.test(type) && type !== "NAPTR" ? "An" : "A";
  return new Fault(
    `${type.toLowerCase()}-needs-${name}`,
    `${type} record has no ${name}`,
    `${article} ${type} record names ${about}. Add ${name}, for example ${example.replace(/\.$/, "")}.`,
  );
}

/** RDATA as master files write it. */
export function formatRdata(type: RecordType, data: Rdata, spell: SpellName): string {
  return type.fields.map((field) => field.kind.format(data[field.name], spell)).join(" ");
}

/** The names that the data points to. */
export function targetsOf(type: RecordType, data: Rdata): Name[] {
  return type.fields.filter(({ isTarget }) => isTarget).map(({ name }) => data[name] as Name);
}
