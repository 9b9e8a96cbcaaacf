import { mostData } from "../../contract/bounds.ts";
import type { Rule } from "../../dns/lookup/rule.ts";
import { rdataOctets } from "../../dns/zone/record-octets.ts";

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
