import { scanYaml } from "./scan-yaml.ts";

/** An error of the YAML parser, at offsets of its text. */
export interface YamlFault {
  readonly pos: readonly [start: number, end: number];
  readonly message: string;
}

/** The cause of a syntax error as a clause, and the fix. */
interface Advice {
  readonly cause: string;
  readonly fix: string;
}

/** Advice with the offsets of the cause, which may be before those of the parser's error. */
export interface YamlAdvice extends Advice {
  readonly start: number;
  readonly end: number;
}

const unusual: Advice = {
  cause: "this text is not valid here",
  fix: "Fix the YAML syntax here; the mistake may be a line or two earlier.",
};

const noColon: Advice = {
  cause: "this line is neither a key with a colon nor part of the value above",
  fix: 'Add a colon and a space after a key, start a list item with "- ", or indent the line further than its key.',
};
const listIndent: Advice = {
  cause: "the indentation of this list item matches no item above it",
  fix: 'Put its "-" below that of the other items.',
};
const blockHeader: Advice = {
  cause: "a value that starts with | or > is a text on the lines below",
  fix: "Put the value in quotes, or its text on the lines below, indented.",
};
const moreText: Advice = { cause: "more text follows the end of the value", fix: "Put the whole value in quotes." };
const tag: Advice = {
  cause: "a value that starts with ! is a tag, and this one is not valid",
  fix: "Put the value in quotes, or remove the tag.",
};
const longKey: Advice = {
  cause: "the key is longer than 1024 characters",
  fix: "Shorten it; a quote or a line break may be missing.",
};
const directive: Advice = {
  cause: "a line that starts with % is a directive, and this one is not valid",
  fix: "Remove the line.",
};
const strayClose = (close: string, open: string): Advice => ({
  cause: `this ${close} has no ${open} before it`,
  fix: `Remove it, or add the ${open}.`,
});

const openMap: Advice = { cause: "this { is not closed", fix: "Add the } that closes it." };
const openList: Advice = { cause: "this [ is not closed", fix: "Add the ] that closes it." };
const openQuote: Advice = { cause: "this quote is not closed", fix: "Add the quote at the end of the value." };
/** Characters, one of which is not closed, by advice. */
const unclosed = new Map([
  [openMap, "{"],
  [openList, "["],
  [openQuote, "\"'"],
]);

/** Advice by the beginning of the parser's message; the parser names its own terms, not the mistake. */
const adviceByMessage: readonly (readonly [beginning: string, Advice])[] = [
  ["Plain value cannot start with", { cause: "", fix: "Put it in quotes." }],
  [
    "Nested mappings are not allowed",
    {
      cause: "a value without quotes contains a colon",
      fix: 'Put a value that contains ": " or ends in ":" in quotes.',
    },
  ],
  ["Invalid escape sequence", { cause: "", fix: "Use single quotes, in which a backslash is literal." }],
  ["Tabs are not allowed", { cause: "tabs are not allowed as indentation", fix: "Indent with spaces." }],
  ["Flow map", openMap],
  ["Flow sequence", openList],
  ["Missing closing", openQuote],
  [
    "All mapping items must start at the same column",
    {
      cause: "the indentation of this line matches no line above it",
      fix: "Indent the line by as many spaces as the keys that it belongs to.",
    },
  ],
  ["All sequence items must start at the same column", listIndent],
  ["A block sequence may not be used as an implicit map key", listIndent],
  [
    "Sequence item without - indicator",
    {
      cause: "this line is not part of the list above it",
      fix: "Start the line with `- `, or indent it below the item above.",
    },
  ],
  ["Implicit keys", noColon],
  ["Implicit map keys", noColon],
  [
    "Block collections are not allowed within flow",
    {
      cause: "a value in brackets contains a colon or a list item",
      fix: 'Separate values with commas, and put a value that contains ": " or ends in ":" in quotes.',
    },
  ],
  ["Missing ,", { cause: "a comma is missing between two values in brackets", fix: "Add the comma." }],
  ["Missing space after :", { cause: "a space is missing after the colon", fix: "Add the space." }],
  ["Unexpected , in", { cause: "a comma has no value before it", fix: "Remove the comma, or add the value." }],
  [
    "Unexpected empty item",
    { cause: "a value is missing between two commas", fix: "Remove one comma, or add the value." },
  ],
  ["Unexpected flow-seq-end", strayClose("]", "[")],
  ["Unexpected flow-map-end", strayClose("}", "{")],
  [
    "Unexpected block-seq-ind",
    {
      cause: 'a list item ("- ") is on the line of its key',
      fix: 'Put each item on a line of its own, write the list as `[a, b]`, or put a text that starts with "- " in quotes.',
    },
  ],
  [
    "Comments must be separated",
    {
      cause: "a space is missing before #",
      fix: "Add a space before a comment, or put a value that contains # in quotes.",
    },
  ],
  [
    "Tags and anchors must be separated",
    {
      cause: "a value that starts with & or ! is an anchor or tag, and a space is missing after it",
      fix: "Put the value in quotes, or add the space.",
    },
  ],
  ["Anchor cannot be an empty string", { cause: "a value without quotes cannot be &", fix: "Put it in quotes." }],
  ["Alias cannot be an empty string", { cause: "a value without quotes cannot be *", fix: "Put it in quotes." }],
  ["A node can have at most one anchor", { cause: "the value has two anchors", fix: "Remove one of them." }],
  ["A node can have at most one tag", { cause: "the value has two tags", fix: "Remove one of them." }],
  [
    "An alias node must not",
    { cause: "an alias has an anchor or tag before it", fix: "Remove that before the alias." },
  ],
  ["Anchors and tags must be after", { cause: "an anchor or tag is before its item", fix: "Put it after the - or ?." }],
  ...["Verbatim tags", "Could not resolve tag", "Not a valid tag", "Unresolved tag", "The !", "Expected a "].map(
    (beginning) => [beginning, tag] as const,
  ),
  ["The : indicator must be at most 1024", longKey],
  [
    "Block scalars with more-indented leading empty lines",
    {
      cause: "the first line of this text is blank and indented further than the text",
      fix: "Remove the white space of blank lines.",
    },
  ],
  ["Block scalar header", blockHeader],
  ["Not a YAML token", blockHeader],
  [
    "Block scalar lines must not be less indented",
    { cause: "the first line of this text is indented further than the others", fix: "Indent its lines alike." },
  ],
  [
    "Missing directives-end",
    { cause: "a line that starts with % needs a line --- below it", fix: "Remove the line, or add `---`." },
  ],
  ["%", directive],
  ["Unsupported YAML version", directive],
  ["Block collection cannot start on same line", { cause: "text follows ---", fix: "Start a new line after `---`." }],
];

