import { spellLabel } from "../../dns/name/name.ts";
import type { Edns } from "../../dns/transfer/message.ts";

/**
 * A query as nearly all are: one question of class IN about a name without dots in its labels, without a signature, and
 * with EDNS of version 0 or none. Everything else is read by `decodeQuery`.
 */
export interface PlainQuery {
  readonly id: number;
  readonly rd: boolean;
  readonly cd: boolean;
  /** The name in canonical spelling, without the final dot: each dot of it separates labels. */
  readonly key: string;
  /** The code of the type. */
  readonly type: number;
  readonly edns: Edns | undefined;
}

const headerLength = 12;
const longestName = 255;
const typeCodes = { OPT: 41, IXFR: 251, AXFR: 252 };

const dot = 46;
/** The octets of names in canonical spelling; none for the dot, whose spelling has one. */
const spellings = Array.from({ length: 256 }, (_, octet) => {
  const lower = octet >= 65 && octet <= 90 ? octet + 32 : octet;
  return octet === dot ? undefined : Buffer.from(spellLabel(String.fromCharCode(lower)), "latin1");
});
/** Spellings of a single character. */
const single = Uint8Array.from(spellings, (spelling) => (spelling?.length === 1 ? (spelling[0] ?? 0) : 0));

const key = Buffer.alloc(longestName * 4);
let keyLength = 0;

/** Reads a message if it is a plain query. The name in its question is in wire format at `questionAt`. */
export function readPlainQuery(octets: Buffer): PlainQuery | undefined {
  const { length } = octets;
  if (length < headerLength + 5) return undefined;
  const high = octets[2] ?? 0;
  const low = octets[3] ?? 0;
  const additionals = octets.readUInt16BE(10);
  // No response, opcode 0, one question, no answers and authorities.
  if ((high & 0xf8) !== 0 || octets.readUInt32BE(4) !== 0x0001_0000 || octets.readUInt16BE(8) !== 0) return undefined;
  if (additionals > 1) return undefined;
  const end = readName(octets);
  if (end === undefined || end + 4 > length) return undefined;
  const type = octets.readUInt16BE(end);
  if (octets.readUInt16BE(end + 2) !== 1 || type === typeCodes.IXFR || type === typeCodes.AXFR) return undefined;
  const edns = additionals === 1 ? readOpt(octets, end + 4) : undefined;
  if (additionals === 1 ? edns === undefined : end + 4 !== length) return undefined;
  const name = key.toString("latin1", 0, Math.max(0, keyLength - 1));
  return { id: octets.readUInt16BE(0), rd: (high & 1) !== 0, cd: (low & 0x10) !== 0, key: name, type, edns };
}

/** The offset of the name in the question. */
export const questionAt = headerLength;

/** Writes the name to `key` and returns the offset after it; undefined if it is not plain. */
function readName(octets: Buffer): number | undefined {
  let at = headerLength;
  keyLength = 0;
  for (;;) {
    const length = octets[at++];
    if (length === undefined || length > 63 || at + length - headerLength > longestName) return undefined;
    if (length === 0) return at;
    for (const end = at + length; at < end; at++) {
      const octet = octets[at] ?? 0;
      const character = single[octet] ?? 0;
      if (character > 0) key[keyLength++] = character;
      else {
        const spelling = spellings[octet];
        if (spelling === undefined) return undefined;
        keyLength += spelling.copy(key, keyLength);
      }
    }
    key[keyLength++] = dot;
  }
}

/** The OPT record of version 0 that ends a message (RFC 6891 §6.1.2). */
function readOpt(octets: Buffer, at: number): Edns | undefined {
  if (at + 11 > octets.length || octets[at] !== 0 || octets.readUInt16BE(at + 1) !== typeCodes.OPT) return undefined;
  const [version, length] = [octets[at + 6] ?? 0, octets.readUInt16BE(at + 9)];
  if (version !== 0 || at + 11 + length !== octets.length) return undefined;
  const options = length === 0 ? noOptions : readOptions(octets, at + 11);
  return (
    options && { udpSize: octets.readUInt16BE(at + 3), version, do: ((octets[at + 7] ?? 0) & 0x80) !== 0, options }
  );
}

const noOptions: Edns["options"] = [];

function readOptions(octets: Buffer, start: number): Edns["options"] | undefined {
  const options = [];
  for (let at = start; at < octets.length; ) {
    if (at + 4 > octets.length) return undefined;
    const end = at + 4 + octets.readUInt16BE(at + 2);
    if (end > octets.length) return undefined;
    options.push({ code: octets.readUInt16BE(at), data: octets.toString("latin1", at + 4, end) });
    at = end;
  }
  return options;
}
