import { longestWord, wordNumber } from "../rdata/octet-line.ts";
import type { Rdata, RecordType } from "../rdata/record-type.ts";
import { isDraft, isMeta, typeCode, typeName } from "../rdata/type-codes.ts";
import { A } from "./a.ts";
import { A6 } from "./a6.ts";
import { AAAA } from "./aaaa.ts";
import { ALIAS } from "./alias.ts";
import { AMTRELAY } from "./amtrelay.ts";
import { APL } from "./apl.ts";
import { ATMA } from "./atma.ts";
import { CAA } from "./caa.ts";
import { CERT } from "./cert.ts";
import { CNAME } from "./cname.ts";
import { CSYNC } from "./csync.ts";
import { DNAME } from "./dname.ts";
import { CDNSKEY, DNSKEY } from "./dnskey.ts";
import { DOA } from "./doa.ts";
import { CDS, DLV, DS, TA } from "./ds.ts";
import { DSYNC } from "./dsync.ts";
import { EUI48, EUI64 } from "./eui.ts";
import { HINFO } from "./hinfo.ts";
import { HIP } from "./hip.ts";
import { L32, L64, LP, NID } from "./ilnp.ts";
import { IPN } from "./ipn.ts";
import { IPSECKEY } from "./ipseckey.ts";
import { KEY, RKEY } from "./key.ts";
import { LOC } from "./loc.ts";
import { MB, MG, MINFO, MR } from "./mailbox.ts";
import { MX } from "./mx.ts";
import { NAPTR } from "./naptr.ts";
import { NS } from "./ns.ts";
import { NSAP, NSAP_PTR } from "./nsap.ts";
import { NSEC } from "./nsec.ts";
import { NSEC3, NSEC3PARAM } from "./nsec3.ts";
import { NXT } from "./nxt.ts";
import { BRID, DHCID, EID, HHIT, NIMLOC, SINK } from "./octets.ts";
import { OPENPGPKEY } from "./openpgpkey.ts";
import { PTR } from "./ptr.ts";
import { AFSDB, KX, PX, RT, TALINK } from "./route.ts";
import { RP } from "./rp.ts";
import { RRSIG, SIG } from "./rrsig.ts";
import { SOA } from "./soa.ts";
import { SPF } from "./spf.ts";
import { SRV } from "./srv.ts";
import { SSHFP } from "./sshfp.ts";
import { AVC, CLA, NINFO, RESINFO, WALLET } from "./strings.ts";
import { HTTPS, SVCB } from "./svcb.ts";
import { GPOS, ISDN, X25 } from "./telephone.ts";
import { SMIMEA, TLSA } from "./tlsa.ts";
import { TXT } from "./txt.ts";
import { type UnknownRdata, unknownType } from "./unknown.ts";
import { URI } from "./uri.ts";
import { WKS } from "./wks.ts";
import { ZONEMD } from "./zonemd.ts";

/** Every supported record type, by its mnemonic. A new type is one file and one line here. */
const types = {
  A,
  A6,
  AAAA,
  AFSDB,
  ALIAS,
  AMTRELAY,
  APL,
  ATMA,
  AVC,
  BRID,
  CAA,
  CDNSKEY,
  CDS,
  CERT,
  CLA,
  CNAME,
  CSYNC,
  DHCID,
  DLV,
  DNAME,
  DNSKEY,
  DOA,
  DS,
  DSYNC,
  EID,
  EUI48,
  EUI64,
  GPOS,
  HHIT,
  HINFO,
  HIP,
  HTTPS,
  IPN,
  IPSECKEY,
  ISDN,
  KEY,
  KX,
  L32,
  L64,
  LOC,
  LP,
  MB,
  MG,
  MINFO,
  MR,
  MX,
  NAPTR,
  NID,
  NIMLOC,
  NINFO,
  NS,
  NSAP,
  "NSAP-PTR": NSAP_PTR,
  NSEC,
  NSEC3,
  NSEC3PARAM,
  NXT,
  OPENPGPKEY,
  PTR,
  PX,
  RESINFO,
  RKEY,
  RP,
  RRSIG,
  RT,
  SIG,
  SINK,
  SMIMEA,
  SOA,
  SPF,
  SRV,
  SSHFP,
  SVCB,
  TA,
  TALINK,
  TLSA,
  TXT,
  URI,
  WALLET,
  WKS,
  X25,
  ZONEMD,
};

/** RDATA of each known type. */
export type RdataByType = {
  readonly [T in keyof typeof types]: (typeof types)[T] extends RecordType<infer Data> ? Data : never;
};

export type KnownType = keyof RdataByType;

/** RDATA of a type: octets for an unknown type (RFC 3597), any object for one known at run time only. */
export type RdataOf<T extends string> = T extends KnownType
  ? RdataByType[T]
  : T extends `TYPE${number}`
    ? UnknownRdata
    : Rdata;

export const recordTypes: readonly RecordType[] = Object.values(types);

const outOfUse = [
  "A6",
  "ALIAS",
  "ATMA",
  "DLV",
  "DOA",
  "EID",
  "GPOS",
  "ISDN",
  "KEY",
  "KX",
  "L32",
  "L64",
  "LP",
  "MB",
  "MG",
  "MINFO",
  "MR",
  "NID",
  "NIMLOC",
  "NINFO",
  "NSAP",
  "NSAP-PTR",
  "NXT",
  "PX",
  "RKEY",
  "RT",
  "SIG",
  "SINK",
  "SPF",
  "TA",
  "TALINK",
  "WKS",
  "X25",
];

/** Mnemonics to suggest for a misspelled one. */
export const suggestedTypes: readonly string[] = recordTypes
  .map(({ type }) => type)
  .filter((type) => !outOfUse.includes(type));

const byMnemonic = new Map(Object.entries<RecordType>(types));

/**
 * The type with a mnemonic in capitals or TYPEnnn, if records can have it. The RDATA of an unknown type is octets (RFC
 * 3597).
 */
export function findType(mnemonic: string): RecordType | undefined {
  const known = byMnemonic.get(mnemonic);
  if (known) return known;
  const code = typeCode(mnemonic);
  if (code === undefined || isMeta(code)) return undefined;
  const name = typeName(code);
  const type = byMnemonic.get(name) ?? unknownType(name);
  byMnemonic.set(name, type);
  return isDraft(mnemonic) ? { ...type, mnemonic } : type;
}

/** The types with short mnemonics, by the number of that word. */
const byWordNumber = new Map(
  recordTypes.flatMap((type) => (type.type.length <= longestWord ? [[wordNumber(type.type), type] as const] : [])),
);

/** The type whose mnemonic has a number of `OctetLine.takeWord`; undefined if only `findType` can tell. */
export function typeOfWord(number: number): RecordType | undefined {
  return byWordNumber.get(number);
}

/** The type of a valid record. */
export function typeOf(mnemonic: string): RecordType {
  const type = findType(mnemonic);
  if (type === undefined) throw new Error(`no record type ${mnemonic}`);
  return type;
}
