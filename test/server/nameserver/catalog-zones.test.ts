import { describe, expect, onTestFinished, test } from "vitest";
import type { ServerAddress } from "../../../src/dns-client/server-address.ts";
import { listenDns } from "../../../src/server/nameserver/listen.ts";
import { CatalogZones } from "../../../src/server/nameserver/zones/catalog-zones.ts";
import { readServerSettings } from "../../../src/server/server.ts";
import type { Store } from "../../../src/server/store/store.ts";
import { dig } from "../../dns/transfer/dig.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { refused, start } from "../start.ts";
import { host, nodes, onError, plain, zonesOf } from "./reverse.ts";

const catalogZone = domainName("catalog.example.");

/** Starts a name service with the catalog of a store, which these addresses may transfer. */
async function serve(store: Store, now: () => Date, secondaries = [host]): Promise<ServerAddress> {
  const settings = readServerSettings({ store, clock: now, nameservers: ["ns1.example.net"], catalogZone });
  const zones = new CatalogZones(zonesOf(store, now), settings, now, catalogZone);
  const service = await listenDns({ host, port: 0, zones, secondaries, onError });
  onTestFinished(() => service.close());
  return { host, port: service.port };
}

async function begin() {
  const api = await start({ catalogZone });
  const now = () => api.clock.now;
  const at = await serve(api.store, now);
  const create = async (domain: string) => (await api.domain(domain, [])) as number;
  return { ...api, at, now, create, again: (secondaries?: string[]) => serve(api.store, now, secondaries) };
}

const transfer = (at: ServerAddress) => dig(at, "catalog.example", "AXFR");

/** The serial and the members of a transfer. */
async function listed(at: ServerAddress): Promise<readonly [serial: number, members: readonly string[]]> {
  const lines = await transfer(at);
  const serial = Number(/ SOA \S+ \S+ (\d+) /.exec(lines.join("\n"))?.[1]);
  return [serial, lines.flatMap((line) => / PTR (\S+)\.$/.exec(line)?.[1] ?? []).sort()];
}

const defaults = "ip.nodes.invalid";

describe.skipIf(isMissing("dig"))("the catalog of the server", () => {
  test("is a zone of version 2 with all zones", async () => {
    const { at, create } = await begin();
    await create("example.com");
    expect(await transfer(at)).toEqual([
      "3ebef312509f797c5bb010db71e23cfd.zones.catalog.example. 0 IN PTR example.com.",
      "catalog.example. 0 IN NS invalid.",
      "catalog.example. 0 IN SOA invalid. invalid. 2026000001 3600 600 2147483646 0",
      "dbc470817f2af4346b651fd7fe4aeaf5.zones.catalog.example. 0 IN PTR ip.nodes.invalid.",
      'version.catalog.example. 0 IN TXT "2"',
      "",
    ]);
  });

  test("gains and loses members, and its serial rises with each change, also over a restart", async () => {
    const { at, create, call, again } = await begin();
    const id = await create("example.com");
    expect(await listed(at)).toEqual([2026000001, ["example.com", defaults]]);
    await create("example.net");
    expect(await listed(at)).toEqual([2026000002, ["example.com", "example.net", defaults]]);
    await call("POST", `/domains/${id}/records`, { type: "A", name: "www", target: "192.0.2.1" });
    expect(await listed(at)).toEqual([2026000002, ["example.com", "example.net", defaults]]);
    await call("PUT", `/domains/${id}`, { status: "disabled" });
    expect(await listed(at)).toEqual([2026000003, ["example.net", defaults]]);
    expect(await listed(await again())).toEqual([2026000003, ["example.net", defaults]]);
    await call("POST", nodes, plain);
    expect(await listed(at)).toEqual([2026000004, ["0.18.198.in-addr.arpa", "example.net", defaults]]);
  });

  test("is the same from two servers of a database", async () => {
    const { at, create, again } = await begin();
    const other = await again();
    for (const domain of ["example.com", "example.net", "example.org"]) {
      await create(domain);
      const [first, second] = await Promise.all([listed(at), listed(other)]);
      expect(first).toEqual(second);
    }
    expect((await listed(at))[0]).toBe(2026000003);
  });

  test("is transferred by changes", async () => {
    const { at, create, call } = await begin();
    const id = await create("example.com");
    for (let index = 0; index < 10; index++) await create(`z${index}.example`);
    await listed(at);
    await create("example.net");
    await listed(at);
    await call("DELETE", `/domains/${id}`);
    const soa = (serial: number) => `catalog.example. 0 IN SOA invalid. invalid. ${serial} 3600 600 2147483646 0`;
    const gone = "3ebef312509f797c5bb010db71e23cfd.zones.catalog.example. 0 IN PTR example.com.";
    const fresh = "043b5743b0221a0e42b3ce179fca7917.zones.catalog.example. 0 IN PTR example.net.";
    const changes = (serial: number) => dig(at, "catalog.example", `IXFR=${serial}`, { flags: ["+noonesoa"] });
    expect(await changes(2026000001)).toEqual([fresh, gone, soa(2026000001), soa(2026000003), ""]);
    expect(await changes(2026000002)).toEqual([gone, soa(2026000002), soa(2026000003), ""]);
    expect(await changes(2026000003)).toEqual([soa(2026000003), ""]);
  });

  test("is refused to others, who see only what they ask for", async () => {
    const { create, again } = await begin();
    await create("example.com");
    const at = await again([]);
    await expect(transfer(at)).rejects.toThrow("failed");
    expect(await dig(at, "version.catalog.example", "TXT")).toEqual(['version.catalog.example. 0 IN TXT "2"', ""]);
  });

  test.each(["catalog.example", "x.catalog.example", "Catalog.Example"])(
    "is no domain of a user: %s",
    async (domain) => {
      const { call } = await begin();
      const body = { domain, type: "master", soa_email: "hostmaster@example.com" };
      expect(await call("POST", "/domains", body)).toMatchObject(
        refused(["The domain is reserved for the catalog zone of the name service.", "domain"]),
      );
    },
  );
});
