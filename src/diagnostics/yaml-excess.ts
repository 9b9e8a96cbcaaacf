import { scanYaml } from "./scan-yaml.ts";

/** The most levels of nesting. The parser needs its stack for each, and ends the process if a stack overflows in V8. */
const deepest = 100;
export const mostTokens = 4_000_000;
/** Texts up to this number of characters cannot have too many tokens: of two tokens, one may be empty. */
const harmless = mostTokens / 2;

/** The part of a YAML text that exceeds a limit. */
export interface YamlExcess {
  readonly at: number;
  readonly summary: string;
  readonly fix: string;
}

/** The place at which a text exceeds the limits of its tree, which takes up to 900 octets for each token. */
export function findYamlExcess(text: string): YamlExcess | undefined {
  const indented = findDeepIndent(text);
  if (indented !== undefined) return tooDeep(indented);
  if (text.length <= harmless && !mayNestDeeply(text)) return undefined;
  let excess: YamlExcess | undefined;
  let [tokens, flow] = [0, 0];
  scanYaml(text, (token, at) => {
    if (token === "[" || token === "{") flow++;
    else if (token === "]" || token === "}") flow--;
    if (flow > deepest) excess = tooDeep(at);
    else if (++tokens > mostTokens) {
      const summary = `the YAML has more than ${mostTokens} tokens`;
      excess = { at, summary, fix: "Write a zone of this size as a BIND zone file (`.zone`)." };
    }
    return excess !== undefined;
  });
  return excess;
}

function tooDeep(at: number): YamlExcess {
  return { at, summary: `the YAML is nested more than ${deepest} levels deep`, fix: "Reduce the nesting." };
}

/** The offset of the line at which indentation and dashes reach too many levels. */
function findDeepIndent(text: string): number | undefined {
  const columns: number[] = [];
  for (const { 0: start, index } of text.matchAll(/^ *(?:[-?] +)*(?=[^\s#])/gm)) {
    const indent = start.search(/[-?]|$/);
    while ((columns.at(-1) ?? -1) >= indent) columns.pop();
    for (const { index: column } of start.matchAll(/[-?]|$/g)) columns.push(column);
    if (columns.length > deepest + 1) return index;
  }
  return undefined;
}

/**
 * Whether collections in brackets may be nested deeply; false is certain. It is much faster than the lexer, because it
 * does not tell brackets in quotes and comments from others: there, it counts only those that open.
 */
function mayNestDeeply(text: string): boolean {
  let depth = 0;
  for (const { 0: line } of text.matchAll(/^.*[[\]{}].*$/gm)) {
    const isPlain = !/["'#]/.test(line);
    for (const { 0: bracket } of line.matchAll(/[[\]{}]/g)) {
      if (bracket === "[" || bracket === "{") depth++;
      else if (isPlain && depth > 0) depth--;
      if (depth > deepest) return true;
    }
  }
  return false;
}
