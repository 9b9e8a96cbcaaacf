import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** The parameters of scrypt. */
interface Cost {
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

/** Cost of new passwords: 32 MiB, and about 0.2 s on one core. */
const defaultCost: Cost = { logN: 15, r: 8, p: 3 };
const octets = 32;

/** Derives a password for the database by scrypt (RFC 7914): `scrypt$15$8$3$<salt>$<hash>`, in Base64. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const { logN, r, p } = defaultCost;
  const derived = await derive(password, salt, defaultCost);
  return ["scrypt", logN, r, p, salt.toString("base64"), derived.toString("base64")].join("$");
}

/**
 * Whether this is the stored password. Without a stored one, the check takes the same time, so that it does not reveal
 * which users exist.
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, logN, r, p, salt, hash] = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([^$]+)\$([^$]+)$/.exec(stored ?? "") ?? [];
  if (salt === undefined || hash === undefined) {
    await derive(password, Buffer.alloc(16), defaultCost);
    return false;
  }
  const expected = Buffer.from(hash, "base64");
  const cost = { logN: Number(logN), r: Number(r), p: Number(p) };
  const derived = await derive(password, Buffer.from(salt, "base64"), cost);
  return expected.length === octets && timingSafeEqual(derived, expected);
}

/** Runs on a thread of its own. The same characters give the same octets on every keyboard (RFC 8265 §4.2.2). */
function derive(password: string, salt: Buffer, { logN, r, p }: Cost): Promise<Buffer> {
  const options = { N: 2 ** logN, r, p, maxmem: 128 * r * (2 ** logN + p + 2) };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFC"), salt, octets, options, (error, derived) =>
      error ? reject(error) : resolve(derived),
    );
  });
}
