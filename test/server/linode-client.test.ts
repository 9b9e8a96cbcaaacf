import { afterAll, beforeAll, expect, test } from "vitest";
import { type Listening, listen } from "../../src/server/http/node.ts";
import { noon, start } from "./start.ts";

/**
 * The client of the live service's own web interface, unmodified: only its address is turned (service: Programs). Its
 * types leave the endings of their imports out, so TypeScript finds nothing in them here.
 */
// biome-ignore lint/suspicious/noExplicitAny: see above.
const linode: any = await import("@linode/api-v4");

let api: Awaited<ReturnType<typeof start>>;
let listening: Listening;
let signedIn: number;
beforeAll(async () => {
  api = await start({ profile: "live" });
  listening = await listen(api.server, { port: 0 });
  linode.baseRequest.interceptors.request.use((config: { url?: string }) => ({
    ...config,
    url: config.url?.replace("https://api.linode.com", listening.url) ?? "",
  }));
  signedIn = linode.setToken(api.token);
});
afterAll(() => listening.close());

async function withToken(token: string, call: () => Promise<unknown>): Promise<unknown> {
  linode.baseRequest.interceptors.request.eject(signedIn);
  const other = linode.setToken(token);
  try {
    return await call();
  } finally {
    linode.baseRequest.interceptors.request.eject(other);
    signedIn = linode.setToken(api.token);
  }
}

const domain = {
  id: 1,
  type: "master",
  domain: "example.com",
  status: "active",
  description: "",
  group: "",
  soa_email: "hostmaster@example.com",
  ttl_sec: 0,
  refresh_sec: 0,
  retry_sec: 0,
  expire_sec: 0,
  master_ips: [],
  axfr_ips: [],
  tags: ["prod"],
  created: noon,
  updated: noon,
  errors: "",
};
const record = {
  id: 1,
  type: "A",
  name: "www",
  target: "192.0.2.1",
  priority: 0,
  weight: 0,
  port: 0,
  service: null,
  protocol: null,
  ttl_sec: 300,
  tag: null,
  created: noon,
  updated: noon,
};
const page = { page: 1, pages: 1, results: 1 };

test("a domain is created, changed and deleted", async () => {
  const fields = {
    domain: "example.com",
    type: "master",
    soa_email: "hostmaster@example.com",
    tags: ["prod"],
  };
  expect(await linode.createDomain(fields)).toEqual(domain);
  expect(await linode.getDomain(1)).toEqual(domain);
  expect(await linode.getDomains({ page: 1, page_size: 25 }, { domain: "example.com" })).toEqual({
    ...page,
    data: [domain],
  });
  expect(await linode.getDomains({}, { domain: "example.org" })).toEqual({ ...page, results: 0, data: [] });
  const filter = {
    "+or": [{ domain: { "+contains": "ample" } }, { tags: "prod" }],
    "+order_by": "domain",
    "+order": "desc",
  };
  expect((await linode.getDomains({}, filter)).results).toBe(1);

  expect(await linode.createDomainRecord(1, { type: "A", name: "www", target: "192.0.2.1", ttl_sec: 300 })).toEqual(
    record,
  );
  expect(await linode.getDomainRecords(1, { page_size: 25 })).toEqual({ ...page, data: [record] });
  expect(await linode.updateDomainRecord(1, 1, { target: "192.0.2.2" })).toEqual({ ...record, target: "192.0.2.2" });
  expect((await linode.getDomainRecord(1, 1)).target).toBe("192.0.2.2");
  expect((await linode.getDNSZoneFile(1)).zone_file.at(-1)).toBe("www 300 A 192.0.2.2");

  expect(await linode.updateDomain(1, { description: "mine", ttl_sec: 121 })).toEqual({
    ...domain,
    description: "mine",
    ttl_sec: 300,
  });
  expect(await linode.cloneDomain(1, { domain: "example.net" })).toEqual({
    ...domain,
    id: 2,
    domain: "example.net",
    description: "mine",
    ttl_sec: 300,
  });
  expect((await linode.getDomainRecords(2)).data).toEqual([{ ...record, id: 2, target: "192.0.2.2" }]);

  expect(await linode.deleteDomainRecord(1, 1)).toEqual({});
  expect(await linode.deleteDomain(1)).toEqual({});
  expect((await linode.getDomains()).results).toBe(1);
});

test.each<[fields: object, stored: object]>([
  [{ type: "AAAA", name: "", target: "2001:db8::1" }, {}],
  [{ type: "CNAME", name: "ftp", target: "www.example.org" }, {}],
  [{ type: "MX", name: "", target: "mail.example.org", priority: 10 }, {}],
  [{ type: "NS", name: "sub", target: "ns1.example.org" }, {}],
  [{ type: "PTR", name: "1", target: "host.example.org" }, {}],
  [{ type: "TXT", name: "_dmarc", target: "v=DMARC1; p=none" }, {}],
  [{ type: "CAA", name: "", target: "letsencrypt.org", tag: "issue" }, {}],
  [
    { type: "SRV", service: "sip", protocol: "tcp", target: "sip.example.org", port: 5060, priority: 10, weight: 5 },
    { name: "_sip._tcp" },
  ],
])("a record is written and read: %o", async (fields, stored) => {
  const made = await linode.createDomainRecord(2, { ...fields, ttl_sec: 0 });
  expect(made).toEqual({ ...record, ttl_sec: 0, ...fields, ...stored, id: made.id });
  expect((await linode.getDomainRecord(2, made.id)).target).toBe(made.target);
});

test.each<[string, () => Promise<unknown>, object]>([
  [
    "a wrong token",
    () => withToken("wrong", linode.getDomains),
    { status: 401, data: { errors: [{ reason: "Invalid Token" }] } },
  ],
  ["an unknown id", () => linode.getDomain(99), { status: 404, data: { errors: [{ reason: "Not found" }] } }],
  [
    "a bad name",
    () => linode.createDomainRecord(2, { type: "A", name: "@", target: "192.0.2.1" }),
    {
      status: 400,
      data: {
        errors: [
          { reason: "Name contains invalid characters", field: "name" },
          { reason: "Invalid hostname", field: "name" },
        ],
      },
    },
  ],
  [
    "a transfer",
    () => linode.importZone({ domain: "example.org", remote_nameserver: "ns1.example.org" }),
    {
      status: 400,
      data: { errors: [{ reason: "An unknown error occured. Please open a ticket for further assistance." }] },
    },
  ],
])("an error of %s is read", async (_, call, refusal) => {
  const error = await call().then(
    () => undefined,
    (error) => error.response,
  );
  expect({ status: error.status, data: error.data }).toEqual(refusal);
});
