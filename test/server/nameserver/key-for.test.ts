import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Key } from "../../../src/dns/transfer/tsig.ts";
import { askSoa } from "../../../src/dns-client/ask.ts";
import { allowAddresses } from "../../../src/server/kit/allowed-networks.ts";
import { createRemote, keyFor } from "../../../src/server/kit/remote.ts";
import { listenDns } from "../../../src/server/nameserver/listen.ts";
import { startNotifier } from "../../../src/server/nameserver/notifier.ts";
import { StoredZones } from "../../../src/server/nameserver/zones/stored-zones.ts";
import { readServerSettings } from "../../../src/server/server.ts";
import { binaries, freePort, programs } from "../../dns/transfer/nameservers.ts";
import { useNameServer } from "../../dns/transfer/use-name-server.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { start } from "../start.ts";
import { beginSlaves, host, slave, zoneOf } from "./masters.ts";
import { waitForCurrent } from "./wait-for-current.ts";

const key: Key = {
  name: domainName("shared.key."),
  algorithm: "hmac-sha256",
  secret: Buffer.from("what two servers share"),
};
const other: Key = { ...key, secret: Buffer.from("what nobody else knows") };
const isAllowed = allowAddresses([{ address: host, prefix: 32 }]);
const remoteWith = (key: Key | undefined, attempts = 3) =>
  createRemote({ isAllowed, keyFor: keyFor(key ? [[host, key]] : []), bounds: { attempts } });

test.each<[address: string, name: string | undefined]>([
  ["192.0.2.1", "four."],
  ["::ffff:192.0.2.1", "four."],
  ["192.0.2.2", undefined],
  ["2001:db8::1", "six."],
  ["2001:0DB8:0:0::1", "six."],
  ["2001:db8::1%eth0", "six."],
  ["2001:db8::2", undefined],
])("the key for %s is %s", (address, name) => {
  const find = keyFor([
    ["192.0.2.1", { ...key, name: domainName("four.") }],
    ["2001:DB8::1", { ...key, name: domainName("six.") }],
  ]);
  expect(find(address)?.name).toBe(name);
});

for (const program of programs)
  describe.skipIf(isMissing(binaries[program]))(`${program} transfers its zone only with the key`, () => {
    const begin = async () => {
      const primary = await useNameServer(program, { zones: { "example.com.": zoneOf(7) }, keys: [key] });
      return primary;
    };

    test.each([
      ["with it", key, "aa 192.0.2.10"],
      ["without", undefined, 2],
    ])("a slave domain %s", async (_, key, expected) => {
      const { port } = await begin();
      const { call, slaves, www, errors } = await beginSlaves({ remote: remoteWith(key), port });
      await call("POST", "/domains", { ...slave, master_ips: [host] });
      await slaves.runDue();
      expect(await www()).toBe(expected);
      expect(errors.length).toBe(expected === 2 ? 1 : 0);
    });

    test("an import", async () => {
      const { port } = await begin();
      const sent = { domain: "example.com", remote_nameserver: `${host}:${port}` };
      const statusWith = async (key: Key | undefined) =>
        (await (await start({ remote: remoteWith(key) })).call("POST", "/domains/import", sent)).status;
      expect([await statusWith(key), await statusWith(undefined), await statusWith(other)]).toEqual([200, 400, 400]);
    });
  });

test.skipIf(isMissing("named"))("the SOA query is signed too: BIND does not accept another secret", async () => {
  const primary = await useNameServer("bind", { zones: { "example.com.": zoneOf(7) }, keys: [key] });
  const soa = (key: Key | undefined) => remoteWith(key, 1).soa(domainName("example.com."), primary);
  expect((await soa(undefined)).data.serial).toBe(7);
  expect((await soa(key)).data.serial).toBe(7);
  await expect(soa(other)).rejects.toThrow("the server rejected the TSIG (BADSIG)");
});

/** BIND takes notice of whoever has the address of a primary. */
for (const program of ["knot", "nsd"] as const)
  test.skipIf(isMissing(binaries[program]))(`${program} accepts a NOTIFY only with the key`, async () => {
    const api = await start({ nameservers: ["ns1.example.net"] });
    await api.domain("example.com");
    await api.call("PUT", "/domains/1", { axfr_ips: [host] });
    const settings = readServerSettings({
      store: api.store,
      clock: () => api.clock.now,
      nameservers: ["ns1.example.net"],
    });
    const zones = new StoredZones(settings, () => api.clock.now, { waitForCurrent });
    const errors: string[] = [];
    const onError = (error: unknown) => errors.push(String(error));
    const service = await listenDns({ host, port: 0, zones, onError });
    onTestFinished(() => service.close());
    const at = { host, port: service.port };
    const port = await freePort();
    const secondary = await useNameServer(program, {
      zones: {},
      port,
      keys: [key],
      secondary: { primary: at, zones: ["example.com."], notice: key },
    });
    /** Starts to look for changes; earlier ones are not announced. */
    const notifyWith = async (key: Key | undefined) => {
      let looked = () => {};
      const hasLooked = new Promise<void>((resolve) => {
        looked = resolve;
      });
      const soon = (signal: AbortSignal) => {
        looked();
        return wait(10, undefined, { signal });
      };
      const notifier = startNotifier({ zones, port, wait: soon, onError, keyFor: keyFor(key ? [[host, key]] : []) });
      onTestFinished(() => notifier.close());
      await hasLooked;
      return notifier;
    };
    const change = async (name: string) => {
      await api.call("POST", "/domains/1/records", { type: "A", name, target: "192.0.2.1" });
      return (await askSoa(at, domainName("example.com."))).data.serial;
    };
    const unsigned = await notifyWith(undefined);
    await change("one");
    while (errors.length === 0) await wait(10);
    expect(errors).toEqual([
      expect.stringMatching(/does not acknowledge the NOTIFY for example.com.: the server (refused|is not authorit)/),
    ]);
    await unsigned.close();
    await notifyWith(key);
    const serial = await change("two");
    while ((await askSoa(secondary, domainName("example.com."))).data.serial !== serial) await wait(10);
    expect(errors.length).toBe(1);
  });
