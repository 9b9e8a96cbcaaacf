import { scanYaml } from "../../diagnostics/scan-yaml.ts";
import { explainYamlFault, type YamlFault } from "../../diagnostics/yaml-message.ts";

/** A syntax error of a YAML text, from offset `start` to `end`. */
export interface SyntaxFault {
  readonly start: number;
  readonly end: number;
  readonly summary: string;
  readonly fix: string;
}

/**
 * Explains the first error of the parser. The parser reports some errors after their cause: an unquoted wildcard as a
 * key, which is an alias in YAML, and an unclosed quote.
 */
export function explainSyntax(text: string, fault: YamlFault): SyntaxFault {
  const found = findBareWildcard(text, fault.pos[0]) ?? findUnclosedQuote(text, fault.pos[0]);
  if (found) return found;
  const { start, end, cause, fix } = explainYamlFault(text, fault);
  const isApex = text.startsWith("@:", start);
  return {
    start,
    end,
    summary: `invalid YAML: ${cause}`,
    fix: isApex ? 'Put the key in quotes: `"@":`.' : fix,
  };
}

/**
 * Finds the first quote that is not closed on its line. Its text continues to the next such quote, where the parser
 * stops; since multi-line quoted texts are rare in zone files, the first one is the likely cause.
 */
function findUnclosedQuote(text: string, fault: number): SyntaxFault | undefined {
  let found: SyntaxFault | undefined;
  scanYaml(text, (token, start) => {
    const [quote] = /^["']/.exec(token) ?? [];
    if (start > fault || quote === undefined) return start > fault;
    if (!token.includes("\n") && token.length > 1 && token.endsWith(quote)) return false;
    const lineEnd = `${text}\n`.indexOf("\n", start);
    const end = text[lineEnd - 1] === "\r" ? lineEnd - 1 : lineEnd;
    const summary = `this ${quote} is not closed on its line`;
    found = { start, end, summary, fix: `Add the ${quote} at the end of the value, or remove this one.` };
    return true;
  });
  return found;
}

/** Finds `*:` or `*.dev:` in the line of an offset, or in the last non-empty line before it. */
function findBareWildcard(text: string, offset: number): SyntaxFault | undefined {
  const from = text.lastIndexOf("\n", text.slice(0, text.lastIndexOf("\n", offset - 1) + 1).trimEnd().length - 1) + 1;
  const lineEnd = text.indexOf("\n", offset);
  const to = lineEnd === -1 ? text.length : lineEnd;
  let found: SyntaxFault | undefined;
  scanYaml(text, (token, start, isScalar) => {
    const [, key] = (!isScalar && start >= from && /^(\*[^\s"',{}]*):$/.exec(token)) || [];
    if (key === undefined || start >= to) return start >= to;
    found = {
      start,
      end: start + key.length,
      summary: `invalid YAML: ${key} without quotes is an alias`,
      fix: `Put the key in quotes: \`"${key}":\`.`,
    };
    return true;
  });
  return found;
}
