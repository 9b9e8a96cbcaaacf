import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import { plain } from "../diagnostics/plain.ts";
import { ProblemError, problem } from "../diagnostics/problem.ts";
import type { ServerAddress } from "../dns-client/server-address.ts";
import type { AddressFilter } from "../server/kit/allowed-networks.ts";
import { FairLimiter } from "../server/kit/fair-limiter.ts";
import type { Remote } from "../server/kit/remote.ts";
import { EdnsOptions } from "../server/nameserver/edns-options.ts";
import { listenDns } from "../server/nameserver/listen.ts";
import { startNotifier } from "../server/nameserver/notifier.ts";
import { ResponseLimit } from "../server/nameserver/response-limit.ts";
import { Slaves } from "../server/nameserver/slaves.ts";
import { StoredZones } from "../server/nameserver/stored-zones.ts";
import { readSettings, type ServerOptions } from "../server/server.ts";
import { internalErrorText } from "./print-error.ts";
import type { Keys } from "./serve-keys.ts";
import type { Terminal } from "./terminal.ts";

/** The port of secondaries. */
const dnsPort = 53;
const lookEveryMs = 1000;
/**
 * How many transactions of the name service run at once: the connections to PostgreSQL are ten, long requests hold four
 * more.
 */
export const mostTransactions = 4;

/** `127.0.0.1:5300`, `[::1]:5300` */
export function readAddress(text: string): ServerAddress {
  const address = addressOf(text);
  if (address) return address;
  throw new ProblemError(
    problem("usage", `--dns is an address and a port such as 127.0.0.1:5300 or [::1]:5300, not ${plain(text)}.`),
  );
}

/** The same, or an address alone. */
export function readSecondary(text: string): ServerAddress {
  const address = isIP(text) > 0 ? { host: text, port: dnsPort } : addressOf(text);
  if (address && address.port > 0) return address;
  throw new ProblemError(
    problem(
      "usage",
      `--secondary is an address such as 192.0.2.1, 192.0.2.1:53 or [2001:db8::1]:53, not ${plain(text)}.`,
    ),
  );
}

function addressOf(text: string): ServerAddress | undefined {
  const [, bracketed, bare, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? bare ?? "";
  if (isIP(host) !== (bracketed ? 6 : 4) || Number(port) > 65535) return undefined;
  return { host, port: Number(port) };
}

export interface NameOptions extends ServerAddress, Keys {
  readonly secondaries: readonly ServerAddress[];
  /** UDP responses per second to one network; undefined for no limit. */
  readonly perSecond: number | undefined;
  /** Answer to the EDNS option NSID; the primary name server unless given. */
  readonly nsid: string | undefined;
}

/**
 * The name service: answers the names of the zones, gives zones to their `axfr_ips` and to the operator's secondaries,
 * tells those of changes where `isAllowed` permits it, and transfers slave zones from their masters.
 * @throws {ProblemError} `listen`
 */
export async function serveNames(
  terminal: Terminal,
  options: ServerOptions & { readonly remote: Remote },
  {
    host,
    port,
    secondaries,
    keys,
    keyFor,
    isAllowed,
    perSecond,
    nsid,
  }: NameOptions & { readonly isAllowed: AddressFilter },
) {
  const { clock, remote } = options;
  const settings = {
    ...readSettings({ ...options, store: new FairLimiter(mostTransactions).limitStore(options.store) }),
    remote,
  };
  const onError = (error: unknown) =>
    terminal.log(`${error instanceof ProblemError ? plain(error.message) : internalErrorText(terminal, error)}\n`);
  const zones = new StoredZones(settings, clock, { isAllTransferred: secondaries.length > 0, onError });
  const slaves = new Slaves({ settings, clock, port: dnsPort, sleep: terminal.sleep, onError });
  const allowed = secondaries.map(({ host }) => host);
  const notice: Slaves["notice"] = (zone, peer) => slaves.notice(zone, peer);
  const edns = new EdnsOptions({ nsid: nsid ?? settings.nameservers[0] ?? "", secret: randomBytes(32) });
  const limit = perSecond === undefined ? undefined : new ResponseLimit({ perSecond });
  const answering = { zones, secondaries: allowed, keys, notice, edns, limit, onError };
  const service = await listenDns({ host, port, ...answering });
  const wait = (signal: AbortSignal) => terminal.sleep(lookEveryMs, signal);
  const notifier = startNotifier({ zones, port: dnsPort, secondaries, keyFor, isAllowed, wait, onError });
  const pulls = slaves.start(wait);
  return {
    address: `${host.includes(":") ? `[${host}]` : host}:${service.port}`,
    close: () => Promise.all([service.close(), notifier.close(), pulls.close()]),
  };
}
