/** Record types and their codes (IANA, Domain Name System Parameters), including those whose RDATA is not supported. */
const known = {
  A: 1,
  NS: 2,
  MD: 3,
  MF: 4,
  CNAME: 5,
  SOA: 6,
  MB: 7,
  MG: 8,
  MR: 9,
  NULL: 10,
  WKS: 11,
  PTR: 12,
  HINFO: 13,
  MINFO: 14,
  MX: 15,
  TXT: 16,
  RP: 17,
  AFSDB: 18,
  X25: 19,
  ISDN: 20,
  RT: 21,
  NSAP: 22,
  "NSAP-PTR": 23,
  SIG: 24,
  KEY: 25,
  PX: 26,
  GPOS: 27,
  AAAA: 28,
  LOC: 29,
  NXT: 30,
  EID: 31,
  NIMLOC: 32,
  SRV: 33,
  ATMA: 34,
  NAPTR: 35,
  KX: 36,
  CERT: 37,
  A6: 38,
  DNAME: 39,
  SINK: 40,
  APL: 42,
  DS: 43,
  SSHFP: 44,
  IPSECKEY: 45,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  DHCID: 49,
  NSEC3: 50,
  NSEC3PARAM: 51,
  TLSA: 52,
  SMIMEA: 53,
  HIP: 55,
  NINFO: 56,
  RKEY: 57,
  TALINK: 58,
  CDS: 59,
  CDNSKEY: 60,
  OPENPGPKEY: 61,
  CSYNC: 62,
  ZONEMD: 63,
  SVCB: 64,
  HTTPS: 65,
  DSYNC: 66,
  HHIT: 67,
  BRID: 68,
  SPF: 99,
  UINFO: 100,
  UID: 101,
  GID: 102,
  UNSPEC: 103,
  NID: 104,
  L32: 105,
  L64: 106,
  LP: 107,
  EUI48: 108,
  EUI64: 109,
  URI: 256,
  CAA: 257,
  AVC: 258,
  DOA: 259,
  AMTRELAY: 260,
  RESINFO: 261,
  WALLET: 262,
  CLA: 263,
  IPN: 264,
  TA: 32768,
  DLV: 32769,
  OPT: 41,
  NXNAME: 128,
  TKEY: 249,
  TSIG: 250,
  IXFR: 251,
  AXFR: 252,
  MAILB: 253,
  MAILA: 254,
  ANY: 255,
} as const;

/** The mnemonic of a type, whose RDATA may be unsupported. */
export type Mnemonic = keyof typeof known;

const codes: Readonly<Record<string, number>> = known;

/** Types of drafts, whose mnemonics are read only: few programs know them, so they are written as TYPEnnn. */
const draftCodes: Readonly<Record<string, number>> = { DELEG: 61440, DELEGPARAM: 65433 };

const names = new Map(Object.entries(codes).map(([name, code]) => [code, name]));

/** The code of a mnemonic in capitals, or of TYPEnnn (RFC 3597 §5). */
export function typeCode(mnemonic: string): number | undefined {
  const table = [codes, draftCodes].find((table) => Object.hasOwn(table, mnemonic));
  if (table) return table[mnemonic];
  const number = /^TYPE(\d{1,5})$/.exec(mnemonic)?.[1];
  return number !== undefined && Number(number) <= 65535 ? Number(number) : undefined;
}

/** Whether a mnemonic in capitals is that of a draft. */
export function isDraft(mnemonic: string): boolean {
  return Object.hasOwn(draftCodes, mnemonic);
}

/** Whether the type exists in queries and messages only (RFC 6895 §3.1), or was withdrawn by RFC 973. */
export function isMeta(code: number): boolean {
  return code === 0 || code === 3 || code === 4 || code === 41 || (code >= 128 && code <= 255);
}

/** The mnemonic of a code, or TYPEnnn if it has none. */
export function typeName(code: number): string {
  return names.get(code) ?? `TYPE${code}`;
}
