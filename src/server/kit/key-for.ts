import { plainAddress } from "../../dns/address.ts";
import type { Key } from "../../dns/transfer/tsig.ts";

/** The key that signs what is sent to an address, and with which its answers must be signed; undefined where none does. */
export type KeyFor = (address: string) => Key | undefined;

/** Keys by IP addresses, however those are spelled. */
export function keyFor(keys: Iterable<readonly [address: string, key: Key]>): KeyFor {
  const byAddress = new Map([...keys].map(([address, key]) => [plainAddress(address), key]));
  return (address) => byAddress.get(plainAddress(address));
}
