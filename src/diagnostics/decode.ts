import { isUtf8 } from "node:buffer";

/** The text of a YAML file, and the offset of the first octet that is not valid UTF-8. */
export interface DecodedText {
  readonly text: string;
  readonly undecodable?: number | undefined;
}

/** Decodes the octets of a file, without its byte order mark; invalid UTF-8 becomes U+FFFD. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const octets = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const text = octets.toString("utf8").replace(/^\ufeff/, "");
  return { text, undecodable: isUtf8(octets) ? undefined : undecodableAt(octets, text) };
}

/** The first U+FFFD that is not in the file itself: the first octet at which text and file differ. */
function undecodableAt(octets: Buffer, text: string): number {
  let behind = octets[0] === 0xef && octets[1] === 0xbb && octets[2] === 0xbf ? 3 : 0;
  for (let at = text.indexOf("\ufffd"), before = 0; at !== -1; at = text.indexOf("\ufffd", at + 1)) {
    behind += Buffer.byteLength(text.slice(before, at));
    if (octets.toString("latin1", behind, behind + 3) !== "\u00ef\u00bf\u00bd") return at;
    before = at;
  }
  return 0;
}
