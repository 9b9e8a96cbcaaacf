// @suite postgres

import { expect, inject, onTestFinished, test } from "vitest";
import { revokeTokenById } from "../../src/server/areas/account/tokens-operator.ts";
import { addUser, setAccess, setGrant } from "../../src/server/areas/account/users-operator.ts";
import { openStore, type Store } from "../../src/server/store/store.ts";
import { apiOf, Program } from "../cli/process.ts";
import { Desk } from "../cli/run.ts";
import { start } from "./start.ts";
import { emptyPlace } from "./stores.ts";

type Call = [method: string, path: string, body?: object];

const now = new Date("2026-03-04T12:00:00Z");
const newDomain = { domain: "example.net", type: "master", soa_email: "hostmaster@example.net" };

/** Changes to what a token or its user may do, each with a request that it refuses, and the status then. */
const changes: [what: string, call: Call, status: number, change: (store: Store) => Promise<unknown>][] = [
  [
    "a grant is withdrawn",
    ["GET", "/domains/1"],
    403,
    (store) => setGrant(store, "guest", "example.com", undefined, now),
  ],
  [
    "a user may create no more domains",
    ["POST", "/domains", newDomain],
    403,
    (store) => setAccess(store, "guest", { addDomains: false }, now),
  ],
  ["a token loses a scope", ["GET", "/domains"], 401, (store) => changeTokens(store, { scopes: "events:read_only" })],
  ["a token expires", ["GET", "/domains"], 401, (store) => changeTokens(store, { expires: "2026-03-04T11:59:59" })],
  ["a token is revoked", ["GET", "/domains"], 401, (store) => revokeGuest(store)],
  [
    "an account is closed",
    ["GET", "/domains"],
    401,
    (store) => store.write((db) => db.updateTable("accounts").set({ closed: "2026-03-04T11:00:00" }).execute()),
  ],
];

/** Changes all tokens of the guest. */
function changeTokens(store: Store, values: { scopes: string } | { expires: string }): Promise<unknown> {
  return store.write((db) =>
    db
      .updateTable("tokens")
      .set(values)
      .where("user_id", "in", db.selectFrom("users").select("id").where("username", "=", "guest"))
      .execute(),
  );
}

async function revokeGuest(store: Store): Promise<void> {
  const { id } = await store.read((db) =>
    db
      .selectFrom("tokens")
      .innerJoin("users", "users.id", "tokens.user_id")
      .select("tokens.id")
      .where("users.username", "=", "guest")
      .executeTakeFirstOrThrow(),
  );
  await revokeTokenById(store, id, now);
}

/** A server with a domain, and the token of a restricted user who may read it and create others. */
async function startRestricted(store: Store) {
  const reads: number[] = [];
  const counted: Store = {
    ...store,
    read: (work) => {
      reads.push(1);
      return store.read(work);
    },
  };
  const api = await start({ store: counted });
  await api.domain("example.com");
  await addUser(store, { username: "guest", account: "admin", now, restricted: true });
  await setGrant(store, "guest", "example.com", "read_only", now);
  await setAccess(store, "guest", { addDomains: true }, now);
  const as = await api.mint({ username: "guest" });
  const statusOf = async ([method, path, body]: Call) => (await api.call(method, path, body, { as })).status;
  return { ...api, statusOf, reads };
}

async function opened(...args: Parameters<typeof openStore>): Promise<Store> {
  const store = await openStore(...args);
  onTestFinished(() => store.close());
  return store;
}

/** Once allowed, whatever the request is. */
const harmless = ([method, path]: Call): Call => (method === "GET" ? [method, path] : ["GET", "/domains/1"]);

test.each(changes)("%s: refused at once by the same process", async (_, call, status, change) => {
  const store = await opened(await emptyPlace());
  const { statusOf } = await startRestricted(store);
  expect(await statusOf(harmless(call))).toBe(200);
  await change(store);
  expect(await statusOf(call)).toBe(status);
});

test.each(changes)("%s by another process: refused at once by this one", async (_, ...row) => {
  const [call, status, change] = row;
  const place = await emptyPlace();
  const store = await opened(place);
  const { statusOf } = await startRestricted(store);
  expect(await statusOf(harmless(call))).toBe(200);
  const other = await opened(place);
  await change(other);
  expect(await statusOf(call)).toBe(status);
});

test("a token in SQLite is looked up once until the database changes", async () => {
  const store = await opened(":memory:");
  const { statusOf, reads, call } = await startRestricted(store);
  const readsOf = async (wanted: Call) => {
    reads.length = 0;
    expect(await statusOf(wanted)).toBe(200);
    return reads.length;
  };
  expect(await readsOf(["GET", "/domains"])).toBe(2);
  expect(await readsOf(["GET", "/domains"])).toBe(1);
  expect(await readsOf(["GET", "/domains/1"])).toBe(1);
  await call("PUT", "/domains/1", { description: "changed" });
  expect(await readsOf(["GET", "/domains/1"])).toBe(2);
});

test("unknown tokens are not remembered, and become valid at once", async () => {
  const store = await opened(await emptyPlace());
  const { call, mint } = await startRestricted(store);
  const as = "token-of-the-test";
  expect((await call("GET", "/domains", undefined, { as })).status).toBe(401);
  await mint({ token: as });
  expect((await call("GET", "/domains", undefined, { as })).status).toBe(200);
});

test("a token that is revoked from another program is refused by a running server", async () => {
  const desk = new Desk();
  const place = await emptyPlace();
  const isPostgres = inject("postgres") !== undefined;
  const data = place.replace(/\/[^/]*$/, "");
  const flags = isPostgres ? "" : ` --data ${data}`;
  const env: Record<string, string> = isPostgres ? { DATABASE_URL: place } : {};
  const server = new Program(desk.folder, `serve --port 0 --token secret-for-tests --rate-limit 0${flags}`, env);
  const { url } = await apiOf(server);
  const store = await opened(place);
  const guest = await (await start({ store })).mint({ username: "guest" });
  const statusOf = async () =>
    (await fetch(`${url}/v4/domains`, { headers: { Authorization: `Bearer ${guest}` } })).status;
  expect(await statusOf()).toBe(200);
  await revokeGuest(store);
  expect(await statusOf()).toBe(401);
});
