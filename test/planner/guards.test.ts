import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { effectDigest, effectsOf } from "../../src/planner/effects.ts";
import { guards, type Held, heldBy } from "../../src/planner/guards.ts";
import { plan } from "../../src/planner/plan.ts";
import type { DesiredZone, LiveZone } from "../../src/zone/desired-live.ts";
import { desiredOf, liveOf } from "./world.ts";

const thresholds = {
  zone_deletes_least: 3,
  zone_deletes_percent: 10,
  zone_deletes_most: 50,
  run_deletes: 25,
  run_zones: 5,
};

const hosts = (count: number, from = 1) => Array.from({ length: count }, (_, index) => `h${from + index} A 192.0.2.1`).join("\n"); // biome-ignore format: one thought

/** The records before and after, and what is said at which name; nothing where the guard lets it pass. */
type Row = [before: string, after: string, ...said: string[]];

const cases: Record<string, Row[]> = {
  G01: [
    [hosts(5), hosts(2)],
    [hosts(5), hosts(1), "*: 4 of 5 records go, more than 3"],
    [hosts(100), hosts(90)],
    [hosts(100), hosts(89), "*: 11 of 100 records go, more than 10"],
    [hosts(1000), hosts(950)],
    [hosts(1000), hosts(949), "*: 51 of 1000 records go, more than 50"],
    // What takes a record's place is no loss.
    [hosts(5), hosts(5).replaceAll("192.0.2.1", "192.0.2.2")],
    ["a CNAME x\nb CNAME x\nc CNAME x\nd CNAME x", "a A 192.0.2.1\nb A 192.0.2.1\nc A 192.0.2.1\nd A 192.0.2.1"],
  ],
  G02: [
    [`${hosts(26)}\nx A 192.0.2.1`, `${hosts(1)}\nx A 192.0.2.1`],
    [`${hosts(27)}\nx A 192.0.2.1`, `${hosts(1)}\nx A 192.0.2.1`, "*: 26 records go in one run, more than 25"],
  ],
  G03: [
    ["a A 192.0.2.1", "b A 192.0.2.1"],
    ["a A 192.0.2.1", "", "*: the zone is emptied"],
    ["", ""],
    ["@ A 192.0.2.1\n@ A 192.0.2.2", "@ A 192.0.2.1"],
    ["@ A 192.0.2.1\nx TXT x", "@ AAAA 2001:db8::1\nx TXT x"],
    ["@ A 192.0.2.1\nx TXT x", "x TXT x", "@: the last address goes"],
    ["@ A 192.0.2.1\n@ TXT x", "@ TXT x", "@: the last address goes"],
    ["WWW CNAME x.example.net.\nx TXT x", "www A 192.0.2.1\nx TXT x"],
    ["WWW CNAME x.example.net.\nx TXT x", "x TXT x", "www: the last address goes"],
    ["a A 192.0.2.1\nx TXT x", "x TXT x"],
  ],
  G04: [
    ["sub A 192.0.2.1", "sub A 192.0.2.2"],
    ["", "sub NS ns.example.net.", "sub: the delegation is made"],
    ["sub NS ns.example.net.", "sub NS ns.example.org.", "sub: the delegation changes"],
    ["sub NS ns.example.net.\nsub NS ns.example.org.", "sub NS ns.example.net.", "sub: the delegation changes"],
    ["sub NS ns.example.net.", "sub NS ns.example.net.\nsub NS ns.example.org.", "sub: the delegation changes"],
    ["sub NS ns.example.net.", "", "sub: the delegation is taken away"],
  ],
  G05: [
    ["@ MX 10 mx.example.net.", "@ MX 20 mx.example.net."],
    ["@ MX 10 a.example.net.\n@ MX 20 b.example.net.", "@ MX 10 a.example.net."],
    ["@ MX 10 a.example.net.\n@ MX 20 b.example.net.", "@ MX 10 A.example.net.\n@ MX 20 c.example.net."],
    ["@ MX 10 mx.example.net.", "@ A 192.0.2.1", "@: the last MX goes"],
    ["m MX 10 a.example.net.", "m MX 10 b.example.net.", "m: none of the mail servers stays"],
    ["@ MX 10 a.example.net.", "@ MX 0 .", "@: no mail is accepted any more (null MX)"],
    ["@ A 192.0.2.1", "@ A 192.0.2.1\n@ MX 0 .", "@: no mail is accepted any more (null MX)"],
    ["@ MX 0 .", "@ MX 10 a.example.net."],
    ["@ MX 0 .", "@ A 192.0.2.1"],
    ['@ TXT "v=spf1 mx ~all"', '@ TXT "v=spf1 mx -all"'],
    ['@ TXT "v=spf1 mx -all"', '@ TXT "v=spf1 mx a -all"'],
    ['@ TXT "v=spf1 mx -all"', '@ TXT "v=spf1 redirect=_spf.example.net"'],
    ['@ TXT "v=spf1 mx -all"', '@ TXT "v=spf1 mx ~all"', "@: SPF becomes weaker, from -all to ~all"],
    ['@ TXT "v=spf1 mx ~all"', '@ TXT "v=spf1 mx"', "@: SPF becomes weaker, from ~all to ?all"],
    ['@ TXT "v=spf1 mx ?all"', '@ TXT "V=SPF1 all"', "@: SPF becomes weaker, from ?all to +all"],
    ['@ TXT "v=spf1 mx -all"', "@ TXT other", "@: the SPF policy goes"],
    ["@ TXT v=spf10", "@ TXT x"],
    ['_dmarc TXT "v=DMARC1; p=none"', '_dmarc TXT "v=DMARC1; p=reject"'],
    ['_dmarc TXT "v=DMARC1; p=reject"', '_dmarc TXT "v=DMARC1; p=reject; sp=reject"'],
    ['_dmarc TXT "v=DMARC1; p=reject"', '_dmarc TXT "v=DMARC1;p=quarantine"', "_dmarc: DMARC becomes weaker, from p=reject to p=quarantine"], // biome-ignore format: one line each
    ['_dmarc TXT "v=DMARC1; p=reject"', '_dmarc TXT "v=DMARC1; p=reject; sp=none"', "_dmarc: DMARC becomes weaker, from sp=reject to sp=none"], // biome-ignore format: one line each
    ['_dmarc TXT "v=DMARC1; p=reject"', '_dmarc TXT "v=DMARC1; p=reject; pct=50"', "_dmarc: DMARC becomes weaker, from pct=100 to pct=50"], // biome-ignore format: one line each
    ['_dmarc TXT "v=DMARC1; p=none"', "x TXT x", "_dmarc: the DMARC policy goes"],
    ['x TXT "v=DMARC1; p=none"', "x TXT x"],
  ],
  G06: [
    [";@ status: disabled", ";@ status: active"],
    ["", ";@ group: g"],
    ["", ";@ status: disabled", "@: the zone is disabled"],
    ["a A 192.0.2.1", ";@ type: slave\n;@ master_ips: 192.0.2.53", "@: its records become those of its masters"],
  ],
  G08: [
    ["a A 192.0.2.1\nb CNAME x.example.net.", "b CNAME x.example.net."],
    ["a A 192.0.2.1\nb CNAME a", "b CNAME x.example.net."],
    ["a A 192.0.2.1\na AAAA 2001:db8::1\nb CNAME a", "a A 192.0.2.1\nb CNAME a"],
    ["a A 192.0.2.1\nb CNAME A", "b CNAME A", "a: b.example.com points here"],
    ["a A 192.0.2.1\n@ MX 10 a\n_x._tcp SRV 0 0 1 a", "@ MX 10 a\n_x._tcp SRV 0 0 1 a", "a: example.com, _x._tcp.example.com point here"], // biome-ignore format: one line each
    ["a A 192.0.2.1\n* A 192.0.2.2\nb CNAME a", "* A 192.0.2.2\nb CNAME a"],
    ["a.b A 192.0.2.1\nb TXT x\n* A 192.0.2.2\nc CNAME a.b", "b TXT x\n* A 192.0.2.2\nc CNAME a.b", "a.b: c.example.com points here"], // biome-ignore format: one line each
    // With a name below it, b exists, so the wildcard does not answer for what is gone there (RFC 4592 §3.3.1).
    ["a.b A 192.0.2.1\nx.b A 192.0.2.1\n* A 192.0.2.2\nc CNAME a.b", "x.b A 192.0.2.1\n* A 192.0.2.2\nc CNAME a.b", "a.b: c.example.com points here"], // biome-ignore format: one line each
    ["a.b A 192.0.2.1\nc CNAME a.b", "b NS ns.example.net.\nc CNAME a.b"],
    [
      "a A 192.0.2.1\ne CNAME a\nc CNAME a\nd CNAME a\nb CNAME a",
      "b CNAME a\nc CNAME a\nd CNAME a\ne CNAME a",
      "a: b.example.com, c.example.com, d.example.com and 1 more point here",
    ],
  ],
  G09: [
    ["* A 192.0.2.1", "* A 192.0.2.2"],
    ["", "* A 192.0.2.1", "*: answers for every name that is not there"],
    ["*.x A 192.0.2.1", "x TXT x", "*.x: names that are not there get no answer"],
    ["* A 192.0.2.1", "* A 192.0.2.1\n* TXT x", "*: names that are not there get another answer"],
    ["* A 192.0.2.1", "* CNAME host.example.net.", "*: names that are not there get another answer"],
  ],
  G12: [
    ["", "a A 192.0.2.1"],
    ["", "a A 10.0.0.1", "a: a private address is published"],
    ["a AAAA 2001:db8::1", "a AAAA fd00::1", "a: a private address is published"],
    ["a A 10.0.0.1", "a 300 A 10.0.0.1"],
    ["", ";@ lenient a: private-address\na A 10.0.0.1"],
  ],
};

