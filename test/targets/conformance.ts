import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { isSameName, type Name, nameKey, withoutDot } from "../../src/dns/name/name.ts";
import {
  asId,
  type DesiredRecord,
  type DesiredZone,
  type Id,
  type LiveRecord,
  type LiveZone,
} from "../../src/dns/zone/desired-live.ts";
import { canonical, type Zone, type ZoneRecord } from "../../src/dns/zone/zone.ts";
import { blankSettings } from "../../src/dns/zone/zone-settings.ts";
import type { ApplyEvent } from "../../src/executor/journal/event.ts";
import { guards } from "../../src/planner/blocks/guards.ts";
import type { Plan } from "../../src/planner/changes/change.ts";
import { readLive } from "../../src/targets/read-live.ts";
import type { Target, TargetWrites, WriteFailure, ZoneRef } from "../../src/targets/target.ts";
import { apply } from "../../src/workflow/apply/apply.ts";
import { runPlan } from "../../src/workflow/apply/run-plan.ts";
import { readRuns } from "../../src/workflow/apply/runs.ts";
import { undo } from "../../src/workflow/apply/undo.ts";
import { setsOfPlan, verifyZones } from "../../src/workflow/apply/verify.ts";
import { planZones } from "../../src/workflow/plan/plan.ts";
import type { PlanReport } from "../../src/workflow/plan/plan-report.ts";
import { openProject } from "../../src/workflow/project/project.ts";
import type { RunContext } from "../../src/workflow/project/run-context.ts";
import { formats } from "../formats/api.ts";
import { domainName } from "../names.ts";
import { isNightly } from "../properties.ts";

/** The fate of a write, by the name that each service gives it, like `create record`. */
export type Fault = "lost before" | "lost after" | "unavailable" | "refused" | "silent before" | "silent after";

/** Requests without a reply, until they are given up; so are later ones, of a server that is slow. */
export class Silence {
  #end: () => void = () => {};
  readonly #ended = new Promise<void>((resolve) => {
    this.#end = resolve;
  });

  async wait(): Promise<never> {
    await this.#ended;
    throw new Error("given up");
  }

  end(): void {
    this.#end();
  }
}

/** An empty account behind a target. */
export interface Service {
  readonly target: Target;
  /** The zone of the test, which does not exist yet. */
  readonly zone: Name;
  /**
   * Where writes create no zones, what the operator of the service does instead: the zone has an SOA record and
   * `operatorServers`.
   */
  readonly addZone?: () => Promise<void>;
  /** The same account as another process sees it. */
  connect(): Target;
  /** Asked before every write; undefined lets it through. `content` tells writes apart. */
  fault: (write: string, content: string) => Fault | undefined;
  /** The end of writes that get no reply. */
  readonly silence: Silence;
  /** Called after every write that was carried out. */
  afterWrite: () => Promise<void>;
}

const settings = { type: "master", soa_email: "ops@example.com" } as const;

/** The name servers of a new zone whose apex is ours. */
export const operatorServers: readonly Name[] = [domainName("ns1.example.net."), domainName("ns2.example.net.")];

/** The new zone of the test, with its SOA record and name servers where they are ours. */
async function createZone(service: Service): Promise<Id> {
  const { target, zone, addZone } = service;
  if (!addZone) {
    const id = await target.writes.createZone({ name: zone, settings });
    const { records } = target.accept(zoneOf(service, "")).desired;
    if (hasApex(service))
      await target.writes.changeRecords?.(
        { id, name: zone },
        records.map((after) => ({ kind: "create", after })),
      );
    return id;
  }
  await addZone();
  const found = await target.read.findZone(zone);
  return found?.id ?? expect.fail(`${zone} is not added`);
}

/** Whether zones have an SOA record and name servers from the start, or from their files. */
function hasApex({ target, addZone }: Pick<Service, "target" | "addZone">): boolean {
  return addZone !== undefined || target.capabilities.apex === "ours";
}

/** The records that the test has written. */
function written<R extends ZoneRecord>(service: Service, records: readonly R[]): R[] {
  const isOfApex = ({ owner, type }: R) => isSameName(owner, service.zone) && (type === "SOA" || type === "NS");
  return hasApex(service) ? records.filter((record) => !isOfApex(record)) : [...records];
}

/** Whether a write is refused if a set is not as expected. */
function comparesSets({ capabilities: { lock } }: Target): boolean {
  return lock === "rrset" || lock === "compared";
}

const noStatus = "a zone of the service is always served";
const noDeletion = "the operator of the service creates and deletes zones";

function hasStatus({ capabilities }: Target): boolean {
  return capabilities.settings.some(({ name }) => name === "status");
}

/**
 * The cases that every target has to pass; `open` gives a new service each time. Runs are killed at every write, or at
 * each one of `killEvery` where requests are slow, and outside of a full run.
 */
