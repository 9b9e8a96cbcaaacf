import { expect, test } from "vitest";
import { isType } from "../../src/dns/zone/zone.ts";
import { transferZones } from "../../src/workflow/import/transfer-zones.ts";
import { Desk } from "../cli/run.ts";
import { freePort, type Program, type Setup } from "../dns/transfer/nameservers.ts";
import { useNameServer } from "../dns/transfer/use-name-server.ts";
import { everyType, masterFile, readZone } from "../dns/transfer/zones.ts";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";

const soa = "@ 3600 IN SOA ns.example.org. hostmaster 7 7200 3600 1209600 300\n@ 3600 IN NS ns.example.org.\n";
const www = "www 3600 IN A 192.0.2.1\n";

async function start(program: Program, setup: Setup) {
  const server = await useNameServer(program, setup);
  return server;
}

for (const hash of ["zonemd-sha384", "zonemd-sha512"])
  for (const signing of ["off", "on"])
    test.skipIf(isMissing("knotd"))(
      `the ${hash} digest that Knot makes of every record type is right, signing ${signing}`,
      async () => {
        const zone = everyType();
        // Knot sends this signature with its original TTL, which receivers treat as 0 (RFC 2181 §8).
        const records = zone.records.filter((record) => !isType(record, "RRSIG") || record.data.original_ttl < 2 ** 31);
        const server = await start("knot", {
          zones: { "example.": masterFile({ ...zone, records }) },
          knotZone: [`dnssec-signing: ${signing}`, `zonemd-generate: ${hash}`],
        });
        const signal = new AbortController().signal;
        const request = { zones: [domainName("example.")], servers: [server], jobs: 1, perServer: 1, signal };
        for await (const transfer of transferZones(request))
          expect(transfer).toMatchObject({ evidence: { zonemd: "verified" }, notes: [] });
      },
    );

test.skipIf(isMissing("named", "nsd"))("a zone with a wrong digest fails, or comes from the next server", async () => {
  const zonemd = (text: string) => `@ 3600 IN ZONEMD 7 ${text}\n`;
  const bad = {
    "wrong.example.": soa + zonemd(`1 1 ${"ab".repeat(48)}`) + www,
    "unknown.example.": soa + zonemd(`1 3 ${"ab".repeat(48)}`) + www,
  };
  const first = await start("bind", { zones: bad });
  const second = await start("bind", { zones: { "wrong.example.": soa + www } });
  const desk = new Desk();
  desk.shown.push([`127.0.0.1:${first.port}`, "FIRST"], [`127.0.0.1:${second.port}`, "SECOND"]);
  const command = `import axfr wrong.example unknown.example --from 127.0.0.1:${first.port}`;
  const alone = await desk.run(command);
  expect([alone.code, alone.talk]).toEqual([
    5,
    `note[transfer/zonemd] FIRST: the ZONEMD record of unknown.example was not checked: its hash algorithm 3 is unknown
error[transfer/zonemd] wrong.example: FIRST: the ZONEMD record does not match the zone: its SHA384 digest is not that of the records
  Import the zone from its primary server, or have it make the digest again.
`,
  ]);
  expect(Object.keys(desk.files()).filter((file) => file.startsWith("zones/"))).toEqual(["zones/unknown.example.yaml"]);
  const both = await desk.run(`${command.replace(" unknown.example", "")} --from 127.0.0.1:${second.port}`);
  expect([both.code, both.talk.match(/.*zonemd.*/g)]).toEqual([
    0,
    [
      "warning[transfer/zonemd] FIRST: the ZONEMD record does not match the zone: its SHA384 digest is not that of the records",
    ],
  ]);
  expect(desk.read("zones/wrong.example.yaml")).toContain(`# Transferred from 127.0.0.1:${second.port}, serial 7`);
});

