import { isIPv6 } from "node:net";
import { addressWords } from "../../dns/name/address.ts";

/** An IPv4 address, or the /64 of an IPv6 address, all of which belongs to one customer: requests are counted by it. */
export function networkOf(address: string): string {
  return prefixOf(address, 4);
}

/**
 * An IPv4 address, or the /48 of an IPv6 address, the most that a site usually gets: its 65536 networks wait as one.
 */
export function siteOf(address: string): string {
  return prefixOf(address, 3);
}

function prefixOf(address: string, words: number): string {
  return isIPv6(address) ? [...addressWords(address)].slice(0, words).join(":") : address;
}
