// @suite postgres

import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createToken } from "../../src/server/areas/account/tokens-operator.ts";
import { addUser } from "../../src/server/areas/account/users-operator.ts";
import { openStore, type Store } from "../../src/server/store/store.ts";
import { type Answer, noon, refused, start } from "./start.ts";
import { emptyPlace } from "./stores.ts";

/**
 * Two servers on one database. With PostgreSQL each has a store of its own, as two processes have; with SQLite they
 * share the one connection that a process has.
 */
let one: Awaited<ReturnType<typeof start>>;
let two: Awaited<ReturnType<typeof start>>;
let place: string;
const open: Store[] = [];
beforeAll(async () => {
  place = inject("postgres") === undefined ? ":memory:" : await emptyPlace();
  // Both at the same moment: one of them makes the tables.
  open.push(
    ...(await Promise.all(
      inject("postgres") === undefined ? [openStore(place)] : [openStore(place), openStore(place)],
    )),
  );
  const [first, second = first] = open;
  if (!first || !second) throw new Error("no store");
  one = await start({ store: first });
  two = await start({ store: second });
});
afterAll(async () => {
  for (const store of open) await store.close();
  if (inject("postgres") === undefined) return;
  // A deadlock costs a second, and several of them the request.
  const store = await openStore(place);
  const { rows } = await store.read((db) =>
    sql`select deadlocks from pg_stat_database where datname = current_database()`.execute(db),
  );
  await store.close();
  expect(rows).toEqual([{ deadlocks: 0 }]);
});

type Wanted = [method: string, path: string, body?: object];

/** All at once, in turns to both servers. */
function atOnce(wanted: readonly Wanted[]): Promise<Answer[]> {
  return Promise.all(wanted.map((request, index) => (index % 2 === 0 ? one : two).call(...request)));
}

function repeat<T>(count: number, item: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => item(index));
}

