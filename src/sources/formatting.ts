import { type Document, isAlias, visit } from "yaml";
import type { Name } from "../zone/name.ts";
import { readName } from "../zone/name.ts";
import { fromOctets, isUtf8, toOctets } from "../zone/text.ts";
import type { Zone } from "../zone/zone.ts";
import { refusal, withOneTtl } from "./agreed.ts";
import { dataSplices } from "./bind/edit.ts";
import { readLayout } from "./bind/layout.ts";
import { readBind } from "./bind/read.ts";
import { bindSheet, withInner } from "./bind/sheet.ts";
import { tidyBind } from "./bind/tidy.ts";
import { writeBind } from "./bind/write.ts";
import { difference } from "./difference.ts";
import { allTexts, decorated, gather, type Remark, type Remarks, type Sheet } from "./remarks.ts";
import { scopeText } from "./scope.ts";
import type { WriteOptions, ZoneFile } from "./source.ts";
import { spliced } from "./splice.ts";
import { modeline } from "./yaml/modeline.ts";
import { readYaml } from "./yaml/read.ts";
import { remarksOf, yamlSheet } from "./yaml/sheet.ts";
import { tidyYaml } from "./yaml/tidy.ts";
import { parseYaml } from "./yaml/tree.ts";
import { writeYaml } from "./yaml/write.ts";

type Form = "yaml" | "bind";

/** A zone file in canonical form, and what of it the form has no place for. */
export interface Formatted {
  readonly bytes: Uint8Array;
  /** Lines with comments that belong to nothing that the other text has. */
  readonly lost: readonly number[];
  /** Lines that are more than their records: `$INCLUDE`, `$GENERATE`, aliases. Their records are written out. */
  readonly unrolled: readonly number[];
}

/**
 * The zone of a file, which was read without a fault, in the canonical form of a format, with its comments: those above
 * a line or at its end go where their record, name or setting goes.
 * @throws {Refusal} `fmt-inexact` where that does not say the same, in records or in comments.
 */
export function formatted(file: ZoneFile, from: Form, to: Form, options: WriteOptions): Formatted {
  const read = from === "bind" ? readBind(file) : readYaml(file);
  const zone = to === "yaml" ? withOneTtl(read.zone) : read.zone;
  const sheet = from === "bind" ? bindSheet(file, zone) : yamlSheet(file, zone);
  const remarks = gather(sheet);
  const { octets, lost } =
    to === "bind" ? asBind(file, zone, remarks, from, options) : asYaml(file, zone, remarks, options);
  const bytes = Buffer.from(octets, "latin1");
  const result: ZoneFile = { file: `zone.${to}`, bytes, origin: zone.name };
  const again = to === "bind" ? readBind(result) : readYaml(result);
  const after = to === "bind" ? bindSheet(result, again.zone) : yamlSheet(result, again.zone);
  const isSame = difference(zone, again.zone).isNone && said(zone) === said(again.zone);
  const isWhole = sameTexts(sheet, after, [...remarks.homeless, ...lost]);
  if (!isSame || !isWhole) throw refusal("fmt-inexact", `the canonical form of ${file.file} would not say the same`);
  const missing = lineNumbers(
    sheet.text,
    [...remarks.homeless, ...lost].map(({ at }) => at),
  );
  const unrolled = from === "bind" ? unrolledBind(file) : unrolledYaml(sheet as ReturnType<typeof yamlSheet>);
  return { bytes, lost: missing, unrolled };
}

/**
 * The zone file in the author's order and sections, with one spelling and layout for its words.
 * @throws {Refusal} `fmt-inexact` where that does not say the same, in records, settings or comments.
 */
export function tidied(file: ZoneFile, form: Form): Uint8Array {
  const { zone, bytes } = form === "bind" ? tidiedBind(file) : tidiedYaml(file);
  // What is in that form already needs no second reading.
  if (Buffer.compare(bytes, file.bytes) === 0) return bytes;
  const result: ZoneFile = { ...file, bytes };
  const again = (form === "bind" ? readBind(result) : readYaml(result)).zone;
  const isSame = difference(zone, again).isNone && said(zone) === said(again);
  const [texts, textsAgain] = [file, result].map(({ bytes }) => commentsOf(bytes, form)) as [string[], string[]];
  if (!isSame || texts.length !== textsAgain.length || texts.some((text, index) => text !== textsAgain[index]))
    throw refusal("fmt-inexact", `the normalised form of ${file.file} would not say the same`);
  return bytes;
}

function tidiedBind(file: ZoneFile): { zone: Zone; bytes: Uint8Array } {
  const { zone } = readBind(file);
  return { zone, bytes: Buffer.from(tidyBind(file, zone), "latin1") };
}

/** The documents that reading makes serve for writing too. */
function tidiedYaml(file: ZoneFile): { zone: Zone; bytes: Uint8Array } {
  let documents: readonly Document[] | undefined;
  const { zone } = readYaml(file, (text) => {
    const parsed = parseYaml(text);
    documents = parsed;
    return parsed;
  });
  return { zone, bytes: Buffer.from(tidyYaml(file, zone, documents)) };
}

/** The texts of all comments, in an order of their own. */
function commentsOf(bytes: Uint8Array, form: Form): string[] {
  const text = Buffer.from(bytes).toString(form === "bind" ? "latin1" : "utf8");
  const found =
    form === "yaml"
      ? remarksOf(text.replace(/^\ufeff/, "")).map(({ text }) => text)
      : [...text.matchAll(/"(?:\\.|[^"\\])*"|\\.|;([^\n]*)/gs)].flatMap(([, comment]) => comment ?? []);
  return found.map((text) => text.trim()).sort();
}

