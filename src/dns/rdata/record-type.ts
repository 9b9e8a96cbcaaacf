import { Fault } from "../name/fault.ts";
import { asName, looksAbsolute, type Name, root, withoutDot } from "../name/name.ts";
import { fromOctets } from "../name/text.ts";
import { type Field, mnemonicWord, type SpellName } from "./field.ts";
import type { OctetLine } from "./octet-line.ts";
import type { TokenTable } from "./token-table.ts";
import { typeCode } from "./type-codes.ts";
import { WireReader } from "./wire-reader.ts";
import type { WireWriter } from "./wire-writer.ts";

/** RDATA of a type known at run time only: an object with the RFC's field names, which `readField` reads. */
export type Rdata = object;

/** A record type: its fields, in RDATA order. Shared code does not depend on the type. */
export interface RecordType<Data extends object = Rdata> {
  readonly type: string;
  /** The mnemonic of a draft by which it was found, for messages. */
  readonly mnemonic?: string;
  readonly code: number;
  readonly fields: readonly Field[];
  /** The fields that are names to which the record points. */
  readonly targets: readonly Field[];
  /** Fields of the API's object that are the first labels of the owner, without the underscore. */
  readonly ownerFields?: readonly string[];
  /** Checks conditions across fields. @throws {Fault} */
  check?(data: Data): void;
}

interface FieldOf<T> extends Omit<Field<T>, "name" | "kind" | "default"> {
  readonly kind: Field<T>["kind"];
  readonly default?: T;
}

/**
 * Declares a record type; the keys of `fields` are the keys of its data, and the code is by default that of
 * `type-codes.ts`.
 */
export function recordType<T extends object>(type: {
  type: string;
  code?: number;
  fields: { [K in keyof T]: FieldOf<T[K]> };
  ownerFields?: readonly string[];
  check?: (data: T) => void;
}): RecordType<Readonly<T>> {
  const fields = Object.entries(type.fields).map(([name, field]) => ({ name, ...(field as FieldOf<unknown>) }));
  const code = type.code ?? typeCode(type.type);
  if (code === undefined) throw new Error(`no code for the record type ${type.type}`);
  const targets = fields.filter(({ isTarget }) => isTarget);
  return { ...type, code, fields, targets } as unknown as RecordType<Readonly<T>>;
}

/**
 * Reads RDATA from tokens, all of them.
 * @throws {Fault} at the token before `tokens.next`, or at none when one is missing (`field-missing`). `nameOf` names
 *   the fields in it.
 */
export function parseRdata<Data extends object>(
  type: RecordType<Data>,
  tokens: TokenTable,
  nameOf: NameField = rfcName,
): Data {
  if (tokens.isUnknownForm) return decodeRdata(type, WireReader.ofData(readOctets(tokens)));
  const first = tokens.next;
  const values: Record<string, unknown> = {};
  for (const field of type.fields) {
    if (tokens.isAtEnd && !field.kind.mayBeEmpty) throw missingField(type, field, nameOf);
    try {
      values[field.name] = field.kind.read(tokens, nameOf(field));
    } catch (error) {
      if (isLeftOut(type, field, tokens)) throw missingField(type, field, nameOf);
      throw findDisorder(type, tokens, first, nameOf) ?? error;
    }
  }
  if (!tokens.isAtEnd) {
    tokens.next++;
    throw new Fault(
      "rdata-extra",
      `${type.type} record has too many fields`,
      "Remove the extra fields, or put text with spaces in quotes.",
    );
  }
  return checkData(type, values);
}

function checkData<Data extends object>(type: RecordType<Data>, values: object): Data {
  const data = values as Data;
  type.check?.(data);
  return data;
}

/** Whether a word of another field is in the place of a number or mnemonic because that was omitted. */
function isLeftOut({ fields }: Pick<RecordType, "fields">, field: Field, tokens: TokenTable): boolean {
  const at = tokens.next - 1;
  const left = fields.slice(fields.indexOf(field));
  const isNumber = field.kind.json === "integer";
  const needed = isNumber ? left.length : left.filter(({ kind }) => !kind.mayBeEmpty).length;
  const word = tokens.text.slice(tokens.starts[at], tokens.ends[at]);
  return tokens.count - at < needed && !(isNumber && /\d/.test(word));
}

