import { texts } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

/** A type whose RDATA is a list of keys or values, in character-strings like those of TXT. */
function ofStrings(type: string, example: string) {
  return recordType<{ strings: readonly string[] }>({
    type,
    fields: { strings: { apiName: "target", kind: texts, isList: true, about: "a text", example } },
  });
}

/** IANA, AVC/avc-completed-template */
export const AVC = ofStrings("AVC", '"app-name:WOLFGANG|app-class:OAM"');
/** IANA, CLA/cla-completed-template */
export const CLA = ofStrings("CLA", '"TCP-v4-v6"');
/** IANA, NINFO/ninfo-completed-template */
export const NINFO = ofStrings("NINFO", '"status: maintenance"');
/** RFC 9606 §5 */
export const RESINFO = ofStrings("RESINFO", '"qnamemin exterr=15-17"');
/** IANA, WALLET/wallet-completed-template */
export const WALLET = ofStrings("WALLET", '"BTC" "1BoatSLRHtKNngkdXEeobR76b53LETtpyT"');
