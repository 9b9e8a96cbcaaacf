import { type LookupZone, lookUp, substituteName, toLookupZone } from "../../../../dns/lookup/lookup.ts";
import {
  ancestors,
  isInside,
  type Name,
  type NameKey,
  nameKey,
  readName,
  relativeTo,
  wildcardBelow,
  withoutDot,
} from "../../../../dns/name/name.ts";
import { byOwner, type OwnerSets } from "../../../../dns/zone/owners.ts";
import { isType, type RRset, targets, type ZoneRecord } from "../../../../dns/zone/zone.ts";
import { readBind } from "../../../../formats/bind/read.ts";
import { fromApi } from "../../../../targets/api/mapping.ts";
import { apiTimes } from "../../../../targets/api/settings.ts";
import type { Catalog } from "../../../catalog/schema.ts";
import { hasRow } from "../../../store/rows.ts";
import type { Database, RecordRow } from "../../../store/tables.ts";
import { addressOfDefaultName, zoneOfAddresses } from "../../domains/address-zones.ts";
import { findServingDomain, type ServingDomain } from "../../domains/domains-rows.ts";
import { toStoredName } from "../../domains/lookups.ts";
import { listRecordsAt, listRecordsBelow } from "../../zones/records-rows.ts";
import { readTransferredLines } from "../../zones/slaves-rows.ts";
import { isAddressGiven } from "./addresses-rows.ts";

/** Maximum number of aliases that are followed, as the name server does. */
export const mostAliases = 12;

export type AddressType = "A" | "AAAA";

/** A name of a domain, relative and in lower case. */
export type SourceName = Pick<RecordRow, "domain_id" | "name_key">;

export type AddressesByType = Readonly<Partial<Record<AddressType, readonly string[]>>>;

/** The end of the way from a name through the zones of this server. */
export interface FollowedName {
  readonly end:
    | { readonly kind: "addresses"; readonly of: AddressesByType }
    /** The answer is up to other servers: the name is outside of our zones, or below a delegation. */
    | { readonly kind: "elsewhere"; readonly name: NameKey }
    | { readonly kind: "loop" }
    /** More than `mostAliases` aliases. */
    | { readonly kind: "chain" };
  /** The smallest TTL on the way, in seconds; undefined if no zone of this server is on it. */
  readonly ttl: number | undefined;
  /** Names whose records the result depends on. */
  readonly sources: readonly SourceName[];
}

interface FollowOptions {
  readonly types: readonly AddressType[];
  /** A timestamp, by which transferred zones expire. */
  readonly now: string;
  readonly catalog: Catalog;
  /** Only zones of this account are ours, and ALIAS records are followed like CNAME records. */
  readonly forAliasOf?: number;
}

/**
 * The addresses of a name as the zones of this server have them now, with changes that are not rendered yet.
 * `elsewhere` if the answer is up to other servers. Zones that are made from the addresses of nodes are among ours.
 */
export async function findAddresses(
  db: Database,
  name: Name,
  type: AddressType,
  { now, catalog }: Pick<FollowOptions, "now" | "catalog">,
): Promise<readonly string[] | "elsewhere"> {
  const { end } = await followName(db, name, { types: [type], now, catalog });
  if (end.kind === "elsewhere") return "elsewhere";
  return end.kind === "addresses" ? (end.of[type] ?? []) : [];
}

/** Follows aliases from zone to zone. */
export async function followName(db: Database, name: Name, options: FollowOptions): Promise<FollowedName> {
  const sources: SourceName[] = [];
  const ttls: number[] = [];
  const followed = (end: FollowedName["end"]): FollowedName => ({
    end,
    ttl: ttls.length === 0 ? undefined : Math.min(...ttls),
    sources,
  });
  let owner = nameKey(name);
  const passed = new Set<NameKey>();
  while (!passed.has(owner) && passed.size <= mostAliases) {
    passed.add(owner);
    const step = await lookUpOwn(db, owner, options);
    if (step === "elsewhere") return followed({ kind: "elsewhere", name: owner });
    sources.push(...step.sources);
    ttls.push(step.ttl);
    if (step.kind === "elsewhere") return followed({ kind: "elsewhere", name: owner });
    if (step.kind === "addresses") return followed({ kind: "addresses", of: step.of });
    owner = step.next;
  }
  return followed({ kind: passed.has(owner) ? "loop" : "chain" });
}

/** The next step at a name; its TTL is undefined if the name has none of its own. */
type Step = { readonly ttl?: number } & (
  | { readonly kind: "addresses"; readonly of: AddressesByType }
  | { readonly kind: "alias"; readonly next: NameKey }
  | { readonly kind: "elsewhere" }
);

type OwnStep = Step & { readonly ttl: number; readonly sources: readonly SourceName[] };

/** The step that a zone of this server has at a name; `elsewhere` without a zone. */
async function lookUpOwn(
  db: Database,
  owner: NameKey,
  { types, now, catalog, forAliasOf }: FollowOptions,
): Promise<OwnStep | "elsewhere"> {
  const domain = await findServingDomain(db, owner);
  const made = zoneOfAddresses(owner, catalog);
  if (made !== undefined && (domain === undefined || !isInside(toStoredName(domain.domain), made))) {
    if (await hasRow(db, "domains", { domain_key: withoutDot(made).toLowerCase() })) return "elsewhere";
    const of = types.includes("A") ? { A: await addressesByDefault(db, owner, catalog) } : {};
    return { kind: "addresses", of, ttl: apiTimes.ttl_sec, sources: [] };
  }
  if (domain === undefined || (forAliasOf !== undefined && domain.account_id !== forAliasOf)) return "elsewhere";
  const isSlave = domain.type === "slave";
  const zone = isSlave ? await readTransferredPart(db, domain, owner, now) : await readStoredPart(db, domain, owner);
  const step = zone ? stepOf(zone, owner, types, forAliasOf !== undefined) : noAddress;
  const { ttl = domain.ttl_sec || apiTimes.ttl_sec } = step;
  return { ...step, ttl, sources: isSlave ? [] : sourcesOf(domain, owner) };
}

