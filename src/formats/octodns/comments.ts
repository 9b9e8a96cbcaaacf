import { decodeText, SourceText } from "../../diagnostics/source-text.ts";
import { type NameKey, nameKey, readName } from "../../dns/name/name.ts";
import { toOctets } from "../../dns/name/text.ts";
import { canonical, type Zone } from "../../dns/zone/zone.ts";
import { type CommentedText, type CommentTarget, countKeys } from "../edit/comments.ts";
import type { ZoneFileBytes } from "../kit/source.ts";
import { findComments, withOctets } from "../yaml/comments.ts";
import { entryOf, readTree, textOf, type YamlEntry, type YamlMap, type YamlNode } from "../yaml/tree.ts";
import { isPlain, readScalar } from "./yaml-1-1.ts";

/** The comments of a valid octoDNS file and their targets, as octets; `zone` has the records of the file. */
export function readOctodnsComments({ file, bytes, origin }: ZoneFileBytes, zone: Zone): CommentedText {
  const { text } = decodeText(bytes);
  const targets: CommentTarget[] = [];
  const numberKey = countKeys();
  const records = new Map(
    zone.records.map((record) => {
      const set = `${nameKey(record.owner)} ${record.type}`;
      return [record.start, numberKey(`record ${set} ${canonical(record)}`)];
    }),
  );
  const add = (key: string, rank: number, at: number | undefined) => {
    if (at !== undefined) targets.push({ key, rank, at });
  };
  const addValue = (node: YamlNode) => {
    const key = records.get(node.start);
    if (key === undefined) return;
    for (const at of new Set([node.start, ...(node.kind === "map" ? node.entries.map(startOf) : [])])) add(key, 3, at);
  };
  const addSet = (owner: NameKey, set: YamlMap) => {
    const type = entryOf(set, "type");
    const values = entryOf(set, "values") ?? entryOf(set, "value");
    if (!type || !values) return;
    const key = `${owner} ${textOf(type.value).toUpperCase()}`;
    for (const at of new Set([set.start, startOf(type)])) add(`set ${key}`, 2, at);
    const ttl = entryOf(set, "ttl");
    if (ttl) add(`ttl ${key}`, 2, startOf(ttl));
    add(`values ${key}`, 2, startOf(values));
    for (const item of values.value.kind === "list" ? values.value.items : [values.value]) addValue(item);
  };
  const root = readTree(new SourceText(file, text), () => {})?.root;
  for (const entry of root?.kind === "map" ? root.entries : []) {
    const { key, keyStart, keyEnd } = entry;
    const scalar = isPlain({ start: keyStart, end: keyEnd }, text) ? readScalar(key)?.text : undefined;
    const owner = nameKey(key === "" ? origin : readName(toOctets(scalar ?? key), origin));
    add(`owner ${owner}`, 1, startOf(entry));
    for (const set of entry.value.kind === "list" ? entry.value.items : [entry.value])
      if (set.kind === "map") addSet(owner, set);
  }
  targets.sort((a, b) => a.at - b.at || a.rank - b.rank);
  return withOctets({ text, targets, comments: findComments(text), inner: [] });
}

function startOf({ keyStart }: YamlEntry): number {
  return keyStart;
}
