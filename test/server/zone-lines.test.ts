// @suite long nightly-postgres

import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { insertRecordRows } from "../../src/server/areas/zones/records-rows.ts";
import { openStore, type Store } from "../../src/server/store/store.ts";
import { countLoopTurns } from "./count-loop-turns.ts";
import { beginSlaves, slave } from "./nameserver/masters.ts";
import { start } from "./start.ts";
import { emptyPlace } from "./stores.ts";

const count = 130;
const rest = { priority: 0, weight: 0, port: 0, service: null, protocol: null, ttl_sec: 0, tag: null };
const textOf = (letters: string) => letters.repeat(60_000 / letters.length);
/** As RFC 1035 §5.1 writes it: strings of at most 255 octets. */
const quoted = (text: string) => (text.match(/.{1,255}/g) ?? []).map((part) => `"${part}"`).join(" ");
const many = <T>(entry: (index: number) => T) => Array.from({ length: count }, (_, index) => entry(index));

/** The lines with `ab × 30000` for a text. */
const brief = (lines: readonly string[]) =>
  lines.map((line) =>
    line.replace(/(?<=TXT ).*/, (strings) => {
      const text = strings.replaceAll('" "', "").replaceAll('"', "");
      const letters = text.slice(0, 2);
      const times = text.length / 2;
      return strings === quoted(letters.repeat(times)) ? `${letters} × ${times}` : strings;
    }),
  );

/** The zone file of a domain that has `count` records of these letters. */
const zoneFile = (serial: number, letters: string) => [
  "; example.com [1]",
  "$TTL 86400",
  `@  IN  SOA  ns1.example.net. hostmaster.example.com. ${serial} 14400 14400 1209600 86400`,
  "@ NS ns1.example.net.",
  ...many((index) => `t${index} TXT ${letters} × 30000`),
];

/** A domain with 130 texts of 60,000 octets, in a database where reads go on beside a write. */
async function begin(place?: string) {
  const store = await openStore(place ?? (await emptyPlace()));
  if (place === undefined) onTestFinished(() => store.close());
  const api = await start({ store });
  await api.domain("example.com");
  const row = { domain_id: 1, ...rest, type: "TXT", created: "", updated: "" };
  const rows = many((index) => ({ ...row, name: `t${index}`, name_key: `t${index}`, target: textOf("ab") }));
  await store.write((db) => insertRecordRows(db, rows));
  const read = async () => brief((await api.call("GET", "/domains/1/zone-file")).body.zone_file);
  return { ...api, read };
}

/** Gives all texts of the domain other letters, in one transaction. */
function rewrite(store: Store, letters: string): Promise<void> {
  return store.write(async (db) => {
    await db
      .updateTable("records")
      .set({ target: textOf(letters) })
      .where("type", "=", "TXT")
      .execute();
    await db.updateTable("domains").set({ changed: "2026-03-04T12:00:00" }).execute();
  });
}

const longest = (store: Store) =>
  store.read(async (db) => {
    const found = await sql<{ most: number }>`select max(octet_length(lines)) as most from zone_lines`.execute(db);
    return found.rows[0]?.most;
  });

