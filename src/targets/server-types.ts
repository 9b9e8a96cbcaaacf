import { typeCode } from "../dns/rdata/type-codes.ts";

/** Types that a server which signs the zone makes itself; ZONEMD contains the serial (RFC 8976 §2.2.1). */
const typesOfServer = new Set(["RRSIG", "NSEC", "NSEC3", "NSEC3PARAM", "DNSKEY", "CDS", "CDNSKEY", "ZONEMD"]);

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
