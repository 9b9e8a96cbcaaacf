import { domainToASCII } from "node:url";
import type { Name } from "../zone/name.ts";
import { fromOctets, isUtf8 } from "../zone/text.ts";

/** The cure for a name that is written in another script: its xn-- labels (RFC 5891 §4.4); `otherwise` where it has none. */
export function inAscii(name: Name, otherwise: string): string {
  const octets = name.replaceAll(/\\(\d{3})/g, (_, code) => String.fromCharCode(Number(code)));
  const ascii = isUtf8(octets) && /[^ -~]/.test(octets) ? domainToASCII(fromOctets(octets)) : "";
  return ascii === "" ? otherwise : `Write ${ascii}.`;
}
