import { expect, test } from "vitest";
import { embeddedCatalog } from "../../src/server/catalog/embedded.ts";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { refused, start } from "./start.ts";

/** A catalogue with pools of several sizes, and the domain of a company. */
const catalog = {
  ...embeddedCatalog,
  rdns_domain: "nodes.example.net",
  regions: embeddedCatalog.regions.map((region, index) => ({
    ...region,
    pools: {
      public: index === 0 ? "203.0.112.0/20" : "198.18.0.0/15",
      private: "192.168.128.0/17",
      slaac: index === 0 ? "2001:db8:8000::/34" : "3fff::/32",
    },
  })),
};

/** Domains, and what the API says to another account than that of the operator. */
const rows = `
  arpa                          not valid
  in-addr.arpa                  reserved
  198.in-addr.arpa              reserved
  18.198.in-addr.arpa           reserved
  19.198.in-addr.arpa           reserved
  20.198.in-addr.arpa           created
  17.198.in-addr.arpa           created
  0.18.198.in-addr.arpa         reserved
  0.18.198.IN-ADDR.ARPA         reserved
  255.19.198.in-addr.arpa       reserved
  7.0.18.198.in-addr.arpa       reserved
  1.7.0.18.198.in-addr.arpa     reserved
  0-127.0.18.198.in-addr.arpa   reserved
  x.18.198.in-addr.arpa         reserved
  *.0.18.198.in-addr.arpa       reserved
  x.198.in-addr.arpa            created
  256.198.in-addr.arpa          created
  018.198.in-addr.arpa          created
  0.203.in-addr.arpa            reserved
  112.0.203.in-addr.arpa        reserved
  127.0.203.in-addr.arpa        reserved
  128.0.203.in-addr.arpa        created
  113.0.203.in-addr.arpa.test   created
  128.168.192.in-addr.arpa      created
  ip6.arpa                      reserved
  3.ip6.arpa                    reserved
  f.f.f.3.ip6.arpa              reserved
  0.0.0.0.f.f.f.3.ip6.arpa      reserved
  1.0.0.0.0.f.f.f.3.ip6.arpa    reserved
  1.0.0.0.f.f.f.3.ip6.arpa      created
  8.8.b.d.0.1.0.0.2.ip6.arpa    reserved
  b.8.b.d.0.1.0.0.2.ip6.arpa    reserved
  c.8.b.d.0.1.0.0.2.ip6.arpa    created
  8.b.d.0.1.0.0.2.ip6.arpa      reserved
  ip.nodes.example.net          reserved
  IP.Nodes.Example.Net          reserved
  www.ip.nodes.example.net      reserved
  nodes.example.net             reserved
  example.net                   reserved
  www.nodes.example.net         created
  ip.example.net                created
  example.org                   created
`;

const table = [...rows.matchAll(/^ {2}(\S+) +(.+)$/gm)].map(([, domain = "", verdict = ""]) => [domain, verdict]);
const words: Record<string, string> = {
  "The domain is reserved for the addresses of nodes.": "reserved",
  "Domain is not valid.": "not valid",
};
const own = { type: "master", soa_email: "h@example.org" };

test.each([
  ["another account", "shop", table],
  [
    "that of the operator",
    "admin",
    table.map(([domain = "", verdict = ""]) => [domain, verdict === "reserved" ? "created" : verdict]),
  ],
])("domains at, above and below the zones of addresses are reserved: %s", async (_, username, expected) => {
  const verdicts: string[][] = [];
  const { call, mint } = await start({ catalog, allowsPublicSuffixes: true });
  const as = await mint({ username });
  for (const [domain = ""] of table) {
    const { status, body } = await call("POST", "/domains", { domain, ...own }, { as });
    if (status === 200) await call("DELETE", `/domains/${body.id}`, undefined, { as });
    verdicts.push([domain, status === 200 ? "created" : (words[body.errors[0].reason] ?? JSON.stringify(body))]);
  }
  expect(verdicts).toEqual(expected);
});

test("a domain cannot be renamed, copied or imported to a reserved name; one that exists stays", async () => {
  const { call, mint, store } = await start({ allowsPublicSuffixes: true });
  const as = await mint({ username: "shop" });
  const reserved = refused(["The domain is reserved for the addresses of nodes.", "domain"]);
  const domain = "0.18.198.in-addr.arpa";
  const { id } = (await call("POST", "/domains", { domain: "example.org", ...own }, { as })).body;
  for (const [method, path, body] of [
    ["PUT", `/domains/${id}`, { domain }],
    ["POST", `/domains/${id}/clone`, { domain }],
    ["POST", "/domains/import", { domain, remote_nameserver: "ns1.example.net" }],
    ["POST", "/domains", { domain, type: "slave", master_ips: ["192.0.2.1"] }],
  ] as const)
    expect(await call(method, path, body, { as })).toEqual(reserved);
  const others = await start({ store, catalog: { ...embeddedCatalog, rdns_account: "shop" } });
  expect(await others.call("POST", "/domains", { domain, ...own })).toEqual(reserved);
  const created = await others.call("POST", "/domains", { domain, ...own }, { as });
  expect(created.status).toBe(200);
  const update = await call("PUT", `/domains/${created.body.id}`, { description: "ours", domain }, { as });
  expect(update.body.description).toBe("ours");
});

test("the account can give a reserved domain to another one", async () => {
  const { call, clock, mint } = await start({ jobDriver: simulatedDriver(0) });
  const as = await mint({ username: "shop" });
  const { id } = (await call("POST", "/domains", { domain: "0.18.198.in-addr.arpa", ...own })).body;
  const { token } = (await call("POST", "/account/entity-transfers", { entities: { domains: [id] } })).body;
  expect((await call("POST", `/account/entity-transfers/${token}/accept`, undefined, { as })).status).toBe(200);
  clock.now = new Date(clock.now.getTime() + 1000);
  expect((await call("GET", `/domains/${id}`, undefined, { as })).body.domain).toBe("0.18.198.in-addr.arpa");
});
