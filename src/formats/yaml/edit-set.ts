import { isScalar, type Node } from "yaml";
import { type Name, nameKey } from "../../dns/name/name.ts";
import { fromOctets, isUtf8, splitText } from "../../dns/name/text.ts";
import type { Field } from "../../dns/rdata/field.ts";
import { displayNameOf, readField } from "../../dns/rdata/record-type.ts";
import { typeOf } from "../../dns/types/index.ts";
import type { ZoneRecord } from "../../dns/zone/zone.ts";
import type { Splice } from "../edit/splice.ts";
import { colonOf, columnOf, endOf, isFlow, itemSplices, lineSplice, lineStart, nextLine } from "./collection.ts";
import { isReference } from "./node-reference.ts";
import type { SetNode } from "./read.ts";
import { printEntry, printInline, quotingOf, type ValueStyle } from "./render.ts";
import { entryOf, nodeOf, pairOf, textOf, type YamlMap } from "./tree.ts";
import { usesRfcNames } from "./value.ts";
import { timeValue, value } from "./write.ts";
import { styleAt, type ZoneNode } from "./zone-node.ts";

/** A record and its replacement. */
interface RecordChange {
  readonly before: ZoneRecord;
  readonly after: ZoneRecord;
}

/** The node of a record; for an alias in a list, the alias itself. */
export function recordNode({ values: { value }, isSplit, items }: SetNode, index: number): Node | null {
  const item = items[index];
  const isListed = value.kind === "list" && !isSplit && value.via === undefined;
  return (isListed ? (nodeOf(value).items[index] as Node) : item && nodeOf(item)) ?? null;
}

/** Replaces a value, or only its changed fields; quotes stay. */
export function valueSplices(zone: ZoneNode, set: SetNode, index: number, change: RecordChange): Splice[] {
  const { text, lineEnd, spell } = zone;
  const values = set.values.value;
  const node = recordNode(set, index);
  const isOnly = nodeOf(values) === node;
  const style = styleAt(zone, set.owner.types, set.map, isOnly ? undefined : values);
  const fresh = value(change.after, spell);
  // A list of strings as the only value would be read as a list of values.
  const shown = Array.isArray(fresh) && isOnly ? [fresh] : fresh;
  const item = set.items[index];
  const isObject = item?.kind === "map" && nodeOf(item) === node && !isReference(item);
  const fields = isObject && fieldSplices(zone, style, item, change);
  if (fields) return fields;
  const start = node?.range?.[0] ?? colonOf(pairOf(set.values));
  const end = endOf(node);
  const written = printInline(shown, { ...style, like: quotingOf(node) });
  if (node === null || start === end) return [{ start, end: start, text: ` ${written}` }];
  return [{ start, end, text: text[end - 1] === "\n" ? written + lineEnd : written }];
}

/** Removes all values of an RRset, whose entry stays. */
export function emptySplices({ text, lineEnd }: ZoneNode, { values }: SetNode): Splice[] {
  const node = nodeOf(values.value);
  if (values.value.kind === "list" && !isFlow(node)) {
    const gone = new Set(values.value.items.keys());
    const colon = colonOf(pairOf(values));
    const at = colon + (/^(?:[ \t]*[&!]\S*)*/.exec(text.slice(colon))?.[0].length ?? 0);
    return [{ start: at, end: at, text: " []" }, ...itemSplices(text, lineEnd, nodeOf(values.value), { gone })];
  }
  const [start, end] = [node?.range?.[0] ?? 0, endOf(node)];
  return [{ start, end, text: text[end - 1] === "\n" ? `[]${lineEnd}` : "[]" }];
}

/** Adds and removes values of an RRset. */
export function listSplices(
  zone: ZoneNode,
  set: SetNode,
  gone: ReadonlySet<number>,
  added: readonly ZoneRecord[],
): Splice[] {
  const { text, lineEnd, spell, listsInline } = zone;
  const pair = pairOf(set.values);
  const values = set.values.value;
  const types = set.owner.types;
  const style = styleAt(zone, types, set.map, values);
  const texts = (isFlow: boolean) => added.map((record) => printInline(value(record, spell), { ...style, isFlow }));
  if (values.kind === "list") {
    const behind = values.items.length - 1;
    const fresh = texts(style.isFlow).map((text) => ({ behind, text }));
    return itemSplices(text, lineEnd, nodeOf(values), { gone, added: fresh });
  }
  const { from, to, isLine, isSafe, column } = rangeOfValues(zone, set);
  if (styleAt(zone, types, set.map).isFlow || (isLine && isSafe && listsInline)) {
    return [
      { start: from, end: from, text: "[" },
      { start: to, end: to, text: `, ${texts(true).join(", ")}]` },
    ];
  }
  const isBelow = lineStart(text, from) > colonOf(pair);
  const indent = " ".repeat(isBelow ? columnOf(text, from) : column + 2);
  const first = isBelow
    ? { start: from, end: from, text: "- " }
    : { start: colonOf(pair), end: from, text: `${lineEnd}${indent}- ` };
  const lines = texts(false)
    .map((text) => `${indent}- ${text}`)
    .join(lineEnd);
  return [first, ...indentSplices(text, from, to), lineSplice(text, lineEnd, nextLine(text, to), lines)];
}

