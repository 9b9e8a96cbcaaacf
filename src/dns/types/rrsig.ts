import type { Name } from "../name/name.ts";
import { base64 } from "../rdata/binary.ts";
import { domainName, uint8, uint16, uint32 } from "../rdata/field.ts";
import { algorithm, typeMnemonic } from "../rdata/mnemonic.ts";
import { recordType } from "../rdata/record-type.ts";
import { signatureTime } from "../rdata/time.ts";

export interface Signature {
  type_covered: string;
  algorithm: number;
  labels: number;
  original_ttl: number;
  expiration: string;
  inception: string;
  key_tag: number;
  signer: Name;
  signature: string;
}

const fields = {
  type_covered: { kind: typeMnemonic, about: "the signed record type", example: "A" },
  algorithm: { kind: algorithm, about: "the algorithm of the key", example: "13" },
  labels: { kind: uint8, about: "the number of labels of the signed name", example: "2" },
  original_ttl: { kind: uint32, about: "the signed TTL", example: "3600" },
  expiration: { kind: signatureTime, about: "the end of the signature's validity", example: "20270101000000" },
  inception: { kind: signatureTime, about: "the start of the signature's validity", example: "20261201000000" },
  key_tag: { kind: uint16, about: "the tag of the key", example: "12345" },
  signer: { kind: domainName, about: "the owner name of the key", example: "example.com." },
  signature: { kind: base64, about: "the signature", example: "oJB1W6WNGv+ldvQ3WDG0MQkg5IEhjRip" },
};

/** RFC 4034 §3.1 */
export const RRSIG = recordType<Signature>({ type: "RRSIG", fields });

/** RFC 2535 §4.1, obsolete by RFC 3755; it signs messages in RFC 2931 */
export const SIG = recordType<Signature>({ type: "SIG", fields });
