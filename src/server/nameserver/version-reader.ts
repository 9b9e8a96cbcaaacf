import { yieldToEventLoop } from "../store/event-loop.ts";
import { listServed, type ServedRow } from "../store/served.ts";
import type { Store } from "../store/store.ts";

interface Batch {
  readonly keys: Set<string>;
  readonly rows: Promise<ReadonlyMap<string, ServedRow>>;
}

/** SQLite supports 32,766 parameters per statement. */
const keysAtOnce = 2000;

/**
 * Reads the current version of domains' zones. All queries that arrive during a read share the next one, so a burst
 * costs two reads, and no query gets a row that was read before it arrived.
 */
export class VersionReader {
  readonly #store: Store;
  #last: Promise<unknown> = Promise.resolve();
  #next: Batch | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The active domains with these lower-case names, by name; the map may contain others. */
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
        if (at > 0) await yieldToEventLoop();
        for (const row of await listServed(db, keys.slice(at, at + keysAtOnce))) rows.set(row.domain_key, row);
      }
      return rows;
    });
  }
}
