import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { readPlainYaml } from "../../src/diagnostics/plain-yaml.ts";
import type { Problem } from "../../src/diagnostics/problem.ts";
import { SourceText } from "../../src/diagnostics/source-text.ts";
import { findYamlExcess } from "../../src/diagnostics/yaml-excess.ts";
import { findComments, findCommentsWithLibrary } from "../../src/formats/yaml/comments.ts";
import { readTreeWithLibrary, type YamlNode } from "../../src/formats/yaml/tree.ts";
import { corpus } from "./corpus.ts";
import { mutated, words } from "./inputs.ts";

/** Compares the readings of generated and mutated YAML files. Returns whether all were equal. */
export function fuzzPlainYaml(count = 200_000, seed = Date.now() & 0x7fffffff): boolean {
  process.stdout.write(`seed ${seed}, ${count} files\n`);
  let plain = 0;
  const property = fc.property(yamlTexts(true), (text) => {
    if (compareReadings(text)) plain++;
  });
  const result = fc.check(property, { numRuns: count, seed });
  process.stdout.write(`${result.numRuns} files, ${plain} of them plain\n`);
  if (!result.failed) return true;
  const error = result.errorInstance;
  process.stdout.write(
    `${error instanceof Error ? error.message : error}\n${JSON.stringify(result.counterexample?.[0])}\n`,
  );
  return false;
}

/**
 * Compares the plain reader with the YAML library: nodes, texts, places, comments, and that there is no problem. False
 * if the plain reader leaves the file to the library.
 * @throws {Error} that says what differs
 */
export function compareReadings(text: string): boolean {
  const source = new SourceText("a.yaml", text);
  const plain = readPlainYaml(source);
  if (!plain) return false;
  const problems: Problem[] = [];
  const read = readTreeWithLibrary(source, (found) => problems.push(found));
  const [problem] = problems;
  if (problem) throw new Error(`the library reports: ${problem.summary}`);
  if (findYamlExcess(text)) throw new Error("the file exceeds the limits");
  expectSame("trees", bare(plain.root), read && bare(read.root));
  expectSame("comments", findComments(text), findCommentsWithLibrary(text));
  return true;
}

function expectSame(what: string, own: unknown, other: unknown): void {
  if (isDeepStrictEqual(own, other)) return;
  throw new Error(`the ${what} differ:\n${JSON.stringify(own)}\n${JSON.stringify(other)}`);
}

/** A node without those of the library. */
function bare({ via, node: _, ...node }: YamlNode): unknown {
  if (via) throw new Error("the file has an alias");
  if (node.kind === "text") return node;
  if (node.kind === "list") return { ...node, items: node.items.map(bare) };
  return {
    ...node,
    entries: node.entries.map(({ value, via, pair: _, ...entry }) => ({ ...entry, value: bare(value) })),
  };
}

/** YAML files, most of them with an unusual detail or a few changes. */
export function yamlTexts(withReal: boolean): fc.Arbitrary<string> {
  const files = corpus(withReal);
  const known = fc.constantFrom(...files.yaml, ...files.octodns).map((text) => Buffer.from(text, "latin1").toString());
  const near = [...words.yaml, ...words.octodns, ...details].map((text) => Buffer.from(text, "latin1").toString());
  return fc.oneof(
    { weight: 3, arbitrary: documents },
    { weight: 4, arbitrary: mutated(documents, near) },
    { weight: 3, arbitrary: mutated(known, near) },
  );
}

const listOf = (words: string) => words.split("¦");

/** Parts that the readers could take differently. */
const details = [
  ...listOf(
    "\n\n¦\n  ¦\n    # note\n¦ # note¦#¦ #¦:¦: ¦ : ¦-¦- - ¦-\n¦?¦? ¦'¦''¦\"¦\\\"¦a: b¦a: b\n¦- a\n¦---\n¦--- ¦...\n¦<<: ¦~¦null",
  ),
  ...listOf(
    'Null¦0x1F¦1e3¦.inf¦true¦yes¦[a, b]¦{a: b}¦[a, ]¦{ a: [b] }¦{"a":1}¦[]¦{}¦[¦]¦{¦}¦,¦ \n¦\t¦\r\n¦\r¦|¦>¦&a¦*a¦!a¦%¦@¦`',
  ),
  ...["", "\u00a0", "\u0085", "\u2028", "\ufeff", "\n      more", "\n\n  more", "\n more # note"],
];

