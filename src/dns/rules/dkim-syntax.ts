import { createPublicKey } from "node:crypto";
import { labels, nameKey } from "../name.ts";
import { isKeyOwner, meantText } from "../policies/kind.ts";
import { checkPolicy, listOf, oneOf, type TagPolicy, type TagRule } from "../policies/tag-rules.ts";
import { parseTags, valuesOf } from "../policies/tags.ts";
import type { Finding, IndexedZone, Rule } from "../rule.ts";

const dkim: TagPolicy = {
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
    t: listOf("y", "s"),
    n: { fits: () => true, form: "a note" },
    g: { fits: () => true, form: "a pattern" },
  },
};

/** Shorter RSA keys must not be used, and receivers may reject them (RFC 8301 §3.2). */
const fewestBits = 1024;

/** A list that needs one of these words; receivers ignore unknown ones beside them. */
function usable(rule: TagRule, ...words: readonly string[]): TagRule {
  const has = (value: string) => value.split(":").some((word) => words.includes(word.trim().toLowerCase()));
  return { ...rule, fits: (value) => rule.fits(value) && has(value), isVoid: (value) => !has(value) };
}

/** Parts of keys that receivers ignore. */
export const dkimIgnored: Rule = {
  id: "dkim-ignored",
  check: (zone) => checkPolicy(zone, dkim, "ignored"),
};

/** Keys with which no signature can be verified. */
export const dkimSyntax: Rule = {
  id: "dkim-syntax",
  *check(zone) {
    const found = [...checkPolicy(zone, dkim, "void")];
    yield* found;
    yield* wrongKeys(zone, new Set(found.map(({ at }) => at)));
  },
};

function* wrongKeys(zone: IndexedZone, faulty: ReadonlySet<unknown>): Generator<Finding> {
  for (const { owner, records } of zone.sets("TXT")) {
    if (!dkim.isAt(labels(nameKey(owner)))) continue;
    for (const record of records) {
      if (faulty.has(record)) continue;
      const tags = parseTags(meantText(record));
      const [key = ""] = valuesOf(tags, "p");
      const [kind = "rsa"] = valuesOf(tags, "k");
      const problem = key === "" ? undefined : keyProblem(key.replace(/\s/g, ""), kind.toLowerCase());
      if (problem)
        yield {
          summary: `${zone.show(owner)} TXT: the DKIM key ${problem}`,
          at: record,
          fix: "Copy the complete key again, or create a new one.",
        };
    }
  }
}

function keyProblem(base64: string, kind: string): string | undefined {
  const octets = Buffer.from(base64, "base64");
  if (kind === "ed25519")
    return octets.length === 32 ? undefined : `has ${octets.length} octets; an Ed25519 key has 32`;
  for (const type of ["spki", "pkcs1"] as const) {
    try {
      const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey({ key: octets, format: "der", type });
      const { modulusLength = 0 } = asymmetricKeyDetails ?? {};
      if (asymmetricKeyType !== "rsa") return "is not an RSA key";
      return modulusLength < fewestBits ? `has ${modulusLength} bits; the minimum is ${fewestBits}` : undefined;
    } catch {}
  }
  return "is not an RSA key, or is truncated";
}

function isBase64(text: string): boolean {
  return text.length % 4 !== 1 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}
