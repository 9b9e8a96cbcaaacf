import { expect, test } from "vitest";
import { createClient } from "../../../src/client/client.ts";
import { readFreedAddresses } from "../../../src/targets/api/freed-addresses.ts";

/** A service with events, newest first, as `action label day message`, and nodes with these addresses. */
interface Service {
  readonly events?: readonly string[];
  /** The number of events that match, if the reply does not have all of them. */
  readonly results?: number;
  readonly held?: readonly string[];
  readonly isRestricted?: boolean;
  /** Paths that are refused, and how. */
  readonly refuses?: Readonly<Record<string, readonly [status: number, reason: string]>>;
}

interface Row {
  readonly title: string;
  /** The addresses in records. */
  readonly of: readonly string[];
  readonly service: Service;
  readonly requests: readonly string[];
  readonly found: unknown;
}

const events = "events";
const addresses = (list: string) => `networking/ips of ${list}`;
const profile = "profile";
const webUntilMarch = { address: "198.18.0.2", node: "web-1", until: "2026-03-01" };
const noScope = [401, "Your OAuth token is not authorized to use this endpoint."] as const;

const rows: Row[] = [
  { title: "no records with addresses", of: [], service: {}, requests: [], found: { freed: [] } },
  {
    title: "documentation addresses, and IPv6 addresses that no node forms",
    of: ["192.0.2.1", "198.51.100.1", "203.0.113.255", "2001:db8::1", "2600:3c03::ff:fe00:0:1", "::ffff:198.18.0.2"],
    service: {},
    requests: [],
    found: { freed: [] },
  },
  { title: "an account without nodes", of: ["198.18.0.2"], service: {}, requests: [events], found: { freed: [] } },
  {
    title: "other addresses than those of the events",
    of: ["198.18.0.4", "198.18.0.20"],
    service: { events: ["node_deleteip web-1 2026-03-01 198.18.0.2"] },
    requests: [events],
    found: { freed: [] },
  },
  {
    title: "an address taken from a node",
    of: ["198.18.0.2", "198.18.0.3"],
    service: { events: ["node_deleteip web-1 2026-03-01 198.18.0.2"] },
    requests: [events, addresses("198.18.0.2"), profile],
    found: { freed: [webUntilMarch] },
  },
  {
    title: "the addresses of a deleted node, with the records that hold them",
    of: ["2001:db8::f03c:91ff:fe00:1", "198.18.0.2"],
    service: {
      events: [
        "node_delete web-1 2026-03-01 198.18.0.2: A www.example.com, A 3.0.18.198.in-addr.arpa; 2001:DB8:0::f03c:91ff:fe00:1 (AAAA www.example.com)",
      ],
    },
    requests: [events, addresses("198.18.0.2, 2001:db8::f03c:91ff:fe00:1"), profile],
    found: {
      freed: [webUntilMarch, { address: "2001:db8::f03c:91ff:fe00:1", node: "web-1", until: "2026-03-01" }],
    },
  },
  {
    title: "the addresses of nodes that were transferred, with the records that have them",
    of: ["198.18.0.2", "198.18.0.3", "2001:db8::f03c:91ff:fe00:1"],
    service: {
      events: [
        "entity_transfer_accept web-1,db-1 2026-03-01 web-1: 198.18.0.2, 2001:db8::f03c:91ff:fe00:1; db-1: 198.18.0.3; still in use by www.example.com A",
      ],
    },
    requests: [events, addresses("198.18.0.2, 198.18.0.3, 2001:db8::f03c:91ff:fe00:1"), profile],
    found: {
      freed: [
        { ...webUntilMarch, isTransferred: true },
        { address: "198.18.0.3", node: "db-1", until: "2026-03-01", isTransferred: true },
        { ...webUntilMarch, address: "2001:db8::f03c:91ff:fe00:1", isTransferred: true },
      ],
    },
  },
  {
    title: "the addresses of a node whose transfer failed, or that came back",
    of: ["198.18.0.2"],
    service: { events: ["entity_transfer_accept web-1 2026-03-01 web-1: 198.18.0.2"], held: ["198.18.0.2"] },
    requests: [events, addresses("198.18.0.2")],
    found: { freed: [] },
  },
  {
    title: "a transfer whose event names no addresses",
    of: ["198.18.0.2"],
    service: { events: ["entity_transfer_accept 198.18.0.2 2026-03-01 "] },
    requests: [events],
    found: { freed: [] },
  },
  {
    title: "an address that another node got",
    of: ["198.18.0.2"],
    service: {
      events: ["node_addip web-2 2026-03-02 198.18.0.2", "node_deleteip web-1 2026-03-01 198.18.0.2"],
      held: ["198.18.0.2"],
    },
    requests: [events, addresses("198.18.0.2")],
    found: { freed: [] },
  },
  {
    title: "an address whose end the log does not have, from its newest event",
    of: ["198.18.0.2"],
    service: { events: ["node_addip web-2 2026-03-02 198.18.0.2", "node_deleteip web-1 2026-03-01 198.18.0.2"] },
    requests: [events, addresses("198.18.0.2"), profile],
    found: { freed: [{ address: "198.18.0.2", node: "web-2" }] },
  },
  {
    title: "names in messages that look like addresses",
    of: ["3.0.18.198", "198.18.0.2"],
    service: { events: ["node_delete web-1 2026-03-01 3.0.18.198.in-addr.arpa x198.18.0.2 198.18.0.2.example.com"] },
    requests: [events],
    found: { freed: [] },
  },
  {
    title: "more events than one page",
    of: ["198.18.0.2"],
    service: { events: ["node_deleteip web-1 2026-03-01 198.18.0.2"], results: 501 },
    requests: [events, addresses("198.18.0.2"), profile],
    found: { freed: [webUntilMarch], unknown: "only the newest 1 of 501 events about addresses were read" },
  },
  {
    title: "a restricted user, who may not see the node that has it now",
    of: ["198.18.0.2"],
    service: { events: ["node_deleteip web-1 2026-03-01 198.18.0.2"], isRestricted: true },
    requests: [events, addresses("198.18.0.2"), profile],
    found: { freed: [], unknown: "the user of this token is restricted and may not see every node" },
  },
  {
    title: "a token without the scope of events",
    of: ["198.18.0.2"],
    service: { refuses: { events: noScope } },
    requests: [events],
    found: {
      freed: [],
      unknown: "this token cannot read events or nodes (scopes events:read_only and nodes:read_only)",
    },
  },
  {
    title: "a token without the scope of nodes",
    of: ["198.18.0.2"],
    service: { events: ["node_deleteip web-1 2026-03-01 198.18.0.2"], refuses: { "networking/ips": noScope } },
    requests: [events, addresses("198.18.0.2")],
    found: {
      freed: [],
      unknown: "this token cannot read events or nodes (scopes events:read_only and nodes:read_only)",
    },
  },
  {
    title: "a service without a list of addresses",
    of: ["198.18.0.2"],
    service: {
      events: ["node_deleteip web-1 2026-03-01 198.18.0.2"],
      refuses: { "networking/ips": [404, "Not found"] },
    },
    requests: [events, addresses("198.18.0.2")],
    found: { freed: [], unknown: expect.stringContaining("they cannot be read: GET /v4/networking/ips: 404") },
  },
];

