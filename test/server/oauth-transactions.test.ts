// @suite postgres

import { describe, expect, test } from "vitest";
import { keyProblem } from "../../src/server/areas/managed/secret-key.ts";
import { createServer } from "../../src/server/server.ts";
import { openStore, type Store } from "../../src/server/store/store.ts";
import { Browser, formOf, givePassword, textOf } from "./browser.ts";
import { password, startOAuth } from "./oauth-desk.ts";
import { start } from "./start.ts";
import { emptyPlace } from "./stores.ts";

type Desk = Awaited<ReturnType<typeof startOAuth>>;
type Send = (fields: Record<string, string>) => Promise<{ status: number; body: Record<string, string> }>;

/** Sends token requests of the desk's client to a server that uses this store. */
function tokenEndpoint({ clock, credentials }: Desk, store: Store): Send {
  const server = createServer({ store, clock: () => clock.now, onError: () => {} });
  return async (fields) => {
    const body = new URLSearchParams({ ...credentials, ...fields });
    const reply = await server(new Request("http://api/oauth/token", { method: "POST", body }));
    return { status: reply.status, body: JSON.parse(await reply.text()) };
  };
}

const counts = ({ store }: Desk) =>
  store.read(async (db) => ({
    authorizations: (await db.selectFrom("authorizations").select("id").execute()).length,
    access: (await db.selectFrom("tokens").select("id").where("authorization_id", "is not", null).execute()).length,
    refresh: (await db.selectFrom("refresh_tokens").select("hash").execute()).length,
  }));

describe("of two servers on one database that are asked at once", () => {
  /** A desk and the token endpoints of two servers with connections of their own. */
  async function begin() {
    const place = await emptyPlace();
    const [one, two] = [await openStore(place), await openStore(place)];
    const desk = await startOAuth({ store: one });
    const end = () => Promise.all([one.close(), two.close()]);
    return { desk, end, sends: [tokenEndpoint(desk, one), tokenEndpoint(desk, two)] };
  }

  test("one exchanges a code; the other reuses it, which ends its tokens", async () => {
    const { desk, end, sends } = await begin();
    for (let round = 0; round < 5; round++) {
      const code = await desk.codeFor();
      const replies = await Promise.all(sends.map((send) => send({ code })));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
      const [issued] = replies.filter(({ status }) => status === 200);
      expect(await desk.statusWith(issued?.body.access_token ?? "")).toBe(401);
      expect(await counts(desk)).toEqual({ authorizations: 0, access: 0, refresh: 0 });
    }
    await end();
  });

  test("one rotates a refresh token; the other reuses it, which ends its tokens", async () => {
    const { desk, end, sends } = await begin();
    for (let round = 0; round < 5; round++) {
      const { refresh_token } = (await desk.exchange(await desk.codeFor())).body;
      const rotate = { grant_type: "refresh_token", refresh_token };
      const replies = await Promise.all(sends.map((send) => send(rotate)));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
      expect(await counts(desk)).toEqual({ authorizations: 0, access: 0, refresh: 0 });
    }
    await end();
  });
});

test("a user who allows access while the client is deleted on another server leaves nothing behind", async () => {
  const place = await emptyPlace();
  const [one, two] = [await openStore(place), await openStore(place)];
  const desk = await startOAuth({ store: one });
  const other = await start({ store: two });
  for (let round = 0; round < 10; round++) {
    const { id } = await desk.register();
    const consent = await desk.browser.signIn(desk.requestOf({ client_id: id }), "admin", password);
    const form = formOf(await desk.browser.get(consent.location ?? ""), "/oauth/authorize");
    const [view, deleted] = await Promise.all([
      desk.browser.submit(form, { decision: "allow" }),
      other.call("DELETE", `/account/oauth-clients/${id}`),
    ]);
    expect([303, 400]).toContain(view.status);
    expect(deleted.status).toBe(200);
    expect((await counts(desk)).authorizations).toBe(0);
    desk.browser.cookies.clear();
  }
  await Promise.all([one.close(), two.close()]);
});

