import type { Edns } from "../../dns/transfer/message.ts";

/**
 * A query as nearly all are: one question of class IN about a name of ordinary characters, without a signature, and
 * with EDNS of version 0 or none. Everything else is read by `decodeQuery`.
 */
export interface PlainQuery {
  readonly id: number;
  readonly rd: boolean;
  readonly cd: boolean;
  /** The name in lower case, without the final dot. */
  readonly key: string;
  /** The code of the type. */
  readonly type: number;
  readonly edns: Edns | undefined;
}

const headerLength = 12;
const longestName = 255;
const typeCodes = { OPT: 41, IXFR: 251, AXFR: 252 };

const key = Buffer.alloc(longestName);

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
  const name = key.toString("latin1", 0, Math.max(0, end - headerLength - 2));
  return { id: octets.readUInt16BE(0), rd: (high & 1) !== 0, cd: (low & 0x10) !== 0, key: name, type, edns };
}

/** The offset of the name in the question. */
export const questionAt = headerLength;

/** Writes the name to `key` and returns the offset after it; undefined if it is not plain. */
function readName(octets: Buffer): number | undefined {
  let at = headerLength;
  for (;;) {
    const length = octets[at++];
    if (length === undefined || length > 63) return undefined;
    if (length === 0) return at - headerLength > longestName ? undefined : at;
    const start = at - headerLength - 1;
    if (start + length > longestName) return undefined;
    for (let index = 0; index < length; index++) {
      const octet = octets[at + index] ?? 0;
      if (!isOrdinary(octet)) return undefined;
      key[start + index] = octet >= 65 && octet <= 90 ? octet + 32 : octet;
    }
    key[start + length] = 46;
    at += length;
  }
}

/** Whether names spell an octet as itself (RFC 1035 §5.1): printable, and none of `" $ ( ) . ; @ \`. */
function isOrdinary(octet: number): boolean {
  return ordinary[octet] === 1;
}

const ordinary = new Uint8Array(256);
for (let octet = 33; octet < 127; octet++) ordinary[octet] = '"$().;@\\'.includes(String.fromCharCode(octet)) ? 0 : 1;

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