test.each(rows)("$title", async ({ of, service, requests, found }) => {
  const { client, asked } = clientOf(service);
  expect(await readFreedAddresses(client, new Set(of))).toEqual(found);
  expect(asked).toEqual(requests);
});

test("one list of addresses for each hundred, whatever the number of freed ones", async () => {
  const many = Array.from({ length: 150 }, (_, at) => `198.18.0.${at}`);
  const { client, asked } = clientOf({ events: [`node_delete web-1 2026-03-01 ${many.join(", ")}`], held: [] });
  const { freed } = await readFreedAddresses(client, new Set(many));
  expect(freed.map(({ address }) => address).sort()).toEqual([...many].sort());
  expect(asked.map((request) => request.split(" ")[0])).toEqual([
    "events",
    "networking/ips",
    "networking/ips",
    "profile",
  ]);
});

test("all freed addresses, whatever the records have", async () => {
  const { client, asked } = clientOf({
    events: ["node_delete db-1 2026-03-01 203.0.113.24, 198.18.0.3", "node_deleteip web-1 2026-03-01 198.18.0.2"],
    held: ["198.18.0.3"],
  });
  const freed = [webUntilMarch, { address: "203.0.113.24", node: "db-1", until: "2026-03-01" }];
  expect(await readFreedAddresses(client, "all")).toEqual({ freed });
  expect(asked).toEqual([events, addresses("198.18.0.2, 198.18.0.3, 203.0.113.24"), profile]);
});

