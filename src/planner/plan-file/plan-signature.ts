import { createHash, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { advise } from "../../diagnostics/advice.ts";
import { type ProblemError, problemError } from "../../diagnostics/problem.ts";
import { canonicalJson, digestJson } from "../changes/digests.ts";
import type { PlanFile } from "./plan-schema.ts";

/** The public keys that are trusted to sign plan files, and whether files without a signature are refused. */
export interface SignatureRules {
  readonly keys: readonly KeyObject[];
  readonly isRequired: boolean;
}

/** The id of a key: the first 16 hexadecimal digits of the SHA-256 of the public key (SubjectPublicKeyInfo in DER). */
export function keyId(key: KeyObject): string {
  const publicKey = key.type === "private" ? createPublicKey(key) : key;
  const der = publicKey.export({ type: "spki", format: "der" });
  return createHash("sha256").update(der).digest("hex").slice(0, 16);
}

/** Signs a plan file with an ed25519 key. The digest of the file covers the signature. */
export function signPlan({ planDigest, ...unsigned }: PlanFile, key: KeyObject): PlanFile {
  const value = sign(null, signedOctets(unsigned), key).toString("base64");
  const signed = { ...unsigned, signature: { algorithm: "ed25519" as const, key: keyId(key), value } };
  return { ...signed, planDigest: digestJson(signed) };
}

/** The octets that are signed: the file in canonical JSON (RFC 8785), without `signature` and `planDigest`. */
function signedOctets(file: object): Buffer {
  const { signature, planDigest, ...rest } = file as Partial<PlanFile>;
  return Buffer.from(canonicalJson(rest));
}

/**
 * Checks the signature of a plan file, given its JSON value, which includes additions of newer versions. Returns the
 * id of the key; undefined if there is no signature, or no key to check it with.
 * @throws {ProblemError} `plan-signature`
 */
export function checkSignature(
  file: string,
  { signature }: Pick<PlanFile, "signature">,
  value: object,
  { keys, isRequired }: SignatureRules,
): string | undefined {
  if (!isRequired && (signature === undefined || keys.length === 0)) return undefined;
  if (signature === undefined) throw signatureError(`${file} is not signed`);
  const key = keys.find((one) => keyId(one) === signature.key);
  if (key === undefined) {
    const trusted = keys.map(keyId).join(", ") || "none";
    throw signatureError(`${file} is signed with the key ${signature.key}, which is not trusted (trusted: ${trusted})`);
  }
  if (!verify(null, signedOctets(value), key, Buffer.from(signature.value, "base64")))
    throw signatureError(`${file} was edited after it was signed, or not signed with the key ${signature.key}`);
  return signature.key;
}

function signatureError(summary: string): ProblemError {
  const fix = advise`Make a new plan with ${{ run: "plan", with: { out: "FILE", sign: true } }}, where the trusted signing key is set.`;
  return problemError("plan-signature", summary, { fix });
}
