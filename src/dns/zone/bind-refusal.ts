import { count } from "../../diagnostics/quantities.ts";
import { labels } from "../name/name.ts";
import { isUtf8 } from "../name/text.ts";
import { isBase32hex } from "../rdata/binary.ts";
import { isType, type ZoneRecord } from "./zone.ts";

/** The reason why BIND refuses a zone with a record that is valid by itself, and what to do. */
export interface BindRefusal {
  readonly fault: string;
  readonly fix: string;
}

/**
 * Why BIND as a secondary refuses a zone with this record, measured with BIND 9.18. It loads none of them from a file
 * either, except those of type 0. Digests of a wrong length are for `refusedDigest`.
 */
export function findBindRefusal(record: Pick<ZoneRecord, "owner" | "type" | "data">): BindRefusal | undefined {
  if (isType(record, "NSEC3") && !isHash(record.owner))
    return { fault: "the first label of the owner is not a hash in base32", fix: "Copy the complete name again." };
  if (isType(record, "SVCB", "HTTPS") && record.data.params.some(({ key, value }) => key === 7 && !isDohPath(value)))
    return {
      fault: "dohpath is not a relative path with the variable dns",
      fix: 'Write a template such as dohpath="/dns-query{?dns}" (RFC 9461 §5).',
    };
  if (isType(record, "DNSKEY", "CDNSKEY", "KEY", "RKEY") && record.data.algorithm === privateAlgorithm)
    return startsWithName(record.data.public_key)
      ? undefined
      : { fault: "the key of algorithm 253 does not begin with a domain name", fix: "Copy the complete key again." };
  if (isType(record, "NAPTR") && record.data.regexp.includes("\0"))
    return { fault: "the substitution expression contains a NUL", fix: "Remove it." };
  if (isType(record, "ZONEMD") && record.data.digest.length < 2 * shortestDigest)
    return { fault: `the digest has fewer than ${shortestDigest} octets`, fix: "Copy the complete value again." };
  if (isType(record, "RRSIG", "SIG") && record.data.type_covered === "TYPE0")
    return { fault: "it covers type 0, of which no records exist", fix: "Copy the complete record again." };
  if (isType(record, "RRSIG") && record.data.labels < labels(record.data.signer).length)
    return {
      fault: `the signed name has ${count(record.data.labels, "label")}, fewer than the name of the signer`,
      fix: "Copy the complete record again.",
    };
  return undefined;
}

/** PRIVATEDNS (RFC 4034 §A.1.1) */
const privateAlgorithm = 253;

/** RFC 8976 §2.2.4, in octets. */
const shortestDigest = 12;

function isHash(owner: ZoneRecord["owner"]): boolean {
  return isBase32hex((labels(owner)[0] ?? "").toUpperCase());
}

/** Whether a key, in base64, begins with a domain name on the wire. */
function startsWithName(key: string): boolean {
  const octets = Buffer.from(key, "base64");
  let at = 0;
  for (let length = octets[at]; length !== undefined && length < 64; length = octets[at]) {
    if (length === 0) return at < 255;
    at += length + 1;
  }
  return false;
}

/** A variable of an expression (RFC 6570 §2.3, §2.4), of which one is `dns`. */
const variable = String.raw`(?:[\w.]|%[\da-f]{2})+(?:\*|:[1-9]\d{0,3})?`;
const expression = new RegExp(String.raw`\{[+#./;?&]?(${variable}(?:,${variable})*)\}`, "gi");

/** A relative URI template with the variable `dns` (RFC 9461 §5). `path` consists of octets. */
function isDohPath(path: string): boolean {
  if (!path.startsWith("/") || !isUtf8(path)) return false;
  const lists = [...path.matchAll(expression)].map(([, list = ""]) => list.split(","));
  const hasDns = lists.some((list) => list.some((one) => one.replace(/[*:].*/, "") === "dns"));
  return hasDns && !/[{}]/.test(path.replace(expression, ""));
}
