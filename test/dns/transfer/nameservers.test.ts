import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Name } from "../../../src/dns/name/name.ts";
import { readMessage } from "../../../src/dns/transfer/message.ts";
import { writeMessage } from "../../../src/dns/transfer/message-writer.ts";
import { TransferError } from "../../../src/dns/transfer/transfer-error.ts";
import { type AlgorithmName, algorithms, type Key } from "../../../src/dns/transfer/tsig.ts";
import { isType, type ZoneRecord } from "../../../src/dns/zone/zone.ts";
import { ask, askSoa } from "../../../src/dns-client/ask.ts";
import { receiveZone, type TransferOptions } from "../../../src/dns-client/transfer-zone.ts";
import { overUdp } from "../../../src/dns-client/udp.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { dig } from "./dig.ts";
import { proxy } from "./fake-server.ts";
import { binaries, type Program, programs, type Running, startNameServer } from "./nameservers.ts";
import { apex, everyType, goodData, largeZone, linesOf, masterFile, readZone } from "./zones.ts";

const all = everyType();
const large = largeZone(100_000);
const zone = domainName("example.");

/** The records as a program serves them; undefined for those that it does not take, or changes. */
const served: Record<Program, (record: ZoneRecord) => ZoneRecord | undefined> = {
  bind: (record) => record,
  knot: signatures,
  nsd: (record) => {
    if (isType(record, "NSEC") && record.data.types.includes("TYPE0")) return undefined;
    if (isType(record, "CAA") && /[A-Z]/.test(record.data.tag)) return undefined;
    return isType(record, "RRSIG", "SIG") && record.data.original_ttl === 2 ** 32 - 1 ? undefined : record;
  },
};

/** Knot gives a signature the TTL of what it signs. */
function signatures(record: ZoneRecord): ZoneRecord | undefined {
  if (!isType(record, "RRSIG")) return record;
  const ttl = record.data.original_ttl;
  return ttl < 2 ** 31 ? { owner: record.owner, type: record.type, ttl, data: record.data } : undefined;
}

const secret = Buffer.from("a secret that two servers share, of any length");
/** Algorithms that no server here knows by a name of their own; tsig.test.ts has them among ourselves. */
const truncated = new Set(["hmac-sha256-128", "hmac-sha384-192", "hmac-sha512-256"]);
const keys = (Object.keys(algorithms) as AlgorithmName[])
  .filter((algorithm) => !truncated.has(algorithm))
  .map((algorithm): Key => ({ name: domainName(`${algorithm}.key.example.net.`), algorithm, secret }));

async function outcome(options: Omit<TransferOptions, "zone"> & { zone?: Name }): Promise<string> {
  try {
    const { records } = await receiveZone({ zone, ...options });
    return `${records.length} records`;
  } catch (error) {
    if (error instanceof TransferError) return `${error.problem.id}: ${error.message}`;
    throw error;
  }
}

