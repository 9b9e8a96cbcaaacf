import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ProblemError } from "../../../src/diagnostics/problem.ts";
import { canonical } from "../../../src/dns/zone/zone.ts";
import type { ApplyEvent } from "../../../src/executor/journal/event.ts";
import { guards } from "../../../src/planner/blocks/guards.ts";
import { createMemoryTarget, type MemoryOptions } from "../../../src/targets/memory/memory-target.ts";
import type { WriteFailure } from "../../../src/targets/target.ts";
import { apply } from "../../../src/workflow/apply/apply.ts";
import { planZones } from "../../../src/workflow/plan/plan.ts";
import { openProject } from "../../../src/workflow/project/project.ts";
import { domainName } from "../../names.ts";
import { zoneOf } from "../../planner/world.ts";
import { newFolder, runContext } from "../conformance.ts";
import { memorySettings } from "./settings.ts";

const name = domainName("example.com.");
const allow = guards.map(({ guard }) => guard);
const servers = "@ NS ns1\n@ NS ns2\nns1 A 192.0.2.11\nns2 A 192.0.2.12\n";

/** A project with one zone on a service of these capabilities, and the messages to it. */
function open(options: MemoryOptions) {
  const messages: string[] = [];
  const target = createMemoryTarget({
    ...options,
    onMessage: async (message, carryOut, fail) => {
      messages.push(message.name);
      return options.onMessage ? options.onMessage(message, carryOut, fail) : carryOut();
    },
  });
  const root = newFolder();
  const context = runContext(root);
  const file = join(root, "zones", "example.com.zone");
  mkdirSync(join(root, "zones"));
  const project = () => openProject(context, { config: "zonewright.yaml", zones: ["zones"], kind: target });
  const connection = { target, api: "memory" };
  const write = (text: string) => writeFileSync(file, `$TTL 1h\n${text}`);
  const plan = async (more: object = {}) =>
    (await planZones(context, project(), connection, { names: [], allow, ...more })).report;
  const run = async (more: object = {}) => {
    const events: ApplyEvent[] = [];
    messages.length = 0;
    const request = { names: [], allow, confirm: async () => true, onEvent: (event: ApplyEvent) => events.push(event) };
    await apply(context, project(), connection, { ...request, ...more });
    return events.flatMap((event) => (event.kind === "zone-failed" ? [event.error] : []));
  };
  const lines = async () => {
    const [zone] = await target.read.listZones();
    const records = zone ? await target.read.readRecords(zone) : [];
    return records.map((record) => `${record.owner} ${record.type} ${canonical(record)}`).sort();
  };
  return { target, root, file, messages, write, plan, run, lines };
}

const recordsOf = (text: string) => [...zoneOf(text).records];

test("a service without ids is read once before and once after, whatever the number of records", async () => {
  const { target, messages, write, run } = open({ ids: "content", lock: "rrset" });
  target.addZone(name, recordsOf("a 60 A 192.0.2.1\nb 60 A 192.0.2.1\nc 60 CNAME a\n"));
  write("a A 192.0.2.2\nb A 192.0.2.1\nb A 192.0.2.2\nc A 192.0.2.3\nd TXT x\n");
  expect(await run()).toEqual([]);
  const [list, records, ...ofRun] = messages;
  expect([list, records]).toEqual(["list zones", "read records"]);
  expect(ofRun).toEqual(["read zone", "change records", "read zone"]);
});

test("of single writes without ids, none reads a record", async () => {
  const { target, messages, write, run } = open({ ids: "content", changeSets: "none" });
  target.addZone(name, recordsOf("a 60 A 192.0.2.1\nb 60 A 192.0.2.1\n"));
  write("a A 192.0.2.2\nb A 192.0.2.1\nb A 192.0.2.2\n");
  expect(await run()).toEqual([]);
  expect(messages.filter((message) => message.startsWith("read") || message.startsWith("find"))).toEqual([
    "read records",
    "read zone",
    "read zone",
  ]);
});

describe("a zone without a status", () => {
  test("is created in use and then filled, without a write that activates it", async () => {
    const { target, messages, write, run, lines } = open({});
    write("a A 192.0.2.1\n");
    expect(await run()).toEqual([]);
    expect(messages.filter((message) => /create|change/.test(message))).toEqual(["create zone", "change records"]);
    expect(await lines()).toEqual(["a.example.com. A 192.0.2.1"]);
    expect(target.states.map((state) => state.get("example.com." as never)?.length)).toEqual([undefined, 0, 1]);
  });

  test("below another zone declares the gap of the names that it takes over", async () => {
    const { target, root, write, plan } = open({});
    target.addZone(name, recordsOf("a.sub 60 A 192.0.2.1\n"));
    write("b A 192.0.2.1\n");
    writeFileSync(join(root, "zones", "sub.example.com.zone"), "$TTL 1h\na A 192.0.2.1\n");
    const { zones, unproved } = (await plan()).plan;
    expect(unproved).toEqual([]);
    const gaps = zones.flatMap(({ steps, activation }) => [
      ...(activation?.gaps ?? []),
      ...steps.flatMap((one) => one.gaps ?? []),
    ]);
    expect(gaps.map(({ owner, types }) => [owner, types])).toEqual([["a.sub.example.com.", ["A"]]]);
  });
});

