// @suite postgres

import { expect, inject, onTestFinished, test } from "vitest";
import { rdataText, type ZoneRecord } from "../../../src/dns/zone/zone.ts";
import { ask } from "../../../src/dns-client/ask.ts";
import { listServed } from "../../../src/server/areas/domains/served-rows.ts";
import { listenDns } from "../../../src/server/nameserver/listen.ts";
import { StoredZones } from "../../../src/server/nameserver/zones/stored-zones.ts";
import { readServerSettings } from "../../../src/server/server.ts";
import { openStore } from "../../../src/server/store/store.ts";
import { recordsOf } from "../../dns/compiled.ts";
import { linesOf } from "../../dns/transfer/zones.ts";
import { domainName } from "../../names.ts";
import { start } from "../start.ts";
import { emptyPlace } from "../stores.ts";
import { waitForCurrent } from "./wait-for-current.ts";

const host = "127.0.0.1";

/** With SQLite both share the one connection that a process has, as in concurrent.test.ts. */
test("two servers that render at the same moment never use a serial twice and lose no change", async () => {
  const place = await emptyPlace();
  const first = await openStore(place);
  const second = inject("postgres") === undefined ? first : await openStore(place);
  onTestFinished(async () => {
    await first.close();
    if (second !== first) await second.close();
  });
  const [one, two] = [await start({ store: first }), await start({ store: second })];
  const id = await one.domain("example.com");
  const all = [one, two].map(({ store, clock }) => {
    const settings = readServerSettings({ store, clock: () => clock.now, nameservers: ["ns1.example.net"] });
    return new StoredZones(settings, () => clock.now, { waitForCurrent });
  });
  const seen = new Map<number, Set<string>>();
  const look = async (zones: StoredZones) => {
    const found = await zones.findTransferable(domainName("example.com."));
    if (found === undefined || found === "unavailable") return expect.fail();
    const { serial, rname } = found.zone.soa.data;
    const versions = seen.get(serial) ?? new Set();
    seen.set(serial, versions.add(linesOf(recordsOf(found.zone)).join("\n")));
    return { serial, rname };
  };
  for (let round = 0; round < 20; round++) {
    const add = ({ call }: typeof one, name: string) =>
      call("POST", `/domains/${id}/records`, { type: "A", name: `${name}${round}`, target: "192.0.2.1" });
    const keeper = two.call("PUT", `/domains/${id}`, { soa_email: `h${round}@example.com` });
    await Promise.all([add(one, "one"), ...all.map(look), keeper, ...all.map(look), add(two, "two"), ...all.map(look)]);
    const [here, there] = await Promise.all(all.map(look));
    expect(here).toEqual(there);
    expect(here?.rname).toBe(`h${round}.example.com.`);
  }
  expect([...seen.values()].filter(({ size }) => size > 1)).toEqual([]);
  expect(Math.max(...[...seen.values()].map(([text = ""]) => text.split("\n").length))).toBe(43);
});

test("a change is answered at once by the server that made it, and by another one", async () => {
  const place = await emptyPlace();
  const stores = [await openStore(place), await openStore(place)] as const;
  onTestFinished(() => Promise.all(stores.map((store) => store.close())).then(() => {}));
  const api = await start({ store: stores[0] });
  const id = await api.domain("example.com");
  const names = await Promise.all(
    stores.map(async (store) => {
      const settings = readServerSettings({ store, clock: () => api.clock.now, nameservers: ["ns1.example.net"] });
      const zones = new StoredZones(settings, () => api.clock.now, { waitForCurrent });
      const service = await listenDns({ host, port: 0, zones, onError: (error) => expect.fail(String(error)) });
      onTestFinished(service.close);
      return (name: string, type = "A") =>
        ask({ host, port: service.port }, { question: { name: domainName(name), type, class: 1 } });
    }),
  );
  const all = async (name: string) =>
    (await Promise.all(names.map((ask) => ask(name)))).map(({ rcode, answers }) => [rcode, answers.length]);
  const [found, missing, refused] = [
    [0, 1],
    [3, 0],
    [5, 0],
  ];
  for (let round = 0; round < 20; round++) {
    const name = `r${round}.example.com.`;
    expect(await all(name)).toEqual([missing, missing]);
    const record = { type: "A", name: `r${round}`, target: "192.0.2.1" };
    const { body } = await api.call("POST", `/domains/${id}/records`, record);
    expect(await all(name)).toEqual([found, found]);
    await api.call("DELETE", `/domains/${id}/records/${body.id}`);
    expect(await all(name)).toEqual([missing, missing]);
  }
  await api.call("PUT", `/domains/${id}`, { status: "disabled" });
  expect(await all("example.com.")).toEqual([refused, refused]);
  await api.call("PUT", `/domains/${id}`, { status: "active", domain: "example.org" });
  expect(await all("www.example.com.")).toEqual([refused, refused]);
  expect(await all("www.example.org.")).toEqual([missing, missing]);
  await api.domain("sub.example.org", [{ type: "A", target: "192.0.2.1" }]);
  expect(await all("sub.example.org.")).toEqual([found, found]);
  await api.domain("sub.example.com", [{ type: "A", target: "192.0.2.1" }]);
  expect(await all("sub.example.com.")).toEqual([found, found]);
  await api.call("DELETE", `/domains/${id}`);
  expect(await all("www.example.org.")).toEqual([refused, refused]);
});

test("no answer is from before an acknowledged change, however long loading takes; it may be SERVFAIL", async () => {
  const place = await emptyPlace();
  const stores = [await openStore(place), await openStore(place)];
  onTestFinished(() => Promise.all(stores.map((store) => store.close())).then(() => {}));
  const apis = await Promise.all(stores.map((store) => start({ store })));
  const [first = expect.fail()] = apis;
  const zones = apis.map(({ store, clock }) => {
    const settings = readServerSettings({ store, clock: () => clock.now, nameservers: ["ns1.example.net"] });
    return new StoredZones(settings, () => clock.now, { waitForCurrent: async () => {} });
  });
  const id = await first.domain("example.com", [{ type: "A", name: "www", target: "192.0.2.1" }]);
  await Promise.all(zones.map((all) => all.findTransferable(domainName("example.com."))));
  const addresses = async (all: StoredZones) => {
    const zone = (await all.findZones(domainName("www.example.com."))).find(domainName("www.example.com."), "A");
    if (zone === undefined || zone === "unavailable") return [];
    return recordsOf(zone).flatMap(({ type, data }) => (type === "A" ? [rdataText({ type, data } as ZoneRecord)] : []));
  };
  for (let round = 0; round < 20; round++) {
    const target = `192.0.2.${round + 2}`;
    await apis[round % 2]?.call("PUT", `/domains/${id}/records/1`, { target });
    for (let times = 0; times < 3; times++) {
      const answers = (await Promise.all(zones.map(addresses))).flat();
      expect(answers.filter((address) => address !== target)).toEqual([]);
      await new Promise(setImmediate);
    }
    await Promise.all(zones.map((all) => all.findTransferable(domainName("example.com."))));
  }
});

test.runIf(inject("postgres"))("a domain read in a write is locked until its end", async () => {
  const place = await emptyPlace();
  const [first, second] = [await openStore(place), await openStore(place)];
  onTestFinished(() => Promise.all([first.close(), second.close()]).then(() => {}));
  const { domain } = await start({ store: first });
  await domain("example.com");
  await first.write(async (db) => {
    await listServed(db, ["example.com"]);
    const other = second.write((db) => db.selectFrom("domains").select("id").forUpdate().noWait().execute());
    await expect(other).rejects.toThrow("another transaction locks the row or the table");
  });
});
