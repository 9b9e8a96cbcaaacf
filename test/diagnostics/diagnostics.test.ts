import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { advise } from "../../src/diagnostics/advice.ts";
import { escapeControl } from "../../src/diagnostics/escape.ts";
import { formatProblem } from "../../src/diagnostics/frame.ts";
import { nearest } from "../../src/diagnostics/nearest.ts";
import { hasErrors, type Problem, ProblemError, problem } from "../../src/diagnostics/problem.ts";
import { SourceText } from "../../src/diagnostics/source-text.ts";

describe("formatProblem", () => {
  const said: Problem = problem("glue", "what is wrong", { severity: "error" });
  const at = { file: "zones/a.yaml", line: 22, column: 5, length: 3 };

  test.each<[string, Problem, string | undefined, string]>([
    ["a headline alone", said, undefined, "error[glue] what is wrong"],
    ["why", { ...said, detail: "It is so." }, undefined, "error[glue] what is wrong\n  It is so."],
    ["a fix", { ...said, fix: "Do it." }, undefined, "error[glue] what is wrong\n  Do it."],
    [
      "a reason and a fix",
      { ...said, detail: "It is so.", fix: "Do it." },
      undefined,
      "error[glue] what is wrong\n  It is so. Do it.",
    ],
    [
      "a place whose line is unavailable",
      { ...said, place: at },
      undefined,
      "error[glue] what is wrong\n  zones/a.yaml:22:5",
    ],
    [
      "everything",
      { ...said, severity: "warning", detail: "It is so.", fix: "Do it.", place: at },
      "www A 192.0.2.1",
      `warning[glue] what is wrong
  zones/a.yaml:22:5
   22 | www A 192.0.2.1
      |     ^^^
  It is so. Do it.`,
    ],
    [
      "a wide gutter",
      { ...said, severity: "note", place: { ...at, line: 1234567 } },
      "www A 192.0.2.1",
      `note[glue] what is wrong
  zones/a.yaml:1234567:5
1234567 | www A 192.0.2.1
        |     ^^^`,
    ],
    [
      "a place after the line's end",
      { ...said, place: { ...at, column: 4, length: 1 } },
      "www",
      `error[glue] what is wrong
  zones/a.yaml:22:4
   22 | www
      |    ^`,
    ],
    [
      "an empty line",
      { ...said, place: { ...at, column: 1, length: 1 } },
      "",
      `error[glue] what is wrong
  zones/a.yaml:22:1
   22 | 
      | ^`,
    ],
    [
      "a length beyond the line",
      { ...said, place: { ...at, length: 500 } },
      "www A 192.0.2.1",
      `error[glue] what is wrong
  zones/a.yaml:22:5
   22 | www A 192.0.2.1
      |     ^^^^^^^^^^^`,
    ],
    [
      "tabs are one column",
      { ...said, place: at },
      "\t\t\tA\tb",
      `error[glue] what is wrong
  zones/a.yaml:22:5
   22 |    A b
      |     ^^`,
    ],
    [
      "characters of two UTF-16 units are one column",
      { ...said, place: { ...at, column: 3, length: 3 } },
      "🎌a🎌b",
      `error[glue] what is wrong
  zones/a.yaml:22:3
   22 | 🎌a🎌b
      |  ^^`,
    ],
    [
      "hostile text, everywhere",
      problem("glue", "\u001b[31mred\u001b[0m\nerror[forged] x", {
        severity: "error",
        detail: "a\u202eb\u2028c",
        fix: "d\u0000e\r",
        place: { ...at, file: "a\u001b]0;x\u0007.yaml", column: 2, length: 3 },
      }),
      "a\u001b\u202e\u0085\u009bz",
      `error[glue] \\x1b[31mred\\x1b[0m\\x0aerror[forged] x
  a\\x1b]0;x\\x07.yaml:22:2
   22 | a\\x1b\\u202e\\x85\\x9bz
      |  ^^^^^^^^^^^^^^
  a\\u202eb\\u2028c d\\x00e\\x0d`,
    ],
    [
      "a wide line, around its middle",
      { ...said, place: { ...at, column: 101, length: 4 } },
      `${"a".repeat(100)}HERE${"b".repeat(100)}`,
      `error[glue] what is wrong
  zones/a.yaml:22:101
   22 | ${"a".repeat(60)}HERE${"b".repeat(56)}
      | ${" ".repeat(60)}^^^^`,
    ],
    [
      "a wide line, at its start",
      { ...said, place: { ...at, column: 1, length: 4 } },
      `HERE${"b".repeat(200)}`,
      `error[glue] what is wrong
  zones/a.yaml:22:1
   22 | HERE${"b".repeat(116)}
      | ^^^^`,
    ],
    [
      "a wide line, all of it",
      { ...said, place: { ...at, column: 1, length: 204 } },
      "b".repeat(204),
      `error[glue] what is wrong
  zones/a.yaml:22:1
   22 | ${"b".repeat(120)}
      | ${"^".repeat(120)}`,
    ],
    [
      "a wide line, cut between two characters and not inside one",
      { ...said, place: { ...at, column: 152, length: 2 } },
      `${"🎌".repeat(75)}b${"🎌".repeat(75)}`,
      `error[glue] what is wrong
  zones/a.yaml:22:152
   22 | ${"🎌".repeat(30)}b${"🎌".repeat(30)}
      | ${" ".repeat(31)}^`,
    ],
    [
      "endless words",
      { ...said, summary: "x".repeat(10_000), fix: "y".repeat(10_000) },
      undefined,
      `error[glue] ${"x".repeat(500)}\n  ${"y".repeat(2_000)}`,
    ],
    [
      "advice with a command of the longest names, which part of would be another command",
      {
        ...said,
        detail: "z".repeat(500),
        fix: advise`Run ${{ run: "apply", args: ["n".repeat(253)], with: { target: "t".repeat(255) } }}.`,
      },
      undefined,
      `error[glue] what is wrong\n  ${"z".repeat(500)} Run \`zonewright apply ${"n".repeat(253)} --target ${"t".repeat(255)}\`.`,
    ],
  ])("%s", (_, found, line, expected) => {
    expect(formatProblem(found, () => line)).toBe(expected);
  });

  test("the marker stands below the marked text, whatever characters precede it", () => {
    const character = fc.oneof(
      fc.constantFrom("a", "é", "🎌", "\t", "\u001b", "\u202e"),
      fc.string({ minLength: 1, maxLength: 1 }),
    );
    fc.assert(
      fc.property(fc.array(character, { maxLength: 200 }), fc.array(character, { maxLength: 200 }), (before, after) => {
        const line = [...before, "HERE", ...after].join("");
        const column = before.join("").length + 1;
        const [, , shown = "", mark = ""] = formatProblem(
          { ...said, place: { ...at, column, length: 4 } },
          () => line,
        ).split("\n");
        const from = mark.indexOf("^");
        expect([...shown].slice(from, from + 4).join("")).toBe("HERE");
        expect(mark.slice(from)).toBe("^^^^");
      }),
    );
  });
});

