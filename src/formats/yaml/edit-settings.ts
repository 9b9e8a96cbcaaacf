import type { Zone } from "../../dns/zone/zone.ts";
import type { Setting } from "../../dns/zone/zone-settings.ts";
import { isSoaSetting } from "../edit/reconcile-soa.ts";
import type { Splice } from "../edit/splice.ts";
import { colonOf, endOf, isFlow, itemSplices } from "./collection.ts";
import { printEntry, printInline, quotingOf, type ValueStyle } from "./render.ts";
import { type AliasPath, entryOf, nodeOf, pairOf, textOf, type YamlEntry } from "./tree.ts";
import { timeValue } from "./write.ts";
import { styleAt, type ZoneNode } from "./zone-node.ts";

/** Changes, adds and removes settings, those of `changed`; `expand` must be expanded first. */
export function settingSplices(
  zone: ZoneNode,
  { settings, records }: Zone,
  changed: readonly Setting[],
): { splices: Splice[]; expand: AliasPath[] } {
  const { root, text, lineEnd } = zone;
  const { items } = nodeOf(root);
  const hasSoa = records.some(({ type }) => type === "SOA");
  const style = styleAt({ ...zone, records: undefined });
  const recordsAt = zone.records ? items.indexOf(pairOf(zone.records) as never) : -1;
  const behind = recordsAt === -1 ? items.length - 1 : recordsAt - 1;
  const gone = new Set<number>();
  const added: { behind: number; text: string }[] = [];
  const splices: Splice[] = [];
  const expand: AliasPath[] = [];
  for (const { name, kind } of changed) {
    const entry = entryOf(root, name);
    if (!entry && hasSoa && isSoaSetting(name)) continue;
    const value = settings[name];
    const shown = kind === "duration" && value !== undefined ? timeValue(Number(value)) : value;
    if (value === undefined && entry?.via) expand.push(entry.via);
    else if (value === undefined) gone.add(entry ? items.indexOf(pairOf(entry) as never) : -1);
    else if (!entry || entry.via)
      added.push({ behind, text: printEntry(name, shown, { ...style, listsInline: true }) });
    else splices.push(...settingSplice(zone, entry, shown, style));
  }
  if (gone.size + added.length > 0) splices.push(...itemSplices(text, lineEnd, nodeOf(root), { gone, added }));
  return { splices, expand };
}

function settingSplice({ text, lineEnd }: ZoneNode, entry: YamlEntry, wanted: unknown, style: ValueStyle): Splice[] {
  const { value } = entry;
  const isShared = value.via !== undefined;
  if (value.kind === "list" && !isShared && Array.isArray(wanted)) {
    const had = value.items.map(textOf);
    const kept = had.filter((item) => wanted.includes(item));
    const isGrown = kept.length > 0 && kept.every((item, index) => item === wanted[index]);
    if (isGrown || isFlow(nodeOf(value))) {
      const gone = new Set(had.flatMap((item, index) => (isGrown && wanted.includes(item) ? [] : [index])));
      const isIn = { ...style, isFlow: style.isFlow || isFlow(nodeOf(value)) };
      const fresh = wanted.slice(isGrown ? kept.length : 0);
      const added = fresh.map((item) => ({ behind: had.length - 1, text: printInline(item, isIn) }));
      return itemSplices(text, lineEnd, nodeOf(value), { gone, added });
    }
  }
  const pair = pairOf(entry);
  const node = pair.value;
  const colon = colonOf(pair);
  const isBlock = value.kind === "list" && !isShared && !isFlow(node);
  const start = isBlock || !node?.range || endOf(node) === node.range[0] ? colon : node.range[0];
  const end = Math.max(start, endOf(node));
  const space = start === colon ? " " : "";
  const ending = end > start && text[end - 1] === "\n" ? lineEnd : "";
  return [{ start, end, text: space + printInline(wanted, { ...style, like: quotingOf(node) }) + ending }];
}
