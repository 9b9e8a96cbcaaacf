import { type Name, type NameKey, sortKey, spellName } from "../../dns/name/name.ts";
import { fromOctets } from "../../dns/name/text.ts";
import type { Zone, ZoneRecord } from "../../dns/zone/zone.ts";
import type { Splice } from "../edit/splice.ts";
import { colonOf, endOf, indentLines, isFlow, itemSplices, lineSplice, nextLine } from "./collection.ts";
import { printEntry, printInline } from "./render.ts";
import { nodeOf, pairOf } from "./tree.ts";
import { isOverride, typeValue } from "./write.ts";
import { styleAt, type ZoneNode } from "./zone-node.ts";

/**
 * Removes owners, given by their index in `records`, and adds owners with their records by type, as `after` has them.
 */
export function ownerSplices(
  zone: ZoneNode,
  gone: ReadonlySet<number>,
  added: ReadonlyMap<NameKey, ReadonlyMap<string, readonly ZoneRecord[]>>,
  after: Pick<Zone, "overrides">,
): Splice[] {
  const { text, lineEnd, records, root, origin, spell } = zone;
  const map = records?.value.kind === "map" ? nodeOf(records.value) : undefined;
  const isInFlow = isFlow(nodeOf(root)) || (isFlow(map) && map?.items.length !== 0);
  const style = { ...styleAt(zone), isFlow: isInFlow };
  const fresh = [...added].map(([name, sets]) => {
    const [first] = [...sets.values()].flat();
    const owner = first?.owner ?? name;
    const values = [...sets].map(([type, records]) => {
      return [type, typeValue(records, spell, isOverride(after, owner, type))] as const;
    });
    const types = new Map(values);
    return { owner, text: printEntry(fromOctets(spellName(owner, origin)), types, style) };
  });
  const texts = fresh.map(({ text }) => text);
  const lines = indentLines(texts.join("\n"), "  ", "", records ? lineEnd : "\n");
  if (!records || !map) {
    const whole = isInFlow ? `${printInline("records", style)}: {${texts.join(", ")}}` : `records:\n${lines}`;
    const node = nodeOf(root);
    return itemSplices(text, lineEnd, node, { added: [{ behind: node.items.length - 1, text: whole }] });
  }
  const start = colonOf(pairOf(records));
  if (map.items.length > 0) {
    if (gone.size === map.items.length && !isFlow(map) && fresh.length === 0)
      return [{ start, end: start, text: " {}" }, ...itemSplices(text, lineEnd, map, { gone })];
    const behind = findPlace(zone);
    return itemSplices(text, lineEnd, map, {
      gone,
      added: fresh.map(({ owner, text }) => ({ behind: behind(owner), text })),
    });
  }
  if (isInFlow) return itemSplices(text, lineEnd, map, { added: texts.map((text) => ({ behind: -1, text })) });
  const end = Math.max(start, endOf(pairOf(records).value));
  return [{ start, end, text: "" }, lineSplice(text, lineEnd, nextLine(text, end), lines)];
}

/** Finds the owner that a new one follows: by canonical order if the neighbours are in it, or else the last one. */
function findPlace({ records, owners }: ZoneNode): (owner: Name) => number {
  const names = new Map<unknown, Name>(owners.map(({ entry, name }) => [pairOf(entry), name]));
  const items = records?.value.kind === "map" ? nodeOf(records.value).items : [];
  const keys = items.map((pair) => names.get(pair)).map((name) => name && sortKey(name));
  const sorted = keys
    .flatMap((key, index) => (key === undefined ? [] : [{ key, index }]))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.index - b.index));
  return (owner) => {
    const key = sortKey(owner);
    const best = lastSmaller(sorted, key);
    const next = keys[best + 1];
    return best !== -1 && (next === undefined || next > key) ? best : keys.length - 1;
  };
}

/** The index of the last one whose key is smaller; -1 for none. */
function lastSmaller(sorted: readonly { readonly key: string; readonly index: number }[], key: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.key ?? "") < key) low = middle + 1;
    else high = middle;
  }
  return sorted[low - 1]?.index ?? -1;
}
