import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { configJsonSchema } from "../../../src/config/schema.ts";
import { type Problem, ProblemError } from "../../../src/diagnostics/problem.ts";
import { zoneJsonSchema } from "../../../src/formats/yaml/schema.ts";
import { planText } from "../../../src/report/plan/text.ts";
import { createMemoryTarget, type MemoryOptions } from "../../../src/targets/memory/memory-target.ts";
import type { WriteFailure } from "../../../src/targets/target.ts";
import { apply } from "../../../src/workflow/apply/apply.ts";
import { exportLive } from "../../../src/workflow/export/export.ts";
import { importZones } from "../../../src/workflow/import/import.ts";
import { planZones } from "../../../src/workflow/plan/plan.ts";
import { openProject } from "../../../src/workflow/project/project.ts";
import { validateZones } from "../../../src/workflow/snapshot/validate.ts";
import { domainName } from "../../names.ts";
import { isNightly } from "../../properties.ts";
import { type Fault, newFolder, runContext, type Service, Silence, testTarget } from "../conformance.ts";
import { memorySettings } from "./settings.ts";

const failures: Partial<Record<Fault, WriteFailure>> = {
  "lost before": "lost",
  "lost after": "lost",
  unavailable: "unavailable",
  refused: "refused",
};

const openService = async (options: MemoryOptions): Promise<Service> => {
  const target = createMemoryTarget({
    settings: memorySettings,
    leastTtl: 60,
    ...options,
    onMessage: async ({ name, isWrite, content }, carryOut, fail) => {
      if (!isWrite) return carryOut();
      const fault = service.fault(name, content);
      const failure = fault && failures[fault];
      if (fault?.endsWith("after") || fault === undefined) {
        const result = await carryOut();
        await service.afterWrite();
        if (fault === undefined) return result;
      }
      if (failure) throw fail(failure);
      return service.silence.wait();
    },
  });
  const service: Service = {
    target,
    zone: domainName("example.com."),
    connect: () => target,
    silence: new Silence(),
    fault: () => undefined,
    afterWrite: async () => {},
  };
  return service;
};

testTarget("in memory: stored ids, change sets, no lock", () => openService({}));

type Capabilities = [ids: MemoryOptions["ids"], changeSets: MemoryOptions["changeSets"], lock: MemoryOptions["lock"]];

/** With the one above, every pair of capabilities. */
const pairs: Capabilities[] = [
  ["stored", "none", "record"],
  ["stored", "zone", "rrset"],
  ["content", "none", "none"],
  ["content", "zone", "record"],
  ["content", "none", "rrset"],
];
const others: Capabilities[] = [
  ["stored", "none", "none"],
  ["stored", "none", "rrset"],
  ["stored", "zone", "record"],
  ["content", "none", "record"],
  ["content", "zone", "none"],
  ["content", "zone", "rrset"],
];

describe.each<Capabilities>([...pairs, ...(isNightly ? others : [])])(
  "ids %s, change sets %s, lock %s",
  (ids = "stored", changeSets = "none", lock = "none") => {
    testTarget("in memory", () => openService({ ids, changeSets, lock }));
  },
);

