import { apiTimes } from "../../../targets/api/settings.ts";
import type { PublicContext } from "../../entities/context.ts";
import { exactTimestamp, timestamp } from "../../kit/timestamp.ts";
import { removeRows } from "../../store/rows.ts";
import type { AliasLookupRow, Database, DomainRow, RecordRow } from "../../store/tables.ts";
import { findDomainRow } from "../domains/domains-rows.ts";
import { prepareChange } from "../domains/rendering.ts";
import { type AddressType, mostAliases } from "../nodes/addresses/own-zones.ts";
import { findRecordRow, insertRecordRows, listAliasAddresses } from "../zones/records-rows.ts";
import { type DueAlias, findLeasedLookup, saveLookup, saveSources } from "./aliases-rows.ts";
import { bothTypes, type ResolvedAlias } from "./resolve-alias.ts";
import { type AddressFinding, interval } from "./resolvers.ts";

/** A leased record and what its target leads to. */
interface Outcome {
  readonly alias: DueAlias;
  /** The end of the lease. */
  readonly until: string;
  readonly resolved: ResolvedAlias;
}

/**
 * TTLs of addresses, in seconds: they may change at any time, and what a resolver has left of a TTL differs at each
 * look.
 */
const ttlLevels = [300, 120, 60] as const;

/** Limit on the seconds until the next look after failures. */
const mostAfterFailure = 900;

/** The part of an interval by which it may get longer, so that looks do not come together. */
const spread = 0.1;

/**
 * Stores what a look has found, unless the record was changed since: its addresses, if they differ, in a new version of
 * the zone, and when to look again. `jitter` is from 0 up to 1. Resolves to the problem that this look found first.
 */
export async function storeFindings(
  db: Database,
  { alias, until, resolved }: Outcome,
  context: PublicContext,
  jitter: number,
): Promise<string | undefined> {
  const { record_id, domain_id } = alias;
  const domain = await findDomainRow(db, alias.account_id, domain_id);
  const lookup = await findLeasedLookup(db, record_id, until);
  const record = await findRecordRow(db, domain_id, record_id);
  if (domain === undefined || lookup === undefined || record === undefined) return undefined;
  const state = stateAfter(lookup, resolved);
  const stored = await listAliasAddresses(db, record_id);
  const isReplaced = state.is_replaced < lookup.is_replaced;
  const isRemoved = resolved.isOwn || isConfirmed(lookup, resolved);
  // Addresses of one target are never served beside those of another.
  const kept = isReplaced ? [] : stored;
  const wanted = wantedAddresses(kept, { resolved, isRemoved, ttl: ttlOf(record, domain) });
  const changed = bothTypes.filter((type) => linesOf(stored, type) !== linesOf(wanted, type));
  if (changed.length > 0) {
    await prepareChange(db, domain, context);
    await removeRows(db, "records", { alias_id: record_id, type: changed });
    const isChanged = ({ type }: WantedAddress) => changed.some((one) => one === type);
    const rows = wanted.filter(isChanged).map((address) => newRow(record, address, timestamp(context.now)));
    if (rows.length > 0) await insertRecordRows(db, rows);
  }
  // A change of a new source since the look has not made the record due.
  const isDue = await saveSources(db, record_id, resolved.sources);
  const next = isDue ? "" : nextLook(resolved, state, context.now, jitter);
  // The last statement, because changes of the addresses of records in a circle make these due.
  await saveLookup(db, record_id, { ...state, next });
  return lookup.problem === null ? (state.problem ?? undefined) : undefined;
}

type State = Pick<AliasLookupRow, "failures" | "missing_since" | "is_replaced" | "problem">;

/** Whether an answer without any address was asked for after an earlier one: a single one may be a mistake. */
function isConfirmed({ missing_since }: Pick<State, "missing_since">, { asked }: ResolvedAlias): boolean {
  return missing_since !== null && exactTimestamp(new Date(asked)) > missing_since;
}

