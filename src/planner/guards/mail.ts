import { type Name, type NameKey, nameKey, root } from "../../dns/name/name.ts";
import { targets } from "../../dns/zone/zone.ts";
import type { Effect } from "../changes/effects.ts";
import { isDmarcName, tighterDmarc, weakerDmarc } from "./dmarc.ts";
import { effectsAt, type Finding, type Guard, type RunContext, recordsAt, type ZoneChange } from "./guard.ts";
import type { ZoneAnswers } from "./lookup.ts";
import { handoverText, lostPolicyText, policyChanges, policyTexts } from "./policies.ts";
import { type SpfChange, tighterSpf, type Verdict, weakerSpf } from "./spf.ts";
import { policiesIn } from "./spf-senders.ts";

/** Mail that is no longer delivered, or can be forged. */
export const mail: Guard = {
  guard: "G05",
  title: "mail",
  about:
    "the last MX is deleted, all mail servers are replaced, mail is rejected (null MX), SPF or DMARC becomes weaker",
  ofNew: true,
  *check(zone, context) {
    if (zone.plan.domainId !== undefined) {
      for (const name of zone.changedNames) {
        const text = lostExchangersText(zone, name);
        if (text !== undefined) yield { text, effects: effectsAt(zone, name, "MX") } satisfies Finding;
      }
    }
    yield* policyFindings(zone, context, weakerSpf, weakerDmarc);
  },
};

/** Mail that was accepted and will be rejected. */
export const tighterPolicies: Guard = {
  guard: "G17",
  title: "mail refused",
  about: "SPF or DMARC starts to reject mail that was accepted",
  *check(zone, context) {
    yield* policyFindings(zone, context, tighterSpf, tighterDmarc);
  },
};

/** Mail that is delivered to another server first. */
export const mailPrecedence: Guard = {
  guard: "G16",
  title: "MX precedence",
  about: "a new MX takes precedence over all existing ones",
  *check(zone) {
    for (const name of zone.changedNames) {
      const effects = effectsAt(zone, name, "MX");
      if (effects.length === 0) continue;
      const [were, are] = [exchangersOf(zone, name, "before"), exchangersOf(zone, name, "after")];
      const known = new Set(were.map(({ exchange }) => exchange));
      const stay = are.filter(({ exchange }) => known.has(exchange)).sort((a, b) => a.preference - b.preference);
      const [first] = stay;
      const ahead = are.filter(
        ({ exchange, preference }) => !known.has(exchange) && first && preference < first.preference,
      );
      if (first === undefined || ahead.length === 0) continue;
      const [added] = ahead.sort((a, b) => a.preference - b.preference);
      const text = `mail is delivered to ${exchangerText(added)} before ${exchangerText(first)}`;
      yield {
        text,
        effects,
        facts: stay.map((one) => `${name} MX ${one.preference} ${one.exchange}`),
      } satisfies Finding;
    }
  },
};

interface Exchanger {
  readonly preference: number;
  readonly exchange: NameKey;
}

function exchangerText(exchanger: Exchanger | undefined): string {
  return exchanger === undefined ? "" : `${exchanger.exchange.slice(0, -1)} (${exchanger.preference})`;
}

/** The mail servers at a name, without a null MX (RFC 7505). */
function exchangersOf(zone: ZoneChange, name: NameKey, side: "before" | "after"): Exchanger[] {
  return recordsAt(zone[side], name, "MX")
    .map(({ data }) => ({ preference: data.preference, exchange: nameKey(data.exchange) }))
    .filter(({ exchange }) => exchange !== root);
}

function lostExchangersText(zone: ZoneChange, name: NameKey): string | undefined {
  const { before, after } = zone;
  const isNull = (side: "before" | "after") =>
    recordsAt(zone[side], name, "MX").some(({ data }) => data.exchange === root);
  if (isNull("after") && !isNull("before")) {
    const was = ["MX", "A", "AAAA"].some((type) => recordsAt(before, name, type).length > 0);
    return was ? "rejects all mail from now on (null MX)" : "rejects all mail (null MX)";
  }
  const were = exchangersOf(zone, name, "before").map(({ exchange }) => exchange);
  if (were.length === 0 || isNull("before")) return undefined;
  if (recordsAt(after, name, "MX").length === 0) return "deletes the last MX";
  const are = exchangersOf(zone, name, "after").map(({ exchange }) => exchange);
  return were.some((exchange) => are.includes(exchange)) ? undefined : "replaces all mail servers";
}

function* policyFindings(
  zone: ZoneChange,
  context: RunContext,
  ofSpf: (change: SpfChange) => Verdict | undefined,
  ofDmarc: (name: NameKey, context: RunContext) => Verdict | undefined,
): Generator<Finding> {
  for (const name of zone.changedNames) {
    const effects = effectsAt(zone, name, "TXT", "CNAME");
    if (effects.length === 0) continue;
    const verdict = ofSpf(spfChange(name, context, aliasBefore(zone, name)));
    if (verdict) yield { ...verdict, effects };
    else if (effects.some(isSpf)) {
      // The lookups of includers are reported at the changed name, unless that already has a finding.
      for (const including of context.spfIncluders(name)) {
        if (context.zones.some((one) => effectsAt(one, including, "TXT", "CNAME").length > 0)) continue;
        const verdict = ofSpf(spfChange(including, context));
        if (verdict) yield { ...verdict, text: `${verdict.text}, at ${including.slice(0, -1)}`, effects };
      }
    }
  }
  for (const { name, effects } of policyChanges(zone, context, isDmarcName)) {
    const verdict = ofDmarc(name, context);
    if (verdict) yield { ...verdict, effects };
  }
}

function isSpf({ before, after }: Effect): boolean {
  return /v=spf1/i.test(`${before}${after}`);
}

/** The other names whose policies include that of a name, directly or indirectly. */
export function spfIncludersIn(answers: ZoneAnswers): (name: NameKey) => ReadonlySet<NameKey> {
  const including = new Map<NameKey, NameKey[]>();
  for (const owner of answers.ownersWith("TXT")) {
    for (const target of policyTexts(answers, owner, "SPF").valid.flatMap(policiesIn)) {
      const known = including.get(target);
      if (known) known.push(owner);
      else including.set(target, [owner]);
    }
  }
  return (name) => {
    const found = new Set([name]);
    for (const next of found) for (const owner of including.get(next) ?? []) found.add(owner);
    found.delete(name);
    return found;
  };
}

/** The name that a name was an alias of. */
function aliasBefore({ before }: ZoneChange, name: NameKey): Name | undefined {
  return recordsAt(before, name, "CNAME").flatMap(targets)[0];
}

function spfChange(name: NameKey, { answersBefore, answersAfter }: RunContext, alias?: Name): SpfChange {
  const policyIn = (answers: ZoneAnswers) => (name: NameKey) => {
    const { valid, isKnown } = policyTexts(answers, name, "SPF");
    if (valid.length === 1) return valid[0];
    return isKnown ? null : undefined;
  };
  const [policyBefore, policyAfter] = [policyIn(answersBefore), policyIn(answersAfter)];
  const are = policyTexts(answersAfter, name, "SPF");
  return {
    before: policyBefore(name) ?? undefined,
    after: policyAfter(name) ?? undefined,
    lost: are.isKnown ? lostPolicyText("SPF", are, alias) : handoverText("the SPF policy", name, are.decidedBy),
    policyBefore,
    policyAfter,
  };
}
