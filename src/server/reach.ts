import { lookup } from "node:dns/promises";
import { BlockList, isIPv6 } from "node:net";
import { refusal } from "../transfer/refusal.ts";
import type { ServerAddress } from "../transfer/server-address.ts";
import { plainAddress } from "./dns/address.ts";

/** A network: an address, and how many of its first bits count. */
export interface Network {
  readonly address: string;
  readonly prefix: number;
}

/** `10.0.0.0/8`, `2001:db8::/32`, or one address; undefined for anything else. */
export function readNetwork(text: string): Network | undefined {
  const [, address = "", bits] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const longest = isIPv6(address) ? 128 : 32;
  const network = { address, prefix: bits === undefined ? longest : Number(bits) };
  try {
    listOf([network]);
    return network;
  } catch {
    return undefined;
  }
}

/**
 * Networks that are not the world's: IANA, IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890), multicast, and the
 * prefixes that carry an IPv4 address into them. Whoever may import zones could otherwise look around in the operator's own.
 */
const isSpecial = inside(
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
  192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3 ::/96 64:ff9b::/96 64:ff9b:1::/48
  100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8`
    .split(/\s+/)
    .map((text) => readNetwork(text) ?? { address: "", prefix: 0 }),
);

/** May zones be asked for at an address? At any of the world's, and at those that the operator allows. */
export type Reach = (address: string) => boolean;

export function reachOf(allowed: readonly Network[] = []): Reach {
  const isOwn = inside(allowed);
  return (address) => isOwn(address) || !isSpecial(address);
}

/** Is an address in one of these networks? */
export function inside(networks: readonly Network[]): (address: string) => boolean {
  const list = listOf(networks);
  return (address) => {
    const plain = plainAddress(address);
    return list.check(plain, isIPv6(plain) ? "ipv6" : "ipv4");
  };
}

/**
 * The addresses of a server that may be asked, in the order in which they are to be tried: a name is looked up once, so that
 * what is asked is what was looked at.
 * @throws {TransferRefusal} `transfer/connect`, `transfer/address`
 */
export async function reachable({ host, port }: ServerAddress, reach: Reach): Promise<ServerAddress[]> {
  const found = await lookup(host, { all: true }).catch((error: Error & { code?: string }) => {
    const summary = `the name server's name cannot be looked up (${error.code ?? error.message})`;
    throw refusal("transfer/connect", summary, "Compare its name, or give its address.");
  });
  const allowed = found.filter(({ address }) => reach(address)).map(({ address }) => ({ host: address, port }));
  if (allowed.length > 0) return allowed;
  const summary = "the name server is in a network that zones are not asked for in";
  throw refusal("transfer/address", summary, "Who runs this server can allow it.");
}

function listOf(networks: readonly Network[]): BlockList {
  const list = new BlockList();
  for (const { address, prefix } of networks) list.addSubnet(address, prefix, isIPv6(address) ? "ipv6" : "ipv4");
  return list;
}
