import { nextTurn } from "../store/event-loop.ts";
import { type ServedRow, served } from "../store/served.ts";
import type { Store } from "../store/store.ts";

interface Batch {
  readonly keys: Set<string>;
  readonly rows: Promise<ReadonlyMap<string, ServedRow>>;
}

/** SQLite takes 32,766 values in one statement. */
const keysAtOnce = 2000;

/**
 * Reads which version of its zone each domain has. Everybody who asks while a read is under way shares the next one, so a
 * burst of questions costs two reads. Nobody gets a row that was read before they asked.
 */
export class VersionReader {
  readonly #store: Store;
  #last: Promise<unknown> = Promise.resolve();
  #next: Batch | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The active domains of these names, which are in lower case, by their names. The map may hold others beside them. */
  find(keys: readonly string[]): Promise<ReadonlyMap<string, ServedRow>> {
    this.#next ??= this.#begin();
    for (const key of keys) this.#next.keys.add(key);
    return this.#next.rows;
  }

  #begin(): Batch {
    const keys = new Set<string>();
    const rows = this.#last.then(() => {
      this.#next = undefined;
      return this.#read([...keys]);
    });
    this.#last = rows.catch(() => {});
    return { keys, rows };
  }

  #read(keys: readonly string[]): Promise<ReadonlyMap<string, ServedRow>> {
    return this.#store.read(async (db) => {
      const rows = new Map<string, ServedRow>();
      for (let at = 0; at < keys.length; at += keysAtOnce) {
        if (at > 0) await nextTurn();
        for (const row of await served(db, keys.slice(at, at + keysAtOnce))) rows.set(row.domain_key, row);
      }
      return rows;
    });
  }
}
