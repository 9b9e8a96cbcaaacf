import { expect, test } from "vitest";
import type { RdataByType } from "../../src/dns/types/index.ts";
import { asId } from "../../src/dns/zone/desired-live.ts";
import type { Scope } from "../../src/dns/zone/scope.ts";
import { writesOf } from "../../src/planner/changes/change.ts";
import { planZone } from "../../src/planner/plan.ts";
import { domainName } from "../names.ts";
import { changeLine } from "./steps-text.ts";
import { desiredOf, liveOf, origin } from "./world.ts";

const file = '@ A 192.0.2.1\n@ TXT "v=spf1 -all"\nwww CNAME @';
const listed: Scope = { manage: "listed", ignore: [] };
const ignoring = (...ignore: Omit<Scope["ignore"][number], "reason">[]): Scope => ({
  ignore: ignore.map((pattern) => ({ ...pattern, reason: "theirs" })),
});

/** Live records besides those of the file, the scope, and the writes; "alone" without any. */
const rows: [live: string, scope: Scope | undefined, written: string][] = [
  ["old A 192.0.2.9", undefined, "- old A 192.0.2.9"],
  ["old A 192.0.2.9", { manage: "all", ignore: [] }, "- old A 192.0.2.9"],
  ["old A 192.0.2.9", listed, "alone"],
  ["@ MX 10 mail.example.net.", listed, "alone"],
  ["@ A 192.0.2.9", listed, "- @ A 192.0.2.9"],
  ["old A 192.0.2.9", ignoring({ name: "old" }), "alone"],
  ["OLD A 192.0.2.9", ignoring({ name: "Old", type: "a" }), "alone"],
  ["old A 192.0.2.9", ignoring({ name: "ol" }), "- old A 192.0.2.9"],
  ["old A 192.0.2.9", ignoring({ name: "old", type: "AAAA" }), "- old A 192.0.2.9"],
  ["a.dyn A 192.0.2.9", ignoring({ name: "*.dyn" }), "alone"],
  ["a.b.dyn A 192.0.2.9", ignoring({ name: "*.dyn" }), "alone"],
  ["dyn A 192.0.2.9", ignoring({ name: "*.dyn" }), "- dyn A 192.0.2.9"],
  ["aXdyn A 192.0.2.9", ignoring({ name: "*.dyn" }), "- aXdyn A 192.0.2.9"],
  ["old A 192.0.2.9", ignoring({ name: "x" }, { value: "192.0.2.*" }), "alone"],
  ["@ TXT google-site-verification=abc", ignoring({ name: "@", value: "google-*" }), "alone"],
  ["old MX 10 mail", ignoring({ value: "* mail.example.com." }), "alone"],
  // Records that the file lists are always managed, and so are those that cannot coexist with them.
  ["@ A 192.0.2.9", ignoring({ type: "AAAA" }), "- @ A 192.0.2.9"],
  ["www A 192.0.2.9", ignoring({ type: "A" }), "- www A 192.0.2.9"],
  ["www A 192.0.2.9", listed, "- www A 192.0.2.9"],
  ['@ TXT "v=spf1 ~all"', ignoring({ type: "TXT" }), '- @ TXT "v=spf1 ~all"'],
  // Answers to ACME challenges come and go.
  ["_acme-challenge TXT token", undefined, "alone"],
  ["_ACME-Challenge.www TXT token", undefined, "alone"],
  ["_acme-challenge CNAME x.example.net.", undefined, "- _acme-challenge CNAME x.example.net."],
  ["acme-challenge TXT token", undefined, '- acme-challenge TXT "token"'],
];

test.each(rows)("%s, %o", (alive, scope, written) => {
  const desired = { ...desiredOf(file), ...(scope && { scope }) };
  const plan = planZone(desired, liveOf(`${file}\n${alive}`), {});
  const texts = writesOf(plan).map((change) => changeLine(change, origin));
  expect(texts.join("\n") || "alone").toBe(written);
  expect(plan.ignored).toBe(written === "alone" ? 1 : 0);
});

test("creates a challenge that git lists and keeps others beside it", () => {
  const plan = planZone(desiredOf("_acme-challenge TXT ours"), liveOf("_acme-challenge TXT theirs"), {});
  expect(writesOf(plan).map((change) => changeLine(change, origin))).toEqual(['+ _acme-challenge TXT "ours"']);
  expect(plan.ignored).toBe(1);
});

test("the apex NS set belongs to the service: never changed, not counted", () => {
  const live = liveOf("@ A 192.0.2.1");
  const ns = {
    id: asId(9),
    owner: domainName("EXAMPLE.com."),
    type: "NS",
    ttl: undefined,
    data: { nsdname: domainName("ns1.example.net.") } satisfies RdataByType["NS"],
  };
  const plan = planZone(desiredOf("@ A 192.0.2.1"), { ...live, records: [...live.records, ns] }, {});
  expect(writesOf(plan)).toEqual([]);
  expect(plan.ignored).toBe(0);
});

test("an ignored record that the file lists with another TTL gets that TTL", () => {
  const desired = { ...desiredOf("a 300 A 192.0.2.1"), scope: ignoring({ name: "a" }) };
  expect(
    writesOf(planZone(desired, liveOf("a 3600 A 192.0.2.1"), {})).map((change) => changeLine(change, origin)),
  ).toEqual(["~ a 3600 A 192.0.2.1 -> a 300 A 192.0.2.1"]);
});
