import { ancestors, asName, isSameName, type Name, type NameKey, nameKey } from "../../dns/name/name.ts";
import { type AnswerQuestion, answeringOwner, type ZoneVersion } from "../../dns/transfer/answer-questions.ts";
import { type Answer, type AnswerPart, findDifferingParts } from "../../dns/transfer/compare-answers.ts";
import { aliasTypes, type ComparedApex, isOfServer, type RrsetDifference } from "../../dns/transfer/compare-records.ts";
import type { ServerReply } from "./servers.ts";

/** The old side and the new side of a comparison. */
export type SideName = "a" | "b";

/** A question that the two sides answer differently. */
export interface AnswerDifference extends AnswerQuestion {
  readonly parts: readonly AnswerPart[];
  readonly a: Answer;
  readonly b: Answer;
  /** Whether every name server has its own, so that a difference is no mistake. */
  readonly isExpected: boolean;
  /** Whether it follows from a difference of the records. */
  readonly isFromRecords: boolean;
}

/** A question that a side did not answer. */
export interface Unanswered {
  readonly name: Name;
  readonly type: string;
  readonly side: SideName;
  readonly reason: string;
}

export interface AnswerComparison {
  readonly questions: number;
  readonly differences: readonly AnswerDifference[];
  readonly unanswered: readonly Unanswered[];
}

/** Questions with the replies of both sides, in the same order. */
export interface Replies {
  readonly questions: readonly AnswerQuestion[];
  readonly a: readonly ServerReply[];
  readonly b: readonly ServerReply[];
}

/** The records of the two sides, as far as they are known. */
interface KnownRecords {
  readonly known: readonly ZoneVersion[];
  readonly records: readonly RrsetDifference[];
  /** The number of sides that are files or other lists of records, which have no addresses for an ALIAS. */
  readonly lists: number;
}

/** Compares the replies of two sides. `records` are the differences of the known versions. */
export function compareReplies(
  apex: ComparedApex,
  { questions, ...replies }: Replies,
  { known, records, lists }: KnownRecords,
): AnswerComparison {
  const zone = apex.name;
  const isLookedUp = aliasTest(known, lists);
  const isFromRecords = recordCauses(known, records);
  const children = childZones(zone, { questions, ...replies });
  const differences: AnswerDifference[] = [];
  const unanswered: Unanswered[] = [];
  for (const [index, question] of questions.entries()) {
    const { name, type } = question;
    const [one, other] = [replies.a[index], replies.b[index]];
    for (const [side, reply] of [
      ["a", one],
      ["b", other],
    ] as const)
      if (reply && "failure" in reply) unanswered.push({ name, type, side, reason: reply.failure });
    if (!one || !other || "failure" in one || "failure" in other) continue;
    if (ancestors(name, nameKey(zone)).some((above) => children.has(above) && !(type === "DS" && above === name)))
      continue;
    const parts = findDifferingParts(one.answer, other.answer);
    if (parts.length === 0) continue;
    const difference = { ...question, parts, a: one.answer, b: other.answer };
    const isOfEach = isOfServer(apex, name, type) || isLookedUp(difference);
    const isExpected = isOfEach && parts.every((part) => part === "answer" || part === "ttl");
    differences.push({ ...difference, isExpected, isFromRecords: isFromRecords(difference) });
  }
  return { questions: questions.length, differences, unanswered };
}

/**
 * The delegated zones that a side serves itself. There it answers from that zone, and the other side may refer to it:
 * both lead resolvers to the same records, unless that zone differs.
 */
function childZones(zone: Name, { questions, a, b }: Replies): ReadonlySet<NameKey> {
  const isServed = (name: NameKey, reply: ServerReply | undefined) =>
    reply !== undefined &&
    "answer" in reply &&
    reply.answer.isAuthoritative &&
    reply.answer.sets.some(({ owner, type }) => type === "NS" && isSameName(owner, name));
  const delegated = questions.flatMap(({ name, type }, index) =>
    type === "NS" && !isSameName(name, zone) && (isServed(name, a[index]) || isServed(name, b[index])) ? [name] : [],
  );
  return new Set(delegated);
}

/**
 * Tests whether the answers are the addresses of an ALIAS, which each server looks up itself. A server that answers
 * with none differs from one that answers with some.
 */
function aliasTest(
  versions: readonly ZoneVersion[],
  lists: number,
): (difference: Pick<AnswerDifference, "name" | "type" | "a" | "b">) => boolean {
  const isAddress = (type: string) => type === "A" || type === "AAAA";
  return ({ name, type, a, b }) => {
    if (!isAddress(type)) return false;
    const sets = [a, b].flatMap((answer) => answer.sets);
    const targets = sets.filter((set) => set.type === "CNAME").flatMap(({ rdata }) => rdata.map((one) => asName(one)));
    const asked = [name, ...sets.map(({ owner }) => owner), ...targets].map(nameKey);
    const hasAlias = versions.some((version) =>
      asked.some((one) => {
        const sets = version.owners.get(answeringOwner(version, one, type) ?? one);
        return aliasTypes.some((alias) => sets?.has(alias));
      }),
    );
    const answering = [a, b].filter((answer) => answer.sets.some((set) => isAddress(set.type)));
    return hasAlias && answering.length + lists >= 2;
  };
}

/** Tests whether a difference of answers follows from one of the records: of their RRsets, or of the existing names. */
function recordCauses(
  versions: readonly ZoneVersion[],
  records: readonly RrsetDifference[],
): (difference: Omit<AnswerDifference, "isExpected" | "isFromRecords">) => boolean {
  const causes = records.filter(({ isExpected }) => !isExpected);
  const sets = new Set(causes.map(({ owner, type }) => `${owner} ${type}`));
  const names = new Set(causes.flatMap(({ owner }) => ancestors(owner)));
  return ({ name, type, a, b }) => {
    const types = new Set([
      type,
      "CNAME",
      "DNAME",
      "NS",
      ...[a, b].flatMap((answer) => answer.sets.map((set) => set.type)),
    ]);
    const answered = [a, b].flatMap((answer) => answer.sets.map(({ owner }) => nameKey(owner)));
    const asked = new Set([name, ...answered]);
    const owners = [...asked].flatMap((one) => [one, ...versions.map((version) => answeringOwner(version, one, type))]);
    const isOfSet = owners.some((owner) => [...types].some((type) => sets.has(`${owner} ${type}`)));
    return isOfSet || (a.rcode !== b.rcode && [...asked].some((one) => names.has(one)));
  };
}
