/** An answer as a judge compares it: names in lower case and without compression, sections as sorted lines. */
export interface WireAnswer {
  readonly id: number;
  readonly rcode: number;
  readonly aa: boolean;
  readonly tc: boolean;
  /** Octets. */
  readonly length: number;
  readonly question: string;
  readonly answers: readonly string[];
  readonly authorities: readonly string[];
  readonly additionals: readonly string[];
}

/** By type, the octets before the names in RDATA, and the number of names (RFC 1035 §3.3, RFC 2782). */
const names: Readonly<Record<number, readonly [octets: number, names: number]>> = {
  2: [0, 1],
  5: [0, 1],
  6: [0, 2],
  12: [0, 1],
  15: [2, 1],
  33: [6, 1],
};

/** Reads an answer with none of the code that wrote it (RFC 1035 §4.1). */
export function readWireAnswer(octets: Buffer): WireAnswer {
  let at = 12;
  const uint16 = () => {
    at += 2;
    return octets.readUInt16BE(at - 2);
  };
  const name = () => {
    let end: number | undefined;
    let text = "";
    for (let offset = at, jumps = 0; ; ) {
      const length = octets[offset] ?? 0;
      if (length >= 0xc0) {
        end ??= offset + 2;
        offset = octets.readUInt16BE(offset) & 0x3fff;
        if (++jumps > 10) throw new Error("more than ten pointers");
      } else {
        const label = octets.toString("latin1", offset + 1, offset + 1 + length).toLowerCase();
        offset += length + 1;
        if (length === 0) {
          at = end ?? offset;
          return text === "" ? "." : text;
        }
        text += `${label}.`;
      }
    }
  };
  const record = () => {
    const owner = name();
    const [type, recordClass] = [uint16(), uint16()];
    const ttl = octets.readUInt32BE(at);
    at += 4;
    const end = uint16() + at;
    const [before, count] = names[type] ?? [end - at, 0];
    let data = octets.toString("hex", at, at + before);
    at += before;
    for (let left = count; left > 0; left--) data += ` ${name()}`;
    data += octets.toString("hex", at, end);
    at = end;
    return type === 41 ? undefined : `${owner} ${ttl} ${recordClass} ${type} ${data}`;
  };
  const section = (count: number) =>
    Array.from({ length: count }, record)
      .filter((line) => line !== undefined)
      .sort();
  const counts = [4, 6, 8, 10].map((offset) => octets.readUInt16BE(offset));
  const question = Array.from({ length: counts[0] ?? 0 }, () => `${name()} ${uint16()} ${uint16()}`).join();
  const [answers = [], authorities = [], additionals = []] = counts.slice(1).map(section);
  if (at !== octets.length) throw new Error("data follows the message");
  return {
    id: octets.readUInt16BE(0),
    rcode: (octets[3] ?? 0) & 15,
    aa: ((octets[2] ?? 0) & 4) !== 0,
    tc: ((octets[2] ?? 0) & 2) !== 0,
    length: octets.length,
    ...{ question, answers, authorities, additionals },
  };
}
