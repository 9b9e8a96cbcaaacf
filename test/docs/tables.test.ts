import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { exitMeanings } from "../../src/cli/exit-code.ts";
import { configSchema, readConfig } from "../../src/config/config.ts";
import { readCatalog } from "../../src/server/catalog/read.ts";
import { catalogFileSchema } from "../../src/server/catalog/schema.ts";
import { apiSettings } from "../../src/targets/api/settings.ts";
import { Desk } from "../cli/run.ts";
import { readPage, root } from "./page.ts";

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly default?: unknown;
  readonly description?: string;
}

/** Every setting below a part of the schema, with its default as a table shows it. */
function settingsIn({ properties = {}, items, anyOf = [] }: Schema, path: string[] = []): [string, string][] {
  const own = Object.entries(properties).flatMap(([name, schema]): [string, string][] => {
    const usual = name === "guards" || schema.default === undefined ? "" : `\`${JSON.stringify(schema.default)}\``;
    return [[[...path, name].join("."), usual], ...settingsIn(schema, [...path, name])];
  });
  return [...own, ...(items ? settingsIn(items, path) : []), ...anyOf.flatMap((schema) => settingsIn(schema, path))];
}

const first = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = ""]) => found);

test("docs/configuration.md: the table has every setting of zonewright.yaml with its default", () => {
  const page = readPage("docs/configuration.md")
    .split("\n## ")
    .find((part) => part.startsWith("zonewright.yaml"));
  const rows = [...(page ?? "").matchAll(/^\| `([\w.]+)` \| (`.*?`)? ?\|/gm)].map(([, name, usual = ""]) => [
    name,
    usual,
  ]);
  const settings = settingsIn(z.toJSONSchema(configSchema(apiSettings), { io: "input" }) as Schema);
  expect(rows).toEqual([...new Map(settings)]);
});

/** A row for every setting below a part of the schema: its name, its default unless it is a map, its description. */
function rowsOf({ properties = {}, items }: Schema, path: string[] = []): string[] {
  const own = Object.entries(properties).flatMap(([name, schema]) => {
    const usual = schema.default === undefined || schema.properties ? " " : ` \`${JSON.stringify(schema.default)}\` `;
    const row = `| \`${[...path, name].join(".")}\` |${usual}| ${schema.description} |`;
    return [row, ...rowsOf(schema, [...path, name])];
  });
  return items ? [...own, ...rowsOf(items, path)] : own;
}

test("docs/server/catalogue.md: the table has every setting of a catalogue, its default and its description", () => {
  const [, section = ""] = readPage("docs/server/catalogue.md").split("|---|---|---|\n");
  const rows = rowsOf(z.toJSONSchema(catalogFileSchema, { io: "input" }) as Schema);
  expect(section.trimEnd().split("\n")).toEqual(rows);
});

test("docs/server/catalogue.md: the example is valid", () => {
  const [example = ""] = first(readPage("docs/server/catalogue.md"), /^```yaml\n(.*?)^```$/gms);
  expect(readCatalog("catalog.yaml", example).regions.map(({ id }) => id)).toEqual(["lab", "attic"]);
});

test("docs/configuration.md: the flags, variables and settings in the table of precedence exist", async () => {
  const page = readPage("docs/configuration.md");
  const rows = [...page.matchAll(/^\| [^`|]+ \| (`--.*?) \| (.*?) ?\| (.*?) ?\| .* \|$/gm)];
  const column = (index: number) => rows.flatMap((row) => first(row[index] ?? "", /`(.*?)`/g));
  const { out } = await new Desk().run("plan --help");
  const shared = first(out, /^ {2}(--[a-z-]+)/gm).filter((name) => column(1).includes(name));
  expect(column(1).sort()).toEqual(shared.sort());
  const variables = first(page, /^\| (`[A-Z].*?`) \|/gm).flatMap((cell) => first(cell, /`(\w+)`/g));
  expect(variables).toEqual(expect.arrayContaining(column(2)));
  expect(first(page, /^\| `([\w.]+)` \|/gm)).toEqual(expect.arrayContaining(column(3)));
  expect([rows.length, column(2).length, column(3).length]).toEqual([7, 6, 3]);
});

test("docs/zone-files.md: the tables have every key of zone files", () => {
  const tables = first(readPage("docs/zone-files.md"), /^\| key \| meaning \|\n\|---\|---\|\n((?:\|.*\n)+)/gm);
  const [top, ofSet] = tables.map((table) => first(table, /^\| (.*?) \|/gm).flatMap((cell) => first(cell, /`(\w+)`/g)));
  const schema = JSON.parse(readPage("schemas/zone.schema.json")) as Schema & { definitions: Record<string, Schema> };
  const settings = apiSettings.map(({ name }) => name);
  const keys = Object.keys(schema.properties ?? {}).filter((key) => !settings.includes(key));
  expect(top?.sort()).toEqual(keys.sort());
  expect(ofSet?.sort()).toEqual([...new Map(settingsIn(schema.definitions.TXT ?? {})).keys()].sort());
  const ofOwner = Object.keys(schema.definitions.owner?.properties ?? {}).filter((key) => /^[a-z]/.test(key));
  expect(ofOwner).toEqual(["lenient"]);
});