function stateAfter(before: State, { findings, asked }: ResolvedAlias): State {
  const all = Object.values(findings);
  const hasFailed = all.some(({ kind }) => kind === "failed");
  const isMissing = all.every(({ kind }) => kind === "none");
  return {
    failures: hasFailed ? before.failures + 1 : 0,
    missing_since: isMissing ? (before.missing_since ?? exactTimestamp(new Date(asked))) : null,
    is_replaced: all.some(({ kind }) => kind === "addresses") ? 0 : before.is_replaced,
    problem: hasFailed || isMissing ? problemOf(findings) : null,
  };
}

const reasons = {
  nxdomain: "the target does not exist (NXDOMAIN)",
  nodata: "the target has neither A nor AAAA records",
  loop: "the records on the way to the target form a loop",
  chain: `more than ${mostAliases} aliases lead from the target to its addresses`,
};

function problemOf(findings: ResolvedAlias["findings"]): string {
  const failed = bothTypes.flatMap((type) => {
    const finding = findings[type];
    return finding.kind === "failed" ? [[type, finding.reason] as const] : [];
  });
  const [first, second] = failed;
  if (first === undefined) {
    const found = Object.values(findings).flatMap((finding) => (finding.kind === "none" ? finding.reason : []));
    return reasons[found.find((reason) => reason !== "nodata") ?? "nodata"];
  }
  if (second === undefined) return `${first.join(": ")}`;
  return first[1] === second[1] ? first[1] : failed.map((one) => one.join(": ")).join("; ");
}

type WantedAddress = Pick<RecordRow, "type" | "target" | "ttl_sec">;

interface Found {
  readonly resolved: ResolvedAlias;
  /** Whether addresses are removed if the target has none. */
  readonly isRemoved: boolean;
  /** Of the record, in seconds. */
  readonly ttl: number;
}

/** The addresses of both types from now on: those of before where a look has failed, or may have been a mistake. */
function wantedAddresses(stored: readonly WantedAddress[], { resolved, isRemoved, ttl }: Found): WantedAddress[] {
  const { findings } = resolved;
  const all = Object.values(findings);
  const isAnswered = all.some(({ kind }) => kind === "addresses");
  const isWithout = isAnswered || (isRemoved && all.every(({ kind }) => kind === "none"));
  return bothTypes.flatMap((type) => {
    const before = stored.filter((row) => row.type === type);
    const finding = findings[type];
    if (finding.kind === "addresses") return addressRows(type, finding, before, ttl);
    return finding.kind === "none" && isWithout ? [] : before;
  });
}

/** The TTL of addresses that stay is not lowered: it would differ at each look at an answer that resolvers remember. */
function addressRows(
  type: AddressType,
  { addresses, ttl: left }: Extract<AddressFinding, { kind: "addresses" }>,
  before: readonly WantedAddress[],
  ttl: number,
): WantedAddress[] {
  const level = ttlLevels.find((level) => level <= left) ?? ttlLevels[ttlLevels.length - 1] ?? left;
  const isSame = addresses.join(" ") === before.map(({ target }) => target).join(" ");
  const ttl_sec = Math.min(ttl, Math.max(level, isSame ? (before[0]?.ttl_sec ?? 0) : 0));
  return addresses.map((target) => ({ type, target, ttl_sec }));
}

function linesOf(rows: readonly WantedAddress[], type: AddressType): string {
  return rows
    .filter((row) => row.type === type)
    .map(({ target, ttl_sec }) => `${target} ${ttl_sec}`)
    .join(", ");
}

function ttlOf({ ttl_sec }: RecordRow, domain: DomainRow): number {
  return ttl_sec || domain.ttl_sec || apiTimes.ttl_sec;
}

function newRow({ id, domain_id, name, name_key }: RecordRow, address: WantedAddress, moment: string) {
  const plain = { priority: 0, weight: 0, port: 0, service: null, protocol: null, tag: null, rdata: null };
  return { domain_id, name, name_key, ...address, ...plain, alias_id: id, created: moment, updated: moment };
}

function nextLook(resolved: ResolvedAlias, { failures }: State, now: Date, jitter: number): string {
  const wait = Math.min(mostAfterFailure, interval.least * 2 ** (failures - 1));
  const from = now.getTime();
  const until = failures > 0 ? from + 1000 * wait : Math.max(resolved.until, from);
  return timestamp(new Date(until + spread * jitter * (until - from) + 999)); // not before: timestamps are in seconds
}
