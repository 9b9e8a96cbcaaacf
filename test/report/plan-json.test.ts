import { expect, test } from "vitest";
import { accept } from "../../src/provider/accept.ts";
import { planJson } from "../../src/report/plan-json.ts";
import { desiredOf, liveOf, zoneOf } from "../planner/world.ts";
import { reportOf } from "./plans.ts";

test("the whole of a plan, changes in the order of their writes", () => {
  const { desired, diagnostics } = accept(zoneOf("$TTL 300\n@ MX 10 mx\nmx A 192.0.2.1\nwww 600 A 192.0.2.9"));
  const report = reportOf(
    [desired, desiredOf("", "same.example.")],
    [liveOf("$TTL 3600\nold TXT x\nwww CNAME mx"), liveOf("", "documented", "same.example.")],
    { notes: diagnostics, unmanaged: ["other.example."] },
  );
  expect(JSON.parse(planJson(report))).toEqual({
    in_sync: false,
    zones: [
      {
        zone: "example.com.",
        file: "zones/example.com.zone",
        domain_id: 1,
        creates_domain: false,
        settings: [{ name: "ttl_sec", before: 3600, after: 300 }],
        changes: [
          {
            action: "create",
            owner: "mx.example.com.",
            type: "A",
            before: null,
            after: { ttl_sec: 0, rdata: "192.0.2.1" },
            source: "zones/example.com.zone:3",
          },
          {
            action: "create",
            owner: "example.com.",
            type: "MX",
            before: null,
            after: { ttl_sec: 0, rdata: "10 mx.example.com." },
            source: "zones/example.com.zone:2",
          },
          {
            action: "delete",
            owner: "www.example.com.",
            type: "CNAME",
            before: { id: 2, ttl_sec: 0, rdata: "mx.example.com." },
            after: null,
            swap: true,
            gap_sec: 3600,
          },
          {
            action: "create",
            owner: "www.example.com.",
            type: "A",
            before: null,
            after: { ttl_sec: 300, rdata: "192.0.2.9" },
            swap: true,
            gap_sec: 3600,
            source: "zones/example.com.zone:4",
          },
          {
            action: "delete",
            owner: "old.example.com.",
            type: "TXT",
            before: { id: 1, ttl_sec: 0, rdata: '"x"' },
            after: null,
          },
        ],
        records_unchanged: 0,
      },
    ],
    zones_in_sync: 1,
    unmanaged: ["other.example."],
    writes: 6,
    notes: [
      {
        severity: "note",
        rule: "ttl-rounded",
        summary: "example.com www A: ttl_sec 600 is stored as 300",
        at: { file: "zones/example.com.zone", line: 4, column: 1, length: 19 },
      },
    ],
  });
});

test("an update names the stored record and both states", () => {
  const report = reportOf([desiredOf("www 300 A 192.0.2.9")], [liveOf("www A 192.0.2.1")]);
  expect(JSON.parse(planJson(report)).zones[0].changes).toEqual([
    {
      action: "update",
      owner: "www.example.com.",
      type: "A",
      before: { id: 1, ttl_sec: 0, rdata: "192.0.2.1" },
      after: { ttl_sec: 300, rdata: "192.0.2.9" },
      source: "zones/example.com.zone:2",
    },
  ]);
});

test("a new zone: every setting is a change from null", () => {
  const report = reportOf([desiredOf(";@ tags: shop\n;@ type: slave\n;@ master_ips: 192.0.2.53")]);
  expect(JSON.parse(planJson(report)).zones).toEqual([
    {
      zone: "example.com.",
      file: "zones/example.com.zone",
      domain_id: null,
      creates_domain: true,
      settings: [
        { name: "ttl_sec", before: null, after: 3600 },
        { name: "tags", before: null, after: ["shop"] },
        { name: "type", before: null, after: "slave" },
        { name: "master_ips", before: null, after: ["192.0.2.53"] },
        { name: "soa_email", before: null, after: "ops@example.com" },
      ],
      changes: [],
      records_unchanged: 0,
    },
  ]);
});

test("a plan without anything to do, written whole", () => {
  expect(planJson(reportOf([desiredOf("")], [liveOf("")]))).toBe(`{
  "in_sync": true,
  "zones": [],
  "zones_in_sync": 1,
  "unmanaged": [],
  "writes": 0,
  "notes": []
}
`);
});

test("what a terminal would act on is an escape, and the same JSON", () => {
  const hostile = "\u009b2J\u202e\u2066\u200f\ufeff\u2028\u007f\u001b[31m\ud800→é##[x]##vso[y]";
  const text = planJson(reportOf([], [], { unmanaged: [hostile] }));
  expect(text).toContain(
    '"\\u009b2J\\u202e\\u2066\\u200f\\ufeff\\u2028\\u007f\\u001b[31m\\ud800→é\\u0023#[x]\\u0023#vso[y]"',
  );
  expect(JSON.parse(text).unmanaged).toEqual([hostile]);
});