function asBind(file: ZoneFile, zone: Zone, remarks: Remarks, from: Form, options: WriteOptions) {
  const head = from === "bind" ? remarks.head : withoutModeline(remarks.head);
  const text = writeBind(zone, from === "bind" ? { nameservers: implicitServers(file) } : options);
  const plain = Buffer.from(toOctets(text), "latin1");
  const canonical = fileOf(from === "bind" ? withImplicitSoa(fileOf(plain, zone), file) : plain, zone);
  const dressed = decorated(bindSheet(canonical, readBind(canonical).zone), { ...remarks, head }, { mark: ";", behindFrom: 3 }); // biome-ignore format: one thought
  const again = fileOf(Buffer.from(dressed.text, "latin1"), zone);
  const { text: octets, lost } = withInner(again, readBind(again).zone, remarks);
  return { octets, lost: [...dressed.lost, ...lost] };
}

function asYaml({ file }: ZoneFile, zone: Zone, remarks: Remarks, { schema }: WriteOptions) {
  const body = { file, bytes: Buffer.from(writeYaml(zone)), origin: zone.name };
  const isOwn = schema === undefined || remarks.head.some((remark) => remark && isModeline(remark));
  const head = isOwn ? remarks.head : [{ text: toOctets(modeline(schema)), at: 0 }, undefined, ...remarks.head];
  const isText = (remark: Remark) => isUtf8(remark.text);
  // Comments behind the words of one record have no line of their own here: they stand above it, in their order.
  const above = new Map(remarks.above);
  for (const [key, words] of remarks.inner) above.set(key, [...(above.get(key) ?? []), ...[...words.values()].flat()]);
  const { text, lost } = decorated(yamlSheet(body, readYaml(body).zone), { ...remarks, above, head }, { mark: "#", behindFrom: 1 }); // biome-ignore format: one thought
  const unreadable = [...remarks.above.values(), ...remarks.behind.values(), remarks.head, remarks.tail].flat().filter((remark) => remark && !isText(remark)); // biome-ignore format: one thought
  if (unreadable.length > 0) return { octets: toOctets(fromOctets(text)), lost: [...lost, ...(unreadable as Remark[])] }; // biome-ignore format: one thought
  return { octets: text, lost };
}

/** The head without the line that only editors of YAML read. */
function withoutModeline(head: Remarks["head"]): Remarks["head"] {
  const at = head.findIndex((remark) => remark && isModeline(remark));
  return head.filter((remark, index) => index !== at && !(index === at + 1 && at !== -1 && remark === undefined));
}

function isModeline({ text }: Remark): boolean {
  return /^\s*yaml-language-server:/.test(text);
}

/** The name servers that a file names only for those who load it. */
function implicitServers(file: ZoneFile): Name[] {
  const { entries, text } = readLayout(file);
  return entries.flatMap(({ record, tokens, origin }) => {
    const data = record?.role === "implicit" && record.type === "NS" ? tokens[record.typeAt + 1] : undefined;
    return data ? [readName(text.slice(data.start, data.end), origin)] : [];
  });
}

/** The SOA record that a file has only for those who load it stays what it is. */
function withImplicitSoa(canonical: ZoneFile, file: ZoneFile): Buffer {
  const own = readLayout(file).entries.find(({ record }) => record?.soa && record.role === "implicit")?.record;
  const { text, entries } = readLayout(canonical);
  const entry = entries.find(({ record }) => record?.soa && record.role === "implicit");
  if (!own?.soa || !entry?.record?.soa) return Buffer.from(canonical.bytes);
  return Buffer.from(spliced(text, dataSplices({ text, entry, record: entry.record }, entry.record.soa, own.soa)), "latin1"); // biome-ignore format: one thought
}

function unrolledBind(file: ZoneFile): number[] {
  const { text, entries } = readLayout(file);
  const more = entries.filter(({ kind }) => kind === "include" || kind === "generate");
  return lineNumbers(text, more.map(({ from }) => from)); // biome-ignore format: one thought
}

function unrolledYaml({ outline: { document, text } }: ReturnType<typeof yamlSheet>): number[] {
  const offsets: number[] = [];
  visit(document, {
    Node(_, node) {
      if (isAlias(node)) offsets.push(node.range?.[0] ?? 0);
    },
  });
  return lineNumbers(text, offsets);
}

/** The line numbers of offsets, in ascending order; the text is walked once. */
function lineNumbers(text: string, offsets: readonly number[]): number[] {
  let line = 1;
  let newline = text.indexOf("\n");
  return [...offsets].sort((a, b) => a - b).map((offset) => {
    for (; newline !== -1 && newline < offset; newline = text.indexOf("\n", newline + 1)) line++;
    return line;
  }); // biome-ignore format: one thought
}

/** What a zone says besides settings and records. */
function said({ excused = [], ...zone }: Zone): string {
  return scopeText(zone) + JSON.stringify(excused.map(({ owner, rule }) => `${owner.toLowerCase()} ${rule}`).sort());
}

function sameTexts(before: Sheet, after: Sheet, lost: readonly Remark[]): boolean {
  const left = new Map<string, number>();
  const count = (text: string, by: number) => left.set(text, (left.get(text) ?? 0) + by);
  for (const text of allTexts(before)) count(text, 1);
  for (const { text } of lost) count(text.trim(), -1);
  for (const text of allTexts(after)) count(text, -1);
  return [...left].every(([text, count]) => count === 0 || isModeline({ text, at: 0 }) || !isUtf8(text) || text.includes("\ufffd")); // biome-ignore format: one thought
}

function fileOf(bytes: Uint8Array, { name }: Zone): ZoneFile {
  return { file: "canonical.zone", bytes, origin: name };
}