const noAddress: Step = { kind: "addresses", of: {} };

function stepOf(zone: PartOfZone, owner: NameKey, types: readonly AddressType[], followsAlias: boolean): Step {
  const alias = followsAlias ? lookUp(zone, owner, "ALIAS") : undefined;
  if (alias?.kind === "answer") return aliasStep(alias.set.records, owner);
  const found = types.map((type) => [type, lookUp(zone, owner, type)] as const);
  for (const [, lookup] of found) {
    if (lookup.kind === "referral") return { kind: "elsewhere" };
    if (lookup.kind === "alias") return aliasStep(lookup.cname.records, owner);
    if (lookup.kind === "renamed") return aliasStep(lookup.dname.records, lookup.owner, owner);
  }
  const sets = found.flatMap(([type, one]) => (one.kind === "answer" ? [[type, one.set.records] as const] : []));
  const ttls = sets.flatMap(([, records]) => records.flatMap(({ ttl }) => ttl ?? []));
  const of = Object.fromEntries(sets.map(([type, records]) => [type, records.flatMap(addressesOf)]));
  return { kind: "addresses", of, ...(ttls.length > 0 && { ttl: Math.min(...ttls) }) };
}

/** Goes on at the target of a CNAME or ALIAS record, or at the name that a DNAME record substitutes for `below`. */
function aliasStep(records: readonly ZoneRecord[], owner: NameKey, below?: NameKey): Step {
  const [record] = records;
  if (record === undefined) return noAddress;
  const [name] = isType(record, "DNAME") ? [record.data.target] : targets(record);
  if (name === undefined) return noAddress;
  const target = nameKey(name);
  const next = below === undefined ? target : substituteName({ owner, target }, below);
  return { kind: "alias", next, ...(record.ttl !== undefined && { ttl: record.ttl }) };
}

/** The names whose records decide about a name: itself, and the wildcards that may match it. */
function sourcesOf({ id, domain }: ServingDomain, owner: NameKey): SourceName[] {
  const origin = nameKey(toStoredName(domain));
  const wildcards = owner === origin ? [] : [...ancestors(owner, origin).slice(1), origin].map(wildcardBelow);
  return [owner, ...wildcards].map((name) => ({ domain_id: id, name_key: relativeKey(name, origin) }));
}

function relativeKey(name: NameKey, origin: NameKey): string {
  return name === origin ? "" : relativeTo(name, origin);
}

/** The address whose default name this is, if a node has it. */
async function addressesByDefault(db: Database, name: Name, catalog: Catalog): Promise<string[]> {
  const address = addressOfDefaultName(name, catalog.rdns_domain);
  return address !== undefined && (await isAddressGiven(db, address)) ? [address] : [];
}

function addressesOf(record: ZoneRecord): string[] {
  return isType(record, "A") || isType(record, "AAAA") ? [record.data.address] : [];
}

type PartOfZone = LookupZone<RRset, OwnerSets>;

/** The part of a zone that a lookup of a name needs. */
async function readStoredPart(db: Database, { id, domain }: ServingDomain, name: NameKey): Promise<PartOfZone> {
  const origin = toStoredName(domain);
  const relative = (owner: NameKey) => relativeKey(owner, nameKey(origin));
  const above = [...ancestors(name, nameKey(origin)), nameKey(origin)];
  const wildcards = new Set(above.map(wildcardBelow).map(relative));
  const rows = await listRecordsAt(db, id, [...above.map(relative), ...wildcards]);
  const isThere = rows.some(({ name_key }) => name_key === relative(name));
  // Names below others keep wildcards away from them (RFC 4592 §2.2.2); to find these, all records are read.
  if (!isThere && rows.some(({ name_key }) => wildcards.has(name_key)))
    rows.push(...(await listRecordsBelow(db, id, above.map(relative))));
  return toLookupZone(nameKey(origin), byOwner(rows.map((row) => fromApi(row, origin))));
}

/** The part of a transferred zone; undefined if it was never transferred or has expired. */
async function readTransferredPart(
  db: Database,
  row: ServingDomain,
  name: Name,
  now: string,
): Promise<PartOfZone | undefined> {
  const origin = nameKey(toStoredName(row.domain));
  const lines = await readTransferredLines(db, row, now);
  if (lines.length === 0) return undefined;
  const head = lines.findIndex((line) => !/^[;$]/.test(line)) + 1;
  const above = [...ancestors(name, origin), origin];
  const isNear = (line: string) => {
    const owner = nameKey(readName(line.slice(0, line.search(/\s/)), origin));
    return above.some((one) => (one === origin ? owner === one || owner === wildcardBelow(one) : isInside(owner, one)));
  };
  const near = [...lines.slice(0, head), ...lines.slice(head).filter(isNear)];
  const bytes = Buffer.from(`${near.join("\n")}\n`);
  return toLookupZone(origin, byOwner(readBind({ file: row.domain, bytes, origin, settings: [] }).zone.records));
}
