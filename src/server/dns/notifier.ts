import { setTimeout as wait } from "node:timers/promises";
import pMap from "p-map";
import { type AskOptions, notify } from "../../transfer/ask.ts";
import { refusal, TransferRefusal } from "../../transfer/refusal.ts";
import type { ServerAddress } from "../../transfer/server-address.ts";
import type { Name } from "../../zone/name.ts";
import type { Zones } from "./stored-zones.ts";

export interface NotifierOptions {
  readonly zones: Zones;
  /** The port of a zone's `axfr_ips`. */
  readonly port: number;
  /** The operator's own secondaries: they are told of every zone. */
  readonly secondaries?: readonly ServerAddress[];
  /** How long it waits before it looks for changes again, in milliseconds. */
  readonly everyMs: number;
  /** Hears of a secondary that does not take notice, and of what nobody foresaw. */
  readonly onError: (error: unknown) => void;
  readonly ask?: AskOptions["bounds"];
}

/** A refusal of a secondary, and which one it is. */
function said(error: unknown, { host, port }: ServerAddress, name: Name): unknown {
  if (!(error instanceof TransferRefusal)) return error;
  const [{ fix } = {}] = error.diagnostics;
  return refusal(error.rule, `${host} port ${port} does not take notice of ${name}: ${error.message}`, fix);
}

const atOnce = { concurrency: 16 };

/**
 * Tells the secondaries of a zone that it has changed (RFC 1996): whoever may transfer it. What has not changed since the
 * start is not told: secondaries look by themselves as the SOA record says.
 */
export function startNotifier({ zones, port, secondaries = [], everyMs, onError, ask }: NotifierOptions): {
  close(): Promise<void>;
} {
  const stop = new AbortController();
  const told = new Map<Name, number>();
  let isFirst = true;

  const look = async () => {
    const changed = (await zones.transferred()).filter(({ name, serial }) => told.get(name) !== serial);
    for (const { name, serial } of changed) told.set(name, serial);
    if (!isFirst) await pMap(changed, ({ name }) => tell(name), atOnce);
    isFirst = false;
  };

  const tell = async (name: Name) => {
    const { zone, axfrIps = [] } = (await zones.transferable(name)) ?? {};
    const options = { signal: stop.signal, ...(ask && { bounds: ask }) };
    const servers = [...axfrIps.map((host) => ({ host, port })), ...secondaries];
    for (const server of servers)
      if (zone) await notify(server, zone.soa, options).catch((error) => report(said(error, server, name)));
  };

  const report = (error: unknown) => {
    if (!stop.signal.aborted) onError(error);
  };

  const loop = async () => {
    while (!stop.signal.aborted) {
      await look().catch(report);
      await wait(everyMs, undefined, { signal: stop.signal }).catch(() => {}); // it is stopped then
    }
  };
  const ended = loop();
  return {
    close: () => {
      stop.abort();
      return ended;
    },
  };
}
