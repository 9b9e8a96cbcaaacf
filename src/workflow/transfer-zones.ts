import { pMapIterable } from "p-map";
import { type Problem, ProblemError, problem } from "../diagnostics/problem.ts";
import type { Name } from "../dns/name.ts";
import type { TransferredZone } from "../dns/transfer/axfr-receiver.ts";
import { TransferError } from "../dns/transfer/transfer-error.ts";
import type { Key } from "../dns/transfer/tsig.ts";
import { type AskOptions, askSoa } from "../dns-client/ask.ts";
import { type ServerAddress, serverText } from "../dns-client/server-address.ts";
import { type TransferOptions, transferZone } from "../dns-client/transfer-zone.ts";
import { type ParentDs, ParentDsFinder } from "./parent-ds.ts";

export interface TransferRequest {
  readonly zones: readonly Name[];
  /** Tried in this order for each zone. */
  readonly servers: readonly ServerAddress[];
  readonly key?: Key | undefined;
  /** The maximum numbers of transfers at the same time, in all and from one server. */
  readonly jobs: number;
  readonly perServer: number;
  readonly bounds?: TransferOptions["bounds"];
  /** Asked for the DS records of each zone at its parent; none if absent. */
  readonly resolvers?: readonly ServerAddress[];
  readonly signal: AbortSignal;
}

/** The serial of the zone on a server that it was not transferred from. */
export interface OtherSerial {
  readonly server: ServerAddress;
  readonly serial: number;
}

/** The transfer of one zone: the first server that had it, or the reason of each that did not. */
export type Transfer = { readonly name: Name } & (
  | {
      readonly server: ServerAddress;
      readonly zone: TransferredZone;
      /** The serials that the other servers have. */
      readonly others: readonly OtherSerial[];
      readonly ds: ParentDs;
    }
  | { readonly problems: readonly Problem[] }
);

/**
 * Transfers zones side by side, and yields them in the order of the request. A zone that no server gives does not stop
 * the others. A server that does not answer several times in a row is not asked again.
 * @throws the reason of the signal
 */
export async function* transferZones(
  { zones, servers, key, jobs, perServer, bounds, resolvers = [], signal: outer }: TransferRequest,
  transfer: (options: TransferOptions) => Promise<TransferredZone> = transferZone,
): AsyncGenerator<Transfer> {
  // Without this, transfers would go on after a caller that stops early.
  const stop = new AbortController();
  const signal = AbortSignal.any([outer, stop.signal]);
  const queues = servers.map((server) => new ServerQueue(server, perServer));
  const parents = new ParentDsFinder(resolvers);
  const transferOne = async (name: Name): Promise<Transfer> => {
    const problems: Problem[] = [];
    const ds = parents.find(name, signal);
    for (const queue of queues) {
      const { server } = queue;
      try {
        const zone = await queue.run(signal, () =>
          askTwice(() => transfer({ zone: name, server, key, signal, bounds: { ...zoneBounds, ...bounds } })),
        );
        const asked = queues.filter((other) => other !== queue);
        const serials = await Promise.all(asked.map((other) => other.serialOf(name, { key, signal })));
        signal.throwIfAborted();
        return { name, server, zone, others: serials.filter((other) => other !== undefined), ds: await ds };
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ProblemError)) throw error;
        problems.push(...error.problems.map((one) => withServer(one, server)));
      }
    }
    return { name, problems };
  };
  try {
    yield* pMapIterable(zones, transferOne, { concurrency: jobs, backpressure: 4 * jobs });
  } finally {
    stop.abort();
  }
}

/** Smaller than the limits for one transfer: several zones are in memory, and a hostile server may send without end. */
const zoneBounds = { records: 1_000_000, octets: 2 ** 28 };

function withServer(problem: Problem, server: ServerAddress): Problem {
  const { id, summary, fix = "" } = problem;
  const help = helped.has(id) ? { fix: `${fix} See \`zonewright help import.md\`.`.trimStart() } : {};
  return { ...problem, summary: `${serverText(server)}: ${summary}`, ...help };
}

/** Problems that a setting of the name server solves. */
const helped: ReadonlySet<string> = new Set(["transfer/connect", "transfer/notauth", "transfer/refused"]);

/** A zone that changes during its transfer is requested once more. */
async function askTwice(transfer: () => Promise<TransferredZone>): Promise<TransferredZone> {
  try {
    return await transfer();
  } catch (error) {
    if (!(error instanceof TransferError) || error.problem.id !== "transfer/soa") throw error;
    return transfer();
  }
}

/** A server that does not answer this many times in a row is left alone. */
const mostUnreachable = 3;

function isUnreachable(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return false;
  return error.problem.id === "transfer/connect" || error.problem.id === "transfer/timeout";
}

/** Bounds the transfers from one server at the same time. */
class ServerQueue {
  readonly server: ServerAddress;
  #free: number;
  #unreachable = 0;
  #silent = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(server: ServerAddress, most: number) {
    this.server = server;
    this.#free = most;
  }

  async run<T>(signal: AbortSignal, job: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#free--;
    try {
      signal.throwIfAborted();
      if (this.#unreachable >= mostUnreachable) throw unreachable();
      const result = await job();
      this.#unreachable = 0;
      return result;
    } catch (error) {
      this.#unreachable = isUnreachable(error) ? this.#unreachable + 1 : 0;
      throw error;
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }

  /** The serial of a zone; undefined if the server does not answer with one. */
  async serialOf(zone: Name, options: Pick<AskOptions, "key" | "signal">): Promise<OtherSerial | undefined> {
    if (this.#unreachable >= mostUnreachable || this.#silent >= mostUnreachable) return undefined;
    try {
      const { data } = await askSoa(this.server, zone, { ...options, bounds: soaBounds });
      this.#silent = 0;
      return { server: this.server, serial: data.serial };
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      this.#silent = isUnreachable(error) ? this.#silent + 1 : 0;
      return undefined;
    }
  }
}

/** Short, because the answer only serves a warning. */
const soaBounds = { timeoutMs: 1000, attempts: 2, connectMs: 2000, idleMs: 2000, totalMs: 4000 };

function unreachable(): ProblemError {
  const summary = `not asked, because it did not answer ${mostUnreachable} times in a row`;
  return new ProblemError(
    problem("transfer/connect", summary, { fix: "Check its address, then run the command again." }),
  );
}
