import { asName, isInside, isWildcard, type NameKey, nameKey, parent, withoutDot } from "../dns/name.ts";
import { reportHosts } from "../dns/policies/dmarc-reports.ts";
import type { Effect } from "./effects.ts";
import { effectsAt, type Finding, type Guard, type RunContext } from "./guard.ts";
import { isDmarcName } from "./guard-dmarc.ts";
import type { ZoneAnswers } from "./guard-lookup.ts";
import { policyChanges, policyTexts } from "./guard-policies.ts";

/**
 * Receivers send no report to another domain unless it has a record that accepts the reports (RFC 9990 §4). Domains
 * without a managed zone are not judged: their records are unknown.
 */
export const dmarcReports: Guard = {
  guard: "G31",
  title: "DMARC reports",
  about:
    "DMARC reports (rua, ruf) go to another managed domain that has no record to accept them, or such a record is deleted",
  ofNew: true,
  *check(zone, context) {
    const effects = new Map<NameKey, Effect[]>();
    const add = (policy: NameKey, more: readonly Effect[]) =>
      effects.set(policy, [...(effects.get(policy) ?? []), ...more]);
    for (const change of policyChanges(zone, context, isDmarcName)) add(change.name, change.effects);
    const accepting = zone.changedNames.filter((name) => name.includes("._report._dmarc."));
    if (accepting.length > 0) {
      for (const policy of context.answersAfter.ownersWith("TXT")) {
        // A policy that changes is judged in its own zone.
        if (!isDmarcName(policy) || context.zones.some((one) => effectsAt(one, policy, "TXT").length > 0)) continue;
        for (const { accepts } of destinationsOf(context.answersAfter, policy)) {
          const covers = (name: NameKey) =>
            name === accepts || (isWildcard(name) && isInside(accepts, parent(name))) || isInside(name, accepts);
          add(
            policy,
            accepting.filter(covers).flatMap((name) => effectsAt(zone, name)),
          );
        }
      }
    }
    for (const [policy, causing] of effects) {
      if (causing.length === 0) continue;
      const before = destinationsOf(context.answersBefore, policy);
      for (const { host, accepts } of destinationsOf(context.answersAfter, policy)) {
        const wasRefused = before.some((one) => one.host === host) && isRefused(context, "answersBefore", accepts);
        if (wasRefused || !isRefused(context, "answersAfter", accepts)) continue;
        const text = `${withoutDot(host)} accepts no DMARC reports of ${withoutDot(parent(policy))}: "${withoutDot(accepts)}" has no TXT "v=DMARC1"`;
        yield { text, effects: [...new Set(causing)], facts: [`${policy} ${host}`] } satisfies Finding;
      }
    }
  },
};

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

/** Whether a managed zone has no record by which reports are accepted; also one that only its file describes here. */
function isRefused(context: RunContext, side: "answersBefore" | "answersAfter", accepts: NameKey): boolean {
  const inRun = policyTexts(context[side], accepts, "DMARC");
  const { valid, isKnown } = inRun.isKnown ? inRun : policyTexts(context.answersElsewhere(), accepts, "DMARC");
  return isKnown && valid.length === 0;
}
