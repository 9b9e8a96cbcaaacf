import { Fault } from "../fault.ts";
import type { FieldKind } from "../field.ts";
import { toHex } from "../kinds/binary.ts";
import { type RecordType, recordType } from "../record-type.ts";

/** A record type whose data is octets to zonewright (RFC 3597); its meta types have no data at all. */
export function unknownType(type: string, code: number): RecordType {
  return recordType<{ octets: string }>({
    type,
    code,
    fields: { octets: { kind: unknownData, about: "its data", example: "\\# 4 0A000001" } },
  });
}

const unknownData: FieldKind<string> = {
  json: "string",
  read() {
    const fix = "Write its octets: \\# 4 0A000001.";
    throw new Fault("unknown-data", "zonewright does not know how the data of this type is written", fix);
  },
  format: (octets) => (octets === "" ? "\\# 0" : `\\# ${octets.length} ${toHex(octets)}`),
  decode: (wire) => wire.rest(),
  encode: (octets, wire) => wire.octets(octets),
};
