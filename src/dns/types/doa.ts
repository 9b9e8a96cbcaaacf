import { base64 } from "../rdata/binary.ts";
import { type FieldKind, shortText, uint8, uint32 } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

/** Base64, or `-` for none. */
const dataOrNone: FieldKind<string> = {
  ...base64,
  read(tokens, field) {
    const index = tokens.next;
    const isNone = !tokens.isQuoted && tokens.text.slice(tokens.starts[index], tokens.ends[index]) === "-";
    if (isNone) tokens.next++;
    return isNone ? "-" : base64.read(tokens, field);
  },
  decode: (wire) => (wire.isAtEnd ? "-" : base64.decode(wire)),
  encode(text, wire) {
    if (text !== "-") base64.encode(text, wire);
  },
};

/** draft-durand-doa-over-dns-02 §3 */
export const DOA = recordType<{
  enterprise: number;
  doa_type: number;
  location: number;
  media_type: string;
  data: string;
}>({
  type: "DOA",
  fields: {
    enterprise: { kind: uint32, about: "the enterprise that defines the type", example: "0" },
    doa_type: { kind: uint32, about: "the type of the object", example: "1" },
    location: { kind: uint8, about: "the location of the object: 1 in this record, 2 at a URI", example: "2" },
    media_type: { kind: shortText, about: "the media type of the object", example: '"text/html"' },
    data: { kind: dataOrNone, about: "the object or its URI, or - for none", example: "aHR0cHM6Ly93d3cuaXNjLm9yZy8=" },
  },
});
