import { lookup } from "node:dns/promises";
import { BlockList, isIP, isIPv6 } from "node:net";
import { networkInterfaces } from "node:os";
import { advise } from "../../diagnostics/advice.ts";
import { plainAddress } from "../../dns/name/address.ts";
import { specialBlock } from "../../dns/name/special-address.ts";
import { TransferError } from "../../dns/transfer/transfer-error.ts";
import { dnsPort, type ServerAddress } from "../../dns-client/server-address.ts";

/** A network in CIDR form. */
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

/** Networks for documentation (RFC 5737, RFC 3849, RFC 9637), which `specialBlock` leaves out. */
const isDocumentation = inNetworks(
  "192.0.2.0/24 198.51.100.0/24 203.0.113.0/24 2001:db8::/32 3fff::/20"
    .split(" ")
    .map((text) => readNetwork(text) ?? { address: "", prefix: 0 }),
);

/**
 * The block of global unicast addresses (IANA, Internet Protocol Version 6 Address Space), and that of NAT64 (RFC
 * 6052).
 */
const isGlobal6 = inNetworks([
  { address: "2000::", prefix: 3 },
  { address: "64:ff9b::", prefix: 96 },
]);

/** Whether an address is not on the public internet, where imports could probe the operator's own networks. */
function isSpecial(address: string): boolean {
  const plain = plainAddress(address);
  return specialBlock(plain) !== undefined || isDocumentation(plain) || (isIPv6(plain) && !isGlobal6(plain));
}

/** Whether the server may send to an address that its users chose, at a port (by default 53). */
export type AddressFilter = (address: string, port?: number) => boolean;

/** Allows port 53 of public addresses, and every port in the networks that the operator allows. */
export function allowAddresses(allowed: readonly Network[] = []): AddressFilter {
  const isOwn = inNetworks(allowed);
  return (address, port = dnsPort) => isOwn(address) || (port === dnsPort && !isSpecial(address));
}

/**
 * Allows public addresses except those of this machine, which a firewall may protect from others but not from itself,
 * and the networks that the operator allows.
 */
export function allowProbes(allowed: readonly Network[] = []): (address: string) => boolean {
  const isOwn = inNetworks(allowed);
  return (address) => isOwn(address) || !(isSpecial(address) || isOfThisMachine(address));
}

function isOfThisMachine(address: string): boolean {
  const plain = plainAddress(address);
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return own.some((one) => plainAddress(one.address) === plain);
}

/** Whether a server that listens on this address or name can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || (isIP(host) > 0 && inNetworks(loopback)(host));
}

/** Whether a server that listens on this address may be reached from the internet, as on `0.0.0.0` and `::`. */
export function isPublic(address: string): boolean {
  return address === "0.0.0.0" || isUnspecified6(address) || !isSpecial(address);
}

function isUnspecified6(address: string): boolean {
  return isIPv6(address) && /^[0:.]*$/.test(address);
}

const loopback: readonly Network[] = [
  { address: "127.0.0.0", prefix: 8 },
  { address: "::1", prefix: 128 },
];

/** Returns a test whether an address is in one of the networks. */
export function inNetworks(networks: readonly Network[]): (address: string) => boolean {
  const list = listOf(networks);
  return (address) => {
    const plain = plainAddress(address);
    return list.check(plain, isIPv6(plain) ? "ipv6" : "ipv4");
  };
}

/**
 * Resolves a server to its allowed addresses, in the order to try them. The name is looked up once, so that the address
 * asked is the one that was checked.
 * @throws {TransferError} `transfer/connect`, `transfer/address`
 */
export async function resolveAllowed(
  { host, port }: ServerAddress,
  isAllowed: AddressFilter,
): Promise<ServerAddress[]> {
  const found = await lookup(host, { all: true }).catch((error: Error & { code?: string }) => {
    const summary = `the name server's host name cannot be resolved (${error.code ?? error.message})`;
    throw new TransferError("transfer/connect", summary, "Check the host name, or give its address.");
  });
  const allowed = found
    .filter(({ address }) => isAllowed(address, port))
    .map(({ address }) => ({ host: address, port }));
  if (allowed.length > 0) return allowed;
  const summary = "the name server's network or port is not allowed";
  throw new TransferError(
    "transfer/address",
    summary,
    advise`The operator of this server can allow it with ${{ set: "transferFrom" }}.`,
  );
}

function listOf(networks: readonly Network[]): BlockList {
  const list = new BlockList();
  for (const { address, prefix } of networks) list.addSubnet(address, prefix, isIPv6(address) ? "ipv6" : "ipv4");
  return list;
}
