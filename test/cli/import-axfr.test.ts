import { rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import type { MessageRecord } from "../../src/dns/transfer/message.ts";
import { readMessage } from "../../src/dns/transfer/message.ts";
import { type NewMessage, writeMessage } from "../../src/dns/transfer/message-writer.ts";
import { fakeServer, tcpServer } from "../dns/transfer/fake-server.ts";
import { readZone } from "../dns/transfer/zones.ts";
import { Desk, lines } from "./run.ts";

/** The records of a zone that our fake servers send. */
function records(zone: string, text: string): MessageRecord[] {
  const head = "@ 300 IN SOA ns.example. hostmaster 7 14400 3600 1209600 300\n@ 300 IN NS ns.example.\n";
  return readZone(head + text, zone).records.map(({ owner, type, ttl = 0, data }) => ({
    owner,
    type,
    class: 1,
    ttl,
    data,
  }));
}

/** The server's answer to a transfer of a zone, by the first label of its name. */
function answers(zone: string, head: NewMessage): NewMessage[] {
  const [soa, ...rest] = records(zone, "www 300 IN A 192.0.2.1\n_443._tcp.www 300 IN TLSA 3 1 1 abcd\n") as [
    MessageRecord,
    ...MessageRecord[],
  ];
  const other = { ...soa, data: { ...soa.data, serial: 8 } };
  const kind = zone.split(".")[0] ?? "";
  switch (kind) {
    case "refused":
      return [{ ...head, rcode: 5 }];
    case "lame":
      return [{ ...head, rcode: 9 }];
    case "failing":
      return [{ ...head, rcode: 2 }];
    case "truncated":
      return [{ ...head, answers: [soa, ...rest], tc: true }];
    case "changing":
      return [{ ...head, answers: [soa, ...rest, other] }];
    case "foreign":
      return [{ ...head, answers: [soa, ...records("example.org", "www A 192.0.2.1\n").slice(2), soa] }];
    case "other-id":
      return [{ ...head, id: (head.id ?? 0) ^ 1, answers: [soa, ...rest, soa] }];
    case "signed":
      return [{ ...head, answers: [soa, ...records(zone, "@ 300 IN DNSKEY 256 3 13 abcd\n").slice(2), ...rest, soa] }];
    default:
      return [{ ...head, answers: [soa, ...rest, soa] }];
  }
}

async function server() {
  return fakeServer((octets) => {
    const { id, questions } = readMessage(octets);
    const zone = questions[0]?.name ?? "";
    return answers(zone.slice(0, -1), { id, qr: true, aa: true, questions }).map((message) => writeMessage(message));
  });
}

test("a zone that fails is reported once, and the others are written", async () => {
  const { port } = await server();
  const bad = ["refused", "lame", "failing", "truncated", "changing", "foreign", "other-id"];
  const desk = new Desk({
    "zones.txt": `good.example\n${bad.map((name) => `${name}.example\n`).join("")}signed.example\n`,
  });
  desk.shown.push([`127.0.0.1:${port}`, "SERVER"]);
  const { code, out, talk } = await desk.run(`import axfr --zones-file zones.txt --from 127.0.0.1:${port}`);
  expect(`${code}\n${out}${talk}`).toMatchInlineSnapshot(`
    "5
    wrote zones/good.example.yaml: 4 records (1 exact, 2 left to the service, 1 unsupported)
      unsupported _443._tcp.www TLSA 3 1 1 ABCD: the API does not support records of this type [type-unsupported]
    failed refused.example
    failed lame.example
    failed failing.example
    failed truncated.example
    failed changing.example
    failed foreign.example
    failed other-id.example
    wrote zones/signed.example.yaml: 5 records (1 exact, 2 left to the service, 1 unsupported, 1 lost)
      lost        @ DNSKEY 256 3 13 abcd: the service does not sign zones [dnssec-unsigned]
      unsupported _443._tcp.www TLSA 3 1 1 ABCD: the API does not support records of this type [type-unsupported]

    9 zones: 2 written, 0 unchanged, 0 kept, 7 failed
    9 records (2 exact, 4 left to the service, 2 unsupported, 1 lost)
    left to the service: the service makes its own SOA record, and NS records at the apex
    unsupported: kept in the zone file, and not sent
    lost: not in the zone file, or not answered by the service
    warning[dnssec-unsigned] signed.example is signed, and the service does not sign zones; DS records at its parent are unknown: no resolver is configured
      Query them with ${"`"}dig DS signed.example${"`"}, or name a resolver with --resolver. If the parent has any, remove them there, wait for their TTL to pass, and only then change the name servers.
    error[transfer/refused] refused.example: SERVER: the server refused the request (REFUSED)
      Allow this address or this TSIG key to transfer the zone on the server. See ${"`"}zonewright help import.md${"`"}.

    error[transfer/notauth] lame.example: SERVER: the server is not authoritative for the zone, or rejected the TSIG key (NOTAUTH)
      Use a server that is authoritative for the zone, and a key that it knows. See ${"`"}zonewright help import.md${"`"}.

    error[transfer/servfail] failing.example: SERVER: the server failed (SERVFAIL), often because it has not loaded the zone
      Check the log of the server, or use another one.

    error[transfer/answer] truncated.example: SERVER: the server sent a truncated response over TCP
      This is not a valid response of a name server of the zone. Use another server.

    error[transfer/soa] changing.example: SERVER: the zone changed during the transfer: it ends with another SOA record
      Try again.

    error[transfer/out-of-zone] foreign.example: SERVER: the server sent "www.example.org.", which is not in the zone
      This is not a valid response of a name server of the zone. Use another server.

    error[transfer/answer] other-id.example: SERVER: the response has another message id
      This is not a valid response of a name server of the zone. Use another server.
    "
  `);
  expect(Object.keys(desk.files()).filter((file) => file.startsWith("zones/"))).toEqual([
    "zones/good.example.yaml",
    "zones/signed.example.yaml",
  ]);
  expect(desk.read("zones/good.example.yaml").replace(/127\.0\.0\.1:\d+/, "SERVER")).toMatchInlineSnapshot(`
    "# Transferred from SERVER, serial 7
    zone: good.example
    soa_email: hostmaster@good.example
    ttl_sec: 5m
    refresh_sec: 4h
    retry_sec: 1h
    expire_sec: 2w
    records:
      www:
        A: 192.0.2.1
      _443._tcp.www:
        lenient: [type-unsupported]
        TLSA: 3 1 1 ABCD
    "
  `);
});

test("sarif: a finding at the written file for each record that is not exact, and for each failed zone", async () => {
  const { port } = await server();
  const desk = new Desk();
  desk.shown.push([`127.0.0.1:${port}`, "SERVER"]);
  const { out } = await desk.run(
    `import axfr good.example signed.example refused.example --report sarif --from 127.0.0.1:${port}`,
  );
  const { runs, ...head } = JSON.parse(out);
  expect(head).toEqual({ $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0" });
  const [{ results, columnKind, tool }] = runs;
  expect([runs.length, columnKind, tool.driver.rules.map(({ id }: { id: string }) => id)]).toEqual([
    1,
    "utf16CodeUnits",
    ["type-unsupported", "dnssec-unsigned", "transfer/refused"],
  ]);
  // biome-ignore lint/suspicious/noExplicitAny: the test describes its shape.
  const rowOf = ({ ruleId, ruleIndex, level, message, locations: [{ physicalLocation }] }: any) => {
    expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
    const { artifactLocation, region } = physicalLocation;
    return `${level} ${artifactLocation.uri}:${region.startLine} ${message.text.slice(0, 80)}`;
  };
  expect(results.map(rowOf)).toEqual([
    "warning zones/good.example.yaml:13 good.example: _443._tcp.www TLSA 3 1 1 ABCD (unsupported): the API does not supp",
    "warning zones/signed.example.yaml:13 signed.example: _443._tcp.www TLSA 3 1 1 ABCD (unsupported): the API does not su",
    "error zones/signed.example.yaml:1 signed.example: @ DNSKEY 256 3 13 abcd (lost): the service does not sign zones.",
    "warning zones/signed.example.yaml:1 signed.example is signed, and the service does not sign zones; DS records at its",
    "error zonewright.yaml:1 refused.example: SERVER: the server refused the request (REFUSED). Allow this ad",
  ]);
});

test("an existing file keeps its comments and what is equal; the change is shown first", async () => {
  const { port } = await server();
  const desk = new Desk();
  const command = `import axfr good.example --from 127.0.0.1:${port}`;
  expect((await desk.run(command)).out).toMatch(/^wrote /);
  expect((await desk.run(command)).out).toMatch(/^unchanged /);
  desk.write(
    "zones/good.example.yaml",
    lines`
      # the good zone
      soa_email: hostmaster@good.example
      ttl_sec: 300
      refresh_sec: 14400
      retry_sec: 1h
      expire_sec: 2w
      records:
        mail: { A: 192.0.2.25 } # gone there
        www:
          A: 192.0.2.1 # stays as it is written
        _443._tcp.www:
          lenient: [type-unsupported]
          TLSA: 3 1 1 ABCD
    `,
  );
  const kept = await desk.run(command);
  expect(kept).toEqual({
    code: 5,
    out: lines`
      kept zones/good.example.yaml: 4 records (1 exact, 2 left to the service, 1 unsupported)
        unsupported _443._tcp.www TLSA 3 1 1 ABCD: the API does not support records of this type [type-unsupported]

      1 zone: 0 written, 0 unchanged, 1 kept, 0 failed
      4 records (1 exact, 2 left to the service, 1 unsupported)
      left to the service: the service makes its own SOA record, and NS records at the apex
      unsupported: kept in the zone file, and not sent
    `,
    talk: lines`
      --- git/zones/good.example.yaml
      +++ transferred/zones/good.example.yaml
      @@ -4,9 +4,8 @@
       refresh_sec: 14400
       retry_sec: 1h
       expire_sec: 2w
       records:
      -  mail: { A: 192.0.2.25 } # gone there
         www:
           A: 192.0.2.1 # stays as it is written
         _443._tcp.www:
           lenient: [type-unsupported]
      zones/good.example.yaml is kept: it differs from the transferred zone; --yes overwrites it
    `,
  });
  const before = desk.read("zones/good.example.yaml");
  expect((await desk.run(`${command} --yes`)).code).toBe(0);
  expect(desk.read("zones/good.example.yaml")).toBe(before.replace("  mail: { A: 192.0.2.25 } # gone there\n", ""));
});

test.each([
  ["good.example.yaml", "# Transferred from 192.0.2.9:53, serial 6", "# Transferred from SERVER, serial 7"],
  ["good.example.zone", "; Transferred from 192.0.2.9:53, serial 6", "; Transferred from SERVER, serial 7"],
  ["good.example.yaml", "# Transferred from 192.0.2.9:53, serial 6!", "# Transferred from 192.0.2.9:53, serial 6!"],
  ["good.example.yaml", "# Ours.\n# Transferred from a, serial 6", "# Ours.\n# Transferred from a, serial 6"],
])("a merge into %s: the first line %j becomes %j, and new records of names get lenient", async (file, head, after) => {
  const { port } = await server();
  const contents = file.endsWith(".yaml")
    ? lines`
        soa_email: hostmaster@good.example
        ttl_sec: 300
        refresh_sec: 14400
        retry_sec: 1h
        expire_sec: 2w
        records:
          www: # where people look
            A: 192.0.2.1
          _443._tcp.www: { TXT: gone }
      `
    : lines`
        $TTL 300
        @ SOA ns.example. hostmaster 7 14400 3600 1209600 300
        www A 192.0.2.1 ; where people look
        _443._tcp.www TXT gone
      `;
  const desk = new Desk({ [`zones/${file}`]: `${head}\n${contents}` });
  const command = `import axfr good.example --yes --from 127.0.0.1:${port}`;
  expect((await desk.run(command)).code).toBe(0);
  const merged = file.endsWith(".yaml")
    ? contents.replace("{ TXT: gone }", "{ lenient: [type-unsupported], TLSA: 3 1 1 ABCD }")
    : `;@ lenient _443._tcp.www: type-unsupported\n${contents.replace("TXT gone", "TLSA 3 1 1 ABCD")}`;
  const expected = `${after.replace("SERVER", `127.0.0.1:${port}`)}\n${merged}`;
  expect(desk.read(`zones/${file}`)).toBe(expected);
  expect((await desk.run(command)).out).toMatch(/^unchanged /);
  expect(desk.read(`zones/${file}`)).toBe(expected);
});

test.each([
  [
    "import axfr --from 192.0.2.1",
    "no zones are given. Name zones, a file that lists them with --zones-file, or a --catalog.",
  ],
  ["import axfr example.com", "--from is missing. Name the server to transfer from, or a name server with --target."],
  [
    "import axfr example.com --from 192.0.2.1:x",
    '--from needs an address or a name, with or without a port, such as 192.0.2.53:5300; not "192.0.2.1:x".',
  ],
  ["import axfr example.com --from 192.0.2.1 --jobs 0", '--jobs needs a whole number of at least 1, not "0".'],
])("%s is refused", async (command, message) => {
  const { code, out, talk } = await new Desk().run(command);
  expect([code, out]).toEqual([64, ""]);
  expect(talk).toContain(message);
});

test("a zone file given as a list of zones is one error", async () => {
  const desk = new Desk({ "db.example.com": "@ SOA ns1 h 7 2h 1h 2w 5m\n@ NS ns1\nwww A 192.0.2.1\n" });
  const { code, out, talk } = await desk.run("import axfr --zones-file db.example.com --from 192.0.2.1");
  expect([code, out, talk.split("\n")]).toEqual([
    3,
    "",
    [
      "error[zone-name] this line is not the name of a zone",
      "  db.example.com:1:1",
      "    1 | @ SOA ns1 h 7 2h 1h 2w 5m",
      "      | ^",
      "  A list has one name per line, or is the configuration of BIND, Knot or NSD. `zonewright import file` reads zone files.",
      "",
    ],
  ]);
});

test("names of a list that are hostile, or none, are refused before anything is transferred", async () => {
  const desk = new Desk({ "empty.txt": "# none\n", "zones.txt": `good.example\n${"a".repeat(64)}.example\na..b\n` });
  const empty = await desk.run("import axfr --zones-file empty.txt --from 192.0.2.1");
  expect([empty.code, empty.talk]).toEqual([
    64,
    expect.stringContaining("no zones to transfer are listed in empty.txt."),
  ]);
  const bad = await desk.run("import axfr --zones-file zones.txt --from 192.0.2.1");
  expect([bad.code, bad.talk.match(/zones\.txt:\d+/g)]).toEqual([3, ["zones.txt:2", "zones.txt:3"]]);
  expect(await desk.run("import axfr . --from 192.0.2.1")).toMatchObject({
    code: 3,
    talk: expect.stringContaining("the root zone cannot be imported"),
  });
});

test("transfers from a server that refuses in a row become slower, up to one second, until it gives a zone", async () => {
  const { port } = await server();
  const waitedFor = async (zones: string[]) => {
    const desk = new Desk({ "zones.txt": zones.map((zone) => `${zone}\n`).join("") });
    await desk.run(`import axfr --zones-file zones.txt --jobs 1 --per-server 1 --from 127.0.0.1:${port}`);
    return desk.waited;
  };
  const refused = ["a", "b", "c", "d", "e", "f", "g"].map((name) => `refused.${name}.example`);
  expect(await waitedFor(refused.slice(0, 2))).toBe(0);
  expect(await waitedFor(refused)).toBe(125 + 250 + 500 + 1000 + 1000);
  expect(await waitedFor([...refused.slice(0, 3), "good.example", ...refused.slice(3, 5)])).toBe(125 + 250);
  expect(await waitedFor(["lame.a.example", "lame.b.example", "lame.c.example", "lame.d.example"])).toBe(0);
});

test("if every zone fails, the exit code is 1", async () => {
  const { port } = await server();
  const result = await new Desk().run(`import axfr refused.example lame.example --from 127.0.0.1:${port}`);
  expect(result.code).toBe(1);
});

test("another import that runs is reported, and Ctrl-C stops without a file", async () => {
  const silent = await tcpServer(() => {});
  const desk = new Desk();
  const command = `import axfr good.example --from 127.0.0.1:${silent.port}`;
  const interruption = new AbortController();
  const first = desk.run(command, { interruption });
  while (!Object.keys(desk.files()).includes(".zonewright/lock")) await wait(5);
  interruption.abort();
  expect((await first).code).toBe(130);
  desk.write(".zonewright/lock", JSON.stringify({ pid: 4712, host: hostname() }));
  desk.isAlive = true;
  expect(await desk.run(command)).toMatchObject({ code: 8, talk: expect.stringContaining("error[run-locked]") });
  rmSync(join(desk.folder, ".zonewright/lock"));
  const { port } = await server();
  expect((await desk.run(`import axfr good.example --from 127.0.0.1:${port}`)).code).toBe(0);
});

test.each([
  ["the target of the folder, not the first one", "cluster, public", "{ path: a, targets: public }", "public"],
  ["the target of the folder, which is the first one", "public, cluster", "{ path: a, targets: public }", "public"],
  ["a target that holds all", "public, cluster", "{ path: a, targets: cluster }", "cluster"],
  ["both targets, in any order", "public, cluster", "{ path: a, targets: [public, cluster] }", "both"],
  ["both targets, in the other order", "cluster, public", "{ path: a, targets: [public, cluster] }", "both"],
])("the ledger tells what the targets of a zone hold: %s", async (_, order, folder, holder) => {
  const kinds = {
    public: "public: { kind: api, url: http://127.0.0.1:1 }",
    cluster: "cluster: { kind: powerdns, url: http://127.0.0.1:2 }",
  };
  const targets = order.split(", ").map((name) => kinds[name as keyof typeof kinds]);
  const desk = new Desk({
    "zonewright.yaml": `targets:\n  ${targets.join("\n  ")}\nzones:\n  - ${folder}\n  - { path: b, targets: [cluster, public] }\n`,
  });
  const { port } = await server();
  const { code, out } = await desk.run(`import axfr example.com --from 127.0.0.1:${port} --report json`);
  const [{ ledger }] = JSON.parse(out).zones;
  const shown = ledger.entries.map(({ class: result, type, reason = "" }: Record<string, string>) =>
    [result, type, ...(type === "SOA" ? [] : [reason])].join(" ").trim(),
  );
  const on = holder === "both" ? " (on public)" : "";
  const ofApi = [
    "left-to-the-service SOA",
    `left-to-the-service NS the service answers with its own name servers${on}`,
    "exact A",
    `unsupported TLSA the API does not support records of this type${on}`,
  ];
  expect([code, shown]).toEqual([
    0,
    holder === "cluster" ? ["normalised SOA", "exact NS", "exact A", "exact TLSA"] : ofApi,
  ]);
  const text = desk.read("a/example.com.yaml");
  expect([text.includes("NS: ns.example."), text.includes("TLSA")]).toEqual([holder !== "public", true]);
});
