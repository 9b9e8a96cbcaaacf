import type { NameKey } from "../../../dns/name/name.ts";
import { answerLimits, sortAddresses, tooMany } from "../../../dns-client/ask-addresses.ts";
import type { Catalog } from "../../catalog/schema.ts";
import { timestamp } from "../../kit/timestamp.ts";
import type { Store } from "../../store/store.ts";
import { findServingDomain } from "../domains/domains-rows.ts";
import {
  type AddressesByType,
  type AddressType,
  followName,
  mostAliases,
  type SourceName,
} from "../nodes/addresses/own-zones.ts";
import { type AddressFinding, type FoundAnswer, interval, type Resolvers } from "./resolvers.ts";

/** The addresses that the target of an ALIAS record leads to. */
export interface ResolvedAlias {
  readonly findings: Readonly<Record<AddressType, AddressFinding>>;
  /** Whether only zones of this server have the answer, which thus needs no second look. */
  readonly isOwn: boolean;
  /** When the oldest answer was asked for, and when to look again, in milliseconds since 1970. */
  readonly asked: number;
  readonly until: number;
  readonly sources: readonly SourceName[];
}

interface ResolveOptions {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly resolvers: Resolvers;
  readonly clock: () => Date;
  readonly signal: AbortSignal;
}

export const bothTypes = ["A", "AAAA"] as const satisfies readonly AddressType[];

/**
 * Limit on the seconds between two looks at zones of this server: changes of the names on the way are looked at at
 * once, but not a new delegation above them, or a domain that is created or deleted.
 */
const mostOfOwn = 300;

/**
 * Resolves the target of an ALIAS record: in the zones of its account, which are looked up first, and by resolvers. An
 * answer of a resolver that leads back into these zones is looked up there, so that a loop over others ends.
 * @throws the reason of the signal
 */
export async function resolveAlias(
  { target, account_id }: { readonly target: NameKey; readonly account_id: number },
  { store, catalog, resolvers, clock, signal }: ResolveOptions,
): Promise<ResolvedAlias> {
  const sources: SourceName[] = [];
  const passed = new Set<NameKey>();
  let ttl: number | undefined;
  let name = target;
  let isOwn = true;
  let isChain = false;
  while (!passed.has(name) && passed.size <= mostAliases) {
    passed.add(name);
    const options = { types: bothTypes, now: timestamp(clock()), catalog, forAliasOf: account_id };
    const own = await store.read((db) => followName(db, name, options));
    sources.push(...own.sources);
    ttl = lesser(ttl, own.ttl);
    isChain = own.end.kind === "chain";
    if (own.end.kind === "loop" || own.end.kind === "chain") break;
    if (own.end.kind === "addresses") {
      const findings = findingsOf(own.end.of, ttl ?? interval.least);
      return { findings, isOwn, asked: clock().getTime(), until: untilOf(ttl, clock), sources };
    }
    const { name: foreign } = own.end;
    isOwn = false;
    const answers = await Promise.all(bothTypes.map((type) => resolvers.find(foreign, type, signal)));
    const back = await findOwn(store, account_id, answers);
    if (back === undefined) return resolvedBy(answers, { ttl, sources, clock });
    name = back;
  }
  const finding: AddressFinding = { kind: "none", reason: isChain || !passed.has(name) ? "chain" : "loop" };
  const findings = { A: finding, AAAA: finding };
  return { findings, isOwn, asked: clock().getTime(), until: untilOf(ttl, clock), sources };
}

function lesser(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined ? other : other === undefined ? one : Math.min(one, other);
}

function untilOf(ttl: number = interval.least, clock: () => Date): number {
  return clock().getTime() + 1000 * Math.min(mostOfOwn, Math.max(interval.least, ttl));
}

function findingsOf(of: AddressesByType, ttl: number): ResolvedAlias["findings"] {
  const finding = (type: AddressType): AddressFinding => {
    const addresses = of[type] ?? [];
    if (addresses.length > answerLimits.addresses) return { kind: "failed", reason: tooMany(addresses.length) };
    return addresses.length > 0
      ? { kind: "addresses", addresses: sortAddresses(addresses), ttl }
      : { kind: "none", reason: "nodata" };
  };
  return { A: finding("A"), AAAA: finding("AAAA") };
}

/** The first name that answers of resolvers lead to in a zone of the account. */
async function findOwn(
  store: Store,
  account_id: number,
  answers: readonly FoundAnswer[],
): Promise<NameKey | undefined> {
  const names = new Set(answers.flatMap(({ names }) => names.slice(1)));
  if (names.size === 0) return undefined;
  return store.read(async (db) => {
    for (const name of names) if ((await findServingDomain(db, name))?.account_id === account_id) return name;
    return undefined;
  });
}

interface Way {
  /** The smallest TTL of zones of this server on the way; undefined if there is none. */
  readonly ttl: number | undefined;
  readonly sources: readonly SourceName[];
  readonly clock: () => Date;
}

function resolvedBy([a, aaaa]: readonly FoundAnswer[], { ttl, sources, clock }: Way): ResolvedAlias {
  if (a === undefined || aaaa === undefined) throw new Error("a type of addresses without an answer");
  const capped = ({ finding }: FoundAnswer): AddressFinding =>
    finding.kind === "addresses" ? { ...finding, ttl: Math.min(finding.ttl, ttl ?? finding.ttl) } : finding;
  const until = Math.min(a.until, aaaa.until, ...(ttl === undefined ? [] : [untilOf(ttl, clock)]));
  const findings = { A: capped(a), AAAA: capped(aaaa) };
  return { findings, isOwn: false, asked: Math.min(a.asked, aaaa.asked), until, sources };
}
