import fc from "fast-check";
import { expect, test } from "vitest";
import { nameKey } from "../../src/dns/name/name.ts";
import { asId, type LiveZone } from "../../src/dns/zone/desired-live.ts";
import { isUnresolved, unknownAddress } from "../../src/dns/zone/node-reference.ts";
import { copyRecord } from "../../src/dns/zone/zone.ts";
import { blankSettings } from "../../src/dns/zone/zone-settings.ts";
import { digestDesired } from "../../src/planner/changes/digests.ts";
import { apiSettings } from "../../src/targets/api/settings.ts";
import { apiSnapshotFormat } from "../../src/targets/api/snapshot.ts";
import { compareSides } from "../../src/workflow/drift/classes.ts";
import { planZones } from "../../src/workflow/plan/plan.ts";
import { openProject } from "../../src/workflow/project/project.ts";
import { createRunContext } from "../../src/workflow/project/run-context.ts";
import { readSnapshot } from "../../src/workflow/snapshot/snapshot.ts";
import { assumeAddresses, resolveZones } from "../../src/workflow/zones/resolve-nodes.ts";
import { readZones } from "../../src/workflow/zones/zones.ts";
import { Desk, noon } from "../cli/run.ts";
import { desiredOf, liveOf } from "../planner/world.ts";
import { samples } from "../properties.ts";

/** The nodes of an account; `moved` is added to the last number of each address. */
const nodesOf = (moved: number) =>
  ["web-1", "web-2", "db.main"].map((label, index) => ({
    id: index + 1,
    label,
    ipv4: [`203.0.113.${10 * index + moved + 1}`, `192.168.128.${10 * index + moved + 1}`],
    ipv6: `2001:db8::${10 * index + moved + 1}/128`,
  }));

/** A value of an A or AAAA record: an address, or a reference in some spelling of its label. */
type Value =
  | { readonly address: number }
  | { readonly node: number; readonly isPrivate: boolean; readonly isLoud: boolean };

interface Rrset {
  readonly type: "A" | "AAAA";
  readonly ttl: number | undefined;
  readonly values: readonly Value[];
  readonly isBlock: boolean;
}

/** RRsets by owner, those of the zone file and those of its template. */
interface Contents {
  readonly file: ReadonlyMap<string, readonly Rrset[]>;
  readonly template: ReadonlyMap<string, readonly Rrset[]>;
}

const value: fc.Arbitrary<Value> = fc.oneof(
  fc.record({ address: fc.nat(5) }),
  fc.record({ node: fc.nat(2), isPrivate: fc.boolean(), isLoud: fc.boolean() }),
);
const rrset = (type: "A" | "AAAA"): fc.Arbitrary<Rrset> =>
  fc.record({
    type: fc.constant(type),
    ttl: fc.constantFrom(undefined, 300, 3600),
    values: fc.array(value, { minLength: 1, maxLength: 3 }),
    isBlock: fc.boolean(),
  });
const owners = (names: readonly string[]) =>
  fc
    .uniqueArray(
      fc.tuple(fc.constantFrom(...names), fc.oneof(fc.tuple(rrset("A")), fc.tuple(rrset("A"), rrset("AAAA")))),
      { maxLength: names.length, selector: ([name]) => name },
    )
    .map((entries): ReadonlyMap<string, readonly Rrset[]> => new Map(entries));
const contents: fc.Arbitrary<Contents> = fc.record({
  file: owners(["'@'", "www", "'*.dev'", "a.b"]),
  template: owners(["mail", "mx.mail"]),
});