/** Sets, changes or removes the TTL of an RRset. */
export function setTtlSplices(zone: ZoneNode, set: SetNode, ttl: number | undefined): Splice[] {
  const { text, lineEnd } = zone;
  const { map } = set;
  const style = styleAt(zone, set.owner.types, map);
  if (map) {
    const own = entryOf(map, "ttl_sec");
    const index = own && own.via === undefined ? nodeOf(map).items.indexOf(pairOf(own) as never) : -1;
    if (ttl === undefined)
      return index === -1 ? [] : itemSplices(text, lineEnd, nodeOf(map), { gone: new Set([index]) });
    if (!own || index === -1)
      return itemSplices(text, lineEnd, nodeOf(map), {
        added: [{ behind: -1, text: printEntry("ttl_sec", timeValue(ttl), style) }],
      });
    const node = pairOf(own).value;
    const [start = 0, end = 0] = node?.range ?? [];
    return [
      { start, end, text: printInline(timeInSameForm(ttl, textOf(own.value)), { ...style, like: quotingOf(node) }) },
    ];
  }
  if (ttl === undefined) return [];
  const { from, to, isLine, isSafe, column } = rangeOfValues(zone, set);
  if (style.isFlow || (isLine && isSafe)) {
    const head = style.isJson
      ? `{${printEntry("ttl_sec", timeValue(ttl), { ...style, isFlow: true })}, "values": `
      : `{ ttl_sec: ${timeValue(ttl)}, values: `;
    return [
      { start: from, end: from, text: head },
      { start: to, end: to, text: style.isJson ? "}" : " }" },
    ];
  }
  const head = (indent: string) => `${indent}ttl_sec: ${timeValue(ttl)}${lineEnd}${indent}values:`;
  const colon = colonOf(pairOf(set.values));
  if (lineStart(text, from) <= colon) {
    const lines = `${lineEnd}${head(" ".repeat(column + 2))} `;
    return [{ start: colon, end: from, text: lines }, ...indentSplices(text, from, to)];
  }
  const isInside = set.values.value.kind === "list" && columnOf(text, from) > column;
  const at = lineStart(text, from);
  const indent = " ".repeat(isInside ? columnOf(text, from) : column + 2);
  const splice = lineSplice(text, lineEnd, at, head(indent));
  return isInside ? [splice] : [{ ...splice, text: `${splice.text}  ` }, ...indentSplices(text, from, to)];
}

/**
 * The range of an RRset's values with their anchor, the column of their key, and whether they can be put in brackets.
 */
function rangeOfValues({ text }: ZoneNode, { values }: SetNode) {
  const node = nodeOf(values.value);
  const colon = colonOf(pairOf(values));
  const start = node?.range?.[0] ?? colon;
  const props = /^[ \t]*(?=[&!])/.exec(text.slice(colon, start))?.[0].length;
  const from = props === undefined ? start : colon + props;
  const to = endOf(node);
  const written = text.slice(from, to);
  const isSafe =
    quotingOf(node) === "PLAIN" ? !/[,[\]{}]/.test(written) : isFlow(node) || /^["']/.test(text[start] ?? "");
  return { from, to, isLine: !written.includes("\n"), isSafe, column: columnOf(text, values.keyStart) };
}

/** Indents the lines after the first one by two columns. */
function indentSplices(text: string, from: number, to: number): Splice[] {
  const splices: Splice[] = [];
  for (let at = text.indexOf("\n", from) + 1; at > 0 && at < to; at = text.indexOf("\n", at) + 1) {
    if (!/^\r?\n/.test(text.slice(at, at + 2))) splices.push({ start: at, end: at, text: "  " });
  }
  return splices;
}

/** Edits the fields of an object; undefined if it cannot express the record. */
function fieldSplices(zone: ZoneNode, style: ValueStyle, map: YamlMap, { before, after }: RecordChange) {
  const { items } = nodeOf(map);
  const splices: Splice[] = [];
  const added: { behind: number; text: string }[] = [];
  const isIn = { ...style, isFlow: style.isFlow || isFlow(nodeOf(map)) };
  const type = typeOf(after.type);
  const isRfc = usesRfcNames(type, map.entries);
  if (entryOf(map, "rdata")) return undefined;
  for (const field of type.fields) {
    const was = fieldValue(field, before, nameKey);
    const wanted = fieldValue(field, after, nameKey);
    if (wanted === undefined) return undefined;
    if (JSON.stringify(was) === JSON.stringify(wanted)) continue;
    const fresh = fieldValue(field, after, zone.spell);
    const name = isRfc ? field.name : displayNameOf(field);
    const entry = entryOf(map, name);
    const node = entry && entry.via === map.via ? pairOf(entry).value : undefined;
    if (!entry || entry.via !== map.via) added.push({ behind: items.length - 1, text: printEntry(name, fresh, isIn) });
    else if (isScalar(node) && node.range && node.range[1] > node.range[0]) {
      const [start, end] = node.range;
      splices.push({
        start,
        end,
        text: printInline(timeInSameForm(fresh, textOf(entry.value)), { ...isIn, like: quotingOf(node) }),
      });
    } else return undefined;
  }
  if (added.length > 0) splices.push(...itemSplices(zone.text, zone.lineEnd, nodeOf(map), { added }));
  return splices;
}

/** The value of a field in an object; undefined if it cannot be written. */
function fieldValue(field: Field, { data }: ZoneRecord, spell: (name: Name) => string): unknown {
  const { kind } = field;
  const value = readField(data, field);
  if (kind.json === "integer") return Number(value);
  if (kind.json === "texts" && Array.isArray(value)) {
    const joined = value.join("");
    if (!value.every(isUtf8)) return undefined;
    return JSON.stringify(splitText(joined)) === JSON.stringify(value) ? fromOctets(joined) : value.map(fromOctets);
  }
  const text = kind.json === "text" ? String(value) : kind.format(value, spell);
  return isUtf8(text) ? fromOctets(text) : undefined;
}

/** Seconds, with a unit if the old text had one. */
function timeInSameForm(value: unknown, written: string): unknown {
  return typeof value === "number" && /^\d+[smhdw]/i.test(written) ? timeValue(value) : value;
}
