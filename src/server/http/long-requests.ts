import type { EndpointName } from "../../contract/endpoints/index.ts";
import type { FilterNode, FilterQuery } from "../../contract/filter.ts";
import { tooManyRequests } from "../kit/api-error.ts";
import type { Caller } from "../kit/context.ts";
import { FairLimiter } from "../kit/fair-limiter.ts";
import type { Remote } from "../kit/remote.ts";
import type { Store } from "../store/store.ts";

/**
 * Limits on long requests in the database at once, in total and per account. Each holds a connection while it pauses;
 * the name server may hold four of the ten to PostgreSQL, so that two are left for all other requests.
 */
const most = { all: 4, ofAccount: 2 };

/** Endpoints whose work grows with the domain, or with a file. */
const long: ReadonlySet<EndpointName> = new Set([
  "cloneDomain",
  "createTicketAttachment",
  "deleteDomain",
  "importDomain",
  "getZoneFile",
]);

/**
 * Limits on the files that are received and stored at once, in total and per user: each is in memory for that long, a
 * few times. The stalled uploads of one user do not hold up the others of the account.
 */
const mostUploads = { all: 32, ofUser: 4 };

/** Makes filtered lists and other long requests wait for each other; short requests do not wait for them. */
export class LongRequests {
  readonly #limiter = new FairLimiter(most.all, most.ofAccount);
  readonly #uploads = new FairLimiter(mostUploads.all, mostUploads.ofUser);

  run<T>(input: object | undefined, caller: Caller | undefined, work: () => Promise<T>): Promise<T> {
    const { filter } = (input ?? {}) as { filter?: FilterQuery };
    const isFiltered = filter !== undefined && (filter.orderBy !== undefined || !isEmpty(filter.where));
    return isFiltered ? this.#limiter.run(String(caller?.accountId), work) : work();
  }

  /** Makes the pages of the console wait like other long requests. */
  runPage<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    return this.#limiter.run(String(caller.accountId), work);
  }

  /** Runs a request with a file, from reading its body on. */
  runUpload<T>(caller: Caller | undefined, work: () => Promise<T>): Promise<T> {
    return this.#uploads.run(String(caller?.userId), work);
  }

  /**
   * The store for an endpoint. Only transactions are limited: an import does not count while it waits for a name
   * server.
   */
  storeFor(endpoint: EndpointName, store: Store, caller: Caller | undefined): Store {
    return long.has(endpoint) ? this.#limiter.limitStore(store, String(caller?.accountId)) : store;
  }
}

function isEmpty(node: FilterNode): boolean {
  return node.kind !== "compare" && node.parts.every(isEmpty);
}

/** Limit on the zones that one server process transfers for imports at once: each may take memory and half a minute. */
export const mostImports = 8;

/** The same client, whose `transfer` throws {ApiError} 429 over the limit. */
export function limitImports(remote: Remote): Remote {
  let running = 0;
  return {
    soa: (zone, server, signal) => remote.soa(zone, server, signal),
    async transfer(zone, server, signal) {
      if (running === mostImports) throw tooManyRequests();
      running++;
      try {
        return await remote.transfer(zone, server, signal);
      } finally {
        running--;
      }
    },
  };
}
