// @suite postgres

import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { findDomainRow, updateDomainRow } from "../../src/server/areas/domains/domains-rows.ts";
import * as records from "../../src/server/areas/zones/records-rows.ts";
import { readVersion } from "../../src/server/areas/zones/zone-version.ts";
import { openStore, type Store } from "../../src/server/store/store.ts";
import type { RecordRow } from "../../src/server/store/tables.ts";
import { samples } from "../properties.ts";
import { start } from "./start.ts";
import { emptyPlace } from "./stores.ts";

const moment = "2026-03-04T12:00:00";
const plain = { type: "A", priority: 0, weight: 0, port: 0, service: null, protocol: null, ttl_sec: 0, tag: null };
const newRow = (name: string, target: string) => ({
  ...{ ...plain, domain_id: 1, name, name_key: name.toLowerCase(), target, created: moment, updated: moment },
});

/** A domain with a rendered zone, and a server that renders a change after a minute. */
async function begin() {
  const store = await openStore(await emptyPlace());
  onTestFinished(() => store.close());
  const api = await start({ store, renderDelay: 60 });
  await api.domain("example.com", [{ type: "A", name: "www", target: "192.0.2.1" }]);
  api.clock.now = new Date("2026-03-04T12:01:00Z");
  const zoneFile = async () => (await api.call("GET", "/domains/1/zone-file")).body.zone_file as string[];
  await zoneFile();
  const change = () => store.write((db) => updateDomainRow(db, 1, { changed: "2026-03-04T12:01:00" }));
  const journal = () => store.read((db) => db.selectFrom("zone_changes").selectAll().orderBy("number").execute());
  return { ...api, store, zoneFile, change, journal };
}

const names = ["", "a", "A", "b", "c.b", "*"];
const change = fc.oneof(
  fc.record({ verb: fc.constant("add" as const), name: fc.constantFrom(...names), octet: fc.nat(9) }),
  fc.record({ verb: fc.constant("delete" as const), at: fc.nat() }),
  fc.record({ verb: fc.constant("change" as const), at: fc.nat(), name: fc.constantFrom(...names), octet: fc.nat(9) }),
  fc.record({ verb: fc.constant("retain" as const), at: fc.nat(), ttl_sec: fc.constantFrom(0, 300, 3600) }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

async function apply(store: Store, change: Change): Promise<void> {
  await store.write(async (db) => {
    if (change.verb === "add") {
      await records.insertRecordRow(db, newRow(change.name, `192.0.2.${change.octet}`));
      return;
    }
    const all = await db.selectFrom("records").select("id").where("domain_id", "=", 1).orderBy("id").execute();
    const id = all[change.at % all.length]?.id;
    if (id === undefined) return;
    if (change.verb === "delete") await records.removeRecordRow(db, id);
    else if (change.verb === "retain") await records.updateRecordRow(db, id, { ttl_sec: change.ttl_sec });
    else await records.updateRecordRow(db, id, newRow(change.name, `192.0.2.${change.octet}`));
  });
}

const zoneColumns = ({
  id,
  type,
  name,
  name_key,
  target,
  ttl_sec,
}: Pick<RecordRow, "id" | "type" | "name" | "name_key" | "target" | "ttl_sec">) =>
  [id, type, name, name_key, target, ttl_sec].join(" ");

test("the records of a version can be read until its changes are rendered, whatever they are", async () => {
  const { store, change: wait } = await begin();
  const read = async () => {
    const version = await store.read(async (db) => {
      const domain = await findDomainRow(db, 1, 1);
      return domain && readVersion(db, domain);
    });
    return version?.records.map(zoneColumns);
  };
  await wait();
  const before = await read();
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
      for (const change of changes) await apply(store, change);
      expect(await read()).toEqual(before);
    }),
    samples(100),
  );
});

test("each change is one row, which holds the record before, and a renamed record is noted at both names", async () => {
  const { call, journal } = await begin();
  await call("POST", "/domains/1/records", { type: "MX", name: "Mail", target: "a.example.net", priority: 10 });
  await call("PUT", "/domains/1/records/2", { ttl_sec: 300 });
  await call("PUT", "/domains/1/records/2", { ttl_sec: 300, weight: 0 });
  await call("PUT", "/domains/1/records/2", { name: "mx" });
  await call("DELETE", "/domains/1/records/2");
  const [version, ...changes] = await journal();
  expect(version).toMatchObject({ number: 1, serial: 2026000001, record_id: null });
  const kept = changes.map(({ record_id, name_key, type, name, target, ttl_sec, priority }) =>
    [record_id, name_key, type, name, target, ttl_sec, priority].join(" "),
  );
  expect(kept.sort()).toEqual([
    "2 mail     ",
    "2 mail MX Mail a.example.net 0 10",
    "2 mail MX Mail a.example.net 300 10",
    "2 mx MX Mail a.example.net 300 10",
    "2 mx MX mx a.example.net 300 10",
  ]);
});

test("domains without a rendered zone have no journal, nor has a disabled or a deleted one", async () => {
  const { domain, call, journal, clock } = await begin();
  const id = await domain("example.net", [{ type: "A", name: "www", target: "192.0.2.1" }]);
  await call("POST", `/domains/${id}/clone`, { domain: "example.org" });
  expect((await journal()).map(({ domain_id }) => domain_id)).toEqual([1]);
  await call("PUT", "/domains/1", { status: "disabled" });
  clock.now = new Date("2026-03-04T12:03:00Z");
  await call("POST", "/domains/1/records", { type: "A", name: "www", target: "192.0.2.2" });
  expect(await journal()).toEqual([]);
  await call("PUT", "/domains/1", { status: "active" });
  clock.now = new Date("2026-03-04T12:05:00Z");
  await call("GET", "/domains/1/zone-file");
  await call("POST", "/domains/1/records", { type: "A", name: "www", target: "192.0.2.3" });
  expect((await journal()).length).toBe(2);
  await call("DELETE", "/domains/1");
  expect(await journal()).toEqual([]);
});

describe("a journal that is full loses its oldest rows, and a change that waits is rendered at once", () => {
  const versionsIn = async (journal: () => Promise<{ serial: number | null }[]>) =>
    (await journal()).flatMap(({ serial }) => serial ?? []);

  test("after 10,000 rows", async () => {
    const { store, change, zoneFile, journal } = await begin();
    await change();
    const add = (count: number) =>
      store.write((db) =>
        records.insertRecordRows(
          db,
          Array.from({ length: count }, (_, at) => newRow(`n${at}`, "192.0.2.1")),
        ),
      );
    await add(9998);
    expect((await zoneFile()).length).toBe(5);
    await add(1001);
    expect((await zoneFile()).length).toBe(5 + 10_999);
    expect((await journal()).length).toBe(10_001);
    expect(await versionsIn(journal)).toEqual([2026000002]);
  });

  test("after 8 MiB of texts", async () => {
    const { store, change, zoneFile, journal } = await begin();
    await change();
    const rewrite = (letter: string) =>
      store.write((db) => records.updateRecordRow(db, 1, { target: letter.repeat(60_000) }));
    await store.write((db) => records.updateRecordRow(db, 1, { type: "TXT" }));
    for (let times = 0; times < 140; times++) await rewrite(String(times % 10));
    expect((await zoneFile()).at(-1)).toBe("www A 192.0.2.1");
    await rewrite("z");
    expect((await zoneFile())[2]).toContain("2026000002");
    expect((await journal()).reduce((sum, { target }) => sum + (target?.length ?? 0), 0)).toBeLessThanOrEqual(2 ** 23);
  });
});
