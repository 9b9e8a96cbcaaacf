import { base64 } from "../rdata/binary.ts";
import { uint16 } from "../rdata/field.ts";
import { algorithmName, mnemonic } from "../rdata/mnemonic.ts";
import { recordType } from "../rdata/record-type.ts";

/** IANA, CERT RR Certificate Types. */
const certificateTypes = mnemonic(
  { PKIX: 1, SPKI: 2, PGP: 3, IPKIX: 4, ISPKI: 5, IPGP: 6, ACPKIX: 7, IACPKIX: 8, URI: 253, OID: 254 },
  { kind: uint16, isSpelled: true },
);

/** RFC 4398 §2 */
export const CERT = recordType<{ certificate_type: number; key_tag: number; algorithm: number; certificate: string }>({
  type: "CERT",
  fields: {
    certificate_type: { kind: certificateTypes, about: "the type of the certificate", example: "PKIX" },
    key_tag: { kind: uint16, about: "the tag of the key", example: "12345" },
    algorithm: { kind: algorithmName, about: "the algorithm of the key, 0 for one unknown to DNSSEC", example: "8" },
    certificate: { kind: base64, about: "the certificate", example: "MIICBzCCAXCgAwIBAgIJAA==" },
  },
});
