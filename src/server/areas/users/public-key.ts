/** Limit on a public key, in characters: an RSA key of 16,384 bits has 2,800 with its comment. */
export const longestPublicKey = 8000;

/** Whether the text is a public key of OpenSSH: a type, Base64 that begins with the same type, and a comment. */
export function isPublicKey(text: string): boolean {
  const { type, octets } = parse(text);
  if (!/^(?:ssh-|ecdsa-|sk-)/.test(type)) return false;
  const length = octets.length < 4 ? 0 : octets.readUInt32BE();
  return length === type.length && octets.toString("latin1", 4, 4 + length) === type && octets.length > 4 + length;
}

/** Whether two public keys are the same, whatever their comments and spaces. */
export function isSameKey(one: string, other: string): boolean {
  return parse(one).octets.equals(parse(other).octets);
}

/** The type of a public key, and its octets, which contain the type as well. */
function parse(text: string): { type: string; octets: Buffer } {
  const [, type = "", encoded = ""] = /^([a-z0-9@.-]+) +([A-Za-z0-9+/]+={0,2})(?: [^\n]*)?\n?$/.exec(text) ?? [];
  return { type, octets: Buffer.from(encoded, "base64") };
}
