// @suite postgres

import { expect, test } from "vitest";
import type { CompiledZone } from "../../../src/dns/compiled/compiled-zone.ts";
import { rdataText } from "../../../src/dns/zone/zone.ts";
import { loadLines } from "../../../src/server/nameserver/zones/load-zone.ts";
import { StoredZones } from "../../../src/server/nameserver/zones/stored-zones.ts";
import { readServerSettings } from "../../../src/server/server.ts";
import { recordsOf } from "../../dns/compiled.ts";
import { domainName } from "../../names.ts";
import { start } from "../start.ts";
import { waitForCurrent } from "./wait-for-current.ts";

const www = { type: "A", name: "www", target: "192.0.2.1" };

/** The API and, for each query, a name server that has no zone in memory. */
async function begin(renderDelay: number) {
  const options = { renderDelay, nameservers: ["ns1.example.net"] };
  const api = await start(options);
  const settings = readServerSettings({ store: api.store, ...api.clocks, ...options });
  return {
    ...api,
    pass: (seconds: number) => {
      api.clock.now = new Date(api.clock.now.getTime() + seconds * 1000);
    },
    load: async () => {
      const zones = new StoredZones(settings, () => api.clock.now, { waitForCurrent });
      const found = await zones.findTransferable(domainName("example.com."));
      return found === undefined || found === "unavailable" ? undefined : found.zone;
    },
  };
}

/** Serial, retry, and the owners and types of all records. */
function summary(zone: CompiledZone | undefined) {
  if (zone === undefined) return undefined;
  const [, ...records] = recordsOf(zone);
  const { serial, retry } = zone.soa.data;
  return [serial, retry, ...records.map(({ owner, type }) => `${owner} ${type}`)];
}

test("the previous version is served while a change waits for its rendering", async () => {
  const { domain, call, load, pass, store } = await begin(60);
  const id = await domain("example.com", [www]);
  expect(summary(await load())).toBe(undefined);
  pass(60);
  const before = [2026000001, 14400, "example.com. NS", "www.example.com. A"];
  expect(summary(await load())).toEqual(before);
  await call("POST", `/domains/${id}/records`, { ...www, name: "mail" });
  await call("PUT", `/domains/${id}`, { retry_sec: 7200 });
  await call("DELETE", `/domains/${id}/records/1`);
  expect(summary(await load())).toEqual(before);
  pass(60);
  expect(summary(await load())).toEqual([2026000002, 7200, "example.com. NS", "mail.example.com. A"]);
  await call("POST", `/domains/${id}/records`, www);
  await call("DELETE", `/domains/${id}`);
  expect(await store.read((db) => db.selectFrom("zone_changes").selectAll().execute())).toEqual([]);
});

test("the rows and the rendered file are transferred as the same records", async () => {
  const { domain, call, load } = await begin(0);
  const id = await domain("Example.com", [
    { type: "A", target: "192.0.2.1" },
    { ...www, name: "WWW", ttl_sec: 300 },
    { ...www, target: "192.0.2.2", ttl_sec: 300 },
    { ...www, target: "192.0.2.2", ttl_sec: 300 },
    { type: "AAAA", name: "www", target: "2001:DB8::1" },
    { type: "CNAME", name: "*.dev", target: "Host.example.org" },
    { type: "MX", priority: 10, target: "mail.example.com", ttl_sec: 3600 },
    { type: "MX", name: "none", target: "" },
    { type: "NS", name: "sub", target: "ns.example.org" },
    { type: "PTR", name: "1", target: "10.27.9.39" },
    { type: "SRV", service: "sip", protocol: "tcp.sub", priority: 1, weight: 2, port: 5060, target: "sip" },
    { type: "SRV", service: "_imap", protocol: "_tcp", priority: 0, weight: 0, port: 0, target: "." },
    { type: "CAA", tag: "issue", target: ";" },
    { type: "CAA", tag: "iodef", target: "mailto:security@example.com" },
    { type: "TXT", target: `a"b\\c; ü€\t${"x".repeat(300)}` },
    { type: "TXT", name: "empty", target: "" },
    { type: "A", name: "#civilmediation", target: "192.0.2.1" },
    { type: "A", name: "a(b);c$d", target: "192.0.2.1" },
  ]);
  await call("PUT", `/domains/${id}`, { soa_email: "john.doe@example.org", expire_sec: 604800 });
  const { zone_file } = (await call("GET", `/domains/${id}/zone-file`)).body;
  const rendered = await loadLines("Example.com", zone_file);
  const served = await load();
  if (served === undefined || !("zone" in rendered)) return expect.fail();
  expect(recordsOf(served)).toEqual(recordsOf(rendered.zone));
});

test("an RRset with several TTLs is served with the shortest, as an import of it says, and without duplicates", async () => {
  const { domain, load } = await begin(0);
  await domain("example.com", [
    { ...www, ttl_sec: 3600 },
    { type: "A", name: "other", target: "192.0.2.9" },
    { ...www, name: "WWW", target: "192.0.2.2", ttl_sec: 300 },
    { ...www, ttl_sec: 300 },
    { ...www, target: "192.0.2.3" },
    { type: "AAAA", name: "www", target: "2001:db8::1" },
    { type: "MX", name: "www", target: "Mail.example.com" },
    { type: "MX", name: "www", target: "mail.example.com" },
    { type: "TXT", name: "www", target: "A" },
    { type: "TXT", name: "www", target: "a" },
  ]);
  const zone = (await load()) ?? expect.fail();
  const lines = recordsOf(zone).map((record) => `${record.owner} ${record.ttl} ${record.type} ${rdataText(record)}`);
  expect(lines.slice(2)).toEqual([
    "www.example.com. 300 A 192.0.2.1",
    "www.example.com. 300 A 192.0.2.2",
    "www.example.com. 300 A 192.0.2.3",
    "www.example.com. 86400 AAAA 2001:db8::1",
    "www.example.com. 86400 MX 0 Mail.example.com.",
    'www.example.com. 86400 TXT "A"',
    'www.example.com. 86400 TXT "a"',
    "other.example.com. 86400 A 192.0.2.9",
  ]);
});
