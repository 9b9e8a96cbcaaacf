import { expect, test } from "vitest";
import { ApiError } from "../../../src/client/api-error.ts";
import type { ApiRecord } from "../../../src/contract/resources/record.ts";
import { ProblemError } from "../../../src/diagnostics/problem.ts";
import type { RdataByType } from "../../../src/dns/types/index.ts";
import { asId } from "../../../src/dns/zone/desired-live.ts";
import { apiTimes } from "../../../src/targets/api/settings.ts";
import { readLive } from "../../../src/targets/read-live.ts";
import { FakeApi, refused } from "../../executor/fake-api.ts";
import { domainName } from "../../names.ts";
import { recordLine } from "../../planner/steps-text.ts";

const wanting =
  (...names: string[]) =>
  (name: string) =>
    names.includes(name);

test("a stored zone: settings under the API's names, records with their ids", async () => {
  const api = new FakeApi();
  const settings = { tags: ["a"], axfr_ips: ["192.0.2.53"], ttl_sec: 300, status: "disabled", group: "g" };
  const id = api.add("example.com", ["A www 192.0.2.1", "MX @ mail.example.net"], settings);
  const { zones } = await readLive(api.target.read, wanting("example.com."));
  expect(zones).toEqual(
    new Map([
      [
        "example.com.",
        {
          name: "example.com.",
          id,
          defaultTimes: apiTimes,
          settings: {
            type: "master",
            soa_email: "ops@example.com",
            description: "",
            status: "disabled",
            tags: ["a"],
            group: "g",
            axfr_ips: ["192.0.2.53"],
            master_ips: [],
            ttl_sec: 300,
            refresh_sec: 0,
            retry_sec: 0,
            expire_sec: 0,
          },
          records: [
            {
              id: id + 1,
              owner: domainName("www.example.com."),
              type: "A",
              ttl: undefined,
              data: { address: "192.0.2.1" } satisfies RdataByType["A"],
              created: "2026-01-01T00:00:00",
              updated: "2026-01-01T00:00:00",
            },
            {
              id: id + 2,
              owner: domainName("example.com."),
              type: "MX",
              ttl: undefined,
              data: { preference: 0, exchange: domainName("mail.example.net.") } satisfies RdataByType["MX"],
              created: "2026-01-01T00:00:00",
              updated: "2026-01-01T00:00:00",
            },
          ],
        },
      ],
    ]),
  );
  expect(await api.target.read.readZone(asId(id))).toEqual(zones.get(domainName("example.com.")));
});

test("reads several pages of domains and records; names unwanted zones without reading them", async () => {
  const api = new FakeApi();
  for (let index = 0; index < 1100; index++) api.add(`z${index}.example`);
  const id = api.add(
    "Example.COM",
    [...new Array(1201).keys()].map((index) => `A h${index} 192.0.2.1`),
  );
  const read: string[] = [];
  api.trouble = (line) => void read.push(line);
  const { zones, others } = await readLive(api.target.read, wanting("example.com.", "not-there.example."));
  expect([...zones].map(([name, zone]) => [name, zone.name, zone.id])).toEqual([["example.com.", "Example.COM.", id]]);
  expect(zones.get(domainName("example.com."))?.records.map(({ owner }) => owner)).toEqual(
    [...new Array(1201).keys()].map((index) => `h${index}.Example.COM.`),
  );
  expect(others).toEqual([...new Array(1100).keys()].map((index) => `z${index}.example.`));
  expect([...new Set(read)]).toEqual(["GET /domains", `GET /domains/${id}/records`]);
});