/** The number of answers of each of these kinds; any other answer is shown. */
function tally(answers: readonly Answer[], ...refusals: object[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) {
    const known = refusals.some((refusal) => JSON.stringify(refusal) === JSON.stringify(answer));
    const kind = answer.status === 200 ? "stored" : known ? "refused" : JSON.stringify(answer);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

async function records(id: number): Promise<{ type: string; name: string; target: string }[]> {
  const { body } = await one.call("GET", `/domains/${id}/records?page_size=500`);
  return body.data;
}

const taken = refused(["DNS zone already exists.", "domain"]);
const conflict = refused(["Record conflict - CNAMES must be unique", "name"]);

describe("concurrent writes keep every rule", () => {
  test("a domain is unique", async () => {
    const create = (n: number): Wanted => {
      const domain = `unique${n % 10}.example`;
      const spelt = n % 3 === 0 ? domain.toUpperCase() : domain;
      return [
        "POST",
        "/domains",
        { domain: spelt, type: "master", soa_email: "hostmaster@example.com", tags: ["prod"] },
      ];
    };
    expect(tally(await atOnce(repeat(200, create)), taken)).toEqual({ stored: 10, refused: 190 });
    const { rows } = await one.store.read(async (db) => ({
      rows: await db.selectFrom("tags").select("label").execute(),
    }));
    expect(rows).toEqual([{ label: "prod" }]);
  });

  test("servers that create the first tokens of the same users at once create each user and token once", async () => {
    const now = new Date(`${noon}Z`);
    const wanted = (n: number) => ({ username: `first-${n % 8}`, token: `first token ${n % 8}`, now });
    await Promise.all(repeat(64, (n) => createToken((n % 2 === 0 ? one : two).store, wanted(n))));
    const { users, tokens } = await one.store.read(async (db) => ({
      users: await db.selectFrom("users").select("username").where("username", "like", "first-%").execute(),
      tokens: await db
        .selectFrom("tokens")
        .innerJoin("users", "users.id", "tokens.user_id")
        .select("users.username")
        .where("users.username", "like", "first-%")
        .execute(),
    }));
    const each = repeat(8, (n) => `first-${n}`);
    expect(users.map(({ username }) => username).sort()).toEqual(each);
    expect(tokens.map(({ username }) => username).sort()).toEqual(each);
  });

  test("the name of a user is unique, without regard to letter case, and so is that of a new account", async () => {
    const create = async (n: number): Promise<Answer> => {
      const name = `Unique-${Math.floor(n / 6)}`;
      const wanted = { username: n % 2 === 0 ? name.toUpperCase() : name, account: `${name} of ${n}` };
      return addUser((n % 2 === 0 ? one : two).store, { ...wanted, now: new Date(`${noon}Z`) }).then(
        () => ({ status: 200, body: "" }),
        (error) => ({ status: 400, body: error.problem?.id ?? String(error) }),
      );
    };
    const exists = { status: 400, body: "user-exists" };
    expect(tally(await Promise.all(repeat(60, create)), exists)).toEqual({ stored: 10, refused: 50 });
    const shared = repeat(20, (n) => ({ username: `shared-${n}`, account: "shared", now: new Date(`${noon}Z`) }));
    const added = await Promise.all(shared.map((user, n) => addUser((n % 2 === 0 ? one : two).store, user)));
    expect(added.filter(({ isNewAccount }) => isNewAccount).length).toBe(1);
  });

  test("the same new tags are created in any order", async () => {
    const labels = repeat(40, (n) => `shop-${n}`);
    const tagged = (n: number): Wanted => {
      const tags = [...labels.slice(n), ...labels.slice(0, n)];
      return ["POST", "/domains", { domain: `d${n}.shops.example`, type: "master", soa_email: "a@example.com", tags }];
    };
    const answers = await atOnce(repeat(40, tagged));
    expect(answers.map(({ status, body }) => [status, body.tags?.[0]])).toEqual(labels.map((label) => [200, label]));
    const rows = await one.store.read((db) =>
      db.selectFrom("tags").select("id").where("label", "like", "shop-%").execute(),
    );
    expect(rows.length).toBe(40);
  });

  test("a domain is also unique when renamed and cloned", async () => {
    const ids = [await one.domain("a.example"), await one.domain("b.example"), await one.domain("c.example")];
    const rename = (n: number): Wanted =>
      n % 2 === 0
        ? ["PUT", `/domains/${ids[n % 3]}`, { domain: "wanted.example" }]
        : ["POST", `/domains/${ids[n % 3]}/clone`, { domain: "wanted.example" }];
    const answers = await atOnce(repeat(60, rename));
    const holders = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.id));
    expect(holders.size).toBe(1);
    expect(
      tally(
        answers.filter(({ status }) => status !== 200),
        taken,
      ),
    ).toEqual({
      refused: answers.filter(({ status }) => status !== 200).length,
    });
  });

  test("a CNAME is the only record at its name", async () => {
    const id = await one.domain("cname.example");
    const kinds = [
      { type: "CNAME", target: "example.org" },
      { type: "A", target: "192.0.2.1" },
      { type: "CNAME", target: "example.net" },
      { type: "TXT", target: "text" },
    ];
    const create = (n: number): Wanted => [
      "POST",
      `/domains/${id}/records`,
      { ...kinds[n % 4], name: `${n % 8 < 4 ? "h" : "H"}${n % 25}` },
    ];
    const answers = await atOnce(repeat(300, create));
    expect(Object.keys(tally(answers, conflict)).sort()).toEqual(["refused", "stored"]);
    const stored = await records(id);
    for (let n = 0; n < 25; n++) {
      const types = stored.filter(({ name }) => name.toLowerCase() === `h${n}`).map(({ type }) => type);
      expect(types.includes("CNAME") ? types : ["CNAME"], `h${n}`).toEqual(["CNAME"]);
      expect(types.length, `h${n}`).toBeGreaterThan(0);
    }
  });

  test("the null MX is the only MX at its name", async () => {
    const id = await one.domain("mx.example");
    const create = (n: number): Wanted => [
      "POST",
      `/domains/${id}/records`,
      { type: "MX", name: `h${n % 20}`, target: n % 3 === 0 ? "" : "mail.example.org" },
    ];
    await atOnce(repeat(200, create));
    const stored = await records(id);
    for (let n = 0; n < 20; n++) {
      const targets = stored.filter(({ name }) => name === `h${n}`).map(({ target }) => target);
      expect(targets.includes("") ? targets : [""], `h${n}`).toEqual([""]);
    }
  });

  test("a domain has at most 12,000 records", async () => {
    const id = await one.domain("full.example");
    const row = { domain_id: id, type: "A", name: "x", name_key: "x", target: "192.0.2.1" };
    const rest = { priority: 0, weight: 0, port: 0, service: null, protocol: null, ttl_sec: 0, tag: null };
    const rows = repeat(595, () => ({ ...row, ...rest, created: "", updated: "" }));
    await one.store.write(async (db) => {
      for (let n = 0; n < 20; n++) await db.insertInto("records").values(rows).execute();
      await db.insertInto("records").values(rows.slice(0, 90)).execute();
    });
    const create: Wanted = ["POST", `/domains/${id}/records`, { type: "A", name: "y", target: "192.0.2.1" }];
    const full = refused(["A domain holds at most 12,000 records."]);
    expect(tally(await atOnce(repeat(60, () => create)), full)).toEqual({ stored: 10, refused: 50 });
    expect((await one.call("GET", `/domains/${id}/records?page_size=25`)).body.results).toBe(12_000);
  });

  test("a serial identifies one version and never decreases", async () => {
    const id = await one.domain("serial.example");
    const seen: [number, string][] = [];
    const change = async (n: number) => {
      const api = n % 2 === 0 ? one : two;
      const record = { type: "A", name: `h${n}`, target: "192.0.2.1" };
      expect((await api.call("POST", `/domains/${id}/records`, record)).status).toBe(200);
      const { zone_file } = (await api.call("GET", `/domains/${id}/zone-file`)).body;
      expect(zone_file).toContain(`h${n} A 192.0.2.1`);
      seen.push([Number(zone_file[2].split(" ").at(-5)), zone_file.join("\n")]);
    };
    await Promise.all(repeat(100, change));
    expect(new Set(seen.map(([, zone]) => zone)).size).toBe(new Set(seen.map(([serial]) => serial)).size);
    for (const [serial, zone] of seen) {
      for (const [other, later] of seen) if (later.length > zone.length) expect(other).toBeGreaterThan(serial);
    }
  });

  test("a deleted domain's records are deleted", async () => {
    const id = await one.domain("gone.example");
    const create = (n: number): Wanted => [
      "POST",
      `/domains/${id}/records`,
      { type: "A", name: `h${n}`, target: "192.0.2.1" },
    ];
    const wanted = [...repeat(50, create), ["DELETE", `/domains/${id}`] as Wanted, ...repeat(50, create)];
    expect(Object.keys(tally(await atOnce(wanted), notFound)).filter((kind) => kind.startsWith("{"))).toEqual([]);
    const left = await one.store.read((db) =>
      db.selectFrom("records").select("id").where("domain_id", "=", id).execute(),
    );
    expect(left).toEqual([]);
  });
});

