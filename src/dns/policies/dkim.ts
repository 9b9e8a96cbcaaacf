import { isKeyOwner } from "./kind.ts";
import { listOf, oneOf, type TagPolicy, type TagRule } from "./tag-rules.ts";

/** RFC 6376 §3.6.1 */
export const dkim: TagPolicy = {
  name: "DKIM",
  version: "DKIM1",
  isOptional: true,
  isAt: isKeyOwner,
  isStrict: true, // RFC 6376 §3.2
  tags: {
    p: {
      isRequired: true,
      fits: (value) => isBase64(value.replace(/\s/g, "")),
      fault: (value) => (value.includes('"') ? "contains quotes" : "is not base64"),
      form: "the public key in base64 without quotes inside, or nothing to revoke it",
      isVoid: () => true,
    },
    k: { ...oneOf("rsa", "ed25519"), isVoid: () => true },
    // Signatures with SHA-1 must not be accepted (RFC 8301 §3.1).
    h: { ...usable(listOf("sha1", "sha256"), "sha256"), form: '"sha256"' },
    s: usable(listOf("*", "email"), "*", "email"),
    t: { ...usable(listOf("y", "s"), "y", "s"), isVoid: () => false },
    n: { fits: () => true, form: "a note" },
    g: { fits: () => true, form: "a pattern" },
  },
};

/** A list that needs one of these words; receivers ignore unknown ones beside them (RFC 6376 §3.6.1). */
function usable(rule: TagRule, ...words: readonly string[]): TagRule {
  const has = (value: string) => value.split(":").some((word) => words.includes(word.trim().toLowerCase()));
  return { ...rule, fits: has, isVoid: (value) => !has(value) };
}

function isBase64(text: string): boolean {
  return text.length % 4 !== 1 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}
