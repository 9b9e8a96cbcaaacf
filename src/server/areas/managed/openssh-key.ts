import { generateKeyPairSync, randomBytes } from "node:crypto";

/** A key pair in the formats of OpenSSH. */
export interface SshKeyPair {
  /** A line of `authorized_keys`. */
  readonly publicKey: string;
  /** A file without a passphrase (openssh-portable, PROTOCOL.key). */
  readonly privateKey: string;
}

const algorithm = "ssh-ed25519";
/** The private section is a multiple of these octets. */
const blockOctets = 8;

/** Makes an ed25519 pair (RFC 8709) with this comment. */
export function createSshKeyPair(comment: string): SshKeyPair {
  const { x = "", d = "" } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  const publicOctets = Buffer.from(x, "base64url");
  const publicBlob = Buffer.concat([field(algorithm), field(publicOctets)]);
  const check = randomBytes(4);
  const secret = Buffer.concat([
    check,
    check,
    publicBlob,
    field(Buffer.concat([Buffer.from(d, "base64url"), publicOctets])),
    field(comment),
  ]);
  const padding = Buffer.from(Array.from({ length: -secret.length & (blockOctets - 1) }, (_, index) => index + 1));
  const file = Buffer.concat([
    Buffer.from("openssh-key-v1\0"),
    field("none"), // cipher
    field("none"), // key derivation
    field(""), // and its options
    number(1), // key
    field(publicBlob),
    field(Buffer.concat([secret, padding])),
  ]);
  const lines = file.toString("base64").match(/.{1,70}/g) ?? [];
  return {
    publicKey: `${algorithm} ${publicBlob.toString("base64")} ${comment}`,
    privateKey: ["-----BEGIN OPENSSH PRIVATE KEY-----", ...lines, "-----END OPENSSH PRIVATE KEY-----", ""].join("\n"),
  };
}

/** Octets with their length before them (RFC 4251 §5, string). */
function field(content: string | Uint8Array): Buffer {
  const octets = Buffer.from(content);
  return Buffer.concat([number(octets.length), octets]);
}

function number(value: number): Buffer {
  const octets = Buffer.alloc(4);
  octets.writeUInt32BE(value);
  return octets;
}
