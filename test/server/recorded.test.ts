import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { Browser, givePassword } from "./browser.ts";
import { start } from "./start.ts";

/** Exchanges with the live service, of which a server in profile live must repeat statuses, keys, types and nulls. */
const folder = fileURLToPath(new URL("../../../shared/data/recorded/", import.meta.url));

interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly filter?: string;
  readonly body?: unknown;
  readonly reply: unknown;
}

type Api = Awaited<ReturnType<typeof start>>;

interface Options {
  /** The lines that are replayed, if not all. */
  readonly lines?: readonly number[];
  /** Seconds that pass before a line. */
  readonly waits?: Readonly<Record<number, number>>;
  /** Makes the state that the file was recorded in. */
  readonly prepare?: (api: Api) => Promise<void>;
}

/** The files that are replayed. */
const files: [file: string, options?: Options][] = [
  ["TestAccountEvents_List"],
  ["TestAccountLogins_List", { prepare: signIn }],
  ["TestAccountNotifications_List"],
  ["TestAccount_Get"],
  ["ExampleGetKernel_specific"],
  ["ExampleListKernels_page1"],
  ["TestOAuthClient_GetFound"],
  ["TestOAuthClient_GetMissing"],
  ["TestOAuthClients_List"],
  ["TestRegions_List"],
  ["TestEventPoller_InstancePower", { waits: { 4: 5, 5: 20, 6: 25, 9: 10, 10: 14, 14: 10, 15: 18 } }],
  ["TestInstanceFirewalls_List"],
  ["TestInstance_Config_Update"],
  ["TestInstance_Configs_List"],
  // Line 6 does not show a disk that is being created.
  ["TestInstance_Disk_Resize", { lines: [1, 2, 3, 4, 5, 7, 8, 9], waits: { 4: 8, 7: 17 } }],
  ["TestInstance_Disks_List"],
  ["TestInstanceBackups_List", { waits: { 4: 8, 6: 5, 7: 12, 10: 15, 11: 15, 12: 230, 19: 16, 20: 3 } }],
  // Line 12 shows addresses with keys that the documents do not name.
  [
    "TestInstance_Clone",
    { lines: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14], waits: { 3: 17, 4: 15, 5: 18, 8: 15, 9: 15, 10: 80 } },
  ],
  // Line 6 shows a running node that is still busy in line 7.
  ["TestInstance_Resize", { lines: [1, 2, 3, 4, 5, 7, 8, 9], waits: { 5: 50, 8: 24 } }],
  ["TestInstance_Get"],
  ["TestInstances_List"],
  ["TestInstance_GetTransfer"],
  // Lines 4 to 7 reserve addresses by POST /networking/ips; 8 and 9 delete those of 4 and 6.
  ["TestIPAddress_Instance_Allocate", { lines: [1, 2, 3, 10] }],
  // Line 7 moves an address by POST /networking/ips/assign; it is why 9 and 10 find none.
  ["TestIPAddress_Update", { lines: [1, 2, 3, 4, 5, 6, 8, 11] }],
  // Line 4 adds an interface in a VPC.
  ["TestIPAddresses_Instance_Get", { lines: [1, 2, 3, 5, 6] }],
  ["TestAccountMaintenances_List"],
  // Line 4 lists tags that others have created.
  ["TestTag_Create", { prepare: createTags }],
  ["TestTag_ListTaggedObjects_Missing"],
];

test.skipIf(!existsSync(folder))("every recorded file is replayed", () => {
  const listed = files.map(([file]) => `${file}.jsonl`);
  expect(listed.sort()).toEqual(
    readdirSync(folder)
      .filter((name) => name.endsWith(".jsonl"))
      .sort(),
  );
});

async function signIn({ store, server }: Api): Promise<void> {
  await givePassword(store, "admin", "correct horse battery");
  await new Browser(server).signIn("/sign-in", "admin", "correct horse battery");
}

async function createTags(api: Api): Promise<void> {
  for (const label of ["go-tag-test", "go-tag-test-foo", "go-tag-test-bar"]) await api.call("POST", "/tags", { label });
}

/** Creates a firewall as the recorded nodes have it; returns its id. */
async function createFirewall(api: Api): Promise<unknown> {
  const addresses = { ipv4: ["0.0.0.0/0"], ipv6: ["::/0"] };
  const rules = [{ action: "ACCEPT", protocol: "TCP", ports: "22", addresses, label: "go-fwrule-test" }];
  const created = await api.call("POST", "/networking/firewalls", {
    label: "linodego-fw-ins-test",
    rules: { inbound: rules, inbound_policy: "ACCEPT", outbound: rules, outbound_policy: "ACCEPT" },
    tags: ["testing"],
  });
  return created.body.id;
}

