import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { IndexedZone } from "../../src/dns/lookup/rule.ts";
import { encodeRdata, octetsForm } from "../../src/dns/rdata/record-type.ts";
import { typeCode } from "../../src/dns/rdata/type-codes.ts";
import { WireWriter } from "../../src/dns/rdata/wire-writer.ts";
import { typeOf } from "../../src/dns/types/index.ts";
import { rdataText, type ZoneRecord } from "../../src/dns/zone/zone.ts";
import { sentName } from "../../src/targets/api/mapping.ts";
import { bindRefusal } from "../../src/targets/api/open-limits.ts";
import { isMissing } from "../judges.ts";
import { runProgram } from "../run-program.ts";
import { start } from "../server/start.ts";
import { readZone } from "./transfer/zones.ts";

const zone = "example.com";
const head = "@ 300 IN SOA ns.example.net. hostmaster 1 2 3 4 5\n@ 300 IN NS ns.example.net.\n";
const hash = "2T7B4G4VSA5SMI47K61MV5BV1A22BOJR";
const owner = "the first label of the owner is not a hash in base32";
const path = "dohpath is not a relative path with the variable dns";
const key = "the key of algorithm 253 does not begin with a domain name";
const name = (octets: string) => Buffer.from(octets, "latin1").toString("base64");
const long = `${`\x3f${"a".repeat(63)}`.repeat(3)}\x3d${"a".repeat(61)}\0`;
const times = "20300101000000 20200101000000 12345";

test
  .skipIf(isMissing("named-checkconf"))
  .each<[record: string, fault?: string, loads?: "only from a file"]>([
    [`${hash} NSEC3 1 0 0 - ${hash} A`],
    [`${hash.toLowerCase()}.sub NSEC3 1 0 0 - ${hash} A`],
    [`2T7B4G4V NSEC3 1 0 0 - ${hash} A`],
    [`plain NSEC3 1 0 0 - ${hash} A`, owner],
    [`2T7B4G4W NSEC3 1 0 0 - ${hash} A`, owner],
    [`* NSEC3 1 0 0 - ${hash} A`, owner],
    [`@ NSEC3 1 0 0 - ${hash} A`, owner],
    ["a HTTPS 1 . key7=/{?dns}"],
    ["a SVCB 1 . alpn=h2 key7=/q{?a,dns*}{/b:5}"],
    ["a HTTPS 1 . key7=/\\195\\188{+dns}"],
    ["a HTTPS 1 . key7=dns{?dns}", path],
    ["a HTTPS 1 . key7=/{?dns}{", path],
    ["a SVCB 1 . key7=/\\200{?dns}", path],
    ["a SVCB 1 . key7=/q{@dns}", path],
    [`a DNSKEY 256 3 253 ${name("\x03foo\0")}`],
    [`a CDNSKEY 256 3 253 ${name("\x03foo\0key")}`],
    [`a DNSKEY 256 3 253 ${name(long)}`],
    [`a DNSKEY 256 3 254 ${name("\x03fo")}`],
    [`a DNSKEY 256 3 253 ${name("\x03fo")}`, key],
    [`a CDNSKEY 256 3 253 ${name("\x03foo")}`, key],
    [`a KEY 256 3 253 ${name("\x7f")}`, key],
    [`a TYPE57 \\# 7 000003FD03666F`, key],
    ['a NAPTR 1 1 "u" "x" "!a!b!" .'],
    ['a NAPTR 1 1 "u" "x" "!a\\000!b!" .', "the substitution expression contains a NUL"],
    [`a ZONEMD 1 1 3 ${"C2".repeat(12)}`],
    [`a ZONEMD 1 1 3 ${"C2".repeat(11)}`, "the digest has fewer than 12 octets"],
    [
      `a RRSIG TYPE0 13 2 300 ${times} example.com. AAAA`,
      "it covers type 0, of which no records exist",
      "only from a file",
    ],
    [
      `a SIG TYPE0 13 2 300 ${times} example.com. AAAA`,
      "it covers type 0, of which no records exist",
      "only from a file",
    ],
    [`a RRSIG A 13 2 300 ${times} example.com. AAAA`],
    [`a RRSIG A 13 1 300 ${times} example.com. AAAA`, "the signed name has 1 label, fewer than the name of the signer"],
  ])("%s is refused by BIND, the server and the toolkit, or by none", async (line, fault, loads) => {
  const read = readZone(`${head}${line.replace(" ", " 300 ")}\n`, zone);
  const record = read.records.at(-1);
  if (record === undefined) throw new Error("no record");
  expect(await isLoaded(record)).toBe(fault === undefined || loads !== undefined);
  const found = [...bindRefusal.check(new IndexedZone(read))].map(({ summary }) => summary.replace(/^.*?: /, ""));
  expect(found).toEqual(fault === undefined ? [] : [fault]);

  const { call, domain } = await start({ records: "open" });
  await domain(zone);
  const sent = { type: record.type, name: sentName(record.owner, read.name), rdata: rdataText(record) };
  const { status, body } = await call("POST", "/domains/1/records", sent);
  const reason = `${fault?.charAt(0).toUpperCase()}${fault?.slice(1)}, so BIND refuses the zone`;
  expect([status, body.errors]).toEqual(fault === undefined ? [200, undefined] : [400, [{ field: "rdata", reason }]]);
});

/** Whether BIND loads a zone with the record as it is transferred: by its octets. */
async function isLoaded({ owner, type, data }: ZoneRecord): Promise<boolean> {
  const wire = WireWriter.plain();
  encodeRdata(typeOf(type), data, wire);
  const octets = octetsForm(Buffer.from(wire.bytes()).toString("latin1"));
  const file = join(mkdtempSync(join(tmpdir(), "zonewright-test-")), "zone");
  onTestFinished(() => rmSync(dirname(file), { recursive: true }));
  writeFileSync(file, `${head}${owner} 300 TYPE${typeCode(type)} ${octets}\n`);
  return (await runProgram(["named-checkzone", "-i", "none", zone, file])).code === 0;
}
