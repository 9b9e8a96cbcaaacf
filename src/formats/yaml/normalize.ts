import type { Scalar } from "yaml";
import { scanYaml } from "../../diagnostics/scan-yaml.ts";
import type { Name } from "../../dns/name/name.ts";
import { fromOctets } from "../../dns/name/text.ts";
import { texts } from "../../dns/rdata/field.ts";
import { typeOf } from "../../dns/types/index.ts";
import { rdataText } from "../../dns/zone/zone.ts";
import { applySplices, type Splice } from "../edit/splice.ts";
import { keepNotation, splitRdata } from "../kit/rdata-words.ts";
import { targetSpeller } from "../kit/target-speller.ts";
import type { YamlFile } from "./read.ts";
import { printInline } from "./render.ts";
import type { YamlNode } from "./tree.ts";
import { lineEndOf } from "./zone-node.ts";

/**
 * A zone file in the author's order and layout: types in capitals, RDATA in one spelling but for names and times, which
 * stay relative or absolute, in units or seconds; no white space at the ends of lines, one blank line where there were
 * several, none at both ends. The file was read without an error; values of a template that contain parameters stay.
 */
export function normalizeYaml({ text, zone, owners }: Pick<YamlFile, "text" | "zone" | "owners">): string {
  const splices: Splice[] = [];
  const spell = targetSpeller(zone);
  let index = 0;
  for (const { type, entry, items } of owners.flatMap(({ sets }) => sets)) {
    if (entry.via === undefined && entry.key !== type && entry.key.toUpperCase() === type)
      replace({ start: entry.keyStart, end: entry.keyEnd }, type);
    for (const item of items) {
      const record = zone.records.at(index);
      if (!record || record.start !== item.start) continue; // it depends on a parameter without a default
      index++;
      // The content of an anchor is normalised at the anchor.
      if (typeOf(type).fields[0]?.kind === texts || item.kind !== "text" || item.via) continue;
      if (item.text.includes("$(") || text.slice(item.start, item.end).includes("$(")) continue;
      const fresh = withNotation(item.text, fromOctets(rdataText(record, spell)), zone.name);
      if (fresh !== item.text) replace(item, fresh);
    }
  }
  const trimmed = trimLines(applySplices(text, splices));
  return lineEndOf(text) === "\r\n" ? trimmed.replaceAll("\n", "\r\n") : trimmed;

  /** Replaces the text of a single-line scalar, keeping its quotes. */
  function replace({ start, end }: Pick<YamlNode, "start" | "end">, fresh: string): void {
    if (end <= start || text.slice(start, end).includes("\n")) return;
    splices.push({ start, end, text: printInline(fresh, { isFlow: true, isJson: false, like: quotesAt(start) }) });
  }

  function quotesAt(start: number): Scalar.Type | undefined {
    return text[start] === '"' ? "QUOTE_DOUBLE" : text[start] === "'" ? "QUOTE_SINGLE" : undefined;
  }
}

/** RDATA in its canonical spelling, with the names and times as the author wrote them. */
function withNotation(written: string, canonical: string, origin: Name): string {
  if (written === canonical) return canonical;
  const [words, own] = [splitRdata(written), splitRdata(canonical)];
  if (words.length !== own.length) return canonical;
  return own.map((word, index) => keepNotation(words[index] ?? word, word, origin)).join(" ");
}

/** Normalises line ends; outside scalars, removes trailing white space and repeated blank lines. */
function trimLines(text: string): string {
  let out = "";
  let pending = "";
  scanYaml(text.replaceAll("\r\n", "\n"), (token, _, isScalar) => {
    // White space is significant in a multi-line scalar.
    if (isScalar && token.includes("\n")) {
      out += squeezeSpace(pending) + token;
      pending = "";
    } else pending += token;
    return false;
  });
  return `${(out + squeezeSpace(pending)).replace(/^\n+/, "").replace(/\s*$/, "")}\n`;
}

function squeezeSpace(text: string): string {
  return text.replace(/[ \t]+(?=\n)/g, "").replace(/\n{3,}/g, "\n\n");
}
