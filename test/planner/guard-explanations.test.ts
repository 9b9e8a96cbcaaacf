import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "../../src/config/read.ts";
import { nameKey } from "../../src/dns/name/name.ts";
import { asId } from "../../src/dns/zone/desired-live.ts";
import { findingTexts } from "../../src/planner/guards/acks.ts";
import { type GuardExample, guardExplanations } from "../../src/planner/guards/explanations.ts";
import { findGuardBlocks, guards } from "../../src/planner/guards/guards.ts";
import { finish } from "../../src/planner/order/work.ts";
import { apiSettings } from "../../src/targets/api/settings.ts";
import { domainName } from "../names.ts";
import { plan } from "./plan-now.ts";
import { desiredOf, liveOf } from "./world.ts";

const thresholds = readConfig("zonewright.yaml", "", apiSettings).config.guards;
const examples = Object.entries(guardExplanations).flatMap(([guard, { example }]) =>
  example ? [{ guard, example }] : [],
);

/** The zones of an example: the sign of each, and its records before and after. */
function zonesOf({ lines }: GuardExample) {
  const zones = [{ name: "example.com.", sign: " ", before: "", after: "" }];
  for (const line of lines) {
    const [sign = "", text = ""] = [line.slice(0, 1), line.slice(2)];
    const [, name] = /^zone (.*)$/.exec(text) ?? [];
    const zone = zones.at(-1);
    if (name !== undefined) zones.push({ name: `${name}.`, sign, before: "", after: "" });
    else if (zone) {
      if (sign !== "+") zone.before += expand(text);
      if (sign !== "-") zone.after += expand(text);
    }
  }
  return zones;
}

function expand(line: string): string {
  const [whole = "", from = 1, to = 1] = /\{(\d+)\.\.(\d+)\}/.exec(line) ?? [];
  const numbers = Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => Number(from) + index);
  return numbers.map((number) => `${line.replace(whole, whole && `${number}`)}\n`).join("");
}

test.each(examples)("the example of $guard is blocked with its message", ({ guard, example }) => {
  const zones = zonesOf(example);
  const stored = zones.flatMap(({ name, sign, before }, index) =>
    sign === "+" ? [] : [{ ...liveOf(before, "documented", name), id: asId(index + 1) }],
  );
  const live = new Map(stored.map((zone) => [nameKey(zone.name), zone]));
  const desired = zones.flatMap(({ name, sign, after }) => (sign === "-" ? [] : [desiredOf(after, name)]));
  const deletions = stored.filter(({ name }) => zones.some((zone) => zone.name === name && zone.sign === "-"));
  const blocks = finish(
    findGuardBlocks(plan(desired, live, { deletions }), live, thresholds, {
      settings: apiSettings,
      freed: [{ address: "203.0.113.24", node: "web-1", until: "2026-03-01" }],
    }),
  ).filter((block) => block.guard === guard);
  const { zone = "example.com", finding } = example;
  expect(blocks.map((block) => [block.zone, findingTexts(block).join("; ")])).toEqual([
    [zone === "*" ? zone : domainName(`${zone}.`), finding],
  ]);
});

test("every guard is explained, and all but G10 with an example", () => {
  expect(Object.keys(guardExplanations)).toEqual(guards.map(({ guard }) => guard));
  expect(examples.map(({ guard }) => guard)).toEqual(
    guards.map(({ guard }) => guard).filter((guard) => guard !== "G10"),
  );
});

test("every threshold is that of a guard, and is named where the guard is explained", () => {
  const named = Object.values(guardExplanations).flatMap(({ counts, thresholds = [] }) => {
    expect(
      [...new Set([...counts.matchAll(/`(\w+_(?:least|percent|most|deletes|zones))`/g)].map(([, key]) => key))].sort(),
    ).toEqual([...thresholds].sort());
    return thresholds;
  });
  expect([...new Set(named)].sort()).toEqual(Object.keys(thresholds).sort());
});

test("docs/guards.md explains every guard in the same words", () => {
  const page = readFileSync(resolve(import.meta.dirname, "../../docs/guards.md"), "utf8");
  const [, section = ""] = page.split("\n## How the guards count\n");
  const rows = [...(section.split("\n## ")[0] ?? "").matchAll(/^\| (G\d\d) \| (.*) \| (.*) \|$/gm)].map(([row]) => row);
  expect(rows).toEqual(
    Object.entries(guardExplanations).map(([guard, { counts, thresholds = [], zoneSetting }]) => {
      const settings = zoneSetting === undefined ? thresholds : [zoneSetting];
      return `| ${guard} | ${counts} | ${settings.map((one) => `\`${one}\``).join(", ")} |`;
    }),
  );
});
