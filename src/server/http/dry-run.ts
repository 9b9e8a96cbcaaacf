import type { ApiErrorEntry } from "../../contract/errors.ts";
import { ApiError } from "../kit/api-error.ts";
import type { Store } from "../store/store.ts";

class Undone extends Error {}

/**
 * What the rules say against a request whose body has faults, so that one reply tells everything: the request is carried out
 * with the rest of its body, and undone whatever comes of it. What a fault is about is not said twice.
 * @throws {ApiError} when the request is refused for another reason than its body: 403, 404.
 */
export async function rehearse(
  store: Store,
  faults: readonly ApiErrorEntry[],
  carryOut: (store: Store) => Promise<unknown>,
): Promise<ApiErrorEntry[]> {
  const undoing: Store = {
    ...store,
    write: (work) =>
      store.write(async (db) => {
        await work(db);
        throw new Undone();
      }),
  };
  try {
    await carryOut(undoing);
    return [];
  } catch (error) {
    if (error instanceof Undone) return [];
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    const said = new Set(faults.map(({ field }) => field));
    return error.errors.filter(({ field }) => !said.has(field));
  }
}
