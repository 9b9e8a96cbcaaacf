import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { nameCase, readCases } from "../findings/cases.ts";
import { validate } from "../findings/zonewright.ts";

/** Faulty cases of test/cases/findings/faulty.txt that no rule finds. Limits of the API report the asterisks. */
const notYet = new Set([
  "mail: BIMI while DMARC asks for nothing",
  "digest: TLSA with a digest where the certificate itself is expected (RFC 6698 §2.1.3)",
  "digest: ZONEMD below the apex (RFC 8976 §2)",
  "zone: asterisk in the middle of a label, which is no wildcard (RFC 4592 §2.1.1)",
  "zone: asterisk as a later label, which is no wildcard (RFC 4592 §2.1.1)",
]);

const faulty = readCases("faulty.txt").map((each) => [nameCase(each), each] as const);
const odd = readCases("odd.txt").map((each) => [nameCase(each), each] as const);

test("every case has its own name, and the exceptions name cases", () => {
  const names = [...faulty, ...odd].map(([name]) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect([...notYet].filter((name) => !faulty.some(([known]) => known === name))).toEqual([]);
});

test.each(faulty)("reports %s", async (name, each) => {
  const findings = await validate(each);
  const isFound = findings.some(({ isExpected }) => isExpected);
  expect(isFound, JSON.stringify(findings)).toBe(!notYet.has(name));
});

test.each(odd)("accepts %s", async (_, each) => {
  expect(await validate(each)).toEqual([]);
});

test("docs/compare.md has these numbers", () => {
  const page = readFileSync(new URL("../../docs/compare.md", import.meta.url), "utf8");
  const found = `${faulty.length - notYet.size} of ${faulty.length}`;
  expect(page).toContain(`| zonewright | this version | ${found} | 0 of ${odd.length} |`);
});
