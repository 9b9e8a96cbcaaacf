import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { nameKey, readName } from "../../src/dns/name/name.ts";
import { asId } from "../../src/dns/zone/desired-live.ts";
import { findingTexts } from "../../src/planner/blocks/acks.ts";
import { findGuardBlocks } from "../../src/planner/blocks/find-blocks.ts";
import { guards } from "../../src/planner/blocks/guards.ts";
import { finish } from "../../src/planner/order/work.ts";
import type { ExampleLines, Guard } from "../../src/planner/risk/guard.ts";
import { apiSettings } from "../../src/targets/api/settings.ts";
import { plan } from "./plan-now.ts";
import { desiredOpenOf, liveOf } from "./world.ts";

const root = resolve(import.meta.dirname, "../..");
const thresholds = readConfig("zonewright.yaml", "", apiSettings).config.guards;
const withExamples = guards.flatMap(({ guard, examples }) => (examples ? [{ guard, ...examples }] : []));

/** The zones of an example: the sign of each, and its records before and after. */
function zonesOf(lines: ExampleLines) {
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

/** The blocks in a real plan of an example, with the default thresholds. */
function blocksOf(lines: ExampleLines): [guard: string, zone: string, texts: string][] {
  const zones = zonesOf(lines);
  const stored = zones.flatMap(({ name, sign, before }, index) =>
    sign === "+" ? [] : [{ ...liveOf(before, "documented", name), id: asId(index + 1) }],
  );
  const live = new Map(stored.map((zone) => [nameKey(zone.name), zone]));
  const desired = zones.flatMap(({ name, sign, after }) => (sign === "-" ? [] : [desiredOpenOf(after, name)]));
  const deletions = stored.filter(({ name }) => zones.some((zone) => zone.name === name && zone.sign === "-"));
  const blocks = finish(
    findGuardBlocks(plan(desired, live, { deletions }), live, thresholds, {
      settings: apiSettings,
      freed: [{ address: "203.0.113.24", node: "web-1", until: "2026-03-01" }],
      unanswered: new Map([
        [nameKey(readName("lab.example.net.")), "PowerDNS answers ALIAS with nothing (`expand-alias=no`)"],
      ]),
      inUse: new Map([
        [nameKey(readName("lab.example.net.")), ["ns1.example.net still answers with NS ns2.example.net"]],
      ]),
    }),
  );
  return blocks.map((block) => [block.guard, block.zone, findingTexts(block).join("; ")]);
}

test.each(
  withExamples.flatMap(({ guard, invalid, invalidOfRun }) =>
    [invalid, invalidOfRun ?? []].flat().map((example) => ({ guard, ...example })),
  ),
)(
  "$guard: the invalid example $lines is blocked by this guard alone",
  ({ guard, lines, zone = "example.com", finding, also = [] }) => {
    const own = blocksOf(lines).filter(([id]) => !also.includes(id as (typeof also)[number]));
    expect(own).toEqual([[guard, zone === "*" ? zone : `${zone}.`, finding]]);
  },
);

test.each(withExamples)("$guard: the valid example is blocked by no guard", ({ valid }) => {
  expect(blocksOf(valid)).toEqual([]);
  expect(valid.join("\n")).toMatch(/^[+-]/m);
});

test("the guards that check zones and the run as a whole have an example of each", () => {
  const both = guards.filter(({ check, checkRun }) => check && checkRun).map(({ guard }) => guard);
  expect(withExamples.flatMap(({ guard, invalidOfRun }) => (invalidOfRun?.zone === "*" ? [guard] : []))).toEqual(both);
});

test("each file in guards/ is one guard of the list, and is named after its title", async () => {
  const folder = resolve(root, "src/planner/guards");
  const files = await Promise.all(
    readdirSync(folder).map(async (file) => [file, Object.values(await import(resolve(folder, file)))] as const),
  );
  expect(files).toEqual(
    guards
      .map((one) => [`${one.title.toLowerCase().replaceAll(" ", "-")}.ts`, [one]] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
});

test("ids are unique, those of former guards as well", () => {
  const ids = guards.flatMap(({ guard, formerIdOfRun }) => [guard, ...(formerIdOfRun ? [formerIdOfRun] : [])]);
  expect(ids.length).toBe(new Set(ids).size);
  expect(guards.flatMap(({ guard, formerIdOfRun }) => (formerIdOfRun ? [[formerIdOfRun, guard]] : []))).toEqual([
    ["G02", "G01"],
    ["G14", "G13"],
  ]);
});

test("every guard has examples, except the one that blocks faults of zonewright", () => {
  expect(guards.flatMap(({ guard, examples }) => (examples ? [] : [guard]))).toEqual(["G10"]);
});

test("every threshold is that of a guard, and is named where the guard is explained", () => {
  const named = guards.flatMap(({ counts, thresholds = [] }) => {
    expect(
      [...new Set([...counts.matchAll(/`(\w+_(?:least|percent|most|deletes|zones))`/g)].map(([, key]) => key))].sort(),
    ).toEqual([...thresholds].sort());
    return thresholds;
  });
  expect([...new Set(named)].sort()).toEqual(Object.keys(thresholds).sort());
});

test("docs/guards.md has a section for every guard, with its limits and examples", async () => {
  const file = resolve(root, "docs/guards.md");
  const page = readFileSync(file, "utf8");
  const [, head, , tail] =
    /^([\s\S]*?\n## Each guard\n\n[\s\S]*?\n\n)([\s\S]*?)(## Thresholds\n[\s\S]*)$/.exec(page) ?? [];
  await expect(`${head}${guards.map(sectionOf).join("")}${tail}`).toMatchFileSnapshot(file);
});

function sectionOf({ guard, title, counts, thresholds = [], zoneSetting, examples }: Guard): string {
  const settings = zoneSetting === undefined ? thresholds : [zoneSetting];
  const code = (lines: ExampleLines) => `\`\`\`diff\n${lines.join("\n")}\n\`\`\`\n\n`;
  const { valid, invalid, invalidOfRun } = examples ?? {};
  return [
    `### ${guard}: ${title}\n\n${counts}\n\n`,
    settings.length === 0
      ? ""
      : `${settings.length === 1 ? "Setting" : "Settings"}: ${settings.map((one) => `\`${one}\``).join(", ")}\n\n`,
    ...[invalid ?? [], invalidOfRun ?? []].flat().map(({ lines, finding }) => `Blocked: ${finding}\n\n${code(lines)}`),
    valid ? `Not blocked:\n\n${code(valid)}` : "",
  ].join("");
}
