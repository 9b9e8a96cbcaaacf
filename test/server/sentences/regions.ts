import { expect } from "vitest";
import { by, notFound, ok, type Sections, type Sentence } from "./kit.ts";

const region = {
  id: "us-east",
  country: "us",
  capabilities: expect.toSatisfy(isTexts, "texts"),
  status: expect.toBeOneOf(["ok", "outage"]),
  resolvers: { ipv4: expect.any(String), ipv6: expect.any(String) },
};
const envelope = { data: expect.arrayContaining([region]), page: 1, pages: 1, results: expect.any(Number) };

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** First document, Region, and Endpoints, Regions. The regions are those of the catalogue. */
const regions: readonly Sentence[] = [
  ["GET /regions: an envelope, for everyone", [by("", ["GET", "/regions"])], ok(envelope)],
  ["GET /regions: with a token too", [["GET", "/regions"]], ok(envelope)],
  ["GET /regions/{regionId}: for everyone", [by("", ["GET", "/regions/us-east"])], ok(region)],
  [
    "GET /regions/{regionId}: an invalid token is no obstacle",
    [["GET", "/regions/us-east", undefined, { as: "x" }]],
    ok(region),
  ],
  ["GET /regions/{regionId}: unknown", [["GET", "/regions/nowhere"]], notFound],
  ["profile live has a label", [["GET", "/regions/us-east"]], ok({ ...region, label: expect.any(String) }), "live"],
];

export const regionSections: Sections = { "first document, Region, and Endpoints, Regions": regions };
