import type { FilterNode, FilterQuery } from "../contract/filter.ts";
import type { Caller } from "./auth.ts";
import { Slots } from "./dns/slots.ts";

/**
 * How many filtered lists are looked for at once, and of one account. Each holds a connection while it pauses; of the ten to
 * PostgreSQL the name service may hold four, so that two are left for everything else that is asked.
 */
const most = { all: 4, ofAccount: 2 };

/** Lets filtered lists wait for each other; whatever else is asked does not wait for them. */
export class FilteredLists {
  readonly #slots = new Slots(most.all, most.ofAccount);

  run<T>(input: object | undefined, caller: Caller | undefined, work: () => Promise<T>): Promise<T> {
    const { filter } = (input ?? {}) as { filter?: FilterQuery };
    const isFiltered = filter !== undefined && (filter.orderBy !== undefined || !isEmpty(filter.where));
    return isFiltered ? this.#slots.run(String(caller?.accountId), work) : work();
  }
}

function isEmpty(node: FilterNode): boolean {
  return node.kind !== "compare" && node.parts.every(isEmpty);
}
