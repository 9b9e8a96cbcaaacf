import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { encodeRdata, octetsForm } from "../../../src/dns/rdata/record-type.ts";
import { typeCode } from "../../../src/dns/rdata/type-codes.ts";
import { WireWriter } from "../../../src/dns/rdata/wire-writer.ts";
import { typeOf } from "../../../src/dns/types/index.ts";
import { isType, type RecordList, type Zone, type ZoneRecord } from "../../../src/dns/zone/zone.ts";
import { readBind, recordsText } from "../../formats/api.ts";
import { domainName } from "../../names.ts";

export const apex = "@ 300 IN SOA ns.example.net. hostmaster 1 14400 3600 1209600 300\n@ 300 IN NS ns.example.net.\n";

/**
 * All valid RDATA in the pages of the record types, in a usual and in the canonical form, each at its own name.
 *
 * By default without some: a zone has one SOA record; ALIAS is a private type, whose code no two providers share; CLA
 * and IPN are too new for dig.
 */
export function goodData(
  leftOut: readonly string[] = ["soa", "alias", "cla", "ipn"],
): { owner: string; type: string; written: string; canonical: string }[] {
  const folder = resolve(import.meta.dirname, "../../cases/records");
  const pages = readdirSync(folder).filter((page) => !leftOut.includes(page.replace(".txt", "")));
  return pages.flatMap((page) => {
    const type = page.replace(".txt", "");
    const cases = [...readFileSync(join(folder, page), "utf8").matchAll(/^OK (.*)=> (.*)$/gm)];
    // The owner of an NSEC3 record is a hash (RFC 5155 §3).
    const owner = (index: number) => (type === "nsec3" ? String(index).padStart(32, "0") : `${type}-${index}`);
    return cases.map(([, written = "", canonical = ""], index) => {
      return { owner: owner(index), type: type.toUpperCase(), written: written.trim(), canonical };
    });
  });
}

/** Zone `example.` with all of it in canonical form, and a set that fits into no datagram of 512 octets. */
export function everyType(): TestZone {
  const lines = goodData().map(({ owner, type, canonical }) => `${owner} 300 IN ${type} ${canonical}\n`);
  const many = Array.from({ length: 60 }, (_, index) => `many 300 IN A 192.0.2.${index}\n`);
  return readZone(apex + lines.join("") + many.join(""));
}

/** Zone `example.` with `count` further addresses. */
export function largeZone(count: number): TestZone {
  const lines = Array.from(
    { length: count - 2 },
    (_, n) => `host-${n} 300 IN A 10.${n >> 16}.${(n >> 8) & 255}.${n & 255}\n`,
  );
  return readZone(apex + lines.join(""));
}

/** A zone whose records are an array, as those of a transfer are. */
export interface TestZone extends Zone {
  readonly records: readonly ZoneRecord[];
}

export function readZone(text: string, zone = "example"): TestZone {
  const read = readBind({ file: `${zone}.zone`, bytes: Buffer.from(text), origin: domainName(`${zone}.`) });
  return { ...read.zone, records: [...read.zone.records] };
}

/** Types that BIND, Knot and NSD know by their mnemonics. */
const common = new Set(
  (
    "A AAAA CAA CDNSKEY CDS CNAME DNAME DNSKEY DS HINFO HTTPS LOC MX NAPTR NS NSEC NSEC3 NSEC3PARAM OPENPGPKEY PTR RP " +
    "RRSIG SMIMEA SOA SPF SRV SSHFP SVCB TLSA TXT URI"
  ).split(" "),
);

/**
 * The zone as a master file that every name server reads: the SOA record first, rare types by their octets (RFC 3597
 * §5), and the key `ech` without a value, which Knot refuses.
 */
export function masterFile(zone: Zone): string {
  const [soa = "", ...rest] = zone.records.map((record) => {
    const line = recordsText([{ ...zone, records: [record] }]);
    return common.has(record.type) && !/ ech$/m.test(line) ? line : genericLine(record);
  });
  return [soa, ...rest].join("");
}

function genericLine({ owner, type, ttl, data }: ZoneRecord): string {
  const wire = WireWriter.plain();
  encodeRdata(typeOf(type), data, wire);
  const octets = Buffer.from(wire.bytes()).toString("latin1");
  return `${owner} ${ttl} IN TYPE${typeCode(type)} ${octetsForm(octets)}\n`;
}

/** Records in canonical form, to be compared. */
export function linesOf(records: RecordList): string[] {
  return recordsText([{ name: domainName("example."), settings: {}, places: {}, dotlessTargets: [], records }]).split(
    "\n",
  );
}

/** The SOA record that a zone begins with. */
export function soaOf([soa]: Iterable<ZoneRecord>): ZoneRecord<"SOA"> {
  return soa && isType(soa, "SOA") ? soa : expect.fail();
}
