// @suite postgres

import * as fc from "fast-check";
import { expect, inject, onTestFinished, test } from "vitest";
import { embeddedCatalog } from "../../../src/server/catalog/embedded.ts";
import { simulatedDriver } from "../../../src/server/kit/job-driver.ts";
import type { ReverseZones } from "../../../src/server/nameserver/zones/reverse-zones.ts";
import type { ServerOptions } from "../../../src/server/server.ts";
import { openStore } from "../../../src/server/store/store.ts";
import { recordsOf } from "../../dns/compiled.ts";
import { linesOf } from "../../dns/transfer/zones.ts";
import { domainName } from "../../names.ts";
import { samples } from "../../properties.ts";
import { start } from "../start.ts";
import { emptyPlace } from "../stores.ts";
import { begin, defaults, nodes, plain, zone4, zone6, zonesOf } from "./reverse.ts";

test("every change of a name raises the serial; a change of nothing does not", async () => {
  const { call, zones, rename } = await begin();
  const serials = async () =>
    Object.fromEntries((await zones.listTransferred()).map(({ name, serial }) => [name, serial % 1000]));
  const after = async (change: Promise<unknown>) => {
    await change;
    return serials();
  };
  const address6 = "2001:db8::f03c:91ff:fe00:1";
  expect(await after(Promise.resolve())).toEqual({ [defaults]: 1 });
  expect(await after(call("POST", nodes, { ...plain, private_ip: true }))).toEqual({ [zone4]: 1, [defaults]: 2 });
  expect(await after(rename("198.18.0.2", "mail.example.net"))).toEqual({ [zone4]: 2, [defaults]: 2 });
  expect(await after(rename("198.18.0.2", "mail.example.net"))).toEqual({ [zone4]: 2, [defaults]: 2 });
  expect(await after(rename("198.18.0.2", null))).toEqual({ [zone4]: 3, [defaults]: 2 });
  expect(await after(rename(address6, null))).toEqual({ [zone4]: 3, [defaults]: 2 });
  expect(await after(rename(address6, "mail.example.net"))).toEqual({ [zone4]: 3, [zone6]: 1, [defaults]: 2 });
  expect(await after(rename(address6, null))).toEqual({ [zone4]: 3, [zone6]: 2, [defaults]: 2 });
  expect(await after(call("POST", nodes, plain))).toEqual({ [zone4]: 4, [zone6]: 2, [defaults]: 3 });
  expect(await after(call("DELETE", `${nodes}/1`))).toEqual({ [zone4]: 5, [zone6]: 2, [defaults]: 4 });
});

/** The records of a zone, its SOA record first. */
async function contentOf(zones: ReverseZones, zone: string): Promise<string[]> {
  const found = await zones.findTransferable(domainName(zone));
  if (found === undefined || found === "unavailable") return [`${found}`];
  const [soa = expect.fail(), ...records] = recordsOf(found.zone);
  return [...linesOf([soa]), ...linesOf(records)].filter((line) => line !== "");
}

test("other name servers, and another domain of the default names, raise the serial once", async () => {
  const { call, store, clock } = await begin();
  await call("POST", nodes, plain);
  const found = async (options: Partial<ServerOptions>) => {
    const zones = zonesOf(store, () => clock.now, options);
    const [first = "", ...others] = await contentOf(zones, zone4);
    return [/20260\d+/.exec(first)?.[0], ...others.map((line) => line.replace(/.* (?=NS|PTR)/, ""))];
  };
  const name = "PTR 198-18-0-2.ip.nodes.invalid.";
  expect(await found({})).toEqual(["2026000001", "NS ns1.example.net.", name]);
  expect(await found({})).toEqual(["2026000001", "NS ns1.example.net.", name]);
  const nameservers = ["ns9.example.net"];
  expect(await found({ nameservers })).toEqual(["2026000002", "NS ns9.example.net.", name]);
  expect(await found({ nameservers })).toEqual(["2026000002", "NS ns9.example.net.", name]);
  const catalog = { ...embeddedCatalog, rdns_domain: "example.org" };
  const other = ["2026000003", "NS ns9.example.net.", "PTR 198-18-0-2.ip.example.org."];
  expect(await found({ nameservers, catalog })).toEqual(other);
  expect(await found({ nameservers, catalog })).toEqual(other);
});

