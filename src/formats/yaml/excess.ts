import { Lexer } from "yaml";

/** What a text has too much of, and where that begins. */
export interface Excess {
  readonly offset: number;
  readonly summary: string;
  readonly fix: string;
}

/** Up to so many characters whatever stands there fits into memory. */
const harmless = 256 * 1024;
const mostTokens = 4_000_000;
const deepest = 100;

/**
 * Looks ahead where a YAML text would fill the memory once it is a tree: it takes up to 900 octets for each of its signs,
 * names and spaces. Undefined for a text that can be read.
 */
export function findExcess(text: string): Excess | undefined {
  if (text.length <= harmless) return undefined;
  let [offset, tokens, flow, block] = [0, 0, 0, 0];
  for (const token of new Lexer().lex(text)) {
    if (isMark(token)) continue;
    if (token === "[" || token === "{") flow++;
    else if (token === "]" || token === "}") flow--;
    else if (token === "-" || token === "?") block++;
    else if (token.endsWith("\n")) block = 0;
    if (flow > deepest || block > deepest)
      return { offset, summary: `the YAML is nested more than ${deepest} levels deep`, fix: "Reduce the nesting." };
    if (++tokens > mostTokens) {
      const summary = `the YAML has more than ${mostTokens} tokens`;
      return { offset, summary, fix: "Write a zone of this size as a master file (`.zone`)." };
    }
    offset += token.length;
  }
  return undefined;
}

/** What the lexer puts between the parts of the text: start of a document, of a scalar, an error in brackets. */
function isMark(token: string): boolean {
  return token === "\u0002" || token === "\u001f" || token === "\u0018";
}