/** A value as its reference, or as the address of the node. */
function textOf(value: Value, type: Rrset["type"], nodes: ReturnType<typeof nodesOf> | undefined): string {
  if ("address" in value) return type === "A" ? `198.51.100.${value.address}` : `"2001:db8:1::${value.address}"`;
  const { label = "", ipv4 = [], ipv6 = "" } = nodesOf(0)[value.node] ?? {};
  const { ipv4: known = ipv4, ipv6: known6 = ipv6 } = nodes?.[value.node] ?? {};
  const isPrivate = value.isPrivate && type === "A";
  if (nodes) return type === "A" ? `${known[isPrivate ? 1 : 0]}` : `"${known6.replace("/128", "")}"`;
  return `{ node: ${value.isLoud ? label.toUpperCase() : label}${isPrivate ? ", private: true" : ""} }`;
}

function recordsText(owners: Contents["file"], nodes: ReturnType<typeof nodesOf> | undefined): string {
  const lines = [...owners].map(([owner, sets]) => {
    const types = sets.map(({ type, ttl, values, isBlock }) => {
      const texts = values.map((one) => textOf(one, type, nodes));
      const [first = ""] = texts;
      const list = texts.length === 1 ? first : `[${texts.join(", ")}]`;
      if (ttl !== undefined) return `    ${type}: { ttl_sec: ${ttl}, values: ${list} }`;
      return isBlock ? `    ${type}:\n${texts.map((text) => `      - ${text}`).join("\n")}` : `    ${type}: ${list}`;
    });
    return `  ${owner}:\n    lenient: private-address\n${types.join("\n")}`;
  });
  return lines.length === 0 ? "records: {}\n" : `records:\n${lines.join("\n")}\n`;
}

/** Writes the zone file and its template, with references or, given nodes, with their addresses. */
function writeFiles(desk: Desk, { file, template }: Contents, nodes?: ReturnType<typeof nodesOf>): void {
  desk.write("templates/mail.yaml", recordsText(template, nodes));
  const head = "soa_email: hostmaster@example.com\nttl_sec: 1h\ntemplates: [mail]\n";
  desk.write("zones/example.com.yaml", head + recordsText(file, nodes));
}

/** Writes a snapshot of an account with these nodes, and with a domain that has some of the records. */
function writeSnapshot(desk: Desk, live: readonly { readonly name: string; readonly target: string }[], moved: number) {
  const records = live.map((record, index) => ({
    ...{ id: index + 1, type: record.target.includes(":") ? "AAAA" : "A", ttl_sec: 0, ...record },
    ...{ port: 0, priority: 0, weight: 0, service: null, protocol: null, tag: null },
    ...{ created: "2026-03-04T12:00:00", updated: "2026-03-04T12:00:00" },
  }));
  const domain = {
    ...{ id: 1, domain: "example.com", type: "master", status: "active", soa_email: "hostmaster@example.com" },
    ...{ description: "", group: "", tags: [], axfr_ips: [], master_ips: [] },
    ...{ ttl_sec: 3600, refresh_sec: 0, retry_sec: 0, expire_sec: 0, records },
  };
  const head = {
    format: apiSnapshotFormat,
    time: "2026-03-04T12:00:00Z",
    target: { api: "http://api/v4", account: null },
  };
  desk.write("live.json", JSON.stringify({ ...head, domains: [domain], nodes: nodesOf(moved) }));
}

/** A project in a folder, and the context of its runs. */
function open() {
  const desk = new Desk();
  const context = { ...createRunContext({ ...process, cwd: () => desk.folder }), env: {}, now: () => noon };
  return { desk, context, project: () => openProject(context, { config: "zonewright.yaml" }) };
}

const live = fc.array(
  fc.record({
    name: fc.constantFrom("", "www", "*.dev", "a.b", "mail", "old"),
    target: fc.oneof(
      fc.nat(30).map((last) => `203.0.113.${last}`),
      fc.nat(30).map((last) => `192.168.128.${last}`),
      fc.nat(30).map((last) => `2001:db8::${last.toString(16)}`),
      fc.nat(5).map((last) => `198.51.100.${last}`),
    ),
  }),
  { maxLength: 6 },
);

