import { domainToUnicode } from "node:url";
import { toAsciiName } from "../../dns/name/idn.ts";
import type { Name } from "../../dns/name/name.ts";
import { toOctets } from "../../dns/name/text.ts";
import { isType, rdataText, type ZoneRecord } from "../../dns/zone/zone.ts";

/**
 * Whether octoDNS 1.22 rejects a record that its files can contain, unless it is `lenient`. `key` is the owner as its
 * files spell it.
 */
export function isRejected(key: string, zone: Name, record: ZoneRecord): boolean {
  const { type } = record;
  return isRejectedOwner(key, zone) || isRejectedAt(key, type) || isRejectedTarget(record) || isRejectedData(record);
}

/** It counts the characters of the spelling, and takes escaped dots for separators. */
function isRejectedOwner(key: string, zone: Name): boolean {
  const length = key === "" ? zone.length : key.length + 1 + zone.length;
  return length > 253 || key.includes("..") || key.endsWith(".") || key.split(".").some((label) => label.length > 63);
}

function isRejectedAt(key: string, type: string): boolean {
  if (type === "SRV" || type === "URI") return !/^(?:\*|_[^.]+)\.[^.]+/.test(key);
  return type === "CNAME" ? key === "" : type === "ALIAS" && key !== "";
}

/** Types with a target, which octoDNS checks. */
const withTarget = new Set(["ALIAS", "CNAME", "DNAME", "HTTPS", "MX", "NS", "PTR", "SRV", "SVCB"]);

/** A target is a host name of at least two labels, or has braces, which octoDNS takes for a template. */
function isRejectedTarget(record: ZoneRecord): boolean {
  if (!withTarget.has(record.type)) return false;
  const isNoneAllowed = isType(record, "MX", "SRV", "SVCB", "HTTPS");
  let isWrong = false;
  rdataText(record, (target) => {
    if ((target === "." && isNoneAllowed) || (target.includes("{") && target.includes("}"))) return target;
    const labels = target.slice(0, -1).split(".");
    const isHost = labels.every((label) => /^(?!-)[\w-]{1,63}(?<!-)$/.test(label));
    isWrong ||= !isHost || labels.length < 2 || target.length > 254;
    return target;
  });
  return isWrong;
}

function isRejectedData(record: ZoneRecord): boolean {
  if (isType(record, "TXT", "SPF")) return /\\;|[^\0-\x7f]/.test(record.data.strings.join(""));
  if (isType(record, "NAPTR")) return !/^[saup]$/i.test(record.data.flags);
  if (isType(record, "SSHFP")) {
    const { algorithm, fingerprint_type, fingerprint } = record.data;
    const digits = { 1: 40, 2: 64 }[fingerprint_type];
    return algorithm < 1 || algorithm > 4 || digits === undefined || fingerprint.length !== digits;
  }
  if (isType(record, "TLSA")) {
    const { usage, selector, matching_type } = record.data;
    return usage > 3 || selector > 1 || matching_type > 2;
  }
  if (isType(record, "SVCB", "HTTPS")) return record.data.priority === 0 && record.data.params.length > 0;
  return isType(record, "URI") && record.data.target === "";
}

/** Whether octoDNS cannot read a name even if it is lenient: it decodes `xn--` labels as IDNA 2008 does. */
export function isUnreadableName(name: string): boolean {
  return name.toLowerCase().split(".").some(isInvalidInternational);
}

function isInvalidInternational(label: string): boolean {
  if (!label.startsWith("xn--")) return false;
  const decoded = domainToUnicode(label);
  try {
    return decoded === label || decoded === "" || toAsciiName(toOctets(decoded)) !== label;
  } catch {
    return true;
  }
}
