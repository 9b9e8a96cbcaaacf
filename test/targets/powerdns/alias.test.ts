// @suite long
import { describe, expect, onTestFinished, test } from "vitest";
import { allowAddresses } from "../../../src/server/kit/allowed-networks.ts";
import { createRemote } from "../../../src/server/kit/remote.ts";
import { apiDesk, Desk } from "../../cli/run.ts";
import { dig } from "../../dns/transfer/dig.ts";
import { type Program, programs, startNameServer } from "../../dns/transfer/nameservers.ts";
import { type Behaviour, startResolver } from "../../dns-client/fake-resolver.ts";
import { isMissing } from "../../judges.ts";
import { startApiRelay } from "./api-relay.ts";
import { delv } from "./delv.ts";
import { allowed, openDesk } from "./desk.ts";
import { apiKey, type PowerDnsServer, rrset, signZone, startPowerDns } from "./servers.ts";

const zone = "example.com.";
const file = "zones/example.com.zone";
const apex = `$TTL 300
@ SOA ns1.example.net. ops.example.net. 1 3600 600 86400 60
@ NS ns1.example.net.
@ NS ns2.example.net.
`;

/** The answers of the resolver of PowerDNS. */
const world = new Map<string, Behaviour>([
  ["www.example.net. A", { answer: ["www.example.net. 120 A 192.0.2.1"] }],
  ["www.example.net. AAAA", { answer: ["www.example.net. 120 AAAA 2001:db8::1"] }],
  ["v4.example.net. A", { answer: ["v4.example.net. 120 A 192.0.2.4"] }],
  ["v4.example.net. AAAA", {}],
]);

/** A resolver of this world, for the time of a test. */
async function resolve(): Promise<string> {
  const { at } = await startResolver((question) => {
    const [name = "", type] = question.split(" ");
    return world.get(`${name.toLowerCase()} ${type}`);
  });
  return `${at.host}:${at.port}`;
}

/** A PowerDNS that looks targets of ALIAS records up, with further settings. */
async function serve(settings: Readonly<Record<string, string>> = {}): Promise<PowerDnsServer> {
  const server = await startPowerDns({ "expand-alias": "yes", resolver: await resolve(), ...settings });
  onTestFinished(server.stop);
  return server;
}

/** A project with one zone, of which `edit` replaces the records. */
function open(url: string, records: string, settings = "") {
  const desk = openDesk(url, { [file]: apex + records + settings });
  const edit = (text: string) => desk.write(file, apex + text + settings);
  const run = async (command: string) => {
    const { code, out, talk } = await desk.run(command);
    return {
      code,
      out: `${talk}${out}`.replaceAll(/^note .*no lock.*\n/gm, "").replaceAll(/effects "?\w+"?/g, "effects …"),
    };
  };
  return { desk, edit, run };
}

const addressesOf = async ({ port }: PowerDnsServer, name: string) =>
  (await Promise.all(["A", "AAAA"].map((type) => dig({ host: "127.0.0.1", port }, name, type)))).flat().filter(Boolean);

const aliases = ["@ 5m www.example.net.", "shop 60 v4.example.net."];

/** The ALIAS records of a master file, with its `$TTL`. */
function aliasesIn(text: string): string[] {
  const [, usual = ""] = /^\$TTL (\S+)/m.exec(text) ?? [];
  return [...text.matchAll(/^(\S+)\s+(?:(\d+\w?)\s+)?(?:IN\s+)?ALIAS\s+(\S+)/gm)].map(
    ([, owner, ttl = usual, target]) => `${owner} ${ttl} ${target}`,
  );
}

interface StoredSet {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly records: readonly { readonly content: string; readonly disabled: boolean }[];
  readonly comments: readonly { readonly content: string }[];
}

/** The addresses and ALIAS records in the API, with disabled ones and comments. */
async function storedIn(server: PowerDnsServer): Promise<string[]> {
  const { rrsets } = (await server.call("GET", `/zones/${zone}`)) as { readonly rrsets: readonly StoredSet[] };
  return rrsets
    .filter(({ type }) => type === "ALIAS" || type === "A")
    .flatMap(({ name, type, ttl, records, comments }) =>
      records.map(({ content, disabled }) =>
        [
          ...[name.replace(`.${zone}`, ""), ttl, type, content],
          ...[...(disabled ? ["disabled"] : []), ...comments.map((one) => `; ${one.content}`)],
        ].join(" "),
      ),
    )
    .sort();
}

