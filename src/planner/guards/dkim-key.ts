import type { NameKey } from "../../dns/name/name.ts";
import { fromOctets } from "../../dns/name/text.ts";
import { txtText } from "../../dns/policies/kind.ts";
import { parseTags, valuesOf } from "../../dns/policies/tags.ts";
import type { Finding, Guard, GuardContext } from "../risk/guard.ts";
import type { ZoneAnswers } from "../risk/lookup.ts";
import { handoverText, policyChanges } from "../risk/policies.ts";

/** DKIM keys: without them receivers treat signed mail as unsigned (RFC 6376 §3.6.1). */
export const dkimKey: Guard = {
  guard: "G18",
  title: "DKIM key",
  about:
    "deletes a DKIM key, revokes it (empty p=), sets it to testing (t=y), or replaces it by an alias to an unmanaged name",
  of: { types: ["TXT", "CNAME"] },
  counts: `Compares the DKIM key of each changed selector before and after the plan. A new key in its place is fine.`,
  examples: {
    valid: ['- s._domainkey TXT "v=DKIM1; p=MCowBQYDK2VwAyEA"', '+ s._domainkey TXT "v=DKIM1; p=MCowBQYDK2VwAyEB"'],
    invalid: {
      lines: ['- s._domainkey TXT "v=DKIM1; p=MCowBQYDK2VwAyEA"', "  @ A 192.0.2.1"],
      finding: "s._domainkey.example.com TXT: deletes the DKIM key",
    },
  },
  *check(zone, context) {
    for (const { name, effects } of policyChanges(zone, context, isSelector)) {
      const text = lostKeyText(name, context);
      if (text !== undefined) yield { text, effects } satisfies Finding;
    }
  },
};

/** Whether the name is a selector: at least one label before `_domainkey` (RFC 6376 §3.6.2.1). */
function isSelector(name: NameKey): boolean {
  return name.includes("._domainkey.");
}

function lostKeyText(name: NameKey, { answersBefore, answersAfter }: GuardContext): string | undefined {
  const [were, are] = [keysAt(answersBefore, name), keysAt(answersAfter, name)];
  if (!are.isKnown) {
    const isReplaced = were.isKnown && were.usable > 0;
    return isReplaced ? handoverText("the DKIM key", name, are.decidedBy) : undefined;
  }
  const had = were.isKnown ? were.usable : 1; // an alias of an unmanaged key
  if (had === 0) return undefined;
  if (are.usable === 0) {
    if (are.revoked > 0) return "revokes the DKIM key: p= is empty";
    return are.all > 0 ? "makes the DKIM key unusable" : "deletes the DKIM key";
  }
  return were.isKnown && were.testing === 0 && are.testing > 0 ? "sets the DKIM key to testing (t=y)" : undefined;
}

interface Keys {
  readonly all: number;
  readonly usable: number;
  readonly revoked: number;
  readonly testing: number;
  readonly isKnown: boolean;
  readonly decidedBy?: NameKey;
}

function keysAt(answers: ZoneAnswers, name: NameKey): Keys {
  const { records, ...found } = answers.find(name, "TXT");
  const lists = records.map((record) => parseTags(fromOctets(txtText(record))));
  const keys = lists.filter((list) => valuesOf(list, "p").length > 0 || valuesOf(list, "v").includes("DKIM1"));
  const publicKeys = keys.map((list) => valuesOf(list, "p").map((value) => value.replace(/\s/g, "")));
  return {
    all: records.length,
    usable: keys.filter((list, index) => isUsable(list, publicKeys[index] ?? [])).length,
    revoked: publicKeys.filter((values) => values.length > 0 && values.every((value) => value === "")).length,
    testing: keys.filter((list) => valuesOf(list, "t").some((value) => flags(value).includes("y"))).length,
    ...found,
  };
}

/**
 * Whether verifiers would use the key: base64, of this version, for this service, with valid algorithms (RFC 6376
 * §3.6.1, RFC 8301, RFC 8463).
 */
function isUsable(list: ReturnType<typeof parseTags>, publicKeys: readonly string[]): boolean {
  const isVersion = list.tags.every(({ name, value }, index) => name !== "v" || (index === 0 && value === "DKIM1"));
  const services = valuesOf(list, "s").flatMap(flags);
  const isForMail = services.length === 0 || services.some((service) => service === "*" || service === "email");
  const isKeyType = valuesOf(list, "k").every((value) => /^(?:rsa|ed25519)$/i.test(value));
  const isHash = valuesOf(list, "h").every((value) => flags(value).some((hash) => hash.toLowerCase() === "sha256"));
  return (
    isVersion &&
    isForMail &&
    isKeyType &&
    isHash &&
    publicKeys.length === 1 &&
    /^[A-Za-z0-9+/]+={0,2}$/.test(publicKeys[0] ?? "")
  );
}

function flags(value: string): string[] {
  return value.split(":").map((flag) => flag.trim());
}