/**
 * The fault of a record with a word in the place of a number, and a number in that of a later name or mnemonic. The
 * advice is the right form if the order of the others is clear: the target before its numbers, as in
 * `MX mail.example.net. 10`.
 */
function findDisorder(
  { type, fields }: Pick<RecordType, "type" | "fields">,
  tokens: TokenTable,
  first: number,
  nameOf: NameField,
): Fault | undefined {
  if (tokens.count - first !== fields.length) return undefined;
  const words = fields.map((_, index) => tokens.text.slice(tokens.starts[first + index], tokens.ends[first + index]));
  const at = tokens.next - 1 - first;
  const isOfWord = ({ kind, isTarget }: Field) => isTarget || kind === mnemonicWord;
  if (fields[at]?.kind.json !== "integer" || /^[-+]?\d+$/.test(words[at] ?? "")) return undefined;
  if (!fields.some((field, index) => index > at && isOfWord(field) && isNumeric(words[index]))) return undefined;
  const [target = "", ...written] = words;
  const numbers = fields.slice(0, -1);
  const last = fields.at(-1);
  if (!last?.isTarget || at > 0 || !written.every(isNumeric)) {
    if (nameOf !== rfcName) return undefined;
    const form = `\`${fields.map(nameOf).join(" ")}\`, for example \`${fields.map(({ example }) => example).join(" ")}\``;
    return new Fault("rdata-order", `the fields of the ${type} record are in the wrong order`, `Write ${form}.`);
  }
  const isTooLarge = (number = "") => Number(number) > 65535;
  const advised = numbers.map(({ example }, index) => (isTooLarge(written[index]) ? example : written[index]));
  const isDotless = looksAbsolute(target) && tokens.origin !== root;
  const host = isDotless ? `${target}.` : target;
  const named = [...numbers.map((field, index) => `${nameOf(field)}: ${advised[index]}`), `${nameOf(last)}: ${host}`];
  const form = nameOf === rfcName ? [...advised, host].join(" ") : `{ ${named.join(", ")} }`;
  const summary = `the target of the ${type} record comes before its number${numbers.length > 1 ? "s" : ""}`;
  const replaced = adviseNumbers(written.filter(isTooLarge));
  const dot = isDotless ? ` Without the final dot, the name is relative to ${withoutDot(tokens.origin)}.` : "";
  return new Fault("rdata-order", summary, fromOctets(`Write \`${form}\`${replaced}.${dot}`));
}

/** The clause about numbers that the advice replaces by examples. */
function adviseNumbers(tooLarge: readonly string[]): string {
  if (tooLarge.length === 0) return "";
  const [others, are] = tooLarge.length > 1 ? ["other numbers", "are"] : ["another number", "is"];
  return `, or ${others} that you mean: ${tooLarge.join(" and ")} ${are} too large`;
}

function isNumeric(word = ""): boolean {
  return /^\d+$/.test(word);
}

/**
 * Skips the rest of a line if it is certainly valid RDATA of this type, without creating data. False means unknown:
 * `parseRdata` decides.
 */
export function takeRdata({ fields, check }: RecordType, line: OctetLine): boolean {
  if (check) return false;
  for (const { kind } of fields) if (!line.toWord() || !kind.take?.(line)) return false;
  return true;
}

/** Reads octets in the generic form: `\\#`, their number, and their hexadecimal digits (RFC 3597 §5). */
export function readOctets(tokens: TokenTable): string {
  tokens.next++;
  const length = tokens.isAtEnd ? "" : tokens.unquoted("the length");
  let digits = "";
  while (!tokens.isAtEnd) digits += tokens.unquoted("the data");
  if (
    !/^\d{1,5}$/.test(length) ||
    Number(length) > 65535 ||
    digits.length !== Number(length) * 2 ||
    !/^[0-9a-fA-F]*$/.test(digits)
  ) {
    const all = /^\d+$/.test(length) && digits !== "" ? digits : length + digits;
    const isHex = /^(?:[0-9a-fA-F]{2})+$/.test(all) && all.length <= 131_070;
    const right = isHex ? `\\# ${all.length / 2} ${all.toLowerCase()}` : "\\# 4 0a000001";
    throw new Fault(
      "rdata-wire",
      "the RDATA is not a length and that many octets",
      `Write "${right}": the number of octets, then two hexadecimal digits for each.`,
    );
  }
  return Buffer.from(digits, "hex").toString("latin1");
}

