import { type Document, isSeq, Lexer, type Node } from "yaml";
import { nameKey } from "../../dns/name.ts";
import { toOctets } from "../../dns/text.ts";
import { canonical, type Zone } from "../../dns/zone.ts";
import { type Comment, type CommentedText, type CommentTarget, countKeys } from "../comments.ts";
import type { ZoneFile } from "../source.ts";
import { startOfItem } from "./collection.ts";
import { type Outline, readOutline, textOf, type YamlPair } from "./outline.ts";

/** The comments of a YAML file and their targets, as octets; `zone` was read from `documents`, which have their tokens. */
export function readYamlComments(
  { bytes }: ZoneFile,
  zone: Zone,
  documents?: readonly Document[],
): CommentedText & { readonly outline: Outline } {
  const text = Buffer.from(bytes)
    .toString("utf8")
    .replace(/^\ufeff/, "");
  const outline = readOutline(text, zone.name, documents);
  const targets: CommentTarget[] = [];
  const once = countKeys();
  const seen = new Set<string>();
  const add = (key: string, rank: number, pair: YamlPair | Node | null) => {
    const node = pair && "key" in pair ? (pair as YamlPair).key : (pair as Node | null);
    if (!seen.has(key) && node?.range) targets.push({ key, rank, at: node.range[0] });
    seen.add(key);
  };
  for (const { key, pair } of outline.topEntries) add(`setting ${key}`, 1, pair);
  let record = 0;
  for (const owner of outline.owners) {
    const name = nameKey(owner.name);
    add(`owner ${name}`, 1, owner.pair);
    const lenient = (owner.map?.items as YamlPair[] | undefined)?.find(({ key }) => textOf(key) === "lenient");
    if (lenient) add(`lenient ${name}`, 2, lenient);
    for (const site of owner.sites) {
      const set = `${name} ${site.type}`;
      add(`set ${set}`, 2, site.pair);
      if (site.ttl) add(`ttl ${set}`, 2, site.ttl.pair);
      if (site.set) add(`values ${set}`, 2, site.valuesPair);
      site.items.forEach(({ node }, index) => {
        const data = zone.records[record++];
        const key = once(`record ${set} ${data ? canonical(data) : ""}`);
        // With its dash: the item's node may start in another line.
        const { values } = site;
        const at =
          isSeq(values) && !site.isSplit && !values.flow && site.valuesVia === undefined
            ? startOfItem(values, index)
            : (node?.range?.[0] ?? 0);
        targets.push({ key, rank: 3, at });
      });
    }
  }
  return octets(
    { text, targets: targets.sort((a, b) => a.at - b.at || a.rank - b.rank), comments: findComments(text), inner: [] },
    outline,
  );
}

/** Every comment; the lexer knows what only looks like one. */
export function findComments(text: string): Comment[] {
  const found: Comment[] = [];
  let at = 0;
  let isScalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    const isMark = lexeme === "\u0002" || lexeme === "\u0018" || lexeme === "\u001f";
    if (!isMark) {
      if (!isScalar && lexeme.startsWith("#")) found.push({ text: lexeme.slice(1).trimEnd(), at });
      at += lexeme.length;
    }
    isScalar = lexeme === "\u001f";
  }
  return found;
}

/** Offsets and texts as octets, as in a master file. */
function octets(commented: CommentedText, outline: Outline): CommentedText & { readonly outline: Outline } {
  const { text } = commented;
  const isAscii = toOctets(text).length === text.length;
  const offsets = () => {
    let [seen, length] = [0, 0];
    // Places come in order: each is counted on from the one before, so that a long file is counted once.
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
    targets: commented.targets.map((target) => ({ ...target, at: targetOffset(target.at) })),
    comments: commented.comments.map(({ text, at }) => ({ text: toOctets(text), at: commentOffset(at) })),
    inner: [],
    outline,
  };
}
