import { describe, expect, test } from "vitest";
import { transferMessages } from "../../../src/dns/compiled/transfer-messages.ts";
import { compileZone } from "../../../src/dns/compiled/zone-compiler.ts";
import { readMessage } from "../../../src/dns/transfer/message.ts";
import { AnswerSigner } from "../../../src/dns/transfer/signed-answer.ts";
import { type AlgorithmName, algorithms, credentials, type Key } from "../../../src/dns/transfer/tsig.ts";
import { rdataText, type ZoneRecord } from "../../../src/dns/zone/zone.ts";
import { receiveZone } from "../../../src/dns-client/transfer-zone.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { dig } from "./dig.ts";
import { fakeServer } from "./fake-server.ts";
import { everyType, largeZone, linesOf, soaOf, type TestZone } from "./zones.ts";

const now = () => Math.floor(Date.now() / 1000);
const keys = (Object.keys(algorithms) as AlgorithmName[]).map(
  (algorithm): Key => ({
    name: domainName(`${algorithm}.key.`),
    algorithm,
    secret: Buffer.from("a secret of two servers"),
  }),
);

/** Sends the zone to who asks, signed where the request is. */
function answerTransfers({ records }: TestZone, signing = (key: Key) => key) {
  const compiled = compileZone(soaOf(records), records.slice(1), 300);
  return fakeServer(function* (query) {
    const request = readMessage(query);
    const found = credentials(query, request, keys, now());
    if (found.kind === "refused") return;
    const signer = found.kind === "signed" ? new AnswerSigner(signing(found.key), found.prior, now) : undefined;
    yield* transferMessages(request, compiled, signer);
  });
}

const all = everyType();
/** These programs support no algorithm with a truncated hash. */
const known = keys.filter(({ algorithm }) => algorithms[algorithm].size === algorithms[algorithm].whole);

for (const program of ["dig", "kdig"] as const)
  describe.skipIf(isMissing(program))(program, () => {
    // kdig spells parameters of services and a few other values in its own way.
    const shown = program === "dig" ? all : { ...all, records: all.records.filter(isPlain) };

    test("reads our transfer as in the file", async () => {
      expect(await dig(await answerTransfers(shown), "example.", "AXFR", { program })).toEqual(linesOf(shown.records));
    });

    test("reads 100,000 records", async () => {
      const zone = largeZone(100_000);
      expect(await dig(await answerTransfers(zone), "example.", "AXFR", { program })).toEqual(linesOf(zone.records));
    });

    test.each(known.map((key) => [key.algorithm, key] as const))("verifies the signature: %s", async (_, key) => {
      const zone = largeZone(20_000);
      expect(await dig(await answerTransfers(zone), "example.", "AXFR", { program, key })).toEqual(
        linesOf(zone.records),
      );
    });
  });

for (const program of ["dig", "kdig"] as const)
  test.skipIf(isMissing(program))(`${program} rejects a wrong signature`, async () => {
    const [key = expect.fail()] = known;
    const zone = { ...all, records: all.records.slice(0, 2) };
    const server = await answerTransfers(zone, () => ({ ...key, secret: Buffer.from("another") }));
    await expect(dig(server, "example.", "AXFR", { program, key })).rejects.toThrow(/verif/);
  });

test.each(keys.map((key) => [key.algorithm, key] as const))("our reader verifies the signature: %s", async (_, key) => {
  const { records } = await receiveZone({ zone: domainName("example."), server: await answerTransfers(all), key });
  expect(linesOf(records)).toEqual(linesOf(all.records));
});

/** Types and values that kdig spells as master files do; it writes addresses like ::192.0.2.1 without dots. */
function isPlain(record: ZoneRecord): boolean {
  const types = "SOA NS A AAAA CNAME MX PTR SRV CAA TLSA SSHFP DS CDS DNSKEY NAPTR RP HINFO DNAME NSEC URI".split(" ");
  return types.includes(record.type) && !/^::\d+\./.test(rdataText(record));
}