describe("plain", () => {
  test.each([
    ["text stays", "Grüße aus 東京 🎌 — “quoted” a\u0301", "Grüße aus 東京 🎌 — “quoted” a\u0301"],
    ["ANSI", "\u001b[2J", "\\x1b[2J"],
    ["C1 controls", "\u0080\u009b", "\\x80\\x9b"],
    ["line breaks", "a\nb\rc\u2028d\u2029e\u0085f", "a\\x0ab\\x0dc\\u2028d\\u2029e\\x85f"],
    ["tabs", "a\tb", "a\\x09b"],
    [
      "bidirectional overrides and isolates",
      "\u202a\u202e\u2066\u2069\u200f\u061c",
      "\\u202a\\u202e\\u2066\\u2069\\u200f\\u061c",
    ],
    ["invisible characters", "a\u200bb\u2060c\ufeffd", "a\\u200bb\\u2060c\\ufeffd"],
    ["variation selectors and fillers", "a\ufe0fb\u00adc\u3164d", "a\\ufe0fb\\xadc\\u3164d"],
    ["tags beyond the basic plane", "a\u{e0041}b", "a\\u{e0041}b"],
    ["a lone surrogate", "\ud83c\udf8c \ud83c \udf8c", "🎌 \\ud83c \\udf8c"],
    ["nothing", "", ""],
  ])("%s", (_, text, expected) => {
    expect(escapeControl(text)).toBe(expected);
  });

  test("escaping is idempotent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(escapeControl(escapeControl(text))).toBe(escapeControl(text));
      }),
    );
  });
});

