import { Fault } from "../../dns/fault.ts";
import { atNode, findNode, substituteName } from "../../dns/lookup.ts";
import { isInside, type Name, type NameKey, nameKey, readExactName, root } from "../../dns/name.ts";
import { rcode } from "../../dns/transfer/codes.ts";
import type { MessageRecord, Question } from "../../dns/transfer/message.ts";
import { isType, targets } from "../../dns/zone.ts";
import type { ServedRrsets, ServedZone, ServedZones } from "./served-zone.ts";

type Set = readonly MessageRecord[];

/** Maximum number of aliases in an answer; a resolver asks for the rest. BIND and Knot have such limits, too. */
const mostAliases = 12;

/** An answer before it is fitted into a message. */
export interface Answer {
  readonly rcode: number;
  /** Whether we are authoritative for the name in the question. */
  readonly aa: boolean;
  readonly answers: readonly Set[];
  readonly authorities: readonly Set[];
  /** Addresses that a resolver needs to follow a referral (RFC 9471). */
  readonly glue: readonly Set[];
  /** Addresses that save a resolver a query. */
  readonly helpful: readonly Set[];
}

const nothing = { aa: true, answers: [], authorities: [], glue: [], helpful: [] };

type Found =
  | { readonly kind: "sets"; readonly sets: readonly Set[]; readonly rcode?: number }
  /** The name is an alias of another. */
  | { readonly kind: "alias"; readonly sets: readonly Set[]; readonly target: Name }
  | { readonly kind: "delegation"; readonly servers: Set }
  | { readonly kind: "nothing"; readonly rcode: number };

/**
 * Answers a question of class IN from the zone that is authoritative for it (RFC 1034 §4.3.2, RFC 4592). Aliases are
 * followed within that zone, as in BIND and Knot: resolvers accept data of other zones only from their servers. ANY is
 * answered with one RRset of the name (RFC 8482 §4.1).
 */
export function resolve({ name, type }: Question, zones: ServedZones): Answer {
  const zone = zones.find(name, type);
  if (zone === undefined) return { ...nothing, rcode: rcode.REFUSED, aa: false };
  if (zone === "unavailable") return { ...nothing, rcode: rcode.SERVFAIL, aa: false };
  const answers: Set[] = [];
  const visited = new globalThis.Set<NameKey>();
  for (let owner = name; isInside(owner, zone.apex) && !visited.has(nameKey(owner)); ) {
    if (visited.size === mostAliases) break;
    visited.add(nameKey(owner));
    const found = findAnswer(zone, owner, type);
    switch (found.kind) {
      case "sets":
        answers.push(...found.sets);
        return {
          ...nothing,
          rcode: found.rcode ?? rcode.NOERROR,
          answers,
          helpful: additionalAddresses(zone, found.sets),
        };
      case "delegation":
        return { ...referral(zone, found.servers), aa: answers.length > 0, answers };
      case "nothing":
        return { ...nothing, rcode: found.rcode, answers, authorities: [[zone.negativeSoa()]] };
      case "alias":
        answers.push(...found.sets);
        owner = found.target;
    }
  }
  return { ...nothing, rcode: rcode.NOERROR, answers };
}

function findAnswer(zone: ServedZone, owner: Name, type: string): Found {
  const node = findNode<Set, ServedRrsets>(zone, nameKey(owner), type);
  if (node.kind === "nxdomain") return { kind: "nothing", rcode: rcode.NXDOMAIN };
  if (node.kind === "referral") return { kind: "delegation", servers: node.servers };
  if (node.kind === "renamed") return resolveDname(owner, type, node.dname);
  // The records of a wildcard get the name in the question (RFC 4592 §2.2).
  const withOwner = (set: Set): Set => set.map((record) => ({ ...record, owner }));
  const [first] = node.sets.values();
  if (type === "ANY")
    return first ? { kind: "sets", sets: [withOwner(first)] } : { kind: "nothing", rcode: rcode.NOERROR };
  const found = atNode(node.sets, type);
  if (found.kind === "alias")
    return { kind: "alias", sets: [withOwner(found.cname)], target: found.cname.flatMap(targets)[0] ?? root };
  return found.kind === "answer"
    ? { kind: "sets", sets: [withOwner(found.set)] }
    : { kind: "nothing", rcode: rcode.NOERROR };
}

/** A name below the owner of a DNAME record, as an alias (RFC 6672 §3.1). */
function resolveDname(owner: Name, type: string, dname: Set): Found {
  const [record] = dname;
  const target = record && isType(record, "DNAME") ? record.data.target : root;
  try {
    const name = readExactName(substituteName({ owner: record?.owner ?? root, target }, owner));
    const alias = { owner, type: "CNAME", class: 1, ttl: record?.ttl ?? 0, data: { cname: name } };
    const sets = [dname, [alias]];
    return type === "CNAME" || type === "ANY" ? { kind: "sets", sets } : { kind: "alias", sets, target: name };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { kind: "sets", sets: [dname], rcode: rcode.YXDOMAIN };
  }
}

function referral(zone: ServedZone, servers: Set): Answer {
  const cut = servers[0]?.owner ?? zone.apex;
  const names = servers.flatMap(targets);
  return {
    ...nothing,
    rcode: rcode.NOERROR,
    authorities: [servers],
    glue: names.filter((name) => isInside(name, cut)).flatMap((name) => addresses(zone, name)),
    helpful: names.filter((name) => !isInside(name, cut)).flatMap((name) => addresses(zone, name)),
  };
}

/** The addresses of the hosts in an answer. */
function additionalAddresses(zone: ServedZone, sets: readonly Set[]): Set[] {
  const records = sets.flat().filter(({ type }) => type === "NS" || type === "MX" || type === "SRV");
  return records.flatMap(targets).flatMap((name) => addresses(zone, name));
}

/** The addresses of a name in the zone, also below a zone cut. */
function addresses(zone: ServedZone, name: Name): Set[] {
  const sets = zone.rrsets(nameKey(name));
  return ["A", "AAAA"].map((type) => sets?.get(type)).filter((set) => set !== undefined);
}
