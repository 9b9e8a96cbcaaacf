import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Key } from "../dns/transfer/tsig.ts";
import { dnsPort, type ServerAddress } from "../dns-client/server-address.ts";
import { countDeadSlaves } from "./areas/zones/slaves-rows.ts";
import type { AddressFilter } from "./kit/allowed-networks.ts";
import { FairLimiter } from "./kit/fair-limiter.ts";
import type { KeyFor } from "./kit/remote.ts";
import { timestamp } from "./kit/timestamp.ts";
import { EdnsOptions } from "./nameserver/edns-options.ts";
import { listenDns, type NameServer } from "./nameserver/listen.ts";
import type { MeasuredNames } from "./nameserver/measured-names.ts";
import { startNotifier } from "./nameserver/notifier.ts";
import { QueryCounts } from "./nameserver/query-counts.ts";
import { ResponseLimit } from "./nameserver/response-limit.ts";
import { CatalogZones } from "./nameserver/zones/catalog-zones.ts";
import { ReverseZones } from "./nameserver/zones/reverse-zones.ts";
import { Slaves } from "./nameserver/zones/slaves.ts";
import { lost } from "./nameserver/zones/store-watch.ts";
import { StoredZones } from "./nameserver/zones/stored-zones.ts";
import { StuckZones } from "./nameserver/zones/stuck-zones.ts";
import type { WatchedNames } from "./serve-health.ts";
import { readServerSettings, type ServerOptions } from "./server.ts";

export interface NameServiceOptions {
  /** 127.0.0.1 by default. */
  readonly host?: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The operator's own secondaries, which may transfer every zone and get NOTIFY; none by default. */
  readonly secondaries?: readonly ServerAddress[];
  /** A peer that signs with one of these keys may transfer every zone; none by default. */
  readonly keys?: readonly Key[];
  /** The keys for NOTIFY messages; none by default. */
  readonly keyFor?: KeyFor;
  /** The `axfr_ips` that may be notified; all by default. */
  readonly isAllowed?: AddressFilter;
  /** Limit on UDP responses per second to one network; none by default. */
  readonly perSecond?: number | undefined;
  /** Limit on transfers of slave zones at once, see `slaveLimits`. */
  readonly slavesAtOnce?: number | undefined;
  /** Answer to the EDNS option NSID; the primary name server by default. */
  readonly nsid?: string | undefined;
  /**
   * Limits on the zones in memory and on their octets together, which are an estimate; 10,000 zones and 128 MiB by
   * default. Reverse zones have limits of their own.
   */
  readonly zonesInMemory?: { readonly zones?: number; readonly octets?: number };
  /** @internal Called once with what the health of the name service is about. */
  readonly onHealth?: (names: WatchedNames) => void;
  /** @internal Called once with what the metrics of the name service show; without it, nothing is counted. */
  readonly onMetrics?: ((names: MeasuredNames) => void) | undefined;
}

const lookEveryMs = 1000;
/**
 * Maximum number of concurrent transactions of the name service. Of the 13 connections to PostgreSQL ten are for all
 * work, of which long requests use up to four.
 */
export const mostTransactions = 4;

/**
 * Serves the zones of the store and the names of addresses over DNS: answers queries, gives zones to their `axfr_ips`
 * and to the operator's secondaries, and notifies both of changes. With a `remote` it also transfers slave zones from
 * their masters.
 * @throws {ProblemError} `listen` if the port is in use or not permitted, `nameservers`
 */
export async function serveNames(options: ServerOptions, names: NameServiceOptions): Promise<NameServer> {
  const { clock, remote, onError = console.error } = options;
  const { host = "127.0.0.1", port, secondaries = [], keys = [], keyFor, isAllowed, perSecond, nsid } = names;
  const { slavesAtOnce, zonesInMemory: cacheLimits, onHealth, onMetrics } = names;
  const store = new FairLimiter(mostTransactions).limitStore(options.store);
  const settings = readServerSettings({ ...options, store });
  const isAllTransferred = secondaries.length > 0;
  const stuck = new StuckZones(options.monotonic);
  const stored = new StoredZones(settings, clock, { isAllTransferred, onError, stuck, cacheLimits });
  const all = new ReverseZones(stored, settings, clock, { isTransferred: isAllTransferred });
  const { catalogZone } = settings;
  const zones = catalogZone === undefined ? all : new CatalogZones(all, settings, clock, catalogZone);
  const sleep = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal });
  const slaves =
    remote &&
    new Slaves({ settings: { ...settings, remote }, clock, port: dnsPort, sleep, onError, atOnce: slavesAtOnce });
  const counts = onMetrics && new QueryCounts();
  const service = await listenDns({
    host,
    port,
    zones,
    secondaries: secondaries.map(({ host }) => host),
    keys,
    ...(slaves && { notice: (zone, peer) => slaves.handleNotify(zone, peer) }),
    edns: new EdnsOptions({ nsid: nsid ?? settings.nameservers[0] ?? "", secret: randomBytes(32) }),
    limit: perSecond === undefined ? undefined : new ResponseLimit({ perSecond }),
    counts,
    onError,
  });
  const wait = (signal: AbortSignal) => sleep(lookEveryMs, signal);
  const notifier = startNotifier({
    zones,
    port: dnsPort,
    secondaries,
    wait,
    onError,
    ...(keyFor && { keyFor }),
    ...(isAllowed && { isAllowed }),
  });
  const pulls = slaves?.start(wait);
  onHealth?.({
    isFromMemory: async () => (await stored.known.version()) === lost,
    listStuck: () => stuck.list(),
    retryStuck: () => stored.retryStuck(),
    countDeadSlaves: async () =>
      slaves ? store.read((db) => countDeadSlaves(db, timestamp(clock())), { isSingle: true }) : 0,
  });
  if (counts) onMetrics?.(measuredNames(counts, stored, all));
  return {
    port: service.port,
    close: async () => void (await Promise.all([service.close(), notifier.close(), pulls?.close()])),
  };
}

function measuredNames(counts: QueryCounts, stored: StoredZones, reverse: ReverseZones): MeasuredNames {
  return {
    counts,
    listLoaded: () => [
      { kind: "domain", ...stored.load },
      { kind: "reverse", ...reverse.load },
    ],
    ageOfOldestChange: () => stored.ageOfOldestChange(),
  };
}