describe.each(Object.entries(cases))("%s", (guard, rows) => {
  test.each(rows)("%j becomes %j", (before, after, ...said) => {
    const held = heldIn([desiredOf(after)], [liveOf(before)]).filter((one) => one.guard === guard);
    expect(held.flatMap(texts)).toEqual(said);
  });

  test("lets something pass and holds something", () => {
    expect(new Set(rows.map(([, , ...said]) => said.length > 0))).toEqual(new Set([true, false]));
  });
});

test("there are cases for every guard, and no other", () => {
  const all = guards.map(({ guard }) => guard);
  expect(Object.keys(cases)).toEqual(all.filter((guard) => guard !== "G10")); // what no zones can bring about on purpose
});

test("docs/guards.md lists every guard, with its words", () => {
  const page = readFileSync(resolve(import.meta.dirname, "../../docs/guards.md"), "utf8");
  const rows = [...page.matchAll(/^\| (G\d\d) \| (.*?) \|$/gm)].map(([, id, about]) => ({ id, about }));
  expect(rows).toEqual(guards.map(({ guard, about }) => ({ id: guard, about })));
});

test("G02 counts zones that lose records", () => {
  const names = ["a", "b", "c", "d", "e", "f"].map((name) => `${name}.example.`);
  const lives = names.map((name) => liveOf("x A 192.0.2.1\ny A 192.0.2.1", "documented", name));
  const after = names.map((name) => desiredOf("y A 192.0.2.1", name));
  expect(heldIn(after, lives).flatMap(texts)).toEqual(["*: 6 zones lose records, more than 5"]);
  expect(heldIn(after.slice(1), lives)).toEqual([]);
});

