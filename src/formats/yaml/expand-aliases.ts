import { type Node, visit } from "yaml";
import type { Splice } from "../edit/splice.ts";
import {
  colonOf,
  columnOf,
  endOf,
  indentLines,
  isFlow,
  itemSplices,
  lineSplice,
  lineStart,
  nextLine,
  startOfItem,
} from "./collection.ts";
import { plainValue, printBlock, printEntry, printInline, type ValueStyle } from "./render.ts";
import {
  type AliasPath,
  isMerge,
  nodeOf,
  pairOf,
  type YamlEntry,
  type YamlMap,
  type YamlNode,
  type YamlPair,
} from "./tree.ts";
import type { ZoneNode } from "./zone-node.ts";

/** Replaces aliases and merges with their content: the zone stays the same, and each user can change separately. */
export function expandSplices(zone: ZoneNode, vias: ReadonlySet<AliasPath>): Splice[] {
  const splices: Splice[] = [];
  const expand = (node: YamlNode, inFlow: boolean, entry?: YamlEntry): void => {
    if (node.via) {
      if (vias.has(node.via)) splices.push(...aliasSplices(zone, node, inFlow, entry));
      return;
    }
    const isIn = inFlow || isFlow(nodeOf(node));
    if (node.kind === "list") for (const item of node.items) expand(item, isIn);
    if (node.kind !== "map") return;
    for (const pair of nodeOf(node).items as YamlPair[]) {
      const [start = 0, end = 0] = pair.key.range ?? [];
      if (isMerge(pair) && vias.has(pair)) splices.push(...mergeSplices(zone, node, pair, isIn));
      else if (vias.has(pair.key as never))
        splices.push({ start, end, text: printInline(keyOf(node, pair), { isFlow: isIn, isJson: false }) });
    }
    for (const entry of node.entries) if (!entry.via) expand(entry.value, isIn, entry);
  };
  expand(zone.root, false);
  return splices;
}

/** Aliases whose anchor the splices remove, or the merges that contain them. */
export function findOrphans({ library: { document, targets } }: ZoneNode, splices: readonly Splice[]): Set<AliasPath> {
  const found = new Set<AliasPath>();
  const gone = splices.filter(({ start, end }) => end > start);
  visit(document, {
    Alias(_, alias, path) {
      const at = alias.range?.[0] ?? 0;
      const target = targets.get(alias)?.range?.[0] ?? 0;
      const isLost = gone.some(({ start, end }) => start < target && target < end);
      if (!isLost || gone.some(({ start, end }) => start <= at && at < end)) return;
      found.add((path.findLast(isMerge) as YamlPair | undefined) ?? alias);
    },
  });
  return found;
}

function aliasSplices(
  { text, lineEnd, listsInline }: ZoneNode,
  node: YamlNode,
  inFlow: boolean,
  entry?: YamlEntry,
): Splice[] {
  const [start = 0, end = 0] = (node.via as Node).range ?? [];
  const style: ValueStyle = { isFlow: inFlow, isJson: false, listsInline };
  const content = plainValue(node);
  const isLine =
    node.kind === "text" ||
    isFlow(nodeOf(node)) ||
    (node.kind === "list" && listsInline) ||
    nodeOf(node).items.length === 0;
  if (inFlow || isLine || !entry) return [{ start, end, text: printInline(content, style) }];
  const colon = colonOf(pairOf(entry));
  const column = columnOf(text, entry.keyStart);
  const lines = indentLines(printBlock(content, style), " ".repeat(column + 2), "", lineEnd);
  return [{ start: colon, end, text: "" }, lineSplice(text, lineEnd, nextLine(text, end), lines)];
}

function mergeSplices(zone: ZoneNode, node: YamlMap, pair: YamlPair, inFlow: boolean): Splice[] {
  const map = nodeOf(node);
  const { text, lineEnd, listsInline } = zone;
  const index = map.items.indexOf(pair as never);
  const fresh = node.entries
    .filter(({ via }) => via === pair)
    .map(({ key, value }) => printEntry(key, plainValue(value), { isFlow: inFlow, isJson: false, listsInline }));
  const start = startOfItem(map, index);
  const end = endOf(pair);
  if (fresh.length === 0) return itemSplices(text, lineEnd, map, { gone: new Set([index]) });
  if (inFlow) return [{ start, end, text: fresh.join(", ") }];
  const behind = nextLine(text, end);
  const comment = text.slice(end, behind).trim();
  const lines = [...(comment === "" ? [] : [comment]), ...fresh].map((lines) =>
    indentLines(lines, " ".repeat(columnOf(text, start)), "", lineEnd),
  );
  const ending = behind === text.length && !text.endsWith("\n") ? "" : lineEnd;
  return [{ start: lineStart(text, start), end: behind, text: lines.join(lineEnd) + ending }];
}

function keyOf({ entries }: YamlMap, pair: YamlPair): string {
  return entries.find((entry) => pairOf(entry) === pair)?.key ?? "";
}
