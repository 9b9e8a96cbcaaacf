import { type NameKey, parent, withLabel } from "../../dns/name/name.ts";
import { organizationalDomain } from "../../dns/name/public-suffix.ts";
import { parseTags, type TagList, valuesOf } from "../../dns/policies/tags.ts";
import type { GuardContext } from "./guard.ts";
import type { ZoneAnswers } from "./lookup.ts";
import { handoverText, lostPolicyText, policyTexts, type Texts } from "./policies.ts";
import type { SpfVerdict } from "./spf.ts";

export function isDmarcName(name: NameKey): boolean {
  return name.startsWith("_dmarc.");
}

/** A DMARC policy by its effect on receivers (RFC 9989 §4.7). */
interface Dmarc {
  /** The policy of the domain, and of the domains below it. */
  readonly p: Level;
  readonly sp: Level;
  readonly pct: number;
  readonly isStrict: { readonly adkim: boolean; readonly aspf: boolean };
  readonly hasReports: boolean;
  /** Testing (`t=y`): the policy is not enforced. */
  readonly isTest: boolean;
  /** The organizational domain whose policy applies if the domain has none (RFC 7489 §6.6.3). */
  readonly inherited: string | undefined;
}

const levels = ["none", "quarantine", "reject"] as const;
type Level = (typeof levels)[number];
const rankOf = (level: Level) => levels.indexOf(level);

/** Finds how DMARC becomes weaker for the domain of a `_dmarc` name. */
export function weakerDmarc(name: NameKey, context: GuardContext): SpfVerdict | undefined {
  const { before: were, after: are, isKnown, lost } = dmarcChange(name, context);
  if (lost !== undefined) return { text: lost };
  if (were === undefined || are === undefined || !isKnown) return undefined;
  const facts = diffInherited(were, are);
  const weaker = (from: string, to: string) => ({ text: `DMARC becomes weaker, from ${from} to ${to}`, facts });
  for (const tag of ["p", "sp"] as const)
    if (rankOf(are[tag]) < rankOf(were[tag])) return weaker(`${tag}=${were[tag]}`, `${tag}=${are[tag]}`);
  const isEnforced = are.p !== "none" && are.p === were.p;
  if (isEnforced && are.pct < were.pct) return weaker(`pct=${were.pct}`, `pct=${are.pct}`);
  if (are.isTest && !were.isTest && are.p !== "none" && are.p === were.p) return weaker("t=n", "t=y");
  for (const tag of ["adkim", "aspf"] as const)
    if (were.isStrict[tag] && !are.isStrict[tag]) return weaker(`${tag}=s`, `${tag}=r`);
  return were.hasReports && !are.hasReports ? { text: "stops DMARC reports (rua)", facts } : undefined;
}

/** Finds how DMARC rejects mail that it accepted before. */
export function tighterDmarc(name: NameKey, context: GuardContext): SpfVerdict | undefined {
  const { before: were, after: are, isKnown } = dmarcChange(name, context);
  if (were === undefined || are === undefined || !isKnown) return undefined;
  const facts = diffInherited(were, are);
  const tighter = (from: string, to: string) => ({ text: `DMARC rejects more mail: from ${from} to ${to}`, facts });
  for (const tag of ["p", "sp"] as const)
    if (are[tag] === "reject" && were[tag] !== "reject") return tighter(`${tag}=${were[tag]}`, `${tag}=reject`);
  if (are.p !== "reject") return undefined;
  for (const tag of ["adkim", "aspf"] as const)
    if (are.isStrict[tag] && !were.isStrict[tag]) return tighter(`${tag}=r`, `${tag}=s`);
  return undefined;
}

function diffInherited(...policies: readonly Dmarc[]): string[] {
  return policies.flatMap(({ inherited }) => (inherited === undefined ? [] : [inherited]));
}

interface DmarcChange {
  readonly before: Dmarc | undefined;
  readonly after: Dmarc | undefined;
  /** Whether the two can be compared. */
  readonly isKnown: boolean;
  /** The message if the policy was removed, or replaced by one outside the run. */
  readonly lost?: string;
}

/**
 * Compares the policies before and after. An invalid policy, which receivers ignore, counts before the run, and after
 * it only if the earlier one was invalid, too: a policy that becomes invalid is lost, and one that was always invalid
 * is compared by its content.
 */
