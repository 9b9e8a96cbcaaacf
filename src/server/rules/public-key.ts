/** Limit on a public key, in characters: an RSA key of 16,384 bits has 2,800 with its comment. */
export const longestPublicKey = 8000;

/** Whether the text is a public key of OpenSSH: a type, Base64 that begins with the same type, and a comment. */
export function isPublicKey(text: string): boolean {
  const [, type = "", encoded = ""] = /^([a-z0-9@.-]+) +([A-Za-z0-9+/]+={0,2})(?: [^\n]*)?\n?$/.exec(text) ?? [];
  if (!/^(?:ssh-|ecdsa-|sk-)/.test(type)) return false;
  const key = Buffer.from(encoded, "base64");
  const length = key.length < 4 ? 0 : key.readUInt32BE();
  return length === type.length && key.toString("latin1", 4, 4 + length) === type && key.length > 4 + length;
}
