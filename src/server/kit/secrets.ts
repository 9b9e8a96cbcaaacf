import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import { ProblemError } from "../../diagnostics/problem.ts";

/** Octets of the key, which is one of AES-256. */
export const secretKeyOctets = 32;

const algorithm = "aes-256-gcm";
const nonceOctets = 12;
const tagOctets = 16;

/** Whether the key cannot be read. */
export function isKeyFailure(error: unknown): error is ProblemError {
  return error instanceof ProblemError && error.problem.id === "secret-key";
}

/**
 * Secrets that are stored encrypted, and texts that are signed, with one key of the operator. Each purpose has a key of
 * its own (HKDF, RFC 5869), and a sealed text opens only where it belongs: `place` names the row.
 */
export class Secrets {
  readonly #readKey: () => Uint8Array;
  readonly #keys = new Map<string, Buffer>();

  /** @param readKey reads the key at first need; it may throw a {ProblemError} */
  constructor(readKey: () => Uint8Array) {
    this.#readKey = readKey;
  }

  /** Encrypts by AES-256-GCM with a random nonce: nonce, tag and ciphertext in Base64. */
  seal(text: string, place: string): string {
    const nonce = randomBytes(nonceOctets);
    const cipher = createCipheriv(algorithm, this.#keyFor("seal"), nonce).setAAD(Buffer.from(place));
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
  }

  /** Decrypts; undefined for a text that was changed, or sealed with another key or for another place. */
  open(sealed: string, place: string): string | undefined {
    const octets = Buffer.from(sealed, "base64");
    if (octets.length < nonceOctets + tagOctets) return undefined;
    const decipher = createDecipheriv(algorithm, this.#keyFor("seal"), octets.subarray(0, nonceOctets), {
      authTagLength: tagOctets,
    });
    decipher.setAAD(Buffer.from(place)).setAuthTag(octets.subarray(nonceOctets, nonceOctets + tagOctets));
    try {
      return Buffer.concat([decipher.update(octets.subarray(nonceOctets + tagOctets)), decipher.final()]).toString(
        "utf8",
      );
    } catch {
      return undefined;
    }
  }

  /** A signature of the text (HMAC-SHA-256, base64url); `purpose` separates kinds of signed texts. */
  sign(text: string, purpose: string): string {
    return createHmac("sha256", this.#keyFor(`sign ${purpose}`))
      .update(text)
      .digest("base64url");
  }

  isSigned(text: string, signature: string, purpose: string): boolean {
    const expected = Buffer.from(this.sign(text, purpose));
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  #keyFor(purpose: string): Buffer {
    const known = this.#keys.get(purpose);
    if (known) return known;
    const key = Buffer.from(hkdfSync("sha256", this.#readKey(), "", `zonewright ${purpose}`, secretKeyOctets));
    this.#keys.set(purpose, key);
    return key;
  }
}