test("G10 holds all that a plan does whose order is found wrong, and says no more than three reasons", () => {
  const live = new Map([["example.com.", liveOf("a A 192.0.2.1")]]);
  const made = plan([desiredOf("a A 192.0.2.1\nb A 192.0.2.1\nc A 192.0.2.1")], live);
  const reasons = ["step 1: a is dark", "step 2: b is dark", "step 3: c is dark", "step 4: d is dark"];
  const said = (count: number) => heldBy({ ...made, unproved: reasons.slice(0, count) }, live, thresholds);
  expect(said(0)).toEqual([]);
  expect(said(1).flatMap(texts)).toEqual(["*: the order of the writes could not be proved safe: step 1: a is dark"]);
  expect(said(4).flatMap(texts)).toEqual([
    "*: the order of the writes could not be proved safe: step 1: a is dark; step 2: b is dark; step 3: c is dark; and 1 more",
  ]);
  const held = said(1).map(({ guard, zone, effectDigest }) => ({ guard, zone, effectDigest }));
  expect(held).toEqual([{ guard: "G10", zone: "*", effectDigest: effectDigest(effectsOf(made)) }]);
});

test("G08 knows who points from zones that do not change", () => {
  const other = liveOf("vpn CNAME old.example.com.", "documented", "corp.example.");
  const held = heldIn([desiredOf("x A 192.0.2.1")], [liveOf("old A 192.0.2.1\nx A 192.0.2.1"), other]);
  expect(held.flatMap(texts)).toEqual(["old: vpn.corp.example points here"]);
});