test.each<[what: string, zone: string, name: string, type: string, change: (api: Begun) => Promise<unknown>]>([
  ["reverse zone", zone4, `2.${zone4}`, "PTR", ({ rename, nth }) => rename("198.18.0.2", `n${nth()}.example.net`)],
  ["zone of default names", defaults, `198-18-0-2.${defaults}`, "A", ({ call }) => call("POST", nodes, plain)],
])(
  "a domain takes the place of the %s of its name, whose serial never goes back",
  async (_, zone, name, type, change) => {
    const api = await begin({ renderDelay: 0, allowsPublicSuffixes: true });
    const { call, zones } = api;
    await call("POST", nodes, plain);
    const begun = { ...api, nth: counter() };
    const serial = async () => {
      const around = await zones.findZones(domainName(name));
      const found = around.find(domainName(name), type);
      return found === undefined || found === "unavailable"
        ? found
        : `${found.soa.data.serial} ${found.soa.data.rname}`;
    };
    const listed = async () => (await zones.listTransferred()).filter((one) => one.name === zone);
    const created = async () => {
      const own = { type: "master", soa_email: "h@example.org" };
      return (await call("POST", "/domains", { domain: zone.slice(0, -1), ...own })).body.id;
    };
    expect(await serial()).toBe("2026000001 hostmaster.nodes.invalid.");
    const first = await created();
    expect(await serial()).toBe("2026000002 h.example.org.");
    expect(await listed()).toEqual([{ name: zone, serial: 2026000002 }]);
    await change(begun);
    await call("PUT", `/domains/${first}`, { soa_email: "i@example.org" });
    expect(await serial()).toBe("2026000005 i.example.org.");
    await call("PUT", `/domains/${first}`, { status: "disabled" });
    expect(await serial()).toBe(undefined);
    expect(await zones.findTransferable(domainName(zone))).toBeUndefined();
    expect(await listed()).toEqual([]);
    await call("DELETE", `/domains/${first}`);
    expect(await serial()).toBe("2026000006 hostmaster.nodes.invalid.");
    await change(begun);
    expect(await serial()).toBe("2026000007 hostmaster.nodes.invalid.");
    await created();
    expect(await serial()).toBe("2026000008 h.example.org.");
  },
);

interface Begun extends Awaited<ReturnType<typeof begin>> {
  readonly nth: () => number;
}

function counter(): () => number {
  let count = 0;
  return () => ++count;
}

test("a domain below wins for its names, and one above does not", async () => {
  const { call, zones } = await begin({ renderDelay: 0 });
  await call("POST", nodes, plain);
  const own = { type: "master", soa_email: "h@example.org" };
  await call("POST", "/domains", { domain: "18.198.in-addr.arpa", ...own });
  await call("POST", "/domains", { domain: "2.0.18.198.in-addr.arpa", ...own });
  const apexOf = async (name: string, type = "PTR") => {
    const zone = (await zones.findZones(domainName(name))).find(domainName(name), type);
    return zone === undefined || zone === "unavailable" ? zone : zone.apex;
  };
  expect(await apexOf(`2.${zone4}`)).toBe(`2.${zone4}`);
  expect(await apexOf(`3.${zone4}`)).toBe(zone4);
  expect(await apexOf(zone4)).toBe(zone4);
  expect(await apexOf(zone4, "DS")).toBe("18.198.in-addr.arpa.");
  expect(await apexOf("9.9.18.198.in-addr.arpa.")).toBe("9.18.198.in-addr.arpa.");
});

/** With SQLite both share the one connection that a process has, as in two-servers.test.ts. */
test("two servers of one database serve one content for each serial", async () => {
  const place = await emptyPlace();
  const first = await openStore(place);
  const second = inject("postgres") === undefined ? first : await openStore(place);
  onTestFinished(async () => {
    await first.close();
    if (second !== first) await second.close();
  });
  const [one, two] = [await start({ store: first }), await start({ store: second })];
  const both = [one, two].map(({ store, clock }) => zonesOf(store, () => clock.now));
  const contents = new Map<string, Set<string>>();
  let last = 0;
  const look = async (zones: ReverseZones) => {
    const [soa = "", ...records] = await contentOf(zones, zone4);
    contents.set(soa, (contents.get(soa) ?? new Set()).add(records.join("\n")));
    return soa;
  };
  for (let round = 0; round < 8; round++) {
    const changes = [
      one.call("POST", nodes, plain),
      two.call("PUT", `${nodes}/${round}/ips/198.18.0.${round + 1}`, { rdns: `n${round}.example.net` }),
      one.call("DELETE", `${nodes}/${round - 2}`),
    ];
    await Promise.all([...changes, ...both.map(look), two.call("POST", nodes, plain), ...both.map(look)]);
    const [here = "", there] = await Promise.all(both.map(look));
    expect(here).toBe(there);
    const serial = Number(/20260\d+/.exec(here)?.[0]);
    expect(serial).toBeGreaterThan(last);
    last = serial;
  }
  expect([...contents.values()].filter(({ size }) => size > 1)).toEqual([]);
});

