import { isIP } from "node:net";
import type { ManagedServiceType } from "../../../contract/resources/managed-service.ts";
import { plainAddress } from "../../../dns/name/address.ts";
import { specialBlock } from "../../../dns/name/special-address.ts";

/** The address of a monitored service as it is stored. */
export interface ServiceAddress {
  readonly address: string;
  /** Its host in lower case, without brackets and a final dot; an IPv4 address in decimal, whatever its spelling. */
  readonly host: string;
}

/** Reads an address: an http or https URL, whose fragment is dropped, or `host:port`. Undefined for any other. */
export function readServiceAddress(type: ManagedServiceType, text: string): ServiceAddress | undefined {
  if (/[\s\p{C}]/u.test(text)) return undefined;
  return type === "url" ? readUrl(text) : readHostAndPort(text);
}

function readUrl(text: string): ServiceAddress | undefined {
  const address = text.replace(/#.*$/, "");
  if (!/^https?:\/\/[^/]/i.test(address) || !URL.canParse(address)) return undefined;
  const { hostname, username, password } = new URL(address);
  return username === "" && password === "" ? { address, host: hostOf(hostname) } : undefined;
}

function readHostAndPort(address: string): ServiceAddress | undefined {
  const [, name = "", digits] = /^(\[[\da-f:.]+\]|[^/?#@:[\]\\%]+):(\d{1,5})$/i.exec(address) ?? [];
  const port = Number(digits);
  if (name === "" || port < 1 || port > 65_535 || !URL.canParse(`http://${name}/`)) return undefined;
  return { address, host: hostOf(new URL(`http://${name}/`).hostname) };
}

/** The host of a URL without brackets and a final dot. */
export function hostOf(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

/** Whether a host is an address of a private network, rather than a name or a public address. */
export function isPrivateAddress(host: string): boolean {
  if (isIP(host) === 0) return false;
  const purpose = specialBlock(plainAddress(host))?.purpose;
  return purpose === "private" || purpose === "unique local";
}