test("docs/configuration.md: the example is valid", () => {
  const [example = ""] = first(readPage("docs/configuration.md"), /^```yaml\n(.*?)^```$/gms);
  const { api_url: _, api_words: __, ...ofTargets } = configSchema(apiSettings).shape;
  const { targets: ___, ...ofApi } = configSchema(apiSettings).shape;
  const examples = [example, first(readPage("docs/targets.md"), /^```yaml\n(.*?)^```$/gms)[0] ?? ""];
  const [keys, keysOfTargets = []] = examples.map((text) =>
    Object.keys(readConfig("zonewright.yaml", text, apiSettings).config).sort(),
  );
  expect(keys).toEqual(Object.keys(ofApi).sort());
  expect(Object.keys(ofTargets)).toEqual(expect.arrayContaining(keysOfTargets));
});

test("docs/configuration.md: the table has every environment variable that the program reads", () => {
  const page = readPage("docs/configuration.md")
    .split("\n## ")
    .find((part) => part.startsWith("Environment"));
  const listed = first(page ?? "", /^\| (`.*?`) \|/gm).flatMap((cell) => first(cell, /`(\w+)`/g));
  // The action gets its settings as inputs: docs/action.md.
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.startsWith("action/"))
    .map((file) => readFileSync(join(root, "src", file), "utf8"));
  const named = sources.flatMap((source) => [
    ...first(source, /\benv\.([A-Z][A-Z_]+)/g),
    ...first(source, /const \{ ([A-Z_, ]+) \} = [\w.]*\benv;/g).flatMap((names) => names.split(", ")),
    ...first(source, /"(ZONEWRIGHT_[A-Z_]+)"/g),
  ]);
  expect(listed.sort()).toEqual([...new Set(named)].sort());
});

test("docs/configuration.md: DATABASE_URL is used by the commands that open a database, except backup, which refuses it", () => {
  const [row = ""] = first(readPage("docs/configuration.md"), /^\| `DATABASE_URL` \| (.*?) \|/gm);
  const folder = join(root, "src/cli/commands");
  const users = readdirSync(folder)
    .filter((file) => readFileSync(join(folder, file), "utf8").includes('from "../database.ts"'))
    .map((file) => file.replace(/[-.].*/, ""));
  expect([...first(row, /`(?:server )?(\w+)`/g), "backup"].sort()).toEqual([...new Set(users)].sort());
});

test("docs/exit-codes.md: the table has every exit code in the program's words", () => {
  const rows = [...readPage("docs/exit-codes.md").matchAll(/^\| (\d+) \| (.*) \|$/gm)].map(([, code, words]) => [
    Number(code),
    words,
  ]);
  expect(rows.slice(0, exitMeanings.length)).toEqual(exitMeanings);
});

test("docs/guards.md: the thresholds are those of the config", () => {
  const page = readPage("docs/guards.md");
  const [, example = ""] = first(page, /^```yaml\n(.*?)^```$/gms);
  const { guards } = readConfig("zonewright.yaml", "", apiSettings).config;
  expect(readConfig("zonewright.yaml", example, apiSettings).config.guards).toEqual(guards);
  expect(example.match(/^ {2}\w+: /gm)).toHaveLength(Object.keys(guards).length);
  const { zone_deletes_least: least, zone_deletes_percent: percent, zone_deletes_most: most } = guards;
  expect(page).toContain(
    `may lose ${least} records, or ${percent} percent of its records (at most ${most}) if that is more`,
  );
  expect(page).toContain(`may delete ${guards.run_deletes} records, in ${guards.run_zones} zones`);
  const rows = [...page.matchAll(/^\| ([\d,]+) \| (\d+) \|$/gm)].map(([, records = "", lost]) => {
    const share = Math.min(most, (Number(records.replace(",", "")) * percent) / 100);
    return [Number(lost), Math.max(least, share)];
  });
  expect(rows.length).toBe(3);
  for (const [shown, limit] of rows) expect(shown).toBe(limit);
});

test.each([
  ["plan", 2],
  ["validate", 3],
])("docs/plan-and-apply.md: the table of reports has every format of %s", async (command, column) => {
  const [, section = ""] = readPage("docs/plan-and-apply.md").split("\n## Reports\n");
  const rows = [...section.matchAll(/^\| `(\w+)` \| (.*) \| (.*) \|$/gm)];
  const { talk } = await new Desk().run(`${command} --report x`);
  const formats = /Formats: (.*)\.$/m.exec(talk)?.[1]?.split(", ");
  expect(
    rows
      .filter((row) => row[column] !== "–")
      .map(([, format]) => format)
      .sort(),
  ).toEqual(formats?.sort());
});
