// @suite postgres

import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { isLater } from "../../../src/dns/name/serial.ts";
import { askSoa, notify } from "../../../src/dns-client/ask.ts";
import { nextSerial } from "../../../src/server/areas/zones/serial.ts";
import { allowAddresses } from "../../../src/server/kit/allowed-networks.ts";
import { createRemote } from "../../../src/server/kit/remote.ts";
import { listenDns } from "../../../src/server/nameserver/listen.ts";
import { StoredZones } from "../../../src/server/nameserver/zones/stored-zones.ts";
import { readServerSettings } from "../../../src/server/server.ts";
import { binaries, freePort, programs } from "../../dns/transfer/nameservers.ts";
import { useNameServer } from "../../dns/transfer/use-name-server.ts";
import { readZone } from "../../dns/transfer/zones.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { start } from "../start.ts";
import { beginSlaves, host, slave, zoneOf } from "./masters.ts";
import { waitForCurrent } from "./wait-for-current.ts";

const now = new Date("2026-03-04T12:00:00Z");

test.each<[serial: number | undefined, next: number]>([
  [undefined, 2026000001],
  [0, 2026000001],
  [7, 2026000001],
  [2025123102, 2026000001],
  [2026000000, 2026000001],
  [2026000001, 2026000002],
  [2026112101, 2026112102],
  [2026999999, 2027000000],
  [4173483648, 4173483649],
  [4173483649, 4173483650],
  [4173483650, 2026000001],
  [4294967295, 2026000001],
])("%s is followed by %s", (serial, next) => {
  expect(nextSerial(serial, now)).toBe(next);
});

test("the largest serial is followed by 1", () => {
  expect(nextSerial(4294967295, new Date("2148-01-01T00:00:00Z"))).toBe(1);
});

test("the next serial is later than the last, and never 0, in every year", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.integer({ min: 1970, max: 9999 }), (serial, year) => {
      const next = nextSerial(serial, new Date(Date.UTC(year, 5)));
      expect([isLater(next, serial), next > 0, next < 2 ** 32]).toEqual([true, true, true]);
    }),
  );
});

const serialOf = (lines: string[]) =>
  Number(
    lines
      .find((line) => / SOA /.test(line))
      ?.split(" ")
      .at(-5),
  );

describe("the serial of an imported zone continues after its last one", () => {
  test.each([
    [7, 2026000001],
    [2026112101, 2026112102],
    [3000000000, 3000000001],
    [4294967295, 2026000001],
  ])("%s: %s", async (serial, expected) => {
    const { records } = readZone(zoneOf(serial));
    const remote = { transfer: async () => ({ records, unread: [] }), soa: () => expect.fail("asked") };
    const api = await start({ remote });
    await api.call("POST", "/domains/import", { domain: "example.com", remote_nameserver: "ns.example.net" });
    const serialNow = async () => serialOf((await api.call("GET", "/domains/1/zone-file")).body.zone_file);
    expect([await serialNow(), await serialNow()]).toEqual([expected, expected]);
    await api.call("POST", "/domains/1/records", { type: "A", name: "new", target: "192.0.2.1" });
    expect(await serialNow()).toBe(expected + 1);
  });

  test("the serial continues after the later of two", async () => {
    const { records } = readZone(zoneOf(2025112101));
    const remote = { transfer: async () => ({ records, unread: [] }), soa: () => expect.fail("asked") };
    const api = await start({ remote });
    await api.domain("example.com");
    expect(serialOf((await api.call("GET", "/domains/1/zone-file")).body.zone_file)).toBe(2026000001);
    await api.call("DELETE", "/domains/1");
    await api.call("POST", "/domains/import", { domain: "example.com", remote_nameserver: "ns.example.net" });
    expect(serialOf((await api.call("GET", "/domains/2/zone-file")).body.zone_file)).toBe(2026000002);
  });
});

test("a slave domain that becomes a master continues its serial, even if it was deleted in between", async () => {
  const { masters, call, lookAfter } = await beginSlaves();
  masters.answers.set("192.0.2.1", zoneOf(2026112101));
  const serialNow = async (id: number) => serialOf((await call("GET", `/domains/${id}/zone-file`)).body.zone_file);
  await call("POST", "/domains", slave);
  await lookAfter(0);
  expect(await serialNow(1)).toBe(2026112101);
  await call("PUT", "/domains/1", { type: "master", soa_email: "h@example.com" });
  expect(await serialNow(1)).toBe(2026112102);
  await call("PUT", "/domains/1", { type: "slave", master_ips: ["192.0.2.1"] });
  masters.answers.set("192.0.2.1", zoneOf(2026112110));
  await lookAfter(3600);
  expect(await serialNow(1)).toBe(2026112110);
  await call("DELETE", "/domains/1");
  await call("POST", "/domains", { domain: "example.com", type: "master", soa_email: "h@example.com" });
  expect(await serialNow(2)).toBe(2026112111);
});

for (const program of programs)
  test.skipIf(isMissing("named", binaries[program]))(
    `${program} follows from the old primary to this server`,
    async () => {
      const port = await freePort();
      const old = await useNameServer("bind", { port, zones: { "example.com.": zoneOf(2026112101) } });
      const secondary = await useNameServer(program, {
        zones: {},
        secondary: { primary: old, zones: ["example.com."] },
      });
      const api = await start({ remote: createRemote({ isAllowed: allowAddresses([{ address: host, prefix: 32 }]) }) });
      const sent = { domain: "example.com", remote_nameserver: `${host}:${port}` };
      expect((await api.call("POST", "/domains/import", sent)).status).toBe(200);
      await api.call("PUT", "/domains/1", { axfr_ips: [host] });
      await old.stop();
      const zones = new StoredZones(
        readServerSettings({ store: api.store, clock: () => api.clock.now }),
        () => api.clock.now,
        { waitForCurrent },
      );
      const service = await listenDns({ host, port, zones, onError: (error) => expect.fail(String(error)) });
      onTestFinished(() => service.close());
      const soa = await askSoa({ host, port }, domainName("example.com."));
      expect(soa.data.serial).toBe(2026112102);
      await notify(secondary, soa);
      while ((await askSoa(secondary, domainName("example.com."))).data.serial !== 2026112102)
        await new Promise(setImmediate);
    },
  );
