import { hex } from "../rdata/binary.ts";
import { uint8 } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

/** RFC 4255 §3.1, RFC 6594 §3 */
export const SSHFP = recordType<{ algorithm: number; fingerprint_type: number; fingerprint: string }>({
  type: "SSHFP",
  fields: {
    algorithm: { kind: uint8, about: "the algorithm of the key", example: "4" },
    fingerprint_type: { kind: uint8, about: "the fingerprint type", example: "2" },
    fingerprint: {
      kind: hex,
      about: "the fingerprint of the host's key",
      digestOf: { algorithm: "fingerprint_type", octets: { 1: 20, 2: 32 } },
      example: "A87F1B687AC0E57D2A081A2F282672334D90ED316D2B818CA9580EA384D92401",
    },
  },
});
