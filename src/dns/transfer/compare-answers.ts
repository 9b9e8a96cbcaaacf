import { isInside, isSameName, type Name, nameKey } from "../name/name.ts";
import { byOwner } from "../zone/owners.ts";
import { canonical, isType, shortestTtl, type ZoneRecord } from "../zone/zone.ts";
import { rcodeName } from "./codes.ts";
import type { MessageRecord, UnreadRecord } from "./message.ts";

/** The parts of a response that are compared. */
export interface Response {
  readonly rcode: number;
  readonly aa: boolean;
  readonly answers: readonly MessageRecord[];
  readonly authorities: readonly MessageRecord[];
  readonly unread?: readonly UnreadRecord[];
}

/** An RRset of a response. `rdata` is in canonical form and sorted. */
export interface AnswerSet {
  readonly owner: Name;
  readonly type: string;
  readonly ttl: number;
  readonly rdata: readonly string[];
}

/** A response of an authoritative name server in the form that is compared. */
export interface Answer {
  readonly rcode: string;
  readonly isAuthoritative: boolean;
  /** In no particular order. Records of other zones are omitted: resolvers do not accept them from this server. */
  readonly sets: readonly AnswerSet[];
  /** The NS set of a delegation, if the response refers to it. */
  readonly referral?: AnswerSet;
  /** Whether the answer ends with an alias, whose target resolvers ask for themselves. */
  readonly endsInAlias: boolean;
}

export type AnswerPart = "rcode" | "authority" | "answer" | "ttl" | "referral";

export function summarizeAnswer(question: Name, zone: Name, response: Response): Answer {
  const inZone = response.answers.filter(({ owner }) => isInside(owner, zone));
  const unread = (response.unread ?? []).filter(({ owner }) => isInside(owner, zone));
  const sets = withUnread(setsOf(inZone), unread);
  const [servers] = setsOf(
    response.authorities.filter(
      ({ owner, type }) => type === "NS" && isInside(owner, zone) && !isSameName(owner, zone),
    ),
  );
  const hasReferral = servers !== undefined && response.rcode === 0 && sets.length === 0 && !response.aa;
  return {
    rcode: rcodeName(response.rcode),
    isAuthoritative: response.aa,
    sets,
    ...(hasReferral && { referral: servers }),
    endsInAlias: endsInAlias(question, inZone),
  };
}

/** The parts in which two answers differ; none for answers that resolvers use alike. */
export function findDifferingParts(a: Answer, b: Answer): AnswerPart[] {
  const parts: AnswerPart[] = [];
  const [first, second] = [a, b].map(({ sets }) => new Map(sets.map((set) => [`${set.owner} ${set.type}`, set])));
  const keys = [...new Set([...(first?.keys() ?? []), ...(second?.keys() ?? [])])];
  const pairs = keys.map((key) => [first?.get(key), second?.get(key)] as const);
  const common = pairs.filter(([one, other]) => one && other);
  // A server may leave the rest of a chain of aliases to the resolver (RFC 1034 §3.6.2).
  const isShorter = (shorter: Answer, other: Answer) =>
    shorter.endsInAlias && common.length === shorter.sets.length && common.length < other.sets.length;
  const isPrefix = isShorter(a, b) || isShorter(b, a);
  const differs = common.some(([one, other]) => textOf(one) !== textOf(other));
  if (differs || (common.length < pairs.length && !isPrefix)) parts.push("answer");
  else if (common.some(([one, other]) => one?.ttl !== other?.ttl)) parts.push("ttl");
  const leavesRest = isPrefix || (a.endsInAlias && b.endsInAlias);
  if (a.rcode !== b.rcode && !leavesRest) parts.push("rcode");
  if (a.isAuthoritative !== b.isAuthoritative) parts.push("authority");
  if (textOf(a.referral) !== textOf(b.referral)) parts.push("referral");
  else if (a.referral?.ttl !== b.referral?.ttl && !parts.includes("ttl")) parts.push("ttl");
  return parts;
}

function textOf(set: AnswerSet | undefined): string {
  return set === undefined ? "" : `${set.owner} ${set.rdata.join("\n")}`;
}

function setsOf(records: readonly MessageRecord[]): AnswerSet[] {
  return [...byOwner(records).values()].flatMap((sets) =>
    sets.values().map(({ owner, type, records }) => ({
      owner,
      type,
      ttl: shortestTtl(records),
      rdata: [...new Set(records.map(canonical))].sort(),
    })),
  );
}

/** Adds records with an invalid value to their sets: other clients may read them, and differences matter to these. */
function withUnread(sets: readonly AnswerSet[], unread: readonly UnreadRecord[]): readonly AnswerSet[] {
  const byKey = new Map(sets.map((set) => [`${set.owner} ${set.type}`, set]));
  for (const { owner: spelled, type, ttl, rdata } of unread) {
    const owner = nameKey(spelled);
    const set = byKey.get(`${owner} ${type}`) ?? { owner, type, ttl, rdata: [] };
    const all = [...new Set([...set.rdata, rdata])].sort();
    byKey.set(`${owner} ${type}`, { ...set, ttl: Math.min(ttl, set.ttl), rdata: all });
  }
  return [...byKey.values()];
}

/** Follows the aliases of an answer from the question to their end. */
function endsInAlias(question: Name, records: readonly ZoneRecord[]): boolean {
  let name: Name = nameKey(question);
  for (let steps = 0; steps <= records.length; steps++) {
    const own = records.filter(({ owner }) => isSameName(owner, name));
    const alias = own.find((record) => isType(record, "CNAME"));
    if (alias === undefined || !isType(alias, "CNAME")) return steps > 0 && own.length === 0;
    name = nameKey(alias.data.cname);
  }
  return true;
}
