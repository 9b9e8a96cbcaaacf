import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { isMissing } from "../judges.ts";
import { listRows } from "../updates/judge.ts";
import { configurations } from "../updates/servers.ts";

const page = readFileSync(fileURLToPath(new URL("../../docs/dynamic-updates.md", import.meta.url)), "utf8");
const [judged = ""] = /^<!-- judged [\s\S]*<!-- end of judged -->$/m.exec(page) ?? [];
const [head = [], , ...rows] = judged
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .map((line) => line.slice(2, -2).split(" | "));

test("the table has the configurations that are measured, and each has a result in every row", () => {
  expect(head).toEqual(["update", ...Object.keys(configurations)]);
  expect(rows.filter((row) => row.length !== head.length || row.includes(""))).toEqual([]);
});

test.skipIf(isMissing("octodns-validate"))("the table has the rows that are measured", async () => {
  const { rows: measured, types } = await listRows();
  expect(rows.map(([row]) => row)).toEqual([...measured, ...types.map((type) => `${type}: add`)]);
});