describe("a server that ends in the middle leaves all or nothing", () => {
  /** A store whose transactions never commit. */
  const interrupted = (store: Store): Store => ({
    ...store,
    write: (work) =>
      store.write(async (db) => {
        await work(db);
        throw new Error("the server ended");
      }),
  });
  const failure = { status: 500, body: { error: "server_error", error_description: "Internal server error" } };

  test("an exchange: the code is still valid", async () => {
    const desk = await startOAuth();
    const code = await desk.codeFor();
    expect(await tokenEndpoint(desk, interrupted(desk.store))({ code })).toEqual(failure);
    expect(await counts(desk)).toEqual({ authorizations: 1, access: 0, refresh: 0 });
    expect((await desk.exchange(code)).status).toBe(200);
    expect(await counts(desk)).toEqual({ authorizations: 1, access: 1, refresh: 1 });
  });

  test("a refresh: the old token is still valid", async () => {
    const desk = await startOAuth();
    const { refresh_token } = (await desk.exchange(await desk.codeFor())).body;
    const rotate = { grant_type: "refresh_token", refresh_token };
    expect(await tokenEndpoint(desk, interrupted(desk.store))(rotate)).toEqual(failure);
    expect((await desk.refresh(refresh_token)).status).toBe(200);
    expect(await counts(desk)).toEqual({ authorizations: 1, access: 2, refresh: 2 });
  });

  test("the end of a stolen authorization: the next use ends it", async () => {
    const desk = await startOAuth();
    const code = await desk.codeFor();
    await desk.exchange(code);
    expect(await tokenEndpoint(desk, interrupted(desk.store))({ code })).toEqual(failure);
    expect(await counts(desk)).toEqual({ authorizations: 1, access: 1, refresh: 1 });
    expect((await desk.exchange(code)).status).toBe(400);
    expect(await counts(desk)).toEqual({ authorizations: 0, access: 0, refresh: 0 });
  });
});

test("codes that expired unused are deleted with the next authorization of their client", async () => {
  const desk = await startOAuth();
  await desk.codeFor();
  desk.clock.now = new Date(desk.clock.now.getTime() + 600_000);
  await desk.codeFor();
  expect((await counts(desk)).authorizations).toBe(1);
});

test("an unreachable database is an error page for people, and an error in JSON for programs", async () => {
  const desk = await startOAuth();
  const path = desk.requestOf();
  const errors: unknown[] = [];
  const store: Store = { ...desk.store, read: () => Promise.reject(new Error("broken")) };
  const server = createServer({ store, clock: () => desk.clock.now, onError: (error) => errors.push(error) });
  const page = await server(new Request(`http://api${path}`));
  expect([page.status, page.headers.get("X-Frame-Options")]).toEqual([500, "DENY"]);
  expect(await page.text()).toContain("<h1>Something went wrong</h1>");
  expect(await tokenEndpoint(desk, store)({ code: "x" })).toMatchObject({
    status: 500,
    body: { error: "server_error" },
  });
  expect(errors).toEqual([new Error("broken")]);
});

test("without a key to sign forms with, people read what the operator must do", async () => {
  const errors: unknown[] = [];
  const missing = keyProblem("this server has no key", "Set ZONEWRIGHT_SECRET_KEY.");
  const { server, store } = await start({
    secretKey: () => {
      throw missing;
    },
    onError: (error) => errors.push(error),
  });
  await givePassword(store, "admin", "correct horse battery");
  const page = await new Browser(server).get("/sign-in");
  expect([page.status, textOf(page)]).toEqual([
    503,
    "Users cannot sign in The service cannot read its secret key. Its operator must set ZONEWRIGHT_SECRET_KEY, or let " +
      "the server read the key in its data folder; the server's log says which.",
  ]);
  expect(errors).toEqual([missing]);
});
