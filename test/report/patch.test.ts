import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { patchText } from "../../src/report/format/patch.ts";

const numbers = (from: number, to: number, text: string) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${text} ${from + index}\n`).join("");
const same = numbers(1, 20, "same");

const rows = [
  {
    what: "all lines",
    before: numbers(1, 20_000, "old"),
    after: numbers(1, 20_000, "new"),
    hunk: "@@ -1,20000 +1,20000 @@",
  },
  {
    what: "the middle",
    before: same + numbers(1, 900, "old") + same,
    after: same + numbers(1, 901, "new") + same,
    hunk: "@@ -17,908 +17,909 @@",
  },
  {
    what: "the end of a file without a last line feed",
    before: `${same}${numbers(1, 900, "old")}end`,
    after: `${same}${numbers(1, 900, "new")}end\n`,
    hunk: "@@ -17,905 +17,905 @@",
  },
  {
    what: "every second line",
    before: numbers(1, 2000, "same").replace(/(?<=[13579])\n/g, " old\n"),
    after: numbers(1, 2000, "same"),
    hunk: "@@ -1,2000 +1,2000 @@",
  },
];

test.each(rows)("a change of very many lines is one hunk that git applies: $what", ({ before, after, hunk }) => {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-patch-"));
  try {
    const patch = patchText("a/zone", "b/zone", before, after);
    expect(patch.split("\n").slice(0, 3)).toEqual(["--- a/zone", "+++ b/zone", hunk]);
    writeFileSync(join(folder, "zone"), before);
    execFileSync("git", ["apply", "--whitespace=nowarn", "-"], { cwd: folder, input: patch });
    expect(readFileSync(join(folder, "zone"), "utf8")).toBe(after);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