export function testTarget(name: string, open: () => Promise<Service>, { killEvery = isNightly ? 1 : 4 } = {}): void {
  describe(name, () => {
    describe("reads and writes", () => testRequests(open));
    describe("plans and runs", () => testWorkflows(open, killEvery));
  });
}

function testRequests(open: () => Promise<Service>): void {
  const blank = async () => {
    const service = await open();
    const id = await createZone(service);
    const zone = { id, name: service.zone };
    const records = async () => written(service, await service.target.read.readRecords(zone));
    return { service, ...service.target, zone, records };
  };
  const acceptedOf = (service: Service, text: string) => {
    const [record] = written(service, service.target.accept(zoneOf(service, text)).desired.records);
    if (!record) throw new Error(`${text} is not accepted`);
    return record;
  };
  const failureOf = async ({ writes }: Target, action: Promise<unknown>): Promise<WriteFailure | "none"> =>
    action.then(
      () => "none" as const,
      (error) => writes.failureOf(error),
    );

  test("an empty account has no zones", async () => {
    const { read } = (await open()).target;
    expect(await read.listZones()).toEqual([]);
    expect(await read.findZone(domainName("absent.example."))).toBeUndefined();
  });

  test("a new zone is disabled and blank until it has a record", async ({ skip }) => {
    const { service, read, writes, zone } = await blank();
    if (!hasStatus(service.target)) return skip(noStatus);
    expect((await read.readSettings(zone.id)).status).toBe("disabled");
    expect(await read.findZone(zone.name)).toEqual({ id: zone.id, isBlank: true });
    await writes.createRecord(zone, acceptedOf(service, "www A 192.0.2.1"));
    expect(await read.findZone(zone.name)).toEqual({ id: zone.id, isBlank: false });
  });

  test("a service that creates no zones refuses to, and keeps those of its operator", async ({ skip }) => {
    const { service, read, writes, capabilities, zone } = await blank();
    if (capabilities.zones === "create and delete") return skip("the service creates zones");
    const name = domainName("absent.example.");
    expect(await failureOf(service.target, writes.createZone({ name, settings }))).toBe("refused");
    expect(await failureOf(service.target, writes.deleteZone(zone.id))).toBe("refused");
    expect(await failureOf(service.target, writes.changeSettings(zone.id, { description: "shop" }))).toBe("refused");
    expect((await read.listZones()).map((head) => head.name)).toEqual([zone.name]);
    expect(await read.findZone(zone.name)).toEqual({ id: zone.id, isBlank: false });
    expect((await read.readRecords(zone)).map(({ owner, type }) => `${owner} ${type}`).sort()).toEqual(
      ["NS", "NS", "SOA"].map((type) => `${zone.name} ${type}`),
    );
  });

  test("every read returns a record under the id of its creation", async () => {
    const { service, read, writes, zone, records } = await blank();
    const record = acceptedOf(service, "www 3600 A 192.0.2.1");
    const id = await writes.createRecord(zone, record);
    const shown = (stored: LiveRecord) => [stored.id, stored.owner, stored.type, stored.ttl, canonical(stored)];
    const wanted = [id, record.owner, "A", record.ttl, "192.0.2.1"];
    expect(shown(await read.readRecord(zone, id))).toEqual(wanted);
    expect((await read.findRecords(zone, record)).map(shown)).toContainEqual(wanted);
    expect((await records()).map(shown)).toEqual([wanted]);
    expect(written(service, (await read.readZone(zone.id)).records).map(shown)).toEqual([wanted]);
  });

  test("ids survive JSON", async () => {
    const { service, writes, zone } = await blank();
    const id = await writes.createRecord(zone, acceptedOf(service, "www A 192.0.2.1"));
    const written: Id[] = JSON.parse(JSON.stringify([zone.id, id]));
    expect(written).toEqual([zone.id, id]);
  });

  test("an update keeps a stored id, and a delete removes the record", async () => {
    const { service, writes, zone, records } = await blank();
    const id = await writes.createRecord(zone, acceptedOf(service, "www A 192.0.2.1"));
    await writes.updateRecord(zone, id, acceptedOf(service, "www A 192.0.2.2"));
    const [updated] = await records();
    if (!updated) throw new Error("the record is stored");
    expect([updated.id === id, canonical(updated)]).toEqual([
      service.target.capabilities.ids === "stored",
      "192.0.2.2",
    ]);
    await writes.deleteRecord(zone, updated.id);
    expect(await records()).toEqual([]);
  });

  test("a record without a stored id is its content: the same one again has the same id", async ({ skip }) => {
    const { service, writes, zone, records } = await blank();
    if (service.target.capabilities.ids === "stored") return skip("the service stores ids");
    const id = await writes.createRecord(zone, acceptedOf(service, "www 300 A 192.0.2.1"));
    await writes.createRecord(zone, acceptedOf(service, "WWW 600 A 192.0.2.1"));
    expect((await records()).map((record) => [record.id, record.ttl])).toEqual([[id, 600]]);
    await writes.deleteRecord(zone, id);
    expect(await writes.createRecord(zone, acceptedOf(service, "www A 192.0.2.1"))).toBe(id);
  });

  test("a write that does not find what it expects is refused by the lock, and only by one", async () => {
    const { service, writes, capabilities, zone, records } = await blank();
    const [one, two, three] = [1, 2, 3].map((last) => acceptedOf(service, `www A 192.0.2.${last}`));
    if (!one || !two || !three) throw new Error("three records");
    const id = await writes.createRecord(zone, one);
    const expecting = (...records: DesiredRecord[]) => ({ expected: [{ owner: one.owner, type: "A", records }] });
    const refused = (...locks: string[]) => (locks.includes(capabilities.lock) ? "changed" : "none");
    const target = service.target;
    expect(await failureOf(target, writes.updateRecord(zone, id, one, expecting(one)))).toBe("none");
    expect(await failureOf(target, writes.updateRecord(zone, id, one, expecting(two)))).toBe(
      refused("record", "rrset", "compared"),
    );
    expect(await failureOf(target, writes.createRecord(zone, two, expecting()))).toBe(refused("rrset", "compared"));
    if (!comparesSets(target)) return;
    expect((await records()).map(canonical)).toEqual(["192.0.2.1"]);
    await writes.createRecord(zone, two, expecting(one));
    const more = { kind: "create", after: three } as const;
    const set =
      writes.changeRecords?.(zone, [more], expecting(one)) ?? writes.createRecord(zone, three, expecting(one));
    expect(await failureOf(target, set)).toBe("changed");
    expect((await records()).map(canonical).sort()).toEqual(["192.0.2.1", "192.0.2.2"]);
  });

  test("reads equal records in creation order", async ({ skip }) => {
    const { service, read, writes, zone } = await blank();
    if (service.target.capabilities.ids === "content") return skip("the service stores a record once");
    const record = acceptedOf(service, "www A 192.0.2.1");
    const ids: Id[] = [];
    for (let count = 0; count < 12; count++) ids.push(await writes.createRecord(zone, record));
    expect((await read.readRecords(zone)).map(({ id }) => id)).toEqual(ids);
    expect((await read.findRecords(zone, record)).map(({ id }) => id)).toEqual(ids);
  });

  test("changes settings and keeps omitted ones", async ({ skip }) => {
    const { service, read, writes, zone } = await blank();
    if (!hasStatus(service.target)) return skip("the service has no settings of zones");
    await writes.changeSettings(zone.id, { description: "shop", tags: ["two", "one"], ttl_sec: 3600 });
    const { description, tags, ttl_sec, soa_email, status } = await read.readSettings(zone.id);
    expect({ description, ttl_sec, soa_email, status }).toEqual({
      description: "shop",
      ttl_sec: 3600,
      soa_email: settings.soa_email,
      status: "disabled",
    });
    expect([tags].flat().sort()).toEqual(["one", "two"]);
  });

  test("the zone file is empty while the zone is disabled, and has its records afterwards", async () => {
    const { service, read, writes, zone } = await blank();
    await writes.createRecord(zone, acceptedOf(service, "www A 192.0.2.1"));
    if (hasStatus(service.target)) {
      expect(await read.readZoneFile(zone)).toBe("");
      await writes.changeSettings(zone.id, { status: "active" });
    }
    expect(await read.readZoneFile(zone)).toMatch(/^www\S*\s.*\bA\s+192\.0\.2\.1$/m);
  });

  test.each([30, 59, 60, 299, 301, 3_599, 86_400, 999_999])("accept predicts the stored TTL for %i", async (ttl) => {
    const { service, read, writes, zone } = await blank();
    const record = acceptedOf(service, `www ${ttl} A 192.0.2.1`);
    const id = await writes.createRecord(zone, record);
    expect([record.ttl, record.otherTtl]).toContain((await read.readRecord(zone, id)).ttl);
  });

  test("failures by kind", async () => {
    const { service, read, writes, zone } = await blank();
    const { target } = service;
    const record = acceptedOf(service, "www A 192.0.2.1");
    const id = await writes.createRecord(zone, record);
    const gone = await writes.createRecord(zone, acceptedOf(service, "gone A 192.0.2.1"));
    await writes.deleteRecord(zone, gone);
    expect(await failureOf(target, writes.deleteRecord(zone, gone))).toBe("gone");
    expect(await failureOf(target, read.readRecord(zone, gone))).toBe("gone");
    const deletes = target.capabilities.zones === "create and delete";
    if (deletes) expect(await failureOf(target, writes.createZone({ name: zone.name, settings }))).toBe("invalid");
    const alias = acceptedOf(service, "www CNAME example.net.");
    expect(await failureOf(target, writes.createRecord(zone, alias))).toBe("invalid");
    for (const [fault, failure] of [
      ["lost before", "lost"],
      ["lost after", "lost"],
      ["unavailable", "unavailable"],
      ["refused", "refused"],
    ] as const) {
      service.fault = () => fault;
      expect(await failureOf(target, writes.updateRecord(zone, id, record)), fault).toBe(failure);
    }
    service.fault = () => undefined;
    if (!deletes) return;
    await writes.deleteZone(zone.id);
    expect(await failureOf(target, read.readZone(zone.id))).toBe("gone");
    expect(await failureOf(target, writes.deleteZone(zone.id))).toBe("gone");
  });

  test("supports change sets if its capabilities say so", async () => {
    const { writes, capabilities } = (await open()).target;
    expect(writes.changeRecords !== undefined).toBe(capabilities.changeSets === "zone");
  });

  test("a change set takes effect completely or not at all", async ({ skip }) => {
    const { service, writes, zone, records } = await blank();
    if (!writes.changeRecords) return skip(noChangeSets);
    await writes.createRecord(zone, acceptedOf(service, "www A 192.0.2.1"));
    const [before] = await records();
    if (!before) throw new Error("the record is stored");
    const alias = { kind: "create", after: acceptedOf(service, "www CNAME example.net.") } as const;
    expect(await failureOf(service.target, writes.changeRecords(zone, [alias]))).toBe("invalid");
    const foreign = { kind: "delete", before: { ...before, id: asId("nobody's") } } as const;
    expect(await failureOf(service.target, writes.changeRecords(zone, [alias, foreign]))).toBe("gone");
    expect(await records()).toEqual([before]);
    const [, id] = await writes.changeRecords(zone, [{ kind: "delete", before }, alias]);
    expect((await records()).map((record) => [record.id, record.type])).toEqual([[id, "CNAME"]]);
  });
}