test.each<[string, Partial<ApiRecord>, string]>([
  ["the apex", { type: "A", name: "", target: "192.0.2.1" }, "@ A 192.0.2.1"],
  ["a TTL", { type: "A", name: "a", target: "192.0.2.1", ttl_sec: 300 }, "a 300 A 192.0.2.1"],
  ["an address in another spelling", { type: "AAAA", name: "a", target: "2001:DB8:0::1" }, "a AAAA 2001:db8::1"],
  ["a null MX", { type: "MX", name: "", target: "" }, "@ MX 0 ."],
  ["a target inside the zone", { type: "CNAME", name: "a", target: "b.example.com" }, "a CNAME b"],
  ["a service", { type: "SRV", name: "_sip._tcp", target: "a.example.com", port: 5060 }, "_sip._tcp SRV 0 0 5060 a"],
  ["a service at a name without dots", { type: "SRV", name: "_sip._tcp", target: "a" }, "_sip._tcp SRV 0 0 0 a"],
  ["a long text", { type: "TXT", name: "k", target: "x".repeat(256) }, `k TXT "${"x".repeat(255)}" "x"`],
  ["text beyond ASCII", { type: "TXT", name: "k", target: "é" }, 'k TXT "\\195\\169"'],
  ["hostile text", { type: "TXT", name: "k", target: '\u001b[2J"\n' }, 'k TXT "\\027[2J\\"\\010"'],
  ["an authority", { type: "CAA", name: "", tag: "ISSUE", target: "ca.example.net" }, '@ CAA 0 issue "ca.example.net"'],
])("reads %s", async (_, record, expected) => {
  const api = new FakeApi();
  const id = api.add("example.com", ["A x 192.0.2.1"]);
  for (const stored of api.records.get(id)?.values() ?? []) Object.assign(stored, record);
  const { records } = await api.target.read.readZone(asId(id));
  expect(records.map((record) => recordLine(record, domainName("example.com.")))).toEqual([expected]);
});

test("skips a record of a type unknown to the toolkit", async () => {
  const api = new FakeApi();
  const id = api.add("example.com", ["A x 192.0.2.1", "LOC x somewhere", "NEWTYPE y ?"]);
  const { records } = await api.target.read.readZone(asId(id));
  expect(records.map(({ type }) => type)).toEqual(["A"]);
});

test.each<[string, Partial<ApiRecord>, string]>([
  [
    "no address",
    { name: "www", target: "not-an-address" },
    'example.com. contains the A record 2 with name "www" and target "not-an-address", which is invalid: not an IPv4 address',
  ],
  [
    "no name",
    { name: "a..b", target: "192.0.2.1" },
    'example.com. contains the A record 2 with name "a..b" and target "192.0.2.1", which is invalid: the name has an empty label',
  ],
  [
    "hostile and long",
    { name: "\u001b[31mx", target: "\u202e".repeat(101) },
    `example.com. contains the A record 2 with name "\\x1b[31mx" and target "${"\\u202e".repeat(100)}…", which is invalid: not an IPv4 address`,
  ],
])("refuses an unreadable record by name, and plans nothing around it: %s", async (_, record, summary) => {
  const api = new FakeApi();
  const id = api.add("example.com", ["A x 192.0.2.1"]);
  for (const stored of api.records.get(id)?.values() ?? []) Object.assign(stored, record);
  const error = await readLive(api.target.read, () => true).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(ProblemError);
  expect((error as ProblemError).problems).toEqual([
    {
      id: "live-record",
      kind: "failed",
      severity: "error",
      summary,
      fix: "Correct or delete it through the API. Nothing was changed.",
    },
  ]);
});

test("ignores another owner's zone with an invalid name", async () => {
  const api = new FakeApi();
  for (const name of ["a..b", "\u001b[2J", "@", "Ünï.example", "."]) api.add(name);
  api.add("example.com");
  const { zones, others } = await readLive(api.target.read, wanting("example.com."));
  expect([...zones.keys()]).toEqual(["example.com."]);
  expect(others).toEqual(["a..b.", "\\027[2J.", ".", "\\195\\156n\\195\\175.example.", "."]);
});

test("reads unknown types and statuses as the usual ones", async () => {
  const api = new FakeApi();
  const id = api.add("example.com", [], { type: "native", status: "edit_mode" });
  const { settings } = await api.target.read.readZone(asId(id));
  expect([settings.type, settings.status]).toEqual(["master", "active"]);
});

test("passes a refusal of the service on", async () => {
  const api = new FakeApi();
  api.trouble = () => refused("No.");
  expect(await readLive(api.target.read, () => true).catch((error: unknown) => error)).toBeInstanceOf(ApiError);
});
