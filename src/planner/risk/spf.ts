import type { Mechanism } from "../../dns/policies/spf.ts";
import { countAddedAddresses, type PolicyOf, type Rank, ranksOver, type Senders, sendersOf } from "./spf-senders.ts";

/** The message of a guard about a policy, and the facts behind it. */
export interface SpfVerdict {
  readonly text: string;
  readonly facts?: readonly string[];
}

/** An SPF policy before and after a run; undefined if there is none, or more than one (RFC 7208 §4.5). */
export interface SpfChange {
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The message if the policy was removed, or replaced by one outside the run. */
  readonly lost: string;
  readonly policyBefore: PolicyOf;
  readonly policyAfter: PolicyOf;
}

/** The number of addresses that a policy may additionally accept: an IPv4 /16, an IPv6 /32. */
const mostAddresses = { 4: 1n << 16n, 6: 1n << 96n } as const;

/** The assumed rank of a policy outside the run, which may accept any sender. */
const unknownRest: Rank = 1;

/** Without a policy no sender is accepted or rejected (RFC 7208 §2.6.1). */
const noPolicy: Senders = {
  rest: 1,
  restTerm: "?all",
  ranges: { 4: [], 6: [] },
  open: new Map(),
  fault: undefined,
  lookups: 0,
  facts: [],
};

/** Finds how the policy accepts more senders than before. */
export function weakerSpf({ before, after, lost, policyBefore, policyAfter }: SpfChange): SpfVerdict | undefined {
  if (after === undefined) return before === undefined ? undefined : { text: lost };
  const isNew = before === undefined;
  const were = isNew ? noPolicy : sendersOf(before, policyBefore);
  const are = sendersOf(after, policyAfter);
  if (are.fault !== undefined) {
    const wasValid = !isNew && were.fault === undefined;
    return wasValid ? { text: `makes the SPF policy invalid ${are.fault}`, facts: are.facts } : undefined;
  }
  const text =
    weakerRest(were, are) ??
    lostRefusalText(were, are) ??
    newOpenTerm(were, are, isNew) ??
    manyAddresses(were, are, isNew ? [0] : [0, 1, 2]);
  return text === undefined ? undefined : { text, facts: [...were.facts, ...are.facts] };
}

/** Finds how the policy rejects senders that it did not reject before. */
export function tighterSpf({ before, after, policyBefore, policyAfter }: SpfChange): SpfVerdict | undefined {
  if (before === undefined || after === undefined) return undefined;
  const [were, are] = [sendersOf(before, policyBefore), sendersOf(after, policyAfter)];
  if (were.fault !== undefined || are.fault !== undefined) return undefined;
  const facts = [...were.facts, ...are.facts];
  if (are.rest === 3 && were.rest !== undefined && were.rest < 3)
    return { text: `SPF rejects senders that it does not list: from ${were.restTerm} to ${are.restTerm}`, facts };
  const refused = [
    ...[...were.open].flatMap(([key, { rank, text }]) => {
      const now = are.open.has(key) ? are.open.get(key)?.rank : are.rest;
      return rank === 0 && now === 3 ? [text] : [];
    }),
    ...([4, 6] as const).flatMap((family) =>
      were.ranges[family]
        .filter((range) => range.rank === 0 && ranksOver(are, family, range).includes(3))
        .map(({ term }) => term),
    ),
  ];
  if (refused.length === 0) return undefined;
  return { text: `SPF rejects senders that it accepted: ${[...new Set(refused)].join(" ")}`, facts };
}

function weakerRest(were: Senders, are: Senders): string | undefined {
  if (are.rest === undefined) {
    if ((were.rest ?? unknownRest) <= unknownRest) return undefined;
    return `SPF becomes weaker, from ${were.restTerm} to ${are.restTerm}, which is in no zone of this run`;
  }
  // An unmanaged policy may have any strength: one that neither rejects nor marks senders is weaker than most.
  const isWeaker = were.rest === undefined ? are.rest < 2 : are.rest < were.rest;
  return isWeaker ? `SPF becomes weaker, from ${were.restTerm} to ${are.restTerm}` : undefined;
}

/** The message for a rejecting mechanism whose senders are now treated more weakly. */
function lostRefusalText(were: Senders, are: Senders): string | undefined {
  for (const [key, { rank, text }] of were.open) {
    const now = are.open.get(key);
    const nowRank = now ? now.rank : (are.rest ?? unknownRest);
    if (nowRank >= rank) continue;
    return now ? `SPF becomes weaker, from ${text} to ${now.text}` : `SPF becomes weaker without ${text}`;
  }
  for (const family of [4, 6] as const) {
    const whole = { ...are, rest: are.rest ?? unknownRest };
    const weaker = were.ranges[family].find((range) =>
      ranksOver(whole, family, range).some((rank) => rank < range.rank),
    );
    if (weaker) return `SPF becomes weaker: ${weaker.term} no longer applies to all of its addresses`;
  }
  return undefined;
}

/** The message for a mechanism that any sender can match. */
function newOpenTerm(were: Senders, are: Senders, isNew: boolean): string | undefined {
  const usual = were.rest ?? 3;
  for (const [key, { rank, text, mechanism }] of are.open) {
    if (were.open.has(key) || rank >= usual) continue;
    const reason = openToAllReason(mechanism, isNew);
    if (reason !== undefined) return `SPF accepts more senders by ${text}: ${reason}`;
  }
  return undefined;
}

function openToAllReason(
  { name, value = "", prefix4 = 32, prefix6 = 128 }: Mechanism,
  isNew: boolean,
): string | undefined {
  if (name === "exists" && !value.includes("%{")) return "it matches every sender";
  if (name === "ptr" && !isNew) return "the sender's network answers for it (RFC 7208 section 5.5)";
  if (prefix4 < 16) return `at least ${2 ** (32 - prefix4)} IPv4 addresses; the limit is ${mostAddresses[4]}`;
  return prefix6 < 32 ? "more IPv6 addresses than a /32 has" : undefined;
}

function manyAddresses(were: Senders, are: Senders, ranks: readonly Rank[]): string | undefined {
  for (const rank of ranks) {
    if (were.rest !== undefined && were.rest <= rank) continue;
    const verb = rank === 0 ? "accepts" : "no longer refuses";
    for (const family of [4, 6] as const) {
      const added = countAddedAddresses(are, were, family, rank);
      if (added <= mostAddresses[family]) continue;
      return family === 4
        ? `SPF ${verb} ${added} more IPv4 addresses; the limit is ${mostAddresses[4]}`
        : `SPF ${verb} more IPv6 addresses than a /32 has`;
    }
  }
  return undefined;
}
