// @suite long

import { expect, test } from "vitest";
import { all } from "../../src/client/pages.ts";
import { asId, type DesiredRecord } from "../../src/dns/zone/desired-live.ts";
import { matchSet } from "../../src/planner/match/match.ts";
import { domainName } from "../names.ts";
import { isNightly } from "../properties.ts";
import { Desk } from "./run.ts";

/** More records than the API accepts in a zone, and than JavaScript passes as arguments of a call. */
const [large, huge] = [50_000, 200_000];

const address = (n: number) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
const zoneFile = (values: (n: number) => string) =>
  `$TTL 3600\n;@ soa_email: ops@example.com\n${Array.from({ length: large }, (_, n) => `h${n} A ${values(n)}\n`).join("")}`;

/** A snapshot of the zone: its last record has another address. */
function snapshotOf(): string {
  const times = { created: "2026-03-04T12:00:00", updated: "2026-03-04T12:00:00" };
  const rest = { priority: 0, weight: 0, port: 0, service: null, protocol: null, ttl_sec: 0, tag: null, ...times };
  const records = Array.from({ length: large }, (_, n) => ({
    ...{ id: n + 1, type: "A", name: `h${n}`, target: n === large - 1 ? "192.0.2.1" : address(n), ...rest },
  }));
  const settings = { type: "master", status: "active", soa_email: "ops@example.com", description: "", group: "" };
  const numbers = { ttl_sec: 3600, refresh_sec: 0, retry_sec: 0, expire_sec: 0 };
  const lists = { tags: [], axfr_ips: [], master_ips: [] };
  const domain = { id: 1, domain: "example.com", ...settings, ...numbers, ...lists, ...times, records };
  const target = { api: "https://api.example.net/", account: null };
  const time = "2026-03-04T11:00:00Z";
  return JSON.stringify({ format: "zonewright.snapshot/1", time, target, freed: [], domains: [domain] });
}

test("a zone of 50,000 records is refused by default, and the error says how to allow it", async () => {
  const desk = new Desk();
  desk.write("zones/example.com.zone", zoneFile(address));
  desk.write("zonewright.yaml", "rules: { private-address: off }\n");
  const { code, out, talk } = await desk.run("validate");
  const text = `${out}${talk}`.replace(/\s+/g, " ");
  expect(code).toBe(3);
  expect(text).toContain("error[records-count] the zone has 50000 records");
  expect(text).toContain('set "rules: { records-count: off }" in zonewright.yaml');
  expect((await desk.run("explain records-count")).out).toContain("  rules: { records-count: off }\n");
});

/** A project whose zone is larger than the API allows, which its config accepts. */
function deskOfLargeZone(): Desk {
  const desk = new Desk();
  desk.write("zones/example.com.zone", zoneFile(address));
  desk.write("zonewright.yaml", "rules: { private-address: off, records-count: off }\n");
  return desk;
}

test("a zone of 50,000 records is checked and planned", async () => {
  const desk = deskOfLargeZone();
  desk.write("snapshot.json", snapshotOf());
  expect(await desk.run("validate")).toMatchObject({ code: 0, talk: "" });
  const { code, out } = await desk.run("plan --against snapshot.json");
  expect(code).toBe(0);
  expect(out).toContain("h49999");
  expect(out).toContain("plan: 1 change in 1 of 1 zone");
});

test("a zone of 50,000 records is compared", async () => {
  const desk = deskOfLargeZone();
  const other = zoneFile((n) => (n < large - 1 ? address(n) : "192.0.2.1"));
  desk.write("other/example.com.zone", other);
  const { out } = await desk.run("compare zones/example.com.zone other/example.com.zone");
  expect(out).toContain("h49999");
  expect(out).toContain("1 zone: 0 equal, 1 different, 0 incomplete");
});

test.each(isNightly ? ["yaml", "octodns", "dns-zonefile", "records"] : ["yaml", "records"])(
  "a zone of 50,000 records is exported as %s",
  async (form) => {
    expect(await deskOfLargeZone().run(`export --to ${form} --out exported`)).toMatchObject({ code: 0 });
  },
);

test("a zone of 50,000 records is formatted", async () => {
  const desk = deskOfLargeZone();
  expect(await desk.run("fmt")).toMatchObject({ code: 0 });
});

test("one page of 200,000 items is read", async () => {
  const data = Array.from({ length: huge }, (_, index) => ({ id: index + 1 }));
  const list = async () => ({ data, page: 1, pages: 1, results: huge });
  expect((await all(list, {})).length).toBe(huge);
});

test("a set of 200,000 values, one of which changes, is matched", () => {
  const owner = domainName("www.example.com.");
  const text = (n: number, value: string): DesiredRecord => ({
    ...{ owner, type: "TXT", ttl: 300, data: { strings: [`${value} ${n}`] } },
  });
  const stored = Array.from({ length: huge }, (_, n) => ({ ...text(n, "value"), id: asId(n + 1) }));
  const desired = Array.from({ length: huge }, (_, n) => text(n, n === 7 ? "other" : "value"));
  const { unchanged, changes } = matchSet(desired, stored, () => true);
  expect({ unchanged, changes }).toEqual({
    unchanged: huge - 1,
    changes: [{ kind: "update", before: stored[7], after: desired[7] }],
  });
});
