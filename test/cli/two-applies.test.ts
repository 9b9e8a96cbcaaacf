// @suite long

import { join } from "node:path";
import { expect, test } from "vitest";
import type { Server } from "../../src/server/http/router.ts";
import { isNightly } from "../properties.ts";
import { Program } from "./process.ts";
import { type ApiDesk, apiDesk } from "./run.ts";

const head = "soa_email: hostmaster@example.com\nrecords:\n";
const names = Array.from({ length: 12 }, (_, index) => `n${index}`);
const many = head + names.map((name) => `  ${name}: { A: [192.0.2.1, 192.0.2.2], TXT: ${name} }\n`).join("");

/** Holds the creates of each token until the other token has sent one too: both have planned and compared by then. */
class Barrier {
  readonly #seen = new Set<string>();
  #open = () => {};
  readonly #both = new Promise<void>((resolve) => {
    this.#open = resolve;
  });

  async pass(token: string): Promise<void> {
    this.#seen.add(token);
    if (this.#seen.size === 2) this.#open();
    await this.#both;
  }
}

interface Round {
  /** The zone files of the two checkouts. */
  readonly files: readonly [string, string];
  readonly isNew?: boolean;
}

/** Two processes in two checkouts apply to one server at the same moment. */
async function race(desk: ApiDesk, barrier: { now: Barrier }, zone: string, { files, isNew }: Round) {
  const domain = { domain: zone, type: "master", soa_email: "hostmaster@example.com" };
  const { id } = isNew ? { id: undefined } : await desk.call("POST", "/domains", domain);
  barrier.now = new Barrier();
  const runs = [];
  for (const [index, text] of files.entries()) {
    desk.write(`${zone}/${index}/zones/${zone}.yaml`, text);
    const env = { ZONEWRIGHT_API_URL: desk.url, ZONEWRIGHT_TOKEN: await desk.mint({}) };
    runs.push(new Program(join(desk.folder, zone, String(index)), "apply --yes", env));
  }
  const ends = await Promise.all(runs.map((run) => run.end()));
  const { data: domains } = await desk.call("GET", "/domains");
  const stored = domains.filter((one: { domain: string }) => one.domain === zone);
  const { data } = await desk.call("GET", `/domains/${id ?? stored[0]?.id}/records?page_size=500`);
  const records: string[] = data.map(({ name, type, target }: Record<string, string>) => `${name} ${type} ${target}`);
  return { codes: ends.map(({ code }) => code).sort(), talk: ends.map(({ talk }) => talk), records: records.sort() };
}

async function raced(): Promise<{ desk: ApiDesk; barrier: { now: Barrier } }> {
  const barrier = { now: new Barrier() };
  const between =
    (server: Server): Server =>
    async (request, connection) => {
      const { pathname } = new URL(request.url);
      if (request.method === "POST" && /^\/v4\/domains(?:\/\d+\/records)?$/.test(pathname))
        await barrier.now.pass(request.headers.get("Authorization") ?? "");
      return server(request, connection);
    };
  return { desk: await apiDesk({}, between), barrier };
}

const wanted = names.flatMap((name) => [`${name} A 192.0.2.1`, `${name} A 192.0.2.2`, `${name} TXT ${name}`]).sort();

/** Each takes seconds. */
const rounds = isNightly ? 10 : 1;

test("two processes with the same files create each record once", async () => {
  const { desk, barrier } = await raced();
  for (let round = 1; round <= rounds; round++) {
    const { codes, talk, records } = await race(desk, barrier, `r${round}.example.com`, { files: [many, many] });
    expect({ codes, records }, talk.join("\n")).toEqual({ codes: [0, 0], records: wanted });
    expect(talk.join("")).toMatch(
      / {2}removed duplicate r\d\.example\.com: n\d+ (?:A|TXT) \S+ \(record \d+\); someone else created record \d+ with the same value\n/,
    );
  }
}, 240_000);

test("two processes with different files create shared records once and keep their own", async () => {
  const { desk, barrier } = await raced();
  const own = (name: string) => `${head}  www: { A: 192.0.2.1 }\n  ${name}: { A: 192.0.2.5 }\n`;
  const { codes, records } = await race(desk, barrier, "example.com", { files: [own("a"), own("b")] });
  expect(records).toEqual(["a A 192.0.2.5", "b A 192.0.2.5", "www A 192.0.2.1"]);
  expect([
    [6, 6],
    [0, 6],
  ]).toContainEqual(codes);
}, 60_000);

test("two processes create the same zone: one succeeds, the other reports it", async () => {
  const { desk, barrier } = await raced();
  const { codes, talk, records } = await race(desk, barrier, "example.com", { files: [many, many], isNew: true });
  expect({ codes, records }).toEqual({ codes: [0, 4], records: wanted });
  expect(talk.join("")).toContain(
    "example.com: failed after 0 of 38 writes: example.com was created by someone else after the plan was made, as domain 1. Nothing was written to it. If another apply is running, wait until it ends. Then run plan again.\n",
  );
}, 60_000);
