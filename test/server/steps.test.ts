import { describe, expect, test } from "vitest";
import { insertRecordRows } from "../../src/server/areas/zones/records-rows.ts";
import { StoredZones } from "../../src/server/nameserver/zones/stored-zones.ts";
import { readServerSettings } from "../../src/server/server.ts";
import { yieldToEventLoop } from "../../src/server/store/event-loop.ts";
import { recordsOf } from "../dns/compiled.ts";
import { readBind } from "../formats/api.ts";
import { domainName } from "../names.ts";
import { countLoopTurns } from "./count-loop-turns.ts";
import { waitForCurrent } from "./nameserver/wait-for-current.ts";
import { start } from "./start.ts";

const size = 12_000;
const rest = { priority: 0, weight: 0, port: 0, service: null, protocol: null, ttl_sec: 0, tag: null };

async function begin() {
  const lines = Array.from({ length: size }, (_, index) => `h${index} 300 IN A 192.0.2.1`).join("\n");
  const soa = "@ 300 IN SOA ns.example.net. hostmaster 1 14400 3600 1209600 300";
  const file = { file: "zone", bytes: Buffer.from(`${soa}\n${lines}\n`), origin: domainName("imported.example.") };
  const zone = { records: [...readBind(file).zone.records], unread: [] };
  const remote = { transfer: async () => zone, soa: () => expect.fail() };
  const api = await start({ remote });
  const id = await api.domain("example.com");
  const row = (index: number) => ({ name: `h${index}`, name_key: `h${index}`, type: "A", target: "192.0.2.1" });
  const rows = Array.from({ length: size }, (_, index) => ({
    domain_id: id,
    ...rest,
    ...row(index),
    created: "",
    updated: "",
  }));
  await api.store.write((db) => insertRecordRows(db, rows));
  return { ...api, id };
}

describe("work on a domain of 12,000 records is done in steps", () => {
  test("a clone, a rendering, a query, a deletion", async () => {
    const { call, id, store, clock } = await begin();
    const settings = readServerSettings({ store, clock: () => clock.now });
    const zones = new StoredZones(settings, () => clock.now, { waitForCurrent });

    const clone = call("POST", `/domains/${id}/clone`, { domain: "clone.example" });
    expect(await countLoopTurns(clone)).toBeGreaterThanOrEqual(23); // parts of 500
    const copy = (await clone).body.id;
    expect((await call("GET", `/domains/${copy}/records?page=24&page_size=500`)).body).toMatchObject({ results: size });

    const rendered = call("GET", `/domains/${id}/zone-file`);
    expect(await countLoopTurns(rendered)).toBeGreaterThanOrEqual(11); // 1,000 records of 10 microseconds each
    expect((await rendered).body.zone_file.slice(-2)).toEqual(["h11998 A 192.0.2.1", "h11999 A 192.0.2.1"]);

    const asked = zones.findTransferable(domainName("example.com."));
    expect(await countLoopTurns(asked)).toBeGreaterThanOrEqual(20);
    const found = await asked;
    if (found === undefined || found === "unavailable") return expect.fail();
    expect(recordsOf(found.zone).length).toBe(size + 3);

    expect(await countLoopTurns(call("DELETE", `/domains/${copy}`))).toBeGreaterThanOrEqual(23);
    expect((await call("GET", "/domains")).body.results).toBe(1);
    const left = await store.read((db) =>
      db.selectFrom("records").select("id").where("domain_id", "=", copy).execute(),
    );
    expect(left).toEqual([]);
  });

  test("an import", async () => {
    const { call } = await begin();
    const wanted = { domain: "imported.example", remote_nameserver: "ns.example.net" };
    const imported = call("POST", "/domains/import", wanted);
    expect(await countLoopTurns(imported)).toBeGreaterThanOrEqual(47); // 23 parts, 24 times 500 records
    const { status, body } = await imported;
    expect(status).toBe(200);
    expect((await call("GET", `/domains/${body.id}/records`)).body.results).toBe(size);
  });
});

test("work on a domain of 130 texts of 60,000 octets is done in steps of half a mebibyte", async () => {
  const { call, domain, store } = await start();
  const id = await domain("example.com");
  const text = "ab".repeat(30_000);
  const rows = Array.from({ length: 130 }, (_, index) => ({
    ...{ domain_id: id, name: `t${index}`, name_key: `t${index}`, type: "TXT", target: text, created: "", updated: "" },
    ...rest,
  }));
  const steps = 16; // of eight texts each, behind the first one
  expect(await countLoopTurns(store.write((db) => insertRecordRows(db, rows)))).toBeGreaterThanOrEqual(steps);
  const clone = call("POST", `/domains/${id}/clone`, { domain: "clone.example" });
  expect(await countLoopTurns(clone)).toBeGreaterThanOrEqual(steps);
  const copy = (await clone).body.id;
  const rendered = call("GET", `/domains/${copy}/zone-file`);
  expect(await countLoopTurns(rendered)).toBeGreaterThanOrEqual(steps);
  const texts = (await rendered).body.zone_file.filter((line: string) => line.includes(" TXT "));
  expect(texts.length).toBe(130);
  expect(await countLoopTurns(call("DELETE", `/domains/${copy}`))).toBeGreaterThanOrEqual(steps);
  const left = await store.read((db) => db.selectFrom("records").select(["domain_id", "target"]).execute());
  expect(left).toEqual(rows.map(() => ({ domain_id: id, target: text })));
});

test("each turn of the event loop resumes one piece of waiting work", async () => {
  const order: string[] = [];
  const work = async (name: string) => {
    for (let step = 0; step < 3; step++) {
      await yieldToEventLoop();
      order.push(`${name}${step}`);
    }
  };
  const turns = await countLoopTurns(Promise.all(["a", "b", "c"].map(work)));
  expect(order).toEqual(["a0", "b0", "c0", "a1", "b1", "c1", "a2", "b2", "c2"]);
  expect(turns).toBeGreaterThanOrEqual(8);
});
