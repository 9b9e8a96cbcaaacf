import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { problemIds, registry } from "../src/diagnostics/registry.ts";

/** Phrases that read as translated, each with the plain words for it. Only phrases without an innocent use. */
const banned: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/(?<!there )\bis no (?:setting|rule|name|address|JSON)\b/, 'invalid, or "is not a …"'],
  [/\bthat are no UTF-8\b/, "not valid UTF-8"],
  [/\b(?:what|which) the API (?:can hold|holds|does not hold)\b/, "supports"],
  [/\bthe API does not hold\b/, "supports"],
  [/\bmade milder\b/, "lowered"],
  [/\bso many (?:milliseconds|records|zones|percent)\b/i, "number of …"],
  [/\b(?:nobody|no one) approved\b/, "was not approved"],
  [/\bsays no to\b/, "rejects"],
  [/\bstands there (?:twice|already)\b/, "occurs twice, already exists"],
  [/\bare cut off by\b/, "interrupted"],
  [
    /\/\*\* (?:What|That which|Who|So many|Nobody|There (?:is|are)|How (?:many|much|often|long|far)|For how long|Where) /,
    "the noun",
  ],
  [/\/\*\* (?:Is|Are|Does|Do|Did|Can|May|Has|Have|Was|Would|Must) [^?]*\?/, "Whether …"],
  [/\bapart by\b/, "separated by"],
  [/\banew\b/, "again"],
  [/\b(?:passed|passes) over\b/, "skipped"],
  [/\b[Ll]etter case (?:does not count|aside)\b/, "ignoring case"],
  [/\bas (?:it|they) stands? (?:on|in|at)\b/, "as in"],
  [/\bstands here (?:again|twice)\b/, "is repeated"],
  [/\b(?:closes nothing|never closed)\b/, "has no matching …"],
  [/\bwould not say the same\b/, "would change …"],
  [/\bhears of\b/i, "is called with"],
  [/\b(?:somebody|nobody)\b/i, "someone, no one"],
];

const root = join(import.meta.dirname, "..");
const filesIn = (folder: string, ending: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(ending))
    .map((file) => [join(folder, file), readFileSync(join(root, folder, file), "utf8")] as const);

/** Comments, and titles of tests and groups; other lines are empty, so that line numbers stay correct. */
const prose = /^\s*(?:\/\*\*|\*|\/\/) .*|\b(?:test|it|describe)(?:\.\w+)*\(\s*["\x60][^\n]*/;
const proseOf = (text: string) =>
  text
    .split("\n")
    .map((line) => prose.exec(line)?.[0] ?? "")
    .join("\n");

const texts = [
  ...filesIn("src", ".ts"),
  ...filesIn("docs", ".md"),
  ...filesIn("examples", ".yml"),
  ...filesIn("templates", ".yml"),
  ["README.md", readFileSync(join(root, "README.md"), "utf8")] as const,
  ...filesIn("test", ".ts").map(([file, text]) => [file, proseOf(text)] as const),
];

test.each(banned)("no text, comment or title of a test says %s", (phrase) => {
  const found = texts.flatMap(([file, text]) =>
    text.split("\n").flatMap((line, index) => (phrase.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});

test("the reason of a problem is one to three sentences, and cites nothing that users do not have", () => {
  const reasons = problemIds.map((id) => [id, `${registry[id].why}`] as const);
  expect(reasons.filter(([, why]) => /\bdecisions\/|\bopenapi\.json: /.test(why))).toEqual([]);
  expect(reasons.filter(([, why]) => /^(?:What|That|Who|Nobody|So many|There (?:is|are))\b/.test(why))).toEqual([]);
});

test("commands in messages stand in backticks", () => {
  const names = readdirSync(join(root, "src/cli/commands")).map((file) => file.slice(0, -3));
  const command = new RegExp(`(?<!\`|<code>|npx )\\bzonewright (?:${names.join("|")})\\b`);
  // Comments, examples of the help, the scripts of shells, a value, and the manual page.
  const other = /^\s*(?:\/?\*|\/\/|zonewright |.*["\x60](?: {2}|# |zonewright )|source <|# |"a name|\x60<testsuite)/;
  const found = filesIn("src", ".ts").flatMap(([file, text]) =>
    text.split("\n").flatMap((line) => (command.test(line) && !other.test(line) ? [`${file}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});
