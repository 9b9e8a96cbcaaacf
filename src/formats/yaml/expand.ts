import {
  type Alias,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  visit,
  type YAMLMap,
} from "yaml";
import type { Splice } from "../splice.ts";
import {
  colonOf,
  columnOf,
  endOf,
  indented,
  isFlow,
  itemSplices,
  lineBehind,
  lineStart,
  startOfItem,
  wholeLines,
} from "./collection.ts";
import type { Outline, Via, YamlPair } from "./outline.ts";
import { block, entry, inline, meaning, mergedPairs, type Style } from "./render.ts";

/** Aliases and merges written out where they stand: the zone stays the same, and what is below them can change alone. */
export function expandSplices(outline: Outline, vias: ReadonlySet<Via>): Splice[] {
  const { document, text } = outline;
  const splices: Splice[] = [];
  visit(document, {
    Alias(_, alias, path) {
      if (vias.has(alias)) splices.push(...expandedAlias(outline, alias, path as Node[]));
    },
    Pair(_, pair, path) {
      const map = path.at(-1);
      if (vias.has(pair as YamlPair) && isMap(map))
        splices.push(...expandedMerge(outline, pair as YamlPair, map as YAMLMap, path as Node[]));
    },
  });
  return splices.filter(({ start, end }) => end <= text.length && start <= end);
}

/** Aliases that would stand for nothing once the splices are made, and the merges that they stand in. */
export function orphans({ document }: Outline, splices: readonly Splice[]): Set<Via> {
  const found = new Set<Via>();
  const gone = splices.filter(({ start, end }) => end > start);
  visit(document, {
    Alias(_, alias, path) {
      const at = alias.range?.[0] ?? 0;
      const target = alias.resolve(document)?.range?.[0] ?? 0;
      const isLost = gone.some(({ start, end }) => start < target && target < end);
      if (!isLost || gone.some(({ start, end }) => start <= at && at < end)) return;
      found.add(((path as Node[]).findLast(isMerge) as YamlPair | undefined) ?? (alias as Alias));
    },
  });
  return found;
}

function expandedAlias(
  { document, text, lineEnd, listsInline }: Outline,
  alias: Alias,
  path: readonly Node[],
): Splice[] {
  const [start = 0, end = 0] = alias.range ?? [];
  const target = alias.resolve(document);
  const inFlow = path.some(isFlow);
  const parent = path.at(-1);
  const style: Style = { isFlow: inFlow, isJson: false, listsInline };
  const said = meaning(alias, document);
  const isLine = !isCollection(target) || isFlow(target) || (isSeq(target) && listsInline) || target.items.length === 0;
  if (inFlow || isLine || !isPair(parent)) {
    return [{ start, end, text: inline(said, style) }];
  }
  const colon = colonOf(parent as YamlPair);
  const column = columnOf(text, (parent as YamlPair).key.range?.[0] ?? 0);
  const lines = indented(block(said, style), " ".repeat(column + 2), "", lineEnd);
  return [{ start: colon, end, text: "" }, wholeLines(text, lineEnd, lineBehind(text, end), lines)];
}

function expandedMerge(outline: Outline, pair: YamlPair, map: YAMLMap, path: readonly Node[]): Splice[] {
  const { document, text, lineEnd, listsInline } = outline;
  const index = map.items.indexOf(pair as never);
  const inFlow = isFlow(map) || path.some(isFlow);
  const taken = new Set(
    map.items.filter((other, at) => !isMerge(other) || at < index).flatMap((other) => keysOf(other, document)),
  );
  const entries = new Map(mergedPairs(pair.value, document).reverse()); // of a key that comes twice, the first counts
  const fresh = [...entries]
    .reverse()
    .filter(([key]) => !taken.has(key))
    .map(([key, value]) => entry(key, value, { isFlow: inFlow, isJson: false, listsInline }));
  const start = startOfItem(map, index);
  const end = endOf(pair);
  if (fresh.length === 0) return itemSplices(text, lineEnd, map, { gone: new Set([index]) });
  if (inFlow) return [{ start, end, text: fresh.join(", ") }];
  const behind = lineBehind(text, end);
  const comment = text.slice(end, behind).trim();
  const lines = [...(comment === "" ? [] : [comment]), ...fresh].map((lines) =>
    indented(lines, " ".repeat(columnOf(text, start)), "", lineEnd),
  );
  const ending = behind === text.length && !text.endsWith("\n") ? "" : lineEnd;
  return [{ start: lineStart(text, start), end: behind, text: lines.join(lineEnd) + ending }];
}

function keysOf(pair: unknown, document: Document): string[] {
  if (isMerge(pair)) return mergedPairs((pair as YamlPair).value, document).map(([key]) => key);
  return isPair(pair) ? [String(meaning(pair.key, document))] : [];
}

/** Is it the pair of a `<<`? */
export function isMerge(pair: unknown): boolean {
  return isPair(pair) && isScalar(pair.key) && typeof pair.key.value === "symbol" && !isAlias(pair.key);
}
