import { isSameName, type Name, type NameKey, nameKey, sortKey } from "../name/name.ts";
import type { Owners } from "../zone/owners.ts";
import { canonical, type RRset, setType, shortestTtl } from "../zone/zone.ts";
import type { UnreadRecord } from "./message.ts";
import { transferredAlias } from "./transferred-alias.ts";

/** An RRset as it is compared. `ttl` in seconds: the shortest of its records (RFC 2181 §5.2). */
export interface RrsetContent {
  readonly ttl: number;
  /** In canonical form, sorted. */
  readonly rdata: readonly string[];
}

/** An RRset that differs between two versions of a zone. */
export interface RrsetDifference {
  readonly owner: NameKey;
  /** For signatures with the covered type: `RRSIG A`. */
  readonly type: string;
  /** `ttl` if only the TTLs differ. */
  readonly kind: "only-a" | "only-b" | "ttl" | "rdata";
  readonly a?: RrsetContent;
  readonly b?: RrsetContent;
  /** Whether every name server has its own, so that a difference is no mistake. */
  readonly isExpected: boolean;
}

/** The records of a version of a zone, each with its TTL. */
export interface VersionRecords {
  readonly owners: Owners;
  /** Records with an invalid value, which are compared by their octets. */
  readonly unread?: readonly UnreadRecord[];
}

/** The zone that is compared. */
export interface ComparedApex {
  readonly name: Name;
  /** Whether its own NS records are those of the user on both sides, and not of each name server. */
  readonly hasOwnServers: boolean;
  /** Whether a side is a name server, which transfers other records in place of ALIAS. */
  readonly isTransferred?: boolean;
}

/** Compares two versions of a zone by RRset, in canonical order of the names. */
export function compareRecords(apex: ComparedApex, one: VersionRecords, other: VersionRecords): RrsetDifference[] {
  const [a, b] = [setContents(one), setContents(other)];
  const owners = [...new Set([...a.keys(), ...b.keys()])].map((owner) => ({ owner, order: sortKey(owner) }));
  owners.sort((one, other) => (one.order < other.order ? -1 : 1));
  return owners.flatMap(({ owner }) => {
    const [setsA, setsB] = [a.get(owner) ?? none, b.get(owner) ?? none];
    const types = [...new Set([...setsA.keys(), ...setsB.keys()])].sort();
    return types.flatMap((type) => {
      const [inA, inB] = [setsA.get(type), setsB.get(type)];
      const kind = kindOf(inA, inB);
      if (kind === undefined) return [];
      const isExpected =
        isOfServer(apex, owner, type) || (apex.isTransferred === true && standsForAlias(type, setsA, setsB));
      return [{ owner, type, kind, ...(inA && { a: inA }), ...(inB && { b: inB }), isExpected }];
    });
  });
}

/** ALIAS, and the type as which PowerDNS transfers it. */
export const aliasTypes: readonly string[] = ["ALIAS", transferredAlias];
const standIns: readonly string[] = [...aliasTypes, "A", "AAAA"];

/** Whether a set is in one version only because the other has an ALIAS in its place, or addresses. */
function standsForAlias(type: string, a: Contents, b: Contents): boolean {
  const [onlyA, onlyB] = [
    standIns.filter((one) => a.has(one) && !b.has(one)),
    standIns.filter((one) => b.has(one) && !a.has(one)),
  ];
  const hasAlias = [...onlyA, ...onlyB].some((one) => aliasTypes.includes(one));
  return hasAlias && onlyA.length > 0 && onlyB.length > 0 && [...onlyA, ...onlyB].includes(type);
}

/**
 * Whether a name server makes an RRset itself: the SOA, the NS set of the zone unless it is the user's, and the
 * signatures. The keys of a signed zone are not among them: without them, resolvers that validate reject the zone.
 */
export function isOfServer({ name, hasOwnServers }: ComparedApex, owner: Name, type: string): boolean {
  const [base = ""] = type.split(" ");
  if (type === "NS") return !hasOwnServers && isSameName(owner, name);
  return type === "SOA" || addedBySigning.has(base);
}

/** Types that a signer adds to the RRsets of a zone (RFC 4034, RFC 5155, RFC 8976). */
const addedBySigning: ReadonlySet<string> = new Set(["NSEC", "NSEC3", "NSEC3PARAM", "RRSIG", "ZONEMD"]);

type Contents = Map<string, RrsetContent>;
const none: Contents = new Map();

function setContents({ owners, unread = [] }: VersionRecords): Map<NameKey, Contents> {
  const contents = new Map(
    [...owners].map(([owner, sets]) => [
      owner,
      new Map(sets.values().map((set) => [typeOfSet(set), contentOf(set)] as const)),
    ]),
  );
  for (const { owner, type, ttl, rdata } of unread) {
    const key = nameKey(owner);
    const sets: Contents = contents.get(key) ?? new Map();
    const set = sets.get(type) ?? { ttl, rdata: [] };
    sets.set(type, { ttl: Math.min(ttl, set.ttl), rdata: [...new Set([...set.rdata, rdata])].sort() });
    contents.set(key, sets);
  }
  return contents;
}

function typeOfSet({ type, records: [first] }: RRset): string {
  return first === undefined ? type : setType(first);
}

function contentOf({ records }: RRset): RrsetContent {
  return {
    ttl: shortestTtl(records),
    rdata: [...new Set(records.map(canonical))].sort(),
  };
}

function kindOf(a: RrsetContent | undefined, b: RrsetContent | undefined): RrsetDifference["kind"] | undefined {
  if (a === undefined || b === undefined) return a === undefined ? "only-b" : "only-a";
  if (a.rdata.join("\n") !== b.rdata.join("\n")) return "rdata";
  return a.ttl === b.ttl ? undefined : "ttl";
}
