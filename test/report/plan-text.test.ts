import { describe, expect, test } from "vitest";
import { nameKey } from "../../src/dns/name/name.ts";
import type { RdataByType } from "../../src/dns/types/index.ts";
import { asId } from "../../src/dns/zone/desired-live.ts";
import type { ZoneSettings } from "../../src/dns/zone/zone-settings.ts";
import { planText } from "../../src/report/plan/text.ts";
import { accept } from "../../src/targets/api/accept.ts";
import type { PlanReport } from "../../src/workflow/plan/plan-report.ts";
import { domainName } from "../names.ts";
import { plan } from "../planner/plan-now.ts";
import { desiredOf, liveOf, zoneOf } from "../planner/world.ts";
import { block, reportOf } from "./plans.ts";

const plainStyle = { color: false, unicode: true };

const live = `$TTL 86400
www 3600 A 203.0.113.9
shop 3600 CNAME shops.example.net.
old-vpn 3600 A 192.0.2.44
@ TXT "v=spf1 include:_spf.example.net ~all"
same A 192.0.2.1`;
const desired = `$TTL 86400
@ TXT "v=spf1 include:_spf.example.net -all"
api 300 AAAA 2001:db8:7::10
shop 300 A 198.51.100.20
shop 300 AAAA 2001:db8::20
www 600 A 198.51.100.7
same A 192.0.2.1`;

test("prints each kind of change, notes and totals", () => {
  const { desired: zone, problems } = accept(zoneOf(desired));
  const others = [1, 2, 3].map((number) => `z${number}.example.`);
  const report = reportOf(
    [zone, ...others.map((name) => desiredOf("", name))],
    [liveOf(live), ...others.map((name) => liveOf("", "documented", name))],
    { notes: problems, unmanaged: ["b.example.", "a.example.", "d.example.", "c.example."] },
  );
  expect(planText(report, plainStyle)).toBe(block`
    example.com                               +1 create  ~2 change  ⇄1 swap  -1 delete
      1 + create  api      AAAA  300         2001:db8:7::10                                        zones/example.com.zone:3
      2 ~ change  @        TXT   86400       "v=spf1 include:_spf.example.net ~all" → "v=spf1 include:_spf.example.net -all"  updated in place; caches may keep the old value for up to 1 day  zones/example.com.zone:2
      3 ~ change  www      A     3600 → 300  203.0.113.9 → 198.51.100.7                            updated in place; caches may keep the old value for up to 1 hour  zones/example.com.zone:6
      4 ⇄ swap    shop     CNAME 3600 shops.example.net. → A 300 198.51.100.20 + AAAA 300 2001:db8::20  brief gap: A, AAAA of shop: a resolver that asks during the change may cache "no such record" for up to 1 day  zones/example.com.zone:4
      5 - delete  old-vpn  A     3600        192.0.2.44                                            caches may keep it for up to 1 hour
    note  example.com www A: ttl_sec 600 is stored as 300  zones/example.com.zone:6
    4 zones of the account not in git, left alone: a.example, b.example, c.example and 1 more
    3 zones in sync
    plan: 5 changes in 1 of 4 zones · effects d2b6397a · 2 reads
    apply sends 7 writes and 9 reads (about 2 seconds at 800 requests per minute)
  `);
});

test("counts the notes of one rule about files after the first three", () => {
  const { problems } = accept(zoneOf("a 600 A 192.0.2.1"));
  const notes = [1, 2, 3, 4, 5].flatMap((line) =>
    problems.map((note) => ({ ...note, place: { file: "zones/example.com.zone", line, column: 1, length: 1 } })),
  );
  const lines = planText(reportOf([], [], { notes }), plainStyle).split("\n");
  expect(lines.filter((line) => line.startsWith("note"))).toEqual([
    "note  example.com a A: ttl_sec 600 is stored as 300  zones/example.com.zone:1",
    "note  example.com a A: ttl_sec 600 is stored as 300  zones/example.com.zone:2",
    "note  example.com a A: ttl_sec 600 is stored as 300  zones/example.com.zone:3",
    "note  and 2 more of ttl-rounded; `zonewright plan --report json` lists all",
  ]);
});

