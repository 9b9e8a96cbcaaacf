import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  engines: { node: string };
  allowScripts: Record<string, boolean>;
};
const lock = readFileSync(join(root, "package-lock.json"), "utf8");

interface Locked {
  readonly engines?: { readonly node?: string };
  readonly hasInstallScript?: boolean;
  readonly optional?: boolean;
  readonly resolved?: string;
  readonly integrity?: string;
}
const { packages } = JSON.parse(lock) as { packages: Record<string, Locked> };
const locked = Object.entries(packages).filter(([folder]) => folder !== "");

/** Whether a version is in a range of package.json: `^20.19.0 || >=22`. Hyphens and upper bounds are not supported. */
function accepts(range: string, version: string): boolean {
  const numbers = (text: string) => text.split(".").map(Number);
  const at = numbers(version);
  return range.split("||").some((part) => {
    const [, sign, least = ""] = /^\s*(>=|\^|)\s*(\d+(?:\.\d+)*)(?:\.x)?\s*$/.exec(part) ?? [];
    if (least === "") throw new Error(`cannot read the range ${range}`);
    const from = numbers(least);
    const place = from.findIndex((number, index) => number !== (at[index] ?? 0));
    const isAtLeast = place === -1 || (from[place] ?? 0) < (at[place] ?? 0);
    return isAtLeast && (sign === ">=" || from[0] === at[0]);
  });
}

test("a range of versions is read", () => {
  const cases: [range: string, version: string, is: boolean][] = [
    [">=22", "20.19.0", false],
    ["20 || >=22", "20.19.0", true],
    ["20 || >=22", "21.0.0", false],
    ["^20.19.0 || >=22.12.0", "20.19", true],
    ["^20.20.0 || >=22.12.0", "20.19", false],
    [">= 10.x", "20.19", true],
  ];
  for (const [range, version, is] of cases)
    expect([range, version, accepts(range, version)]).toEqual([range, version, is]);
});

test("`npm ci` on the oldest supported Node has no warning about engines", () => {
  const oldest = manifest.engines.node.replace(">=", "");
  const unsupported = locked.filter(
    ([, { engines, optional }]) => !optional && !accepts(engines?.node ?? ">=0", oldest),
  );
  expect(unsupported.map(([folder, { engines }]) => [folder, engines?.node])).toEqual([]);
});

test("the manifest says of each package with install scripts whether they run", () => {
  const scripted = locked.filter(([, { hasInstallScript, optional }]) => hasInstallScript && !optional);
  const names = scripted.map(([folder]) => folder.replace(/^.*node_modules\//, ""));
  expect(Object.keys(manifest.allowScripts)).toEqual([...new Set(names)]);
});

test("the lock file has the digest of each package, and the host of no registry", () => {
  expect(locked.filter(([, { integrity }]) => integrity === undefined)).toEqual([]);
  expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  expect(lock).not.toMatch(/registry\.|\.tgz/);
});
