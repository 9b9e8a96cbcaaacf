import { expect, test } from "vitest";
import { canonical } from "../../src/dns/zone/zone.ts";
import { writesOf } from "../../src/planner/changes/change.ts";
import { matchSet } from "../../src/planner/match/match.ts";
import { planZone } from "../../src/planner/plan.ts";
import { recordLine, stepsText } from "./steps-text.ts";
import { desiredOf, liveOf, origin } from "./world.ts";

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join("\n");

test.each([
  [
    "the most similar values are paired",
    ["10 mx1.a.", "20 mx2.b."],
    ["10 mx9.a.", "30 mx2.b."],
    ["10 mx1.a. > 10 mx9.a.", "20 mx2.b. > 30 mx2.b."],
  ],
  ["an existing value is never paired with another", ["1 a.", "2 b."], ["2 b.", "3 a."], ["1 a. > 3 a."]],
  ["surplus live records are deleted", ["1 a.", "2 b.", "3 c."], ["2 bb."], ["2 b. > 2 bb.", "1 a. >", "3 c. >"]],
  ["surplus desired records are created", ["2 b."], ["1 a.", "2 bb.", "3 c."], ["2 b. > 2 bb.", "> 1 a.", "> 3 c."]],
])("%s", (_, current, desired, expected) => {
  const text = (values: string[]) => values.map((value) => `@ MX ${value}`).join("\n");
  const { changes } = matchSet(desiredOf(text(desired)).records, liveOf(text(current)).records, () => true);
  const value = (line: string | undefined) => line?.replace("@ MX ", "");
  expect(
    changes.map((change) => {
      const before = change.kind === "create" ? undefined : recordLine(change.before, origin);
      const after = change.kind === "delete" ? undefined : recordLine(change.after, origin);
      return [value(before), ">", value(after)].filter(Boolean).join(" ");
    }),
  ).toEqual(expected);
});

test("an RRset of hundreds: keeps equal values, updates TTLs of equal RDATA, pairs the rest", () => {
  const live = liveOf(`${lines(200, (i) => `www 300 A 192.0.2.${i}`)}`);
  const desired = desiredOf(`${lines(200, (i) => `www 300 A 192.0.2.${i + 1}`)}\nwww 300 A 198.51.100.1`);
  expect(stepsText(planZone(desired, live, {}))).toBe(
    "+ www 300 A 198.51.100.1\n~ www 300 A 192.0.2.0 -> www 300 A 192.0.2.200",
  );
  const slower = desiredOf(lines(201, (i) => `www 3600 A 192.0.2.${i}`));
  const kinds = writesOf(planZone(slower, live, {})).map((change) =>
    change.kind === "update" ? canonical(change.before) === canonical(change.after) : change.kind,
  );
  expect(kinds).toEqual(["create", ...new Array(200).fill(true)]);
});

test.each<[string, string, string, number]>([
  [
    "as many new names, each pointing to the next",
    "",
    `${lines(11_999, (i) => `n${i} CNAME n${i + 1}`)}\nn11999 A 192.0.2.1`,
    12_000,
  ],
  ["as many pointers to one name", "", `${lines(11_999, (i) => `n${i} CNAME host`)}\nhost A 192.0.2.1`, 12_000],
  [
    "one RRset that is replaced",
    lines(12_000, (i) => `www TXT "old ${i}"`),
    lines(12_000, (i) => `www TXT "new ${i}"`),
    12_000,
  ],
  ["many RRsets that are deleted", lines(12_000, (i) => `n${i} A 192.0.2.1`), "www A 192.0.2.1", 12_001],
  ["a value stored 12,000 times", lines(12_000, () => "www A 192.0.2.1"), "www A 192.0.2.2", 12_000],
])("12,000 changes in one zone: %s", (_, current, text, writes) => {
  // `npm run bench -- plan` measures the time.
  expect(writesOf(planZone(desiredOf(text), liveOf(current), {})).length).toBe(writes);
});

test("a long chain of aliases is ordered from its end", () => {
  const plan = planZone(desiredOf(`${lines(200, (i) => `n${i} CNAME n${i + 1}`)}\nn200 A 192.0.2.1`), liveOf(""), {});
  expect(plan.steps.map(({ writes }) => writes[0]?.kind === "create" && writes[0].after.owner)).toEqual(
    Array.from({ length: 201 }, (_, index) => `n${200 - index}.example.com.`),
  );
});
