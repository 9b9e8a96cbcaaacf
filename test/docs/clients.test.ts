import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { suites } from "../clients/judge/suites.ts";

const page = readFileSync(fileURLToPath(new URL("../../docs/server/clients.md", import.meta.url)), "utf8");
const [judged = ""] = /^<!-- judged [\s\S]*<!-- end of judged -->$/m.exec(page) ?? [];
const rows = judged
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .slice(1)
  .map((line) => line.slice(2, -2).split(" | "));
const nameOf = (client = "", tests = "") => `${client}: ${tests}`;

describe("the table of clients", () => {
  test("has a row for each suite of npm run judge:clients, in their order, and no other", () => {
    expect(rows.map(([client, , tests]) => nameOf(client, tests))).toEqual(
      suites.map(({ client, tests }) => nameOf(client, tests)),
    );
  });

  test.each(rows.filter(([, version]) => version !== "not run"))(
    "%s %s, %s: numbers as they are printed, with a cause for each failure",
    (...cells) => {
      const [, version, , passed, failed, skipped, causes = ""] = cells;
      expect(version).toMatch(/^\d+\.\d+(?:\.\d+)*(?:, \d+\.\d+(?:\.\d+)*)*$/);
      expect([passed, failed, skipped].every((cell) => /^\d+$/.test(cell ?? ""))).toBe(true);
      expect(Number(passed)).toBeGreaterThan(0);
      const counts =
        causes.trim() === "" ? [] : causes.split("; ").map((cause) => Number(/^(\d+): \S/.exec(cause)?.[1]));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(Number(failed));
    },
  );
});

test("outside the table, no sentence tells a result of another program", () => {
  const rest = page.replace(judged, "");
  expect(rest).not.toMatch(/\b(?:\d+ of \d+|\d+ (?:passed|failed|tests)|works? (?:with|unmodified)|version \d)/i);
});
