import { expect, test } from "vitest";
import { record as storedRecord } from "../../../src/contract/resources/record.ts";
import { registry } from "../../../src/diagnostics/registry.ts";
import { canonical, type Zone, type ZoneRecord } from "../../../src/dns/zone/zone.ts";
import { accept } from "../../../src/targets/api/accept.ts";
import type { limits } from "../../../src/targets/api/limits.ts";
import { fromApi, isApiType, toApi } from "../../../src/targets/api/mapping.ts";
import { recordLimits } from "../../../src/targets/api/record-limits.ts";
import { zoneLimits } from "../../../src/targets/api/zone-limits.ts";
import { type ApiDesk, apiDesk, lines } from "../../cli/run.ts";
import { readYaml } from "../../formats/api.ts";
import { domainName } from "../../names.ts";

const withExample = (rules: typeof limits) =>
  rules.flatMap(({ id }) => {
    const { example } = registry[id];
    return example ? [[id, example] as const] : [];
  });

test.each(withExample(recordLimits))(
  "%s: the API stores the valid example unchanged, but not the invalid example",
  async (_, { valid, invalid }) => {
    const desk = await apiDesk();
    const { id } = await desk.call("POST", "/domains", {
      domain: "example.com",
      type: "master",
      soa_email: "a@example.com",
    });
    expect(await stored(desk, id, one(valid))).toBe(true);
    expect(await stored(desk, id, one(invalid))).toBe(false);
  },
);

test.each(withExample(recordLimits))("%s: does not send a record over the limit", (_, { invalid }) => {
  expect(accept(read(invalid)).desired.records).toEqual([]);
});

/** Whether the API stores the record completely; false if it rejects it. */
async function stored(desk: ApiDesk, domain: number, record: ZoneRecord): Promise<boolean> {
  if (!isApiType(record.type)) return false;
  const reply = await desk
    .call("POST", `/domains/${domain}/records`, toApi(record, domainName("example.com.")))
    .catch(refused);
  if (reply === undefined) return false;
  const back = fromApi(storedRecord.parse(reply) as Parameters<typeof fromApi>[0], domainName("example.com."));
  return back.owner === record.owner && canonical(back) === canonical(record);
}

/** `slave-records` is about records, which the API refuses one by one, and `node-label` about nodes. */
test.each(withExample(zoneLimits).filter(([id]) => id !== "slave-records" && id !== "node-label"))(
  "%s: the API accepts a domain within the limit, but not one beyond it",
  async (_, { valid, invalid }) => {
    const desk = await apiDesk();
    const create = ({ name, settings }: Zone) =>
      desk.call("POST", "/domains", {
        domain: name.slice(0, -1),
        type: "master",
        soa_email: "a@example.com",
        ...settings,
      });
    expect(await create(read(invalid)).catch(refused)).toBe(undefined);
    expect(await create(read(valid)).catch(refused)).toMatchObject({ domain: "example.com" });
  },
);

test("node-label: the API accepts a node with the label of the valid example, but not with that of the invalid example", async () => {
  const desk = await apiDesk();
  const { valid = "", invalid = "" } = registry["node-label"].example ?? {};
  const create = (text: string) =>
    desk.call("POST", "/node/instances", { region: "us-east", type: "g6-nanode-1", label: one(text).node?.label });
  expect(await create(invalid).catch(refused)).toBe(undefined);
  expect(await create(valid).catch(refused)).toMatchObject({ label: "web-1" });
});

function refused(error: Error): undefined {
  expect(error.message).toContain('"errors"');
}

test.each(["master_ips", "axfr_ips", "tags"])("%s: the API accepts exactly the limit and no more", async (setting) => {
  const desk = await apiDesk();
  const create = (count: number) =>
    desk.call("POST", "/domains", {
      domain: "example.com",
      type: "master",
      soa_email: "a@example.com",
      [setting]: Array.from({ length: count }, (_, n) => `192.0.2.${n}`),
    });
  expect(await create(101).catch(refused)).toBe(undefined);
  expect((await create(100)) as object).toHaveProperty(setting);
});

test("allows 12,000 records, not counting the service's own", () => {
  const zone = (count: number) => {
    const records = Array.from({ length: count }, (_, index) => `  h${index}: { A: 192.0.2.1 }\n`).join("");
    return read(`soa_email: a@example.com\nrecords:\n  "@": { NS: [ns1.example.net., ns2.example.net.] }\n${records}`);
  };
  const errors = (count: number) => accept(zone(count)).problems.filter(({ severity }) => severity === "error");
  expect(errors(12_000)).toEqual([]);
  expect(errors(12_001).map(({ id, summary }) => [id, summary])).toEqual([
    ["records-count", "the zone has 12001 records"],
  ]);
});

test("the apex NS set is not sent, so it breaks no limit", () => {
  const zone = read('soa_email: a@example.com\nrecords: { "@": { NS: "*.example.net." } }');
  expect(accept(zone).problems.map(({ id }) => id)).toEqual(["apex-ns"]);
});

test("plan reports records that are not sent", async () => {
  const zone = lines`
    soa_email: a@example.com
    records:
      www: { lenient: [type-unsupported], A: 192.0.2.1, RP: admin . }
  `;
  const desk = await apiDesk({ "zones/example.com.yaml": zone });
  const { code, out } = await desk.run("plan --report json");
  expect(code).toBe(0);
  expect(JSON.parse(out).notes).toEqual([
    {
      severity: "warning",
      rule: "type-unsupported",
      summary: "www RP: the API does not support records of this type, and is not sent",
      at: { file: "zones/example.com.yaml", line: 3, column: 57, length: 7 },
    },
  ]);
});

test.each([
  ["A", "A: [remote_addr]"],
  ["AAAA", "AAAA: '[remote_addr]'"],
  ["A", "A: { target: '[remote_addr]' }"],
])("rejects an RRset %s, %s, with a message of its own", (type, set) => {
  const { problems } = readYaml({
    file: "a.yaml",
    bytes: Buffer.from(`records: { www: { ${set} } }`),
    origin: domainName("a.test."),
  });
  expect(problems.map(({ id, summary }) => `${id}: ${summary}`)).toEqual([
    `remote-addr: www ${type}: [remote_addr] would store the address of the client that applies the plan`,
  ]);
});

function read(text: string): Zone {
  return readYaml({ file: "example.com.yaml", bytes: Buffer.from(text), origin: domainName("example.com.") }).zone;
}

function one(text: string): ZoneRecord {
  const [record] = read(text).records;
  if (!record) throw new Error(`no record in ${text}`);
  return record;
}
