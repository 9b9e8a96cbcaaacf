import { describe, expect, test } from "vitest";
import type { NameKey } from "../../src/dns/name/name.ts";
import { type ApprovedPlan, findApprovals } from "../../src/planner/approval/approved-effects.ts";
import { digestEffects, type Effect } from "../../src/planner/changes/effects.ts";
import type { PlanFile } from "../../src/planner/plan-file/plan-schema.ts";
import { liveOf } from "./world.ts";

const zone = "example.com." as NameKey;

/** The deletion of `name A 192.0.2.1`, as an effect and as a change of a plan file. */
const effect = (name: string): Effect => ({
  zone,
  kind: "delete",
  name: `${name}.example.com.` as NameKey,
  type: "A",
  before: "300 192.0.2.1",
  after: null,
});
const change = (name: string, id: number) => ({ ...effect(name), before: { ttl_sec: 300, rdata: "192.0.2.1", id } });

/** An approved plan that deletes records with these names, read at a minute. */
function approved(name: string, minute: number, names: readonly string[]): ApprovedPlan {
  const plan = {
    changes: names.map(change),
    observed: { time: `2026-03-04T12:0${minute}:00Z`, zones: [] },
    effectDigest: digestEffects(names.map(effect)),
  };
  return { name, plan: plan as unknown as PlanFile };
}

/** The names that each plan approves, then those that none does. */
function approvalsOf(names: readonly string[], plans: readonly ApprovedPlan[]) {
  const nameOf = ({ name }: Effect) => name.replace(".example.com.", "");
  const { approvals, unapproved } = findApprovals(names.map(effect), plans);
  return [...approvals.map(({ name, effects }) => [name, ...effects.map(nameOf)]), unapproved.map(nameOf)];
}

describe("an effect is approved by the newest plan that includes it, as often as that plan does", () => {
  test.each<[string, string[], ApprovedPlan[], string[][]]>([
    ["no plan", ["a"], [], [["a"]]],
    ["no effects", [], [approved("p", 1, ["a"])], [[]]],
    ["a plan with more", ["a"], [approved("p", 1, ["b", "a"])], [["p", "a"], []]],
    [
      "the union of two",
      ["a", "b", "c"],
      [approved("p", 1, ["a"]), approved("q", 2, ["b"])],
      [["q", "b"], ["p", "a"], ["c"]],
    ],
    ["two plans with the same", ["a"], [approved("p", 1, ["a"]), approved("q", 2, ["a"])], [["q", "a"], []]],
    ["two equal records, approved together", ["a", "a"], [approved("p", 1, ["a", "a"])], [["p", "a", "a"], []]],
    ["two equal records, of which one is approved", ["a", "a"], [approved("p", 1, ["a"])], [["p", "a"], ["a"]]],
    [
      "two equal records, of which two plans approve one each",
      ["a", "a"],
      [approved("p", 1, ["a"]), approved("q", 2, ["a"])],
      [["q", "a"], ["a"]],
    ],
    [
      "two equal records, of which the older plan approves both",
      ["a", "a"],
      [approved("p", 1, ["a", "a"]), approved("q", 2, ["a"])],
      [["q", "a"], ["p", "a"], []],
    ],
  ])("%s", (_, names, plans, expected) => {
    expect(approvalsOf(names, plans)).toEqual(expected);
  });
});