function dmarcChange(name: NameKey, { answersBefore, answersAfter }: GuardContext): DmarcChange {
  const [were, are] = [answersBefore, answersAfter].map((answers) => policyTexts(answers, name, "DMARC")) as [
    Texts,
    Texts,
  ];
  if (!were.isKnown) {
    // The removal of an alias to an unmanaged policy is a loss, whatever the policy is. A name in no zone had none.
    const wasServed = answersBefore.zoneOf(name) !== undefined;
    const isLost =
      wasServed && are.isKnown && are.intended.length === 0 && findInherited(answersAfter, name) === undefined;
    return {
      before: undefined,
      after: undefined,
      isKnown: false,
      ...(isLost && { lost: lostPolicyText("DMARC", are) }),
    };
  }
  const isNoBetter = were.valid.length === 0 && are.valid.length === 0;
  const own = ownPolicy(were.valid.length > 0 ? were.valid : were.intended, "strongest");
  if (!are.isKnown) {
    const lost = own && handoverText("the DMARC policy", name, are.decidedBy);
    return { before: own, after: undefined, isKnown: false, ...(lost && { lost }) };
  }
  const after = ownPolicy(isNoBetter ? are.intended : are.valid, sameText(were, are) ? "strongest" : "weakest");
  const change = {
    before: own ?? findInherited(answersBefore, name),
    after: after ?? findInherited(answersAfter, name),
  };
  const isLost = change.before !== undefined && change.after === undefined;
  return { ...change, isKnown: true, ...(isLost && { lost: lostPolicyText("DMARC", are) }) };
}

function sameText(were: Texts, are: Texts): boolean {
  return were.intended.join("\n") === are.intended.join("\n");
}

/** A single policy applies, several are ignored (RFC 9989 §4.10.1). */
function ownPolicy(texts: readonly string[], reading: "weakest" | "strongest"): Dmarc | undefined {
  const [text] = texts;
  return text === undefined || texts.length > 1 ? undefined : read(parseTags(text), reading);
}

/** The policy that the domain of a `_dmarc` name inherits from its organizational domain (RFC 7489 §6.6.3). */
function findInherited(answers: ZoneAnswers, name: NameKey): Dmarc | undefined {
  const domain = parent(name);
  const organization = organizationalDomain(domain);
  if (organization === undefined || organization === domain) return undefined;
  const { valid } = policyTexts(answers, withLabel("_dmarc", organization), "DMARC");
  const policy = ownPolicy(valid, "weakest");
  return policy && { ...policy, p: policy.sp, inherited: `_dmarc.${organization} ${valid[0]}` };
}

/**
 * Receivers differ on repeated tags: the strongest or the weakest value is used. A missing or unknown `p` is treated as
 * none (RFC 9989 §4.10.1); `sp` defaults to `p`.
 */
function read(list: TagList, reading: "weakest" | "strongest"): Dmarc {
  const pickByRank = <T>(values: readonly T[], rank: (value: T) => number): T | undefined => {
    const sorted = [...values].sort((a, b) => rank(a) - rank(b));
    return reading === "weakest" ? sorted[0] : sorted.at(-1);
  };
  const level = (tag: string) => pickByRank(valuesOf(list, tag).map(levelOf), rankOf);
  const percents = valuesOf(list, "pct").map((value) => (/^\d{1,3}$/.test(value) ? Math.min(100, Number(value)) : 100));
  const isStrict = (tag: string) =>
    pickByRank(
      valuesOf(list, tag).map((value) => value.toLowerCase() === "s"),
      Number,
    ) ?? false;
  const p = level("p") ?? "none";
  return {
    p,
    sp: level("sp") ?? p,
    pct: pickByRank(percents, Number) ?? 100,
    isStrict: { adkim: isStrict("adkim"), aspf: isStrict("aspf") },
    hasReports: valuesOf(list, "rua").some((value) => /[a-z]+:\S/i.test(value)),
    isTest: valuesOf(list, "t").some((value) => value.toLowerCase() === "y"),
    inherited: undefined,
  };
}

function levelOf(value: string): Level {
  return levels.find((level) => level === value.toLowerCase()) ?? "none";
}