function testWorkflows(open: () => Promise<Service>, killEvery: number): void {
  const before = `@ MX 10 mail
mail A 192.0.2.1
mail A 192.0.2.2
www CNAME mail
swap CNAME mail
old 3600 TXT "old"
* A 192.0.2.9`;
  const after = `;@ description: shop
@ MX 20 mail
mail A 192.0.2.1
mail A 192.0.2.3
mail AAAA 2001:db8::1
www CNAME mail
swap A 192.0.2.5
swap TXT "both"
new 7200 TXT "new"
* A 192.0.2.9`;

  const opened = async (text: string) => {
    const service = await open();
    await service.addZone?.();
    const desk = new Desk(service);
    desk.write(text);
    return { service, desk };
  };
  const stored = async (text: string) => {
    const { service, desk } = await opened(text);
    await desk.apply();
    return { service, desk };
  };

  test.each([
    ["a zone", before],
    ["an empty zone", ""],
    ["a zone that stays disabled", ";@ status: disabled\nwww A 192.0.2.1"],
    ["odd TTLs", "a 1 A 192.0.2.1\nb 61 A 192.0.2.1\nc 5000 A 192.0.2.1\nd 9999999 A 192.0.2.1"],
  ])("creates %s, with an empty plan afterwards", async (_, text) => {
    const { desk } = await stored(text);
    expect(await desk.lines()).toEqual(desk.wanted());
    expect((await desk.plan()).plan.zones).toEqual([]);
  });

  test("creates a zone with each setting of the target, with an empty plan afterwards", async ({ skip }) => {
    const { service, desk } = await opened("www A 192.0.2.1");
    if (!hasStatus(service.target)) return skip("the service has no settings of zones");
    const others = service.target.capabilities.settings.filter(
      ({ name }) => !["type", "status", "soa_email"].includes(name),
    );
    expect(others.length).toBeGreaterThan(1);
    const lines = others.map(({ name, example }) => `;@ ${name}: ${example.replace(/^\[(.*)\]$/, "$1")}\n`);
    desk.write(`${lines.join("")}www A 192.0.2.1`);
    await desk.apply();
    expect((await desk.plan()).plan.zones).toEqual([]);
    const { settings } = await desk.live();
    const blank = blankSettings(others);
    for (const { name } of others) expect([name, settings[name]]).not.toEqual([name, blank[name]]);
  });

  test("applies changes of every kind, with an empty plan afterwards", async () => {
    const { desk } = await stored(before);
    desk.write(after);
    const { plan: made } = await desk.apply();
    expect(made.unproved).toEqual([]);
    expect((await desk.plan()).plan.zones).toEqual([]);
    expect(await desk.lines()).toEqual(desk.wanted());
  });

  test("changes conflicting records without a gap where the service can, otherwise with a declared gap", async () => {
    const { service, desk } = await stored(
      'a CNAME other.example.net.\nb A 192.0.2.1\nb TXT "b"\nc MX 0 .\nd A 192.0.2.1\n',
    );
    desk.write("a A 192.0.2.1\nb CNAME other.example.net.\nc MX 10 d\nc MX 20 d\nd A 192.0.2.1\n");
    const missing = new Set<string>();
    const writes: string[] = [];
    service.fault = (write) => void writes.push(write);
    // Another process: this one has a limit of requests at once, and the write is one of them until it is looked at.
    const { read } = service.connect();
    service.afterWrite = async () => {
      const names = (await desk.live(read)).records.map(({ owner }) => owner);
      for (const name of ["a", "b", "c"].map((label) => `${label}.${service.zone}`))
        if (!names.some((owner) => owner === name)) missing.add(name);
    };
    const { plan: made, writeRequests: forecast } = await desk.apply();
    const steps = made.zones.flatMap((zone) => zone.steps);
    const declared = new Set<string>(steps.flatMap(({ gaps = [] }) => gaps.map(({ owner }) => owner)));
    const isAtomic = service.target.capabilities.changeSets === "zone";
    expect(forecast).toBe(writes.length);
    expect(missing).toEqual(new Set(isAtomic ? [] : [`a.${service.zone}`, `b.${service.zone}`]));
    for (const name of isAtomic ? [...declared] : []) expect(missing).toContain(name);
    for (const name of missing) expect(declared).toContain(name);
    expect(writes.filter((write) => write === "change records")).toHaveLength(isAtomic ? 1 : 0);
    expect((await desk.plan()).plan.zones).toEqual([]);
  });

  test("verifies from stored records to the zone file", async () => {
    const { service, desk } = await stored(before);
    desk.write(after);
    const { plan: made } = await desk.apply();
    const verified = await verifyZones(desk.context, service.target, setsOfPlan(made), {
      wait: "10s",
      nameserver: [],
    });
    expect(verified.checks.slice(0, 2).map(({ where, verdict }) => [where, verdict])).toEqual([
      [service.target.name, "pass"],
      ["zone file", "pass"],
    ]);
    const zone = service.target.accept(zoneOf(service, before)).desired;
    const differs = await verifyZones(desk.context, service.target, new Map([[zone, undefined]]), {
      wait: "0s",
    });
    expect(differs.checks.map(({ where, verdict }) => [where, verdict])).toEqual([[service.target.name, "fail"]]);
  });

  test("undoes a run", async () => {
    const { desk } = await stored(before);
    const earlier = await desk.lines();
    desk.write(after);
    await desk.apply();
    expect(await desk.lines()).not.toEqual(earlier);
    await desk.undo();
    expect(await desk.lines()).toEqual(earlier);
    desk.write(before);
    expect((await desk.plan()).plan.zones).toEqual([]);
  });

  test("deletes a zone and undoes its deletion", async ({ skip }) => {
    const { service, desk } = await stored(before);
    if (service.addZone) return skip(noDeletion);
    const earlier = await desk.lines();
    desk.remove();
    await desk.apply([service.zone]);
    expect((await service.target.read.listZones()).map((zone) => zone.name)).toEqual(["other.example."]);
    await desk.undo();
    expect(await desk.lines()).toEqual(earlier);
  });

  test.each(["lost before", "lost after"] as const)(
    "replies are %s: no record is missing or duplicated",
    async (fault) => {
      const { service, desk } = await opened(before);
      for (const text of [before, after]) {
        desk.write(text);
        const failed = new Set<string>();
        const again: string[] = [];
        service.fault = (write, content) => {
          if (failed.has(content)) {
            again.push(write);
            return undefined;
          }
          failed.add(content);
          return fault;
        };
        let runs = 0;
        do {
          await desk.attempt();
          runs++;
        } while (runs < 3 && (await desk.plan()).plan.zones.length > 0);
        service.fault = () => undefined;
        expect(failed.size).toBeGreaterThan(writesOfSettings(service));
        // A write that took effect is found, and not sent again.
        if (fault === "lost after") expect(again).toEqual([]);
        // A swap whose second write is lost is taken back, so that its gap ends soon: the next run does it.
        if (fault === "lost after" || service.target.capabilities.changeSets === "zone") expect(runs).toBe(1);
        expect((await desk.plan()).plan.zones).toEqual([]);
        expect(await desk.lines()).toEqual(desk.wanted());
      }
    },
  );

  const alias = "a CNAME other.example.net.";
  const address = "a A 192.0.2.1";

  test("a resent change set that is refused because its first copy took effect late is done", async ({ skip }) => {
    const { service } = await stored(alias);
    const { changeRecords } = service.target.writes;
    if (!changeRecords) return skip(noChangeSets);
    let sent = 0;
    const late: TargetWrites["changeRecords"] = async (zone, changes, options) => {
      if (++sent === 1) throw lostReply;
      await changeRecords(zone, changes, options);
      return changeRecords(zone, changes, options);
    };
    const desk = new Desk({ ...service, target: withWrites(service.target, { changeRecords: late }) });
    desk.write(address);
    await desk.apply();
    expect(sent).toBe(2);
    expect(await desk.lines()).toEqual(desk.wanted());
  });

  test("a resent change set whose first copy is served later than it took effect is done", async ({ skip }) => {
    const { service } = await stored(alias);
    const { read, writes, capabilities } = service.target;
    const { changeRecords } = writes;
    if (!changeRecords) return skip(noChangeSets);
    if (capabilities.ids === "stored" || !comparesSets(service.target))
      return skip("the service refuses no change set");
    const old: (readonly LiveRecord[])[] = [];
    let sent = 0;
    const lost: TargetWrites["changeRecords"] = async (zone, changes, options) => {
      const before = await read.readRecords(zone);
      const ids = await changeRecords(zone, changes, options);
      if (++sent > 1) return ids;
      old.push(before, before, before);
      throw lostReply;
    };
    const readRecords: typeof read.readRecords = async (...given) => old.pop() ?? read.readRecords(...given);
    const target = { ...withWrites(service.target, { changeRecords: lost }), read: { ...read, readRecords } };
    const desk = new Desk({ ...service, target });
    desk.write(address);
    await desk.apply();
    expect([sent, old]).toEqual([1, []]);
    expect(await desk.lines()).toEqual(desk.wanted());
  });

  test.each([undefined, "lost after"] as const)("undoes the exchange of a CNAME (fault: %s)", async (fault) => {
    const { service, desk } = await stored(alias);
    const earlier = await desk.lines();
    desk.write(address);
    const faults = [fault];
    service.fault = () => faults.pop();
    await desk.apply();
    await desk.undo();
    expect(await desk.lines()).toEqual(earlier);
  });

  test("removes its own record of a change set that someone else created as well", async ({ skip }) => {
    const { service } = await stored(alias);
    const { changeRecords, createRecord, deleteRecord } = service.target.writes;
    if (!changeRecords) return skip(noChangeSets);
    const { ids, lock } = service.target.capabilities;
    if (ids === "content" || lock === "rrset") return skip("the service does not store the record twice");
    const theirs: LiveRecord[] = [];
    const withTheirs: TargetWrites["changeRecords"] = async (zone, changes) => {
      const [record] = service.target.accept(zoneOf(service, address)).desired.records;
      if (record) await createRecord(zone, record);
      theirs.push(...(await service.target.read.readRecords(zone)));
      return changeRecords(zone, changes);
    };
    const desk = new Desk({ ...service, target: withWrites(service.target, { changeRecords: withTheirs }) });
    desk.write(address);
    const { plan } = await desk.plan();
    const { id, records } = await desk.live();
    for (const record of records) await deleteRecord({ id, name: service.zone }, record.id);
    await desk.run(plan);
    expect(theirs).toHaveLength(1);
    expect((await desk.live()).records.map((record) => record.id)).toEqual(theirs.map((record) => record.id));
  });

  test("a second run of a plan finds that the exchange of a CNAME is done", async () => {
    const { service, desk } = await stored(alias);
    desk.write(address);
    const { plan } = await desk.plan();
    await desk.beside().run(plan);
    const writes: string[] = [];
    service.fault = (write) => void writes.push(write);
    expect(await desk.run(plan)).toMatchObject({ done: 1, written: 0, errors: [] });
    expect(writes).toEqual([]);
    expect(await desk.lines()).toEqual(desk.wanted());
  });

  test("a change whose reply was lost is not sent again over a change by someone else", async () => {
    const { service } = await stored(address);
    const { updateRecord, changeRecords } = service.target.writes;
    let sent = 0;
    const overtake = async (zone: ZoneRef, id: Id | undefined) => {
      const [other] = written(service, service.target.accept(zoneOf(service, "a A 192.0.2.99")).desired.records);
      if (other && id !== undefined) await updateRecord(zone, id, other);
      throw lostReply;
    };
    const target = withWrites(service.target, {
      updateRecord: (zone, id, ...rest) => (++sent > 1 ? updateRecord(zone, id, ...rest) : overtake(zone, id)),
      ...(changeRecords && {
        changeRecords: async (zone, changes, options) => {
          if (++sent > 1) return changeRecords(zone, changes, options);
          const [change] = changes;
          return overtake(zone, change?.kind === "update" ? change.before.id : undefined);
        },
      }),
    });
    const desk = new Desk({ ...service, target });
    desk.write("a A 192.0.2.2");
    const { events } = await desk.attempt();
    expect(unfinished(events)).not.toEqual([]);
    expect(await desk.lines()).toEqual([`a.${service.zone} A 192.0.2.99`]);
  });

  test("two concurrent runs of one plan leave no duplicate", async () => {
    const { desk } = await stored(before);
    desk.write(after);
    const planned = await desk.plan();
    const other = desk.beside();
    await Promise.all([desk.run(planned.plan), other.run(planned.plan)]);
    await desk.apply();
    expect(await desk.lines()).toEqual(desk.wanted());
  });

  test.each(["unavailable", "refused"] as const)(
    "continues a run that was stopped by a write that is %s",
    async (fault) => {
      const { service, desk } = await stored(before);
      desk.write(after);
      let writes = 0;
      const most = service.target.capabilities.changeSets === "zone" ? writesOfSettings(service) : 3;
      service.fault = () => (++writes > most ? fault : undefined);
      const { events } = await desk.attempt();
      expect(events.map(({ kind }) => kind)).toContain("zone-failed");
      service.fault = () => undefined;
      await desk.apply();
      expect(await desk.lines()).toEqual(desk.wanted());
    },
  );

  test.each(["silent before", "silent after"] as const)(
    "killed at any write (%s), a run resumes to its end",
    async (fault) => {
      for (let kill = 1; ; ) {
        const { service, desk } = await stored(before);
        const hasSets = service.target.capabilities.changeSets === "zone";
        desk.write(after);
        let writes = 0;
        let isKilled = false;
        const dead = new Promise<"killed">((resolve) => {
          service.fault = () => {
            if (isKilled) return "silent before";
            if (++writes < kill) return undefined;
            isKilled = true;
            setTimeout(() => resolve("killed"), 20);
            return fault;
          };
        });
        const run = desk.attempt();
        const end = await Promise.race([dead, run.then(() => "done" as const)]);
        service.fault = () => undefined;
        if (end === "done") {
          expect(kill).toBeGreaterThan(hasSets ? 1 + writesOfSettings(service) : 5);
          return;
        }
        kill += hasSets ? 1 : killEvery;
        const next = desk.afterReboot();
        await next.apply();
        expect((await next.plan()).plan.zones, `killed at write ${kill}`).toEqual([]);
        expect(await next.lines(), `killed at write ${kill}`).toEqual(desk.wanted());
        service.fault = () => "refused";
        service.silence.end();
        await run;
      }
    },
  );

  test("admits and applies a plan file, and refuses it once the zone was replaced", async () => {
    const { service, desk } = await stored(before);
    desk.write(after);
    await desk.savePlan("plan.json");
    const { report, events } = await desk.attempt(["plan.json"]);
    expect(report.plan.zones).toHaveLength(1);
    expect(unfinished(events)).toEqual([]);
    expect(await desk.lines()).toEqual(desk.wanted());
    desk.write(before);
    await desk.savePlan("plan.json");
    if (service.addZone) return;
    const { id } = await desk.live();
    await service.target.writes.deleteZone(id);
    desk.write(after);
    await desk.apply();
    // A zone that is known by its name is the same one again.
    if ((await desk.live()).id === id) return;
    desk.write(before);
    await expect(desk.attempt(["plan.json"])).rejects.toMatchObject({
      problems: expect.arrayContaining([expect.objectContaining({ id: "plan-stale" })]),
    });
  });
}

