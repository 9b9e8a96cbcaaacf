import { createPublicKey } from "node:crypto";
import { count } from "../../diagnostics/quantities.ts";
import type { IndexedZone, Rule, RuleFinding } from "../lookup/rule.ts";
import { labels, nameKey } from "../name/name.ts";
import { dkim } from "../policies/dkim.ts";
import { meantText } from "../policies/kind.ts";
import { checkPolicy } from "../policies/tag-rules.ts";
import { parseTags, valuesOf } from "../policies/tags.ts";

/** Shorter RSA keys must not be used, and receivers may reject them (RFC 8301 §3.2). */
const fewestBits = 1024;

/** Keys with which no signature can be verified. */
export const dkimSyntax: Rule = {
  id: "dkim-syntax",
  types: ["TXT"],
  *check(zone) {
    const found = [...checkPolicy(zone, dkim, "void")];
    yield* found;
    yield* wrongKeys(zone, new Set(found.map(({ at }) => at)));
  },
};

function* wrongKeys(zone: IndexedZone, faulty: ReadonlySet<unknown>): Generator<RuleFinding> {
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
    return octets.length === 32 ? undefined : `has ${count(octets.length, "octet")}; an Ed25519 key has 32`;
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
