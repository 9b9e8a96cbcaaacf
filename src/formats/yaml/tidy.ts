import { type Document, isScalar, Lexer, type Node } from "yaml";
import { spellName } from "../../dns/name.ts";
import { texts } from "../../dns/rdata/field.ts";
import { fromOctets } from "../../dns/text.ts";
import { typeOf } from "../../dns/types/index.ts";
import { rdataText, type Zone } from "../../dns/zone.ts";
import type { ZoneFile } from "../source.ts";
import { applySplices, type Splice } from "../splice.ts";
import { readOutline, styleOf, textOf } from "./outline.ts";
import { inline } from "./render.ts";

/**
 * A zone file in YAML, which was read without a fault as `zone`, in the author's order and layout: types in capitals, data
 * in one spelling, no white space at the ends of lines, one blank line where there were several, none at both ends.
 * `documents` are those of the file, where reading it has made them.
 */
export function tidyYaml({ bytes }: ZoneFile, zone: Zone, documents?: readonly Document[]): string {
  const whole = Buffer.from(bytes)
    .toString("utf8")
    .replace(/^\ufeff/, "");
  const { lineEnd, text, owners } = readOutline(whole, zone.name, documents);
  const splices: Splice[] = [];
  const edited = new Set<unknown>();
  let record = 0;
  for (const { sites } of owners) {
    for (const { type, pair, items } of sites) {
      const written = textOf(pair.key);
      if (written !== type && written.toUpperCase() === type) replace(pair.key, type);
      for (const { node } of items) {
        const data = zone.records[record++];
        if (!data || typeOf(type).fields[0]?.kind === texts || !isScalar(node)) continue;
        const fresh = fromOctets(rdataText(data, (name) => spellName(name, zone.name)));
        if (fresh !== textOf(node)) replace(node, fresh);
      }
    }
  }
  const spaced = trimmed(applySplices(text, splices));
  return lineEnd === "\r\n" ? spaced.replaceAll("\n", "\r\n") : spaced;

  /** Writes another text where a scalar of one line stands, in its quotes; what is seen in several places, once. */
  function replace(node: Node, fresh: string): void {
    const [start, end] = node.range ?? [0, 0];
    if (edited.has(node) || end <= start || text.slice(start, end).includes("\n")) return;
    edited.add(node);
    splices.push({ start, end, text: inline(fresh, { isFlow: true, isJson: false, like: styleOf(node) }) });
  }
}

/** Line feeds alone; no white space at the end of a line and no blank line behind another, but for inside of scalars. */
function trimmed(whole: string): string {
  const text = whole.replaceAll("\r\n", "\n");
  let out = "";
  let at = 0;
  let isScalar = false;
  let pending = "";
  const flush = (end: number) => {
    pending += text.slice(at, end);
    at = end;
  };
  for (const lexeme of new Lexer().lex(text)) {
    if (lexeme === "\u0002" || lexeme === "\u0018" || lexeme === "\u001f") {
      isScalar = lexeme === "\u001f";
      continue;
    }
    // A scalar of several lines means what its white space says.
    if (isScalar && lexeme.includes("\n")) {
      out += squeezed(pending) + lexeme;
      pending = "";
      at += lexeme.length;
    } else flush(at + lexeme.length);
    isScalar = false;
  }
  return `${(out + squeezed(pending)).replace(/^\n+/, "").replace(/\s*$/, "")}\n`;
}

function squeezed(text: string): string {
  return text.replace(/[ \t]+(?=\n)/g, "").replace(/\n{3,}/g, "\n\n");
}
