import { Fault } from "../name/fault.ts";
import { type FieldKind, uint8 } from "../rdata/field.ts";
import { decodeGateway, encodeGateway, formatGateway, type Gateway, readGateway } from "../rdata/gateway.ts";
import { readPart } from "../rdata/part.ts";
import { octetsForm, recordType } from "../rdata/record-type.ts";

export interface Relay {
  readonly precedence: number;
  readonly discovery: number;
  readonly relay: Gateway;
  /** Octets of a relay whose type has no text form. */
  readonly octets?: string;
}

const relay: FieldKind<Relay> = {
  json: "words",
  read(tokens) {
    const precedence = uint8.read(tokens, "the precedence");
    const discovery = readPart(tokens, "the discovery bit", uint8.read);
    if (discovery > 1) throw new Fault("rdata-number", "the discovery bit is not 0 or 1", "Write 0 or 1.");
    const type = readPart(tokens, "the relay type", uint8.read);
    if (type > 3) {
      const fix = 'Write "0" for none, "1" for IPv4, "2" for IPv6 or "3" for a name.';
      throw new Fault("rdata-gateway", `"${type}" is not a relay type with a text form`, fix);
    }
    return {
      precedence,
      discovery,
      relay: readPart(tokens, "the relay", (tokens, what) => readGateway(tokens, type, what)),
    };
  },
  format({ precedence, discovery, relay, octets }, spell) {
    if (octets !== undefined) return octetsForm(String.fromCharCode(precedence, discovery * 128 + relay.type) + octets);
    return `${precedence} ${discovery} ${relay.type} ${formatGateway(relay, spell)}`;
  },
  decode(wire) {
    const precedence = wire.uint(1);
    const octet = wire.uint(1);
    const [discovery, type] = [octet >> 7, octet & 127];
    if (type > 3) return { precedence, discovery, relay: { type, text: "" }, octets: wire.takeRest() };
    return { precedence, discovery, relay: decodeGateway(wire, type) };
  },
  encode({ precedence, discovery, relay, octets }, wire) {
    wire.uint(1, precedence);
    wire.uint(1, discovery * 128 + relay.type);
    if (octets === undefined) encodeGateway(relay, wire);
    else wire.octets(octets);
  },
};

/** RFC 8777 §4.2 */
export const AMTRELAY = recordType<{ relay: Relay }>({
  type: "AMTRELAY",
  fields: {
    relay: { kind: relay, about: "precedence, discovery bit, relay type and relay", example: "10 0 1 203.0.113.15" },
  },
});
