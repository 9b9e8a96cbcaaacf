import { isIPv6 } from "node:net";
import { addressWords } from "../../dns/address.ts";

/** The sender of a query. */
export type Client = UdpClient | TcpClient;

interface UdpClient {
  readonly transport: "udp";
  /** As `plainAddress` spells it. */
  readonly address: string;
}

export interface TcpClient {
  readonly transport: "tcp";
  readonly address: string;
  /** See `peerOf`. */
  readonly peer: string;
  /** Aborted when it has left. */
  readonly signal: AbortSignal;
  /** Called when it has signed a query with one of the keys. */
  readonly onSigned: () => void;
}

/** The peer at an address: an IPv4 address or an IPv6 /64, which one machine may own completely. */
export function peerOf(address: string): string {
  return isIPv6(address) ? [...addressWords(address)].slice(0, 4).join(":") : address;
}
