import { expect, test } from "vitest";
import type { RdataByType } from "../../src/dns/types/index.ts";
import { asId } from "../../src/dns/zone/desired-live.ts";
import type { JournalLine } from "../../src/executor/journal/journal-line.ts";
import { resolveLostWrites } from "../../src/executor/resume.ts";
import { domainName } from "../names.ts";
import { FakeApi } from "./fake-api.ts";

const www = {
  owner: domainName("www.example.com."),
  type: "A",
  data: { address: "192.0.2.1" } satisfies RdataByType["A"],
};
const old = {
  id: asId(2),
  owner: domainName("www.example.com."),
  type: "A",
  data: { address: "192.0.2.9" } satisfies RdataByType["A"],
};

/** A record that may exist, by value and TTL, and whether the next run continues without waiting for the write. */
test.each<
  [string, { before?: typeof old; after?: typeof www & { ttl?: number; otherTtl?: number } }, string[], number?]
>([
  ["a create that took effect", { after: { ...www, ttl: 300 } }, ["A www 192.0.2.1"], 300],
  ["its TTL as the service rounds it", { after: { ...www, ttl: 300, otherTtl: 600 } }, ["A www 192.0.2.1"], 600],
  ["with another TTL, edited after an earlier attempt", { after: { ...www, ttl: 300 } }, ["A www 192.0.2.1"], 3600],
  ["a create without effect", { after: www }, []],
  ["an update that took effect", { before: old, after: www }, ["A www 192.0.2.1"]],
  ["an update without effect", { before: old, after: www }, ["A www 192.0.2.9"]],
  ["a delete that took effect", { before: old }, []],
  ["a delete without effect", { before: old }, ["A www 192.0.2.9"]],
])("%s", async (what, record, stored, ttl) => {
  const api = new FakeApi();
  const domain = api.add("example.com", stored);
  for (const one of api.records.get(domain)?.values() ?? [])
    Object.assign(one, ttl === undefined ? {} : { ttl_sec: ttl });
  const at = new Date(api.clock.now()).toISOString();
  const where = { zone: domainName("example.com."), step: 1, write: 0 };
  const entries: JournalLine[] = [
    { kind: "intent", zone: domainName("example.com."), step: 1, records: [record] },
    { kind: "sent", ...where, at },
    { kind: "ambiguous", ...where, why: "no reply", at },
  ];
  const waits: unknown[] = [];
  await resolveLostWrites([entries], api.target.read, api.clock, {
    onWait: (ms, writes) => waits.push(ms, ...writes),
  });
  const { before, after } = record;
  const text = `${!after ? "delete" : before ? "change" : "create"} www.example.com. A ${after ? "192.0.2.1" : "192.0.2.9"}`;
  expect(waits).toEqual(/took effect|rounds/.test(what) ? [] : [60_000, text]);
});

test.each<[Extract<JournalLine, { kind: "sent" }>["step"], string]>([
  ["zone", "create the zone example.net"],
  ["settings", "change the settings of example.net"],
  ["last-settings", "change the settings of example.net"],
  ["delete-zone", "delete the zone example.com"],
])("pending writes: %s", async (step, text) => {
  const api = new FakeApi();
  api.add("example.com");
  const zone = domainName(step === "delete-zone" ? "example.com." : "example.net.");
  const sent: JournalLine = {
    kind: "sent",
    zone,
    step,
    write: 0,
    at: new Date(api.clock.now() - 20_000).toISOString(),
  };
  const waits: unknown[] = [];
  await resolveLostWrites([[sent]], api.target.read, api.clock, {
    onWait: (ms, writes) => waits.push(ms, ...writes),
  });
  expect(waits).toEqual([40_000, text]);
});
