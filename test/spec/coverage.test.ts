import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Desk } from "../cli/run.ts";
import { coverage, lostEndpoints, places } from "./coverage.ts";
import { differencesFromDocuments, documentedEndpoints, findEndpoint } from "./endpoints.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/server/README.md"), "utf8");

test("the list of endpoints is that of the two documents", ({ skip }) => {
  const differences = differencesFromDocuments() ?? skip("the documents are not at hand");
  expect(differences).toEqual([]);
  expect(documentedEndpoints).toHaveLength(114);
});

test("no required endpoint is missing anywhere", async () => {
  const { out } = await new Desk().run("api");
  expect(lostEndpoints(coverage(out))).toEqual([]);
});

test("docs/server/README.md states how many of the documented endpoints are in all places", async () => {
  const { out } = await new Desk().run("api");
  const all = coverage(out);
  const complete = all.filter(({ found }) => places.every((place) => found.has(place)));
  const stated = [...page.matchAll(/(\d+) of (\d+) documented operations/g)].map(([text]) => text);
  expect(stated).toEqual([`${complete.length} of ${all.length} documented operations`]);
  expect(all.filter(({ isRequired }) => !isRequired)).toEqual([]);
});

test("a required endpoint that is missing somewhere is reported with the places, and a served one that is not required", () => {
  const endpoint = { section: "First document, Tags", endpoint: "GET /tags", isRequired: true };
  const lost = lostEndpoints([
    { ...endpoint, found: new Set(["contract", "client"]) },
    { ...endpoint, endpoint: "POST /tags", isRequired: false, found: new Set() },
    { ...endpoint, endpoint: "GET /tags/{label}", isRequired: false, found: new Set(["contract"]) },
  ]);
  expect(lost).toEqual([
    "GET /tags is missing: server, api, tested",
    "GET /tags/{label} is served, and must be required",
  ]);
});

test.each([
  ["GET", "/domains/1", "GET /domains/{domainId}"],
  ["POST", "/domains/import", "POST /domains/import"],
  ["GET", "/domains?page=2", "GET /domains"],
  ["GET", "/domains/1/x", undefined],
  ["PATCH", "/domains", undefined],
])("the request %s %s is one for %s", (method, path, endpoint) => {
  const endpoints = documentedEndpoints.map((documented) => documented.endpoint);
  expect(findEndpoint(endpoints, method, path)).toBe(endpoint);
});
