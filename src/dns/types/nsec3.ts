import { Fault } from "../name/fault.ts";
import { base32hex, salt } from "../rdata/binary.ts";
import { uint8, uint16 } from "../rdata/field.ts";
import { mnemonic, typeBitmap } from "../rdata/mnemonic.ts";
import { recordType } from "../rdata/record-type.ts";

export interface HashParams {
  hash_algorithm: number;
  flags: number;
  iterations: number;
  salt: string;
}

const hashing = {
  hash_algorithm: { kind: mnemonic({ "SHA-1": 1 }), about: "the hash algorithm", example: "1" },
  flags: { kind: uint8, about: "1 if unsigned delegations are left out (opt-out), otherwise 0", example: "0" },
  iterations: { kind: uint16, about: "the number of additional hash iterations", example: "0" },
  salt: { kind: salt, about: 'the salt, or "-" for none', example: "-" },
};

/** RFC 5155 §3.1 */
export const NSEC3 = recordType<HashParams & { next: string; types: readonly string[] }>({
  type: "NSEC3",
  fields: {
    ...hashing,
    next: { kind: base32hex, about: "the next hashed name", example: "2T7B4G4VSA5SMI47K61MV5BV1A22BOJR" },
    types: { kind: typeBitmap, about: "the types at this name", example: "A RRSIG" },
  },
  check({ hash_algorithm, next }) {
    if (hash_algorithm === 1 && next.length !== 32)
      throw new Fault(
        "rdata-length",
        "the next hashed name does not have the 32 digits of SHA-1",
        "Copy the complete value again.",
      );
  },
});

/** RFC 5155 §4.1 */
export const NSEC3PARAM = recordType<HashParams>({ type: "NSEC3PARAM", fields: hashing });
