import { hex } from "../rdata/binary.ts";
import { uint8, uint32 } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

/** RFC 8976 §2 */
export const ZONEMD = recordType<{ serial: number; scheme: number; hash_algorithm: number; digest: string }>({
  type: "ZONEMD",
  fields: {
    serial: { kind: uint32, about: "the serial of the zone that it digests", example: "1" },
    scheme: { kind: uint8, about: "the scheme for ordering the zone", example: "1" },
    hash_algorithm: { kind: uint8, about: "the digest algorithm", example: "1" },
    digest: {
      kind: hex,
      about: "the digest",
      digestOf: { algorithm: "hash_algorithm", octets: { 1: 48, 2: 64 } },
      example: "C68090D90A7AED716BC459F9340E3D7C1370D4D24B7E2FC3A1DDC0B9A87153B9A9713B3C9AE5CC27777F98B8E730044C",
    },
  },
});
