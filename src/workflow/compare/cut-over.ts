import { isSameName, type Name, nameKey } from "../../dns/name/name.ts";
import type { Answer } from "../../dns/transfer/compare-answers.ts";
import type { RrsetDifference } from "../../dns/transfer/compare-records.ts";
import { shortestTtl, type ZoneRecord } from "../../dns/zone/zone.ts";
import type { ParentZone } from "./parent-zone.ts";
import type { AnswerComparison } from "./replies.ts";
import type { KnownZone } from "./sides.ts";

/** An old answer that differs from the new one; resolvers keep it for `ttl` seconds. */
export interface OldAnswer {
  readonly owner: Name;
  readonly type: string;
  readonly ttl: number;
  /** Whether the old answer is that there is no such record, or no such name. */
  readonly isNegative: boolean;
}

/** When the delegation of a zone can be changed, and the old name server switched off. Times in seconds. */
export interface CutOver {
  readonly oldAnswers: readonly OldAnswer[];
  /** The TTL of an answer that a name or record does not exist (RFC 2308 §5). */
  readonly negativeTtl?: number;
  readonly parent?: ParentZone;
  /** TTL of the NS set in the old zone itself. */
  readonly nsTtl?: number;
  /** The RRset that resolvers keep the longest. */
  readonly longest?: { readonly owner: Name; readonly type: string; readonly ttl: number };
  /**
   * Whether the delegation can be changed now, or after the DS records are gone if `isSigned`: every question was
   * answered, and all differences are expected or concern the keys.
   */
  readonly canChange: boolean;
  /** Whether the zone is signed with keys that the new version does not have, so that DS records have to go first. */
  readonly isSigned: boolean;
  /** Time from the change of the delegation until the old name server can be switched off. */
  readonly waitSeconds?: number;
  /** Whether the wait may be longer, because the TTL of the delegation at the parent is not known. */
  readonly isAtLeast: boolean;
  /** The end of the wait if the delegation changes now. */
  readonly offAt?: string;
}

interface OldVersion {
  readonly known: KnownZone | undefined;
  readonly answers: readonly Answer[];
  readonly soa: ZoneRecord<"SOA"> | undefined;
}

interface Facts {
  readonly zone: Name;
  readonly verdict: "equal" | "differs" | "unanswered";
  readonly records?: readonly RrsetDifference[] | undefined;
  readonly answers?: AnswerComparison | undefined;
  /** Name servers that could not be asked. */
  readonly silent: readonly unknown[];
  readonly old: OldVersion;
  readonly parent: ParentZone | undefined;
  readonly now: Date;
}

/**
 * Works out the times of a cut-over from the old version of a zone. The old server has to answer until no resolver
 * follows an old delegation, from the parent or from the zone itself, and no old record is kept.
 */
export function cutOverOf({ zone, verdict, silent, records, answers, old, parent, now }: Facts): CutOver {
  const sets = setsOf(old);
  const { soa } = old;
  const negativeTtl = soa && Math.min(soa.ttl ?? 0, soa.data.minimum);
  const nsTtl = sets.find(({ owner, type }) => type === "NS" && isSameName(owner, zone))?.ttl ?? serviceNsTtl(old);
  const longest = sets.reduce<CutOver["longest"]>((most, set) => (most && most.ttl >= set.ttl ? most : set), undefined);
  const parentTtl = parent && "nsTtl" in parent ? parent.nsTtl : undefined;
  const all = [parentTtl, nsTtl, longest?.ttl, negativeTtl].filter((ttl) => ttl !== undefined);
  const waitSeconds = all.length > 0 ? Math.max(...all) : undefined;
  return {
    oldAnswers: oldAnswersOf({ records, answers, negativeTtl }),
    ...(negativeTtl !== undefined && { negativeTtl }),
    ...(parent && { parent }),
    ...(nsTtl !== undefined && { nsTtl }),
    ...(longest && { longest }),
    canChange: verdict === "equal" || (verdict === "differs" && differsInKeysOnly({ silent, records, answers })),
    isSigned: hasOtherKeys(zone, records, answers),
    ...(waitSeconds !== undefined && {
      waitSeconds,
      offAt: `${new Date(now.getTime() + waitSeconds * 1000).toISOString().slice(0, 19)}Z`,
    }),
    isAtLeast: parentTtl === undefined,
  };
}

/** The RRsets of the old version: all, or those of its answers. */
function setsOf({ known, answers }: OldVersion): NonNullable<CutOver["longest"]>[] {
  if (!known) return answers.flatMap(({ sets }) => sets.map(({ owner, type, ttl }) => ({ owner, type, ttl })));
  return [...known.owners.values()].flatMap((owned) =>
    owned.values().map(({ owner, type, records }) => ({
      owner,
      type,
      ttl: shortestTtl(records),
    })),
  );
}

/** The service gives its NS set the TTL of the zone. */
function serviceNsTtl({ known, soa }: OldVersion): number | undefined {
  return known?.owners.get(nameKey(known.name))?.has("SOA") ? undefined : soa?.ttl;
}

/** The old answers that differ from the new ones, the longest first. */
function oldAnswersOf({
  records,
  answers,
  negativeTtl = 0,
}: Pick<Facts, "records" | "answers"> & { readonly negativeTtl: number | undefined }): OldAnswer[] {
  const found = new Map<string, OldAnswer>();
  const add = (answer: OldAnswer) => {
    const key = `${answer.owner} ${answer.type}`;
    if (!found.has(key)) found.set(key, answer);
  };
  for (const { owner, type, a, isExpected } of records ?? [])
    if (!isExpected) add({ owner, type, ttl: a?.ttl ?? negativeTtl, isNegative: a === undefined });
  for (const { name, type, a, isExpected, isFromRecords } of answers?.differences ?? []) {
    if (isExpected || isFromRecords) continue;
    const ttls = [...a.sets, ...(a.referral ? [a.referral] : [])].map(({ ttl }) => ttl);
    add({ owner: name, type, ttl: ttls.length > 0 ? Math.max(...ttls) : negativeTtl, isNegative: ttls.length === 0 });
  }
  return [...found.values()].sort((a, b) => b.ttl - a.ttl);
}

/** A service that does not sign zones has no keys, whatever is done there. */
function differsInKeysOnly({ silent, records = [], answers }: Pick<Facts, "silent" | "records" | "answers">): boolean {
  const differing = [...records, ...(answers?.differences ?? [])].filter(({ isExpected }) => !isExpected);
  return (
    silent.length + (answers?.unanswered.length ?? 0) === 0 &&
    differing.length > 0 &&
    differing.every(({ type }) => keyTypes.has(type))
  );
}

/** RFC 4034 §2, RFC 7344 §3 */
const keyTypes: ReadonlySet<string> = new Set(["CDNSKEY", "CDS", "DNSKEY"]);

/** Whether the old version has DNSKEY records, and the new one does not have the same. */
function hasOtherKeys(zone: Name, records: Facts["records"], answers: Facts["answers"]): boolean {
  const isKeys = (owner: Name, type: string) => type === "DNSKEY" && isSameName(owner, zone);
  const inRecords = records?.some(
    ({ owner, type, a, kind }) => isKeys(owner, type) && a !== undefined && kind !== "ttl",
  );
  const inAnswers = answers?.differences.some(({ name, type, a }) => isKeys(name, type) && a.sets.length > 0);
  return inRecords || inAnswers || false;
}
