import { lookup } from "node:dns/promises";
import { BlockList, isIP, isIPv6 } from "node:net";
import { plainAddress } from "../../dns/address.ts";
import { specialBlock } from "../../dns/special-address.ts";
import type { ServerAddress } from "../../dns/transfer/server-address.ts";
import { TransferError } from "../../dns/transfer/transfer-error.ts";

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

/** Networks of examples (RFC 5737, RFC 3849, RFC 9637): special too, though the check of records leaves them out. */
const isDocumentation = inside(
  "192.0.2.0/24 198.51.100.0/24 203.0.113.0/24 2001:db8::/32 3fff::/20"
    .split(" ")
    .map((text) => readNetwork(text) ?? { address: "", prefix: 0 }),
);

/** The block of global unicast addresses (IANA, Internet Protocol Version 6 Address Space), and that of NAT64 (RFC 6052). */
const isGlobal6 = inside([
  { address: "2000::", prefix: 3 },
  { address: "64:ff9b::", prefix: 96 },
]);

/** Not an address of the public internet: a user who may import zones could otherwise probe the operator's own networks. */
function isSpecial(address: string): boolean {
  const plain = plainAddress(address);
  return specialBlock(plain) !== undefined || isDocumentation(plain) || (isIPv6(plain) && !isGlobal6(plain));
}

/**
 * Whether the server may send something to an address of its users' choice, at a port (53 unless given): to port 53 of any
 * public address, and to any port in the networks that the operator allows.
 */
export type Reach = (address: string, port?: number) => boolean;

export function reachOf(allowed: readonly Network[] = []): Reach {
  const isOwn = inside(allowed);
  return (address, port = dnsPort) => isOwn(address) || (port === dnsPort && !isSpecial(address));
}

const dnsPort = 53;

/** Whether a server that listens on this address, or on a name for this machine, is reached from this machine alone. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || (isIP(host) > 0 && inside(loopback)(host));
}

/** Whether the world reaches a server that listens on this address; on all addresses (`0.0.0.0`, `::`) it may. */
export function isPublic(address: string): boolean {
  return address === "0.0.0.0" || readsAsAny(address) || !isSpecial(address);
}

function readsAsAny(address: string): boolean {
  return isIPv6(address) && /^[0:.]*$/.test(address);
}

const loopback: readonly Network[] = [
  { address: "127.0.0.0", prefix: 8 },
  { address: "::1", prefix: 128 },
];

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
 * @throws {TransferError} `transfer/connect`, `transfer/address`
 */
export async function reachable({ host, port }: ServerAddress, reach: Reach): Promise<ServerAddress[]> {
  const found = await lookup(host, { all: true }).catch((error: Error & { code?: string }) => {
    const summary = `the name server's name cannot be looked up (${error.code ?? error.message})`;
    throw new TransferError("transfer/connect", summary, "Compare its name, or give its address.");
  });
  const allowed = found.filter(({ address }) => reach(address, port)).map(({ address }) => ({ host: address, port }));
  if (allowed.length > 0) return allowed;
  const summary = "the name server's network or port is not allowed";
  throw new TransferError("transfer/address", summary, "The operator of this server can allow it.");
}

function listOf(networks: readonly Network[]): BlockList {
  const list = new BlockList();
  for (const { address, prefix } of networks) list.addSubnet(address, prefix, isIPv6(address) ? "ipv6" : "ipv4");
  return list;
}
