import { setMaxListeners } from "node:events";
import type { Name, NameKey } from "../../dns/name/name.ts";
import { TransferError } from "../../dns/transfer/transfer-error.ts";
import { type AskOptions, notify } from "../../dns-client/ask.ts";
import type { ServerAddress } from "../../dns-client/server-address.ts";
import type { AddressFilter } from "../kit/allowed-networks.ts";
import { FairLimiter } from "../kit/fair-limiter.ts";
import type { KeyFor } from "../kit/remote.ts";
import type { Zones } from "./zones/stored-zones.ts";

export interface NotifierOptions {
  readonly zones: Zones;
  /** The port of a zone's `axfr_ips`. */
  readonly port: number;
  /** The operator's own secondaries, which are notified of every zone. */
  readonly secondaries?: readonly ServerAddress[];
  /** Resolves when it is time to look for changes again; rejects on abort. */
  readonly wait: (signal: AbortSignal) => Promise<void>;
  /** Called for a secondary that does not acknowledge a NOTIFY, and for every unexpected error. */
  readonly onError: (error: unknown) => void;
  readonly ask?: AskOptions["bounds"];
  readonly keyFor?: KeyFor;
  /** The `axfr_ips` that may be notified; all by default. */
  readonly isAllowed?: AddressFilter;
}

/** The error of a NOTIFY, with its secondary. */
function describe(error: unknown, { host, port }: ServerAddress, name: Name): unknown {
  if (!(error instanceof TransferError)) return error;
  return new TransferError(
    error.problem.id,
    `${host} port ${port} does not acknowledge the NOTIFY for ${name}: ${error.message}`,
    "Check that it runs, and that it has the zone with this server as its primary and the same key.",
  );
}

/** Limits on NOTIFY messages at once, because none may be answered, and on zones being read. */
const atOnce = { ofZone: 16, ofAll: 256, ofSecondary: 16, read: 4 };

/**
 * Notifies all addresses that may transfer a zone of its changes (RFC 1996), but not of versions from before the start,
 * which secondaries find at the refresh interval of the SOA record. One that does not answer delays others only at the
 * limits; each of the operator's own secondaries has a limit of its own.
 */
export function startNotifier({
  zones,
  port,
  secondaries = [],
  wait,
  onError,
  ask,
  keyFor,
  isAllowed = () => true,
}: NotifierOptions): {
  close(): Promise<void>;
} {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal); // each message has one
  let notified: ReadonlyMap<NameKey, number> = new Map();
  const ofZones = new FairLimiter(atOnce.ofAll, atOnce.ofZone);
  const ofSecondaries = new FairLimiter(atOnce.ofSecondary * secondaries.length, atOnce.ofSecondary);
  const reads = new FairLimiter(atOnce.read);
  const running = new Set<Promise<void>>();
  /** By zone and server being notified, whether the zone has changed meanwhile. */
  const notifying = new Map<string, boolean>();
  let isFirst = true;

  const look = async () => {
    const all = await zones.listTransferred();
    const changed = isFirst ? [] : all.filter(({ name, serial }) => notified.get(name) !== serial);
    for (const { name } of changed) begin(notifyAll(name));
    notified = new Map(all.map(({ name, serial }) => [name, serial]));
    isFirst = false;
  };

  const begin = (work: Promise<void>) => {
    const ended = work.catch(report).finally(() => running.delete(ended));
    running.add(ended);
  };

  const notifyAll = async (name: Name) => {
    for (const server of secondaries)
      begin(notifyServer(name, server, (work) => ofSecondaries.run(`${server.host} ${server.port}`, work)));
    const found = await reads.run("", () => zones.findTransferable(name));
    if (found === undefined || found === "unavailable") return;
    for (const host of found.axfrIps)
      if (isAllowed(host, port)) begin(notifyServer(name, { host, port }, (work) => ofZones.run(name, work)));
  };

  /** Repeats the NOTIFY if the zone changes meanwhile. */
  const notifyServer = async (
    name: Name,
    server: ServerAddress,
    inTurn: (work: () => Promise<void>) => Promise<void>,
  ): Promise<void> => {
    const key = `${name} ${server.host} ${server.port}`;
    const isNotifying = notifying.has(key);
    notifying.set(key, isNotifying);
    if (isNotifying) return;
    do {
      notifying.set(key, false);
      await inTurn(() => send(name, server)).catch((error) => report(describe(error, server, name)));
    } while (notifying.get(key) && !stop.signal.aborted);
    notifying.delete(key);
  };

  const send = async (name: Name, server: ServerAddress) => {
    if (stop.signal.aborted) return;
    const found = await zones.findTransferable(name);
    const key = keyFor?.(server.host);
    if (found === undefined || found === "unavailable") return;
    await notify(server, found.zone.soa, { key, signal: stop.signal, ...(ask && { bounds: ask }) });
  };

  const report = (error: unknown) => {
    if (!stop.signal.aborted) onError(error);
  };

  const loop = async () => {
    while (!stop.signal.aborted) {
      await look().catch(report);
      await wait(stop.signal).catch(() => {}); // on abort
    }
    while (running.size > 0) await Promise.all(running);
  };
  const ended = loop();
  return {
    close: () => {
      stop.abort();
      return ended;
    },
  };
}