describe("SourceText", () => {
  const octets = (text: string) => new SourceText("f", Buffer.from(text).toString("latin1"), "latin1");
  const characters = (text: string) => new SourceText("f", text);

  test.each<
    [string, SourceText, [start: number, end?: number], [line: number, column: number, length: number], string]
  >([
    ["the start", characters("ab\ncd"), [0], [1, 1, 1], "ab"],
    ["a word", characters("ab\ncd ef"), [6, 8], [2, 4, 2], "cd ef"],
    ["across a line's end: up to it", characters("ab\ncd"), [1, 5], [1, 2, 1], "ab"],
    ["a line's end itself", characters("ab\ncd"), [2], [1, 3, 1], "ab"],
    ["a line's end of two characters", characters("ab\r\ncd"), [3], [1, 3, 1], "ab"],
    ["after a line's end of two characters", characters("ab\r\ncd"), [4], [2, 1, 1], "cd"],
    ["the end of the text", characters("ab\ncd"), [5], [2, 3, 1], "cd"],
    ["the end of a text that ends its last line", characters("ab\ncd\n"), [6], [2, 3, 1], "cd"],
    ["far after the end", characters("ab\r\n"), [99, 200], [1, 3, 1], "ab"],
    ["no text at all", characters(""), [0], [1, 1, 1], ""],
    ["an empty line", characters("a\n\nb"), [2], [2, 1, 1], ""],
    ["a lone carriage return does not end a line", characters("a\rb\nc"), [2], [1, 3, 1], "a\rb"],
    ["after a byte order mark", characters("\ufeffab"), [1, 3], [1, 1, 2], "ab"],
    ["a byte order mark itself", characters("\ufeffab"), [0], [1, 1, 1], "ab"],
    ["bytes: columns count characters", octets("é京 ab"), [6, 8], [1, 4, 2], "é京 ab"],
    ["bytes: multi-byte characters", octets("a é京"), [2, 7], [1, 3, 2], "a é京"],
    ["bytes: a character of two UTF-16 units", octets("🎌 a"), [5], [1, 4, 1], "🎌 a"],
    ["bytes after a byte order mark", octets("\ufeffé a\nb"), [6], [1, 3, 1], "é a"],
    ["bytes in the second line after a byte order mark", octets("\ufeffé\nb"), [6], [2, 1, 1], "b"],
    ["invalid UTF-8", new SourceText("f", "\u00ff\u00fe a", "latin1"), [3], [1, 4, 1], "\ufffd\ufffd a"],
  ])("%s", (_, source, [start, end], [line, column, length], text) => {
    const place = source.place(start, end);
    expect(place).toEqual({ file: "f", line, column, length });
    expect(source.line(place.line)).toBe(text);
  });

  test("missing lines are empty", () => {
    expect([0, 3, 99].map((line) => characters("a\nb").line(line))).toEqual(["", "", ""]);
  });

  test("many places in a long line cost no more than one", () => {
    const source = characters("x".repeat(1_000_000));
    const places = Array.from({ length: 100_000 }, (_, n) => source.place(n * 10, n * 10 + 5).column);
    expect(places.at(-1)).toBe(999_991);
  });
});

describe("nearest", () => {
  const types = ["A", "AAAA", "CNAME", "MX", "NS", "PTR", "SOA", "SRV", "TXT"];
  const keys = ["ttl_sec", "refresh_sec", "soa_email", "tags", "description", "records", "priority"];

  test.each<[string, string[], string | undefined]>([
    ["AAA", types, "AAAA"],
    ["AAAAA", types, "AAAA"],
    ["cname", types, "CNAME"],
    ["CNMAE", types, "CNAME"],
    ["CNAM", types, "CNAME"],
    ["TX", types, "TXT"],
    ["SVR", types, "SRV"],
    ["X", types, "MX"],
    ["Y", types, undefined],
    ["", types, undefined],
    ["FROBNICATE", types, undefined],
    ["tag", keys, "tags"],
    ["ttl", keys, "ttl_sec"],
    ["prio", keys, "priority"],
    ["descr", keys, "description"],
    ["soa_mail", keys, "soa_email"],
    ["Records", keys, "records"],
    ["re", keys, undefined],
    ["refresh", keys, "refresh_sec"],

    ["anything", [], undefined],
  ])("%j", (written, known, expected) => {
    expect(nearest(written, known)).toBe(expected);
  });
});

test("does not search suggestions for a very long word", () => {
  expect(nearest("x".repeat(10_000_000), ["ttl_sec", "records"])).toBe(undefined);
});

test("hasErrors", () => {
  const said = (severity: Problem["severity"]): Problem => problem("glue", "s", { severity });
  expect(hasErrors([])).toBe(false);
  expect(hasErrors([said("note"), said("warning")])).toBe(false);
  expect(hasErrors([said("note"), said("error")])).toBe(true);
});

test("the error's message lists the problems' summaries", () => {
  const problems: Problem[] = [problem("glue", "one"), problem("soa-email", "two")];
  const refusal = new ProblemError(problems);
  expect({ name: refusal.name, message: refusal.message, problems: refusal.problems }).toEqual({
    name: "ProblemError",
    message: "one\ntwo",
    problems,
  });
  expect(refusal).toBeInstanceOf(Error);
});