test("the plan of a zone with references equals that of the zone with the addresses written out", async () => {
  const { desk, context, project } = open();
  const plan = async () => {
    const request = { names: [], lifeSeconds: 3600 };
    const { file } = await planZones(context, project(), readSnapshot(context, "live.json"), request);
    if (!file) throw new Error("there is no plan file");
    const { source, changes, notes, nonce: _, planDigest: __, ...rest } = file;
    return {
      ...rest,
      desired: source.zones.map(({ desired }) => desired),
      changes: changes.map((change) => ({ ...change, at: undefined, via: undefined })),
      notes: notes.filter(({ rule }) => rule !== "node-addresses").map(({ rule, summary }) => `${rule} ${summary}`),
    };
  };
  let count = 0;
  const property = fc.asyncProperty(contents, live, fc.nat(3), async (contents, stored, moved) => {
    writeSnapshot(desk, stored, moved);
    writeFiles(desk, contents);
    const referring = await plan();
    writeFiles(desk, contents, nodesOf(moved));
    expect(referring).toEqual(await plan());
    count += referring.changes.length;
  });
  await fc.assert(property, samples(300));
  expect(count).toBeGreaterThan(0);
});

test("a moved address is pending, and nothing else differs", async () => {
  const { desk, context, project } = open();
  const resolve = async () => {
    const opened = project();
    const { desired } = await resolveZones(
      opened,
      await readZones(opened, []),
      readSnapshot(context, "live.json").target,
    );
    const [zone] = desired;
    if (!zone) throw new Error("there is no zone");
    return zone;
  };
  let count = 0;
  const property = fc.asyncProperty(contents, fc.integer({ min: 1, max: 3 }), async (contents, moved) => {
    writeFiles(desk, contents);
    writeSnapshot(desk, [], 0);
    const { settings, records, ...before } = await resolve();
    const stored: LiveZone = {
      ...before,
      id: asId(1),
      settings: { ...blankSettings(apiSettings), ...settings, type: "master", status: "active", ttl_sec: 3600 },
      records: records.map((record, index) => ({ ...record, id: asId(index) })),
    };
    expect(compareSides({ snapshot: stored, git: await resolve(), live: stored })).toEqual([]);
    writeSnapshot(desk, [], moved);
    const git = await resolve();
    expect(git.records.some(isUnresolved)).toBe(false);
    const differences = compareSides({ snapshot: stored, git, live: stored });
    expect(differences.map((found) => found.class).filter((found) => found !== "pending")).toEqual([]);
    const referring = new Set(
      git.records.flatMap(({ node, owner, type }) => (node ? [`${nameKey(owner)} ${type}`] : [])),
    );
    const touched = differences.flatMap((found) =>
      found.kind === "record" ? [`${found.owner} ${found.type}`] : ["?"],
    );
    expect(new Set(touched)).toEqual(referring);
    expect(digestDesired(git).records === digestDesired({ ...before, settings, records }).records).toBe(
      referring.size === 0,
    );
    count += differences.length;
  });
  await fc.assert(property, samples(200));
  expect(count).toBeGreaterThan(0);
});

test("an address that the snapshot cannot know is assumed once for each reference", () => {
  const zone = desiredOf("www 300 A 192.0.2.1\nwww 300 A 192.0.2.2\nwww 300 A 192.0.2.3");
  const labels = ["web-1", "web-2"];
  const records = zone.records.map((record, index) => {
    const label = labels[index];
    if (label === undefined) return record;
    const node = { label, isPrivate: false };
    return { ...copyRecord(record, { data: { address: unknownAddress(node) } }), node } as typeof record;
  });
  const live = liveOf("www 300 A 198.51.100.1\nwww 300 A 198.51.100.2\nwww 300 A 192.0.2.3");
  const [assumed] = assumeAddresses([{ ...zone, records }], new Map([[nameKey(zone.name), live]]));
  const addresses = assumed?.records.map(({ data }) => ("address" in data ? data.address : ""));
  expect(addresses).toEqual(["198.51.100.1", "198.51.100.2", "192.0.2.3"]);
});
