import { describe, expect, test } from "vitest";
import { problem } from "../../src/diagnostics/problem.ts";
import { nameKey } from "../../src/dns/name/name.ts";
import { compareMarkdown } from "../../src/report/compare/markdown.ts";
import { countImport, importMarkdown, noImports } from "../../src/report/import/report.ts";
import type { Comparison } from "../../src/workflow/compare/compare.ts";
import type { ImportResult } from "../../src/workflow/import/zones.ts";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";
import { renderEach, renderGfm } from "./gfm.ts";
import { hostileTexts, shownTexts } from "./hostile-texts.ts";

/** Stands in each place where text from outside can be. */
const word = "hostile-word";
const zone = domainName(`${word}.example.`);
const owner = nameKey(domainName(`${word}.${word}.example.`));

const imports: readonly ImportResult[] = [
  {
    name: zone,
    state: "written",
    file: `zones/${word}.yaml`,
    from: word,
    ledger: {
      zone: word,
      entries: (["lost", "unsupported", "normalised"] as const).map((kind) => ({
        owner: word,
        type: "TXT",
        ttl: 60,
        rdata: `a ${word} b ${kind}`,
        class: kind,
        reason: `not accepted: ${word}, as ${word}`,
        rule: "target-exists",
      })),
    },
    problems: [problem("transfer/serial", `${word} has another serial`, { fix: `Ask ${word} first.` })],
  },
  {
    state: "failed",
    name: undefined,
    from: word,
    problems: [problem("transfer/refused", `${word} refuses the transfer`)],
  },
];

const answer = (rdata: string) => ({
  rcode: "NOERROR",
  isAuthoritative: true,
  sets: [{ owner: zone, type: "TXT", ttl: 60, rdata: [rdata] }],
  referral: { owner: zone, type: "NS", ttl: 60, rdata: [word] },
  endsInAlias: false,
});
const comparison: Comparison = {
  a: word,
  b: `live ${word}`,
  skipped: [],
  zones: [
    {
      zone,
      verdict: "differs",
      missing: [{ side: "a", reason: `no such zone ${word}` }],
      silent: [{ side: "b", reason: word }],
      notTransferred: [{ side: "b", reason: `refused: ${word}` }],
      records: [
        {
          owner,
          type: "TXT",
          kind: "rdata",
          a: { ttl: 60, rdata: [word] },
          b: { ttl: 60, rdata: [`${word} ${word}`] },
          isExpected: false,
        },
      ],
      answers: {
        questions: 2,
        differences: [
          {
            name: zone,
            type: "TXT",
            reason: "record",
            parts: ["answer", "referral"],
            a: answer(word),
            b: answer(`b ${word}`),
            isExpected: false,
            isFromRecords: false,
          },
        ],
        unanswered: [{ name: zone, type: "A", side: "a", reason: `timeout of ${word}` }],
      },
      cutOver: {
        oldAnswers: [],
        parent: { failure: `no answer from ${word}` },
        longest: { owner: zone, type: "TXT", ttl: 60 },
        canChange: false,
        isSigned: false,
        isAtLeast: true,
      },
    },
  ],
};

const reports: readonly (readonly [string, (text: string) => string])[] = [
  [
    "an import",
    (text) => {
      const zones = withText(imports, text);
      const rows = zones.map((one, index) => importMarkdown.zone(one, index === 0));
      return importMarkdown.begin + rows.join("") + importMarkdown.end(zones.reduce(countImport, noImports));
    },
  ],
  ["a comparison", (text) => compareMarkdown(withText(comparison, text))],
];

function withText<T>(value: T, text: string): T {
  const replace = (_: string, item: unknown) => (typeof item === "string" ? item.replaceAll(word, () => text) : item);
  return JSON.parse(JSON.stringify(value), replace);
}

describe.skipIf(isMissing("cmark-gfm"))("GitHub's renderer of Markdown shows hostile text in tables as it is", () => {
  test.each(reports)("%s", (_, report) => {
    expect(report(word).split(word).length).toBeGreaterThan(10);
    const harmless = tagsOf(renderGfm(report("harmless")));
    for (const [index, html] of renderEach(hostileTexts.map(report)).entries()) {
      expect(tagsOf(html), JSON.stringify(hostileTexts[index])).toEqual(harmless);
      // Outside of code there are only words, which no code host reads as more.
      expect(html.replaceAll(/<code>.*?<\/code>/gs, "").replaceAll(/<[^>]*>/g, "")).toMatch(/^[\w\s(),.;:'/+-]*$/);
      // A backslash before a pipe cannot be written in a cell; white space at the ends of a cell is not shown.
      const shown = shownTexts[index]?.replaceAll("\\|", "\\x7c").trim();
      expect(textOf(html)).toContain(shown);
    }
  });
});

/** All tags but those of code, which a sentence may have more or fewer of. */
function tagsOf(html: string): string[] {
  return (html.match(/<[^>]*>/g) ?? []).filter((tag) => !/^<\/?code>$/.test(tag));
}

function textOf(html: string): string {
  const text = html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">");
  return text.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}
