import { mostData, mostOfSet } from "../../contract/bounds.ts";
import type { Rule } from "../../dns/lookup/rule.ts";
import { nameKey } from "../../dns/name/name.ts";
import { findBindRefusal } from "../../dns/zone/bind-refusal.ts";
import { answerOctets, rdataOctets } from "../../dns/zone/record-octets.ts";
import { distinct, type ZoneRecord } from "../../dns/zone/zone.ts";

/** Types whose RDATA is short, of which zones have most records: addresses, numbers and at most two names. */
const shortTypes: ReadonlySet<string> = new Set(
  ["A", "AAAA", "CNAME", "DNAME", "MX", "NS", "PTR", "SRV"], // RFC 1035 §3.3, RFC 2782, RFC 3596, RFC 6672
);

/** The limit on RDATA of a server that holds records of every type. */
export const dataLength: Rule = {
  id: "data-length",
  *check(zone) {
    for (const record of zone.zone.records) {
      const { owner, type } = record;
      const octets = shortTypes.has(type) || type === "SOA" ? 0 : rdataOctets(record);
      if (octets <= mostData) continue;
      const [has, most] = [octets, mostData].map((number) => number.toLocaleString("en"));
      const summary = `${zone.show(owner)} ${type} has ${has} octets of RDATA; the limit is ${most}`;
      yield { summary, at: record, fix: "Shorten it." };
    }
  },
};

/** A set of this many records of a short type is within the limit: each has up to two names of 255 octets. */
const alwaysFit = 100;

/** The limit on the records of one name and type, which one answer has. Those over it are refused. */
export const setLength: Rule = {
  id: "rrset-length",
  *check(zone) {
    for (const sets of zone.owners.values()) {
      for (const type of sets.keys()) {
        const records = sets.recordsOf(type);
        if (records.length === 1 || (shortTypes.has(type) && records.length <= alwaysFit)) continue;
        const { octets, over } = measureSet(records);
        const [has, most] = [octets, mostOfSet].map((number) => number.toLocaleString("en"));
        for (const record of over) {
          const summary = `the ${type} records of ${zone.show(record.owner)} have ${has} octets in a DNS message; the limit is ${most}`;
          yield { summary, about: "owner", at: record, fix: "Spread them over several names." };
        }
      }
    }
  },
};

/** ALIAS answers for A and AAAA, so a name has one ALIAS record or addresses. Beside them, it is refused. */
export const aliasAlone: Rule = {
  id: "alias-alone",
  types: ["ALIAS"],
  *check(zone) {
    for (const { owner, records } of zone.sets("ALIAS")) {
      const types = ["A", "AAAA"].filter((type) => zone.owners.get(nameKey(owner))?.has(type));
      const [first, ...others] = distinct(records);
      if (types.length > 0) {
        const summary = `${zone.show(owner)} has an ALIAS and ${types.join(" and ")} records`;
        const fix = "Keep either the ALIAS record or the addresses.";
        for (const at of records) yield { summary, at, about: "owner", fix };
      } else if (first) {
        const summary = `${zone.show(owner)} has ${others.length + 1} ALIAS records`;
        for (const at of others) yield { summary, at, about: "owner", fix: "Keep one of them." };
      }
    }
  },
};

/** Records that are refused because BIND, as a secondary, would refuse the zone. */
export const bindRefusal: Rule = {
  id: "bind-refusal",
  *check(zone) {
    for (const record of zone.zone.records) {
      const refusal = shortTypes.has(record.type) ? undefined : findBindRefusal(record);
      if (refusal === undefined) continue;
      const summary = `${zone.show(record.owner)} ${record.type}: ${refusal.fault}`;
      yield { summary, at: record, fix: refusal.fix };
    }
  },
};

/** The octets of the distinct records of a set, and those of them with which it is too long. */
function measureSet(records: readonly ZoneRecord[]): { readonly octets: number; readonly over: readonly ZoneRecord[] } {
  let octets = 0;
  const over: ZoneRecord[] = [];
  for (const record of distinct(records)) {
    octets += answerOctets(record);
    if (octets > mostOfSet) over.push(record);
  }
  return { octets, over };
}