test("a service with the words of the hosted one", async () => {
  const filters: unknown[] = [];
  const send = async ({ url, headers }: Request): Promise<Response> => {
    filters.push(JSON.parse(headers.get("X-Filter") ?? "{}"));
    const entity = { label: "web-1", id: 1, type: "linode", url: "/v4/linode/instances/1" };
    const deleted = { ...event("linode_deleteip web-1 2026-03-01 198.18.0.2"), entity };
    const data = url.includes("/events") ? [deleted] : [];
    if (url.includes("/profile")) return Response.json(profileOf(false));
    return Response.json({ data, page: 1, pages: 1, results: data.length });
  };
  const client = createClient({ baseUrl: "http://api", token: "token", words: "live", send, retries: 0 });
  expect(await readFreedAddresses(client, new Set(["198.18.0.2"]))).toEqual({ freed: [webUntilMarch] });
  expect(filters).toEqual([
    {
      "+or": [
        { action: "entity_transfer_accept" },
        { action: "linode_addip" },
        { action: "linode_delete" },
        { action: "linode_deleteip" },
        { action: "linode_migrate_datacenter" },
      ],
    },
    { "+or": [{ address: "198.18.0.2" }] },
    {},
  ]);
});

test("an abort is no reason to go on without the addresses", async () => {
  const { client } = clientOf({});
  const signal = AbortSignal.abort();
  await expect(readFreedAddresses(client, new Set(["198.18.0.2"]), { signal })).rejects.toThrow();
});

function clientOf({ events = [], results = events.length, held = [], isRestricted = false, refuses = {} }: Service) {
  const asked: string[] = [];
  const send = async ({ url, headers }: Request): Promise<Response> => {
    const path = new URL(url).pathname.replace(/^\/v4\/(?:account\/)?/, "");
    const filter = JSON.parse(headers.get("X-Filter") ?? "{}");
    const wanted: string[] = (filter["+or"] ?? []).map((part: Record<string, string>) => part.address);
    asked.push(path === "networking/ips" ? `${path} of ${wanted.join(", ")}` : path);
    const [status, reason] = refuses[path] ?? [];
    if (status !== undefined) return Response.json({ errors: [{ reason }] }, { status });
    switch (path) {
      case "events":
        expect(filter).toEqual({
          "+or": [
            { action: "entity_transfer_accept" },
            { action: "node_addip" },
            { action: "node_delete" },
            { action: "node_deleteip" },
            { action: "node_migrate_datacenter" },
          ],
        });
        return Response.json({ data: events.map(event), page: 1, pages: 1, results });
      case "networking/ips": {
        const data = held.filter((address) => wanted.includes(address)).map(addressOf);
        return Response.json({ data, page: 1, pages: 1, results: data.length });
      }
      default:
        return Response.json(profileOf(isRestricted));
    }
  };
  return { client: createClient({ baseUrl: "http://api", token: "token", send, retries: 0 }), asked };
}

function event(text: string) {
  const [, action, label, day, message] = /^(\S+) (\S+) (\S+) (.*)$/.exec(text) ?? [];
  const entity = { label, id: 1, type: "node", url: "/v4/node/instances/1" };
  const job = { duration: 0, percent_complete: 100, rate: null, time_remaining: null, status: "finished" };
  const state = { read: false, seen: false, username: "admin", secondary_entity: null };
  return { id: 1, action, created: `${day}T12:00:00`, entity, message, ...job, ...state };
}

function addressOf(address: string) {
  const subnet = { gateway: null, subnet_mask: "255.255.255.0", prefix: 24, type: "ipv4", public: true };
  return { address, ...subnet, rdns: null, node_id: 2, region: "us-east" };
}

function profileOf(restricted: boolean) {
  const user = { uid: 1, username: "admin", email: "", timezone: "UTC", authorized_keys: [] };
  return { ...user, restricted, email_notifications: false, two_factor_auth: false, ip_whitelist_enabled: false };
}
