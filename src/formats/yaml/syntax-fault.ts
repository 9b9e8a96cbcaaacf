import { Lexer } from "yaml";

/** A place where YAML stopped making sense, in words for who wrote the file. Offsets of its text. */
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

/** What stands here needs quotes: by the beginning of the parser's message. */
const wantsQuotes: readonly [message: string, fix: string][] = [
  ["Plain value cannot start with", "Put it in quotes."],
  ["Nested mappings are not allowed", 'Put a value that contains ": " or ends in ":" in quotes.'],
  ["Invalid escape sequence", "Use single quotes, in which a backslash stands for itself."],
  ["Tabs are not allowed", "Indent with spaces."],
];

/**
 * The parser's first fault. A wildcard as key without quotes is an alias to YAML, which the parser notices only behind
 * it, so it is looked for before anything else.
 */
export function syntaxFault(text: string, { pos: [start, end], message }: YamlFault): SyntaxFault {
  const cause = bareWildcard(text, start) ?? unclosedQuote(text, start);
  if (cause) return cause;
  const said = message.split(/ at line \d+|\n/)[0] ?? message;
  const [, fix] = wantsQuotes.find(([beginning]) => said.startsWith(beginning)) ?? [];
  const cure = text.startsWith("@:", start) ? 'Put the key in quotes: `"@":`.' : fix;
  return {
    start,
    end,
    summary: `invalid YAML: ${said}`,
    fix: cure ?? "Fix the YAML syntax here; the mistake may be a line or two earlier.",
  };
}

/**
 * A quote that is not closed in its line takes what follows into its text, up to the next quote of its kind, where the
 * parser stops. Texts of several lines in quotes are so rare in zone files that the first one is the cause.
 */
function unclosedQuote(text: string, fault: number): SyntaxFault | undefined {
  let at = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === "\u0002" || token === "\u001f" || token === "\u0018") continue;
    if (at > fault) return undefined;
    if (/^["']/.test(token) && (token.includes("\n") || token.length === 1 || token.at(-1) !== token[0])) {
      const lineEnd = `${text}\n`.indexOf("\n", at);
      const isDouble = token.startsWith('"');
      return {
        start: at,
        end: text[lineEnd - 1] === "\r" ? lineEnd - 1 : lineEnd,
        summary: `this ${isDouble ? '"' : "'"} is not closed on its line`,
        fix: `Add the ${isDouble ? '"' : "'"} at the end of the value, or remove this one.`,
      };
    }
    at += token.length;
  }
  return undefined;
}

/** `*:` or `*.dev:` in the line of an offset, or in the line with something in it before that. */
function bareWildcard(text: string, offset: number): SyntaxFault | undefined {
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
