import { hex } from "../rdata/binary.ts";
import { uint8 } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

export interface Tlsa {
  usage: number;
  selector: number;
  matching_type: number;
  certificate: string;
}

const fields = {
  usage: { kind: uint8, about: "the certificate usage", example: "3" },
  selector: { kind: uint8, about: "the selector: the part of the certificate that is matched", example: "1" },
  matching_type: { kind: uint8, about: "the matching type", example: "1" },
  certificate: {
    kind: hex,
    about: "the certificate, or its digest",
    example: "0B9FA5A59EED715C26C1020C711B4F6EC42D0A58B2A1A3D8E5C5F0E6C3B1A2D4",
    digestOf: { algorithm: "matching_type", octets: { 1: 32, 2: 64 } },
  },
};

/** RFC 6698 §2.1 */
export const TLSA = recordType<Tlsa>({ type: "TLSA", fields });

/** RFC 8162 §2 */
export const SMIMEA = recordType<Tlsa>({ type: "SMIMEA", fields });
