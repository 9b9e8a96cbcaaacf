import type { ProblemId } from "../../diagnostics/registry.ts";
import { Fault } from "../name/fault.ts";
import { base64 } from "../rdata/binary.ts";
import { type FieldKind, uint8 } from "../rdata/field.ts";
import { decodeGateway, encodeGateway, formatGateway, type Gateway, readGateway } from "../rdata/gateway.ts";
import { readPart } from "../rdata/part.ts";
import { recordType } from "../rdata/record-type.ts";

export interface IpsecKey {
  readonly algorithm: number;
  readonly gateway: Gateway;
  /** Base64. */
  readonly key: string;
}

/** The type determines the form of the gateway that follows it. */
const ipsecKey: FieldKind<IpsecKey> = {
  json: "words",
  read(tokens) {
    const type = gatewayType(uint8.read(tokens, "the gateway type"), "rdata-gateway");
    const algorithm = readPart(tokens, "the algorithm", uint8.read);
    const gateway = readPart(tokens, "the gateway", (tokens, what) => readGateway(tokens, type, what));
    return { algorithm, gateway, key: readPart(tokens, "the public key", base64.read) };
  },
  format: ({ algorithm, gateway, key }, spell) =>
    `${gateway.type} ${algorithm} ${formatGateway(gateway, spell)} ${key}`,
  decode(wire) {
    const type = gatewayType(wire.uint(1), "rdata-wire");
    const algorithm = wire.uint(1);
    return { algorithm, gateway: decodeGateway(wire, type), key: base64.decode(wire) };
  },
  encode({ algorithm, gateway, key }, wire) {
    wire.uint(1, gateway.type);
    wire.uint(1, algorithm);
    encodeGateway(gateway, wire);
    base64.encode(key, wire);
  },
};

function gatewayType(type: number, id: ProblemId): number {
  if (type <= 3) return type;
  throw new Fault(
    id,
    `"${type}" is not a gateway type`,
    'Write "0" for none, "1" for IPv4, "2" for IPv6 or "3" for a name.',
  );
}

/** RFC 4025 §2 */
export const IPSECKEY = recordType<{ precedence: number; key: IpsecKey }>({
  type: "IPSECKEY",
  fields: {
    precedence: { kind: uint8, about: "the preference of the key, lowest first", example: "10" },
    key: {
      kind: ipsecKey,
      about: "gateway type, algorithm, gateway and key",
      example: "1 2 192.0.2.38 AQNRU3mG7TVTO2BkR47u",
    },
  },
});