/** A project in a folder of its own, and what one does there. */
class Desk {
  readonly context: RunContext;
  readonly #service: Service;
  readonly #target: Target;
  readonly #root: string;
  #text = "";

  constructor(service: Service, root = newFolder(), pid = 1) {
    this.#service = service;
    this.#target = pid === 1 ? service.target : service.connect();
    this.#root = root;
    this.context = runContext(root, pid);
  }

  write(text: string): void {
    this.#text = text;
    mkdirSync(join(this.#root, "zones"), { recursive: true });
    writeFileSync(this.#file, fileOf(this.#service, text));
  }

  /** Leaves another zone in the project alone. */
  remove(): void {
    rmSync(this.#file);
    writeFileSync(join(this.#root, "zones", "other.example.zone"), fileOf(this.#service, "www A 192.0.2.1"));
  }

  /** Another checkout of the same files. */
  beside(): Desk {
    const other = new Desk(this.#service, newFolder(), 7);
    other.write(this.#text);
    return other;
  }

  /** The same folder, when the process before is gone and later. */
  afterReboot(): Desk {
    const other = new Desk(this.#service, this.#root, 2);
    other.#text = this.#text;
    return other;
  }

  async plan(): Promise<PlanReport> {
    return (await planZones(this.context, this.#project(), this.#connection, { names: [], allow })).report;
  }

  /** Fails the test when a zone is not done. */
  async apply(deleteZone: readonly string[] = []): Promise<PlanReport> {
    const { report, events } = await this.attempt([], { deleteZone });
    expect(unfinished(events)).toEqual([]);
    return report;
  }

  async attempt(names: readonly string[] = [], { deleteZone = [] }: { deleteZone?: readonly string[] } = {}) {
    const events: ApplyEvent[] = [];
    const { plan } = await apply(this.context, this.#project(), this.#connection, {
      names,
      allow,
      ...(deleteZone.length > 0 && { deleteZone }),
      confirm: async () => true,
      onEvent: (event) => events.push(event),
    });
    return { report: plan, events };
  }

  /** Carries out a plan of another moment. */
  run(plan: Plan) {
    return runPlan(this.context, this.#target, { plan, project: this.#project(), live: new Map() });
  }

  async undo(): Promise<void> {
    const project = this.#project();
    const events: ApplyEvent[] = [];
    await undo(this.context, project, this.#connection, {
      run: readRuns(project).at(-1)?.id ?? "",
      allow,
      confirm: async () => true,
      onEvent: (event) => events.push(event),
    });
    expect(events).not.toEqual([]);
    expect(unfinished(events)).toEqual([]);
  }

  async savePlan(name: string): Promise<void> {
    const request = { names: [], allow, lifeSeconds: 3600 };
    const { file } = await planZones(this.context, this.#project(), this.#connection, request);
    writeFileSync(join(this.#root, name), JSON.stringify(file));
  }

  async live(read: Target["read"] = this.#target.read): Promise<LiveZone> {
    const { zones } = await readLive(read, () => true);
    const zone = zones.get(nameKey(this.#service.zone));
    if (!zone) throw new Error("the zone is not stored");
    return zone;
  }

  /** Owner, type and value of each stored record. */
  async lines(): Promise<string[]> {
    return linesOf(written(this.#service, (await this.live()).records));
  }

  wanted(): string[] {
    return linesOf(written(this.#service, [...zoneOf(this.#service, this.#text).records]));
  }

  get #file(): string {
    return join(this.#root, "zones", `${withoutDot(this.#service.zone)}.zone`);
  }

  get #connection() {
    return { target: this.#target, api };
  }

  #project() {
    return openProject(this.context, { config: "zonewright.yaml", zones: ["zones"], kind: this.#target });
  }
}

const noChangeSets = "the service has no change sets";

const lostReply = new Error("the reply was lost");

/** The target with some writes of its own, which lose replies by `lostReply`. */
function withWrites(target: Target, writes: Partial<TargetWrites>): Target {
  const failureOf = (error: unknown) => (error === lostReply ? "lost" : target.writes.failureOf(error));
  return { ...target, writes: { ...target.writes, ...writes, failureOf } };
}

/** A process in a folder, with a clock of its own. */
export function runContext(cwd: string, pid = 1): RunContext {
  let time = Date.parse("2026-03-04T12:00:00Z") + pid * 120_000;
  let nonces = 0;
  return {
    cwd,
    env: {},
    signal: new AbortController().signal,
    now: () => {
      time++;
      return new Date(time);
    },
    nonce: () => String(++nonces).padStart(32, "0"),
    sleep: async (ms) => {
      time += ms;
    },
    pid,
    repeat: () => () => {},
    isAlive: () => false,
    resolvers: () => [],
  };
}

const api = "http://127.0.0.1:4119/v4";

/** The guards have suites of their own. */
const allow = guards.map(({ guard }) => guard);

function unfinished(events: readonly ApplyEvent[]): ApplyEvent[] {
  return events.filter(({ kind }) => kind === "zone-failed" || kind === "zone-stopped");
}

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-target-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function linesOf(records: DesiredZone["records"]): string[] {
  return records.map((record) => `${nameKey(record.owner)} ${record.type} ${canonical(record)}`).sort();
}

/** The writes of a change of the description that a file states beside its records. */
function writesOfSettings({ target }: Service): number {
  return hasStatus(target) ? 1 : 0;
}

function zoneOf(service: Service, text: string): Zone {
  const bytes = Buffer.from(fileOf(service, text));
  const { settings } = service.target.capabilities;
  return formats.bind.read({ file: "zone", bytes, origin: service.zone, settings }).zone;
}

/** Settings stand in the file where the service has them, and name servers where they are records. */
function fileOf(service: Service, text: string): string {
  const { target } = service;
  const lines = `;@ soa_email: ops@example.com\n$TTL 1d\n${text}\n`;
  const servers = operatorServers.map((host) => `@ NS ${host}\n`).join("");
  return `${hasStatus(target) ? lines : lines.replaceAll(/^;@.*\n/gm, "")}${hasApex(service) ? servers : ""}`;
}
