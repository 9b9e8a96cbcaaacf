import type { RecordType } from "../record-type.ts";
import { isMeta, typeCode, typeName } from "../type-codes.ts";
import { A } from "./a.ts";
import { AAAA } from "./aaaa.ts";
import { CAA } from "./caa.ts";
import { CNAME } from "./cname.ts";
import { DNAME } from "./dname.ts";
import { CDNSKEY, DNSKEY } from "./dnskey.ts";
import { CDS, DS } from "./ds.ts";
import { HINFO } from "./hinfo.ts";
import { LOC } from "./loc.ts";
import { MX } from "./mx.ts";
import { NAPTR } from "./naptr.ts";
import { NS } from "./ns.ts";
import { NSEC } from "./nsec.ts";
import { NSEC3, NSEC3PARAM } from "./nsec3.ts";
import { OPENPGPKEY } from "./openpgpkey.ts";
import { PTR } from "./ptr.ts";
import { RP } from "./rp.ts";
import { RRSIG } from "./rrsig.ts";
import { SOA } from "./soa.ts";
import { SPF } from "./spf.ts";
import { SRV } from "./srv.ts";
import { SSHFP } from "./sshfp.ts";
import { HTTPS, SVCB } from "./svcb.ts";
import { SMIMEA, TLSA } from "./tlsa.ts";
import { TXT } from "./txt.ts";
import { unknownType } from "./unknown.ts";
import { URI } from "./uri.ts";

/** Every record type whose data zonewright knows. A new type is one file and one line here. */
export const recordTypes: readonly RecordType[] = [
  A,
  AAAA,
  CAA,
  CDNSKEY,
  CDS,
  CNAME,
  DNAME,
  DNSKEY,
  DS,
  HINFO,
  HTTPS,
  LOC,
  MX,
  NAPTR,
  NS,
  NSEC,
  NSEC3,
  NSEC3PARAM,
  OPENPGPKEY,
  PTR,
  RP,
  RRSIG,
  SMIMEA,
  SOA,
  SPF,
  SRV,
  SSHFP,
  SVCB,
  TLSA,
  TXT,
  URI,
];

const byMnemonic = new Map(recordTypes.map((type) => [type.type, type]));

/** The type of a mnemonic in capitals or of TYPEnnn, unless no record has it; of one that is not known here, the data is octets (RFC 3597). */
export function findType(mnemonic: string): RecordType | undefined {
  const known = byMnemonic.get(mnemonic);
  if (known) return known;
  const code = typeCode(mnemonic);
  if (code === undefined || isMeta(code)) return undefined;
  const name = typeName(code);
  const type = byMnemonic.get(name) ?? unknownType(name, code);
  byMnemonic.set(name, type);
  return type;
}

/** The types with short mnemonics by these as numbers: a lookup without a string. */
const byNumber = new Map(
  recordTypes.flatMap((type) =>
    type.type.length <= 5 ? [[asNumber(type.type, 0, type.type.length), type] as const] : [],
  ),
);

/** The type whose mnemonic, in any letter case, stands at `start` up to `end` of a text; undefined also where `findType` must be asked. */
export function typeAt(text: string, start: number, end: number): RecordType | undefined {
  return end - start <= 5 ? byNumber.get(asNumber(text, start, end)) : undefined;
}

/** Letters and digits of a short word in six bits each, letter case aside; -1 for any other word. */
function asNumber(text: string, start: number, end: number): number {
  let number = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    const isLetter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
    if (!isLetter && (code < 48 || code > 57)) return -1;
    number = number * 64 + (isLetter ? code & 31 : code);
  }
  return number;
}

/** The type of a record that was read already. */
export function typeOf(mnemonic: string): RecordType {
  const type = findType(mnemonic);
  if (type === undefined) throw new Error(`no record type ${mnemonic}`);
  return type;
}
