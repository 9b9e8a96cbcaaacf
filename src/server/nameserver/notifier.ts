import { setMaxListeners } from "node:events";
import type { Name, NameKey } from "../../dns/name.ts";
import { type AskOptions, notify } from "../../dns/transfer/ask.ts";
import type { ServerAddress } from "../../dns/transfer/server-address.ts";
import { TransferError } from "../../dns/transfer/transfer-error.ts";
import type { Reach } from "../kit/allowed-networks.ts";
import { Slots } from "../kit/fair-limiter.ts";
import type { KeyFor } from "../kit/key-for.ts";
import type { Zones } from "./stored-zones.ts";

export interface NotifierOptions {
  readonly zones: Zones;
  /** The port of a zone's `axfr_ips`. */
  readonly port: number;
  /** The operator's own secondaries: they are told of every zone. */
  readonly secondaries?: readonly ServerAddress[];
  /** Passes before it looks for changes again; gives up when the signal does. */
  readonly wait: (signal: AbortSignal) => Promise<void>;
  /** Hears of a secondary that does not take notice, and of what nobody foresaw. */
  readonly onError: (error: unknown) => void;
  readonly ask?: AskOptions["bounds"];
  readonly keyFor?: KeyFor;
  /** Which `axfr_ips` may be sent anything; all unless given. */
  readonly reach?: Reach;
}

/** A refusal of a secondary, and which one it is. */
function said(error: unknown, { host, port }: ServerAddress, name: Name): unknown {
  if (!(error instanceof TransferError)) return error;
  const [{ fix } = {}] = error.problems;
  return new TransferError(
    error.problem.id,
    `${host} port ${port} does not take notice of ${name}: ${error.message}`,
    fix,
  );
}

/** How many of its `axfr_ips` one zone has told at once, and how many all zones have: they may all be silent. */
const atOnce = { ofZone: 16, ofAll: 256, ofSecondary: 16, read: 4 };

/**
 * Tells the secondaries of a zone that it has changed (RFC 1996): whoever may transfer it. What has not changed since the
 * start is not told: secondaries look by themselves as the SOA record says. Nobody waits for one that is silent, unless
 * so many are that there is no more room; the operator's own have room of their own, each of them.
 */
export function startNotifier({
  zones,
  port,
  secondaries = [],
  wait,
  onError,
  ask,
  keyFor,
  reach = () => true,
}: NotifierOptions): {
  close(): Promise<void>;
} {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal); // each question has one
  let told: ReadonlyMap<NameKey, number> = new Map();
  const ofZones = new Slots(atOnce.ofAll, atOnce.ofZone);
  const ofSecondaries = new Slots(atOnce.ofSecondary * secondaries.length, atOnce.ofSecondary);
  const reads = new Slots(atOnce.read);
  const underWay = new Set<Promise<void>>();
  /** By zone and server who is being told; true where the zone has changed meanwhile. */
  const telling = new Map<string, boolean>();
  let isFirst = true;

  const look = async () => {
    const all = await zones.transferred();
    const changed = isFirst ? [] : all.filter(({ name, serial }) => told.get(name) !== serial);
    for (const { name } of changed) begin(tell(name));
    told = new Map(all.map(({ name, serial }) => [name, serial]));
    isFirst = false;
  };

  const begin = (work: Promise<void>) => {
    const ended = work.catch(report).finally(() => underWay.delete(ended));
    underWay.add(ended);
  };

  const tell = async (name: Name) => {
    for (const server of secondaries)
      begin(tellServer(name, server, (work) => ofSecondaries.run(`${server.host} ${server.port}`, work)));
    const found = await reads.run("", () => zones.transferable(name));
    if (found === undefined || found === "lost") return;
    for (const host of found.axfrIps)
      if (reach(host, port)) begin(tellServer(name, { host, port }, (work) => ofZones.run(name, work)));
  };

  /** A zone that changes while a server is told of it is told again behind that, as it is then. */
  const tellServer = async (
    name: Name,
    server: ServerAddress,
    inTurn: (work: () => Promise<void>) => Promise<void>,
  ): Promise<void> => {
    const key = `${name} ${server.host} ${server.port}`;
    const isTelling = telling.has(key);
    telling.set(key, isTelling);
    if (isTelling) return;
    do {
      telling.set(key, false);
      await inTurn(() => send(name, server)).catch((error) => report(said(error, server, name)));
    } while (telling.get(key) && !stop.signal.aborted);
    telling.delete(key);
  };

  const send = async (name: Name, server: ServerAddress) => {
    if (stop.signal.aborted) return;
    const found = await zones.transferable(name);
    const key = keyFor?.(server.host);
    if (found === undefined || found === "lost") return;
    await notify(server, found.zone.soa, { key, signal: stop.signal, ...(ask && { bounds: ask }) });
  };

  const report = (error: unknown) => {
    if (!stop.signal.aborted) onError(error);
  };

  const loop = async () => {
    while (!stop.signal.aborted) {
      await look().catch(report);
      await wait(stop.signal).catch(() => {}); // it is stopped then
    }
    while (underWay.size > 0) await Promise.all(underWay);
  };
  const ended = loop();
  return {
    close: () => {
      stop.abort();
      return ended;
    },
  };
}
