import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { headingsOf, readPage, root } from "./page.ts";

const pages = readdirSync(join(root, "docs/decisions")).filter((page) => page !== "README.md");

/** The sections of all pages as comments cite them. */
const sections = pages.flatMap((page) => {
  const text = readPage(`docs/decisions/${page}`);
  return headingsOf(text, "##").map((section) => `decisions/${page.slice(0, -3)}#${section}`);
});

/** This file, whose examples cite in forms that are refused. */
const own = "test/docs/decisions.test.ts";

/** Files of the checkout that cite, with their texts. */
const sources = ["src", "test", "action", "packaging"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  )
  .filter((file) => /\.(?:ts|py)$/.test(file) && file !== own)
  .map((file) => [file, readFileSync(join(root, file), "utf8")] as const);

/** Citations in a text, also those that are written wrongly. */
function citationsIn(text: string): string[] {
  return (text.match(/(?<![\w/.-])decisions\/[\w./-]*(?:#[\w-]*)?/g) ?? []).map((citation) =>
    citation.replace(/\.$/, ""),
  );
}

/** Comments, each with its lines joined. */
function commentsIn(text: string): string[] {
  const comments = text.match(/\/\*\*(?:(?!\*\/)[\s\S])*\*\/|^[ \t]*\/\/.*(?:\n[ \t]*\/\/.*)*|[ \t]\/\/ .*$/gm) ?? [];
  return comments.map((comment) => comment.replaceAll(/\s*\n\s*(?:\*(?!\/)|\/\/)\s*/g, " "));
}

/** Strings that can cite: sources of limits, titles of tests and groups, and keys. */
function stringsIn(text: string): string[] {
  return text.match(/(?:\bsource: |\b(?:test|it|describe)(?:\.\w+)*\(\s*|^ {2})"[^"\n]*"/gm) ?? [];
}

/** Citations of the documents, which are not in the repository, and of a page by its name and a heading. */
const others = [
  /\b(?:first|second) document(?:, \w|\))/i,
  /[("]specification\b[:,)]|\bspecification \(/i,
  /(?<!\b(?:the|of|an|any|these|other) )(?<![\w-])(?:service|nodes|account|plan-apply|documents): (?:[A-Z§]|head\b)/,
  /\bthe design\b/i,
];

/** The pages that a comment names and that are not in the repository; those of `docs` need their folder. */
function missingPagesIn(comment: string): string[] {
  const named = comment.match(/(?<![\w/.<*{-])[\w./-]*\w\.md\b/g) ?? [];
  return named.filter((page) => !existsSync(join(root, page)));
}

/** Comments and strings that cite in another form than `decisions/PAGE#SECTION`, or a page that is missing. */
function wrongIn(text: string): string[] {
  const isOther = (prose: string) => others.some((form) => form.test(prose));
  return [
    ...commentsIn(text).filter((comment) => isOther(comment) || missingPagesIn(comment).length > 0),
    ...stringsIn(text).filter(isOther),
  ];
}

test("every citation names a section of a page", () => {
  const wrong = [...sources, ["CONTRIBUTING.md", readPage("CONTRIBUTING.md")] as const].flatMap(([file, text]) =>
    citationsIn(text)
      .filter((citation) => !sections.includes(citation))
      .map((citation) => `${file}: ${citation}`),
  );
  expect(wrong).toEqual([]);
});

test("every section is cited, and headings differ", () => {
  const cited = new Set(sources.flatMap(([, text]) => citationsIn(text)));
  expect(sections.filter((section) => !cited.has(section))).toEqual([]);
  expect(sections.filter((section, index) => sections.indexOf(section) !== index)).toEqual([]);
});

test("no comment cites a page that does not ship", () => {
  const wrong = sources.flatMap(([file, text]) => wrongIn(text).map((prose) => `${file}: ${prose}`));
  expect(wrong).toEqual([]);
});

test.each([
  "/** The pages of a list (service: Paging). */",
  "/** Nothing queues (nodes:\n * Jobs). */",
  "// Written from account.md, Ticket.",
  "/** The keys in the order of service.md, Domains. */",
  "/** A disk (second document, Disk). */",
  "/** First document, Endpoints,\n * Tags. */",
  "  // (plan-apply: Ambiguous outcomes)",
  "  /** Nodes and volumes (second document). */",
  'source: "specification: Domain record, type"',
  '  "first document, Account": account,',
  "const limit = 20; // account: Ticket",
  "/** Prints the example of the design. */",
])("the check finds %j", (text) => {
  expect(wrongIn(text)).toHaveLength(1);
});

test.each(["(decisions/nodes.md#jobs)", "decisions/nodes", "decisions/nodes#work", "decisions/orders#jobs"])(
  "the citation %s is refused",
  (text) => expect(citationsIn(text).filter((citation) => !sections.includes(citation))).toHaveLength(1),
);

test("docs/decisions/README.md has one line for each page", () => {
  const listed = [...readPage("docs/decisions/README.md").matchAll(/^- \[[^\]]+\]\(([\w-]+\.md)\): \S.*\.$/gm)];
  expect(listed.map(([, page]) => page).sort()).toEqual(pages.sort());
});
