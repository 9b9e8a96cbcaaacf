import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapeControl } from "../../src/diagnostics/escape.ts";
import { codeSpan, prose, tableRow } from "../../src/report/format/markdown.ts";
import { isMissing } from "../judges.ts";
import { samples } from "../properties.ts";
import { renderGfm } from "./gfm.ts";
import { hostileTexts, shownTexts } from "./hostile-texts.ts";

const everyRun = Array.from({ length: 79 }, (_, index) => `${"`".repeat(index + 1)}.`).join("");

describe("untrusted text in Markdown", () => {
  test.each([
    ["a value", "192.0.2.1", "`192.0.2.1`"],
    ["backticks", "a``b", "`a``b`"],
    ["one backtick inside", "a`b", "``a`b``"],
    ["backticks at the ends", "`", "`` ` ``"],
    ["spaces at the ends", " x ", "`  x  `"],
    ["every run of backticks", everyRun, `\`${everyRun.replaceAll("`", "\\x60")}\``],
    ["control characters", "a\u001b[31m\u202e", "`a\\x1b[31m\\u202e`"],
    ["nothing", "", ""],
  ])("is a code span: %s", (_, text, markdown) => {
    expect(codeSpan(text)).toBe(markdown);
  });

  test.each([
    ["its TTL 60 becomes 300", "its TTL 60 becomes 300"],
    ["the target mail.example.com. does not exist", "the target `mail.example.com.` does not exist"],
    ['the service stores "two strings", joined', 'the service stores `"two strings"`, joined'],
    ["@octocat closes #1, GH-2 and deadbeef", "`@octocat` closes `#1`, `GH-2` and `deadbeef`"],
    ["see https://example.com/ or www.example.com.", "see `https://example.com/` or `www.example.com.`"],
    ["60 on 127.0.0.1:5300. Or 300.", "60 on `127.0.0.1:5300`. Or 300."],
    ["1. a list, or - another", "`1.` a list, or `-` another"],
    ['key "a"`<img src=x> is unknown', 'key ``"a"`<img`` `src=x>` is unknown'],
    ['no zone "a""b c"`@octocat here', 'no zone ``"a""b c"`@octocat`` here'],
    ["unless `--delete-zone old.example` deletes it", "unless `--delete-zone old.example` deletes it"],
    ["run `zonewright api list-nodes`.", "run `zonewright api list-nodes`."],
    ['use it (`a b`), `c "d e" @f`; or `g`:', 'use it (`a b`), `c "d e" @f`; or `g`:'],
    ["set `skip-invalid: true`. Or `` ` ``", "set `skip-invalid: true`. Or ` `` ` `` ` `` ` `` `"],
    ["a `b c`d `e", "a `` `b `` ``c`d`` `` `e ``"],
    ['the value is "a". Write "b" (or "c").', 'the value is `"a"`. Write `"b"` (or `"c").`'],
  ])("is marked in a sentence: %s", (text, markdown) => {
    expect(prose(text)).toBe(markdown);
  });
});

describe.skipIf(isMissing("cmark-gfm"))("GitHub's renderer of Markdown", () => {
  test("shows hostile texts as they are, and makes nothing of them", () => {
    expectOnlyText(hostileTexts, shownTexts);
  });

  test("does so for any texts", () => {
    const character = fc.oneof(
      fc.constantFrom(..."`|\\<>[]()!*_~#@&:;-+=.,\"' \n\t\r0123456789abcwx"),
      fc.constantFrom('"a"', '"a b"', "``", "`<b>"),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    );
    fc.assert(
      fc.property(fc.array(fc.string({ unit: character, maxLength: 40 }), { minLength: 1 }), (texts) =>
        expectOnlyText(texts, texts.map(escapeControl)),
      ),
      samples(200),
    );
  });
});

/** Renders texts in each way in which reports contain them, and expects them as they are shown. */
function expectOnlyText(texts: readonly string[], shown: readonly string[]): void {
  const items = texts.map((text) => `- ${codeSpan(text)} end\n`);
  const rows = texts.map((text) => tableRow([codeSpan(text), "end"]));
  const sentences = texts.map((text) => `start ${prose(text)}\n\n- ${prose(text)}\n\n`);
  const html = renderGfm(
    `${items.join("")}\n${tableRow(["a", "b"])}|---|---|\n${rows.join("")}\n${sentences.join("")}`,
  );
  const code = (text: string) => (text === "" ? "" : `<code>${escapeHtml(text)}</code>`);
  const list = shown.map((text) => `<li>${`${code(text)} end`.trim()}</li>\n`).join("");
  // A backslash before a pipe cannot be written in a cell.
  const cells = shown.map((text) => code(text.replaceAll("\\|", "\\x7c")));
  const body = cells.map((cell) => `<tr>\n<td>${cell}</td>\n<td>end</td>\n</tr>\n`).join("");
  const head = "<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n";
  const before = `<ul>\n${list}</ul>\n<table>\n${head}<tbody>\n${body}</tbody>\n</table>\n`;
  expect(html.slice(0, before.length)).toBe(before);
  const rendered = html.slice(before.length);
  // Backticks around a command become those of the code span.
  const withoutTicks = (text: string) => text.replaceAll("`", "");
  const sentencesShown = shown
    .map((text) => escapeHtml(text.trim()))
    .map((text) => `<p>${`start ${text}`.trim()}</p>\n<ul>\n<li>${text}</li>\n</ul>\n`);
  expect(withoutTicks(rendered.replaceAll(/<\/?code>/g, ""))).toBe(withoutTicks(sentencesShown.join("")));
  // Outside of code there are only words, which no code host reads as more.
  expect(rendered.replaceAll(/<code>.*?<\/code>/g, "")).toMatch(
    /^(?:<(?:p|li)>[\w\s(),.;:'-]*<\/(?:p|li)>\n|<\/?ul>\n)*$/,
  );
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
