import { isScalar, isSeq } from "yaml";
import type { SettingName, Zone } from "../../dns/zone.ts";
import { settingKinds } from "../setting.ts";
import type { Splice } from "../splice.ts";
import { colonOf, endOf, isFlow, itemSplices } from "./collection.ts";
import { type Outline, styleOf, textOf, type Via, type YamlPair } from "./outline.ts";
import { entry, inline, type Style } from "./render.ts";
import { styleAt } from "./site.ts";
import { timeValue } from "./write.ts";

const ofSoa: readonly SettingName[] = ["soa_email", "refresh_sec", "retry_sec", "expire_sec"];

/** Settings with another value, new ones, and fewer; and what must be written out first. */
export function settingSplices(
  outline: Outline,
  { settings, records }: Zone,
  names: readonly SettingName[],
): { splices: Splice[]; expand: Via[] } {
  const { topEntries, top, text, lineEnd } = outline;
  const hasSoa = records.some(({ type }) => type === "SOA");
  const style = styleAt({ ...outline, recordsMap: undefined });
  const recordsAt = top.items.indexOf(outline.records?.pair as never);
  const behind = recordsAt === -1 ? top.items.length - 1 : recordsAt - 1;
  const gone = new Set<number>();
  const added: { behind: number; text: string }[] = [];
  const splices: Splice[] = [];
  const expand: Via[] = [];
  for (const name of names) {
    const seen = topEntries.find(({ key }) => key === name);
    if (!seen && hasSoa && ofSoa.includes(name)) continue;
    const value = settings[name];
    const shown = settingKinds[name] === "duration" && value !== undefined ? timeValue(Number(value)) : value;
    if (value === undefined && seen?.via) expand.push(seen.via);
    else if (value === undefined) gone.add(top.items.indexOf(seen?.pair as never));
    else if (!seen || seen.via) added.push({ behind, text: entry(name, shown, { ...style, listsInline: true }) });
    else splices.push(...settingSplice(outline, seen.pair, shown, style));
  }
  if (gone.size + added.length > 0) splices.push(...itemSplices(text, lineEnd, top, { gone, added }));
  return { splices, expand };
}

function settingSplice({ text, lineEnd }: Outline, pair: YamlPair, wanted: unknown, style: Style): Splice[] {
  const node = pair.value;
  if (isSeq(node) && Array.isArray(wanted) && node.items.every(isScalar)) {
    const had = node.items.map(textOf);
    const kept = had.filter((item) => wanted.includes(item));
    const isGrown = kept.length > 0 && kept.every((item, index) => item === wanted[index]);
    if (isGrown || isFlow(node)) {
      const gone = new Set(had.flatMap((item, index) => (isGrown && wanted.includes(item) ? [] : [index])));
      const isIn = { ...style, isFlow: style.isFlow || isFlow(node) };
      const fresh = wanted.slice(isGrown ? kept.length : 0);
      const added = fresh.map((item) => ({ behind: had.length - 1, text: inline(item, isIn) }));
      return itemSplices(text, lineEnd, node, { gone, added });
    }
  }
  const colon = colonOf(pair);
  const isBlock = isSeq(node) && !isFlow(node);
  const start = isBlock || !node?.range || endOf(node) === node.range[0] ? colon : node.range[0];
  const end = Math.max(start, endOf(node));
  const space = start === colon ? " " : "";
  const ending = end > start && text[end - 1] === "\n" ? lineEnd : "";
  return [{ start, end, text: space + inline(wanted, { ...style, like: styleOf(node) }) + ending }];
}
