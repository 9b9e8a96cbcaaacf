import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Desk } from "../cli/run.ts";
import { coverage, lostEndpoints } from "./coverage.ts";
import { differencesFromDocuments, documentedEndpoints, findEndpoint } from "./endpoints.ts";

test("the list of endpoints is that of the two documents", ({ skip }) => {
  const differences = differencesFromDocuments() ?? skip("the documents are not at hand");
  expect(differences).toEqual([]);
  expect(documentedEndpoints).toHaveLength(114);
});

test("the README claims the endpoints of the list, all of which are required", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  expect(/all (\d+) documented endpoints/.exec(readme)?.[1]).toBe(String(documentedEndpoints.length));
  expect(documentedEndpoints.filter(({ isRequired }) => !isRequired)).toEqual([]);
});

test("no required endpoint is missing anywhere", async () => {
  const { out } = await new Desk().run("api");
  expect(lostEndpoints(coverage(out))).toEqual([]);
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