/** Writes octets in the generic form. */
export function octetsForm(octets: string): string {
  const digits = Buffer.from(octets, "latin1").toString("hex").toUpperCase();
  return digits === "" ? "\\# 0" : `\\# ${octets.length} ${digits}`;
}

/**
 * Reads RDATA from the octets of the wire, all of them.
 * @throws {Fault} `rdata-wire` for octets that are invalid for the type; other ids for values without a valid text
 * form.
 */
export function decodeRdata<Data extends object>(type: RecordType<Data>, wire: WireReader): Data {
  const values: Record<string, unknown> = {};
  for (const { name, kind } of type.fields) values[name] = kind.decode(wire);
  if (!wire.isAtEnd)
    throw new Fault(
      "rdata-wire",
      `the RDATA is longer than that of ${articleOf(type.type)} ${type.type} record`,
      "Check the octets after \\#.",
    );
  return checkData(type, values);
}

/** The fault of a record without a required field. */
export function missingField(
  { fields, ...found }: Pick<RecordType, "type" | "mnemonic" | "fields">,
  field: Field,
  nameOf: NameField,
): Fault {
  const type = displayTypeOf(found);
  const names = fields.map(nameOf).join(" ");
  const example = fields.map(({ example }) => example).join(" ");
  return new Fault(
    "field-missing",
    `${type} record has no ${fields.length === 1 ? "RDATA" : nameOf(field)}`,
    `${articleOf(type) === "an" ? "An" : "A"} ${type} record is \`${names}\`, for example \`${example}\`.`,
  );
}

/** Types are spelled letter by letter unless they contain a vowel: an MX, an SRV, a LOC. */
function articleOf(type: string): "a" | "an" {
  return /^(?:[AEIO]|[FHLMNRSX](?![AEIOU])|SOA$)/.test(type) ? "an" : "a";
}

/** The type in messages: in the word of the author. */
export function displayTypeOf({ type, mnemonic }: Pick<RecordType, "type" | "mnemonic">): string {
  return mnemonic ?? type;
}

/** Names a field in messages. */
export type NameField = (field: Field) => string;

/** The name in the RFC, for zone files. */
const rfcName: NameField = ({ name }) => name;

/** The name in YAML objects: the API's, or else the RFC's. */
export function displayNameOf({ name, apiName }: Field): string {
  return apiName ?? name;
}

/** The value of one field. */
export function readField(data: Rdata, { name }: Pick<Field, "name">): unknown {
  return (data as Readonly<Record<string, unknown>>)[name];
}

/** RDATA in zone file syntax. `spell` is not called for fields whose `letters` are among those that are kept. */
export function formatRdata(
  type: RecordType,
  data: Rdata,
  spell: SpellName,
  kept: readonly Field["letters"][] = [],
): string {
  let text = "";
  for (const field of type.fields) {
    const isKept = field.letters !== undefined && kept.includes(field.letters);
    const part = field.kind.format(readField(data, field), isKept ? asItIs : spell);
    if (part !== "") text = text === "" ? part : `${text} ${part}`;
  }
  return text;
}

function asItIs(name: Name): string {
  return name;
}

/** Writes RDATA in wire format. */
export function encodeRdata(type: RecordType, data: Rdata, wire: WireWriter): void {
  for (const field of type.fields) field.kind.encode(readField(data, field), wire);
}

/** The names that the data points to. */
export function targetsOf(type: RecordType, data: Rdata): Name[] {
  return type.targets.map((field) => asName(String(readField(data, field))));
}
