import { type Name, type NameKey, nameKey, sortKey, spellName } from "../../dns/name.ts";
import { fromOctets } from "../../dns/text.ts";
import type { ZoneRecord } from "../../dns/zone.ts";
import type { Splice } from "../splice.ts";
import { colonOf, endOf, indented, isFlow, itemSplices, lineBehind, wholeLines } from "./collection.ts";
import type { Outline } from "./outline.ts";
import { entry, inline } from "./render.ts";
import { styleAt } from "./site.ts";
import { typeValue } from "./write.ts";

/** Owners, by their index in `records`, taken out, and sets of new owners put in. */
export function ownerSplices(
  outline: Outline,
  origin: Name,
  gone: ReadonlySet<number>,
  sets: readonly (readonly ZoneRecord[])[],
): Splice[] {
  const { text, lineEnd, recordsMap, records, top } = outline;
  const isInFlow = isFlow(top) || (isFlow(recordsMap) && recordsMap?.items.length !== 0);
  const style = { ...styleAt(outline), isFlow: isInFlow };
  const fresh = byOwner(sets).map((sets) => {
    const owner = sets[0]?.[0]?.owner ?? origin;
    const types = new Map(sets.map((set) => [set[0]?.type, typeValue(set, origin)]));
    const key = fromOctets(spellName(owner, origin));
    return { owner, text: entry(key, types, style) };
  });
  if (records && recordsMap && recordsMap.items.length > 0) {
    if (gone.size === recordsMap.items.length && !isFlow(recordsMap) && fresh.length === 0) {
      const start = colonOf(records.pair);
      return [{ start, end: start, text: " {}" }, ...itemSplices(text, lineEnd, recordsMap, { gone })];
    }
    const behind = placing(outline);
    const added = fresh.map(({ owner, text }) => ({ behind: behind(owner), text }));
    return itemSplices(text, lineEnd, recordsMap, { gone, added });
  }
  if (isInFlow && records && recordsMap) {
    return itemSplices(text, lineEnd, recordsMap, { added: fresh.map(({ text }) => ({ behind: -1, text })) });
  }
  const lines = fresh.map(({ text }) => text).join("\n");
  if (!records) {
    const whole = isInFlow
      ? `${inline("records", style)}: {${fresh.map(({ text }) => text).join(", ")}}`
      : `records:\n${indented(lines, "  ", "", "\n")}`;
    return itemSplices(text, lineEnd, top, { added: [{ behind: top.items.length - 1, text: whole }] });
  }
  const start = colonOf(records.pair);
  const end = Math.max(start, endOf(records.pair.value));
  const splice = wholeLines(text, lineEnd, lineBehind(text, end), indented(lines, "  ", "", lineEnd));
  return [{ start, end, text: "" }, splice];
}

function byOwner(sets: readonly (readonly ZoneRecord[])[]): (readonly ZoneRecord[])[][] {
  const owners = new Map<NameKey, (readonly ZoneRecord[])[]>();
  for (const set of sets) {
    const [first] = set;
    if (!first) continue;
    const key = nameKey(first.owner);
    const before = owners.get(key);
    if (before) before.push(set);
    else owners.set(key, [set]);
  }
  return [...owners.values()];
}

/** Behind which owner a new one goes: where canonical order has it if the neighbours keep it, else the last one. */
function placing({ recordsMap, owners }: Outline): (owner: Name) => number {
  const names = new Map<unknown, Name>(owners.map(({ pair, name }) => [pair, name]));
  const keys = (recordsMap?.items ?? []).map((pair) => names.get(pair)).map((name) => name && sortKey(name));
  const sorted = keys
    .flatMap((key, index) => (key === undefined ? [] : [{ key, index }]))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.index - b.index));
  return (owner) => {
    const key = sortKey(owner);
    const best = lastBelow(sorted, key);
    const next = keys[best + 1];
    return best !== -1 && (next === undefined || next > key) ? best : keys.length - 1;
  };
}

/** The index of the last one whose key is smaller; -1 for none. */
function lastBelow(sorted: readonly { readonly key: string; readonly index: number }[], key: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.key ?? "") < key) low = middle + 1;
    else high = middle;
  }
  return sorted[low - 1]?.index ?? -1;
}
