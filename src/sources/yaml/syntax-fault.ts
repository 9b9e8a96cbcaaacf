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
  ["Plain value cannot start with", "Write it in quotes."],
  ["Nested mappings are not allowed", 'Write a value that has ": " in it, or ends in ":", in quotes.'],
  ["Invalid escape sequence", "Write the text in single quotes, where a backslash stands for itself."],
  ["Tabs are not allowed", "Indent with spaces."],
];

/**
 * The parser's first fault. A wildcard as key without quotes is an alias to YAML, which the parser notices only behind
 * it, so it is looked for before anything else.
 */
export function syntaxFault(text: string, { pos: [start, end], message }: YamlFault): SyntaxFault {
  const wildcard = bareWildcard(text, start);
  if (wildcard) return wildcard;
  const said = message.split(/ at line \d+|\n/)[0] ?? message;
  const [, fix] = wantsQuotes.find(([beginning]) => said.startsWith(beginning)) ?? [];
  const cure = text.startsWith("@:", start) ? 'Write "@": in quotes.' : fix;
  return { start, end, summary: `not YAML: ${said}`, fix: cure ?? "Mend the YAML; the place is where it stopped making sense." }; // biome-ignore format: one thought
}

/** `*:` or `*.dev:` in the line of an offset, or in the line with something in it before that. */
function bareWildcard(text: string, offset: number): SyntaxFault | undefined {
  const from = text.lastIndexOf("\n", text.slice(0, text.lastIndexOf("\n", offset - 1) + 1).trimEnd().length - 1) + 1;
  const lineEnd = text.indexOf("\n", offset);
  const [, before = "", key] = /^([^"'#]*?(?:^|[\s{,]))(\*[^\s"',{}]*):(?=\s|$)/m.exec(text.slice(from, lineEnd === -1 ? text.length : lineEnd)) ?? []; // biome-ignore format: one thought
  if (key === undefined) return undefined;
  const start = from + before.length;
  return {
    start,
    end: start + key.length,
    summary: `not YAML: ${key} without quotes is an alias`,
    fix: `Write "${key}": in quotes.`,
  };
}
