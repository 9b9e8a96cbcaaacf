import type { EndpointName } from "../../contract/endpoints/index.ts";
import type { FilterNode, FilterQuery } from "../../contract/filter.ts";
import { Slots } from "../kit/fair-limiter.ts";
import type { Store } from "../store/store.ts";
import type { Caller } from "./auth.ts";

/**
 * How many long pieces of work are in the database at once, and of one account. Each holds a connection while it pauses; of the
 * ten to PostgreSQL the name service may hold four, so that two are left for everything else that is asked.
 */
const most = { all: 4, ofAccount: 2 };

/** Those whose work grows with the domain. */
const long: ReadonlySet<EndpointName> = new Set(["cloneDomain", "deleteDomain", "importDomain", "getZoneFile"]);

/** Lets filtered lists, and whatever else takes long, wait for each other; what is short does not wait for them. */
export class LongRequests {
  readonly #slots = new Slots(most.all, most.ofAccount);

  run<T>(input: object | undefined, caller: Caller | undefined, work: () => Promise<T>): Promise<T> {
    const { filter } = (input ?? {}) as { filter?: FilterQuery };
    const isFiltered = filter !== undefined && (filter.orderBy !== undefined || !isEmpty(filter.where));
    return isFiltered ? this.#slots.run(String(caller?.accountId), work) : work();
  }

  /** The store for an endpoint. Only transactions take a slot: an import waits without one for a server somewhere. */
  storeFor(endpoint: EndpointName, store: Store, caller: Caller | undefined): Store {
    if (!long.has(endpoint)) return store;
    const inTurn = <T>(work: () => Promise<T>) => this.#slots.run(String(caller?.accountId), work);
    return {
      ...store,
      read: (work) => inTurn(() => store.read(work)),
      write: (work) => inTurn(() => store.write(work)),
    };
  }
}

function isEmpty(node: FilterNode): boolean {
  return node.kind !== "compare" && node.parts.every(isEmpty);
}
