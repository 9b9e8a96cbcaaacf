import { mostOpenRecords } from "../contract/bounds.ts";
import type { Maildir } from "./areas/mail/maildir.ts";
import { requireEntriesInUse } from "./areas/nodes/operator/catalog-in-use.ts";
import { applyPrices } from "./areas/nodes/operator/prices.ts";
import { embeddedCatalog } from "./catalog/embedded.ts";
import { type ListenOptions, listen } from "./http/node.ts";
import { allowAddresses, isLoopback, type Network } from "./kit/allowed-networks.ts";
import { Outages } from "./kit/outages.ts";
import { createRemote, type KeyFor, type RemoteOptions, remoteBounds, slaveLimits } from "./kit/remote.ts";
import type { NameServer } from "./nameserver/listen.ts";
import { type AliasOptions, startAliases } from "./serve-aliases.ts";
import { HealthWatch } from "./serve-health.ts";
import { startMail } from "./serve-mail.ts";
import { ServiceMetrics, type ServiceMetricsOptions } from "./serve-metrics.ts";
import { type NameServiceOptions, serveNames } from "./serve-names.ts";
import { startProbes } from "./serve-probes.ts";
import { createServer, readServerSettings, type ServerOptions } from "./server.ts";
import { inTime } from "./store/in-time.ts";

/** Options of the whole service: of its API (`createServer`, `listen`), and of what runs beside it. */
export interface ServiceOptions
  extends Omit<ServerOptions, "remote" | "health" | "metrics">,
    Omit<ListenOptions, "limits"> {
  /** Private networks that transfers may come from, and whose servers may be notified; none by default. */
  readonly transferNetworks?: readonly Network[];
  /** Private networks whose services monitoring may probe; none by default. */
  readonly probeNetworks?: readonly Network[];
  /** How the targets of ALIAS records are resolved; by default by the resolvers of the system. */
  readonly aliases?: AliasOptions;
  /** The TSIG keys for requests to other name servers; none by default. */
  readonly keyFor?: KeyFor;
  /** The name service; without it, zones are not served over DNS. */
  readonly dns?: Omit<NameServiceOptions, "keyFor" | "isAllowed" | "slavesAtOnce" | "onHealth" | "onMetrics"> & {
    /** Maximum number of records of a slave zone; 60,000 by default. */
    readonly slaveRecords?: number;
  };
  /** The folder for mail, and its sender; without it, no mail is delivered. */
  readonly mail?: { readonly maildir: Maildir; readonly sender: string };
  /**
   * Whether `GET /metrics` is served to all who reach the API. By default, programs on this machine may read them if
   * the API listens on a loopback address; false serves them to none.
   */
  readonly metrics?: boolean;
  /** Called when all parts have started, and before `/readyz` says so: for example to create a first token. */
  readonly onStarted?: () => Promise<void>;
  /** Writes a line for the operator, for example when the database fails; `console.error` by default. */
  readonly log?: (line: string) => void;
}

/** A service that runs. */
export interface Service {
  /** URL of the API, without a path. */
  readonly url: string;
  /** Port of the name service, if there is one. */
  readonly dnsPort?: number;
  /** Ends it after the requests under way, within 11 seconds. The store stays open. */
  close(): Promise<void>;
}

/** Limits for the transfer of a zone to import: a caller waits for it. */
function importBounds({ records, mostRecords }: Pick<ServiceOptions, "records" | "mostRecords">) {
  const most = mostRecords ?? (records === "open" ? mostOpenRecords : 0);
  const { bounds } = slaveLimits(Math.max(remoteBounds.records, most));
  return most > remoteBounds.records ? bounds : remoteBounds;
}

/** The metrics of a service; undefined if they have no readers. */
function startMetrics(
  { metrics, host = "127.0.0.1" }: Pick<ServiceOptions, "metrics" | "host">,
  options: Omit<ServiceMetricsOptions, "readers">,
): ServiceMetrics | undefined {
  if (metrics === true) return new ServiceMetrics({ ...options, readers: "all" });
  return metrics === undefined && isLoopback(host) ? new ServiceMetrics({ ...options, readers: "local" }) : undefined;
}

/** Time for all parts to end, in milliseconds: a little longer than requests under way have. */
const longestClose = 11_000;

/**
 * Starts all that `zonewright serve` starts: the API, jobs, health checks, monitoring, the lookups of ALIAS records,
 * and, if they are wanted, the name service and mail.
 * @throws {ProblemError} `listen` if a port is in use or not permitted; `nameservers`, `catalog-in-use`
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { clock, catalog = embeddedCatalog, dns, mail, keyFor, log = console.error, onError = console.error } = options;
  const { metrics: _, ...serverOptions } = options;
  const outages = new Outages(log);
  const store = outages.watch(options.store);
  await requireEntriesInUse(store, catalog);
  const report = outages.reportTo(onError);
  const watch = new HealthWatch({ store, clock, log, onError: report });
  watch.health.isStarted = false;
  const isAllowed = allowAddresses(options.transferNetworks);
  const remoteOptions = { isAllowed, ...(keyFor && { keyFor }) };
  const metrics = startMetrics(options, { store, health: watch.health, onError: report });
  const settings: ServerOptions = {
    ...serverOptions,
    ...(metrics && { metrics }),
    store: watch.store,
    health: watch.health,
    remote: createRemote({ ...remoteOptions, bounds: importBounds(options) }),
    onError: report,
  };
  await applyPrices(readServerSettings(settings), clock());
  const open: { close(): Promise<unknown> }[] = [];
  // An open part keeps the process running; what waits for the database ends when that is closed.
  const close = () =>
    inTime(
      Promise.all(open.map((part) => part.close())).then(() => {}),
      longestClose,
      undefined,
    );
  try {
    const api = await listen(createServer(settings), options);
    open.push(api);
    let dnsPort: number | undefined;
    if (dns) {
      const names = await startNames(settings, dns, { remoteOptions, watch, metrics });
      open.push(names);
      dnsPort = names.port;
    }
    open.push(startProbes(settings, options.probeNetworks ?? []));
    const aliases = startAliases(settings, options.aliases ?? {});
    open.push(aliases);
    watch.watchAliases(aliases);
    if (mail) open.push(startMail(settings, mail));
    open.push(watch.start());
    await options.onStarted?.();
    watch.health.isStarted = true;
    return { url: api.url, ...(dnsPort !== undefined && { dnsPort }), close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface NameServiceParts {
  readonly remoteOptions: Pick<RemoteOptions, "isAllowed" | "keyFor">;
  readonly watch: HealthWatch;
  readonly metrics: ServiceMetrics | undefined;
}

function startNames(
  settings: ServerOptions,
  { slaveRecords = remoteBounds.records, ...dns }: NonNullable<ServiceOptions["dns"]>,
  { remoteOptions, watch, metrics }: NameServiceParts,
): Promise<NameServer> {
  const slaves = slaveLimits(slaveRecords);
  const remote = createRemote({ ...remoteOptions, bounds: slaves.bounds });
  const names: NameServiceOptions = {
    ...dns,
    ...remoteOptions,
    slavesAtOnce: slaves.atOnce,
    onHealth: (one) => watch.watchNames(one),
    onMetrics: metrics && ((one) => metrics.measureNames(one)),
  };
  return serveNames({ ...settings, remote }, names);
}
