import { uint8, uint16 } from "../field.ts";
import { hex } from "../kinds/binary.ts";
import { algorithm } from "../kinds/mnemonic.ts";
import { recordType } from "../record-type.ts";

interface Ds {
  key_tag: number;
  algorithm: number;
  digest_type: number;
  digest: string;
}

const fields = {
  key_tag: { kind: uint16, about: "the tag of the key", example: "12345" },
  algorithm: { kind: algorithm, about: "the algorithm of the key", example: "13" },
  digest_type: { kind: uint8, about: "how the digest was made", example: "2" },
  digest: { kind: hex, about: "the digest of the key", example: "49FD46E6C4B45C55D4AC" },
};

/** RFC 4034 §5.1 */
export const DS = recordType<Ds>({ type: "DS", code: 43, fields });

/** RFC 7344 §3.1: a DS that the parent is asked to take */
export const CDS = recordType<Ds>({ type: "CDS", code: 59, fields });
