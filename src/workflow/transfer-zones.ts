import { pMapIterable } from "p-map";
import { type Problem, ProblemError, problem } from "../diagnostics/problem.ts";
import type { Name } from "../dns/name.ts";
import type { TransferredZone } from "../dns/transfer/axfr-receiver.ts";
import { TransferError } from "../dns/transfer/transfer-error.ts";
import type { Key } from "../dns/transfer/tsig.ts";
import { type ServerAddress, serverText, type TimeBounds } from "../dns-client/server-address.ts";
import { type TransferOptions, transferZone } from "../dns-client/transfer-zone.ts";

export interface TransferRequest {
  readonly zones: readonly Name[];
  /** Tried in this order for each zone. */
  readonly servers: readonly ServerAddress[];
  readonly key?: Key | undefined;
  /** The maximum numbers of transfers at the same time, in all and from one server. */
  readonly jobs: number;
  readonly perServer: number;
  readonly bounds?: Partial<TimeBounds>;
  readonly signal: AbortSignal;
}

/** The transfer of one zone: the first server that had it, or the reason of each that did not. */
export type Transfer = { readonly name: Name } & (
  | { readonly server: ServerAddress; readonly zone: TransferredZone }
  | { readonly problems: readonly Problem[] }
);

/**
 * Transfers zones side by side, and yields them in the order of the request. A zone that no server gives does not stop
 * the others. A server that cannot be reached several times in a row is not asked again.
 * @throws the reason of the signal
 */
export async function* transferZones(
  { zones, servers, key, jobs, perServer, bounds, signal }: TransferRequest,
  transfer: (options: TransferOptions) => Promise<TransferredZone> = transferZone,
): AsyncGenerator<Transfer> {
  const queues = servers.map((server) => new ServerQueue(server, perServer));
  const transferOne = async (name: Name): Promise<Transfer> => {
    const problems: Problem[] = [];
    for (const queue of queues) {
      const { server } = queue;
      try {
        const zone = await queue.run(signal, () =>
          askTwice(() => transfer({ zone: name, server, key, signal, ...(bounds && { bounds }) })),
        );
        return { name, server, zone };
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ProblemError)) throw error;
        problems.push(...error.problems.map((one) => ({ ...one, summary: `${serverText(server)}: ${one.summary}` })));
      }
    }
    return { name, problems };
  };
  yield* pMapIterable(zones, transferOne, { concurrency: jobs, backpressure: 4 * jobs });
}

/** A zone that changes during its transfer is requested once more. */
async function askTwice(transfer: () => Promise<TransferredZone>): Promise<TransferredZone> {
  try {
    return await transfer();
  } catch (error) {
    if (!(error instanceof TransferError) || error.problem.id !== "transfer/soa") throw error;
    return transfer();
  }
}

/** A server that refuses this many connections in a row, or does not take them, is left alone. */
const mostUnreachable = 3;

/** Bounds the transfers from one server at the same time. */
class ServerQueue {
  readonly server: ServerAddress;
  #free: number;
  #unreachable = 0;
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
      const isUnreachable = error instanceof ProblemError && error.problem.id === "transfer/connect";
      this.#unreachable = isUnreachable ? this.#unreachable + 1 : 0;
      throw error;
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}

function unreachable(): ProblemError {
  const summary = `not asked, because it could not be reached ${mostUnreachable} times in a row`;
  return new ProblemError(
    problem("transfer/connect", summary, { fix: "Check its address, then run the command again." }),
  );
}
