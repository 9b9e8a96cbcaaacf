import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { recordsText } from "../../src/report/records-text.ts";
import { readBind } from "../../src/sources/bind/read.ts";
import type { Zone, ZoneRecord } from "../../src/zone/zone.ts";

const apex = "@ 300 IN SOA ns.example.net. hostmaster 1 14400 3600 1209600 300\n@ 300 IN NS ns.example.net.\n";

/** Zone `example.` with all RDATA that the pages of the record types call good, in canonical form, and a set that fits into no datagram of 512 octets. */
export function everyType(): Zone {
  const folder = resolve(import.meta.dirname, "../cases/records");
  const pages = readdirSync(folder).filter((page) => page !== "soa.txt");
  const lines = pages.flatMap((page) => {
    const type = page.replace(".txt", "");
    const cases = [...readFileSync(join(folder, page), "utf8").matchAll(/^OK .*=> (.*)$/gm)];
    // The owner of an NSEC3 record is a hash (RFC 5155 §3).
    const owner = (index: number) => (type === "nsec3" ? String(index).padStart(32, "0") : `${type}-${index}`);
    return cases.map(([, rdata], index) => `${owner(index)} 300 IN ${type.toUpperCase()} ${rdata}\n`);
  });
  const many = Array.from({ length: 60 }, (_, index) => `many 300 IN A 192.0.2.${index}\n`);
  return readZone(apex + lines.join("") + many.join(""));
}

/** Zone `example.` with so many addresses besides. */
export function largeZone(count: number): Zone {
  const lines = Array.from(
    { length: count - 2 },
    (_, n) => `host-${n} 300 IN A 10.${n >> 16}.${(n >> 8) & 255}.${n & 255}\n`,
  );
  return readZone(apex + lines.join("")); // biome-ignore format: one line
}

export function readZone(text: string): Zone {
  return readBind({ file: "example.zone", bytes: Buffer.from(text), origin: "example." }).zone;
}

/** The zone as a master file that every name server reads: the SOA record first. */
export function masterFile(zone: Zone): string {
  const [soa = "", ...rest] = zone.records.map((record) => recordsText([{ ...zone, records: [record] }]));
  return [soa, ...rest].join("");
}

/** Records in canonical form, to be compared. */
export function linesOf(records: readonly ZoneRecord[]): string[] {
  return recordsText([{ name: "example.", settings: {}, places: {}, dotlessTargets: [], records }]).split("\n");
}
