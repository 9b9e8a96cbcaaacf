import { expect, test } from "vitest";
import { isCountry, isStateOf } from "../../src/server/areas/account/countries.ts";

const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const codes = letters.flatMap((first) => letters.map((second) => first + second));

/** Regions that CLDR names and that ISO 3166-1 has not assigned: islands, unions, and private use. */
const others = "AC CP CQ DG EA EU EZ IC QO TA UN XA XB XK ZZ".split(" ");

test("the countries are those of ISO 3166-1, of which Intl names each", () => {
  const names = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });
  const isCurrent = (code: string) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`;
  const named = codes.filter((code) => names.of(code) !== undefined && isCurrent(code) && !others.includes(code));
  expect(codes.filter(isCountry)).toEqual(named);
  expect(named.length).toBe(249);
});

test("a country is two letters in upper case", () => {
  for (const text of ["", "N", "nl", "NLD", "Netherlands", "EU", "XK", "UK"]) expect(isCountry(text), text).toBe(false);
});

test("US has 50 states, a district, six outlying areas and three military codes; CA has 13 provinces", () => {
  expect(codes.filter((code) => isStateOf("US", code)).length).toBe(60);
  expect(codes.filter((code) => isStateOf("CA", code)).length).toBe(13);
  expect(isStateOf("US", "pa")).toBe(false);
  expect(isStateOf("NL", "Utrecht")).toBe(true);
});
