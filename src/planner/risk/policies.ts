import type { Name, NameKey } from "../../dns/name/name.ts";
import { fromOctets } from "../../dns/name/text.ts";
import { intendedKind, type PolicyKind, policyKind, txtText } from "../../dns/policies/kind.ts";
import type { Effect } from "../changes/effects.ts";
import { effectsAt, type GuardContext, type ZoneChange } from "./guard.ts";
import type { ZoneAnswers } from "./lookup.ts";

/** The policy texts at a name before or after a run. */
export interface Texts {
  /** The texts that receivers accept. */
  readonly valid: readonly string[];
  /** Texts that were intended as such a policy, in any spelling. */
  readonly intended: readonly string[];
  /** False if the name is delegated, or an alias of a name outside the run. */
  readonly isKnown: boolean;
  readonly decidedBy?: NameKey;
}

export function policyTexts(answers: ZoneAnswers, name: NameKey, kind: PolicyKind): Texts {
  const { records, ...found } = answers.find(name, "TXT");
  const texts = [...new Set(records.map((record) => fromOctets(txtText(record))))];
  return {
    valid: texts.filter((text) => policyKind(text) === kind),
    intended: texts.filter((text) => intendedKind(text) === kind),
    ...found,
  };
}

/** The message for a policy that is replaced by one outside the run. */
export function handoverText(policy: string, name: NameKey, decidedBy: NameKey | undefined): string {
  return decidedBy === undefined || decidedBy === name
    ? `leaves ${policy} to other name servers`
    : `leaves ${policy} to ${decidedBy.slice(0, -1)}, which is in no zone of this run`;
}

/** The message for a policy that no longer applies, given the texts now at its name and the old alias. */
export function lostPolicyText(kind: PolicyKind, { valid, intended }: Texts, alias?: Name): string {
  if (valid.length > 1) return `makes the ${kind} policy invalid: there are ${valid.length} of them`;
  if (intended.length > 0) return `makes the ${kind} policy invalid`;
  if (alias === undefined) return `deletes the ${kind} policy`;
  return `the name loses the ${kind} policy of ${alias.slice(0, -1)}, to which its CNAME points`;
}

/** A name whose policy changes, and the responsible effects. */
export interface PolicyChange {
  readonly name: NameKey;
  readonly effects: readonly Effect[];
}

/** The names accepted by `isPolicyName` whose texts change, at the name itself or at a target of its alias. */
export function* policyChanges(
  zone: ZoneChange,
  context: GuardContext,
  isPolicyName: (name: NameKey) => boolean,
): Generator<PolicyChange> {
  for (const name of zone.changedNames) {
    const effects = effectsAt(zone, name, "TXT", "CNAME");
    if (effects.length === 0) continue;
    if (isPolicyName(name)) yield { name, effects };
    else if (effects.some(isPolicy))
      for (const alias of aliasesOf(context, name)) if (isPolicyName(alias)) yield { name: alias, effects };
  }
}

/** Whether the effect concerns a policy text. For others, aliases are not searched. */
function isPolicy({ type, before, after }: Effect): boolean {
  return type === "TXT" && /v\s*=|p\s*=/i.test(`${before}${after}`);
}

/** The names whose aliases lead to a name; for addresses, also by ALIAS records. */
export function aliasesOf(
  { pointersTo }: GuardContext,
  name: NameKey,
  types: readonly string[] = ["CNAME"],
): Set<NameKey> {
  const found = new Set<NameKey>();
  const open = [name];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { owner, type } of pointersTo(next)) {
      if (!types.includes(type) || found.has(owner)) continue;
      found.add(owner);
      open.push(owner);
    }
  }
  return found;
}