describe.skipIf(isMissing("pdns_server", "dig"))("ALIAS records of PowerDNS", () => {
  test("are written at the apex and below it, and answered with the addresses of their targets", async () => {
    const server = await serve();
    const { run } = open(
      server.url,
      "@ ALIAS www.example.net.\n@ MX 10 mail.example.net.\nshop 60 ALIAS WWW.Example.NET.\n",
    );
    expect(await run("apply --yes")).toMatchObject({ code: 0 });
    expect(await storedIn(server)).toEqual([
      "example.com. 300 ALIAS www.example.net.",
      "shop 60 ALIAS WWW.Example.NET.",
    ]);
    expect(await addressesOf(server, zone)).toEqual([
      "example.com. 120 IN A 192.0.2.1",
      "example.com. 120 IN AAAA 2001:db8::1",
    ]);
    expect(await run("plan --detailed-exitcode")).toEqual({ code: 0, out: "in sync: 1 zone, nothing to do\n" });
    const { code, out } = await run(`verify --nameserver 127.0.0.1:${server.port}`);
    expect({ code, out: out.replaceAll(/serial \d+/g, "serial N") }).toEqual({
      code: 0,
      out: [
        "pass          example.com  PowerDNS: 6 records as in the file",
        "pass          example.com  zone file: serial N, 4 RRsets as stored",
        `pass          example.com  127.0.0.1:${server.port}: serial N, 4 RRsets answered\n`,
      ].join("\n"),
    });
  });

  test("fail `verify` where the server answers them with nothing and their targets have addresses", async () => {
    const server = await serve({ "expand-alias": "no" });
    const { desk, run } = open(
      server.url,
      "@ ALIAS www.example.net.\nshop 60 ALIAS v4.example.net.\nshut ALIAS shut.example.net.\n",
    );
    expect(await run("apply --yes --allow G36")).toMatchObject({ code: 0 });
    const verify = async () => {
      const { code, out } = await run(`verify --nameserver 127.0.0.1:${server.port} --wait 0s`);
      return [
        code,
        out
          .trimEnd()
          .split("\n")
          .at(-1)
          ?.replace(/^(\S+) .*?: /, "$1 ")
          .replace(/127\.\S+/, "RESOLVER"),
      ];
    };
    expect(await verify()).toEqual([
      7,
      'inconclusive shut.example.com ALIAS is answered with no address, and its target "shut.example.net" cannot be resolved: this machine has no resolver (and 2 more)',
    ]);
    desk.resolvers = [await resolve()];
    expect(await verify()).toEqual([
      6,
      'fail shop.example.com ALIAS is answered with no A record, although its target "v4.example.net" has some (and 1 more)',
    ]);
  });

  test("edits by others are drift, imported, undone with it; comments and disabled records stay", async () => {
    const server = await serve();
    const { desk, run, edit } = open(server.url, "shop ALIAS www.example.net.\n");
    await run("apply --yes");
    const off = { content: "old.example.net.", disabled: true };
    const foreign = rrset(`shop.${zone}`, "ALIAS", "v4.example.net.");
    const rrsets = [{ ...foreign, records: [...foreign.records, off], comments: [{ content: "sales", account: "" }] }];
    await server.call("PATCH", `/zones/${zone}`, { rrsets });
    expect((await run("drift")).out).toContain("drift     shop ALIAS  300 www.example.net. → 300 v4.example.net.\n");
    expect((await run("apply --yes")).code).toBe(0);
    expect(await storedIn(server)).toEqual([
      "shop 300 ALIAS old.example.net. disabled ; sales",
      "shop 300 ALIAS www.example.net. ; sales",
    ]);
    expect((await run("undo last --yes")).code).toBe(0);
    expect(await storedIn(server)).toEqual([
      "shop 300 ALIAS old.example.net. disabled ; sales",
      "shop 300 ALIAS v4.example.net. ; sales",
    ]);
    expect((await run("import api example.com --yes")).code).toBe(0);
    expect(desk.read(file)).toContain("\nshop ALIAS v4.example.net.\n");
    edit("");
    expect((await run("apply --yes --allow G01,G28")).code).toBe(0);
    expect(await storedIn(server)).toEqual(["shop 300 ALIAS old.example.net. disabled ; sales"]);
    expect((await run("undo last --yes")).code).toBe(0);
    expect(await addressesOf(server, `shop.${zone}`)).toEqual(["shop.example.com. 120 IN A 192.0.2.4"]);
  });

  test("and addresses replace each other in one request, without a gap", async () => {
    const server = await serve();
    const { run, edit } = open(server.url, "old A 192.0.2.9\nv4 ALIAS v4.example.net.\nc CNAME www.example.net.\n");
    await run("apply --yes");
    edit("old ALIAS www.example.net.\nv4 A 192.0.2.44\nc ALIAS v4.example.net.\n");
    expect(await run("apply --yes")).toEqual({
      code: 0,
      out: expect.stringMatching(
        /\n {2}3 ⇄ swap {4}v4 .* replaced in one write {2}.*\n[\s\S]*\napply sends 6 writes in 1 request and /,
      ),
    });
    expect((await run("runs")).out).not.toContain("gap");
    expect(await Promise.all(["old", "v4", "c"].map((name) => addressesOf(server, `${name}.${zone}`)))).toEqual([
      ["old.example.com. 120 IN A 192.0.2.1", "old.example.com. 120 IN AAAA 2001:db8::1"],
      ["v4.example.com. 300 IN A 192.0.2.44"],
      ["c.example.com. 120 IN A 192.0.2.4"],
    ]);
  });

  test("move to a server with open records and back, and stay what they are", async () => {
    const server = await serve();
    const records = "@ ALIAS www.example.net.\nshop 60 ALIAS v4.example.net.\n";
    const desk = await apiDesk(
      { [file]: `${apex}${records};@ soa_email: ops@example.net\n`, "keys/pdns": apiKey },
      undefined,
      {
        records: "open",
      },
    );
    desk.write(
      "zonewright.yaml",
      `targets:
  cluster: { kind: powerdns, url: "${server.url}", api_key_file: keys/pdns }
  own: { kind: api, url: "${desk.url}", records: open }
zones: { path: zones, targets: [cluster, own] }
`,
    );
    const run = async (command: string) => {
      const { code, out, talk } = await desk.run(command);
      return [code, code === 0 ? "" : `${talk}${out}`];
    };
    expect(await run(`apply --target cluster --yes --allow ${allowed}`)).toEqual([0, ""]);
    expect(await run("export --live --target cluster --to bind --out from-cluster")).toEqual([0, ""]);
    expect(await run(`apply --target own --yes --allow ${allowed}`)).toEqual([0, ""]);
    expect(await run("export --live --target own --to bind --out from-own")).toEqual([0, ""]);
    const exported = ["from-cluster", "from-own"].map((folder) => aliasesIn(desk.read(`${folder}/example.com.zone`)));
    expect(exported).toEqual([aliases, aliases]);
    await server.call("DELETE", `/zones/${zone}`);
    desk.write(file, desk.read("from-own/example.com.zone"));
    expect(await run(`apply --target cluster --yes --allow ${allowed}`)).toEqual([0, ""]);
    expect(await storedIn(server)).toEqual([
      "example.com. 300 ALIAS www.example.net.",
      "shop 60 ALIAS v4.example.net.",
    ]);
  });

  test("may stand beside addresses, which answer for their type", async () => {
    const server = await serve();
    const { run } = open(server.url, "mix A 192.0.2.9\nmix ALIAS www.example.net.\n");
    expect(await run("apply --yes")).toMatchObject({ code: 0 });
    expect(await addressesOf(server, `mix.${zone}`)).toEqual([
      "mix.example.com. 300 IN A 192.0.2.9",
      "mix.example.com. 120 IN AAAA 2001:db8::1",
    ]);
  });

  test("that PowerDNS answers otherwise than they say are warnings", async () => {
    const server = await serve();
    const { run } = open(
      server.url,
      "*.w ALIAS v4.example.net.\ntwo ALIAS www.example.net.\ntwo ALIAS v4.example.net.\n",
    );
    const { out } = await run("apply --yes --allow G09");
    expect(out.match(/^warning.*$/gm)).toMatchInlineSnapshot(`
      [
        "warning  *.w ALIAS: PowerDNS answers with nothing for the names below the wildcard  zones/example.com.zone:5",
        "warning  two ALIAS: PowerDNS answers with the addresses of one ALIAS record, and the name has several  zones/example.com.zone:7",
      ]
    `);
    expect(await addressesOf(server, `a.w.${zone}`)).toEqual([]);
    expect((await addressesOf(server, `two.${zone}`)).filter((text) => text.includes(" A "))).toHaveLength(1);
  });
});

