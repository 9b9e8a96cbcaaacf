import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { readYaml } from "../../src/formats/yaml/read.ts";
import { apiSettings } from "../../src/targets/api/settings.ts";
import { domainName } from "../names.ts";

const origin = domainName("example.com.");

/** Files with one mistake: its place, cause and fix. At least one for each code of the parser that a file can cause. */
const mistakes: [text: string, place: string, cause: string, fix: string][] = [
  ["records:\n  www:\n    MX: @", "3:9", "a value without quotes cannot start with @", "Put it in quotes."],
  ["records:\n  www:\n    CNAME: `x`", "3:12", "a value without quotes cannot start with `", "Put it in quotes."],
  [
    "records:\n  www: A: 192.0.2.1",
    "2:8",
    "a value without quotes contains a colon",
    'Put a value that contains ": " or ends in ":" in quotes.',
  ],
  ["records:\n  www:\n    TXT: ? a", "3:10", 'a value without quotes cannot start with "? "', "Put it in quotes."],
  [
    "records: { www: { AAAA: 2001:db8:: } }",
    "1:25",
    "a value in brackets contains a colon or a list item",
    'Separate values with commas, and put a value that contains ": " or ends in ":" in quotes.',
  ],
  [
    "records:\n  www: { A: 192.0.2.1; TXT: x }",
    "2:13",
    "a value in brackets contains a colon or a list item",
    'Separate values with commas, and put a value that contains ": " or ends in ":" in quotes.',
  ],
  ["records:\n  www:\n    A:192.0.2.1\n    AAAA: ::1", "3:5", "a space is missing after the colon", "Add the space."],
  ["records\n  www:\n    A: 192.0.2.1", "1:1", '"records" has no colon', "Write `records:` if it is a key."],
  [
    "soa_email hostmaster@example.com\nrecords: {}",
    "1:1",
    '"soa_email" has no colon',
    "Write `soa_email: hostmaster@example.com`.",
  ],
  ["soa_email = a@b.example\nrecords: {}", "1:1", '"soa_email" has no colon', "Write `soa_email: a@b.example`."],
  ["records：\n  www:\n    A: 192.0.2.1", "1:1", "the colon is a full-width character", 'Write ":" and a space.'],
  ["; c\nrecords: {}", "1:1", "comments start with #", "Start the line with #."],
  [
    "records:\n{% for x in y %}\n  www: { A: 192.0.2.1 }\n{% endfor %}",
    "2:2",
    "{% starts a placeholder that nothing replaces here",
    "Fill in the placeholders of other tools first. Parameters of templates are written `$(name)`.",
  ],
  [
    "records: { ${zone}: { A: 192.0.2.1 } }",
    "1:13",
    "${ starts a placeholder that nothing replaces here",
    "Fill in the placeholders of other tools first. Parameters of templates are written `$(name)`.",
  ],
  [
    "records:\n  www:\n    A:\n    - 192.0.2.1\n    192.0.2.2",
    "5:5",
    "this line is neither a key with a colon nor part of the value above",
    'Add a colon and a space after a key, start a list item with "- ", or indent the line further than its key.',
  ],
  [
    "records:\n  www:\n    A:\n      - 192.0.2.1\n     - 192.0.2.2",
    "5:1",
    "the indentation of this list item matches no item above it",
    'Put its "-" below that of the other items.',
  ],
  [
    "records:\n  www:\n     A: 192.0.2.1\n    AAAA: ::1",
    "4:1",
    "the indentation of this line matches no line above it",
    "Indent the line by as many spaces as the keys that it belongs to.",
  ],
  ["records:\n\twww: { A: 192.0.2.1 }", "2:1", "tabs are not allowed as indentation", "Indent with spaces."],
  [
    "records: {\nwww: { A: 192.0.2.1 }\n}",
    "2:1",
    "a line between { and } is not indented further than its key",
    "Indent it with spaces, and the } too.",
  ],
  ["records:\n  www: { A: [192.0.2.1 }", "2:13", "this [ is not closed", "Add the ] that closes it."],
  [
    "records:\n  www: { A: [192.0.2.1], TXT: '{'\n  mail: { A: 192.0.2.2 }\n",
    "2:8",
    "this { is not closed",
    "Add the } that closes it.",
  ],
  ["records: { a: { A: 192.0.2.1 }\nzone: a\n", "1:10", "this { is not closed", "Add the } that closes it."],
  [
    "records:\n  www:\n    A: [192.0.2.1,\n      192.0.2.2\n    TXT: [a]\n",
    "3:8",
    "this [ is not closed",
    "Add the ] that closes it.",
  ],
  [
    "records:\n  www:\n    A: { values: [192.0.2.1], ttl_sec: 1h\n",
    "3:8",
    "this { is not closed",
    "Add the } that closes it.",
  ],
  ["records:\n  www: { A: 192.0.2.1 }}", "2:24", "this } has no { before it", "Remove it, or add the {."],
  [
    'records:\n  www:\n    TXT: "v=spf1 -all\n    A: 192.0.2.1',
    "3:10",
    'this " is not closed on its line',
    'Add the " at the end of the value, or remove this one.',
  ],
  [
    'records:\n  www:\n    CAA: "0 issue "letsencrypt.org""',
    "3:20",
    "more text follows the end of the value",
    'Put the whole value in single quotes if it contains ", and several values in [ ].',
  ],
  [
    "records:\n  www:\n    TXT: 'it's'",
    "3:14",
    "more text follows the end of the value",
    "Put the whole value in double quotes, or write '' for ' within single quotes.",
  ],
  [
    "records:\n  www: { A: 192.0.2.1 },",
    "2:24",
    "more text follows the end of the value",
    "Remove it, or the } before it.",
  ],
  [
    'records:\n  www:\n    TXT: "a\\;b"',
    "3:12",
    "double quotes do not allow the escape sequence \\;",
    "Use single quotes, in which a backslash is literal.",
  ],
  [
    "records:\n  www:\n    A: [192.0.2.1,, 192.0.2.2]",
    "3:19",
    "a comma has no value before it",
    "Remove the comma, or add the value.",
  ],
  [
    "{ records: { www: { A: 192.0.2.1 }\n mail: { A: 192.0.2.1 } } }",
    "2:2",
    "a comma is missing between two values in brackets",
    "Add the comma.",
  ],
  [
    "records:\n  www: { A: 192.0.2.1,#c\n }",
    "2:23",
    "a space is missing before #",
    "Add a space before a comment, or put a value that contains # in quotes.",
  ],
  [
    "templates: - web",
    "1:12",
    'a list item ("- ") is on the line of its key',
    'Put each item on a line of its own, write the list as `[a, b]`, or put a text that starts with "- " in quotes.',
  ],
  [
    "records:\n  www:\n    TXT: |x y",
    "3:11",
    "a value that starts with | or > is a text on the lines below",
    "Put the value in quotes, or its text on the lines below, indented.",
  ],
  ["records:\n  www:\n    TXT: &", "3:10", "a value without quotes cannot be &", "Put it in quotes."],
  ["records:\n  www:\n    TXT: *", "3:10", "a value without quotes cannot be *", "Put it in quotes."],
  ...(
    [
      ['records:\n  "@": { A: 192.0.2.1 }\n  *: { A: 192.0.2.1 }', "3:3", "*"],
      ['records:\n  a:\n    TXT: "a * b"\n  *.dev:\n    A: 192.0.2.1', "4:3", "*.dev"],
      ["records:\n  a: { TXT: 'b *: c' }\n  *.dev: { A: 192.0.2.1 }", "3:3", "*.dev"],
      ['records: { "@": { A: 192.0.2.1 }, *: { A: 192.0.2.1 } }', "1:35", "*"],
    ] as const
  ).map(([text, place, key]): [string, string, string, string] => [
    text,
    place,
    `${key} without quotes is an alias`,
    `Put the key in quotes: \`"${key}":\`.`,
  ]),
  ["records:\n  www: &a *b", "2:11", "an alias has an anchor or tag before it", "Remove that before the alias."],
  ["records:\n  &a &b www: { A: 192.0.2.1 }", "2:6", "the value has two anchors", "Remove one of them."],
  ["records:\n  www: !a !b { A: 192.0.2.1 }", "2:11", "the value has two tags", "Remove one of them."],
  [
    "records:\n  www: &a{ A: 192.0.2.1 }",
    "2:10",
    "a value that starts with & or ! is an anchor or tag, and a space is missing after it",
    "Put the value in quotes, or add the space.",
  ],
  [
    "records:\n  www:\n    TXT: !e!x y",
    "3:10",
    "a value that starts with ! is a tag, and this one is not valid",
    "Put the value in quotes, or remove the tag.",
  ],
  [
    "%TAG !\n---\nrecords: {}",
    "1:1",
    "a line that starts with % is a directive, and this one is not valid",
    "Remove the line.",
  ],
  [
    "%YAML 1.2\nrecords: {}",
    "2:1",
    "a line that starts with % needs a line --- below it",
    "Remove the line, or add `---`.",
  ],
  ["--- records: {}", "1:5", "text follows ---", "Start a new line after `---`."],
  [
    "records:\n  www:\n    TXT: |\n\t\tx",
    "4:1",
    "the first line of this text is blank and indented further than the text",
    "Remove the white space of blank lines.",
  ],
  [
    `records:\n  ${"a".repeat(1100)}: { A: 192.0.2.1 }`,
    "2:3",
    "the key is longer than 1024 characters",
    "Shorten it; a quote or a line break may be missing.",
  ],
];

test.each(mistakes)("explains %j", (text, at, cause, fix) => {
  const { problems } = readYaml({ file: "z.yaml", bytes: Buffer.from(text), origin, settings: apiSettings });
  expect(problems.map(({ id, place, summary, fix }) => [id, `${place?.line}:${place?.column}`, summary, fix])).toEqual([
    ["yaml-syntax", at, expect.stringMatching(/^invalid YAML: |^this ["']/), fix],
  ]);
  const [summary = ""] = problems.map((found) => found.summary);
  expect(summary.replace("invalid YAML: ", "")).toBe(cause);
  const documents = parseAllDocuments(text, { merge: true, logLevel: "silent" });
  const [said] = Array.isArray(documents) ? documents.flatMap(({ errors }) => errors) : [];
  const words = said?.message.split(/ at line \d+/)[0] ?? "";
  expect(words).not.toBe("");
  expect(summary).not.toContain(words);
});
