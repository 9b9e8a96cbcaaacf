import { type Name, type NameKey, nameKey, root } from "../../dns/name/name.ts";
import { targets } from "../../dns/zone/zone.ts";
import { addToList } from "../../group-by.ts";
import type { Effect } from "../changes/effects.ts";
import { isDmarcName } from "./dmarc.ts";
import { effectsAt, type Finding, type GuardContext, recordsAt, type ZoneChange } from "./guard.ts";
import type { ZoneAnswers } from "./lookup.ts";
import { handoverText, lostPolicyText, policyChanges, policyTexts } from "./policies.ts";
import type { SpfChange, SpfVerdict } from "./spf.ts";
import { policiesIn } from "./spf-senders.ts";

export interface Exchanger {
  readonly preference: number;
  readonly exchange: NameKey;
}

/** The mail servers at a name, without a null MX (RFC 7505). */
export function exchangersOf(zone: ZoneChange, name: NameKey, side: "before" | "after"): Exchanger[] {
  return recordsAt(zone[side], name, "MX")
    .map(({ data }) => ({ preference: data.preference, exchange: nameKey(data.exchange) }))
    .filter(({ exchange }) => exchange !== root);
}

export function* policyFindings(
  zone: ZoneChange,
  context: GuardContext,
  ofSpf: (change: SpfChange) => SpfVerdict | undefined,
  ofDmarc: (name: NameKey, context: GuardContext) => SpfVerdict | undefined,
): Generator<Finding> {
  for (const name of zone.changedNames) {
    const effects = effectsAt(zone, name, "TXT", "CNAME");
    if (effects.length === 0) continue;
    const verdict = ofSpf(spfChange(name, context, aliasBefore(zone, name)));
    if (verdict) yield { ...verdict, effects };
    // The lookups of includers are reported at the changed name, unless that already has a finding.
    else if (effects.some(isSpf))
      for (const verdict of includerVerdicts(name, context, ofSpf)) yield { ...verdict, effects };
  }
  for (const { name, effects } of policyChanges(zone, context, isDmarcName)) {
    const verdict = ofDmarc(name, context);
    if (verdict) yield { ...verdict, effects };
  }
}

/** The verdicts on unchanged policies that include that of a name. */
function* includerVerdicts(
  name: NameKey,
  context: GuardContext,
  ofSpf: (change: SpfChange) => SpfVerdict | undefined,
): Generator<SpfVerdict> {
  for (const including of context.spfIncluders(name)) {
    if (context.zones.some((one) => effectsAt(one, including, "TXT", "CNAME").length > 0)) continue;
    const verdict = ofSpf(spfChange(including, context));
    if (verdict) yield { ...verdict, text: `${verdict.text}, at ${including.slice(0, -1)}` };
  }
}

function isSpf({ before, after }: Effect): boolean {
  return /v=spf1/i.test(`${before}${after}`);
}

/** The other names whose policies include that of a name, directly or indirectly. */
export function spfIncludersIn(answers: ZoneAnswers): (name: NameKey) => ReadonlySet<NameKey> {
  const including = new Map<NameKey, NameKey[]>();
  for (const owner of answers.ownersWith("TXT")) {
    for (const target of policyTexts(answers, owner, "SPF").valid.flatMap(policiesIn))
      addToList(including, target, owner);
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

function spfChange(name: NameKey, { answersBefore, answersAfter }: GuardContext, alias?: Name): SpfChange {
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
