import { isSameName, type Name } from "../dns/name/name.ts";
import { dnsClass, rcode as rcodes } from "../dns/transfer/codes.ts";
import { rcodeError, TransferError } from "../dns/transfer/transfer-error.ts";
import { isType } from "../dns/zone/zone.ts";
import { type AskOptions, ask, signedEdns } from "./ask.ts";
import type { ServerAddress } from "./server-address.ts";

/** The DS records of a zone in its parent zone. */
export interface DsSet {
  /** The tags of the keys that the records name; empty if the parent has none. */
  readonly keyTags: readonly number[];
  /** In seconds; 0 if there are none. */
  readonly ttl: number;
}

/**
 * Queries a resolver, or a name server of the parent zone, for the DS records of a zone.
 * @throws {TransferError} also if the response does not come from the parent zone.
 */
export async function askDs(server: ServerAddress, zone: Name, options: AskOptions = {}): Promise<DsSet> {
  const question = { name: zone, type: "DS", class: dnsClass.in };
  // The signature has the TTL of the parent zone: that of a record from a cache is the remaining one. CD, because a
  // resolver must answer even if the zone does not validate.
  const query = { question, rd: true, cd: true, edns: signedEdns };
  const { rcode, aa, ra, answers, authorities } = await ask(server, query, options);
  if (rcode !== rcodes.NOERROR && rcode !== rcodes.NXDOMAIN) throw rcodeError(rcode);
  const own = answers.filter(({ owner }) => isSameName(owner, zone));
  const records = own.filter((record) => isType(record, "DS"));
  const signatures = own.filter((record) => isType(record, "RRSIG")).filter(({ data }) => data.type_covered === "DS");
  if (records.length > 0) {
    const ttls = [...records.map(({ ttl }) => ttl), ...signatures.map(({ data }) => data.original_ttl)];
    const keyTags = [...new Set(records.map(({ data }) => data.key_tag))].sort((a, b) => a - b);
    return { keyTags, ttl: Math.max(...ttls) };
  }
  const soa = authorities.find(({ type }) => type === "SOA");
  // A name server of the zone itself has no DS records of it (RFC 4035 §3.1.4.1).
  const isChild = soa !== undefined && isSameName(soa.owner, zone);
  if (isChild || !(aa || ra))
    throw new TransferError("transfer/answer", "the server does not answer for the parent zone", fix);
  return { keyTags: [], ttl: 0 };
}

const fix = "Name a resolver, or a name server of the parent zone.";