test("G08 knows who points from zones that the plan is not about", () => {
  const live = new Map([["example.com.", liveOf("old A 192.0.2.1\nx A 192.0.2.1")]]);
  const other = desiredOf("vpn CNAME old.example.com.", "corp.example.").records;
  const held = heldBy(plan([desiredOf("x A 192.0.2.1")], live), live, thresholds, () => [other]);
  expect(held.flatMap(texts)).toEqual(["old: vpn.corp.example points here"]);
});

test("G08 lets a name go that another zone of the account takes over", () => {
  const whole = "www CNAME app.lab\napp.lab A 192.0.2.1";
  const [parent, child] = [desiredOf("www CNAME app.lab"), desiredOf("app A 192.0.2.1", "lab.example.com.")];
  expect(heldIn([parent, child], [liveOf(whole)])).toEqual([]);
});

test.each<[string, string, string[]]>([
  ["", "www CNAME app.lab\nmail CNAME app.lab", ["mail.example.com and 1 more point to app.lab.example.com"]],
  ["", "www CNAME app.lab", ["www.example.com points to app.lab.example.com"]],
  ["", "www CNAME app.lab\napp.lab A 192.0.2.1", []],
  ["lab NS ns.example.net.", "lab NS ns.example.net.\nwww CNAME app.lab\napp.lab A 192.0.2.1", ["www.example.com points to app.lab.example.com"]], // biome-ignore format: one line each
])("G08 of a domain that goes: beside %j, which becomes %j", (before, after, said) => {
  const lab = liveOf("app A 192.0.2.1", "documented", "lab.example.com.");
  const live = new Map([liveOf(before), lab].map((zone) => [zone.name, zone]));
  const held = heldBy(plan([desiredOf(after)], live, [], [lab]), live, thresholds);
  const ofG08 = held.filter(({ guard }) => guard === "G08").flatMap(({ findings }) => findings);
  expect(ofG08.map(({ text }) => text)).toEqual(said);
});

test("of a zone that is to be created only private addresses are held", () => {
  const zone = desiredOf("* A 192.0.2.1\nsub NS ns.example.net.\n@ MX 0 .\na A 10.0.0.1");
  expect(heldIn([zone], []).flatMap(texts)).toEqual(["a: a private address is published"]);
});

test("the digest is that of the effects that are held, whatever else is planned", () => {
  const before = liveOf("@ MX 10 a.example.net.\nb A 192.0.2.1");
  const [one] = heldIn([desiredOf("b A 192.0.2.1")], [before]);
  const [other] = heldIn([desiredOf("b A 192.0.2.2\nc A 192.0.2.1")], [before]);
  expect(one).toEqual(other);
  expect(one?.effectDigest).toBe(effectDigest(one?.findings.flatMap(({ effects }) => effects) ?? []));
  const [changed] = heldIn([desiredOf("@ MX 10 b.example.net.")], [before]);
  expect(changed?.effectDigest).not.toBe(one?.effectDigest);
});

function heldIn(desired: DesiredZone[], live: LiveZone[]): Held[] {
  const zones = new Map(live.map((zone) => [zone.name, zone]));
  return heldBy(plan(desired, zones), zones, thresholds);
}

/** What is said at which name, relative to the zone; `*` where it is of all together. */
function texts({ findings }: Held): string[] {
  return findings.map(({ text, effects, isWide }) => {
    const name = (effects[0]?.name ?? "").replace(/\.?example\.com\.$/, "") || "@";
    return `${isWide ? "*" : name}: ${text}`;
  });
}