describe("a zone file of 8 MiB", () => {
  test("is rendered in parts", async () => {
    const { read } = await begin();
    expect(await read()).toEqual(zoneFile(2026000001, "ab"));
    const again = read();
    expect(await countLoopTurns(again)).toBeGreaterThanOrEqual(16);
    expect(await again).toEqual(zoneFile(2026000001, "ab"));
  });

  test("is sent in pieces, with its length", async () => {
    const { ask, store } = await begin();
    for (const path of ["/v4/domains/1/zone-file", "/v4/domains/1/records?page_size=500"]) {
      const reply = await ask("GET", path);
      const pieces: Uint8Array[] = [];
      for await (const piece of reply.body ?? []) pieces.push(piece as Uint8Array);
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(2 ** 19);
      const text = Buffer.concat(pieces);
      expect(reply.headers.get("content-length")).toBe(String(text.length));
      const { zone_file, data } = JSON.parse(text.toString());
      if (zone_file) expect(brief(zone_file)).toEqual(zoneFile(2026000001, "ab"));
      else expect(data.map(({ target }: { target: string }) => target)).toEqual(many(() => textOf("ab")));
      expect(text.toString()).toBe(JSON.stringify(JSON.parse(text.toString())));
    }
    await store.write((db) => db.deleteFrom("records").execute());
    expect((await ask("GET", "/v4/domains/1/records")).headers.get("content-length")).toBe(null);
  });

  test("replaces a longer previous version completely", async () => {
    const { store, read, call, domain } = await begin();
    await read();
    await store.write(async (db) => {
      await db.deleteFrom("records").where("name", "not in", ["t0", "t129"]).execute();
      await db.updateTable("domains").set({ changed: "2026-03-04T12:00:00" }).execute();
    });
    const [soa, first, last] = [2, 4, 133];
    const lines = zoneFile(2026000002, "ab").filter((_, at) => at <= soa + 1 || at === first || at === last);
    expect(await read()).toEqual(lines);
    expect(await read()).toEqual(lines);
    await call("PUT", "/domains/1", { status: "disabled" });
    expect(await read()).toEqual([]);
    await call("PUT", "/domains/1", { status: "active" });
    expect((await read()).length).toBe(6);
    await call("DELETE", "/domains/1");
    expect(await store.read((db) => db.selectFrom("zone_changes").selectAll().execute())).toEqual([]);
    await domain("example.com");
  });

  test("keeps its serial if its records are the same again", async () => {
    const { store, read } = await begin();
    await read();
    await rewrite(store, "ab");
    expect(await read()).toEqual(zoneFile(2026000001, "ab"));
    await rewrite(store, "cd");
    expect(await read()).toEqual(zoneFile(2026000002, "cd"));
  });

  test("is always read in one complete version while others change it", async () => {
    const { store, read } = await begin();
    await read();
    const seen: string[] = [];
    let isOver = false;
    const readers = [1, 2, 3].map(async () => {
      while (!isOver) {
        const lines = await read();
        const serial = Number(lines[2]?.split(" ").at(-5));
        const letters = ["ab", "cd", "ef"][serial - 2026000001] ?? "";
        seen.push(lines.join("\n") === zoneFile(serial, letters).join("\n") ? letters : "torn");
      }
    });
    const change = async () => {
      for (const letters of ["cd", "ef"]) {
        await rewrite(store, letters);
        expect(await read()).toEqual(zoneFile(letters === "cd" ? 2026000002 : 2026000003, letters));
      }
    };
    await change().finally(() => {
      isOver = true;
    });
    await Promise.all(readers);
    expect(new Set(seen)).not.toContain("torn");
    expect(seen).toContain("ef");
  });

  test("is the previous version after its rendering is rolled back", async () => {
    const { store, read } = await begin();
    await read();
    const api = await start({ store, renderDelay: 60 });
    api.clock.now = new Date("2026-03-04T12:02:00Z");
    await rewrite(store, "cd");
    // The change renders what is due in its own transaction, and is refused by the database at its end.
    await store.write((db) => sql`drop table events`.execute(db));
    const refused = { type: "A", name: "www", target: "192.0.2.1" };
    await expect(api.call("POST", "/domains/1/records", refused, { as: api.token })).rejects.toThrow("events");
    const versions = await store.read((db) =>
      db.selectFrom("zone_changes").select("serial").where("serial", "is not", null).execute(),
    );
    expect(versions).toEqual([{ serial: 2026000001 }]);
    expect(await read()).toEqual(zoneFile(2026000002, "cd"));
  });
});

describe("a large zone of a slave", () => {
  const masterFile = (serial: number, texts: readonly string[]) =>
    [
      "$ORIGIN example.com.",
      `@ 300 SOA ns.example.net. h ${serial} 3600 600 86400 60`,
      "@ 300 NS ns.example.net.",
      ...texts.map((text, index) => `t${index} 300 TXT ${quoted(text)}`),
      "",
    ].join("\n");
  const lines = [
    "; example.com [1]",
    "@ 300 SOA ns.example.net. h.example.com. 7 3600 600 86400 60",
    "@ 300 NS ns.example.net.",
    ...many((index) => `t${index} 300 TXT ab × 30000`),
  ];
  const transfer = async (store?: Store) => {
    const api = await beginSlaves(store && { store });
    const read = async () => brief((await api.call("GET", "/domains/1/zone-file")).body.zone_file);
    api.masters.answers.set(
      "192.0.2.1",
      masterFile(
        7,
        many(() => textOf("ab")),
      ),
    );
    await api.call("POST", "/domains", slave);
    await api.lookAfter(0);
    return { ...api, read };
  };

  test("is stored and read in parts, in complete versions, and not under another name", async () => {
    const { masters, lookAfter: pass, call, read, store, errors } = await transfer();
    expect(await read()).toEqual(lines);
    expect(await longest(store)).toBeLessThanOrEqual(2 ** 18);
    expect(await countLoopTurns(read())).toBeGreaterThanOrEqual(16);
    masters.answers.set("192.0.2.1", masterFile(8, [textOf("cd")]));
    await pass(3600);
    expect(await read()).toEqual([
      "; example.com [1]",
      "@ 300 SOA ns.example.net. h.example.com. 8 3600 600 86400 60",
      "@ 300 NS ns.example.net.",
      "t0 300 TXT cd × 30000",
    ]);
    await call("PUT", "/domains/1", { domain: "other.example" });
    expect(await read()).toEqual([]);
    masters.answers.clear();
    await pass(0);
    expect(await store.read((db) => db.selectFrom("zone_lines").selectAll().execute())).toEqual([]);
    expect(errors.length).toBe(1);
  });
});
