import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nameKey } from "../../src/dns/name/name.ts";
import type { Effect } from "../../src/planner/changes/effects.ts";
import { planRows, planText } from "../../src/report/plan/text.ts";
import { characters, columns, shorten } from "../../src/report/text/columns.ts";
import type { Line, LineKind, Value } from "../../src/report/text/line.ts";
import { palette } from "../../src/report/text/palette.ts";
import { domainName } from "../names.ts";
import { desiredOf, liveOf } from "../planner/world.ts";
import { reportOf } from "./plans.ts";

const style = { color: false, unicode: true };

const key =
  "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAvT5QxNw8bIBBhRRi7bhrbNKOSHs1XhUJ3gYzVbUkHqpbFnUrYkqCxXHbRnA0uTzFCkED";
const live = `$TTL 86400
www 3600 A 203.0.113.9
shop 3600 CNAME shops.example.net.
old-vpn 3600 A 192.0.2.44
@ TXT "v=spf1 include:_spf.example.net ~all"
mail._domainkey TXT "v=DKIM1; k=rsa; p=${key}${key}"
`;
const desired = `$TTL 86400
@ TXT "v=spf1 include:_spf.example.net -all"
api 300 AAAA 2001:db8:7::10
a-name-that-is-longer-than-its-column.servers AAAA 2001:db8:7::11
shop 300 A 198.51.100.20
shop 300 AAAA 2001:db8::20
mail._domainkey TXT "v=DKIM1; k=rsa; p=${key}${key.replace("kHqpb", "kHQQQ")}"
www 600 A 198.51.100.7
`;
const fresh = `;@ tags: shop, europe
;@ description: Ours 日本語の説明 → theirs
;@ axfr_ips: 2001:db8::53
www A 192.0.2.1
`;

function report() {
  const zone = nameKey(domainName("example.com."));
  const name = nameKey(domainName("old-vpn.example.com."));
  const effect: Effect = { zone, kind: "delete", name, type: "A", before: "3600 192.0.2.44", after: null };
  return reportOf([desiredOf(desired), desiredOf(fresh, "new.example.")], [liveOf(live)], {
    unmanaged: ["b.example.", "a.example.", "d.example.", "c.example."],
    guards: [
      {
        guard: "G08",
        zone,
        state: "blocked",
        findings: [{ text: "www.example.net points here", effects: [effect] }],
        effectDigest: "0123456789abcdef".repeat(4),
      },
    ],
  });
}

test.each([80, 100, 160])("a plan on a terminal of %i columns", async (width) => {
  const text = planText(report(), style, { width });
  expect(text.split("\n").filter((line) => columns(line) > width)).toEqual([]);
  await expect(text).toMatchFileSnapshot(`../cases/plan-screen/${width}.txt`);
});

test("a pipe and --wide show each change on one line, in full", async () => {
  await expect(planText(report(), style)).toMatchFileSnapshot("../cases/plan-screen/wide.txt");
});

test("a summary has a line per zone, and what is blocked", async () => {
  await expect(planText(report(), style, { width: 80, isSummary: true })).toMatchFileSnapshot(
    "../cases/plan-screen/summary.txt",
  );
});

test("a summary of many blocked zones has a line per zone, and counts the zones that each guard blocks", () => {
  const names = ["a", "b", "c", "d", "e", "f"].map((label) => `${label}.example.`);
  const linesOf = (most: number) => {
    const some = names.slice(0, most);
    const guards = some.flatMap((name) =>
      (["G12", "G09"] as const).map((guard) => ({
        guard,
        zone: nameKey(domainName(name)),
        state: "blocked" as const,
        findings: [{ text: "risky", effects: [] }],
        effectDigest: "0123456789abcdef".repeat(4),
      })),
    );
    const desired = some.map((name) => desiredOf("www A 10.0.0.1", name));
    return planText(reportOf(desired, [], { guards }), style, { width: 80, isSummary: true }).split("\n");
  };
  expect(linesOf(6).slice(0, -3)).toEqual([
    ...names.map((name) => `${name.slice(0, -1).padEnd(40)}  +2 create  blocked by G12, G09`),
    "blocked by G09 (wildcard added or removed) in 6 zones",
    "  to approve all: --allow G09",
    "blocked by G12 (special-purpose address) in 6 zones",
    "  to approve all: --allow G12",
    "one line per zone; --wide instead of --summary shows each change and why it is",
    "  blocked",
  ]);
  expect(linesOf(5)).toContain("  blocked by G12 (special-purpose address): a.example: risky");
});