const plainScalars = [
  ...listOf(
    "a¦a b¦192.0.2.1¦2001:db8::1¦::1¦-1¦--¦-a¦:a¦?a¦a#b¦a:b¦http://a/b¦a'b¦a\"b¦0 issue x¦é¦日本¦a\\b¦a\\;¦$(a)¦(a)¦a  b",
  ),
  ...listOf("~¦null¦NULL¦true¦no¦1¦010¦1.5¦0x1F¦1h¦<<¦="),
];
const blockScalars = listOf("a, b¦a [b]¦a {b}¦a]¦x-[1]¦a\n    b¦a b  \n\n      c\n      - d¦~\n      'a'\n       &b");
const quotedScalars = listOf(
  '""¦\'\'¦"a"¦\'a\'¦"a: b"¦\'a # b\'¦"a\\"b"¦"\\\\"¦\'it\'\'s\'¦"[a]"¦"<<"¦"é"¦"a\tb"¦"a\\nb"',
);
const keys = fc.constantFrom(
  ...listOf('a¦b¦c¦d¦www¦mail¦A¦TXT¦MX¦records¦zone¦values¦ttl¦a b¦1¦2.5¦~¦"@"¦\'*\'¦"a b"¦a.b¦_dmarc¦é¦a:b¦-a'),
);

const spaces = fc.constantFrom("", "", "", " ", "  ");
const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((parts) => parts.join(""));
const unquoted = (key: string) => key.replaceAll(/["' ]/g, "");

/** A value on one line: a scalar, a list or a map. */
const { inline } = fc.letrec<{ inline: string }>((tie) => {
  const entry = fc.tuple(spaces, keys, fc.constantFrom(": ", ": ", ":  ", " : "), tie("inline"), spaces);
  return {
    inline: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      { weight: 2, arbitrary: fc.constantFrom(...plainScalars, ...quotedScalars) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.array(joined(spaces, tie("inline"), spaces), { maxLength: 3 }), fc.constantFrom("", "", ",", " , "))
          .map(([items, end]) => `[${items.join(",")}${items.length > 0 ? end : ""}]`),
      },
      {
        weight: 1,
        arbitrary: fc
          .uniqueArray(entry, { maxLength: 3, selector: ([, key]) => unquoted(key) })
          .map((entries) => `{${entries.map((parts) => parts.join("")).join(",")}}`),
      },
    ),
  };
});

/** The end of a line, with comments and blank lines. */
const lineEnds = fc.oneof(
  { weight: 8, arbitrary: fc.constant("\n") },
  fc.constantFrom(...listOf(" \n¦ # note\n¦  # note #2\n¦\n\n¦\n      \n")),
  fc.constantFrom(
    ...listOf(
      "\n# one\n¦\n  # one\n¦\n    # one\n¦\n   # one\n # two\n\n¦\n      # one\n\n      # two\n  # three\n        # four\n",
    ),
  ),
);

/** The entries of a block, each a text of lines; the collection around it indents them. */
const { block } = fc.letrec<{ block: readonly string[] }>((tie) => {
  const value = joined(fc.oneof({ weight: 3, arbitrary: inline }, fc.constantFrom(...blockScalars)), lineEnds);
  const below = fc.tuple(lineEnds, fc.constantFrom(0, 1, 2, 2, 2, 4), tie("block")).map(([end, width, entries]) => {
    const isList = entries.every((entry) => entry.startsWith("-"));
    return end + indent(entries, isList ? width : Math.max(1, width));
  });
  const entry = fc.tuple(
    keys,
    fc.constantFrom(":", ":", ":", " :"),
    fc.oneof({ weight: 3, arbitrary: joined(fc.constantFrom(" ", "  "), value) }, { weight: 2, arbitrary: below }),
  );
  const item = fc
    .tuple(
      fc.constantFrom("- ", "- ", "-   "),
      fc.oneof(
        value.map((text) => [text]),
        tie("block"),
      ),
    )
    .map(([sign, entries]) => sign + indent(entries, sign.length).slice(sign.length));
  return {
    block: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc
        .uniqueArray(entry, { minLength: 1, maxLength: 4, selector: ([key]) => unquoted(key) })
        .map((entries) => entries.map((parts) => parts.join(""))),
      fc.array(item, { minLength: 1, maxLength: 4 }),
    ),
  };
});

/** Indents lines, but neither blank ones nor those of a comment. */
function indent(entries: readonly string[], width: number): string {
  return entries.join("").replaceAll(/^(?= *[^\s#])/gm, " ".repeat(width));
}

const documents = fc
  .tuple(
    fc.constantFrom("", "", "", "---\n", "# head\n", "# head\n---\n", "\n", "--- # start\n", " \n  # head\n"),
    block,
    fc.constantFrom("", "", "", "", "# end\n", "  # end", "\n\n", "...\n"),
    fc.constantFrom("\n", "\n", "\n", "\r\n"),
    fc.boolean(),
  )
  .map(([head, entries, tail, lineEnd, isEnded]) => {
    const text = head + entries.join("") + tail;
    return (isEnded ? text : text.replace(/\n$/, "")).replaceAll("\n", lineEnd);
  });
