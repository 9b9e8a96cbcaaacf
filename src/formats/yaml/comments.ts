import { readPlainYaml } from "../../diagnostics/plain-yaml.ts";
import { scanYaml } from "../../diagnostics/scan-yaml.ts";
import { SourceText } from "../../diagnostics/source-text.ts";
import { nameKey } from "../../dns/name/name.ts";
import { toOctets } from "../../dns/name/text.ts";
import { canonical, type Zone } from "../../dns/zone/zone.ts";
import { type Comment, type CommentedText, type CommentTarget, countKeys } from "../edit/comments.ts";
import { isFlow, startOfItem } from "./collection.ts";
import { recordNode } from "./edit-set.ts";
import type { YamlFile } from "./read.ts";
import { entryOf, nodeOf, type YamlEntry } from "./tree.ts";

/** The comments of a YAML file and their targets, as octets; `zone` has the records of the file in their order. */
export function readYamlComments({ text, tree, owners }: YamlFile, zone: Zone): CommentedText {
  const targets: CommentTarget[] = [];
  const numberKey = countKeys();
  const known = new Set<string>();
  const add = (key: string, rank: number, { keyStart }: YamlEntry) => {
    if (!known.has(key)) targets.push({ key, rank, at: keyStart });
    known.add(key);
  };
  if (tree?.root.kind === "map") for (const entry of tree.root.entries) add(`setting ${entry.key}`, 1, entry);
  let index = 0;
  for (const { name, entry, types, sets } of owners) {
    const owner = nameKey(name);
    add(`owner ${owner}`, 1, entry);
    const lenient = entryOf(types, "lenient");
    if (lenient?.via === types.via && lenient) add(`lenient ${owner}`, 2, lenient);
    for (const node of sets) {
      const set = `${owner} ${node.type}`;
      add(`set ${set}`, 2, node.entry);
      const ttl = node.map && entryOf(node.map, "ttl_sec");
      if (ttl) add(`ttl ${set}`, 2, ttl);
      const override = node.map && entryOf(node.map, "override");
      if (override) add(`override ${set}`, 2, override);
      if (node.map) add(`values ${set}`, 2, node.values);
      const { value } = node.values;
      const isBlock = value.kind === "list" && !node.isSplit && !isFlow(nodeOf(value)) && value.via === undefined;
      node.items.forEach((_, item) => {
        const record = zone.records.at(index++);
        const key = numberKey(`record ${set} ${record ? canonical(record) : ""}`);
        // From its dash: the node of the item may start on another line.
        const at = isBlock ? startOfItem(nodeOf(value), item) : (recordNode(node, item)?.range?.[0] ?? 0);
        targets.push({ key, rank: 3, at });
      });
    }
  }
  targets.sort((a, b) => a.at - b.at || a.rank - b.rank);
  return withOctets({ text, targets, comments: findComments(text), inner: [] });
}

/** Finds every comment. */
export function findComments(text: string): Comment[] {
  const plain = readPlainYaml(new SourceText("", text));
  if (!plain) return findCommentsWithLibrary(text);
  return plain.comments.map(({ start, end }) => ({ text: text.slice(start + 1, end).trimEnd(), at: start }));
}

/** Finds every comment with the lexer of the YAML library. */
export function findCommentsWithLibrary(text: string): Comment[] {
  const comments: Comment[] = [];
  scanYaml(text, (token, at, isScalar) => {
    if (!isScalar && token.startsWith("#")) comments.push({ text: token.slice(1).trimEnd(), at });
    return false;
  });
  return comments;
}

/** Converts offsets and texts to octets, as in BIND zone files. */
export function withOctets({ text, targets, comments, inner }: CommentedText): CommentedText {
  const isAscii = toOctets(text).length === text.length;
  const offsets = () => {
    let [seen, length] = [0, 0];
    // Places are ascending: each is counted from the previous one, so that a long file is counted once.
    return (at: number) => {
      if (isAscii) return at;
      if (at < seen) [seen, length] = [0, 0];
      length += toOctets(text.slice(seen, at)).length;
      seen = at;
      return length;
    };
  };
  const [targetOffset, commentOffset] = [offsets(), offsets()];
  return {
    text: toOctets(text),
    targets: targets.map((target) => ({ ...target, at: targetOffset(target.at) })),
    comments: comments.map(({ text, at }) => ({ text: toOctets(text), at: commentOffset(at) })),
    inner,
  };
}
