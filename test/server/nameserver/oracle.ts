import { atNode, findNode, substituteName, toLookupZone } from "../../../src/dns/lookup/lookup.ts";
import { Fault } from "../../../src/dns/name/fault.ts";
import { asName, isInside, type Name, nameKey, readExactName } from "../../../src/dns/name/name.ts";
import { byOwner } from "../../../src/dns/zone/owners.ts";
import { isType, type RRset, targets, type ZoneRecord } from "../../../src/dns/zone/zone.ts";
import { soaOf } from "../../dns/transfer/zones.ts";

/** The records of an answer; `glue` is required, `helpful` not. */
export interface OracleAnswer {
  readonly rcode: number;
  readonly aa: boolean;
  readonly answers: readonly ZoneRecord[];
  readonly authorities: readonly ZoneRecord[];
  readonly additionals: readonly ZoneRecord[];
}

const [noError, nxdomain, yxdomain] = [0, 3, 6];
const none = { rcode: noError, aa: true, answers: [], authorities: [], additionals: [] };

/**
 * The answers of a zone by the lookup that plans are checked with (`src/dns/lookup/lookup.ts`), on objects: a second
 * opinion about those that are put together from fragments. The records have no duplicates, and each set has one TTL.
 */
export function oracleOf(records: readonly ZoneRecord[]) {
  const soa = soaOf(records);
  const zone = toLookupZone(nameKey(soa.owner), byOwner(records));
  const addresses = (name: Name) =>
    ["A", "AAAA"].flatMap((type) => zone.rrsets(nameKey(name))?.get(type)?.records ?? []);
  const once = (names: readonly Name[]) => [...new Map(names.map((name) => [nameKey(name), name])).values()];
  const deny = (rcode: number, answers: readonly ZoneRecord[]) => ({
    ...{ ...none, rcode, answers },
    authorities: [{ ...soa, ttl: Math.min(soa.ttl ?? 0, soa.data.minimum) }],
  });

  const follow = (
    owner: Name,
    type: string,
    answers: readonly ZoneRecord[],
    visited: readonly Name[],
  ): OracleAnswer => {
    if (!isInside(owner, soa.owner) || visited.includes(nameKey(owner)) || visited.length === 21)
      return { ...none, answers };
    const next = (target: Name, added: readonly ZoneRecord[]) =>
      follow(target, type, [...answers, ...added], [...visited, nameKey(owner)]);
    const node = findNode(zone, nameKey(owner), type);
    if (node.kind === "nxdomain") return deny(nxdomain, answers);
    if (node.kind === "referral") {
      const { records } = node.servers;
      const hosts = once(records.flatMap(targets));
      const additionals = hosts.flatMap(addresses);
      return { ...none, aa: answers.length > 0, answers, authorities: records, additionals };
    }
    if (node.kind === "renamed") {
      const [dname] = node.dname.records;
      if (!dname || !isType(dname, "DNAME")) throw new Error("no DNAME record");
      // Once, however many aliases it makes.
      const first = answers.includes(dname) ? [] : [dname];
      try {
        const target = readExactName(substituteName({ owner: dname.owner, target: dname.data.target }, owner));
        const added = [...first, { owner, type: "CNAME", ttl: dname.ttl, data: { cname: target } }];
        return type === "CNAME" || type === "ANY" ? { ...none, answers: [...answers, ...added] } : next(target, added);
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        return { ...none, rcode: yxdomain, answers: [...answers, ...first] };
      }
    }
    const at = (set: RRset) => set.records.map((record) => ({ ...record, owner }));
    const [any] = node.sets.values();
    const found = type === "ANY" && any ? ({ kind: "answer", set: any } as const) : atNode(node.sets, type);
    if (found.kind === "nodata") return deny(noError, answers);
    if (found.kind === "alias") return next(found.cname.records.flatMap(targets)[0] ?? asName("."), at(found.cname));
    const hosts = ["NS", "MX", "SRV"].includes(found.set.type) ? once(found.set.records.flatMap(targets)) : [];
    return { ...none, answers: [...answers, ...at(found.set)], additionals: hosts.flatMap(addresses) };
  };
  return (name: Name, type: string) => follow(name, type, [], []);
}