describe.skipIf(isMissing("pdns_server", "dig"))("an ALIAS record without an answer", () => {
  const alias = "shop ALIAS www.example.net.\nblog ALIAS v4.example.net.\n";

  test.each([
    [{ "expand-alias": "no" }, "expand-alias=no"],
    [{ resolver: "no" }, "resolver=no"],
  ])("of a server with %j is blocked, and told once for its zone", async (settings, reason) => {
    const server = await serve(settings);
    const { run, edit } = open(server.url, alias);
    const blocked = await run("apply --yes");
    expect([blocked.code, blocked.out.match(/^(?:warning| {2}blocked).*$/gm)]).toEqual([
      3,
      [
        `  blocked by G36 (ALIAS without answer): example.com: PowerDNS answers ALIAS with nothing (\`${reason}\`)`,
        `warning  example.com gets 2 ALIAS records: PowerDNS answers ALIAS with nothing (\`${reason}\`)  zones/example.com.zone:2`,
      ],
    ]);
    expect((await run("apply --yes --allow G36")).code).toBe(0);
    expect(await addressesOf(server, `shop.${zone}`)).toEqual([]);
    expect((await run("plan --detailed-exitcode")).out).toMatch(
      /^warning {2}example\.com has 2 ALIAS records: .*\nin sync/,
    );
    edit(`${alias}wiki ALIAS www.example.net.\n`);
    expect((await run("plan")).out).toContain("warning  example.com has 2 ALIAS records and gets 1 more: PowerDNS");
    expect((await run("doctor")).out).toContain(
      `ok    ALIAS       this server looks up no targets (\`${reason}\`), which is right unless zones have ALIAS records`,
    );
  });

  test.skipIf(isMissing("delv"))("of a signed zone is blocked: PowerDNS does not sign it", async () => {
    const server = await serve();
    const { run, edit } = open(server.url, "");
    await run("apply --yes");
    await signZone(server, zone);
    edit(alias);
    const blocked = await run("apply --yes");
    expect([blocked.code, blocked.out.match(/^ {2}blocked.*$/gm)]).toEqual([
      3,
      [
        "  blocked by G36 (ALIAS without answer): example.com: PowerDNS does not sign the addresses of ALIAS records, so validating resolvers reject them in this signed zone",
      ],
    ]);
    expect((await run("apply --yes --allow G36")).code).toBe(0);
    expect(await addressesOf(server, `shop.${zone}`)).toHaveLength(2);
    expect(await delv(server, zone, `shop.${zone}`, "A")).toMatch(/resolution failed/);
    expect(await delv(server, zone, zone, "NS")).toMatch(/fully validated/);
  });

  test("is not claimed of a server that does not tell its settings", async () => {
    const server = await serve({ "expand-alias": "no" });
    const relay = await startApiRelay(server.apiPort);
    onTestFinished(() => relay.stop());
    relay.onRequest = async (request) =>
      request.path.endsWith("/config")
        ? request.reply({ status: 403, body: Buffer.from("Forbidden") })
        : request.reply(await request.forward());
    const { run } = open(relay.url, alias);
    const { code, out } = await run("apply --yes");
    expect([code, out.match(/^(?:warning| {2}blocked).*$/gm)]).toEqual([0, null]);
    expect((await run("doctor")).out).not.toContain("ALIAS");
  });

  test("is blocked in the same words for a change of another plan, and not for a deletion", async () => {
    const server = await serve({ "expand-alias": "no" });
    const { run, edit } = open(server.url, alias);
    await run("apply --yes --allow G36");
    edit("shop ALIAS www.example.net.\nnew A 192.0.2.7\n");
    expect((await run("apply --yes --allow G01")).code).toBe(0);
    edit("shop ALIAS other.example.net.\nnew A 192.0.2.7\n");
    expect((await run("apply --yes")).code).toBe(3);
  });
});