describe("a service where zones are neither created nor deleted", () => {
  test("says who creates a missing zone, and writes nothing", async () => {
    const { messages, write, plan } = open({ zones: "neither" });
    write("a A 192.0.2.1\n");
    const refused = await plan().catch((error: unknown) => error);
    expect(refused instanceof ProblemError && refused.problems).toMatchObject([
      {
        id: "zone-not-creatable",
        summary: "example.com does not exist on the service in memory, where zones cannot be created",
        fix: "Have the operator of the service add the zone, or use a key of the view that has it. Then plan again.",
      },
    ]);
    expect(messages).not.toContain("create zone");
  });

  test("plans the zone once its operator has added it", async () => {
    const { target, write, run, lines } = open({ zones: "neither" });
    write("a A 192.0.2.1\n");
    target.addZone(name);
    expect(await run()).toEqual([]);
    expect(await lines()).toEqual(["a.example.com. A 192.0.2.1"]);
  });

  test("refuses to delete a zone", async () => {
    const { target, root, file, write, plan } = open({ zones: "neither" });
    write("a A 192.0.2.1\n");
    rmSync(file);
    target.addZone(name);
    target.addZone(domainName("other.example."));
    writeFileSync(join(root, "zones", "other.example.zone"), "$TTL 1h\na A 192.0.2.1\n");
    const refused = await plan({ deleteZone: ["example.com"] }).catch((error: unknown) => error);
    expect(refused instanceof ProblemError && refused.problems.map(({ summary }) => summary)).toEqual([
      "example.com stays on the service in memory, where zones cannot be deleted",
    ]);
  });
});

describe("an apex that is ours", () => {
  test("has the NS records of the file, and keeps the SOA record of the service", async () => {
    const { target, write, plan, run, lines } = open({ apex: "ours", ids: "content", lock: "rrset" });
    target.addZone(name, recordsOf(servers));
    write(`${servers.replace("@ NS ns2\n", "@ NS ns3\n")}ns3 A 192.0.2.13\n`);
    expect(await run()).toEqual([]);
    expect(
      (await lines()).filter((line) => / (NS|SOA) /.test(line)).map((line) => line.split(" ").slice(1, 3)),
    ).toEqual([
      ["NS", "ns1.example.com."],
      ["NS", "ns3.example.com."],
      ["SOA", "ns1.zonewright.invalid."],
    ]);
    expect((await plan()).plan.zones).toEqual([]);
  });

  test("belongs to the service otherwise: its servers are not sent", async () => {
    const { target, write, run, lines } = open({ apex: "service" });
    target.addZone(name);
    write(servers);
    expect(await run()).toEqual([]);
    expect((await lines()).filter((line) => / (NS|SOA) /.test(line))).toEqual([]);
  });

  test.each([
    [{ ttl: 900, minimum: 300 }, 300],
    [{ ttl: 120, minimum: 3600 }, 120],
  ])("the SOA record %j makes a gap cost %i seconds", async (soa, seconds) => {
    const { target, write, plan } = open({ apex: "ours", changeSets: "none", soa });
    target.addZone(name, recordsOf(`${servers}a 60 CNAME ns1\n`));
    write(`${servers}a A 192.0.2.1\n`);
    const gaps = (await plan()).plan.zones.flatMap(({ steps }) => steps.flatMap((step) => step.gaps ?? []));
    expect(gaps.map((gap) => gap.seconds)).toEqual([seconds]);
  });
});

describe("a plan says where edits by others can be lost", () => {
  test.each([
    ["content", "none", ["no-lock"]],
    ["content", "rrset", ["lock"]],
    ["content", "record", ["lock"]],
    ["stored", "none", []],
  ] as const)("ids %s, lock %s: %j", async (ids, lock, notes) => {
    const { target, write, plan } = open({ ids, lock });
    target.addZone(name);
    write("a A 192.0.2.1\n");
    expect((await plan()).notes.map(({ id }) => id)).toEqual(notes);
  });
});

test("with settings, a zone is created disabled and activated", async () => {
  const { messages, write, run } = open({ settings: memorySettings });
  write("a A 192.0.2.1\n");
  expect(await run()).toEqual([]);
  expect(messages.filter((message) => /create|change/.test(message))).toEqual([
    "create zone",
    "change records",
    "change settings",
  ]);
});

test("a zone that a failed run left disabled is served after the next one", async () => {
  let failure: WriteFailure | undefined = "refused";
  const { target, write, run } = open({
    settings: memorySettings,
    onMessage: async (message, carryOut, fail) => {
      if (failure && message.name === "change records") throw fail(failure);
      return carryOut();
    },
  });
  write("a A 192.0.2.1\n");
  const errors = await run();
  expect(errors.map((error) => target.writes.failureOf(error))).toEqual(["refused"]);
  expect(target.states.at(-1)?.size).toBe(0);
  failure = undefined;
  expect(await run()).toEqual([]);
  expect([...(target.states.at(-1)?.values() ?? [])].map((records) => records.length)).toEqual([1]);
});
