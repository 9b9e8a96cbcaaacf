import { asName, isInside, isWildcard, type NameKey, nameKey, parent, withoutDot } from "../../dns/name/name.ts";
import { reportHosts } from "../../dns/policies/dmarc.ts";
import { addToList } from "../../group-by.ts";
import type { Effect } from "../changes/effects.ts";
import { isDmarcName } from "../risk/dmarc.ts";
import { effectsAt, type Finding, type Guard, type GuardContext, noLimit, type ZoneChange } from "../risk/guard.ts";
import type { ZoneAnswers } from "../risk/lookup.ts";
import { policyChanges, policyTexts } from "../risk/policies.ts";

/**
 * Receivers send no report to another domain unless it has a record that accepts the reports (RFC 9990 §4). That of a
 * domain without a managed zone is not in sight, so that someone has to look it up once; a new zone often brings such
 * destinations, which were in use before.
 */
export const dmarcReports: Guard = {
  guard: "G31",
  title: "DMARC reports",
  about:
    "sends DMARC reports (rua, ruf) to another domain whose record to accept them is missing or not in sight, or deletes such a record",
  ofNew: true,
  counts: `Looks up the TXT record by which another domain accepts the reports (RFC 9990 section 4), in the zones with files. A destination that the policy had before is fine. ${noLimit}`,
  examples: {
    valid: [
      '+ _dmarc TXT "v=DMARC1; p=none; rua=mailto:in@lab.example"',
      "  zone lab.example",
      '  example.com._report._dmarc TXT "v=DMARC1"',
    ],
    invalid: {
      lines: ['+ _dmarc TXT "v=DMARC1; p=none; rua=mailto:in@lab.example"', "  zone lab.example", "  @ MX 10 mail"],
      finding:
        '_dmarc.example.com TXT: lab.example accepts no DMARC reports of example.com: "example.com._report._dmarc.lab.example" has no TXT "v=DMARC1"',
    },
  },
  *check(zone, context) {
    for (const [policy, effects] of findCauses(zone, context)) {
      const before = destinationsOf(context.answersBefore, policy);
      for (const { host, accepts } of destinationsOf(context.answersAfter, policy)) {
        const refusal = findRefusal(context, "answersAfter", accepts);
        const isOfNew = zone.plan.domainId === undefined && refusal === "unseen";
        if (refusal === undefined || isOfNew) continue;
        const wasThere = before.some((one) => one.host === host);
        if (wasThere && findRefusal(context, "answersBefore", accepts) === refusal) continue;
        const [from, name] = [withoutDot(parent(policy)), withoutDot(accepts)];
        const text =
          refusal === "refused"
            ? `${withoutDot(host)} accepts no DMARC reports of ${from}: "${name}" has no TXT "v=DMARC1"`
            : `sends DMARC reports of ${from} to ${withoutDot(host)}, whose records are not in sight: they arrive only if "${name}" has the TXT "v=DMARC1"`;
        yield { text, effects: [...new Set(effects)], facts: [`${policy} ${host}`] } satisfies Finding;
      }
    }
  },
};

/** The effects of a zone on reports, by the policy that sends them: its own ones, and those of accepting records. */
function findCauses(zone: ZoneChange, context: GuardContext): Map<NameKey, Effect[]> {
  const causes = new Map<NameKey, Effect[]>();
  const add = (policy: NameKey, more: readonly Effect[]) => {
    for (const effect of more) addToList(causes, policy, effect);
  };
  for (const change of policyChanges(zone, context, isDmarcName)) add(change.name, change.effects);
  const accepting = zone.changedNames.filter((name) => name.includes("._report._dmarc."));
  if (accepting.length === 0) return causes;
  for (const policy of context.answersAfter.ownersWith("TXT")) {
    // A policy that changes is judged in its own zone.
    if (!isDmarcName(policy) || context.zones.some((one) => effectsAt(one, policy, "TXT").length > 0)) continue;
    for (const { accepts } of destinationsOf(context.answersAfter, policy)) {
      const covers = (name: NameKey) =>
        name === accepts || (isWildcard(name) && isInside(accepts, parent(name))) || isInside(name, accepts);
      for (const name of accepting.filter(covers)) add(policy, effectsAt(zone, name));
    }
  }
  return causes;
}

interface Destination {
  readonly host: NameKey;
  /** The name of the record by which it accepts reports. */
  readonly accepts: NameKey;
}

/** The domains other than its own to which a policy sends reports. */
function destinationsOf(answers: ZoneAnswers, policy: NameKey): Destination[] {
  const [text, ...others] = policyTexts(answers, policy, "DMARC").valid;
  if (text === undefined || others.length > 0) return [];
  const domain = parent(policy);
  return reportHosts(text, domain).map((host) => ({
    host,
    accepts: nameKey(asName(`${domain}_report._dmarc.${host}`)),
  }));
}

/** Why no record is seen by which reports are accepted; also a zone that only its file describes is known. */
function findRefusal(context: GuardContext, side: "answersBefore" | "answersAfter", accepts: NameKey) {
  const inRun = policyTexts(context[side], accepts, "DMARC");
  const { valid, isKnown } = inRun.isKnown ? inRun : policyTexts(context.answersElsewhere(), accepts, "DMARC");
  return isKnown ? (valid.length === 0 ? "refused" : undefined) : "unseen";
}