describe.skipIf(isMissing("pdns_server", "dig"))("a zone transfer of ALIAS records", () => {
  const records = "shop ALIAS www.example.net.\nwww A 192.0.2.80\n";
  const note =
    "note  example.com gets 1 ALIAS record: secondaries get them as records of TYPE65401, and have no addresses for these names (`outgoing-axfr-expand-alias=no`)  zones/example.com.zone:2";

  async function answersOf(program: Program, server: PowerDnsServer) {
    const primary = { host: "127.0.0.1", port: server.port };
    const secondary = await startNameServer(program, { zones: {}, secondary: { primary, zones: [zone] } });
    onTestFinished(secondary.stop);
    const answers = await Promise.all(["shop", "www"].map((name) => dig(secondary, `${name}.${zone}`, "A")));
    return answers.flat().filter(Boolean);
  }

  test.skipIf(isMissing("named", "knotd", "nsd")).each(programs)(
    "has records that %s does not answer with addresses, which the plan tells once",
    async (program) => {
      const server = await serve();
      const { run, edit } = open(server.url, records, ";@ kind: Primary\n");
      expect((await run("apply --yes")).out.split("\n")).toContain(note);
      expect(await answersOf(program, server)).toEqual(["www.example.com. 300 IN A 192.0.2.80"]);
      edit(`${records}more A 192.0.2.81\n`);
      expect((await run("plan")).out).not.toContain("TYPE65401");
    },
  );

  test.skipIf(isMissing("named", "knotd", "nsd")).each(programs)(
    "has addresses for %s if PowerDNS is set so",
    async (program) => {
      const server = await serve({ "outgoing-axfr-expand-alias": "yes" });
      const { run } = open(server.url, records, ";@ kind: Primary\n");
      expect((await run("apply --yes")).out).not.toContain("secondaries");
      expect(await answersOf(program, server)).toEqual([
        "shop.example.com. 300 IN A 192.0.2.1",
        "www.example.com. 300 IN A 192.0.2.80",
      ]);
    },
  );
});

