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
  ["Flow map in block collection", "Add the } that closes it.", "a { is not closed"],
  ["Flow sequence in block collection", "Add the ] that closes it.", "a [ is not closed"],
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

/** The cause and the fix for a message of the YAML parser. */
export function explainYamlMessage(message: string): { readonly cause: string; readonly fix: string } {
  const text = message.split(/ at line \d+|\n/)[0] ?? message;
  const [, fix = usualFix, cause = text] = fixesByMessage.find(([beginning]) => text.startsWith(beginning)) ?? [];
  return { cause, fix };
}
