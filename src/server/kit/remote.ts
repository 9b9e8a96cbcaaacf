import type { Name } from "../../dns/name.ts";
import { type AskOptions, askSoa } from "../../dns/transfer/ask.ts";
import type { Bounds, TransferredZone } from "../../dns/transfer/axfr-receiver.ts";
import type { ServerAddress, TimeBounds } from "../../dns/transfer/server-address.ts";
import { TransferError } from "../../dns/transfer/transfer-error.ts";
import { transferZone } from "../../dns/transfer/transfer-zone.ts";
import type { UdpBounds } from "../../dns/transfer/udp.ts";
import type { ZoneRecord } from "../../dns/zone.ts";
import { type Reach, reachable } from "./allowed-networks.ts";
import type { KeyFor } from "./key-for.ts";

/** Name servers elsewhere, as far as this service asks them. Both are refused with a `TransferError`. */
export interface Remote {
  /** The zone: whole, or not at all. */
  transfer(zone: Name, server: ServerAddress, signal?: AbortSignal): Promise<TransferredZone>;
  /** Its SOA record. */
  soa(zone: Name, server: ServerAddress, signal?: AbortSignal): Promise<ZoneRecord<"SOA">>;
}

export interface RemoteOptions {
  readonly reach: Reach;
  readonly bounds?: Partial<Bounds & TimeBounds & UdpBounds>;
  readonly keyFor?: KeyFor;
}

/**
 * A domain holds 12,000 records. Signed with NSEC3, a zone has about five times as many; what is larger is not read to its
 * end. Who imports waits for it, so it does not take long either.
 */
export const remoteBounds: Bounds & TimeBounds = {
  records: 60_000,
  octets: 2 ** 25,
  connectMs: 5000,
  idleMs: 10_000,
  totalMs: 30_000,
};

/** Asks over the network, no address but those within reach, and those that have a key only with it. */
export function createRemote({ reach, bounds, keyFor }: RemoteOptions): Remote {
  const within = { ...remoteBounds, ...bounds };
  const options = ({ host }: ServerAddress, signal: AbortSignal | undefined): AskOptions => ({
    bounds: within,
    key: keyFor?.(host),
    ...(signal && { signal }),
  });
  return {
    transfer: (zone, server, signal) =>
      ofAny(server, reach, (server) => transferZone({ zone, server, ...options(server, signal) })),
    soa: (zone, server, signal) => ofAny(server, reach, (server) => askSoa(server, zone, options(server, signal))),
  };
}

/** A name may have addresses that cannot be reached from here, as IPv6 where there is none. */
async function ofAny<T>(server: ServerAddress, reach: Reach, ask: (server: ServerAddress) => Promise<T>): Promise<T> {
  const [first, ...others] = await reachable(server, reach);
  if (first === undefined) throw new Error("no address is within reach");
  try {
    return await ask(first);
  } catch (error) {
    const [next] = others;
    if (next && error instanceof TransferError && error.problem.id === "transfer/connect") return ask(next);
    throw error;
  }
}