test("more than 200 changes are a summary on a terminal, and nowhere else", () => {
  const zone = (size: number) => Array.from({ length: size }, (_, host) => `h${host} A 192.0.2.1`).join("\n");
  const rows = (size: number, view: Parameters<typeof planText>[2]) =>
    planText(reportOf([desiredOf(zone(size))], [liveOf("")]), style, view).split("create  h").length - 1;
  expect(rows(200, { width: 80 })).toBe(200);
  expect(rows(201, { width: 80 })).toBe(0);
  expect(rows(201, { width: 80, isSummary: false })).toBe(201);
  expect(rows(201, {})).toBe(201);
});

test("colours do not change the layout", () => {
  const colored = planText(report(), { color: true, unicode: true }, { width: 80 });
  expect(colored.replace(/\u001b\[\d+m/g, "")).toBe(planText(report(), style, { width: 80 }));
});

describe("columns", () => {
  test.each([
    ["example.com", 11],
    ["日本語", 6],
    ["e\u0301a", 2],
    ["→ ⇄ …", 5],
    ["👩‍👩‍👧", 2],
    ["ﾃｽﾄ", 3],
  ])("%s", (text, width) => {
    expect(columns(text)).toBe(width);
  });

  test.each([
    ["shows head, tail and length", "a".repeat(30) + "z".repeat(30), undefined, "aaaaaaaaaaaa…(60 characters)…zzzzz"],
    [
      "shows where a text differs",
      `${"a".repeat(30)}B${"z".repeat(29)}`,
      "a".repeat(60),
      "aaaa…aaBzzzz…(60 characters)…zzzzz",
    ],
  ])("%s", (_, text, unlike, expected) => {
    expect(shorten(text, { width: 34, ellipsis: "…", unlike })).toBe(expected);
  });
});

const word = fc.string({ unit: fc.constantFrom(..."abcxyz019.-日é"), minLength: 1, maxLength: 70 });
const value: fc.Arbitrary<Value> = fc.record({
  text: fc.oneof(
    word,
    fc.array(word, { minLength: 1, maxLength: 9 }).map((list) => list.join(" ")),
  ),
});
const line: fc.Arbitrary<Line> = fc.record({
  step: fc.nat(2000),
  kind: fc.constantFrom<LineKind>("create", "change", "swap", "delete"),
  owner: word,
  typeAndTtl: fc.tuple(fc.constantFrom("A", "TXT", "CNAME"), fc.constantFrom("300", "86400 → 3600")),
  values: fc.tuple(value, value).map(([from, to]) => [from, { ...to, joint: "→" }]),
  settling: fc.constant(0),
  effects: fc.array(fc.constantFrom("caches may keep it for up to 1 hour", "blocked by G05"), { maxLength: 2 }),
  place: fc.constantFrom("", "zones/example.com.yaml:7"),
});

test("no row is wider than the terminal, unless it is a name that cannot be shortened; without a width no value is lost", () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), fc.integer({ min: 40, max: 400 }), (lines, width) => {
      for (const row of planRows(lines, palette(style), width)) {
        const words = row
          .trim()
          .replace(/^\d+ \S+ +\w+ +/, "")
          .split(" ");
        if (columns(row) > width) expect(words).toHaveLength(1);
      }
      const wide = planRows(lines, palette(style), undefined);
      expect(wide).toHaveLength(lines.length);
      for (const [index, { values, place }] of lines.entries())
        for (const text of [...values.map(({ text }) => text), place]) expect(wide[index]).toContain(text.trimEnd());
    }),
  );
});

test("a shortened text fits, and keeps its head, its tail and its length", () => {
  fc.assert(
    fc.property(word, word, fc.integer({ min: 16, max: 90 }), (text, unlike, width) => {
      const short = shorten(text, { width, ellipsis: "…", unlike });
      expect(columns(short)).toBeLessThanOrEqual(width);
      if (short === text) return;
      const [head = "", tail = ""] = [short.split("…")[0], short.split("…").at(-1)];
      expect([text.startsWith(head), text.endsWith(tail), head !== "", tail !== ""]).toEqual([true, true, true, true]);
      expect(short).toContain(`${[...new Intl.Segmenter().segment(text)].length}`);
    }),
  );
});

test("characters without marks are told apart as Unicode does", () => {
  const segmenter = new Intl.Segmenter();
  for (let code = 0x20; code < 0x3000; code++) {
    const text = `é${String.fromCharCode(code)}é`;
    expect(characters(text)).toEqual(Array.from(segmenter.segment(text), ({ segment }) => segment));
  }
});
