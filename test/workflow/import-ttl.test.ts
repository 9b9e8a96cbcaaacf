import { expect, onTestFinished, test } from "vitest";
import { readMessage } from "../../src/dns/transfer/message.ts";
import { writeMessage } from "../../src/dns/transfer/message-writer.ts";
import { serveNames } from "../../src/server/serve-names.ts";
import { apiDesk, noon } from "../cli/run.ts";
import { transferZones } from "../dns/transfer/dig.ts";
import { fakeServer } from "../dns/transfer/fake-server.ts";
import { readZone } from "../dns/transfer/zones.ts";
import { isMissing } from "../judges.ts";
import { compareWithLedger, type ReportedEntry } from "./transfer-oracle.ts";

/**
 * The records of a transfer in their order, as no name server sends them: the TTLs of a set differ. Each has its class
 * and rule in the ledger, written by hand: the service has one TTL for each record, and the answer is the shortest of
 * the set (RFC 2181 §5.2), rounded.
 */
const rows = `
left-to-the-service -                example.com. 3600 IN SOA ns.example.net. hostmaster.example.com. 7 14400 3600 1209600 300
left-to-the-service apex-ns          example.com. 3600 IN NS ns.example.net.
exact       -                www.example.com. 300 IN A 192.0.2.1
normalised  rrset-ttl        www.example.com. 3600 IN A 192.0.2.2
normalised  rrset-ttl        www.example.com. 7200 IN A 192.0.2.3
exact       -                www.example.com. 3600 IN AAAA 2001:db8::1
normalised  rrset-ttl        last.example.com. 7200 IN A 192.0.2.1
exact       -                last.example.com. 3600 IN A 192.0.2.2
normalised  ttl-rounded      short.example.com. 60 IN TXT "one"
normalised  rrset-ttl        short.example.com. 3600 IN TXT "two"
exact       -                again.example.com. 300 IN A 192.0.2.9
normalised  duplicate-record again.example.com. 3600 IN A 192.0.2.9
normalised  duplicate-record later.example.com. 3600 IN A 192.0.2.9
exact       -                later.example.com. 300 IN A 192.0.2.9
unsupported priority-range     mail.example.com. 300 IN MX 300 www.example.com.
unsupported priority-range     mail.example.com. 3600 IN MX 300 www.example.com.
normalised  rrset-ttl        mail.example.com. 3600 IN MX 10 www.example.com.
`;

const table = rows
  .trim()
  .split("\n")
  .map((row) => {
    const [, kind = "", rule = "", record = ""] = /^(\S+) +(\S+) +(.*)$/.exec(row) ?? [];
    return { kind, rule, record };
  });

test.skipIf(isMissing("dig"))(
  "records of a set with several TTLs are in the ledger with the TTL that the service answers",
  async () => {
    const server = await fakeServer((octets) => {
      const { id, questions } = readMessage(octets);
      const sent = table.flatMap(({ record }) => readZone(record, "example.com").records);
      const records = sent.map(({ owner, type, ttl = 0, data }) => ({ owner, type, class: 1, ttl, data }));
      return [writeMessage({ id, qr: true, aa: true, questions, answers: [...records, ...records.slice(0, 1)] })];
    });
    const desk = await apiDesk();
    const imported = await desk.run(`import axfr example.com --from 127.0.0.1:${server.port} --report json`);
    expect([imported.code, imported.talk.match(/^error.*/gm)]).toEqual([0, null]);
    const entries: (ReportedEntry & { rule?: string })[] = JSON.parse(imported.out).zones[0].ledger.entries;
    expect(entries.map(({ class: kind, rule = "-" }, index) => `${kind} ${rule} ${table[index]?.record}`)).toEqual(
      table.map(({ kind, rule, record }) => `${kind} ${rule} ${record}`),
    );
    expect(await desk.run("apply --yes")).toMatchObject({ code: 0 });
    const host = "127.0.0.1";
    const names = await serveNames(
      { store: desk.store, clock: () => noon },
      { host, port: 0, secondaries: [{ host, port: 9 }] },
    );
    onTestFinished(() => names.close());
    const zones = await transferZones({ host, port: names.port }, ["example.com."]);
    const after = zones.get("example.com.") ?? "";
    const before = table.map(({ record }) => record).join("\n");
    expect(compareWithLedger("example.com.", { before, after, ledger: entries })).toEqual([]);
  },
);