/** An address as the API shows it. */
interface Shown {
  readonly address: string;
  readonly rdns: string | null;
  readonly node_id: number;
  readonly public: boolean;
}

/** A change, by numbers that choose among what exists then. */
const change = fc.record({
  kind: fc.constantFrom("create", "create", "name", "name", "unname", "add", "remove", "delete", "migrate", "wait"),
  node: fc.nat({ max: 5 }),
  address: fc.nat({ max: 3 }),
});

test("every public address of every node has the name that the API shows, which default names confirm; no other has one", async () => {
  const catalog = {
    ...embeddedCatalog,
    extra_public_ipv4: 2,
    regions: embeddedCatalog.regions.map((region, index) => ({
      ...region,
      pools: { public: `198.18.${index}.0/24`, private: "192.168.128.0/17", slaac: `2001:db8:${index}::/48` },
    })),
  };
  const regions = catalog.regions.filter(({ capabilities }) => capabilities.includes("Nodes")).map(({ id }) => id);
  const check = async (changes: readonly { kind: string; node: number; address: number }[]) => {
    const { call, clock, store } = await start({ catalog, jobDriver: simulatedDriver(0) });
    const zones = zonesOf(store, () => clock.now, { catalog });
    for (const [index, { kind, node, address }] of changes.entries()) {
      const all = (await call("GET", nodes)).body.data;
      const { id = 0, region = regions[0] } = all[node % all.length] ?? {};
      const before: Shown[] = (await call("GET", "/networking/ips")).body.data;
      const own = before.filter(({ node_id }) => node_id === id);
      const at = `${nodes}/${id}/ips/${own[address % own.length]?.address}`;
      const requests: Record<string, () => Promise<unknown>> = {
        create: () => call("POST", nodes, { ...plain, region: regions[node % 2] }),
        name: () => call("PUT", at, { rdns: `name${index}.example.net` }),
        unname: () => call("PUT", at, { rdns: null }),
        add: () => call("POST", `${nodes}/${id}/ips`, { type: "ipv4", public: address > 0 }),
        remove: () => call("DELETE", at),
        delete: () => call("DELETE", `${nodes}/${id}`),
        migrate: () => call("POST", `${nodes}/${id}/migrate`, { region: regions.find((other) => other !== region) }),
      };
      await requests[kind]?.();
      clock.now = new Date(clock.now.getTime() + (kind === "wait" ? 8 * 86_400_000 : 1000));
      const shown: Shown[] = (await call("GET", "/networking/ips")).body.data;
      const expected = shown.flatMap(({ address, rdns }) => (rdns === null ? [] : `${reversed(address)} ${rdns}.`));
      const served: string[] = [];
      const forward: string[] = [];
      for (const { name } of await zones.listTransferred())
        for (const line of await contentOf(zones, name))
          if (line.includes(" PTR ")) served.push(line.replace(/ \d+ IN PTR/, ""));
          else if (line.includes(" IN A ")) forward.push(line.replace(/ \d+ IN A/, ""));
      expect(served.sort()).toEqual(expected.sort());
      const addresses = shown.filter((one) => one.public && !one.address.includes(":")).map((one) => one.address);
      const confirming = addresses.map((one) => `${one.split(".").join("-")}.${defaults} ${one}`);
      expect(forward.sort()).toEqual(confirming.sort());
    }
  };
  await fc.assert(fc.asyncProperty(fc.array(change, { maxLength: 25 }), check), samples(60));
});

/** The name of an address in reverse DNS, by another way than the server's. */
function reversed(address: string): string {
  if (!address.includes(":")) return `${address.split(".").reverse().join(".")}.in-addr.arpa.`;
  const [left = "", right = ""] = address.split("::");
  const words = (text: string) => text.split(":").filter((word) => word !== "");
  const zeros = Array(8 - words(left).length - words(right).length).fill("0");
  const digits = [...words(left), ...zeros, ...words(right)].map((word) => word.padStart(4, "0")).join("");
  return `${[...digits].reverse().join(".")}.ip6.arpa.`;
}
