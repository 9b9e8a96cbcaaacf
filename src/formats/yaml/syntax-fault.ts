import { scanYaml } from "./scan.ts";

/** A syntax error of a YAML text, from offset `start` to `end`. */
export interface SyntaxFault {
  readonly start: number;
  readonly end: number;
  readonly summary: string;
  readonly fix: string;
}

interface YamlFault {
  readonly pos: readonly [number, number];
  readonly message: string;
}

const usualFix = "Fix the YAML syntax here; the mistake may be a line or two earlier.";

/** Fixes by the beginning of the parser's message, with the cause if the message is about the parser. */
const fixesByMessage: readonly [message: string, fix: string, cause?: string][] = [
  ["Plain value cannot start with", "Put it in quotes."],
  [
    "Nested mappings are not allowed",
    'Put a value that contains ": " or ends in ":" in quotes.',
    "a value without quotes contains a colon",
  ],
  ["Invalid escape sequence", "Use single quotes, in which a backslash is literal."],
  ["Tabs are not allowed", "Indent with spaces."],
  [
    "All mapping items must start at the same column",
    "Indent the line by as many spaces as the keys that it belongs to.",
    "the indentation of this line matches no line above it",
  ],
  [
    "Sequence item without - indicator",
    "Start the line with `- `, or indent it below the item above.",
    "this line is not part of the list above it",
  ],
];

/**
 * Explains the first error of the parser. The parser reports some errors after their cause: an unquoted wildcard as a
 * key, which is an alias in YAML, and an unclosed quote.
 */
export function explainSyntax(text: string, { pos: [start, end], message }: YamlFault): SyntaxFault {
  const found = findBareWildcard(text, start) ?? findUnclosedQuote(text, start);
  if (found) return found;
  const cause = message.split(/ at line \d+|\n/)[0] ?? message;
  const [, fix, ownCause] = fixesByMessage.find(([beginning]) => cause.startsWith(beginning)) ?? [];
  const isApex = text.startsWith("@:", start);
  return {
    start,
    end,
    summary: `invalid YAML: ${ownCause ?? cause}`,
    fix: isApex ? 'Put the key in quotes: `"@":`.' : (fix ?? usualFix),
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
  const [, before = "", key] =
    /^([^"'#]*?(?:^|[\s{,]))(\*[^\s"',{}]*):(?=\s|$)/m.exec(text.slice(from, lineEnd === -1 ? text.length : lineEnd)) ??
    [];
  if (key === undefined) return undefined;
  const start = from + before.length;
  return {
    start,
    end: start + key.length,
    summary: `invalid YAML: ${key} without quotes is an alias`,
    fix: `Put the key in quotes: \`"${key}":\`.`,
  };
}