describe("settings that only this service has", () => {
  const config = "defaults: { soa_email: ops@example.com, check_sec: 5m }\n";
  const head = "region: south\nmirrors: [192.0.2.9]\n";
  const records = "records: { www: { A: 192.0.2.1 } }\n";

  const open = () => {
    const root = newFolder();
    const target = createMemoryTarget({ settings: memorySettings, leastTtl: 60 });
    const context = runContext(root);
    const project = () => openProject(context, { config: "zonewright.yaml", kind: target });
    const connection = { target, api: "http://127.0.0.1/v4" };
    const write = (zone: string, settings = config) => {
      mkdirSync(join(root, "zones"), { recursive: true });
      writeFileSync(join(root, "zonewright.yaml"), settings);
      writeFileSync(join(root, "zones", "example.com.yaml"), zone);
    };
    const plan = async () => (await planZones(context, project(), connection, { names: [] })).report;
    const run = async (allow: string[] = []) => {
      await apply(context, project(), connection, { names: [], allow, confirm: async () => true, onEvent: () => {} });
    };
    return { root, target, project, write, plan, run };
  };

  test("are read from files and the config, planned, written, and imported again", async () => {
    const { target, project, write, plan, run } = open();
    write(head + records);
    await run(["G22"]);
    const [zone] = await target.read.listZones();
    expect(zone?.settings).toMatchObject({ region: "south", mirrors: ["192.0.2.9"], check_sec: 300 });
    expect((await plan()).plan.zones).toEqual([]);
    write(records);
    const { value: imported } = await (await importZones(project(), target, [], { to: "yaml" })).next();
    expect(imported).toMatchObject({ state: "changed", text: head + records });
    write(head.replace("south", "north") + records);
    expect(planText(await plan(), { color: false, unicode: true })).toContain("region south → north");
  });

  test.each([
    [
      "yaml",
      `zone: example.com
region: south
soa_email: ops@example.com
check_sec: 5m
mirrors: [192.0.2.9]
records:
  www:
    A: 192.0.2.1
`,
    ],
    [
      "bind",
      `;@ implicit: TTL, SOA, NS
;@ region: south
;@ soa_email: ops@example.com
;@ check_sec: 5m
;@ mirrors: 192.0.2.9
$ORIGIN example.com.
$TTL 30m
@   IN SOA ns1.zonewright.invalid. ops 1 7200 14400 604800 1800
@   IN NS  ns1.zonewright.invalid.
@   IN NS  ns2.zonewright.invalid.
www IN A   192.0.2.1
`,
    ],
    ["records", "www.example.com. 1800 IN A 192.0.2.1\n"],
  ] as const)("are exported as %s", async (to, text) => {
    const { target, project, write, run } = open();
    write(head + records);
    await run(["G22"]);
    const {
      zones: [zone],
    } = await exportLive(project(), target, [], { to });
    expect(zone?.text).toBe(text);
  });

  test("G22 blocks an address that may transfer the zone from now on", async () => {
    const { write, plan, run } = open();
    write(records);
    await run();
    write(head + records);
    const { guards } = await plan();
    expect(guards.map(({ guard, findings }) => [guard, findings.map(({ text }) => text)])).toEqual([
      ["G22", ["lets 192.0.2.9 transfer the zone"]],
    ]);
  });

  test.each([
    [`group: shops\n${records}`, config, '"group" is not a zone setting'],
    [`region: east\n${records}`, config, '"east": region is north or south'],
    [records, "defaults: { axfr_ips: [192.0.2.9] }\n", '"defaults.axfr_ips" is not a setting'],
  ])("%j under %j is refused: %s", async (zone, settings, summary) => {
    const { project, write } = open();
    write(zone, settings);
    const problems = async () => (await validateZones(project(), [])).problems;
    const summaries = (found: readonly Problem[]) => found.map(({ summary }) => summary);
    try {
      expect(summaries(await problems())).toContain(summary);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      expect(summaries(error.problems)).toContain(summary);
    }
  });

  test("are in the JSON Schema of zone files and of the config", () => {
    const zone = zoneJsonSchema(memorySettings, []).properties as Record<string, unknown>;
    const settings = memorySettings.map(({ name }) => name);
    expect(Object.keys(zone)).toEqual(["zone", "templates", ...settings, "manage", "targets", "ignore", "records"]);
    expect(configJsonSchema(memorySettings, [])).toMatchObject({
      properties: { defaults: { properties: { soa_email: {}, check_sec: {} }, additionalProperties: false } },
    });
  });
});

test("a zone cannot refer to a node of a service that has none", async () => {
  const folder = newFolder();
  mkdirSync(join(folder, "zones"));
  writeFileSync(join(folder, "zones/example.com.yaml"), "records:\n  www: { A: { node: web-1 } }\n");
  const context = runContext(folder);
  const target = createMemoryTarget({ settings: memorySettings, leastTtl: 60 });
  const project = openProject(context, { config: "zonewright.yaml", kind: target });
  const refused: unknown = await planZones(context, project, { target, api: "memory" }, { names: [] }).catch(
    (error) => error,
  );
  if (!(refused instanceof ProblemError)) throw refused;
  expect(refused.problems).toEqual([
    {
      ...{ id: "node-access", kind: "failed", severity: "error", fix: "Write the address." },
      summary: "www A: the service in memory has no nodes to refer to",
      place: { file: "zones/example.com.yaml", line: 2, column: 21, length: 5 },
    },
  ]);
});
