import { isMap, isScalar, isSeq, type Node, type YAMLMap } from "yaml";
import { type Name, nameKey, spellName } from "../../dns/name.ts";
import type { Field } from "../../dns/rdata/field.ts";
import { fromOctets, isUtf8, splitText } from "../../dns/text.ts";
import { typeOf } from "../../dns/types/index.ts";
import type { ZoneRecord } from "../../dns/zone.ts";
import type { Splice } from "../splice.ts";
import { colonOf, columnOf, endOf, isFlow, itemSplices, lineBehind, lineStart, wholeLines } from "./collection.ts";
import { type Outline, type Site, styleOf, textOf, type YamlPair } from "./outline.ts";
import { entry, inline, type Style } from "./render.ts";
import { usesRfcNames, withRfcName } from "./value.ts";
import { timeValue, value } from "./write.ts";

/** How texts are written at a place: in brackets or not, with the quotes of its neighbours. */
export function styleAt({ top, recordsMap, listsInline }: Outline, ...around: unknown[]): Style {
  const isJson = isFlow(top) && styleOf(top.items[0]?.key) === "QUOTE_DOUBLE";
  return { isFlow: [top, recordsMap, ...around].some(isFlow), isJson, listsInline };
}

/** Another value in the place of one: only its fields that differ where it has fields, with the quotes that it has. */
export function valueSplices(
  outline: Outline,
  site: Site,
  node: Node | null,
  before: ZoneRecord,
  after: ZoneRecord,
  origin: Name,
): Splice[] {
  const { text, lineEnd } = outline;
  const style = styleAt(outline, site.owner.map, site.set, site.values === node ? undefined : site.values);
  const fresh = value(after, origin);
  // One list that is no list of values: strings that another list must hold.
  const shown = Array.isArray(fresh) && site.values === node ? [fresh] : fresh;
  if (isMap(node)) {
    const fields = fieldSplices(outline, style, node as YAMLMap, before, after, origin);
    if (fields) return fields;
  }
  const start = node?.range?.[0] ?? colonOf(site.valuesPair);
  const end = endOf(node);
  const written = inline(shown, { ...style, like: styleOf(node) });
  if (node === null || start === end) return [{ start, end: start, text: ` ${written}` }];
  return [{ start, end, text: text[end - 1] === "\n" ? written + lineEnd : written }];
}

/** More values, and fewer, for one type of an owner. */
export function listSplices(
  outline: Outline,
  site: Site,
  gone: ReadonlySet<number>,
  added: readonly ZoneRecord[],
  origin: Name,
): Splice[] {
  const { text, lineEnd } = outline;
  const { values } = site;
  const style = styleAt(outline, site.owner.map, site.set, values);
  const texts = (isIn: boolean) => added.map((record) => inline(value(record, origin), { ...style, isFlow: isIn }));
  if (isSeq(values)) {
    const behind = values.items.length - 1;
    const fresh = texts(style.isFlow).map((text) => ({ behind, text }));
    return itemSplices(text, lineEnd, values, { gone, added: fresh });
  }
  const { from, to, isLine, isSafe, column } = spotOf(outline, site);
  if (styleAt(outline, site.owner.map, site.set).isFlow || (isLine && isSafe && outline.listsInline)) {
    return [
      { start: from, end: from, text: "[" },
      { start: to, end: to, text: `, ${texts(true).join(", ")}]` },
    ];
  }
  const isBelow = lineStart(text, from) > colonOf(site.valuesPair);
  const indent = " ".repeat(isBelow ? columnOf(text, from) : column + 2);
  const first = isBelow
    ? { start: from, end: from, text: "- " }
    : { start: colonOf(site.valuesPair), end: from, text: `${lineEnd}${indent}- ` };
  const lines = texts(false)
    .map((text) => `${indent}- ${text}`)
    .join(lineEnd);
  return [first, ...shifted(text, from, to), wholeLines(text, lineEnd, lineBehind(text, to), lines)];
}