/** Advice by the text of a line, which tells more than the message. */
const adviceByLine: readonly (readonly [line: RegExp, advice: (...found: string[]) => Advice])[] = [
  [
    /\{\{|\{%|\$\{/,
    (found) => ({
      cause: `${found} starts a placeholder that nothing replaces here`,
      fix: "Fill in the placeholders of other tools first. Parameters of templates are written `$(name)`.",
    }),
  ],
  [/^\s*(?:\/\/|\/\*|;)/, () => ({ cause: "comments start with #", fix: "Start the line with #." })],
  [/^[^"'#]*：/, () => ({ cause: "the colon is a full-width character", fix: 'Write ":" and a space.' })],
  [
    /^\s*(?:- )?[A-Za-z_]\w*:[^\s:/]\S*$/,
    () => ({ cause: "a space is missing after the colon", fix: "Add the space." }),
  ],
  [
    /^\s*(?:- )?([A-Za-z_][\w.-]*)$/,
    (_, key = "") => ({ cause: `"${key}" has no colon`, fix: `Write \`${key}:\` if it is a key.` }),
  ],
  [
    /^\s*([a-z_]+)(?: = ?| )(\S+)$/,
    (_, key = "", value = "") => ({ cause: `"${key}" has no colon`, fix: `Write \`${key}: ${value}\`.` }),
  ],
];

/** Messages about a line that lacks a colon or cannot be understood, for which the line is examined. */
const ofLine = [
  "Implicit",
  "Unexpected scalar at node end",
  "Missing , or :",
  "Plain value cannot start with directive",
];

/** Explains an error of the YAML parser in terms of the text, without the words of the parser. */
export function explainYamlFault(text: string, fault: YamlFault): YamlAdvice {
  const [start, end] = fault.pos;
  const advice = adviceOf(text, fault);
  const opening = unclosed.get(advice);
  const at = opening === undefined ? undefined : findUnclosed(text, start, opening);
  return { ...advice, ...(at === undefined ? { start, end } : { start: at, end: at + 1 }) };
}

/** Finds the innermost of the given brackets or quotes that is open where the parser stopped. */
function findUnclosed(text: string, fault: number, opening: string): number | undefined {
  const open: { readonly token: string; readonly at: number }[] = [];
  scanYaml(text, (token, at, isScalar) => {
    if (at >= fault) return true;
    if (isScalar) return false;
    if (/^["'[{]/.test(token)) open.push({ token, at });
    else if (token === "]" || token === "}") {
      const from = open.findLastIndex(({ token: one }) => one === (token === "]" ? "[" : "{"));
      if (from !== -1) open.splice(from);
    }
    return false;
  });
  return open.findLast(({ token }) => opening.includes(token.charAt(0)))?.at;
}

function adviceOf(text: string, { pos: [start], message }: YamlFault): Advice {
  if (ofLine.some((beginning) => message.startsWith(beginning))) {
    const end = text.indexOf("\n", start);
    const line = text.slice(text.lastIndexOf("\n", start - 1) + 1, end === -1 ? text.length : end).trimEnd();
    for (const [pattern, advice] of adviceByLine) {
      const found = pattern.exec(line);
      if (found) return advice(...found);
    }
  }
  const [, advice = unusual] = adviceByMessage.find(([beginning]) => message.startsWith(beginning)) ?? [];
  if (message.startsWith("Plain value"))
    return { ...advice, cause: `a value without quotes cannot start with ${text[start] ?? ""}` };
  if (message.startsWith("Invalid escape"))
    return { ...advice, cause: `double quotes do not allow the escape sequence ${text.slice(start, start + 2)}` };
  if (message.includes(" at node end")) return { ...moreText, fix: fixOfQuotes(text.slice(0, start).trimEnd().at(-1)) };
  const [, kind] = /^Flow (map|sequence) in block collection/.exec(message) ?? [];
  const [open, close] = kind === "map" ? "{}" : "[]";
  if (kind && open && close && text.split(open).length === text.split(close).length)
    return {
      cause: `a line between ${open} and ${close} is not indented further than its key`,
      fix: `Indent it with spaces, and the ${close} too.`,
    };
  if (message.startsWith("Nested") && /^[?:](?:\s|$)/.test(text.slice(start, start + 2)))
    return { cause: `a value without quotes cannot start with "${text[start]} "`, fix: "Put it in quotes." };
  return advice;
}

/** The fix for text after a value that ends in a character. */
function fixOfQuotes(last: string | undefined): string {
  if (last === "'") return "Put the whole value in double quotes, or write '' for ' within single quotes.";
  if (last === '"') return 'Put the whole value in single quotes if it contains ", and several values in [ ].';
  if (last === "}" || last === "]") return `Remove it, or the ${last} before it.`;
  return moreText.fix;
}
