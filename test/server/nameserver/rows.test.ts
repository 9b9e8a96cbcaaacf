import { expect, test } from "vitest";
import { StoredZones } from "../../../src/server/nameserver/stored-zones.ts";
import { readSettings } from "../../../src/server/server.ts";
import { domainName } from "../../names.ts";
import { start } from "../start.ts";
import { waitForCurrent } from "./patience.ts";

const www = { type: "A", name: "www", target: "192.0.2.1" };

/** The API and, for each query, a name server that has no zone in memory. */
async function begin(renderDelay: number) {
  const options = { renderDelay, nameservers: ["ns1.example.net"] };
  const api = await start(options);
  const settings = readSettings({ store: api.store, clock: () => api.clock.now, ...options });
  return {
    ...api,
    pass: (seconds: number) => {
      api.clock.now = new Date(api.clock.now.getTime() + seconds * 1000);
    },
    serve: async (name = "example.com.") => {
      const zones = new StoredZones(settings, () => api.clock.now, { patience: waitForCurrent });
      const found = await zones.transferable(domainName(name));
      if (found === undefined || found === "unavailable") return found;
      const { soa, records } = found.zone.toSend();
      return [soa.data.serial, soa.data.retry, ...Array.from(records, ({ owner, type }) => `${owner} ${type}`)];
    },
  };
}

test("a zone is served from its rows, whatever its rendered file contains", async () => {
  const { domain, call, serve, store } = await begin(0);
  const id = await domain("example.com", [www]);
  await call("GET", `/domains/${id}/zone-file`);
  await store.write((db) => db.updateTable("zone_lines").set({ lines: "not a zone file" }).execute());
  expect(await serve()).toEqual([2026000001, 14400, "example.com. NS", "www.example.com. A"]);
});

test("the previous version is served while a change waits for its rendering", async () => {
  const { domain, call, serve, pass, store } = await begin(60);
  const id = await domain("example.com", [www]);
  expect(await serve()).toBe(undefined);
  pass(60);
  const before = [2026000001, 14400, "example.com. NS", "www.example.com. A"];
  expect(await serve()).toEqual(before);
  await call("POST", `/domains/${id}/records`, { ...www, name: "mail" });
  await call("PUT", `/domains/${id}`, { retry_sec: 7200 });
  await call("DELETE", `/domains/${id}/records/1`);
  expect(await serve()).toEqual(before);
  pass(60);
  expect(await serve()).toEqual([2026000002, 7200, "example.com. NS", "mail.example.com. A"]);
  await call("POST", `/domains/${id}/records`, www);
  await call("DELETE", `/domains/${id}`);
  expect(await store.read((db) => db.selectFrom("zone_lines").selectAll().execute())).toEqual([]);
});
