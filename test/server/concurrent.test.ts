import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { openStore, type Store } from "../../src/server/store/store.ts";
import { type Answer, refused, start } from "./start.ts";
import { emptyPlace } from "./stores.ts";

/**
 * Two servers on one database. With PostgreSQL each has a store of its own, as two processes have; with SQLite they
 * share the one connection that a process has.
 */
let one: Awaited<ReturnType<typeof start>>;
let two: Awaited<ReturnType<typeof start>>;
const open: Store[] = [];
beforeAll(async () => {
  const place = inject("postgres") === undefined ? ":memory:" : await emptyPlace();
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
    const notFound = { status: 404, body: { errors: [{ reason: "Not found" }] } };
    expect(Object.keys(tally(await atOnce(wanted), notFound)).filter((kind) => kind.startsWith("{"))).toEqual([]);
    const left = await one.store.read((db) =>
      db.selectFrom("records").select("id").where("domain_id", "=", id).execute(),
    );
    expect(left).toEqual([]);
  });
});
