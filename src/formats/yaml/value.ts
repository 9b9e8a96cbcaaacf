import { nearest } from "../../diagnostics/nearest.ts";
import { type Place, type Problem, ProblemError } from "../../diagnostics/problem.ts";
import type { SourceText } from "../../diagnostics/source-text.ts";
import { Fault } from "../../dns/name/fault.ts";
import { labels, type Name, root } from "../../dns/name/name.ts";
import { fromOctets, splitText, toOctets } from "../../dns/name/text.ts";
import { checkStrings, type Field } from "../../dns/rdata/field.ts";
import {
  displayNameOf,
  missingField,
  type NameField,
  parseRdata,
  type Rdata,
  type RecordType,
} from "../../dns/rdata/record-type.ts";
import { bare, quoted, TokenTable, withEscape } from "../../dns/rdata/token-table.ts";
import type { DotlessTarget, Slip } from "../../dns/zone/zone.ts";
import { isOfAbsence } from "../kit/faults.ts";
import { findLooseText } from "../kit/loose-text.ts";
import { ScanFault, Scanner } from "../kit/scan.ts";
import { adviseStraightForm } from "../kit/straight-form.ts";
import { takesReference } from "./node-reference.ts";
import type { YamlMap, YamlNode, YamlText } from "./tree.ts";

/** Adds the place to an error in a value. */
function withPlace({ problem }: Fault, place: Place): ProblemError {
  return new ProblemError({ ...problem, place });
}