describe("half of a swap or a move is not approved by the whole", () => {
  /** An effect from `kind name type data`, such as `create www A 192.0.2.1`; `change www A 1 2`; `create www/b …`. */
  const parse = (text: string): Effect => {
    const [kind = "", place = "", type = "", data = "", next = data] = text.split(" ");
    const [name = "", origin = "example.com"] = place.split("/");
    return {
      zone: `${origin}.` as NameKey,
      kind: kind as Effect["kind"],
      name: `${name}.${origin}.` as NameKey,
      type,
      before: kind === "create" ? null : `300 ${data}`,
      after: kind === "delete" ? null : `300 ${next}`,
    };
  };
  const planOf = (texts: readonly string[]): ApprovedPlan => {
    const changes = texts.map(parse);
    const plan = { changes, observed: { time: "2026-03-04T12:00:00Z", zones: [] }, effectDigest: "0" };
    return { name: "plan", plan: plan as unknown as PlanFile };
  };
  const swap = ["delete www CNAME www.example.net.", "create www A 192.0.2.1", "create www AAAA 2001:db8::1"];
  const move = ["delete old A 192.0.2.1", "create new A 192.0.2.1"];

  test.each<[string, readonly string[], readonly string[], string, readonly string[]]>([
    ["a whole swap", swap, swap, "", []],
    ["the delete of a swap", swap, swap.slice(0, 1), "www 300 CNAME www.example.net.", swap.slice(0, 1)],
    ["a swap without one of its creates", swap, swap.slice(0, 2), "www 300 CNAME www.example.net.", swap.slice(0, 2)],
    ["the rest of a swap that was begun", swap, swap.slice(1), "", []],
    [
      "the rest of a swap whose creates are in place",
      swap,
      swap.slice(0, 1),
      "www 300 CNAME www.example.net.\nwww 300 A 192.0.2.1\nwww 300 AAAA 2001:db8::1",
      [],
    ],
    ["a whole move", move, move, "old 300 A 192.0.2.1", []],
    ["the delete of a move", move, move.slice(0, 1), "old 300 A 192.0.2.1", move.slice(0, 1)],
    ["the create of a move", move, move.slice(1), "old 300 A 192.0.2.1", move.slice(1)],
    [
      "the delete of a move whose create is in place",
      move,
      move.slice(0, 1),
      "old 300 A 192.0.2.1\nnew 300 A 192.0.2.1",
      [],
    ],
    [
      "the delete of a move into another zone",
      ["delete d A 192.0.2.9", "create d/b.example A 192.0.2.9"],
      ["delete d A 192.0.2.9"],
      "d 300 A 192.0.2.9",
      ["delete d A 192.0.2.9"],
    ],
    [
      "the create of a move from another zone",
      ["delete d/b.example A 192.0.2.9", "create d A 192.0.2.9"],
      ["delete d/b.example A 192.0.2.9"],
      "d 300 A 192.0.2.9",
      [],
    ],
    [
      "the delete of a move whose data arrives by a change",
      ["change www A 192.0.2.1 192.0.2.9", "delete d A 192.0.2.9"],
      ["delete d A 192.0.2.9"],
      "www 300 A 192.0.2.1\nd 300 A 192.0.2.9",
      ["delete d A 192.0.2.9"],
    ],
    [
      "the delete of a move whose data arrived by a change",
      ["change www A 192.0.2.1 192.0.2.9", "delete d A 192.0.2.9"],
      ["delete d A 192.0.2.9"],
      "www 300 A 192.0.2.9\nd 300 A 192.0.2.9",
      [],
    ],
    [
      "the change of a move whose data a create restores elsewhere",
      ["change www A 192.0.2.1 192.0.2.9", "create old A 192.0.2.1"],
      ["change www A 192.0.2.1 192.0.2.9"],
      "www 300 A 192.0.2.1",
      ["change www A 192.0.2.1 192.0.2.9"],
    ],
    [
      "one of two changes that exchange their data",
      ["change a A 192.0.2.1 192.0.2.2", "change b A 192.0.2.2 192.0.2.1"],
      ["change a A 192.0.2.1 192.0.2.2"],
      "a 300 A 192.0.2.1\nb 300 A 192.0.2.2",
      ["change a A 192.0.2.1 192.0.2.2"],
    ],
    [
      "one of two changes to the same data",
      ["change a A 192.0.2.1 192.0.2.9", "change b A 192.0.2.2 192.0.2.9"],
      ["change a A 192.0.2.1 192.0.2.9"],
      "a 300 A 192.0.2.1\nb 300 A 192.0.2.2",
      [],
    ],
    [
      "one of two deletes",
      ["delete a A 192.0.2.1", "delete b A 192.0.2.2"],
      ["delete a A 192.0.2.1"],
      "a 300 A 192.0.2.1\nb 300 A 192.0.2.2",
      [],
    ],
    [
      "one of two creates of the same",
      ["create a A 192.0.2.1", "create b A 192.0.2.1"],
      ["create a A 192.0.2.1"],
      "",
      [],
    ],
    [
      "the delete of a record beside the change of another of the set",
      ["change www A 192.0.2.1 192.0.2.3", "delete www A 192.0.2.2"],
      ["delete www A 192.0.2.2"],
      "www 300 A 192.0.2.1\nwww 300 A 192.0.2.2",
      ["delete www A 192.0.2.2"],
    ],
    [
      "the delete of another type beside a change",
      ["change www A 192.0.2.1 192.0.2.3", "delete www TXT x"],
      ["delete www TXT x"],
      "www 300 A 192.0.2.1",
      [],
    ],
  ])("%s", (_, whole, part, live, refused) => {
    const stored = new Map([[zone, liveOf(live)]]);
    const { unapproved, halves } = findApprovals(part.map(parse), [planOf(whole)], stored);
    expect(unapproved).toEqual(refused.map(parse));
    expect(halves.size).toBe(refused.length);
  });

  test("but by another plan that consists of it", () => {
    const part = swap.slice(0, 1);
    const stored = new Map([[zone, liveOf("www 300 CNAME www.example.net.")]]);
    expect(findApprovals(part.map(parse), [planOf(swap), planOf(part)], stored).unapproved).toEqual([]);
  });

  test("in plans of many equal effects, without a long search", () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `create n${index} A 192.0.2.1`);
    const whole = [
      "delete old A 192.0.2.1",
      ...many,
      ...many.slice(0, 5000).map((text) => text.replace("create", "delete").replace(" A 192.0.2.1", " TXT x")),
    ];
    const begun = performance.now();
    expect(findApprovals(whole.map(parse), [planOf(whole)], new Map()).unapproved).toEqual([]);
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});
