import { describe, expect, test } from "vitest";
import type { NameKey } from "../../src/dns/name.ts";
import { type ApprovedPlan, findApprovals } from "../../src/planner/approved-effects.ts";
import { type Effect, effectDigest } from "../../src/planner/effects.ts";
import type { PlanFile } from "../../src/planner/plan-schema.ts";

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
    effectDigest: effectDigest(names.map(effect)),
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
