import fc from "fast-check";
import { asName, isInside, type Name, nameKey } from "../../../src/dns/name/name.ts";
import type { ZoneRecord } from "../../../src/dns/zone/zone.ts";
import { domainName } from "../../names.ts";

const apex = domainName("example.");

/** Few labels, so that names meet: at, above and below each other, in different letter case, and as wildcards. */
const label = fc.constantFrom("a", "b", "A", "*", "c", "_x");
export const nameInside = fc.array(label, { maxLength: 4 }).map((labels) => asName([...labels, apex].join(".")));
const target = fc.oneof(
  { weight: 5, arbitrary: nameInside },
  { weight: 1, arbitrary: fc.constantFrom("a.example.net.", "EXAMPLE.", "b.A.EXAMPLE.", "net.").map(domainName) },
);
const number = fc.nat(3);
const octet = fc.nat(3);

const rdata: Record<string, fc.Arbitrary<object>> = {
  A: octet.map((last) => ({ address: `192.0.2.${last}` })),
  AAAA: octet.map((last) => ({ address: `2001:db8::${last + 1}` })),
  TXT: octet.map((text) => ({ strings: [String(text)] })),
  MX: fc.record({ preference: number, exchange: target }),
  SRV: fc.record({ priority: number, weight: number, port: number, target }),
  NS: fc.record({ nsdname: target }),
  CNAME: fc.record({ cname: target }),
  DNAME: fc.record({ target }),
  DS: octet.map((tag) => ({ key_tag: tag, algorithm: 13, digest_type: 2, digest: "49FD46E6C4B45C55".repeat(4) })),
};
export const questionTypes = [...Object.keys(rdata), "SOA", "ANY", "CAA"];

const record = fc
  .constantFrom(...Object.keys(rdata))
  .chain((type) => fc.tuple(nameInside, fc.constant(type), rdata[type] ?? fc.constant({})))
  .map(([owner, type, data]): ZoneRecord => ({ owner, type, ttl: ttlOf(owner, type), data }));

/** One TTL for each set. */
function ttlOf(owner: Name, type: string): number {
  return 60 + ((nameKey(owner).length * 7 + type.length) % 5) * 60;
}

const soa: ZoneRecord = {
  owner: apex,
  type: "SOA",
  ttl: 3600,
  data: {
    ...{ mname: domainName("ns.example."), rname: domainName("h.example.") },
    ...{ serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 60 },
  },
};
const servers: ZoneRecord = { owner: apex, type: "NS", ttl: 3600, data: { nsdname: domainName("ns.example.") } };

/** The records of a zone that name servers accept: an alias is alone at its name, and none is at the apex. */
export const generatedZone: fc.Arbitrary<readonly ZoneRecord[]> = fc
  .array(record, { maxLength: 40 })
  .map((records) => [soa, servers, ...acceptable(records)]);

/** Versions of a zone, each made from the one before by a few changes; names come and go. */
export const generatedVersions: fc.Arbitrary<(readonly ZoneRecord[])[]> = fc
  .tuple(
    generatedZone,
    fc.array(
      fc.record({
        removed: fc.array(fc.nat(), { maxLength: 6 }),
        added: fc.array(record, { maxLength: 6 }),
        ttl: fc.option(fc.constantFrom(60, 120), { freq: 4 }),
        minimum: fc.constantFrom(60, 300),
      }),
      { minLength: 1, maxLength: 5 },
    ),
  )
  .map(([first, changes]) => {
    const versions = [first];
    for (const { removed, added, ttl, minimum } of changes) {
      const [, , ...before] = versions.at(-1) ?? first;
      const gone = new Set(removed.map((index) => index % Math.max(1, before.length)));
      const kept = before.filter((_, index) => !gone.has(index));
      const [one] = kept;
      const others = kept.map((record) =>
        ttl !== null && one && nameKey(record.owner) === nameKey(one.owner) && record.type === one.type
          ? { ...record, ttl }
          : record,
      );
      const known = new Map(others.map(({ owner, type, ttl }) => [`${nameKey(owner)} ${type}`, ttl]));
      const fresh = added.map((record) => ({
        ...record,
        ttl: known.get(`${nameKey(record.owner)} ${record.type}`) ?? record.ttl,
      }));
      const start = { ...soa, data: { ...soa.data, serial: versions.length + 1, minimum } };
      versions.push([start, servers, ...acceptable([...others, ...fresh])]);
    }
    return versions;
  });

function acceptable(records: readonly ZoneRecord[]): ZoneRecord[] {
  const kept: ZoneRecord[] = [];
  for (const record of records) {
    const key = nameKey(record.owner);
    const at = [servers, ...kept].filter(({ owner }) => nameKey(owner) === key);
    const isAlone = record.type === "CNAME" || at.some(({ type }) => type === "CNAME");
    const isSecond = record.type === "DNAME" && at.some(({ type }) => type === "DNAME");
    const isMisplaced = key === nameKey(apex) && ["NS", "DS", "DNAME"].includes(record.type);
    const isWildcardCut = key.startsWith("*.") && ["NS", "DNAME"].includes(record.type);
    const isOrphan = record.type === "DS" && !at.some(({ type }) => type === "NS");
    const isKnown = at.some(({ type, data }) => type === record.type && sameText(data, record.data));
    if (!(isAlone && at.length > 0) && !isSecond && !isMisplaced && !isWildcardCut && !isOrphan && !isKnown)
      kept.push(record);
  }
  return kept;
}

function sameText(one: object, other: object): boolean {
  return JSON.stringify(one).toLowerCase() === JSON.stringify(other).toLowerCase();
}

/** Names to ask for: any, owners, and names below them. */
export function namesToAsk(records: readonly ZoneRecord[], others: readonly Name[]): Name[] {
  const owners = records.map(({ owner }) => owner);
  const below = owners.flatMap((owner) => (owner.length < 20 ? [asName(`zz.${owner}`)] : []));
  return [...new Set([...owners, ...below, ...others])].filter((name) => isInside(name, apex));
}
