import { Fault } from "../name/fault.ts";
import { base64, base64OrNone } from "../rdata/binary.ts";
import { uint8, uint16 } from "../rdata/field.ts";
import { keyFlags, keyProtocol } from "../rdata/key-flags.ts";
import { algorithm } from "../rdata/mnemonic.ts";
import { recordType } from "../rdata/record-type.ts";

export interface KeyRdata {
  flags: number;
  protocol: number;
  algorithm: number;
  public_key: string;
}

/** Both high bits: no key follows (RFC 2535 §3.1.2). */
const noKey = 0xc000;

/** RFC 2535 §3, RFC 3445 */
export const KEY = recordType<KeyRdata>({
  type: "KEY",
  fields: {
    flags: { kind: keyFlags, about: "the purpose of the key", example: "512" },
    protocol: { kind: keyProtocol, about: "the protocol", example: "3" },
    algorithm: { kind: algorithm, about: "the algorithm of the key", example: "13" },
    public_key: { kind: base64OrNone, about: "the key", example: "mdsswUyr3DPW132mOi8V9xESWE8jTo0d" },
  },
  check({ flags, public_key }) {
    const isNone = (flags & noKey) === noKey;
    if (isNone && public_key !== "")
      throw new Fault(
        "rdata-key",
        "the flags declare that there is no key, but one follows",
        "Remove the key, or change the flags.",
      );
    if (!isNone && public_key === "")
      throw new Fault(
        "field-missing",
        "KEY record has no public_key",
        "Add the key in base64, or set the flags to 49152 for none.",
      );
  },
});

/** draft-reid-dnsext-rkey-00: a KEY whose flags are 0 */
export const RKEY = recordType<KeyRdata>({
  type: "RKEY",
  fields: {
    flags: { kind: uint16, about: "flags, always 0", example: "0" },
    protocol: { kind: uint8, about: "the protocol", example: "255" },
    algorithm: { kind: algorithm, about: "the algorithm of the key", example: "1" },
    public_key: { kind: base64, about: "the key", example: "AQMFD5raczCJHViKtLYhWGz8hMY9" },
  },
  check({ flags }) {
    if (flags !== 0) throw new Fault("rdata-key", `the flags of an RKEY record are ${flags}, not 0`, "Write 0.");
  },
});