test("prints ASCII only without truncating values if the terminal requires it", () => {
  expect(planText(reportOf([desiredOf(desired)], [liveOf(live)]), { color: false, unicode: false })).toBe(block`
    example.com                               +1 create  ~2 change  <>1 swap  -1 delete
      1 +  create  api      AAAA  300          2001:db8:7::10                                       zones/example.com.zone:3
      2 ~  change  @        TXT   86400        "v=spf1 include:_spf.example.net ~all" -> "v=spf1 include:_spf.example.net -all"  updated in place; caches may keep the old value for up to 1 day  zones/example.com.zone:2
      3 ~  change  www      A     3600 -> 300  203.0.113.9 -> 198.51.100.7                          updated in place; caches may keep the old value for up to 1 hour  zones/example.com.zone:6
      4 <> swap    shop     CNAME 3600 shops.example.net. -> A 300 198.51.100.20 + AAAA 300 2001:db8::20  brief gap: A, AAAA of shop: a resolver that asks during the change may cache "no such record" for up to 1 day  zones/example.com.zone:4
      5 -  delete  old-vpn  A     3600         192.0.2.44                                           caches may keep it for up to 1 hour
    plan: 5 changes in 1 of 1 zone - effects d2b6397a - 2 reads
    apply sends 7 writes and 9 reads (about 2 seconds at 800 requests per minute)
  `);
});

