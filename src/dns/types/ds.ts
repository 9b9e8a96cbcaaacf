import { hex } from "../rdata/binary.ts";
import { uint16 } from "../rdata/field.ts";
import { algorithm, mnemonic } from "../rdata/mnemonic.ts";
import { recordType } from "../rdata/record-type.ts";

export interface Ds {
  key_tag: number;
  algorithm: number;
  digest_type: number;
  digest: string;
}

/** IANA, DS RR Type Digest Algorithms, in BIND's spellings. */
const digestTypes = mnemonic({ "SHA-1": 1, SHA1: 1, "SHA-256": 2, SHA256: 2, GOST: 3, "SHA-384": 4, SHA384: 4 });

const fields = {
  key_tag: { kind: uint16, about: "the tag of the key", example: "12345" },
  algorithm: { kind: algorithm, about: "the algorithm of the key", example: "13" },
  digest_type: { kind: digestTypes, about: "the digest algorithm", example: "2" },
  digest: {
    kind: hex,
    about: "the digest of the key",
    digestOf: { algorithm: "digest_type", octets: { 1: 20, 2: 32, 3: 32, 4: 48 } },
    example: "D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A",
  },
};

/** RFC 4034 §5.1 */
export const DS = recordType<Ds>({ type: "DS", fields });

/** RFC 7344 §3.1: a DS for the parent to publish */
export const CDS = recordType<Ds>({ type: "CDS", fields });

/** RFC 4431 §2: a trust anchor of DNSSEC look-aside validation, historic by RFC 8749 */
export const DLV = recordType<Ds>({ type: "DLV", fields });

/** IANA, TA: a trust anchor published out of band */
export const TA = recordType<Ds>({ type: "TA", fields });