/** The invalid part of a value as written; undefined for a map, a list or a missing part. */
export function valueAt(source: SourceText, { id, place }: Problem): string | undefined {
  const text = isOfAbsence({ id }) || !place ? "" : source.textAt(place);
  return text === "" || /^[[{&*!|>-]/.test(text) ? undefined : text;
}

export interface ValueContext {
  readonly source: SourceText;
  readonly origin: Name;
  /** The owner, which an object may repeat. */
  readonly owner?: Name;
  /** Whether objects use the RFC's names for fields only; the API's are unknown keys. */
  readonly rfcNamesOnly?: true;
  /** Whether texts in objects have the escapes of zone files. */
  readonly textsHaveEscapes?: true;
  readonly onDotless: (target: Pick<DotlessTarget, "name" | "written" | "at">) => void;
  readonly onConverted?: (written: string, name: Name, at: Place) => void;
  readonly onSlip?: (slip: Pick<Slip, "rule" | "summary" | "fix" | "at">) => void;
}

/**
 * Reads one value of an RRset: RDATA in zone file syntax, an object with the field names of the API or of the RFC, or
 * `{rdata: …}` for types whose plain value is a text. A TXT value is the text itself, or a list of its strings. @throws
 * {ProblemError} with its place
 */
export function readValue(type: RecordType, node: YamlNode, context: ValueContext): Rdata {
  const isText = type.fields[0]?.kind.json === "texts";
  if (node.kind === "map") {
    const rdata = node.entries.find(({ key }) => key === "rdata")?.value;
    if (rdata === undefined) return readObject(type, node, context);
    if (rdata.kind === "text") return readRdata(type, rdata, context);
    throw withPlace(new Fault("value-shape", "`rdata` must be a string", example(type)), rdata.at);
  }
  if (node.kind === "list" && !isText) {
    const summary = `the values of ${type.type} contain a nested list`;
    throw withPlace(new Fault("value-shape", summary, "Write each value as a separate item."), node.at);
  }
  if (node.kind === "list" && node.items.length > 0) return { strings: checkLength(node.items.map(octetsOf), node.at) };
  if (node.kind === "list" || node.isEmpty)
    throw withPlace(new Fault("value-missing", `the ${type.type} record has no value`, example(type)), node.at);
  return isText ? { strings: checkLength(splitText(toOctets(node.text)), node.at) } : readRdata(type, node, context);
}

function checkLength(strings: readonly string[], at: Place): readonly string[] {
  try {
    return checkStrings(strings);
  } catch (error) {
    throw error instanceof Fault ? withPlace(error, at) : error;
  }
}

function octetsOf(node: YamlNode): string {
  if (node.kind !== "text" || node.isEmpty)
    throw withPlace(
      new Fault("value-shape", "a list of strings contains something else", 'Write "" for an empty string.'),
      node.at,
    );
  const octets = toOctets(node.text);
  if (octets.length <= 255) return octets;
  const fix = "Write one string instead of a list; it is split automatically.";
  throw withPlace(
    new Fault("text-too-long", `a string has ${octets.length} octets, but 255 is the maximum`, fix),
    node.at,
  );
}

function readRdata(type: RecordType, node: YamlText, context: ValueContext): Rdata {
  const text = toOctets(node.text);
  const scanner = new Scanner(text);
  const isAscii = text.length === node.text.length;
  const place = (start: number, end: number) =>
    isAscii && node.verbatimAt !== undefined
      ? context.source.place(node.verbatimAt + start, node.verbatimAt + end)
      : node.at;
  try {
    const isEmpty = !scanner.next();
    if (isEmpty && !type.fields.every(({ kind }) => kind.mayBeEmpty))
      throw new Fault("value-missing", `the ${type.type} record has no value`, example(type));
    const { table } = scanner;
    table.origin = context.origin;
    const placeOf = (token: number) => place(table.startOf(token), table.endOf(token));
    const data = parseTable({ type, table, placeOf, whole: node.at }, context);
    const loose = findLooseText({ owner: context.owner ?? context.origin, type }, table, 0);
    if (loose) {
      const { rule, summary, fix, first, last } = loose;
      context.onSlip?.({ rule, summary, fix, at: place(table.startOf(first), table.endOf(last)) });
    }
    if (scanner.next())
      throw new Fault("rdata-extra", "the value has extra words", "Write each value as a separate item.");
    return data;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const at = error instanceof ScanFault ? place(error.start, error.end) : (error.problem.place ?? node.at);
    const found = adviseStraightForm(error.problem, type, text, context.origin);
    const fix = adviseIndent(node, context.source);
    throw new ProblemError({ ...found, ...(fix === undefined ? {} : { fix }), place: at });
  }
}

/** The advice for a value that swallows the next item of its list; undefined for others. */
function adviseIndent({ at, start, end }: YamlText, { text }: SourceText): string | undefined {
  const written = text.slice(start, end);
  const item = /^(?!["'|>])[^#]*?\n[ \t]*- /.exec(written)?.[0];
  if (item === undefined) return undefined;
  const line = at.line + item.split("\n").length - 1;
  return `Line ${line} is indented further than the item above, so it goes on with its value. Indent them alike.`;
}

function readObject(type: RecordType, node: YamlMap, context: ValueContext): Rdata {
  const ofOwner = (context.owner !== undefined && type.ownerFields) || [];
  const isRfc = context.rfcNamesOnly ?? usesRfcNames(type, node.entries);
  const form = objectForm(type, isRfc);
  for (const { key, keyAt, value } of node.entries) {
    const index = ofOwner.indexOf(key);
    if (index !== -1) checkOwner(key, value, labels(context.owner ?? root)[index] ?? "");
    else if (!form.names.includes(key)) throw withPlace(unknownField(type, key, isRfc, context), keyAt);
  }
  const table = new TokenTable("");
  const places: Place[] = [];
  for (const field of form.type.fields) {
    const name = displayNameOf(field);
    const value = node.entries.find(({ key }) => key === name)?.value;
    if (value?.kind === "text" && !value.isEmpty && !isTextsOrWords(field)) {
      addText(table, toOctets(value.text), field, context);
      places.push(value.at);
      continue;
    }
    for (const [text, at] of fieldTexts(type, field, value, node.at)) {
      if (field.kind.json === "words") addWords(table, text, at);
      else addText(table, text, field, context);
      while (places.length < table.count) places.push(at);
    }
  }
  table.origin = context.origin;
  const placeOf = (token: number) => places[token] ?? node.at;
  return parseTable({ type: form.type, table, placeOf, whole: node.at, nameOf: displayNameOf }, context);
}

/** Adds a text as one token. */
function addText(table: TokenTable, text: string, field: Field, context: ValueContext): void {
  const start = table.text.length;
  table.text += text;
  table.add(start, table.text.length, kindOf(field, text, context));
}

/** Whether the field may be several tokens. */
function isTextsOrWords({ kind }: Field): boolean {
  return kind.json === "texts" || kind.json === "words";
}

/** The names of the fields in objects of a type. */
interface ObjectForm {
  /** The type with these names. */
  readonly type: RecordType;
  readonly names: readonly string[];
}

const forms = { rfc: new Map<RecordType, ObjectForm>(), api: new Map<RecordType, ObjectForm>() };

/** The form of objects of a type, which is made once. */
function objectForm(type: RecordType, isRfc: boolean): ObjectForm {
  const known = isRfc ? forms.rfc : forms.api;
  const form = known.get(type);
  if (form) return form;
  const fields = isRfc ? type.fields.map(withRfcName) : type.fields;
  const made = { type: { ...type, fields }, names: fields.map(displayNameOf) };
  known.set(type, made);
  return made;
}

function unknownField(type: RecordType, key: string, isRfc: boolean, { owner, rfcNamesOnly }: ValueContext): Fault {
  const ofOwner = (owner !== undefined && type.ownerFields) || [];
  const rfcNames = type.fields.map(({ name }) => name);
  const ownNames = rfcNamesOnly ? rfcNames : type.fields.map(displayNameOf);
  const both = ownNames.join() === rfcNames.join() ? "" : `; or ${rfcNames.join(", ")}`;
  const field = isRfc && both !== "" && type.fields.find(({ apiName }) => apiName === key);
  if (field) {
    const summary = `"${key}" is the API's name for "${field.name}", but the value uses the RFC's names`;
    const fix = `Use one set of names: ${ownNames.join(", ")}${both}.`;
    return new Fault("value-shape", summary, fix);
  }
  const names = [...objectForm(type, isRfc).names, ...ofOwner];
  const references = !rfcNamesOnly && takesReference(type.type) ? ["node"] : [];
  const known = key === "value" ? "values" : nearest(key, [...names, ...rfcNames, ...references]);
  const all = [...ownNames, ...ofOwner].join(", ");
  const fix = known ? `Did you mean "${known}"?` : `Known fields: ${all}${both}.`;
  return new Fault("unknown-key", `"${key}" is not a field of ${type.type}`, fix);
}

/** The kind of token that a field of an object is. */
function kindOf({ kind }: Field, text: string, { textsHaveEscapes }: ValueContext): number {
  if (!kind.json.startsWith("text")) return bare;
  return textsHaveEscapes && text.includes("\\") ? quoted | withEscape : quoted;
}

/** Whether an object with these keys uses the RFC's field names instead of the API's. */
export function usesRfcNames({ fields }: RecordType, entries: YamlMap["entries"]): boolean {
  return fields.some(({ name, apiName }) => apiName !== undefined && entries.some(({ key }) => key === name));
}

/** The field with the RFC's name only. */
export function withRfcName({ apiName: _, ...field }: Field): Field {
  return field;
}

/** Checks a field that repeats a label of the owner, with or without its underscore. */
function checkOwner(key: string, value: YamlNode, label: string): void {
  if (value.kind !== "text") throw withPlace(new Fault("value-shape", `"${key}" must be a single word`), value.at);
  const { text } = value;
  if (`_${text.replace(/^_/, "")}`.toLowerCase() === label.toLowerCase()) return;
  const inOwner = label.startsWith("_") ? `"${label}"` : "none";
  const summary = `"${key}" is "${text}", but the owner name has ${inOwner}`;
  const fix = `Write the owner name as _service._protocol, and the same in "${key}" or leave it out.`;
  throw withPlace(new Fault("owner-differs", summary, fix), value.at);
}

/** Adds words that an object contains in zone file syntax. */
function addWords(table: TokenTable, words: string, at: Place): void {
  const start = table.text.length;
  table.text += words;
  const scanner = new Scanner(words);
  try {
    scanner.next();
  } catch (error) {
    throw error instanceof Fault ? withPlace(error, at) : error;
  }
  const { count, starts, ends, kinds } = scanner.table;
  for (let token = 0; token < count; token++)
    table.add(start + (starts[token] ?? 0), start + (ends[token] ?? 0), kinds[token] ?? bare);
}

function fieldTexts(type: RecordType, field: Field, value: YamlNode | undefined, at: Place): [string, Place][] {
  if (value === undefined || (value.kind === "text" && value.isEmpty)) {
    if (field.kind.mayBeEmpty) return [];
    if (field.default !== undefined) return [[String(field.default), at]];
    throw withPlace(missingField(type, field, displayNameOf), at);
  }
  if (field.kind.json === "words" && value.kind === "list")
    return value.items.map((item) => [`${octetsOf(item)} `, item.at]);
  if (field.kind.json === "texts") {
    const strings =
      value.kind === "list" ? value.items.map(octetsOf) : value.kind === "text" ? splitText(toOctets(value.text)) : [];
    return strings.map((text) => [text, value.at]);
  }
  if (value.kind !== "text")
    throw withPlace(
      new Fault("value-shape", `"${displayNameOf(field)}" of ${type.type} must be a single value`),
      value.at,
    );
  return [[toOctets(value.text), value.at]];
}

/** The words of a value. `nameOf` is absent if they are in one text, as in a zone file. */
interface Words {
  readonly type: RecordType;
  readonly table: TokenTable;
  readonly placeOf: (token: number) => Place;
  readonly whole: Place;
  readonly nameOf?: NameField;
}

function parseTable({ type, table, placeOf, whole, nameOf }: Words, context: ValueContext): Rdata {
  try {
    const data = parseRdata(type, table, nameOf);
    for (const { name, token } of table.converted) {
      context.onConverted?.(fromOctets(table.text.slice(table.starts[token], table.ends[token])), name, placeOf(token));
    }
    for (const { name, token } of table.dotless) {
      context.onDotless({
        name,
        written: table.text.slice(table.starts[token], table.ends[token]),
        at: placeOf(token),
      });
    }
    return data;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const isWhole = error.problem.id === "field-missing" || table.next === 0;
    throw withPlace(error, isWhole ? whole : placeOf(table.next - 1));
  }
}

function example({ type, fields }: RecordType): string {
  return `Write a value, for example \`${type}: ${fields.map(({ example }) => example).join(" ")}\`.`;
}
