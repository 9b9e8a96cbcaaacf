import { isIPv4, isIPv6 } from "node:net";
import { mostData } from "../../contract/bounds.ts";
import type { ApiErrorEntry } from "../../contract/errors.ts";
import { errorEntry } from "./api-error.ts";

/** The longest domain name as text, without its final dot (RFC 1035 §3.1: 255 octets on the wire). */
export const longestName = 253;

/** A record's name as stored, relative to the domain; `""` at its apex (decisions/service#records). */
export function relativeName(sent: string, domain: string): string {
  const name = sent.toLowerCase();
  const zone = domain.toLowerCase();
  if (name === zone) return "";
  return name.endsWith(`.${zone}`) ? sent.slice(0, -zone.length - 1) : sent;
}

/**
 * Errors of a record's relative name. A label may contain any printable ASCII except `@`, quotes and the backslash; `*`
 * only as the whole first label (decisions/service#records).
 */
export function nameErrors(name: string, domain: string, field = "name"): ApiErrorEntry[] {
  if (name === "") return [];
  // A name that is much too long may have half a million labels, so nothing else is checked.
  if (name.length > 4 * longestName) return [errorEntry(field, "Length must be 1-100 characters")];
  const reasons: string[] = [];
  const [first = "", ...rest] = name.split(".");
  const labels = first === "*" ? rest : [first, ...rest];
  if (/[^!-~]|["'@\\]/.test(name) || labels.join("").includes("*") || name.endsWith(".")) {
    reasons.push("Name contains invalid characters");
  }
  if (name.includes("@")) reasons.push("Invalid hostname");
  if (labels.slice(0, -1).includes("") || labels.some((label) => label.length > 63)) {
    reasons.push("Labels must be 1-63 characters");
  }
  if (name.length > 100) reasons.push("Length must be 1-100 characters");
  if (name.length + 1 + domain.length > longestName) {
    reasons.push(`Name with its domain must be at most ${longestName} characters`);
  }
  return reasons.map((reason) => errorEntry(field, reason));
}

/** Whether a text is a host or domain name without its final dot; underscores and slashes (RFC 2317) are accepted. */
export function isHostname(name: string): boolean {
  return name.length <= longestName && name.split(".").every((label) => /^[\w/-]{1,63}$/.test(label));
}

/**
 * Whether a text can be the name of a host, without its final dot: labels of letters, digits and inner hyphens (RFC
 * 952, RFC 1123 §2.1), the last not of digits only (RFC 3696 §2), unlike those of an IPv4 address.
 */
export function isHost(name: string): boolean {
  const labels = name.split(".");
  const fit = labels.every((label) => /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/i.test(label));
  return fit && name.length <= longestName && !/^\d+$/.test(labels.at(-1) ?? "");
}

/** Whether a text is an IPv4 or IPv6 address, without a zone (`fe80::1%eth0`), which is valid on one host only. */
export function isIpAddress(text: string, family?: 4 | 6): boolean {
  return (family !== 6 && isIPv4(text)) || (family !== 4 && isIPv6(text) && !text.includes("%"));
}

export const notAnAddress = "Invalid IPv4 or IPv6 address";

export function addressErrors(target: string, family: 4 | 6): ApiErrorEntry[] {
  return isIpAddress(target, family) ? [] : [errorEntry("target", notAnAddress)];
}

export function hostnameErrors(target: string): ApiErrorEntry[] {
  return isHostname(target) ? [] : [errorEntry("target", "Must be a hostname")];
}

/** Errors of a text, which is rendered in strings of 255 octets with a length octet each. */
export function textErrors(target: string): ApiErrorEntry[] {
  const octets = Buffer.byteLength(target);
  return dataErrors(octets + Math.max(1, Math.ceil(octets / 255)));
}

/** Errors of RDATA with this many octets, which a message has to hold. */
export function dataErrors(octets: number): ApiErrorEntry[] {
  if (octets <= mostData) return [];
  return [
    errorEntry("target", `The record data would have ${octets} octets; at most ${mostData} fit into a DNS message`),
  ];
}

/** Errors of the value of a CAA property (RFC 8659 §4.2, §4.4; decisions/service#records). */
export function caaErrors(tag: string, target: string): ApiErrorEntry[] {
  const tooLong = dataErrors(2 + tag.length + Buffer.byteLength(target));
  return tooLong.length > 0 ? tooLong : valueErrors(tag, target);
}

function valueErrors(tag: string, target: string): ApiErrorEntry[] {
  if (tag === "iodef") return isContact(target) ? [] : [errorEntry("target", "Must be a mailto: or http(s) URL")];
  return isIssuer(target)
    ? []
    : [errorEntry("target", "Must be a domain, with parameters after a semicolon, or a semicolon alone")];
}

function isIssuer(value: string): boolean {
  const [issuer = "", ...parameters] = value.split(";");
  const domain = issuer.trim();
  const known = domain === "" ? parameters.length > 0 : isHostname(domain);
  return known && /^[\t -~]*$/.test(value);
}

function isContact(value: string): boolean {
  return /^mailto:[!-~]+@[!-~]+$/i.test(value) || (/^https?:[!-~]+$/i.test(value) && URL.canParse(value));
}
