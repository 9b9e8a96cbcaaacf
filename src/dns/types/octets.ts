import { base64, base64OrNone, hex } from "../rdata/binary.ts";
import { uint8 } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

/** A type whose data is octets in base64. */
function ofBase64(type: string, about: string) {
  return recordType<{ data: string }>({
    type,
    fields: { data: { kind: base64, about, example: "AAIBY2/AuCccgoJbsaxcQc9TUapptP69" } },
  });
}

/** A type whose data is octets in hexadecimal digits. */
function ofHex(type: string, about: string) {
  return recordType<{ data: string }>({
    type,
    fields: { data: { kind: hex, about, example: "E32C6F78163A9348" } },
  });
}

/** RFC 4701 §3 */
export const DHCID = ofBase64("DHCID", "the digest of a DHCP client");
/** RFC 9886 §5.1 */
export const HHIT = ofBase64("HHIT", "the attributes of a hierarchical host identity tag");
/** RFC 9886 §5.2 */
export const BRID = ofBase64("BRID", "broadcast remote identification in CBOR");
/** draft-lewis-nimrod-dns-00 */
export const EID = ofHex("EID", "an endpoint identifier");
/** draft-lewis-nimrod-dns-00 */
export const NIMLOC = ofHex("NIMLOC", "a Nimrod locator");

/** draft-eastlake-kitchen-sink-02 */
export const SINK = recordType<{ meaning: number; coding: number; subcoding: number; data: string }>({
  type: "SINK",
  fields: {
    meaning: { kind: uint8, about: "the meaning of the data", example: "1" },
    coding: { kind: uint8, about: "the coding method", example: "0" },
    subcoding: { kind: uint8, about: "the coding details", example: "0" },
    data: { kind: base64OrNone, about: "the data", example: "AQID" },
  },
});
