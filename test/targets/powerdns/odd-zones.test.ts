import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dig } from "../../dns/transfer/dig.ts";
import { isMissing } from "../../judges.ts";
import { allowed, openDesk } from "./desk.ts";
import { type PowerDnsServer, startPowerDns } from "./servers.ts";
import { storeZone } from "./stored-rows.ts";

const file = (...lines: readonly string[]) => `$TTL 300
@ SOA ns1.example.net. ops.example.net. 0 3600 600 86400 60
@ NS ns1.example.net.
@ NS ns2.example.net.
${lines.map((line) => `${line}\n`).join("")}`;

describe.skipIf(isMissing("pdns_server", "dig"))("zones that the API would not store", () => {
  let server: PowerDnsServer;
  beforeAll(async () => {
    server = await startPowerDns({ "query-cache-ttl": "0", "cache-ttl": "0" });
  }, 60_000);
  afterAll(() => server.stop());

  const answers = (name: string, type: string) => dig({ host: "127.0.0.1", port: server.port }, name, type);

  /** A project with a zone of a file. */
  function open(zone: string, text: string) {
    const desk = openDesk(server.url, { [`zones/${zone}.zone`]: text });
    desk.shown.push([new URL(server.url).host, "HOST"]);
    const run = async (words: string) => {
      const { code, out, talk } = await desk.run(words);
      return `${out}${shown(talk)}[${code}]`;
    };
    return { desk, run, apply: () => run(`apply --yes --allow ${allowed}`) };
  }

  /** What a command says, without the remarks of every plan. */
  const shown = (talk: string) => talk.replace(/^note {2}.*(?:no apply to these zones|has no lock).*\n/gm, "");

  test("an equal record twice is one", async () => {
    storeZone(server, "dup.example", [
      ["a.dup.example", "A", "192.0.2.1"],
      ["a.dup.example", "A", "192.0.2.1"],
      ["m.dup.example", "MX", "mail.example.net", 300, 10],
      ["m.dup.example", "MX", "MAIL.example.net", 300, 10],
      ["b.dup.example", "A", "192.0.2.1"],
    ]);
    const { desk, run, apply } = open(
      "dup.example",
      file("a A 192.0.2.1", "m MX 10 mail.example.net.", "b A 192.0.2.1"),
    );
    expect(await run("plan")).toMatchInlineSnapshot(`
      "in sync: 1 zone, nothing to do
      [0]"
    `);
    desk.write(
      "zones/dup.example.zone",
      file("a A 192.0.2.1", "a A 192.0.2.3", "m MX 10 mail.example.net.", "b A 192.0.2.2"),
    );
    expect(await apply()).toMatchInlineSnapshot(`
      "dup.example                               +1 create  ~1 change
        1 + create  a  A  300  192.0.2.3              zones/dup.example.zone:6
        2 ~ change  b  A  300  192.0.2.1 → 192.0.2.2  updated in place; caches may keep the old value for up to 5 minutes  zones/dup.example.zone:8
      note  the service has no lock: RRsets are read right before they are written, and an edit by someone else in between, usually within 50 ms, is overwritten
      plan: 2 changes in 1 of 1 zone · effects 9f02f34a · 2 reads
      apply sends 1 write and 5 reads (no rate limit)
      applied and verified: 1 zone is as planned
      dup.example: 2 writes
      dup.example: done
      [0]"
    `);
    expect(await run("plan")).toMatchInlineSnapshot(`
      "in sync: 1 zone, nothing to do
      [0]"
    `);
    expect(await answers("a.dup.example", "A")).toMatchInlineSnapshot(`
      [
        "a.dup.example. 300 IN A 192.0.2.1",
        "a.dup.example. 300 IN A 192.0.2.3",
        "",
      ]
    `);
  });

  test("a name in upper case, which PowerDNS lists and does not find, is left alone", async () => {
    storeZone(server, "upper.example", [
      ["WWW.upper.example", "A", "192.0.2.1"],
      ["www.upper.example", "A", "192.0.2.2"],
      ["Mail.Upper.example", "A", "192.0.2.3"],
      ["Lua.upper.example", "LUA", "A \"'192.0.2.4'\""],
    ]);
    const { run, apply } = open("upper.example", file("www A 192.0.2.77", "mail A 192.0.2.33"));
    expect(await apply()).toMatchInlineSnapshot(`
      "upper.example                             +1 create  ~1 change
        1 + create  mail  A  300  192.0.2.33              zones/upper.example.zone:6
        2 ~ change  www   A  300  192.0.2.2 → 192.0.2.77  updated in place; caches may keep the old value for up to 5 minutes  zones/upper.example.zone:5
      note  1 finding about records that this plan does not touch
      note  the service has no lock: RRsets are read right before they are written, and an edit by someone else in between, usually within 50 ms, is overwritten
      plan: 2 changes in 1 of 1 zone · effects 48ee1ff5 · 5 reads
      apply sends 1 write and 5 reads (no rate limit)
      applied and verified: 1 zone is as planned
      upper.example: 2 writes
      upper.example: done
      [0]"
    `);
    expect(await run("plan")).toMatchInlineSnapshot(`
      "in sync: 1 zone, nothing to do
      [0]"
    `);
    expect([await answers("www.upper.example", "A"), await answers("mail.upper.example", "A")].flat()).toEqual([
      "www.upper.example. 300 IN A 192.0.2.77",
      "",
      "mail.upper.example. 300 IN A 192.0.2.33",
      "",
    ]);
  });
});
