import { isIPv6 } from "node:net";
import { addressWords } from "../../dns/address.ts";

/** An IPv4 address, or the /64 of an IPv6 address, all of which belongs to one customer: requests are counted by it. */
export function networkOf(address: string): string {
  return isIPv6(address) ? [...addressWords(address)].slice(0, 4).join(":") : address;
}
