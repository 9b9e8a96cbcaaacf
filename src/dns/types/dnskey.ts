import { base64 } from "../rdata/binary.ts";
import { keyFlags, keyProtocol } from "../rdata/key-flags.ts";
import { algorithm } from "../rdata/mnemonic.ts";
import { recordType } from "../rdata/record-type.ts";

export interface Dnskey {
  flags: number;
  protocol: number;
  algorithm: number;
  public_key: string;
}

const fields = {
  flags: { kind: keyFlags, about: "the purpose of the key", example: "257" },
  protocol: { kind: keyProtocol, about: "the protocol, always 3", example: "3" },
  algorithm: { kind: algorithm, about: "the algorithm of the key", example: "13" },
  public_key: { kind: base64, about: "the key", example: "mdsswUyr3DPW132mOi8V9xESWE8jTo0d" },
};

/** RFC 4034 §2.1 */
export const DNSKEY = recordType<Dnskey>({ type: "DNSKEY", fields });

/** RFC 7344 §3.2: a DNSKEY for the parent to publish */
export const CDNSKEY = recordType<Dnskey>({ type: "CDNSKEY", fields });
