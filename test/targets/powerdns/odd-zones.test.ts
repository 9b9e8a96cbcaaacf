import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Desk } from "../../cli/run.ts";
import { dig } from "../../dns/transfer/dig.ts";
import { isMissing } from "../../judges.ts";
import { allowed, openDesk } from "./desk.ts";
import { apiKey, type PowerDnsServer, rrset, startPowerDns } from "./servers.ts";
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
  function open(zone: string, text: string, { url } = server) {
    const desk = openDesk(url, { [`zones/${zone}.zone`]: text });
    desk.shown.push([new URL(url).host, "HOST"]);
    const run = async (words: string) => {
      const { code, out, talk } = await desk.run(words);
      return `${out}${shown(talk)}[${code}]`;
    };
    return { desk, run, apply: (words = "") => run(`apply --yes --allow ${allowed} ${words}`) };
  }

  /** The talk of a command, without the remarks of every plan. */
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
      plan: 2 changes in 1 of 1 zone · effects 9f02f34a · 3 reads
      apply sends 2 writes in 1 request and 5 reads (no rate limit)
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
      warning  upper.example has 3 RRsets stored in upper case, which no lookup gets: WWW.upper.example. A, Mail.Upper.example. A, Lua.upper.example. LUA  zones/upper.example.zone:2
      note  the service has no lock: RRsets are read right before they are written, and an edit by someone else in between, usually within 50 ms, is overwritten
      1 zone of the account not in git, left alone: dup.example
      plan: 2 changes in 1 of 1 zone · effects 48ee1ff5 · 6 reads
      apply sends 2 writes in 1 request and 5 reads (no rate limit)
      applied and verified: 1 zone is as planned
      upper.example: 2 writes
      upper.example: done
      [0]"
    `);
    expect(await run("plan")).toMatchInlineSnapshot(`
      "warning  upper.example has 3 RRsets stored in upper case, which no lookup gets: WWW.upper.example. A, Mail.Upper.example. A, Lua.upper.example. LUA  zones/upper.example.zone:2
      1 zone of the account not in git, left alone: dup.example
      in sync: 1 zone, nothing to do
      [0]"
    `);
    expect([await answers("www.upper.example", "A"), await answers("mail.upper.example", "A")].flat()).toEqual([
      "www.upper.example. 300 IN A 192.0.2.77",
      "",
      "mail.upper.example. 300 IN A 192.0.2.33",
      "",
    ]);
  });

  test("a CNAME record where a LUA record stays is refused", async () => {
    storeZone(server, "lua.example", [
      ["l.lua.example", "LUA", "A \"'192.0.2.4'\""],
      ["both.lua.example", "LUA", "A \"'192.0.2.4'\""],
      ["both.lua.example", "CNAME", "www.example.net"],
    ]);
    const { desk, run } = open("lua.example", file("both CNAME www.example.net.", "l A 192.0.2.5"));
    expect((await desk.run("plan")).code).toBe(0);
    desk.write("zones/lua.example.zone", file("both CNAME www.example.net.", "l CNAME www.example.net."));
    expect(await run("plan")).toMatchInlineSnapshot(`
      "error[zone-records-conflict] l CNAME: the service has a record of the type LUA at this name, which zonewright leaves alone
        zones/lua.example.zone:6:1
          6 | l CNAME www.example.net.
            | ^^^^^^^^^^^^^^^^^^^^^^^^
        A CNAME record cannot stand beside others (RFC 1034 §3.6.2). Delete the LUA record at the service first, or remove the CNAME record.
      [3]"
    `);
  });

  test("a producer zone is called what it is", async () => {
    storeZone(server, "catalog.example", [], "PRODUCER");
    const { run } = open("catalog.example", file());
    expect(await run("plan")).toMatchInlineSnapshot(`
      "error[zone-secondary] catalog.example is a producer zone, a catalog whose members PowerDNS lists itself
        zones/catalog.example.zone:2:1
          2 | @ SOA ns1.example.net. ops.example.net. 0 3600 600 86400 60
            | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        Remove this file, and set the catalog of each member in PowerDNS.
      [3]"
    `);
  });

  test("records of a private type are not said to be those of PowerDNS", async () => {
    storeZone(server, "private.example", [["p.private.example", "TYPE65280", "\\# 1 ff"]]);
    const { run } = open("private.example", file("www A 192.0.2.1"));
    expect(await run("plan")).toContain(
      "note  private.example: its TYPE65280 records are of a private type, such as servers use for their own state\n",
    );
  });

  test.each([
    ["EPOCH", "2026113001", /it was 2026113001, and is 1\d{9}, so/],
    ["SOA-EDIT", "5", /it was 5, and is 5, so/],
    ["EPOCH", "5", undefined],
    ["INCREASE", "4294967295", undefined],
    ["DEFAULT", "2026113001", undefined],
    ["SOA-EDIT-INCREASE", "5", undefined],
    ["OFF", "5", undefined],
  ])("soa_edit_api %s after the serial %s", async (edit, serial, warning) => {
    const zone = `serial-${edit}-${serial}.example`.toLowerCase();
    const soa = `ns1.example.net. ops.example.net. ${serial} 3600 600 86400 60`;
    const rrsets = [rrset(`${zone}.`, "SOA", soa), rrset(`${zone}.`, "NS", "ns1.example.net.", "ns2.example.net.")];
    await server.call("POST", "/zones", {
      name: `${zone}.`,
      kind: "Native",
      nameservers: [],
      soa_edit_api: "OFF",
      rrsets,
    });
    await server.call("PUT", `/zones/${zone}.`, { soa_edit_api: edit });
    const { apply } = open(zone, file("www A 192.0.2.1"));
    const talk = await apply();
    if (warning) expect(talk).toMatch(warning);
    else expect(talk).not.toContain("did not rise");
    const [served = ""] = await answers(zone, "SOA");
    const ahead = (Number(served.split(" ")[6]) - Number(serial)) >>> 0;
    expect(ahead > 0 && ahead < 2 ** 31).toBe(warning === undefined);
  });

  describe("beside other zones", () => {
    let beside: PowerDnsServer;
    beforeAll(async () => {
      beside = await startPowerDns();
      storeZone(beside, "bad.example", [["a.bad.example", "A", "not-an-address"]]);
      storeZone(beside, "good.example", [["www.good.example", "A", "192.0.2.1"]]);
      storeZone(beside, "out.example", [["www.example.org", "A", "192.0.2.1"]]);
      storeZone(beside, "twice.example", [["twice.example", "SOA", "ns3.example.net ops.example.net 1 1 1 1 1"]]);
    }, 60_000);
    afterAll(() => beside.stop());

    test("one that the API fails for is named, and the others are planned, applied and compared", async () => {
      const { desk, run, apply } = open("good.example", file("www A 192.0.2.2"), beside);
      desk.write("zones/bad.example.zone", file("a A 192.0.2.1"));
      expect(await run("plan")).toMatchInlineSnapshot(`
        "error[powerdns/records] bad.example: PowerDNS has the zone, and cannot read its records (bad.example, http://HOST: PowerDNS failed (500: Internal Server Error))
          Run \`pdnsutil check-zone bad.example\`, which names the records, and correct them in the database of PowerDNS. --skip-invalid leaves the zone out.
        [1]"
      `);
      expect(await run("plan --skip-invalid")).toMatchInlineSnapshot(`
        "good.example                              ~1 change
          1 ~ change  www  A  300  192.0.2.1 → 192.0.2.2  updated in place; caches may keep the old value for up to 5 minutes  zones/good.example.zone:5
        warning  bad.example is left out: its live version cannot be read
        note  the service has no lock: RRsets are read right before they are written, and an edit by someone else in between, usually within 50 ms, is overwritten
        2 zones of the account not in git, left alone: out.example, twice.example
        plan: 1 change in 1 of 1 zone · 1 zone left out · effects 0fd88361 · 5 reads
        apply sends 1 write and 5 reads (no rate limit)
        error[powerdns/records] bad.example: PowerDNS has the zone, and cannot read its records (bad.example, http://HOST: PowerDNS failed (500: Internal Server Error))
          Run \`pdnsutil check-zone bad.example\`, which names the records, and correct them in the database of PowerDNS.
        [5]"
      `);
      expect(await apply("--skip-invalid")).toMatchInlineSnapshot(`
        "good.example                              ~1 change
          1 ~ change  www  A  300  192.0.2.1 → 192.0.2.2  updated in place; caches may keep the old value for up to 5 minutes  zones/good.example.zone:5
        warning  bad.example is left out: its live version cannot be read
        note  the service has no lock: RRsets are read right before they are written, and an edit by someone else in between, usually within 50 ms, is overwritten
        2 zones of the account not in git, left alone: out.example, twice.example
        plan: 1 change in 1 of 1 zone · 1 zone left out · effects 0fd88361 · 5 reads
        apply sends 1 write and 5 reads (no rate limit)
        applied and verified: 1 zone is as planned
        error[powerdns/records] bad.example: PowerDNS has the zone, and cannot read its records (bad.example, http://HOST: PowerDNS failed (500: Internal Server Error))
          Run \`pdnsutil check-zone bad.example\`, which names the records, and correct them in the database of PowerDNS.
        good.example: 1 write
        good.example: done
        [5]"
      `);
      expect(await run("drift")).toMatchInlineSnapshot(`
        "last known state of 1 of 1 zone; 1 zone read, without a log of events
        error  bad.example: PowerDNS has the zone, and cannot read its records (bad.example, http://HOST: PowerDNS failed (500: Internal Server Error))
          Run \`pdnsutil check-zone bad.example\`, which names the records, and correct them in the database of PowerDNS.
        in sync: 1 zone · 5 requests
        [5]"
      `);
      expect(await run("drift bad.example")).toMatchInlineSnapshot(`
        "error[powerdns/records] bad.example: PowerDNS has the zone, and cannot read its records (bad.example, http://HOST: PowerDNS failed (500: Internal Server Error))
          Run \`pdnsutil check-zone bad.example\`, which names the records, and correct them in the database of PowerDNS.
        [1]"
      `);
      expect(await run("import api")).toMatchInlineSnapshot(`
        "error[powerdns/records] bad.example: PowerDNS has the zone, and cannot read its records (bad.example, http://HOST: PowerDNS failed (500: Internal Server Error))
          Run \`pdnsutil check-zone bad.example\`, which names the records, and correct them in the database of PowerDNS.
        --- git/zones/good.example.zone
        +++ live/zones/good.example.zone
        @@ -1,4 +1,5 @@
        +;@ soa_edit_api: OFF
         $TTL 300
         @ SOA ns1.example.net. ops.example.net. 0 3600 600 86400 60
         @ NS ns1.example.net.
         @ NS ns2.example.net.
        zones/good.example.zone is kept: it differs from the live zone; --yes overwrites it
        error[out-of-zone] out.example has a record outside of it: www.example.org. A
          Delete it where the zone is stored.
        error[soa-twice] twice.example has a second SOA record: ns3.example.net. ops.example.net. 0 1 1 1 1
          Delete it where the zone is stored.
        0 zones written, 0 unchanged, 4 skipped
        [5]"
      `);
    });

    test("init names those that it cannot write, and why", async () => {
      const desk = new Desk({ "keys/pdns": `${apiKey}\n` });
      desk.shown.push([new URL(beside.url).host, "HOST"]);
      const init = async (words = "") => {
        const { code, out, talk } = await desk.run(
          `init --from powerdns ${beside.url} --api-key keys/pdns --yes ${words}`,
        );
        return `${talk}${out}[${code}]`;
      };
      expect(await init("--zone out.example")).toMatchInlineSnapshot(`
        "error[out-of-zone] out.example has a record outside of it: www.example.org. A
          Delete it where the zone is stored.
        wrote  schemas/config.schema.json
        wrote  zonewright.yaml
        wrote  acks.yaml
        wrote  .gitignore

        skipped 1 zone with errors: out.example
        Correct them on the server and run the same command again: it adds them.
        [3]"
      `);
      expect(await init()).toMatchInlineSnapshot(`
        "error[powerdns/records] bad.example: PowerDNS has the zone, and cannot read its records (bad.example, http://HOST: PowerDNS failed (500: Internal Server Error))
          Run \`pdnsutil check-zone bad.example\`, which names the records, and correct them in the database of PowerDNS.

        error[out-of-zone] out.example has a record outside of it: www.example.org. A
          Delete it where the zone is stored.

        error[soa-twice] twice.example has a second SOA record: ns3.example.net. ops.example.net. 0 1 1 1 1
          Delete it where the zone is stored.
        wrote  zones/good.example.yaml
        wrote  schemas/zone.schema.json
        kept   zonewright.yaml
        kept   acks.yaml
        kept   .gitignore

        skipped 3 zones with errors: bad.example, out.example, twice.example
        Correct them on the server and run the same command again: it adds them.

        1 zone, 4 records
        next: \`zonewright plan\` compares the files with the name server
        [5]"
      `);
    });
  });
});
