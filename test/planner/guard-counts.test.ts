import { expect, test } from "vitest";
import { nameKey } from "../../src/dns/name/name.ts";
import { findGuardBlocks } from "../../src/planner/blocks/find-blocks.ts";
import { finish } from "../../src/planner/order/work.ts";
import { changesOf, countLines, lineKinds } from "../../src/report/plan/changes.ts";
import { palette } from "../../src/report/text/palette.ts";
import { apiSettings } from "../../src/targets/api/settings.ts";
import { plan } from "./plan-now.ts";
import { desiredOf, liveOf } from "./world.ts";

/** Thresholds that no change is below. */
const none = {
  zone_deletes_least: 0,
  zone_deletes_percent: 0,
  zone_deletes_most: 0,
  zone_creates_least: 0,
  zone_creates_percent: 0,
  zone_creates_most: 0,
  run_deletes: 0,
  run_zones: 1,
  expire_sec_least: 0,
};
const signs = { create: "+", change: "~", swap: "⇄", delete: "-" };
const counting = ["G01", "G13", "G33", "G34"];
const abc = (data: string) => ["a", "b", "c"].map((host) => `${host} ${data}`).join("\n");

/** Records before and after, the counts in the header of the plan, and the findings of the guards that count. */
test.each<[what: string, before: string, after: string, header: string, ...found: string[]]>([
  [
    "values change",
    abc("A 192.0.2.1"),
    abc("A 192.0.2.2"),
    "~3",
    "G13 changes 3 records in place in one run; the limit is 0",
    "G13 changes 3 of 3 records in place; the limit is 0",
  ],
  [
    "TTLs change",
    abc("A 192.0.2.1"),
    abc("300 A 192.0.2.1"),
    "~3",
    "G13 changes 3 records in place in one run; the limit is 0",
    "G13 changes 3 of 3 records in place; the limit is 0",
  ],
  [
    "records keep their TTL while that of the zone changes",
    abc("A 192.0.2.1"),
    "$TTL 7200\na 3600 A 192.0.2.1\nb A 192.0.2.1\nc A 192.0.2.1",
    "~2",
    "G13 changes 1 record and 1 setting in place in one run; the limit is 0",
    "G13 changes 1 of 3 records and 1 setting in place; the limit is 0",
  ],
  [
    "settings change",
    "a A 192.0.2.1",
    ";@ group: g\n;@ tags: tag\na A 192.0.2.1",
    "~2",
    "G13 changes 2 settings in place in one run; the limit is 0",
    "G13 changes 2 settings in place; the limit is 0",
  ],
  [
    "two change, and two are deleted beside creates",
    `${abc("A 192.0.2.1")}\nd A 192.0.2.1\ne A 192.0.2.1`,
    "a A 192.0.2.2\nb A 192.0.2.2\nc AAAA 2001:db8::1\nd AAAA 2001:db8::1\ne A 192.0.2.1",
    "+2 ~2 -2",
    "G01 deletes 2 records in one run; the limit is 0",
    "G13 changes 2 records in place in one run; the limit is 0",
    "G01 deletes 2 of 5 records; the limit is 0",
    "G13 changes 2 of 5 records in place; the limit is 0",
    "G33 creates 2 records in a zone of 5; the limit is 0",
  ],
  [
    "aliases become addresses",
    abc("CNAME x.example.net."),
    `${abc("A 192.0.2.1")}\na AAAA 2001:db8::1`,
    "⇄3",
    "G34 swaps 3 records in one run; the limit is 0",
    "G34 swaps 3 of 3 records; the limit is 0",
  ],
  [
    "a null MX becomes mail servers",
    "@ MX 0 .",
    "@ MX 10 a.example.net.\n@ MX 20 b.example.net.",
    "⇄1",
    "G34 swaps 1 record in one run; the limit is 0",
    "G34 swaps 1 of 1 records; the limit is 0",
  ],
  [
    "records move to other names",
    abc("A 192.0.2.1"),
    abc("A 192.0.2.1").replaceAll(/^/gm, "new-"),
    "+3 -3",
    "G01 deletes 3 records in one run; the limit is 0",
    "G01 deletes 3 of 3 records; the limit is 0",
    "G33 creates 3 records in a zone of 3; the limit is 0",
  ],
  [
    "sets shrink and grow",
    "a A 192.0.2.1\na A 192.0.2.2\nb A 192.0.2.1",
    "a A 192.0.2.3\nb A 192.0.2.1\nb A 192.0.2.2",
    "+1 ~1 -1",
    "G01 deletes 1 record in one run; the limit is 0",
    "G13 changes 1 record in place in one run; the limit is 0",
    "G01 deletes 1 of 3 records; the limit is 0",
    "G13 changes 1 of 3 records in place; the limit is 0",
    "G33 creates 1 record in a zone of 3; the limit is 0",
  ],
  ["the letter case changes", abc("CNAME x.example.net."), abc("CNAME X.EXAMPLE.NET."), ""],
])("guards count what the header of a plan shows: %s", (_, before, after, header, ...found) => {
  const stored = liveOf(before);
  const live = new Map([[nameKey(stored.name), stored]]);
  const made = plan([desiredOf(after)], live);
  const lines = changesOf({ plan: made, guards: [] }, palette({ color: false, unicode: true })).zones.flatMap(
    (zone) => zone.lines,
  );
  const shown = lineKinds.flatMap((kind) => {
    const number = countLines(lines, kind);
    return number === 0 ? [] : [`${signs[kind]}${number}`];
  });
  expect(shown.join(" ")).toBe(header);
  const blocks = finish(findGuardBlocks(made, live, none, { settings: apiSettings }));
  expect(
    blocks
      .filter(({ guard }) => counting.includes(guard))
      .flatMap(({ guard, findings }) => findings.map(({ text }) => `${guard} ${text}`)),
  ).toEqual(found);
});
