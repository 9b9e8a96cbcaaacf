import { expect, onTestFinished, test } from "vitest";
import type { Key } from "../../src/dns/transfer/tsig.ts";
import type { TransferOptions } from "../../src/dns-client/transfer-zone.ts";
import { formats } from "../../src/formats/formats.ts";
import { serveNames } from "../../src/server/serve-names.ts";
import { axfrSource } from "../../src/workflow/import/axfr.ts";
import type { LedgerEntry } from "../../src/workflow/import/ledger.ts";
import { importAcquired } from "../../src/workflow/import/zones.ts";
import { openProject } from "../../src/workflow/project/project.ts";
import { apiDesk, Desk, noon } from "../cli/run.ts";
import { dig } from "../dns/transfer/dig.ts";
import { binaries, programs } from "../dns/transfer/nameservers.ts";
import { useNameServer } from "../dns/transfer/use-name-server.ts";
import { linesOf, readZone } from "../dns/transfer/zones.ts";
import { normal } from "../formats/named.ts";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";
import { contextOf } from "./import-context.ts";

const key: Key = {
  name: domainName("transfer."),
  algorithm: "hmac-sha256",
  secret: Buffer.from("shared by two servers"),
};

const long = "a".repeat(60);

/**
 * Each record of a zone, with the class it must have, and what the service answers instead of a normalised one. The
 * rows are written by hand from decisions/service#records.
 */
const rows = `
left-to-the-service @              3600 SOA   ns1.old.example. hostmaster 7 7200 3600 1209600 300
left-to-the-service @              3600 NS    ns1.old.example.
left-to-the-service @              3600 NS    ns2.old.example.
exact       @              3600 A     192.0.2.1
exact       @              3600 MX    10 mail
unsupported @              3600 MX    300 mail2
exact       @              3600 TXT   "v=spf1 mx -all"
exact       @              3600 CAA   0 issue "letsencrypt.org"
unsupported @              3600 CAA   128 issue "letsencrypt.org"
unsupported @              3600 HTTPS 1 . alpn=h2
exact       mail           3600 A     192.0.2.2
exact       mail2          3600 A     192.0.2.3
exact       Mixed          3600 A     192.0.2.4
normalised  short          60   A     192.0.2.5 => short 300 A 192.0.2.5
normalised  text           3600 TXT   "two" "strings" => text 3600 TXT "twostrings"
unsupported _443._tcp.mail 3600 TLSA  3 1 1 ${"ab".repeat(32)}
unsupported mail           3600 SSHFP 4 2 ${"cd".repeat(32)}
exact       sub            3600 NS    ns1.sub
unsupported sub            3600 DS    1 13 2 ${"ef".repeat(32)}
exact       ns1.sub        3600 A     192.0.2.6
exact       _sip._tcp      3600 SRV   1 2 5060 mail
unsupported _xmpp._tcp     3600 SRV   256 2 5222 mail
exact       *.wild         3600 A     192.0.2.7
unsupported ${long}.${long} 3600 A     192.0.2.8
`;

const table = rows
  .trim()
  .split("\n")
  .map((row) => {
    const [, expected = "", record = "", after = record] =
      /^(\S+) +(.*?)(?: => (.*))?$/.exec(row.replaceAll(/ +/g, " ")) ?? [];
    return { expected, record, after };
  });

const zoneText = `$ORIGIN example.com.\n${table.map(({ record }) => `${record}\n`).join("")}`;

function textOf({ owner, ttl, type, rdata }: LedgerEntry, zone: string): string {
  const name = owner === "@" ? zone : owner.endsWith(".") ? owner : `${owner}.${zone}`;
  return `${name} ${ttl} IN ${type} ${rdata}\n`;
}

/** The records that dig reads in a transfer, each once. */
async function transferred(...args: Parameters<typeof dig>): Promise<string[]> {
  return [...new Set(await dig(...args))].filter(Boolean).sort();
}

