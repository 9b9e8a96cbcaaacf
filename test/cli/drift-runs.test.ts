import { expect, test } from "vitest";
import type { Server } from "../../src/server/http/router.ts";
import { type ApiDesk, apiDesk, lines } from "./run.ts";

const file = "zones/example.com.yaml";
const zone = lines`
  soa_email: hostmaster@example.com
  ttl_sec: 1h
  records:
    www: { A: 192.0.2.1 }
    old: { A: 192.0.2.2 }
`;

interface RunsDesk extends ApiDesk {
  /** Lets time pass, in seconds. */
  pass(seconds: number): void;
  /** Edits the record of www by hand. */
  edit(user: string, target: string): Promise<void>;
  /** The output of a command, with the ids of runs as RUN. */
  show(command: string): Promise<string>;
}

/** A zone of which a run created the records, a minute before a second one changes www. Then the snapshot is saved. */
async function applied(
  { scopes = "*", savesSnapshot = false }: { readonly scopes?: string; readonly savesSnapshot?: boolean } = {},
  between: (server: Server, desk: () => RunsDesk) => Server = (server) => server,
): Promise<RunsDesk> {
  let desk: RunsDesk | undefined;
  const inner = await apiDesk({ [file]: zone }, (server) => between(server, () => desk as RunsDesk));
  const pass = (seconds: number) => {
    inner.waited += seconds * 1000;
  };
  const edit = async (username: string, target: string) => {
    const token = await inner.mint({ username, ...(username !== "admin" && { account: "admin" }) });
    const { data } = await inner.call("GET", "/domains/1/records");
    const { id } = data.find(({ name }: { name: string }) => name === "www");
    await inner.call("PUT", `/domains/1/records/${id}`, { target }, token);
  };
  const show = async (command: string) => {
    const { out, talk } = await inner.run(command);
    return `${out}${talk}`.replaceAll(/\d{8}T\d{6}\.\d{3}Z-\w{6}/g, "RUN");
  };
  desk = Object.assign(inner, { pass, edit, show });
  const token = await inner.mint({ scopes });
  const apply = async () => expect((await inner.run("apply --yes", { env: { ZONEWRIGHT_TOKEN: token } })).code).toBe(0);
  await apply();
  pass(60);
  inner.write(file, zone.replace("192.0.2.1 ", "192.0.2.11 "));
  await apply();
  if (savesSnapshot) expect((await inner.run("snapshot --out snapshot.json")).code).toBe(0);
  return desk;
}

test("an edit of another user soon after a run is not one of the run", async () => {
  const desk = await applied({ savesSnapshot: true });
  desk.pass(12);
  await desk.edit("alice", "192.0.2.91");
  desk.pass(3600);
  expect(await desk.show("drift --snapshot snapshot.json")).toMatchInlineSnapshot(`
    "snapshot snapshot.json of 2026-03-04T12:01:00Z; 1 event since then, 1 zone read
    example.com
      drift     www A  3600 192.0.2.11 → 3600 192.0.2.91
                by "alice" at 2026-03-04T12:01:12Z
    drift: 1 change outside git in 1 of 1 zone · 4 requests
    "
  `);
  expect(await desk.show("plan --snapshot snapshot.json")).toMatchInlineSnapshot(`
    "example.com                               ~1 change
      1 ~ change  www  A  3600  192.0.2.91 → 192.0.2.11  undoes a change made outside git, by "alice" at 2026-03-04T12:01:12Z  updated in place; caches may keep the old value for up to 1 hour  zones/example.com.yaml:4
    plan: 1 change in 1 of 1 zone · effects 8a51ab0e · 3 reads
    apply sends 1 write and 6 reads (no rate limit)
    "
  `);
});

test("an edit of the token's own user soon after a run cannot be told from it, and raises the alarm", async () => {
  const desk = await applied();
  desk.pass(12);
  await desk.edit("admin", "192.0.2.91");
  desk.pass(3600);
  expect(await desk.show("drift")).toMatchInlineSnapshot(`
    "no snapshot: 1 zone read, so changes in git cannot be told from changes elsewhere
    example.com
      differs   www A  git 3600 192.0.2.11, live 3600 192.0.2.91
                by "admin", possibly in run RUN of this project, at 2026-03-04T12:01:12Z
    warning  1 change was made as this user, but not by a run of this checkout: admin changed www.example.com A (1 of 2 times from 2026-03-04T12:01:00 to 2026-03-04T12:01:12)
      If you did not make them, revoke the token. If another checkout made them, they are in its journals.
    drift: 1 difference in 1 of 1 zone · 4 requests
    Save it after an apply with \`zonewright snapshot --out FILE\`, and name the file with --snapshot.
    "
  `);
});

