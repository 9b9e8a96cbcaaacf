import type { Splice } from "../edit/splice.ts";
import { formatExcuse } from "../kit/setting.ts";
import { colonOf, endOf, isFlow, itemSplices, lineSplice, lineStart, nextLine, startOfItem } from "./collection.ts";
import type { OwnerNode } from "./read.ts";
import { readExcuse } from "./read-excuse.ts";
import { printEntry, printInline } from "./render.ts";
import { type AliasPath, entryOf, isMerge, nodeOf, pairOf, textOf, type YamlNode } from "./tree.ts";
import { styleAt, type ZoneNode } from "./zone-node.ts";

/**
 * Adds entries (`formatExcuse`) to `lenient` of an owner and removes others; an alias or merge may have to be expanded
 * first.
 */
export function lenientSplices(
  zone: ZoneNode,
  owner: OwnerNode,
  { added, gone }: { readonly added: readonly string[]; readonly gone: readonly string[] },
): { readonly splices: readonly Splice[] } | { readonly expand: AliasPath } {
  const { text, lineEnd } = zone;
  const { types } = owner;
  if (types.via) return { expand: types.via };
  const entry = entryOf(types, "lenient");
  const items = entry?.value.kind === "list" ? entry.value.items : entry ? [entry.value] : [];
  const rules = [...items.map(entryText).filter((rule) => !gone.includes(rule)), ...added];
  if (!entry) return { splices: newKeySplices(zone, owner, rules) };
  if (entry.via) {
    const canOverride = rules.length > 0 && isMerge(entry.via) && nodeOf(types).items.includes(entry.via as never);
    return canOverride ? { splices: newKeySplices(zone, owner, rules) } : { expand: entry.via };
  }
  const { value } = entry;
  const pair = pairOf(entry);
  if (value.via) return { expand: value.via };
  const keyAt = nodeOf(types).items.indexOf(pair as never);
  if (rules.length === 0) return { splices: itemSplices(text, lineEnd, nodeOf(types), { gone: new Set([keyAt]) }) };
  const style = styleAt(zone, types, value);
  if (value.kind === "list") {
    const goneItems = new Set(items.flatMap((item, index) => (gone.includes(entryText(item)) ? [index] : [])));
    const behind = items.length - 1;
    const fresh = added.map((rule) => ({ behind, text: printInline(excuseValue(rule), style) }));
    return { splices: itemSplices(text, lineEnd, nodeOf(value), { gone: goneItems, added: fresh }) };
  }
  if (value.kind === "map") {
    const text = printInline(rules.map(excuseValue), { ...style, isFlow: true });
    return { splices: [{ start: value.start, end: endOf(nodeOf(value)), text }] };
  }
  // One rule without brackets; an anchor stays with it.
  const colon = colonOf(pair);
  const properties = /^[ \t]*(?=[&!])/.exec(text.slice(colon, value.start))?.[0].length;
  const start = properties === undefined ? value.start : colon + properties;
  const end = endOf(nodeOf(value));
  const further = added.map((rule) => `, ${printInline(excuseValue(rule), { ...style, isFlow: true })}`).join("");
  return {
    splices: [
      { start, end: start, text: "[" },
      { start: end, end, text: `${further}]` },
    ],
  };
}

/** An entry of `lenient` in YAML: `RULE`, or `{ rule: RULE, targets: … }`. */
export function excuseValue(entry: string): unknown {
  const [rule, targets] = entry.split(" for ");
  if (targets === undefined) return entry;
  const names = targets.split(" ");
  return { rule, targets: names.length === 1 ? names[0] : names };
}

/** As `formatExcuse` writes it. */
function entryText(item: YamlNode): string {
  return item.kind === "map" ? formatExcuse(readExcuse(item)) : textOf(item);
}

/** The key as the first one of its owner, as in new files; comments above the first type stay with that type. */
function newKeySplices(zone: ZoneNode, { entry, types }: OwnerNode, rules: readonly string[]): Splice[] {
  const { text, lineEnd } = zone;
  const node = nodeOf(types);
  const style = styleAt(zone, types);
  const written = printEntry("lenient", rules.map(excuseValue), { ...style, listsInline: true });
  if (isFlow(node)) return flowSplices(zone, types, written);
  const colon = colonOf(pairOf(entry));
  const first = startOfItem(node, 0);
  const line = lineStart(text, first);
  if (line <= colon || text.slice(line, first).trim() !== "")
    return itemSplices(text, lineEnd, node, { added: [{ behind: node.items.length - 1, text: written }] });
  const below = nextLine(text, colon);
  const isBelowKey = /^(?:[ \t]*(?:#[^\n]*)?\r?\n)*$/.test(text.slice(below, line));
  return [lineSplice(text, lineEnd, isBelowKey ? below : line, text.slice(line, first) + written)];
}

function flowSplices({ text, lineEnd }: ZoneNode, types: OwnerNode["types"], written: string): Splice[] {
  const node = nodeOf(types);
  if (node.items.length === 0) return itemSplices(text, lineEnd, node, { added: [{ behind: -1, text: written }] });
  const first = startOfItem(node, 0);
  const isOnOwnLine = text.slice(lineStart(text, first), first).trim() === "";
  const space = isOnOwnLine ? lineEnd + text.slice(lineStart(text, first), first) : " ";
  return [{ start: first, end: first, text: `${written},${space}` }];
}
