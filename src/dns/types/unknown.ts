import { isAddress4, isAddress6 } from "../name/address.ts";
import { Fault } from "../name/fault.ts";
import { fromHex } from "../rdata/binary.ts";
import { address4, address6, domainName, type FieldKind, shortText } from "../rdata/field.ts";
import { octetsForm, type RecordType, recordType } from "../rdata/record-type.ts";
import { digits, quoted, type TokenTable } from "../rdata/token-table.ts";
import { WireWriter } from "../rdata/wire-writer.ts";

export type UnknownRdata = Readonly<{ octets: string }>;

/** A record type whose RDATA is opaque octets (RFC 3597). */
export function unknownType(type: string): RecordType<UnknownRdata> {
  return recordType<UnknownRdata>({
    type,
    fields: { octets: { kind: unknownData, about: "its data", example: "\\# 4 0A000001" } },
  });
}

const unknownData: FieldKind<string> = {
  json: "string",
  read(tokens) {
    const first = tokens.next;
    const wire = WireWriter.plain();
    const readings: string[] = [];
    const isGuessable = !hasParameter(tokens);
    while (!tokens.isAtEnd && isGuessable) readings.push(guessField(tokens, wire));
    tokens.next = first + 1;
    const [, length, hex = ""] = octetsForm(wire.bytes().toString("latin1")).split(" ");
    const fix = isGuessable
      ? `Write its octets. ${readings.join(", ")}: ${`\\# ${length} ${hex.toLowerCase()}`.trimEnd()}`
      : 'Write its octets, as "\\#", their number, and two hexadecimal digits for each.';
    throw new Fault("unknown-data", "zonewright knows no text form for the RDATA of this type", fix);
  },
  format: octetsForm,
  decode: (wire) => wire.takeRest(),
  encode: (octets, wire) => wire.octets(octets),
};

/** Whether a word is a parameter, whose octets depend on its name. */
function hasParameter({ text, next, count, starts, ends, kinds }: TokenTable): boolean {
  for (let token = next; token < count; token++)
    if (((kinds[token] ?? 0) & quoted) === 0 && text.slice(starts[token], ends[token]).includes("=")) return true;
  return false;
}

/** Writes the next token in its most likely form, and returns a description of that form. */
function guessField(tokens: TokenTable, wire: WireWriter): string {
  const { text, next, isQuoted } = tokens;
  const [start, end] = [tokens.starts[next] ?? 0, tokens.ends[next] ?? 0];
  const word = text.slice(start, end);
  const take = <T>(kind: FieldKind<T>, what: string) => {
    kind.encode(kind.read(tokens, "the data"), wire);
    return `${word} as ${what}`;
  };
  if (isQuoted) return take(shortText, "a character-string");
  if (isAddress4(text, start, end)) return take(address4, "an IPv4 address");
  if (isAddress6(text, start, end)) return take(address6, "an IPv6 address");
  if (word.endsWith(".")) return take(domainName, "a domain name");
  const hex = /^(?:0x|(?=0|.*[a-f]))((?:[0-9a-f]{2}){2,})$/i.exec(word)?.[1];
  if (hex !== undefined) {
    tokens.next++;
    wire.octets(fromHex(hex));
    return `${word} as hexadecimal digits`;
  }
  const number = digits(text, start, end);
  if (number < 2 ** 32) {
    const size = number < 2 ** 16 ? 2 : 4;
    tokens.next++;
    wire.uint(size, number);
    return `${word} in ${size} octets`;
  }
  return take(shortText, "a character-string");
}