test("after the snapshot, an edit of the token's own user is not one of the run before it", async () => {
  const desk = await applied({ savesSnapshot: true });
  desk.pass(12);
  await desk.edit("admin", "192.0.2.91");
  desk.pass(3600);
  expect(await desk.show("drift --snapshot snapshot.json")).toMatchInlineSnapshot(`
    "snapshot snapshot.json of 2026-03-04T12:01:00Z; 1 event since then, 1 zone read
    example.com
      drift     www A  3600 192.0.2.11 → 3600 192.0.2.91
                by "admin", possibly in run RUN of this project, at 2026-03-04T12:01:12Z
    warning  1 change was made as this user, but not by a run of this checkout: admin changed www.example.com A (1 of 2 times from 2026-03-04T12:01:00 to 2026-03-04T12:01:12)
      If you did not make them, revoke the token. If another checkout made them, they are in its journals.
    drift: 1 change outside git in 1 of 1 zone · 5 requests
    "
  `);
  expect(await desk.show("plan --snapshot snapshot.json")).toMatchInlineSnapshot(`
    "example.com                               ~1 change
      1 ~ change  www  A  3600  192.0.2.91 → 192.0.2.11  undoes a change made outside git, by "admin", possibly in run RUN of this project, at 2026-03-04T12:01:12Z  updated in place; caches may keep the old value for up to 1 hour  zones/example.com.yaml:4
    plan: 1 change in 1 of 1 zone · effects 8a51ab0e · 4 reads
    apply sends 1 write and 6 reads (no rate limit)
    "
  `);
});

test("a write of a run whose user is unknown is probably of that run", async () => {
  const desk = await applied({ scopes: "domains:read_write events:read_only" });
  desk.pass(3600);
  desk.write(file, zone);
  expect(await desk.show("drift")).toMatchInlineSnapshot(`
    "no snapshot: 1 zone read, so changes in git cannot be told from changes elsewhere
    example.com
      differs   www A  git 3600 192.0.2.1, live 3600 192.0.2.11
                by "admin", probably in run RUN of this project, at 2026-03-04T12:01:00Z
    drift: 1 difference in 1 of 1 zone · 4 requests
    Save it after an apply with \`zonewright snapshot --out FILE\`, and name the file with --snapshot.
    "
  `);
});

/** Hides the newest events of the log. */
const lagging =
  (hidden: () => number) =>
  (server: Server): Server =>
  async (request, connection) => {
    const reply = await server(request, connection);
    if (!request.url.includes("/account/events?") || hidden() === 0) return reply;
    const page = JSON.parse(await reply.text());
    return Response.json({ ...page, data: page.data.slice(hidden()) }, { headers: reply.headers });
  };

test("a log that lags is said, and nothing is called one of a run for certain", async () => {
  let hidden = 0;
  const desk = await applied(
    {},
    lagging(() => hidden),
  );
  desk.write(file, zone);
  hidden = 1;
  desk.pass(3600);
  expect(await desk.show("drift")).toMatchInlineSnapshot(`
    "no snapshot: 1 zone read, so changes in git cannot be told from changes elsewhere
    example.com
      differs   www A  git 3600 192.0.2.1, live 3600 192.0.2.11
                author unknown: the event log lacks its event: it lags behind, or was cut
    note  the event log lacks 1 event of run RUN: it lags behind, or was cut
      Until it is complete, the events of this run cannot be told from those of others for certain.
    drift: 1 difference in 1 of 1 zone · 4 requests
    Save it after an apply with \`zonewright snapshot --out FILE\`, and name the file with --snapshot.
    "
  `);
});

test("an edit that the log does not have yet has no author", async () => {
  let hidden = 0;
  const desk = await applied(
    { savesSnapshot: true },
    lagging(() => hidden),
  );
  desk.pass(600);
  await desk.edit("alice", "192.0.2.90");
  desk.pass(1);
  await desk.edit("bob", "192.0.2.91");
  hidden = 1;
  desk.pass(600);
  expect(await desk.show("drift --snapshot snapshot.json")).toMatchInlineSnapshot(`
    "snapshot snapshot.json of 2026-03-04T12:01:00Z; 1 event since then, 1 zone read
    example.com
      drift     www A  3600 192.0.2.11 → 3600 192.0.2.91
                author unknown: the event log lacks its event: it lags behind, or was cut
    drift: 1 change outside git in 1 of 1 zone · 4 requests
    "
  `);
});

test("an edit while the snapshot is saved is part of the snapshot, and is said", async () => {
  let isSaving = false;
  const desk = await applied({}, (server, desk) => async (request, connection) => {
    if (isSaving && request.url.includes("/records?")) {
      isSaving = false;
      await desk().edit("alice", "192.0.2.90");
    }
    return server(request, connection);
  });
  desk.pass(600);
  isSaving = true;
  expect((await desk.run("snapshot --out snapshot.json")).code).toBe(0);
  desk.pass(600);
  expect(await desk.show("drift --snapshot snapshot.json")).toMatchInlineSnapshot(`
    "snapshot snapshot.json of 2026-03-04T12:11:00Z; 1 event since then, 1 zone read
    note  the snapshot was saved while someone changed records, or before the event log was complete: alice changed www.example.com A at 2026-03-04T12:11:00
      The snapshot contains these changes, so they count as applied. Save it again while no one writes.
    drift: none, 1 pending change in 1 of 1 zone · 4 requests
    \`zonewright plan\` lists the pending changes
    "
  `);
});
