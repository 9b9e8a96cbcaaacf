import { describe, expect, test } from "vitest";
import { SourceText } from "../../src/diagnostics/source-text.ts";
import { copyRecord } from "../../src/dns/zone/zone.ts";
import { placeChanges } from "../../src/report/plan/places.ts";
import type { PlanReport } from "../../src/workflow/plan/plan-report.ts";
import { desiredOf, liveOf } from "../planner/world.ts";
import { block, exampleReport, reportOf } from "./plans.ts";

/** The places of a plan as lines: place, title, and the indented text. */
function places(report: PlanReport): string {
  return placeChanges(report)
    .map(({ place, title, text }) => {
      const at = place ? `${place.file}:${place.line}:${place.column} (${place.shows})` : "(no file)";
      return `${[`${at} ${title}`, ...text.split("\n")].join("\n  ")}\n`;
    })
    .join("");
}

test("creates, changes and swaps are placed at their records", () => {
  expect(places(exampleReport())).toBe(block`
    zones/example.com.zone:1:1 (zone) deletes 1 record
      delete old-vpn.example.com A 3600 192.0.2.44 · caches may keep it for up to 1 hour
      Deleted records whose name is no longer in the file are shown at its first line.
    zones/example.com.zone:2:1 (change) changes 1 record
      change example.com TXT 86400 "v=spf1 include:_spf.example.net ~all" → "v=spf1 include:_spf.example.net -all" · updated in place; caches may keep the old value for up to 1 day
    zones/example.com.zone:3:1 (change) creates 1 record
      create api.example.com AAAA 300 2001:db8:7::10
    zones/example.com.zone:4:1 (change) swaps the types of 1 name
      swap shop.example.com CNAME 3600 shops.example.net. → A 300 198.51.100.20 + AAAA 300 2001:db8::20 · brief gap: A, AAAA of shop: a resolver that asks during the change may cache "no such record" for up to 1 day
    zones/example.com.zone:6:1 (change) changes 1 record
      change www.example.com A 3600 → 300 203.0.113.9 → 198.51.100.7 · updated in place; caches may keep the old value for up to 1 hour
  `);
});

describe("a deletion is placed at", () => {
  test.each([
    ["the remaining records of the name and type", "www MX 10 mx\nwww A 192.0.2.1", "3:1 (same-type)"],
    ["the first record of the name", "mx A 192.0.2.9\nwww MX 10 mx\nwww TXT x", "3:1 (same-name)"],
    ["the first line of the file, if no record of the name remains", "mx A 192.0.2.9", "1:1 (zone)"],
  ])("%s", (_, left, at) => {
    const live = "www A 192.0.2.1\nwww A 192.0.2.2\nmx A 192.0.2.9\nwww MX 10 mx\nwww TXT x";
    const report = reportOf([desiredOf(left)], [liveOf(live)]);
    const deletion = placeChanges(report).find(({ text }) => text.includes("www.example.com A 3600 192.0.2.2"));
    expect(`${deletion?.place?.line}:${deletion?.place?.column} (${deletion?.place?.shows})`).toBe(at);
  });

  test("nothing, if no file describes the zone", () => {
    const { plan, ...rest } = exampleReport();
    const report = { ...rest, plan: { ...plan, zones: [], deletions: [liveOf("www A 192.0.2.1")] } };
    expect(places(report)).toBe(block`
      (no file) deletes the zone example.com
        delete example.com (zone) master with 1 record · last of all, after it is saved as a zone file
    `);
  });
});

test("changes of one line share an entry, which lists the first ten", () => {
  const live = Array.from({ length: 12 }, (_, host) => `h${host} 300 A 192.0.2.1`).join("\n");
  const [{ title, text } = { title: "", text: "" }] = placeChanges(
    reportOf([desiredOf("h0 300 A 192.0.2.1")], [liveOf(live)]),
  );
  expect(title).toBe("deletes 11 records");
  const consequence = "caches may keep it for up to 5 minutes";
  expect(text.split("\n")).toEqual([
    ...["h1", "h10", "h11", "h2", "h3", "h4", "h5", "h6", "h7", "h8"].map(
      (host) => `delete ${host}.example.com A 300 192.0.2.1 · ${consequence}`,
    ),
    "and 1 more change",
    "Deleted records whose name is no longer in the file are shown at its first line.",
  ]);
});

test("settings are placed at their lines, or at the first line of the file", () => {
  const { places: all, ...desired } = desiredOf(";@ tags: shop\nwww 600 A 192.0.2.1");
  const live = liveOf("www 600 A 192.0.2.1");
  expect(places(reportOf([{ ...desired, ...(all && { places: all }) }], [live]))).toBe(block`
    zones/example.com.zone:2:1 (change) changes 1 setting
      change example.com (zone) tags (none) → shop
  `);
  expect(places(reportOf([desired], [live]))).toBe(block`
    zones/example.com.zone:1:1 (zone) changes 1 setting
      change example.com (zone) tags (none) → shop
  `);
});

test("a new zone is placed at the first line of its file", () => {
  expect(places(reportOf([desiredOf("www 300 A 192.0.2.1")]))).toBe(block`
    zones/example.com.zone:1:1 (zone) creates the zone example.com
      create example.com (zone) master; ttl_sec 3600; soa_email ops@example.com · disabled until its records are written
    zones/example.com.zone:2:1 (change) creates 1 record
      create www.example.com A 300 192.0.2.1
  `);
});

test("a record of an included file or template is placed there, with the places that include it", () => {
  const desired = desiredOf("www 300 A 192.0.2.1");
  const via = [{ file: "zones/example.com.yaml", line: 7, column: 3, length: 4 }];
  const source = new SourceText("templates/web.yaml", "\n  A: 192.0.2.1\n", "utf16", via);
  const records = desired.records.map((record) => copyRecord(record, { source, start: 3, end: 4 }));
  const [placed] = placeChanges(reportOf([{ ...desired, records }], [liveOf("")]));
  expect(placed?.place).toEqual({ file: "templates/web.yaml", line: 2, column: 3, length: 1, shows: "change", via });
});
