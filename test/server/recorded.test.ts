import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { addEvent } from "../../src/server/kit/events.ts";
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

/** The files that are replayed, their lines if not all, and the state that they were recorded in. */
const files: [file: string, options?: { lines?: number[]; prepare?: (api: Api) => Promise<void> }][] = [
  // The other lines create and delete the node that line 4 asks for an event of.
  ["TestAccountEvents_List", { lines: [1, 4], prepare: addEventOfNode }],
  ["TestAccountLogins_List", { prepare: signIn }],
  ["TestAccountNotifications_List"],
  ["TestAccount_Get"],
  ["TestOAuthClient_GetFound"],
  ["TestOAuthClient_GetMissing"],
  ["TestOAuthClients_List"],
  ["TestRegions_List"],
  // The other lines are about a node.
  ["TestTag_Create", { lines: [1, 5, 7, 8, 9], prepare: createTags }],
  ["TestTag_ListTaggedObjects_Missing"],
];

/** The files that cannot be replayed yet, by the part of the API that they lack. */
const later = {
  "GET /account/maintenance": ["TestAccountMaintenances_List"],
  kernels: ["ExampleGetKernel_specific", "ExampleListKernels_page1"],
  nodes: [
    "TestEventPoller_InstancePower",
    "TestIPAddress_Instance_Allocate",
    "TestIPAddress_Update",
    "TestIPAddresses_Instance_Get",
    "TestInstanceBackups_List",
    "TestInstanceFirewalls_List",
    "TestInstance_Clone",
    "TestInstance_Config_Update",
    "TestInstance_Configs_List",
    "TestInstance_Disk_Resize",
    "TestInstance_Disks_List",
    "TestInstance_Get",
    "TestInstance_GetTransfer",
    "TestInstance_Resize",
    "TestInstances_List",
  ],
};

test.skipIf(!existsSync(folder))("every recorded file is replayed, or lacks a part of the API", () => {
  const listed = [...files.map(([file]) => file), ...Object.values(later).flat()];
  const recorded = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  expect(listed.map((file) => `${file}.jsonl`).sort()).toEqual(recorded.sort());
});

/** The event of a configuration, as the creation of one will write it. */
async function addEventOfNode({ store, clock }: Api): Promise<void> {
  const context = { caller: { userId: 1, accountId: 1, username: "admin" }, now: clock.now };
  const url = "/v4/node/instances/97885290";
  const entity = { label: "one", id: 97885290, type: "node", url };
  const secondary = { label: "test-config", id: 1, type: "node_config", url: `${url}/configs/1` };
  await store.write((db) => addEvent(db, context, "node_config_create", { entity, secondary }));
}

async function signIn({ store, server }: Api): Promise<void> {
  await givePassword(store, "admin", "correct horse battery");
  await new Browser(server).signIn("/sign-in", "admin", "correct horse battery");
}

async function createTags(api: Api): Promise<void> {
  for (const label of ["go-tag-test", "go-tag-test-foo", "go-tag-test-bar"]) await api.call("POST", "/tags", { label });
}

/** Keys of the live service that the documents do not name. */
const unknownKeys = new Set(["billing_source", "details", "locks", "monitors", "placement_group_limits", "site_type"]);

test.skipIf(!existsSync(folder)).each(files)("%s", async (file, { lines, prepare } = {}) => {
  const api = await start({ profile: "live" });
  await prepare?.(api);
  const text = readFileSync(`${folder}${file}.jsonl`, "utf8").trim().split("\n");
  const exchanges: Exchange[] = text
    .filter((_, index) => lines === undefined || lines.includes(index + 1))
    .map((line) => JSON.parse(line));
  const ids = new Map<string, unknown>();
  for (const exchange of exchanges) {
    const { method, path, filter, body, status, reply } = exchange;
    const own = withOwnIds({ path: path.replace("/v4beta", ""), filter, body }, ids);
    const answer = await api.call(
      method,
      own.path,
      own.body,
      own.filter === undefined ? {} : { "X-Filter": own.filter },
    );
    expect({ path, status: answer.status, shape: shapeOf(answer.body) }).toEqual({
      path,
      status,
      shape: shapeOf(reply),
    });
    learnIds(reply, answer.body, ids);
  }
});

/** The keys of a value with the types of what they hold; a list has the shape of its first entry, if it has any. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? "list" : [shapeOf(value[0])];
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  const entries = Object.entries(value).filter(([key]) => !unknownKeys.has(key));
  return Object.fromEntries(entries.map(([key, part]) => [key, shapeOf(part)]));
}

/** The request with the ids of this server in place of recorded ones. */
function withOwnIds<T>(request: T, ids: ReadonlyMap<string, unknown>): T {
  let text = JSON.stringify(request);
  for (const [recorded, own] of ids) text = text.replaceAll(recorded, String(own));
  return JSON.parse(text);
}

/** Ids by which later exchanges name what this one replied. */
function learnIds(recorded: unknown, own: unknown, ids: Map<string, unknown>): void {
  const pair = { recorded: firstOf(recorded), own: firstOf(own) };
  if (isObject(pair.recorded) && isObject(pair.own) && pair.recorded.id !== undefined)
    ids.set(String(pair.recorded.id), pair.own.id);
}

function firstOf(reply: unknown): unknown {
  return isObject(reply) && Array.isArray(reply.data) ? reply.data[0] : reply;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
