import { readAddress4, readAddress6 } from "../name/address.ts";
import { Fault } from "../name/fault.ts";
import { asName } from "../name/name.ts";
import type { SpellName } from "./field.ts";
import type { TokenTable } from "./token-table.ts";
import type { WireReader } from "./wire-reader.ts";
import type { WireWriter } from "./wire-writer.ts";

/** A gateway: none (type 0), an IPv4 address (1), an IPv6 address (2) or a name (3); RFC 4025 §2.5, RFC 8777 §4.2.3. */
export interface Gateway {
  readonly type: number;
  readonly text: string;
}

/** @throws {Fault} if the next token is not a gateway of this type. */
export function readGateway(tokens: TokenTable, type: number, field: string): Gateway {
  if (type === 1) return { type, text: readAddress4(tokens.unquoted(field)) };
  if (type === 2) return { type, text: readAddress6(tokens.unquoted(field)) };
  if (type === 3) return { type, text: tokens.name(field) };
  const text = tokens.unquoted(field);
  if (text === ".") return { type, text };
  throw new Fault(
    "rdata-gateway",
    `${field} of type 0 is not "."`,
    'Write ".", or type "1" for IPv4, "2" for IPv6 or "3" for a name.',
  );
}

export function formatGateway({ type, text }: Gateway, spell: SpellName): string {
  return type === 3 ? spell(asName(text)) : text;
}

export function decodeGateway(wire: WireReader, type: number): Gateway {
  if (type === 1) return { type, text: wire.address4() };
  if (type === 2) return { type, text: wire.address6() };
  return { type, text: type === 3 ? wire.name() : "." };
}

export function encodeGateway({ type, text }: Gateway, wire: WireWriter): void {
  if (type === 1) wire.address4(text);
  else if (type === 2) wire.address6(text);
  else if (type === 3) wire.name(asName(text));
}