/** Keys of the live service that this one does not have, or that older recordings lack. */
const unknownKeys = new Set([
  "accelerated_devices",
  "available",
  "disk_encryption",
  "interface_generation",
  "lke_cluster_id",
  "placement_group",
  "assigned_entity",
  "billing_source",
  "details",
  "interface_id",
  "locks",
  "maintenance_policy",
  "monitors",
  "placement_group_limits",
  "site_type",
  "system_alerts",
  "time_remaining",
  "user_alerts",
  "vpc_nat_1_1",
]);
/** Such a key of addresses, and one of nodes, which is empty in some recordings only. */
const isUnknownOf = (value: object, key: string) =>
  (key === "reserved" && "subnet_mask" in value) || (key === "capabilities" && "hypervisor" in value);

test.skipIf(!existsSync(folder)).each(files)("%s", async (file, { lines, waits, prepare } = {}) => {
  const api = await start({ profile: "live", jobDriver: simulatedDriver(1) });
  await prepare?.(api);
  const text = readFileSync(`${folder}${file}.jsonl`, "utf8").trim().split("\n");
  const exchanges = text
    .map((line, index): [line: number, Exchange] => [index + 1, JSON.parse(line)])
    .filter(([line]) => lines === undefined || lines.includes(line));
  const ids = new Map<string, unknown>();
  const [, firewall] = /"firewall_id":(\d+)/.exec(text.join()) ?? [];
  if (firewall !== undefined) ids.set(firewall, await createFirewall(api));
  for (const [line, exchange] of exchanges) {
    api.clock.now = new Date(api.clock.now.getTime() + (waits?.[line] ?? 0) * 1000);
    const { method, path, filter, body, status, reply } = exchange;
    const own = withOwnIds({ path: path.replace("/v4beta", ""), filter, body }, ids);
    const answer = await api.call(
      method,
      own.path,
      own.body,
      own.filter === undefined ? {} : { "X-Filter": own.filter },
    );
    const shown = { line, path, status: answer.status, shape: shapeOf(answer.body) };
    expect({ ...shown, unlike: listUnlike(answer.body, reply) }).toEqual({
      line,
      path,
      status,
      shape: shapeOf(reply),
      unlike: [],
    });
    learnIds(reply, answer.body, ids);
  }
});

/**
 * The keys of a value with the types of what they hold, and with the statuses themselves; a list has the shape of its
 * first entry, if it has any.
 */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? "list" : [shapeOf(value[0])];
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  const entries = Object.entries(value).filter(([key]) => !unknownKeys.has(key) && !isUnknownOf(value, key));
  return Object.fromEntries(
    entries.map(([key, part]) => {
      if (key === "status") return [key, part];
      // Private networks are not offered.
      return [key, key === "vpc" ? "list" : shapeOf(part)];
    }),
  );
}

/** The shapes of entries of a list of ours that no entry of the recorded one has. */
function listUnlike(own: unknown, recorded: unknown): unknown[] {
  const known = entriesOf(recorded).map(shapeOf);
  const shapes = entriesOf(own).map(shapeOf);
  return shapes.filter((shape) => !known.some((other) => isDeepStrictEqual(shape, other)));
}

function entriesOf(reply: unknown): readonly unknown[] {
  return isObject(reply) && Array.isArray(reply.data) ? reply.data : [];
}

/** The request with the ids of this server in place of recorded ones. */
function withOwnIds<T>(request: T, ids: ReadonlyMap<string, unknown>): T {
  let text = JSON.stringify(request);
  for (const [recorded, own] of ids) text = text.replaceAll(recorded, String(own));
  return JSON.parse(text);
}

/** Ids and first addresses by which later exchanges name what this one replied. */
function learnIds(recorded: unknown, own: unknown, ids: Map<string, unknown>): void {
  const pair = { recorded: firstOf(recorded), own: firstOf(own) };
  if (!isObject(pair.recorded) || !isObject(pair.own) || pair.recorded.id === undefined) return;
  ids.set(String(pair.recorded.id), pair.own.id);
  const { ipv4 } = pair.recorded;
  if (Array.isArray(ipv4) && Array.isArray(pair.own.ipv4)) ids.set(String(ipv4[0]), pair.own.ipv4[0]);
}

function firstOf(reply: unknown): unknown {
  return isObject(reply) && Array.isArray(reply.data) ? reply.data[0] : reply;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
