import { typeCode, typeName } from "../rdata/type-codes.ts";

/** IANA, Domain Name System Parameters: OpCodes. */
export const opcode = { query: 0, notify: 4, update: 5 } as const;

/** IANA, DNS CLASSes. */
export const dnsClass = { in: 1, ch: 3, none: 254, any: 255 } as const;

/** IANA, DNS RCODEs; those of TSIG records continue them (RFC 8945 §3). 16 is BADVERS in EDNS. */
export const rcode = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  YXDOMAIN: 6,
  YXRRSET: 7,
  NXRRSET: 8,
  NOTAUTH: 9,
  NOTZONE: 10,
  BADSIG: 16,
  BADKEY: 17,
  BADTIME: 18,
  BADMODE: 19,
  BADNAME: 20,
  BADALG: 21,
  BADTRUNC: 22,
  BADCOOKIE: 23,
} as const;

export const badVersion = 16;

/** The mnemonic of an rcode, or its number if it has none. */
export function rcodeName(code: number): string {
  return Object.entries(rcode).find(([, known]) => known === code)?.[0] ?? `rcode ${code}`;
}

/** Types that exist only in queries (RFC 1035 §3.2.3, RFC 1995 §2). */
const questionTypes: Readonly<Record<string, number>> = { IXFR: 251, AXFR: 252, ANY: 255 };

export function questionName(code: number): string {
  return Object.entries(questionTypes).find(([, known]) => known === code)?.[0] ?? typeName(code);
}

/** The code of a type in a query. */
export function questionCode(type: string): number {
  const code = questionTypes[type] ?? typeCode(type);
  if (code === undefined) throw new Error(`no type ${type}`);
  return code;
}