/** A TTL of its own for a set, another one, or none. */
export function ttlSplices(outline: Outline, site: Site, ttl: number | undefined): Splice[] {
  const { text, lineEnd } = outline;
  const style = styleAt(outline, site.owner.map, site.set);
  const { set } = site;
  if (set) {
    const own = site.ttl && site.ttl.via === undefined ? site.ttl.pair : undefined;
    const index = set.items.indexOf(own as never);
    if (ttl === undefined) return index === -1 ? [] : itemSplices(text, lineEnd, set, { gone: new Set([index]) });
    if (!own)
      return itemSplices(text, lineEnd, set, {
        added: [{ behind: -1, text: entry("ttl_sec", timeValue(ttl), style) }],
      });
    const [start = 0, end = 0] = own.value?.range ?? [];
    return [{ start, end, text: inline(timeLike(ttl, textOf(own.value)), { ...style, like: styleOf(own.value) }) }];
  }
  if (ttl === undefined) return [];
  const { from, to, isLine, isSafe, column } = spotOf(outline, site);
  if (style.isFlow || (isLine && isSafe)) {
    const isIn = { ...style, isFlow: true };
    const head = style.isJson
      ? `{${entry("ttl_sec", timeValue(ttl), isIn)}, "values": `
      : `{ ttl_sec: ${timeValue(ttl)}, values: `;
    return [
      { start: from, end: from, text: head },
      { start: to, end: to, text: style.isJson ? "}" : " }" },
    ];
  }
  const head = (indent: string) => `${indent}ttl_sec: ${timeValue(ttl)}${lineEnd}${indent}values:`;
  const colon = colonOf(site.valuesPair);
  if (lineStart(text, from) <= colon) {
    const lines = `${lineEnd}${head(" ".repeat(column + 2))} `;
    return [{ start: colon, end: from, text: lines }, ...shifted(text, from, to)];
  }
  const isInside = isSeq(site.values) && columnOf(text, from) > column;
  const at = lineStart(text, from);
  const indent = " ".repeat(isInside ? columnOf(text, from) : column + 2);
  const splice = wholeLines(text, lineEnd, at, head(indent));
  return isInside ? [splice] : [{ ...splice, text: `${splice.text}  ` }, ...shifted(text, from, to)];
}

/** Where the value of a site stands, with its anchor; the column of its key; and whether brackets can go around it. */
function spotOf({ text }: Outline, { values, valuesPair }: Site) {
  const colon = colonOf(valuesPair);
  const start = values?.range?.[0] ?? colon;
  const props = /^[ \t]*(?=[&!])/.exec(text.slice(colon, start))?.[0].length;
  const from = props === undefined ? start : colon + props;
  const to = endOf(values);
  const written = text.slice(from, to);
  const isPlain = isScalar(values) && styleOf(values) === "PLAIN";
  const isSafe = isPlain ? !/[,[\]{}]/.test(written) : isFlow(values) || /^["']/.test(text[start] ?? "");
  return {
    from,
    to,
    isLine: !written.includes("\n"),
    isSafe,
    column: columnOf(text, (valuesPair as YamlPair).key.range?.[0] ?? 0),
  };
}

/** The lines behind the first one, two columns further in. */
function shifted(text: string, from: number, to: number): Splice[] {
  const splices: Splice[] = [];
  for (let at = text.indexOf("\n", from) + 1; at > 0 && at < to; at = text.indexOf("\n", at) + 1) {
    if (!/^\r?\n/.test(text.slice(at, at + 2))) splices.push({ start: at, end: at, text: "  " });
  }
  return splices;
}

function fieldSplices(
  outline: Outline,
  style: Style,
  map: YAMLMap,
  before: ZoneRecord,
  after: ZoneRecord,
  origin: Name,
): Splice[] | undefined {
  const pairs = map.items as YamlPair[];
  const splices: Splice[] = [];
  const added: { behind: number; text: string }[] = [];
  const isIn = { ...style, isFlow: style.isFlow || isFlow(map) };
  const type = typeOf(after.type);
  const isRfc = usesRfcNames(
    type,
    pairs.map(({ key }) => textOf(key)),
  );
  for (const field of type.fields) {
    const was = fieldValue(field, before, nameKey);
    const wanted = fieldValue(field, after, nameKey);
    if (wanted === undefined || pairs.some(({ key }) => textOf(key) === "rdata")) return undefined;
    if (JSON.stringify(was) === JSON.stringify(wanted)) continue;
    const fresh = fieldValue(field, after, (name) => spellName(name, origin));
    const { name } = isRfc ? withRfcName(field) : field;
    const pair = pairs.find(({ key }) => textOf(key) === name);
    if (!pair) added.push({ behind: pairs.length - 1, text: entry(name, fresh, isIn) });
    else if (isScalar(pair.value) && pair.value.range && pair.value.range[1] > pair.value.range[0]) {
      const [start, end] = pair.value.range;
      const like = timeLike(fresh, textOf(pair.value));
      splices.push({ start, end, text: inline(like, { ...isIn, like: styleOf(pair.value) }) });
    } else return undefined;
  }
  if (added.length > 0) splices.push(...itemSplices(outline.text, outline.lineEnd, map, { added }));
  return splices;
}

/** What an object writes for a field; undefined where it cannot. */
function fieldValue({ kind, name }: Field, { data }: ZoneRecord, spell: (name: Name) => string): unknown {
  const value = data[name];
  if (kind.json === "integer") return Number(value);
  if (kind.json === "texts" && Array.isArray(value)) {
    const joined = value.join("");
    if (!value.every(isUtf8)) return undefined;
    return JSON.stringify(splitText(joined)) === JSON.stringify(value) ? fromOctets(joined) : value.map(fromOctets);
  }
  const text = kind.json === "text" ? String(value) : kind.format(value, spell);
  return isUtf8(text) ? fromOctets(text) : undefined;
}

/** Seconds with a unit where there was one. */
function timeLike(value: unknown, written: string): unknown {
  return typeof value === "number" && /^\d+[smhdw]/i.test(written) ? timeValue(value) : value;
}