describe.skipIf(isMissing("pdns_server", "dig"))("a comparison with a PowerDNS", () => {
  const records = '@ ALIAS www.example.net.\n@ TXT "x"\nv4 ALIAS v4.example.net.\nc CNAME v4\nwww A 192.0.2.80\n';
  const compared = async (from: PowerDnsServer, to: string) => {
    const { run } = open(from.url, records);
    await run("apply --yes --allow G36");
    const { code, out } = await run(`compare ${to} @127.0.0.1:${from.port} example.com`);
    return [code, out.replaceAll(/127\.0\.0\.1:\d+/g, "SERVER")] as const;
  };

  test("takes the addresses of ALIAS records for those of each server", async () => {
    expect(await compared(await serve(), "zones")).toMatchInlineSnapshot(`
      [
        0,
        "A zones
      B @SERVER
      example.com: equal
        ignored: @ ALIAS, @ SOA, @ TYPE65401, v4 ALIAS and 4 more (every service sets
          its own)
        15 questions asked: no answer differs
      1 zone: 1 equal, 0 different, 0 incomplete
      ",
      ]
    `);
  });

  test.each([["yes"], ["no"]])(
    "of two, also with outgoing-axfr-expand-alias=%s, finds the one that has none",
    async (axfr) => {
      const [old, same, silent] = await Promise.all([
        serve({ "outgoing-axfr-expand-alias": axfr }),
        serve(),
        serve({ "expand-alias": "no" }),
      ]);
      await compared(old, "zones");
      expect((await compared(same, `@127.0.0.1:${old.port}`))[0]).toBe(0);
      const [code, out] = await compared(silent, `@127.0.0.1:${old.port}`);
      expect([code, out.match(/^ {2}answer.*$/gm)]).toEqual([
        2,
        ["@ A", "@ AAAA", "v4 A", "v4 AAAA"].map((question) => `  answer     ${question}`),
      ]);
    },
  );
});

