import { isIPv4, isIPv6 } from "node:net";
import { mostData } from "../../contract/bounds.ts";
import type { ApiErrorEntry } from "../../contract/errors.ts";
import { errorEntry } from "./api-error.ts";
import { isHostname } from "./name.ts";

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

function dataErrors(octets: number): ApiErrorEntry[] {
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