for (const program of programs)
  describe.skipIf(isMissing(binaries[program]))(program, () => {
    const expected = all.records.map(served[program]).filter((record) => record !== undefined);
    let open: Running;
    let keyed: Running;
    let closed: Running;

    beforeAll(async () => {
      const zones = {
        [zone]: masterFile({ ...all, records: all.records.filter((record) => served[program](record)) }),
      };
      open = await startNameServer(program, {
        zones: { ...zones, "large.": masterFile(large).replaceAll("example.", "large.") },
      });
      keyed = await startNameServer(program, { zones, keys });
      closed = await startNameServer(program, { zones, transfer: "nobody" });
    });

    afterAll(() => Promise.all([open, keyed, closed].map((server) => server?.stop())));

    test("sends every type as in the file", async () => {
      const { records, unread } = await receiveZone({ zone, server: open });
      expect(unread).toEqual([]);
      expect(linesOf(records)).toEqual(linesOf(expected));
    });

    test.skipIf(isMissing("dig"))("dig reads the same records", async () => {
      const { records } = await receiveZone({ zone, server: open });
      expect(await dig(open, zone, "AXFR")).toEqual(linesOf(records));
    });

    test("sends 100,000 records", async () => {
      const { records } = await receiveZone({ zone: domainName("large."), server: open });
      expect(records.map(({ owner }) => owner).sort()).toEqual(
        large.records.map(({ owner }) => owner.replace("example.", "large.")).sort(),
      );
    });

    test.each(keys.map((key) => [key.algorithm, key] as const))("signs with %s", async (_, key) => {
      const { records } = await receiveZone({ zone, server: keyed, key });
      expect(linesOf(records)).toEqual(linesOf(expected));
      expect((await ask(keyed, { question: { name: zone, type: "NS", class: 1 } }, { key })).answers.length).toBe(1);
    });

    test("answers its SOA record", async () => {
      expect(linesOf([await askSoa(open, zone)])).toEqual(linesOf(all.records.slice(0, 1)));
    });

    test("retries over TCP after a truncated answer", async () => {
      const question = { name: domainName(`many.${zone}`), type: "A", class: 1 };
      const bounds = { timeoutMs: 3000, attempts: 3 };
      expect(await overUdp(writeMessage({ questions: [question] }), open, readMessage, bounds)).toMatchObject({
        tc: true,
      });
      const { answers, tc } = await ask(open, { question });
      expect([answers.length, tc]).toEqual([60, false]);
    });

    test.each<[string, () => Parameters<typeof outcome>[0], string]>([
      [
        "another secret",
        () => ({ server: keyed, key: { ...first(), secret: Buffer.from("another") } }),
        "transfer/tsig: the server rejected the TSIG (BADSIG)",
      ],
      [
        "an unknown key",
        () => ({ server: keyed, key: { ...first(), name: domainName("other.") } }),
        "transfer/tsig: the server rejected the TSIG (BADKEY)",
      ],
      [
        "a wrong clock",
        () => ({ server: keyed, key: first(), now: () => 1_000_000_000 }),
        "transfer/tsig: the server rejected the TSIG (BADTIME)",
      ],
      [
        "cut off after 3000 bytes",
        () => ({ server: open, cut: 3000 }),
        "transfer/incomplete: the connection ended before a whole DNS message",
      ],
    ])("%s", async (_, options, expected) => {
      const { cut, ...rest } = options() as Parameters<typeof outcome>[0] & { cut?: number };
      const found = await outcome({ ...rest, server: cut ? await proxy(rest.server, cut) : rest.server });
      expect(found.replace(/; its clock says [\dT:.-]+Z$/, ""), "NSD does not tell its clock").toBe(expected);
    });

    test.each<[string, () => Parameters<typeof outcome>[0]]>([
      ["no key", () => ({ server: keyed })],
      ["nobody may", () => ({ server: closed })],
      ["another zone", () => ({ server: open, zone: "example.com." })],
    ])("%s refuses", async (_, options) => {
      expect(await outcome(options())).toMatch(/^transfer\/(?:refused|notauth): /);
    });
  });

/** Types that Knot 3.2 reads by their mnemonics; BIND reads all that have a page. */
const mnemonicsOfKnot = new Set(
  (
    "A AAAA AFSDB APL CAA CDNSKEY CDS CERT CNAME CSYNC DHCID DNAME DNSKEY DS EUI48 EUI64 HINFO HTTPS IPSECKEY KEY KX L32 L64 " +
    "LOC LP MINFO MX NAPTR NID NS NSEC NSEC3 NSEC3PARAM OPENPGPKEY PTR RP RRSIG RT SMIMEA SPF SRV SSHFP SVCB TLSA TXT URI ZONEMD"
  ).split(" "),
);

/** A KEY without a key, an IPSECKEY with one of no algorithm, and an ech without a value, which Knot refuses. */
const refusedByKnot = /^KEY \d+ \d+ \d+$|^IPSECKEY \d+ \d+ 0 |^(?:HTTPS|SVCB) .* ech(?: |$)/;

/** Here the name server makes the octets of each type itself: no code of ours is in what it sends. */
const readers: [Program, (type: string) => boolean, form: "written" | "canonical"][] = [
  ["bind", () => true, "written"],
  ["knot", (type) => mnemonicsOfKnot.has(type), "canonical"],
];

for (const [program, knows, form] of readers)
  describe.skipIf(isMissing(binaries[program]))(`${program} reads the mnemonics itself`, () => {
    const data = goodData().filter(
      ({ type, canonical }) => knows(type) && !(program === "knot" && refusedByKnot.test(`${type} ${canonical}`)),
    );
    const text = `$ORIGIN example.\n${apex}${data.map((one) => `${one.owner} 300 IN ${one.type} ${one[form]}\n`).join("")}`;
    const read = readZone(text)
      .records.map(served[program])
      .filter((record) => record !== undefined);

    test("the transferred zone equals our reading of the file", async () => {
      const lines = text.split("\n").filter((line) => program === "bind" || isServed(line));
      const server = await startNameServer(program, { zones: { [zone]: lines.join("\n") } });
      try {
        const { records, unread } = await receiveZone({ zone, server });
        expect(unread).toEqual([]);
        expect(linesOf(records)).toEqual(linesOf(read));
        expect(new Set(records.map(({ type }) => type)).size).toBe(new Set(read.map(({ type }) => type)).size);
      } finally {
        await server.stop();
      }
    });

    /** A line of a record that the program does not take is not given to it. */
    function isServed(line: string): boolean {
      return readZone(apex + line).records.every((record) => record.type === "SOA" || served[program](record));
    }
  });

function first(): Key {
  return keys.find(({ algorithm }) => algorithm === "hmac-sha256") ?? expect.fail();
}
