import { plainAddress } from "../../dns/name/address.ts";
import type { Name } from "../../dns/name/name.ts";
import type { AxfrZone, Bounds } from "../../dns/transfer/axfr-receiver.ts";
import { TransferError } from "../../dns/transfer/transfer-error.ts";
import type { Key } from "../../dns/transfer/tsig.ts";
import type { ZoneRecord } from "../../dns/zone/zone.ts";
import { type AskOptions, askSoa } from "../../dns-client/ask.ts";
import type { ServerAddress, TimeBounds } from "../../dns-client/server-address.ts";
import { receiveZone } from "../../dns-client/transfer-zone.ts";
import type { UdpBounds } from "../../dns-client/udp.ts";
import { TimeSlice, yieldToEventLoop } from "../store/event-loop.ts";
import { type AddressFilter, resolveAllowed } from "./allowed-networks.ts";

/** Client of other name servers. Both methods reject with a `TransferError`. */
export interface Remote {
  /** The complete zone. */
  transfer(zone: Name, server: ServerAddress, signal?: AbortSignal): Promise<AxfrZone>;
  soa(zone: Name, server: ServerAddress, signal?: AbortSignal): Promise<ZoneRecord<"SOA">>;
}

/** The key that signs messages to an address and must sign its answers; undefined for none. */
export type KeyFor = (address: string) => Key | undefined;

/** Looks keys up by IP address, in any spelling. */
export function keyFor(keys: Iterable<readonly [address: string, key: Key]>): KeyFor {
  const byAddress = new Map([...keys].map(([address, key]) => [plainAddress(address), key]));
  return (address) => byAddress.get(plainAddress(address));
}

export interface RemoteOptions {
  readonly isAllowed: AddressFilter;
  readonly bounds?: Partial<Bounds & TimeBounds & UdpBounds>;
  readonly keyFor?: KeyFor;
}

/**
 * A domain has at most 12,000 records, and a zone signed with NSEC3 about five times as many; a larger one is not read
 * to its end, see also `slaveLimits`. The caller of an import waits for it, so the time is short too.
 */
export const remoteBounds: Bounds & TimeBounds = {
  records: 60_000,
  octets: 2 ** 25,
  connectMs: 5000,
  idleMs: 10_000,
  totalMs: 30_000,
};

/**
 * Limits for the transfer of a slave zone of this many records. Their memory is that of the largest zone: with fewer
 * records, more transfers run at once.
 */
export function slaveLimits(records: number): {
  readonly bounds: Bounds & Partial<TimeBounds>;
  readonly atOnce: number;
} {
  const { records: usual, octets } = remoteBounds;
  const times = Math.max(1, records / usual);
  return {
    bounds: { records, octets: Math.ceil(octets * times), totalMs: 170_000 },
    atOnce: Math.max(1, Math.floor(16 / times)),
  };
}

/** Queries name servers over the network, at allowed addresses only, and signs queries to servers that have a key. */
export function createRemote({ isAllowed, bounds, keyFor }: RemoteOptions): Remote {
  const within = { ...remoteBounds, ...bounds };
  const options = ({ host }: ServerAddress, signal: AbortSignal | undefined): AskOptions => ({
    bounds: within,
    key: keyFor?.(host),
    ...(signal && { signal }),
  });
  return {
    transfer: (zone, server, signal) =>
      askAny(server, isAllowed, (server) => receiveZone({ zone, server, pause: pauser(), ...options(server, signal) })),
    soa: (zone, server, signal) => askAny(server, isAllowed, (server) => askSoa(server, zone, options(server, signal))),
  };
}

/** Cost of reading an octet of a message, in nanoseconds, if its records are small. */
const octetCost = 200;

/** Lets requests and other transfers run between the messages of a transfer. */
function pauser(): (octets: number) => Promise<void> {
  const budget = new TimeSlice();
  return async (octets) => {
    if (budget.isSpent(octets * octetCost)) await yieldToEventLoop();
  };
}

/** Tries a second address where the first does not connect, such as an IPv6 address on a host without IPv6. */
async function askAny<T>(
  server: ServerAddress,
  isAllowed: AddressFilter,
  ask: (server: ServerAddress) => Promise<T>,
): Promise<T> {
  const [first, second] = await resolveAllowed(server, isAllowed);
  if (first === undefined) throw new Error("no address is allowed");
  try {
    return await ask(first);
  } catch (error) {
    if (second && error instanceof TransferError && error.problem.id === "transfer/connect") return ask(second);
    throw error;
  }
}