for (const program of programs)
  test.skipIf(isMissing(binaries[program], "dig"))(
    `every record that ${program} transfers is in the ledger once, and in the place that it says`,
    async () => {
      const server = await useNameServer(program, { zones: { "example.com.": zoneText }, keys: [key] });
      const desk = await apiDesk();
      const context = contextOf(desk);
      const project = openProject(context, { config: "zonewright.yaml" });
      const zones = [domainName("example.com.")];
      const source = axfrSource({ zones, servers: [server], key, jobs: 2, perServer: 1 });
      const request = { source, to: "yaml", isRestart: false, command: "" } as const;
      const results = [];
      for await (const one of importAcquired(context, project, request, { confirm: async () => false }))
        results.push(one);
      const [zone] = results;
      if (!zone || zone.state === "failed") throw new Error(JSON.stringify(zone));
      const { entries } = zone.ledger;
      const before = await transferred(server, "example.com.", "AXFR", { key });
      expect(
        normal(entries.map((entry) => textOf(entry, "example.com.")).join(""))
          .split("\n")
          .filter(Boolean)
          .sort(),
      ).toEqual(before);
      const kindOf = (record: string) => record.split(" ").slice(0, 3).join(" ").toLowerCase();
      expect(
        entries.map(({ class: of, owner, ttl, type }) => `${of} ${kindOf(`${owner} ${ttl} ${type}`)}`).sort(),
      ).toEqual(table.map(({ expected, record }) => `${expected} ${kindOf(record)}`).sort());
      expect(await desk.run("apply --yes")).toMatchObject({ code: 0 });
      const host = "127.0.0.1";
      const names = await serveNames(
        { store: desk.store, clock: () => noon },
        { host, port: 0, secondaries: [{ host, port: 9 }] },
      );
      onTestFinished(() => names.close());
      const answered = (await transferred({ host, port: names.port }, "example.com.", "AXFR")).filter(
        (line) => !/^example\.com\. \d+ IN (?:SOA|NS) /.test(line),
      );
      const kept = table.filter(({ expected }) => expected === "exact" || expected === "normalised");
      expect(answered).toEqual(recordsOf(kept.map(({ after }) => after)));
    },
  );

/** Records of example.com in the form in which dig's are compared. */
function recordsOf(records: readonly string[]): string[] {
  const { zone } = formats.bind.read({
    file: "t.zone",
    bytes: Buffer.from(`$ORIGIN example.com.\n${records.join("\n")}\n`),
    origin: domainName("example.com."),
    settings: [],
  });
  return linesOf(zone.records).filter(Boolean).sort();
}

test("an import that crashes at any zone is continued, and gives the same files", async () => {
  const names = Array.from({ length: 6 }, (_, index) => domainName(`zone-${index}.example.`));
  const transfers: string[] = [];
  const start = async (desk: Desk, crashAt: number | undefined) => {
    const context = contextOf(desk);
    const project = openProject(context, { config: "zonewright.yaml" });
    const transfer = async ({ zone }: TransferOptions) => {
      if (names.indexOf(zone) === crashAt) throw new Error("power failure");
      transfers.push(zone);
      const { records } = readZone(
        `@ 300 SOA ns h 7 1 1 1 1\n@ 300 NS ns.example.\nwww 300 A 192.0.2.1\n`,
        zone.slice(0, -1),
      );
      return { records, unread: [] };
    };
    const servers = [{ host: "192.0.2.53", port: 53 }];
    const source = axfrSource({ zones: names, servers, jobs: 1, perServer: 1 }, transfer);
    const request = { source, to: "bind", isRestart: false, command: "" } as const;
    const states: string[] = [];
    for await (const { state } of importAcquired(context, project, request, { confirm: async () => false }))
      states.push(state);
    return states;
  };
  const whole = new Desk();
  await start(whole, undefined);
  const zonesOf = (desk: Desk) => Object.entries(desk.files()).filter(([file]) => file.startsWith("zones/"));
  for (const crashAt of [0, 1, 3, 5]) {
    const desk = new Desk();
    await expect(start(desk, crashAt)).rejects.toThrow("power failure");
    transfers.length = 0;
    const states = await start(desk, undefined);
    const done = states.filter((state) => state === "earlier").length;
    expect([states.length, transfers.length]).toEqual([6, 6 - done]);
    expect(done).toBeLessThanOrEqual(crashAt);
    expect(zonesOf(desk)).toEqual(zonesOf(whole));
  }
});
