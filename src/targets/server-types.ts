import { type Problem, problem } from "../diagnostics/problem.ts";
import { placeWithIncludes } from "../dns/lookup/rule.ts";
import { relativeTo } from "../dns/name/name.ts";
import { typeCode } from "../dns/rdata/type-codes.ts";
import type { Zone, ZoneRecord } from "../dns/zone/zone.ts";

/** Types that a server which signs the zone makes itself; ZONEMD contains the serial (RFC 8976 §2.2.1). */
const typesOfServer = new Set(["RRSIG", "NSEC", "NSEC3", "NSEC3PARAM", "DNSKEY", "CDS", "CDNSKEY", "ZONEMD"]);

/** Types of records that are wrong once another record of their zone changes, such as its SOA record. */
const typesOfSigners = new Set(["RRSIG", "NSEC", "NSEC3", "NSEC3PARAM", "ZONEMD"]);

/** Whether a signer has made the records of a type from others of the zone. */
export function isOfSigner(type: string): boolean {
  return typesOfSigners.has(type);
}

/** Private types (RFC 6895 §3.1), in which servers keep the state of signing: BIND's is 65534. */
const privateTypes = { first: 65280, last: 65534 };

/** Whether a type is for private use, so that nothing is known about its records but where they are. */
export function isPrivateType(type: string): boolean {
  const code = typeCode(type) ?? 0;
  return code >= privateTypes.first && code <= privateTypes.last;
}

/** Whether records of a type belong to the server, so that they are neither sent nor compared. DS records do not. */
export function isServerType(type: string): boolean {
  return typesOfServer.has(type) || isPrivateType(type);
}

/** A record in a file of a type that belongs to the server. `why`: what storing it would do. */
export function serverTypeProblem({ name }: Zone, record: ZoneRecord, why: string): Problem {
  const { owner, type } = record;
  const summary = `${relativeTo(owner, name)} ${type}: the name server makes records of this type itself`;
  return problem("server-type", summary, { fix: `Remove it: ${why}.`, owner, ...placeWithIncludes(record) });
}
