import { createHash, type Hash } from "node:crypto";
import { isInside, isSameName, type Name, nameKey, sortKey } from "../name/name.ts";
import { encodeRdata } from "../rdata/record-type.ts";
import { WireWriter } from "../rdata/wire-writer.ts";
import { typeOf } from "../types/index.ts";
import { isType, type ZoneRecord } from "../zone/zone.ts";
import { dnsClass } from "./codes.ts";

/** The result of a check: why the digest is wrong, or cannot be checked; `absent` if the zone has none. */
export type ZonemdResult =
  | { readonly state: "absent" }
  | { readonly state: "verified" }
  | { readonly state: "wrong" | "unsupported"; readonly reason: string };

/** Hash algorithms (RFC 8976 §5.3), and the lengths of their digests in hexadecimal digits. */
const hashes: Readonly<Record<number, { readonly name: string; readonly length: number }>> = {
  1: { name: "sha384", length: 96 },
  2: { name: "sha512", length: 128 },
};

/** The only scheme so far (RFC 8976 §5.2). */
const simple = 1;

/**
 * Checks the ZONEMD records of a complete zone (RFC 8976 §4). One right digest is enough. Signatures are not checked,
 * so the result shows damage, but not tampering.
 */
export function verifyZonemd(zone: Name, records: readonly ZoneRecord[]): ZonemdResult {
  const digests = records
    .filter((record) => isType(record, "ZONEMD"))
    .filter(({ owner }) => isSameName(owner, zone))
    .map(({ data }) => data);
  if (digests.length === 0) return { state: "absent" };
  const serial = records.find((record) => isType(record, "SOA"))?.data.serial;
  const wrong: string[] = [];
  const unsupported: string[] = [];
  for (const { serial: of, scheme, hash_algorithm: algorithm, digest } of digests) {
    const hash = hashes[algorithm];
    const same = digests.filter((other) => other.scheme === scheme && other.hash_algorithm === algorithm);
    if (scheme !== simple) unsupported.push(`its scheme ${scheme} is unknown`);
    else if (hash === undefined || hash.length !== digest.length)
      unsupported.push(`its hash algorithm ${algorithm} is unknown`);
    else if (same.length > 1) wrong.push(`there are ${same.length} with the same scheme and hash algorithm`);
    else if (of !== serial) wrong.push(`it is of the serial ${of}, and the zone has ${serial}`);
    else if (digestZone(zone, records, hash.name) === digest.toLowerCase()) return { state: "verified" };
    else wrong.push(`its ${hash.name.toUpperCase()} digest is not that of the records`);
  }
  const [reason] = wrong;
  if (reason !== undefined) return { state: "wrong", reason };
  return { state: "unsupported", reason: unsupported[0] ?? "" };
}

/** The digest of a zone by the scheme SIMPLE, in hexadecimal (RFC 8976 §3.3.1). */
function digestZone(zone: Name, records: readonly ZoneRecord[], algorithm: string): string {
  const hash = createHash(algorithm);
  const included = records.filter((record) => isInside(record.owner, zone) && !isOfDigest(zone, record));
  const sorted = included
    .map((record) => ({ record, name: sortKey(record.owner), code: typeOf(record.type).code, data: encode(record) }))
    .sort((a, b) => compareText(a.name, b.name) || a.code - b.code || a.data.compare(b.data));
  for (const [index, { record, name, code, data }] of sorted.entries()) {
    const last = sorted[index - 1];
    if (last?.name === name && last.code === code && last.data.equals(data)) continue;
    addRecord(hash, record, code, data);
  }
  return hash.digest("hex");
}

/** Whether it is a ZONEMD record at the apex, or the signature of it. */
function isOfDigest(zone: Name, record: ZoneRecord): boolean {
  const isIt = record.type === "ZONEMD" || (isType(record, "RRSIG") && record.data.type_covered === "ZONEMD");
  return isIt && isSameName(record.owner, zone);
}

/** Adds a record in canonical form (RFC 4034 §6.2). */
function addRecord(hash: Hash, { owner, ttl = 0 }: ZoneRecord, code: number, data: Buffer): void {
  const wire = WireWriter.plain();
  wire.name(nameKey(owner));
  wire.uint(2, code);
  wire.uint(2, dnsClass.in);
  wire.uint(4, ttl);
  wire.uint(2, data.length);
  hash.update(wire.bytes()).update(data);
}

function encode({ type, data }: ZoneRecord): Buffer {
  const wire = lowerCaseTypes.has(type) ? WireWriter.lowerCase() : WireWriter.plain();
  encodeRdata(typeOf(type), data, wire);
  return wire.bytes();
}

/** Types whose names are in lower case in the canonical form (RFC 4034 §6.2, RFC 6840 §5.1). */
const lowerCaseTypes: ReadonlySet<string> = new Set([
  "NS",
  "MD",
  "MF",
  "CNAME",
  "SOA",
  "MB",
  "MG",
  "MR",
  "PTR",
  "MINFO",
  "MX",
  "RP",
  "AFSDB",
  "RT",
  "SIG",
  "PX",
  "NXT",
  "NAPTR",
  "KX",
  "SRV",
  "DNAME",
  "A6",
  "RRSIG",
]);

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
