import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { advise, type Fix } from "../../diagnostics/advice.ts";
import { type ProblemError, problemError } from "../../diagnostics/problem.ts";
import type { SignatureRules } from "../../planner/plan-file/plan-signature.ts";
import type { RunContext } from "./run-context.ts";

/** The environment variables with the private key (PEM, PKCS#8) and the trusted public keys (PEM, one or more). */
export const signingVariable = "ZONEWRIGHT_SIGNING_KEY";
const verifyVariable = "ZONEWRIGHT_VERIFY_KEYS";

/**
 * The key that signs plan files. Errors never quote it.
 * @throws {ProblemError} `signing-key`
 */
export function readSigningKey({ env }: Pick<RunContext, "env">): KeyObject {
  const text = env[signingVariable]?.trim() ?? "";
  const fail = (what: Fix, fix = setSigningKey) => keyError(advise`${signingVariable} ${what}`, fix);
  if (text === "")
    throw fail(advise`is not set: ${{ set: "sign" }} needs a private key`, `${makeKey} ${setSigningKey}`);
  if (/^-----BEGIN ENCRYPTED PRIVATE KEY-----/.test(text)) throw fail("is encrypted with a passphrase", decryptKey);
  if (/^-----BEGIN OPENSSH PRIVATE KEY-----/.test(text)) throw fail("is in the format of OpenSSH", makeKey);
  if (/^-----BEGIN PUBLIC KEY-----/.test(text))
    throw fail(advise`is a public key: ${{ set: "sign" }} needs the private one`);
  const key = readKey(text, /^-----BEGIN [A-Z ]*PRIVATE KEY-----/, createPrivateKey);
  if (key === undefined) throw fail("is not a private key in PEM format");
  if (key.asymmetricKeyType !== "ed25519")
    throw fail(`is a key for ${key.asymmetricKeyType}: plans are signed with ed25519`, makeKey);
  return key;
}

/**
 * The rules for signatures of plan files: the trusted keys of the environment. If there are some, every plan file needs
 * a signature; with `isRequired`, there have to be some.
 * @throws {ProblemError} `signing-key`
 */
export function readSignatureRules({ env }: Pick<RunContext, "env">, isRequired: boolean): SignatureRules {
  const text = env[verifyVariable]?.trim() ?? "";
  const fail = (what: Fix, fix = setVerifyKeys) => keyError(advise`${verifyVariable} ${what}`, fix);
  if (text === "" && isRequired)
    throw fail(advise`is not set: ${{ set: "requireSignature" }} needs the public keys to trust`);
  if (text === "") return { keys: [], isRequired: false };
  if (text.includes("PRIVATE KEY")) throw fail("contains a private key: it needs only public keys");
  const blocks = text.match(/-----BEGIN PUBLIC KEY-----[^-]*-----END PUBLIC KEY-----/g) ?? [];
  const rest = blocks.reduce((left, block) => left.replace(block, ""), text).trim();
  const keys = blocks.map((block) => readKey(block, /^/, createPublicKey));
  if (blocks.length === 0 || rest !== "" || keys.includes(undefined))
    throw fail("does not consist of public keys in PEM format");
  const other = keys.find((key) => key?.asymmetricKeyType !== "ed25519");
  if (other) throw fail(`has a key for ${other.asymmetricKeyType}: plans are signed with ed25519`, makeKey);
  return { keys: keys.flatMap((key) => key ?? []), isRequired: true };
}

const makeKey = "Make a key with `openssl genpkey -algorithm ed25519 -out key.pem`.";
const decryptKey = "Decrypt it with `openssl pkey -in key.pem -out plain.pem`, and set it to the text of plain.pem.";
const setSigningKey = `Set it to the text of the file, with its lines: \`export ${signingVariable}="$(cat key.pem)"\`.`;
const setVerifyKeys = `Set it to the public key, with its lines: \`export ${verifyVariable}="$(openssl pkey -in key.pem -pubout)"\`.`;

function readKey(text: string, form: RegExp, create: (text: string) => KeyObject): KeyObject | undefined {
  if (!form.test(text)) return undefined;
  try {
    return create(text);
  } catch {
    return undefined; // the error of OpenSSL says nothing that helps, and could quote the key
  }
}

function keyError(summary: Fix, fix: Fix): ProblemError {
  return problemError("signing-key", summary, { fix });
}
