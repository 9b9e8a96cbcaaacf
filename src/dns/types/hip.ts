import { Fault } from "../name/fault.ts";
import type { Name } from "../name/name.ts";
import { base64, fromHex, readBase64, readHex, toHex } from "../rdata/binary.ts";
import { type FieldKind, uint8 } from "../rdata/field.ts";
import { readPart } from "../rdata/part.ts";
import { recordType } from "../rdata/record-type.ts";

export interface HostIdentity {
  readonly algorithm: number;
  /** Hexadecimal digits. */
  readonly tag: string;
  /** Base64. */
  readonly key: string;
  readonly servers: readonly Name[];
}

/** One field for all parts, because the wire format starts with both lengths. */
const hostIdentity: FieldKind<HostIdentity> = {
  json: "words",
  read(tokens) {
    const algorithm = uint8.read(tokens, "the algorithm");
    const tag = readPart(tokens, "the host identity tag", (tokens, what) => readHex(tokens.unquoted(what), what));
    if (tag.length > 510)
      throw new Fault("rdata-length", "the host identity tag is longer than 255 octets", "Shorten it.");
    const key = readPart(tokens, "the public key", (tokens, what) => readBase64(tokens.unquoted(what), what));
    const servers: Name[] = [];
    while (!tokens.isAtEnd) servers.push(tokens.name("a rendezvous server"));
    return { algorithm, tag, key, servers };
  },
  format: ({ algorithm, tag, key, servers }, spell) => [algorithm, tag, key, ...servers.map(spell)].join(" "),
  decode(wire) {
    const tagLength = wire.uint(1);
    const algorithm = wire.uint(1);
    const keyLength = wire.uint(2);
    const tag = toHex(wire.subReader(tagLength).takeSome());
    const key = base64.decode(wire.subReader(keyLength));
    const servers: Name[] = [];
    while (!wire.isAtEnd) servers.push(wire.name());
    return { algorithm, tag, key, servers };
  },
  encode({ algorithm, tag, key, servers }, wire) {
    const octets = Buffer.from(key, "base64").toString("latin1");
    wire.uint(1, tag.length / 2);
    wire.uint(1, algorithm);
    wire.uint(2, octets.length);
    wire.octets(fromHex(tag));
    wire.octets(octets);
    for (const server of servers) wire.name(server);
  },
};

/** RFC 8005 §5 */
export const HIP = recordType<{ identity: HostIdentity }>({
  type: "HIP",
  fields: {
    identity: {
      kind: hostIdentity,
      letters: "compared", // as in BIND: RFC 4034 §6.2 does not list the type
      about: "algorithm, host identity tag, public key and rendezvous servers",
      example: "2 200100107B1A74DF365639CC39F1D578 AwEAAbdxyhNuSutc5EMzxTs9 rvs.example.com.",
    },
  },
});
