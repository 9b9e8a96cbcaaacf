import { createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { Secrets } from "../../src/server/kit/secrets.ts";

const key = Buffer.alloc(32, 7);
const secrets = new Secrets(() => key);

/** The form of a sealed text, written from its description: nonce of 12 octets, tag of 16, ciphertext. */
function decrypt(sealed: string, place: string): string {
  const octets = Buffer.from(sealed, "base64");
  const derived = Buffer.from(hkdfSync("sha256", key, "", "zonewright seal", 32));
  const decipher = createDecipheriv("aes-256-gcm", derived, octets.subarray(0, 12));
  decipher.setAAD(Buffer.from(place)).setAuthTag(octets.subarray(12, 28));
  return decipher.update(octets.subarray(28)).toString() + decipher.final().toString();
}

test.each(["", "hunter2", "пароль 🔑", "x".repeat(10_000)])("a sealed text opens again: %#", (text) => {
  const sealed = secrets.seal(text, "credentials/1");
  expect(secrets.open(sealed, "credentials/1")).toBe(text);
  expect(decrypt(sealed, "credentials/1")).toBe(text);
  expect(secrets.seal(text, "credentials/1")).not.toBe(sealed);
});

test("a sealed text opens with its key, at its place and unchanged only", () => {
  const sealed = secrets.seal("hunter2", "credentials/1");
  const octets = Buffer.from(sealed, "base64");
  for (let at = 0; at < octets.length; at++) {
    const forged = Buffer.from(octets);
    forged[at] = (forged[at] ?? 0) ^ 1;
    expect(secrets.open(forged.toString("base64"), "credentials/1"), `octet ${at}`).toBeUndefined();
  }
  for (let length = 0; length < octets.length; length++)
    expect(secrets.open(octets.subarray(0, length).toString("base64"), "credentials/1"), `${length}`).toBeUndefined();
  expect(secrets.open(sealed, "credentials/2")).toBeUndefined();
  expect(new Secrets(() => randomBytes(32)).open(sealed, "credentials/1")).toBeUndefined();
});

test("a signature holds for its text and its purpose", () => {
  const signature = secrets.sign("text", "form");
  const derived = Buffer.from(hkdfSync("sha256", key, "", "zonewright sign form", 32));
  expect(signature).toBe(createHmac("sha256", derived).update("text").digest("base64url"));
  expect(secrets.isSigned("text", signature, "form")).toBe(true);
  for (const [text, given, purpose] of [
    ["texts", signature, "form"],
    ["text", signature, "other"],
    ["text", `${signature}A`, "form"],
    ["text", "", "form"],
  ] as const)
    expect(secrets.isSigned(text, given, purpose)).toBe(false);
});

test("the key is read at first need", () => {
  let reads = 0;
  const lazy = new Secrets(() => {
    reads++;
    return key;
  });
  expect(reads).toBe(0);
  lazy.seal("a", "b");
  lazy.seal("a", "b");
  expect(reads).toBe(1);
});
