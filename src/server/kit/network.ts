import { isIPv6 } from "node:net";
import { addressWords } from "../../dns/address.ts";

/** An address of IPv4, or the /64 of one of IPv6, to count requests by: one customer has all addresses of it. */
export function networkOf(address: string): string {
  return isIPv6(address) ? [...addressWords(address)].slice(0, 4).join(":") : address;
}