test.skipIf(isMissing("named", "nsd", "knotd"))(
  "--confirm compares each zone with that of a second server",
  async () => {
    const same = soa + www;
    const names = ["same", "signed", "other", "newer", "missing"].map((name) => `${name}.example.`);
    const first = await start("bind", { zones: Object.fromEntries(names.map((name) => [name, same])) });
    const second = await start("knot", {
      zones: {
        "same.example.": same,
        "other.example.": `${soa}www 3600 IN A 192.0.2.2\nmail 3600 IN A 192.0.2.3\n`,
        "newer.example.": same.replace(" 7 7200", " 8 7200"),
      },
    });
    const third = await start("bind", {
      zones: { "signed.example.": `${same}@ 3600 IN DNSKEY 256 3 13 abcd\n`, "same.example.": same },
    });
    const desk = new Desk({ "zones.txt": names.join("\n") });
    for (const [{ port }, name] of [
      [first, "FIRST"],
      [second, "SECOND"],
      [third, "THIRD"],
    ] as const)
      desk.shown.push([`127.0.0.1:${port}`, name]);
    const servers = [first, second, third].map(({ port }) => `--from 127.0.0.1:${port}`).join(" ");
    const { code, out, talk } = await desk.run(`import axfr --zones-file zones.txt --confirm ${servers}`);
    expect([code, out.match(/^wrote .*/gm), talk.match(/^warning.*/gm)]).toEqual([
      0,
      [
        "wrote zones/same.example.yaml: 3 records (1 exact, 2 left to the service), confirmed by SECOND",
        "wrote zones/signed.example.yaml: 3 records (1 exact, 2 left to the service), confirmed by THIRD",
        "wrote zones/other.example.yaml: 3 records (1 exact, 2 left to the service)",
        "wrote zones/newer.example.yaml: 3 records (1 exact, 2 left to the service)",
        "wrote zones/missing.example.yaml: 3 records (1 exact, 2 left to the service)",
      ],
      [
        "warning[transfer/unconfirmed] other.example has 1 record on FIRST that SECOND does not have, and SECOND has 2 others, with the same serial, for example www.other.example. A 192.0.2.1",
        "warning[transfer/serial] newer.example was transferred from FIRST with serial 7, but SECOND has serial 8",
        "warning[transfer/unconfirmed] newer.example was not compared with the zone on another server: THIRD: the server refused the request (REFUSED)",
        "warning[transfer/unconfirmed] missing.example was not compared with the zone on another server: SECOND: the server refused the request (REFUSED); THIRD: the server refused the request (REFUSED)",
      ],
    ]);
    expect(await desk.run(`import axfr a.example --confirm --from 127.0.0.1:${first.port}`)).toMatchObject({
      code: 64,
      talk: expect.stringContaining("--confirm needs several servers: repeat --from."),
    });
    for (const [host, port, text] of [
      ["127.0.0.1", first.port, "FIRST and FIRST are the same"],
      ["localhost", first.port, `FIRST and localhost:${first.port} are the same`],
      ["127.0.0.1", second.port, ""],
    ] as const) {
      const command = `import axfr same.example --confirm --from 127.0.0.1:${first.port} --from ${host}:${port}`;
      const { code, talk } = await desk.run(command);
      expect([text, code]).toEqual([text, text === "" ? 0 : 64]);
      if (text !== "") expect(talk).toContain(`--confirm needs different servers, but ${text}. Name another one.`);
    }
    // The zone changed after the second server was asked for its serial, or that server does not answer.
    const transfer = async ({ server }: { readonly server: { readonly port: number } }) => ({
      records: readZone(server.port === first.port ? same : same.replace(" 7 7200", " 8 7200")).records,
      unread: [],
    });
    const { signal } = new AbortController();
    for (const [port, reason] of [
      [second.port, "it has serial 8 by now"],
      [await freePort(), "the server is unreachable (ECONNREFUSED)"],
    ] as const) {
      const servers = [first, { host: "127.0.0.1", port }];
      const request = {
        zones: [domainName("same.example.")],
        servers,
        isConfirmed: true,
        jobs: 1,
        perServer: 1,
        signal,
      };
      for await (const found of transferZones(request, transfer))
        expect("notes" in found && found.notes.map(({ id, summary }) => [id, summary])).toEqual([
          [
            "transfer/unconfirmed",
            `same.example was not compared with the zone on another server: 127.0.0.1:${port}: ${reason}`,
          ],
        ]);
    }
  },
);

test.skipIf(isMissing("named", "nsd", "knotd"))(
  "--confirm tells TTLs that servers merge differently from other records",
  async () => {
    const mixed = "www 90 IN A 192.0.2.1\nwww 60 IN A 192.0.2.2\nwww 120 IN A 192.0.2.3\nmail 60 IN A 192.0.2.4\n";
    const zones = { "ttl.example.": soa + mixed, "other.example.": soa + mixed };
    const differing = { ...zones, "other.example.": soa + mixed.replace("192.0.2.3", "192.0.2.5") };
    const bind = await start("bind", { zones });
    for (const [program, ttls] of [
      ["knot", "of 3 records, for example 90 on BIND and 120 on OTHER for www.ttl.example. A 192.0.2.1"],
      ["nsd", "of 2 records, for example 90 on BIND and 60 on OTHER for www.ttl.example. A 192.0.2.2"],
      ["bind", undefined],
    ] as const) {
      const other = await start(program, { zones: differing });
      const desk = new Desk({ "zones.txt": "ttl.example\nother.example\n" });
      desk.shown.push([`127.0.0.1:${bind.port}`, "BIND"], [`127.0.0.1:${other.port}`, "OTHER"]);
      const servers = `--from 127.0.0.1:${bind.port} --from 127.0.0.1:${other.port}`;
      const { code, out, talk } = await desk.run(`import axfr --zones-file zones.txt --confirm ${servers}`);
      expect([program, code, out.match(/^wrote .*confirmed by OTHER/gm)?.length]).toEqual([program, 0, 1]);
      expect([program, ...(talk.match(/^warning.*/gm) ?? [])]).toEqual([
        program,
        ...(ttls
          ? [`warning[transfer/ttl] ttl.example has the same records on both servers, and only TTLs differ: ${ttls}`]
          : []),
        "warning[transfer/unconfirmed] other.example has 1 record on BIND that OTHER does not have, and OTHER has 1 other, with the same serial, for example www.other.example. A 192.0.2.3",
      ]);
    }
  },
);
