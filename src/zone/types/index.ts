import type { RecordType } from "../record-type.ts";
import { A } from "./a.ts";
import { AAAA } from "./aaaa.ts";
import { CAA } from "./caa.ts";
import { CNAME } from "./cname.ts";
import { MX } from "./mx.ts";
import { NS } from "./ns.ts";
import { PTR } from "./ptr.ts";
import { SOA } from "./soa.ts";
import { SRV } from "./srv.ts";
import { TXT } from "./txt.ts";

/** Every record type that zonewright reads and writes. A new type is one file and one line here. */
export const recordTypes: readonly RecordType[] = [A, AAAA, CAA, CNAME, MX, NS, PTR, SOA, SRV, TXT];

const byMnemonic = new Map(recordTypes.map((type) => [type.type, type]));

/** The type of this mnemonic, in capitals. */
export function findType(mnemonic: string): RecordType | undefined {
  return byMnemonic.get(mnemonic);
}

/** The type of a record that was read already. */
export function typeOf(mnemonic: string): RecordType {
  const type = findType(mnemonic);
  if (type === undefined) throw new Error(`no record type ${mnemonic}`);
  return type;
}
