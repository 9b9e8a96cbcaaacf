import { count } from "../../diagnostics/plain.ts";
import { readField } from "../rdata/record-type.ts";
import type { Rule } from "../rule.ts";

/** The octets of a digest by its algorithm, and the fields of both. */
interface Digests {
  readonly algorithm: string;
  readonly digest: string;
  readonly octets: Readonly<Record<number, number>>;
}

/** IANA, DS RR Type Digest Algorithms */
const ofKeys: Digests = { algorithm: "digest_type", digest: "digest", octets: { 1: 20, 2: 32, 3: 32, 4: 48 } };

const digests: Readonly<Record<string, Digests>> = {
  CDS: ofKeys,
  DLV: ofKeys,
  DS: ofKeys,
  /** RFC 4255 §3.1.2, RFC 6594 §3.1 */
  SSHFP: { algorithm: "fingerprint_type", digest: "fingerprint", octets: { 1: 20, 2: 32 } },
  TA: ofKeys,
  /** RFC 8976 §2.2.3 */
  ZONEMD: { algorithm: "hash_algorithm", digest: "digest", octets: { 1: 48, 2: 64 } },
};

export const digestLength: Rule = {
  id: "digest-length",
  *check(zone) {
    for (const [type, { algorithm, digest, octets }] of Object.entries(digests)) {
      for (const { owner, records } of zone.sets(type)) {
        for (const record of records) {
          const expected = octets[Number(readField(record.data, { name: algorithm }))];
          const length = String(readField(record.data, { name: digest })).length / 2;
          if (expected === undefined || length === expected) continue;
          yield {
            summary: `${zone.show(owner)} ${type}: the ${digest} has ${count(length, "octet")} instead of ${expected}`,
            at: record,
            fix: "Copy the complete value again.",
          };
        }
      }
    }
  },
};
