import { randomBytes, randomUUID } from "node:crypto";
import { linkSync, lstatSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { ProblemError, problemError } from "../../../diagnostics/problem.ts";
import { fileErrorReason } from "../../../formats/files.ts";
import { secretKeyOctets } from "../../kit/secrets.ts";
import { restrictToOwner } from "../../store/private-file.ts";

/**
 * Reads a key: 64 hexadecimal digits, or Base64 of 32 octets.
 * @param source names the key in messages
 * @throws {ProblemError} `secret-key`; the message does not contain the text
 */
export function parseSecretKey(text: string, source: string): Uint8Array {
  const digits = text.trim();
  const key = /^[0-9a-f]{64}$/i.test(digits)
    ? Buffer.from(digits, "hex")
    : /^[\w+/-]{43}=?$/.test(digits)
      ? Buffer.from(digits, "base64")
      : undefined;
  if (key?.length === secretKeyOctets) return key;
  throw keyProblem(
    `${source} is not a key`,
    "A key is 64 hexadecimal digits, as printed by `openssl rand -hex 32`, or Base64 of 32 octets.",
  );
}

/**
 * Reads the key in a file that only this user can read, and creates it at first need. Several servers may do so at the
 * same moment: the file appears with its content, and all read the same.
 * @throws {ProblemError} `secret-key`
 */
export function readSecretKeyFile(path: string): Uint8Array {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) createKeyFile(path);
    restrictToOwner(path);
    return parseSecretKey(readFileSync(path, "utf8"), path);
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    const fix = "Let this user read and write files in the data folder, or set ZONEWRIGHT_SECRET_KEY.";
    throw keyProblem(`the key ${path} cannot be read or created`, fix, fileErrorReason(error));
  }
}

function createKeyFile(path: string): void {
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, `${randomBytes(secretKeyOctets).toString("hex")}\n`, { flag: "wx", mode: 0o600 });
    linkSync(draft, path);
  } catch (error) {
    // Another server was first.
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The error for a key that is missing or cannot be used. */
export function keyProblem(summary: string, fix: string, detail?: string): ProblemError {
  return problemError("secret-key", summary, { fix, ...(detail !== undefined && { detail: `${detail}.` }) });
}
