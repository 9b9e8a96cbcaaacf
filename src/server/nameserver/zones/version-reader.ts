import type { StoreVersion } from "../../store/driver.ts";
import { yieldToEventLoop } from "../../store/event-loop.ts";
import type { Store } from "../../store/store.ts";
import type { Database } from "../../store/tables.ts";

/** A row as it was in a version of the store; undefined if there was none. */
interface KnownRow<Row> {
  readonly version: StoreVersion;
  readonly row: Row | undefined;
}

interface Batch<Row> {
  readonly keys: Set<string>;
  readonly rows: Promise<ReadonlyMap<string, Row>>;
}

/** SQLite supports 32,766 parameters per statement. */
const keysAtOnce = 2000;

/** Limit on the names that are remembered; over it, those read first are dropped. */
const mostKnown = 100_000;

/**
 * Reads the current versions of zones, and remembers them until anything in the store changes. All queries that arrive
 * during a read share the next one, so a burst costs two reads, and no query gets a row that was read before it
 * arrived.
 */
export class VersionReader<Row> {
  readonly #store: Store;
  readonly #list: (db: Database, keys: readonly string[]) => Promise<ReadonlyMap<string, Row>>;
  readonly #known = new Map<string, KnownRow<Row>>();
  #last: Promise<unknown> = Promise.resolve();
  #next: Batch<Row> | undefined;

  constructor(store: Store, list: (db: Database, keys: readonly string[]) => Promise<ReadonlyMap<string, Row>>) {
    this.#store = store;
    this.#list = list;
  }

  /** The row of a lower-case name without the final dot, if it was read in this version of the store. */
  known(key: string, version: StoreVersion): KnownRow<Row> | undefined {
    const known = this.#known.get(key);
    return known?.version === version ? known : undefined;
  }

  /** The row of a name as it was read last; undefined if it never was. */
  lastKnown(key: string): KnownRow<Row> | undefined {
    return this.#known.get(key);
  }

  /** The rows of these names in a version of the store or a later one, by name; the map may contain others. */
  async find(keys: readonly string[], version: StoreVersion): Promise<ReadonlyMap<string, Row>> {
    const rows = new Map<string, Row>();
    for (const key of keys) {
      const known = this.known(key, version);
      if (known === undefined) return this.#read(keys);
      if (known.row !== undefined) rows.set(key, known.row);
    }
    return rows;
  }

  #read(keys: readonly string[]): Promise<ReadonlyMap<string, Row>> {
    this.#next ??= this.#begin();
    for (const key of keys) this.#next.keys.add(key);
    return this.#next.rows;
  }

  #begin(): Batch<Row> {
    const keys = new Set<string>();
    const rows = this.#last.then(() => {
      this.#next = undefined;
      return this.#readAll([...keys]);
    });
    this.#last = rows.catch(() => {});
    return { keys, rows };
  }

  async #readAll(keys: readonly string[]): Promise<ReadonlyMap<string, Row>> {
    const version = (await this.#store.version()) ?? Symbol();
    const all = await this.#store.read(async (db) => {
      const rows = new Map<string, Row>();
      for (let at = 0; at < keys.length; at += keysAtOnce) {
        if (at > 0) await yieldToEventLoop();
        for (const [key, row] of await this.#list(db, keys.slice(at, at + keysAtOnce))) rows.set(key, row);
      }
      return rows;
    });
    for (const key of keys) this.#remember(key, { version, row: all.get(key) });
    return all;
  }

  #remember(key: string, known: KnownRow<Row>): void {
    this.#known.delete(key);
    this.#known.set(key, known);
    for (const first of this.#known.keys()) {
      if (this.#known.size <= mostKnown) return;
      this.#known.delete(first);
    }
  }
}