describe.skipIf(isMissing("pdns_server", "dig"))("ALIAS records that PowerDNS transfers as TYPE65401", () => {
  const records = "@ ALIAS www.example.net.\nshop 60 ALIAS v4.example.net.\nwww A 192.0.2.80\n";

  /** A PowerDNS with a zone. */
  const primary = async () => {
    const server = await serve();
    expect((await open(server.url, records).run("apply --yes")).code).toBe(0);
    return server;
  };

  /** The ledger of an import without SOA and NS, a record on each line. */
  const ledgerOf = async (desk: Desk, command: string) => {
    const { code, out } = await desk.run(`${command} --report json`);
    const { zones } = JSON.parse(out) as { zones: { ledger: { entries: Record<string, string>[] } }[] };
    const entries = zones.flatMap(({ ledger }) => ledger.entries).filter(({ type }) => type !== "SOA" && type !== "NS");
    const text = entries.map(({ class: result, owner, ttl, type, rdata, rule = "", fix = "" }) =>
      [result, owner, ttl, type, rdata, rule, fix].join(" ").trim(),
    );
    return { code, ledger: text };
  };
  const exact = [
    "exact @ 300 ALIAS www.example.net.",
    "exact shop 60 ALIAS v4.example.net.",
    "exact www 300 A 192.0.2.80",
  ];

  test("import axfr for a PowerDNS: it has them, and the first apply answers", async () => {
    const [from, to] = await Promise.all([primary(), serve()]);
    const desk = openDesk(to.url, {});
    expect(await ledgerOf(desk, `import axfr example.com --from 127.0.0.1:${from.port} --to bind`)).toEqual({
      code: 0,
      ledger: exact,
    });
    expect(aliasesIn(desk.read(file))).toEqual(aliases);
    expect((await desk.run(`apply --yes --allow ${allowed}`)).code).toBe(0);
    expect(await storedIn(to)).toEqual(await storedIn(from));
  });

  test.each([
    ["a server with open records", "open", exact],
    [
      "an API without them",
      "documented",
      [
        'unsupported @ 300 ALIAS www.example.net. alias-record Write the A and AAAA records of "www.example.net." here, and update them when its addresses change.',
        "unsupported shop 60 ALIAS v4.example.net. alias-record Write `CNAME v4.example.net.` instead.",
        "exact www 300 A 192.0.2.80",
      ],
    ],
  ] as const)("import axfr for %s", async (_, setting, ledger) => {
    const from = await primary();
    const desk = new Desk({ "zonewright.yaml": `api_records: ${setting}\ndefaults: { soa_email: ops@example.net }\n` });
    const imported = await ledgerOf(desk, `import axfr example.com --from 127.0.0.1:${from.port}`);
    expect(imported).toEqual({ code: 0, ledger });
  });

  test.each([
    ["files", "folder: out"],
    ["rfc2136", "server: 127.0.0.1"],
  ])("import axfr for a target of the kind %s names them", async (kind, setting) => {
    const from = await primary();
    const desk = new Desk({ "zonewright.yaml": `targets: { other: { kind: ${kind}, ${setting} } }\nzones: zones\n` });
    const { ledger } = await ledgerOf(desk, `import axfr example.com --from 127.0.0.1:${from.port}`);
    expect(ledger).toEqual([
      'unsupported @ 300 ALIAS www.example.net. alias-record Write the A and AAAA records of "www.example.net." here, and update them when its addresses change.',
      "unsupported shop 60 ALIAS v4.example.net. alias-record Write `CNAME v4.example.net.` instead.",
      "exact www 300 A 192.0.2.80",
    ]);
  });

  test.each([
    ["open", exact.length, ["@ ALIAS www.example.net.", "shop ALIAS v4.example.net.", "www A 192.0.2.80"]],
    ["documented", 1, ["www A 192.0.2.80"]],
  ] as const)("an import by a server with %s records", async (setting, results, stored) => {
    const from = await primary();
    const remote = createRemote({ isAllowed: allowAddresses([{ address: "127.0.0.0", prefix: 8 }]) });
    const desk = await apiDesk({ "zonewright.yaml": `api_records: ${setting}\n` }, undefined, {
      records: setting,
      remote,
    });
    const body = { domain: "example.com", remote_nameserver: `127.0.0.1:${from.port}` };
    await desk.call("POST", "/domains/import", body);
    const { data } = await desk.call("GET", "/domains/1/records");
    const own = data.filter(({ type }: { type: string }) => type !== "NS");
    expect([
      own.length,
      own.map(({ name, type, target }: Record<string, string>) => `${name || "@"} ${type} ${target}`).sort(),
    ]).toEqual([results, stored]);
    const { data: events } = await desk.call("GET", "/account/events");
    const [{ message }] = events.filter(({ action }: { action: string }) => action === "dns_zone_import");
    expect(message.includes("left out: ALIAS (2)")).toBe(setting === "documented");
  });
});
