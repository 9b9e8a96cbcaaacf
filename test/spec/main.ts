import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { coverage, lostEndpoints, places } from "./coverage.ts";
import { differencesFromDocuments } from "./endpoints.ts";

/**
 * `npm run coverage:spec`: every endpoint of the documents, and the places that have it. Fails if a required endpoint
 * is missing anywhere, or if the list of endpoints differs from the documents.
 */

const root = join(import.meta.dirname, "../..");
const { stdout } = spawnSync(process.execPath, ["--import", "tsx", "src/cli/main.ts", "api"], {
  cwd: root,
  encoding: "utf8",
});
const endpoints = coverage(stdout);

const width = Math.max(...endpoints.flatMap(({ endpoint, section }) => [endpoint.length, section.length]));
const print = (line: string) => process.stdout.write(`${line.trimEnd()}\n`);
let section = "";
for (const endpoint of endpoints) {
  if (endpoint.section !== section) {
    section = endpoint.section;
    print(`\n${section.padEnd(width + 2)}${places.map((place) => place.padEnd(10)).join("")}`);
  }
  const marks = places.map((place) => (endpoint.found.has(place) ? "yes" : "-").padEnd(10));
  print(`${endpoint.endpoint.padEnd(width + 2)}${marks.join("")}${endpoint.isRequired ? "" : "later"}`);
}

const count = (isCounted: (endpoint: (typeof endpoints)[number]) => boolean) => endpoints.filter(isCounted).length;
const later = count(({ isRequired }) => !isRequired);
print(`\n${endpoints.length} documented endpoints, ${later === 0 ? "all required" : `all but ${later} required`}`);
for (const place of places) print(`${String(count(({ found }) => found.has(place))).padStart(4)} ${place}`);

const differences = differencesFromDocuments();
if (differences === undefined) print("\nAPI documents not found; using the endpoints of test/spec/endpoints.txt.");
const faults = [...lostEndpoints(endpoints), ...(differences ?? [])];
if (faults.length > 0) print("");
for (const fault of faults) print(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
