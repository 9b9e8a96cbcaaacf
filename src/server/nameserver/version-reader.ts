import { yieldToEventLoop } from "../store/event-loop.ts";
import type { Store } from "../store/store.ts";
import type { Database } from "../store/tables.ts";

interface Batch<Row> {
  readonly keys: Set<string>;
  readonly rows: Promise<ReadonlyMap<string, Row>>;
}

/** SQLite supports 32,766 parameters per statement. */
const keysAtOnce = 2000;

/**
 * Reads the current versions of zones. All queries that arrive during a read share the next one, so a burst costs two
 * reads, and no query gets a row that was read before it arrived.
 */
export class VersionReader<Row> {
  readonly #store: Store;
  readonly #list: (db: Database, keys: readonly string[]) => Promise<ReadonlyMap<string, Row>>;
  #last: Promise<unknown> = Promise.resolve();
  #next: Batch<Row> | undefined;

  constructor(store: Store, list: (db: Database, keys: readonly string[]) => Promise<ReadonlyMap<string, Row>>) {
    this.#store = store;
    this.#list = list;
  }

  /** The rows of these lower-case names without the final dot, by name; the map may contain others. */
  find(keys: readonly string[]): Promise<ReadonlyMap<string, Row>> {
    this.#next ??= this.#begin();
    for (const key of keys) this.#next.keys.add(key);
    return this.#next.rows;
  }

  #begin(): Batch<Row> {
    const keys = new Set<string>();
    const rows = this.#last.then(() => {
      this.#next = undefined;
      return this.#read([...keys]);
    });
    this.#last = rows.catch(() => {});
    return { keys, rows };
  }

  #read(keys: readonly string[]): Promise<ReadonlyMap<string, Row>> {
    return this.#store.read(async (db) => {
      const rows = new Map<string, Row>();
      for (let at = 0; at < keys.length; at += keysAtOnce) {
        if (at > 0) await yieldToEventLoop();
        for (const [key, row] of await this.#list(db, keys.slice(at, at + keysAtOnce))) rows.set(key, row);
      }
      return rows;
    });
  }
}
