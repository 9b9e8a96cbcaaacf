import { typesWithAddress } from "../../dns/lookup/find-address.ts";
import { type NameKey, parent, withLabel } from "../../dns/name/name.ts";
import type { PolicyKind } from "../../dns/policies/kind.ts";
import { parseTags, valuesOf } from "../../dns/policies/tags.ts";
import { effectsAt, type Finding, type Guard, type GuardContext, noLimit } from "../risk/guard.ts";
import type { ZoneAnswers } from "../risk/lookup.ts";
import { handoverText, policyChanges, policyTexts } from "../risk/policies.ts";

/** Policies for encrypted mail transport, and the reports about it (RFC 8461, RFC 8460). */
export const mailTransportSecurity: Guard = {
  guard: "G20",
  title: "mail transport security",
  about: "deletes MTA-STS or TLS reporting, makes it invalid, or replaces it by an alias to an unmanaged name",
  of: { types: [...typesWithAddress, "TXT"] },
  counts: `Compares the records of MTA-STS and TLS reporting before and after the plan. ${noLimit}`,
  examples: {
    valid: ['- _mta-sts TXT "v=STSv1; id=1"', '+ _mta-sts TXT "v=STSv1; id=2"'],
    invalid: {
      lines: ['- _mta-sts TXT "v=STSv1; id=1"', "  @ A 192.0.2.1"],
      finding: "_mta-sts.example.com TXT: deletes the MTA-STS record",
    },
  },
  *check(zone, context) {
    for (const { kind, isName, tag } of kinds) {
      for (const { name, effects } of policyChanges(zone, context, isName)) {
        const text = lostRecordText(name, context, kind, tag);
        if (text !== undefined) yield { text, effects } satisfies Finding;
      }
    }
    for (const name of zone.changedNames) {
      if (!name.startsWith("mta-sts.")) continue;
      const effects = effectsAt(zone, name, ...typesWithAddress);
      if (effects.length > 0 && losesPolicyHost(name, context))
        yield { text: "deletes the addresses of the host of the MTA-STS policy", effects } satisfies Finding;
    }
  },
};

const kinds: readonly { kind: PolicyKind; isName: (name: NameKey) => boolean; tag: string }[] = [
  { kind: "MTA-STS", isName: (name) => name.startsWith("_mta-sts."), tag: "id" },
  { kind: "TLSRPT", isName: (name) => name.startsWith("_smtp._tls."), tag: "rua" },
];

type State = "valid" | "invalid" | "none" | "unknown";

/** A single record with the required field is valid (RFC 8461 §3.1, RFC 8460 §3). */
function stateAt(answers: ZoneAnswers, name: NameKey, kind: PolicyKind, tag: string): State {
  const { valid, intended, isKnown } = policyTexts(answers, name, kind);
  if (!isKnown) return "unknown";
  if (intended.length === 0) return "none";
  const [text = ""] = valid;
  const values = parseTags(text).tags.filter((one) => one.name === tag);
  const isWhole = values.length > 0 && valuesOf(parseTags(text), tag).every((value) => isValue(tag, value));
  return valid.length === 1 && isWhole ? "valid" : "invalid";
}

function lostRecordText(
  name: NameKey,
  { answersBefore, answersAfter }: GuardContext,
  kind: PolicyKind,
  tag: string,
): string | undefined {
  const were = stateAt(answersBefore, name, kind, tag);
  if (were === "none" || were === "invalid") return undefined;
  switch (stateAt(answersAfter, name, kind, tag)) {
    case "valid":
      return undefined;
    case "unknown": {
      const { decidedBy } = policyTexts(answersAfter, name, kind);
      return were === "unknown" ? undefined : handoverText(`the ${kind} record`, name, decidedBy);
    }
    case "none":
      return `deletes the ${kind} record`;
    case "invalid":
      return `makes the ${kind} record invalid`;
  }
}

function isValue(tag: string, value: string): boolean {
  return tag === "id" ? /^[A-Za-z0-9]{1,32}$/.test(value) : /^(?:mailto|https):\S/i.test(value);
}

function losesPolicyHost(name: NameKey, { answersBefore, answersAfter }: GuardContext): boolean {
  const isThere = (answers: ZoneAnswers) =>
    ["A", "AAAA"].some((type) => {
      const { records, isKnown } = answers.find(name, type);
      return records.length > 0 || !isKnown;
    });
  if (!isThere(answersBefore) || isThere(answersAfter)) return false;
  const state = stateAt(answersAfter, withLabel("_mta-sts", parent(name)), "MTA-STS", "id");
  return state === "valid" || state === "unknown";
}
