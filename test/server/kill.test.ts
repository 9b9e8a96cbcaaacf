// @suite long postgres

import { expect, inject, test } from "vitest";
import { apiOf, Program } from "../cli/process.ts";
import { Desk } from "../cli/run.ts";
import { emptyPlace } from "./stores.ts";

/** The number of acknowledged records after which the server is killed; a hundred by default. */
const killedAfter = Number(process.env.ZONEWRIGHT_KILL_WRITES ?? 100);
const writers = 60;

const token = "secret-for-tests";

async function startProgram(desk: Desk, env: Record<string, string>) {
  const program = new Program(desk.folder, `serve --port 0 --token ${token} --rate-limit 0`, env);
  const { call } = await apiOf(program);
  /** Every item of a list. */
  const all = async (path: string) => {
    const items = [];
    for (let page = 1, pages = 1; page <= pages; page++) {
      const { body } = await call("GET", `${path}?page=${page}&page_size=500`);
      items.push(...body.data);
      pages = body.pages;
    }
    return items;
  };
  return { program, call, all };
}

test("after kill -9 amid many writes, acknowledged changes exist completely and no change partially", async () => {
  const desk = new Desk();
  const env: Record<string, string> = inject("postgres") === undefined ? {} : { DATABASE_URL: await emptyPlace() };
  const first = await startProgram(desk, env);
  const domain = (name: string) => ({ domain: name, type: "master", soa_email: "hostmaster@example.com" });
  await first.call("POST", "/domains", domain("example.com"));
  await first.call("POST", "/domains", domain("model.example"));
  for (let n = 0; n < 5; n++) {
    await first.call("POST", "/domains/2/records", { type: "A", name: `m${n}`, target: "192.0.2.1" });
  }

  const acknowledged: { id: number; name: string }[] = [];
  const cloned: { id: number }[] = [];
  let lost = 0;
  const write = async (n: number) => {
    const isClone = n % 10 === 0;
    const { status, body } = isClone
      ? await first.call("POST", "/domains/2/clone", { domain: `clone${n}.example` })
      : await first.call("POST", "/domains/1/records", { type: "A", name: `h${n}`, target: "192.0.2.1" });
    expect(status).toBe(200);
    if (isClone) cloned.push(body);
    else acknowledged.push(body);
    if (acknowledged.length === killedAfter) first.program.kill("SIGKILL");
  };
  // Each writer goes on until its connection breaks, so that writes are under way whenever the kill comes.
  let next = 0;
  const writer = async () => {
    try {
      for (;;) await write(next++);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // fetch: the connection broke
      lost++;
    }
  };
  await Promise.all(Array.from({ length: writers }, writer));
  expect((await first.program.end()).code).toBe("SIGKILL");
  expect(lost).toBe(writers);

  const second = await startProgram(desk, env);
  const records: { id: number; name: string }[] = await second.all("/domains/1/records");
  const there = new Map(records.map((record) => [record.id, record]));
  expect(acknowledged.filter((record) => there.get(record.id)?.name !== record.name)).toEqual([]);
  // None of the others is stored twice.
  expect(new Set(records.map(({ name }) => name)).size).toBe(records.length);

  const domains: { id: number; domain: string }[] = (await second.all("/domains")).slice(2);
  const ids = new Set(domains.map(({ id }) => id));
  expect(cloned.filter(({ id }) => !ids.has(id))).toEqual([]);
  for (const { id } of domains) expect((await second.all(`/domains/${id}/records`)).length).toBe(5);

  // A record and a domain are written together with their event.
  const events: { action: string; entity: { id: number }; message: string | null }[] =
    await second.all("/account/events");
  const eventsOf = (action: string, id?: number) =>
    events.filter((event) => event.action === action && (id === undefined || event.entity.id === id));
  expect(new Set(eventsOf("dns_record_create", 1).map(({ message }) => message))).toEqual(
    new Set(records.map(({ name }) => `A ${name}.example.com`)),
  );
  expect(eventsOf("dns_zone_create").length).toBe(domains.length + 2);
  const { body } = await second.call("GET", "/domains/1/zone-file");
  expect(body.zone_file.length).toBe(5 + records.length);
});
