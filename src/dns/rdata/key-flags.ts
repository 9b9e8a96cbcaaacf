import { Fault } from "../name/fault.ts";
import { type FieldKind, uint16 } from "./field.ts";
import { mnemonic } from "./mnemonic.ts";

/** RFC 2535 §3.1.2, in the spellings of BIND; `|` joins several. */
const flags: Readonly<Record<string, number>> = {
  NOCONF: 0x4000,
  NOAUTH: 0x8000,
  NOKEY: 0xc000,
  FLAG2: 0x2000,
  EXTEND: 0x1000,
  FLAG4: 0x0800,
  FLAG5: 0x0400,
  USER: 0,
  ZONE: 0x0100,
  HOST: 0x0200,
  NTYP3: 0x0300,
  FLAG8: 0x0080,
  FLAG9: 0x0040,
  FLAG10: 0x0020,
  FLAG11: 0x0010,
  ...Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`SIG${index}`, index])),
};

/** The flags of a key as a number, or by their names. */
export const keyFlags: FieldKind<number> = {
  ...uint16,
  read(tokens, field) {
    const index = tokens.next;
    const text = tokens.text.slice(tokens.starts[index], tokens.ends[index]);
    if (tokens.isQuoted || !/^[a-z]/i.test(text)) return uint16.read(tokens, field);
    tokens.next++;
    let value = 0;
    for (const name of text.toUpperCase().split("|")) {
      const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
      if (flag === undefined)
        throw new Fault(
          "rdata-number",
          `"${name}" in ${field} is not a key flag`,
          'Write the flags as a number, such as "256" for ZONE.',
        );
      value |= flag;
    }
    return value;
  },
};

/** RFC 2535 §3.1.3. */
export const keyProtocol: FieldKind<number> = mnemonic({ NONE: 0, TLS: 1, EMAIL: 2, DNSSEC: 3, IPSEC: 4, ALL: 255 });