const notFound = { status: 404, body: { errors: [{ reason: "Not found" }] } };

/** The events about the entity of this type and id, by their action. */
async function eventsOf(type: string, id: number | string): Promise<Record<string, number>> {
  const filter = JSON.stringify({ "entity.type": type, "entity.id": id });
  const { body } = await one.call("GET", "/account/events?page_size=500", undefined, { "X-Filter": filter });
  const counts: Record<string, number> = {};
  for (const { action } of body.data) counts[action] = (counts[action] ?? 0) + 1;
  return counts;
}

describe("concurrent requests to the account", () => {
  const openTicket = async (): Promise<number> =>
    (await one.call("POST", "/support/tickets", { summary: "Help", description: "It is broken." })).body.id;

  test("a ticket is closed once, and accepts replies until then", async () => {
    const id = await openTicket();
    const reply: Wanted = ["POST", `/support/tickets/${id}/replies`, { description: "It works." }];
    const close: Wanted = ["POST", `/support/tickets/${id}/close`];
    const early = repeat(20, (n) => (n % 2 === 0 ? one : two).call(...reply));
    await Promise.race(early);
    const late = await atOnce([...repeat(5, () => close), ...repeat(20, () => reply)]);
    const answers = [...(await Promise.all(early)), ...late];
    const replies = answers.filter((_, index) => index < 20 || index >= 25);
    const stored = replies.filter(({ status }) => status === 200).length;
    expect(stored).toBeGreaterThan(0);
    expect(tally(replies, refused(["This ticket is closed"]))).toEqual(
      stored === 40 ? { stored } : { stored, refused: 40 - stored },
    );
    expect(tally(answers.slice(20, 25), refused(["This ticket cannot be closed"]))).toEqual({ stored: 1, refused: 4 });
    expect((await one.call("GET", `/support/tickets/${id}/replies`)).body.results).toBe(stored);
    expect(await eventsOf("ticket", id)).toEqual({ ticket_create: 1, ticket_update: stored + 1 });
  });

  test("a ticket has at most 20 files, each with a name of its own", async () => {
    const id = await openTicket();
    const form = new FormData();
    form.set("file", new File(["text"], "log.txt"));
    const answers = await atOnce(repeat(24, () => ["POST", `/support/tickets/${id}/attachments`, form]));
    const full = refused(["A ticket can have at most 20 files"]);
    expect(tally(answers, full)).toEqual({ stored: 20, refused: 4 });
    const { attachments } = (await one.call("GET", `/support/tickets/${id}`)).body;
    expect(attachments).toEqual(["log.txt", ...repeat(19, (n) => `log (${n + 2}).txt`)]);
    expect(await eventsOf("ticket", id)).toEqual({ ticket_create: 1, ticket_attachment_upload: 20 });
  });

  test("a tag is created, attached and deleted once at a time", async () => {
    const ids = [await one.domain("tagged1.example"), await one.domain("tagged2.example")];
    const create: Wanted = ["POST", "/tags", { label: "Mixed", domains: ids }];
    const change: Wanted = ["PUT", `/domains/${ids[1]}`, { tags: ["mixed", "other"] }];
    const remove: Wanted = ["DELETE", "/tags/mixed"];
    const answers = await atOnce(repeat(60, (n) => [create, change, remove][n % 3] ?? create));
    const removed = answers.filter((_, index) => index % 3 === 2);
    expect(tally(answers.filter((_, index) => index % 3 < 2))).toEqual({ stored: 40 });
    expect(Object.keys(tally(removed, notFound)).filter((kind) => kind.startsWith("{"))).toEqual([]);
    const { results } = (await one.call("GET", "/tags", undefined, { "X-Filter": '{"label":"mixed"}' })).body;
    const [lower, upper] = [await eventsOf("tag", "mixed"), await eventsOf("tag", "Mixed")];
    const count = (action: string) => (lower[action] ?? 0) + (upper[action] ?? 0);
    expect(count("tag_delete")).toBe(removed.filter(({ status }) => status === 200).length);
    expect(count("tag_create") - count("tag_delete")).toBe(results);
  });

  test("an OAuth client is deleted once, and its secret is that of the last reset", async () => {
    const client = (
      await one.call("POST", "/account/oauth-clients", { label: "x", redirect_uri: "https://x.example/" })
    ).body;
    const path = `/account/oauth-clients/${client.id}`;
    const resets = await atOnce(repeat(10, () => ["POST", `${path}/reset-secret`]));
    const isRight = async (client_secret: string) => {
      const body = new URLSearchParams({ client_id: client.id, client_secret, code: "x" });
      const { status } = await two.server(new Request("http://api/oauth/token", { method: "POST", body }));
      return status === 400; // the code is wrong; 401 for the client
    };
    const right = [];
    for (const { body } of resets) if (await isRight(body.secret)) right.push(body.secret);
    expect(right.length).toBe(1);
    expect(tally(await atOnce(repeat(10, () => ["DELETE", path])), notFound)).toEqual({ stored: 1, refused: 9 });
    expect(await eventsOf("oauth_client", client.id)).toEqual({
      oauth_client_create: 1,
      oauth_client_secret_reset: 10,
      oauth_client_delete: 1,
    });
  });

  test("events have ids of their own, and are listed newest first", async () => {
    await atOnce(repeat(50, () => ["PUT", "/account", { city: "Utrecht" }]));
    const { body } = await two.call("GET", "/account/events?page_size=500");
    const ids: number[] = body.data.map(({ id }: { id: number }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
  });

  test("an account is cancelled once", async () => {
    const as = await one.mint({ username: "leaver" });
    const cancel = (n: number) => (n % 2 === 0 ? one : two).call("POST", "/account/cancel", {}, { as });
    const invalid = { status: 401, body: { errors: [{ reason: "Invalid Token" }] } };
    expect(tally(await Promise.all(repeat(10, cancel)), invalid)).toEqual({ stored: 1, refused: 9 });
  });
});