test("prints colour only on request, with the same text", () => {
  const report = reportOf([desiredOf(desired)], [liveOf(live)]);
  const colored = planText(report, { color: true, unicode: true });
  expect(colored.split("\n")[2]).toBe(
    `  2 \u001b[1m~ change\u001b[22m  @        TXT   86400       "v=spf1 include:_spf.example.net ~all" → "v=spf1 include:_spf.example.net -all"  \u001b[2mupdated in place; caches may keep the old value for up to 1 day  zones/example.com.zone:2\u001b[22m`,
  );
  expect(colored.replace(/\u001b\[\d+m/g, "")).toBe(planText(report, plainStyle));
});

test("a plan without changes", () => {
  const report = reportOf([desiredOf("www A 192.0.2.1")], [liveOf("www A 192.0.2.1")]);
  expect(planText(report, plainStyle)).toBe("in sync: 1 zone, nothing to do\n");
  expect(planText(reportOf([]), plainStyle)).toBe("in sync: 0 zones, nothing to do\n");
});

test("the gap of single writes for names that leave a wildcard together", () => {
  const report = reportOf([desiredOf("* A 192.0.2.9\na.w A 192.0.2.1\nb.w A 192.0.2.2")], [liveOf("* A 192.0.2.9")]);
  expect(planText(report, plainStyle)).toBe(block`
    example.com                               +2 create
      1 + create  a.w  A  3600  192.0.2.1  brief gap: A of b.w: a resolver that asks during the change may cache "no such record" for up to 1 hour  zones/example.com.zone:3
      2 + create  b.w  A  3600  192.0.2.2  zones/example.com.zone:4
    plan: 2 changes in 1 of 1 zone · effects 26f1ebaa · 2 reads
    apply sends 2 writes and 5 reads (about 1 second at 800 requests per minute)
  `);
});

test("the gap until the next zone is deleted", () => {
  const parent = liveOf("* MX 10 host.example.org.");
  const child = { ...liveOf("* AAAA 2001:db8::1", "documented", "sub.example.com."), id: asId(2) };
  const grandchild = { ...liveOf("*.y MX 10 z.sub.example.com.", "documented", "a.sub.example.com."), id: asId(3) };
  const report = reportOf([desiredOf("* MX 10 host.example.org.")], [parent]);
  const made = plan([desiredOf("* MX 10 host.example.org.")], new Map([[nameKey(parent.name), parent]]), {
    deletions: [grandchild, child],
  });
  const text = planText({ ...report, plan: made }, plainStyle);
  const lines = text.split("\n").filter((line) => line.includes("(zone)"));
  expect(lines.map((line) => line.replace(/ +/g, " ").trim())).toMatchInlineSnapshot(`
    [
      "1 - delete (zone) master with 1 record brief gap: MX of *.y.a: a resolver that asks during the change may cache "no such record" for up to 1 hour last of all, after it is saved as a zone file",
      "2 - delete (zone) master with 1 record last of all, after it is saved as a zone file",
    ]
  `);
});

test("a new zone shows all its records and settings; a slave too", () => {
  const report = reportOf([
    desiredOf(
      "www A 192.0.2.1\n;@ tags: shop, europe\n;@ description: Ours → theirs\n;@ axfr_ips: 2001:db8::53",
      "new.example.",
    ),
    desiredOf(";@ type: slave\n;@ master_ips: 192.0.2.53\n;@ status: disabled", "slave.example."),
  ]);
  expect(planText(report, plainStyle)).toBe(block`
    new.example                               +2 create
      1 + create  (zone)  master; ttl_sec 3600; tags shop, europe; description "Ours → theirs"; axfr_ips 2001:db8::53; soa_email ops@example.com  disabled until its records are written
      2 + create  www     A  3600  192.0.2.1                                                      zones/example.com.zone:2
    slave.example                             +1 create
      3 + create  (zone)  slave; ttl_sec 3600; master_ips 192.0.2.53; soa_email ops@example.com  stays disabled
    plan: 3 changes in 2 of 2 zones · effects 557bc844 · 2 reads
    apply sends 4 writes and 8 reads (about 1 second at 800 requests per minute)
  `);
});

describe("settings and their effects", () => {
  const before = { ...liveOf("a A 192.0.2.1\nb 300 A 192.0.2.1").settings };
  test.each<[string, ZoneSettings, ZoneSettings, string]>([
    ["a text", { description: "" }, { description: "It's ours" }, 'description (none) → "It\'s ours"'],
    ["a list", { tags: ["shop", "eu west"] }, { tags: [] }, 'tags shop, "eu west" → (none)'],
    ["to be served", { status: "disabled" }, { status: "active" }, "status disabled → active  is served from now on"],
    ["not to be", { status: "active" }, { status: "disabled" }, "status active → disabled  no longer served"],
    ["the zone's TTL", { ttl_sec: 300 }, { ttl_sec: 3600 }, "ttl_sec 300 → 3600  1 record without a TTL follows"],
    [
      "a master",
      { type: "slave" },
      { type: "master" },
      "type slave → master  gap: lookups fail until its records are written",
    ],
    [
      "hostile texts",
      { group: "\u001b[2K\rok", description: "\u202eflipped\nline" },
      { group: "g", description: "d" },
      'description "\\u202eflipped\\nline" → d\n  1 ~ change  (zone)  group "\\u001b[2K\\rok" → g',
    ],
  ])("%s", (_, stored, wanted, expected) => {
    const zone = desiredOf("a A 192.0.2.1\nb 300 A 192.0.2.1");
    const report = reportOf(
      [{ ...zone, unstated: [], settings: { ...zone.settings, ...wanted } }],
      [{ ...liveOf("a A 192.0.2.1\nb 300 A 192.0.2.1"), settings: { ...before, ...stored } }],
    );
    expect(planText(report, plainStyle).split("\n").slice(1, -3).join("\n")).toBe(`  1 ~ change  (zone)  ${expected}`);
  });

  test("a slave's records are its masters'", () => {
    const zone = desiredOf(";@ type: slave\n;@ master_ips: 192.0.2.53");
    expect(planText(reportOf([zone], [liveOf("a A 192.0.2.1")]), plainStyle)).toBe(block`
      example.com                               ~2 change
        1 ~ change  (zone)  master_ips (none) → 192.0.2.53
        1 ~ change  (zone)  type master → slave  its records come from its masters from now on
      plan: 2 changes in 1 of 1 zone · effects 82f69ffe · 2 reads
      apply sends 1 write and 6 reads (about 1 second at 800 requests per minute)
    `);
  });
});

test("shows TTLs as resolvers see them, and marks a record with its own TTL when the zone's changes", () => {
  const zone = desiredOf("$TTL 7200\na 300 A 192.0.2.1\nb A 192.0.2.9\nc 3600 A 192.0.2.1");
  expect(
    planText(reportOf([zone], [liveOf("$TTL 3600\na A 192.0.2.1\nb A 192.0.2.1\nc A 192.0.2.1")]), plainStyle),
  ).toBe(block`
    example.com                               ~4 change
      1 ~ change  a       A  3600 → 300   192.0.2.1              updated in place; caches may keep the old value for up to 1 hour  zones/example.com.zone:2
      2 ~ change  b       A  3600 → 7200  192.0.2.1 → 192.0.2.9  updated in place; caches may keep the old value for up to 1 hour  zones/example.com.zone:3
      3 ~ change  c       A  3600         192.0.2.1              keeps its TTL while the zone's changes  zones/example.com.zone:4
      4 ~ change  (zone)  ttl_sec 3600 → 7200                    1 record without a TTL follows
    plan: 4 changes in 1 of 1 zone · effects 58fda39a · 2 reads
    apply sends 4 writes and 9 reads (about 1 second at 800 requests per minute)
  `);
  const unsaid = { ...desiredOf("a A 192.0.2.2"), settings: { type: "master" as const } };
  expect(planText(reportOf([unsaid], [liveOf("$TTL 300\na A 192.0.2.1")]), plainStyle).split("\n")[1]).toMatch(
    / {2}1 ~ change {2}a {2}A {2}300 {2}192/,
  );
});

test("lists changes in the order of the writes, in each kind by name from the apex, then by type", () => {
  const current = "@ A 192.0.2.1\n@ CAA 0 issue x";
  const zone = desiredOf(
    "b A 192.0.2.1\na.b A 192.0.2.1\na A 192.0.2.1\n@ TXT x\n* A 192.0.2.1\nA-1 A 192.0.2.1\n@ CAA 0 issue y",
  );
  const lines = planText(reportOf([zone], [liveOf(current)]), plainStyle)
    .split("\n")
    .slice(1, -3);
  expect(lines.map((line) => line.trim().split(/ +/).slice(0, 5).join(" "))).toEqual([
    "1 + create @ TXT",
    "2 + create * A",
    "3 + create a A",
    "4 + create A-1 A",
    "5 + create b A",
    "6 + create a.b A",
    "7 ~ change @ CAA",
    "8 - delete @ A",
  ]);
});

test.each([
  ["@ MX 10 mail.example.net.", "@ MX 10 mx.example.net.", "10 mail.example.net. → 10 mx.example.net."],
  ["@ TXT abc", "@ TXT abd", '"abc" → "abd"'],
  ['@ TXT "see x"', '@ TXT "see y"', '"see x" → "see y"'],
  [
    '@ CAA 0 issue "ca.example.net; account=1"',
    '@ CAA 0 issue "ca.example.net; account=2"',
    '0 issue "ca.example.net; account=1" → 0 issue "ca.example.net; account=2"',
  ],
])("shows the old and the new value of a change: %s, %s", (current, desired, expected) => {
  const line = planText(reportOf([desiredOf(desired)], [liveOf(current)]), plainStyle).split("\n")[1] ?? "";
  expect(line.split(/ {2,}/).at(-3)).toBe(expected);
});

test("escapes hostile live values on one line, unmistakable for other output", () => {
  const current = liveOf("x A 192.0.2.1");
  const hostile = "\u001b[31m\r\n+ create  \u202e\u2066\u0000";
  const octets = Buffer.from(hostile, "utf8").toString("latin1");
  const records = [
    {
      id: asId(2),
      owner: domainName("k.example.com."),
      type: "TXT",
      ttl: undefined,
      data: { strings: [octets] } satisfies RdataByType["TXT"],
    },
    {
      id: asId(3),
      owner: domainName("\\027[2J.example.com."),
      type: "A",
      ttl: undefined,
      data: { address: "192.0.2.1" } satisfies RdataByType["A"],
    },
    {
      id: asId(4),
      owner: domainName("c.example.com."),
      type: "CAA",
      ttl: 300,
      data: { flags: 0, tag: `i\u001b→`, value: "\u009b2J" } satisfies RdataByType["CAA"],
    },
  ];
  expect(
    planText(
      reportOf([desiredOf("x A 192.0.2.1")], [{ ...current, records: [...current.records, ...records] }]),
      plainStyle,
    ),
  ).toBe(
    block`
    example.com                               -3 delete
      1 - delete  \\027[2J  A    3600  192.0.2.1                                                 caches may keep it for up to 1 hour
      2 - delete  c        CAA  300   0 i\\x1b→ "\\1552J"                                         caches may keep it for up to 5 minutes
      3 - delete  k        TXT  3600  "\\027[31m\\013\\010+ create  \\226\\128\\174\\226\\129\\166\\000"  caches may keep it for up to 1 hour
    plan: 3 changes in 1 of 1 zone · effects 4d40482f · 2 reads
    apply sends 3 writes and 8 reads (about 1 second at 800 requests per minute)
  `,
  );
});

test("hostile zone names of the account", () => {
  expect(planText(reportOf([desiredOf("")], [liveOf("")], { unmanaged: ["\u001b[2J."] }), plainStyle)).toBe(block`
    1 zone of the account not in git, left alone: \\x1b[2J
    in sync: 1 zone, nothing to do
  `);
});

test.each<[writes: number, reads: number, limit: PlanReport["limit"], string]>([
  [1, 4, 1600, "apply sends 1 write and 4 reads (about 1 second at 640 requests per minute)"],
  [600, 680, 1600, "apply sends 600 writes and 680 reads (about 2 minutes at 640 requests per minute)"],
  [600, 600, 1600, "apply sends 600 writes and 600 reads (about 1 minute 53 seconds at 640 requests per minute)"],
  [12000, 12004, 1600, "apply sends 12000 writes and 12004 reads (about 38 minutes at 640 requests per minute)"],
  [3, 1, 1, "apply sends 3 writes and 1 read (about 4 minutes at 1 request per minute)"],
  [12000, 12004, "unlimited", "apply sends 12000 writes and 12004 reads (no rate limit)"],
  [1, 1, undefined, "apply sends 1 write and 1 read"],
])("time of %d writes and %d reads with %s requests allowed in two minutes", (writes, applyReads, limit, expected) => {
  const report = { ...reportOf([desiredOf("")]), writes, writeRequests: writes, applyReads, limit };
  expect(planText(report, plainStyle)).toBe(
    block`
    example.com                               +1 create
      1 + create  (zone)  master; ttl_sec 3600; soa_email ops@example.com  disabled until its records are written
    plan: 1 change in 1 of 1 zone · effects 0145616f · 2 reads
    EXPECTED
  `.replace("EXPECTED", expected),
  );
});

test("says that the answer stays if an equal record does", () => {
  const live =
    "www A 192.0.2.1\nwww A 192.0.2.1\nwww A 192.0.2.1\napi A 192.0.2.7\napi A 192.0.2.7\nold A 192.0.2.9\nold A 192.0.2.9";
  const report = reportOf([desiredOf("www A 192.0.2.1\napi A 192.0.2.7\napi A 192.0.2.8")], [liveOf(live)]);
  const effects = planText(report, plainStyle)
    .split("\n")
    .flatMap((line) => /^ +\d+ . (.*?)(?: {2}zones.*)?$/.exec(line)?.[1]?.replace(/ +/g, " ") ?? []);
  expect(effects).toEqual([
    "change api A 3600 192.0.2.7 → 192.0.2.8 one of 2 equal records; the old value stays beside the new one",
    "delete old A 3600 192.0.2.9 caches may keep it for up to 1 hour",
    "delete old A 3600 192.0.2.9 caches may keep it for up to 1 hour",
    "delete www A 3600 192.0.2.1 one of 3 equal records; the answer stays",
    "delete www A 3600 192.0.2.1 one of 3 equal records; the answer stays",
  ]);
});
