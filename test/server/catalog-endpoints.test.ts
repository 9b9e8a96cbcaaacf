import { describe, expect, test } from "vitest";
import { readCatalog } from "../../src/server/catalog/read.ts";
import { start } from "./start.ts";

const catalog = readCatalog(
  "catalog.yaml",
  `regions:
  - { id: lab, label: Laboratory, country: nl, capabilities: [Nodes, Vlans], resolvers: { ipv4: "192.0.2.1,192.0.2.2" } }
  - { id: attic, label: Attic, country: nl, status: outage }
types:
  - id: small
    label: Small
    class: standard
    disk: 1000
    memory: 512
    vcpus: 1
    transfer: 100
    network_out: 50
    price: { hourly: 0.0075, monthly: 5 }
    backups: { hourly: 0.003, monthly: 2 }
    successor: large
  - { id: large, label: Large, class: gpu, disk: 2000, memory: 1024, vcpus: 2, gpus: 1, transfer: 200, network_out: 50 }
images:
  - { id: node/debian12, label: Debian 12, size: 1600 }
`,
);

const lab = {
  id: "lab",
  country: "nl",
  capabilities: ["Nodes", "Vlans"],
  status: "ok",
  resolvers: { ipv4: "192.0.2.1,192.0.2.2", ipv6: "" },
};
const attic = {
  id: "attic",
  country: "nl",
  capabilities: [],
  status: "outage",
  resolvers: { ipv4: "", ipv6: "" },
};

describe("regions of another catalogue", () => {
  test("in its order", async () => {
    const { call } = await start({ catalog });
    const body = { data: [lab, attic], page: 1, pages: 1, results: 2 };
    expect(await call("GET", "/regions")).toEqual({ status: 200, body });
    expect(await call("GET", "/regions/attic")).toEqual({ status: 200, body: attic });
    expect((await call("GET", "/regions/us-east")).status).toBe(404);
  });

  test("in profile live: with labels, in the words of the hosted service", async () => {
    const { call } = await start({ catalog, profile: "live" });
    const liveKeys = {
      site_type: "core",
      monitors: { alerts: ["Linodes"] },
      placement_group_limits: {
        maximum_pgs_per_customer: null,
        maximum_linodes_per_pg: 5,
        maximum_linodes_per_flexible_pg: 5,
      },
    };
    const liveLab = { ...lab, capabilities: ["Linodes", "Vlans"], label: "Laboratory", ...liveKeys };
    const list = async (filter: object) =>
      (await call("GET", "/regions", undefined, { "X-Filter": JSON.stringify(filter) })).body.data;
    expect(await list({ "+order_by": "label" })).toEqual([{ ...attic, label: "Attic", ...liveKeys }, liveLab]);
    expect(await list({ capabilities: "Linodes" })).toEqual([liveLab]);
  });
});

test("the account has the capabilities of all regions", async () => {
  const { call } = await start({ catalog });
  expect((await call("GET", "/account")).body.capabilities).toEqual(["Nodes", "Vlans"]);
});

describe("types of nodes, which only profile live lists", () => {
  test.each(["/linode/types", "/node/types"])("GET %s, without a token", async (path) => {
    const { call } = await start({ catalog, profile: "live" });
    const small = {
      id: "small",
      label: "Small",
      price: { hourly: 0.0075, monthly: 5 },
      region_prices: [],
      addons: { backups: { price: { hourly: 0.003, monthly: 2 }, region_prices: [] } },
      memory: 512,
      disk: 1000,
      transfer: 100,
      vcpus: 1,
      gpus: 0,
      network_out: 50,
      accelerated_devices: 0,
      class: "standard",
      successor: "large",
    };
    const free = { hourly: 0, monthly: 0 };
    const large = {
      id: "large",
      label: "Large",
      price: free,
      region_prices: [],
      addons: { backups: { price: free, region_prices: [] } },
      memory: 1024,
      disk: 2000,
      transfer: 200,
      vcpus: 2,
      gpus: 1,
      network_out: 50,
      accelerated_devices: 0,
      class: "gpu",
      successor: null,
    };
    const list = async (query: string, filter: object = {}) =>
      (await call("GET", path + query, undefined, { as: "", "X-Filter": JSON.stringify(filter) })).body;
    expect(await list("")).toEqual({ data: [small, large], page: 1, pages: 1, results: 2 });
    expect(await list("?page=2")).toEqual({ data: [], page: 2, pages: 1, results: 2 });
    expect(await list("", { class: "gpu", memory: { "+gte": 1024 } })).toEqual({
      data: [large],
      page: 1,
      pages: 1,
      results: 1,
    });
    expect((await list("", { "+order_by": "memory", "+order": "desc" })).data).toEqual([large, small]);
  });
});

describe("one type or image, which only profile live shows", () => {
  const types = ["/linode/types/large", "/node/types/large"];
  const images = ["/images/linode/debian12", "/images/linode%2Fdebian12", "/images/node/debian12"];
  test.each([...types, ...images])("GET %s, without a token, as in its list", async (path) => {
    const { call } = await start({ catalog, profile: "live" });
    const { data } = (await call("GET", path.startsWith("/images") ? "/images" : "/node/types")).body;
    expect(await call("GET", path, undefined, { as: "" })).toEqual({ status: 200, body: data.at(-1) });
  });

  test.each(["/linode/types/huge", "/images/linode/none", "/images/debian12"])("GET %s: unknown", async (path) => {
    const { call } = await start({ catalog, profile: "live" });
    expect(await call("GET", path)).toEqual({ status: 404, body: { errors: [{ reason: "Not found" }] } });
  });
});

describe("images of nodes, which only profile live lists", () => {
  test("without a token, in the words of the hosted service", async () => {
    const { call } = await start({ catalog, profile: "live" });
    const debian = {
      id: "linode/debian12",
      label: "Debian 12",
      size: 1600,
      type: "manual",
      is_public: true,
      status: "available",
      vendor: null,
      description: null,
      deprecated: false,
      created: "2024-01-01T00:00:00",
      updated: "2024-01-01T00:00:00",
      created_by: "linode",
      eol: null,
      expiry: null,
      capabilities: [],
      regions: [],
      tags: [],
      total_size: 1600,
      is_shared: false,
    };
    const list = async (filter: object) =>
      (await call("GET", "/images", undefined, { as: "", "X-Filter": JSON.stringify(filter) })).body;
    expect(await list({})).toEqual({ data: [debian], page: 1, pages: 1, results: 1 });
    expect((await list({ id: "linode/debian12" })).results).toBe(1);
    expect((await list({ is_public: false })).data).toEqual([]);
  });
});
