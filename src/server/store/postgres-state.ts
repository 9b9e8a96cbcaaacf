import pg from "pg";
import { DatabaseClock } from "./database-clock.ts";
import type { StoreVersion } from "./driver.ts";

/** Time without an answer after which a connection counts as dead, in milliseconds: an old one, and a new one. */
const longestSilence = { old: 500, new: 1000 };

/** Pause between two readings of the time, if nothing else reads the state, in milliseconds. */
const clockPause = 10_000;

/**
 * The transactions that have ended: each that writes has an id, and is in progress or in the future until its commit.
 */
const query = `select pg_current_snapshot()::text as version,
  (extract(epoch from clock_timestamp()) * 1000)::float8 as time`;

interface State {
  readonly version: StoreVersion;
  /** In milliseconds since 1970. */
  readonly time: number;
}

/**
 * Reads the version and the time of a PostgreSQL database on a connection of its own: no other work delays that, and a
 * dead connection does not hide that the database answers again.
 */
export class PostgresState {
  readonly #config: pg.ClientConfig;
  readonly #clock = new DatabaseClock();
  readonly #readings: NodeJS.Timeout;
  #client: pg.Client | undefined;
  #reading: Promise<StoreVersion | undefined> | undefined;
  #next: Promise<StoreVersion | undefined> | undefined;

  constructor(config: pg.ClientConfig) {
    this.#config = config;
    this.#readings = setInterval(() => void this.readVersion(), clockPause).unref();
  }

  now(): Date {
    return this.#clock.now();
  }

  /** Undefined without an answer. Calls during a reading share the next one: that one may be older than they are. */
  readVersion(): Promise<StoreVersion | undefined> {
    if (this.#reading === undefined) return this.#begin();
    this.#next ??= this.#reading.then(() => {
      this.#next = undefined;
      return this.#begin();
    });
    return this.#next;
  }

  close(): void {
    clearInterval(this.#readings);
    this.#disconnect();
  }

  #begin(): Promise<StoreVersion | undefined> {
    this.#reading = this.#readTwice().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readTwice(): Promise<StoreVersion | undefined> {
    const isNew = this.#client === undefined;
    if (isNew) return this.#read(longestSilence.new);
    // The connection may have died while it was idle: a new one tells whether the database answers.
    return (await this.#read(longestSilence.old)) ?? this.#read(longestSilence.new);
  }

  async #read(longestSilence: number): Promise<StoreVersion | undefined> {
    let isOver = false;
    // The further turn of the event loop reads what has arrived meanwhile: a busy process would take it for missing.
    const giveUp = () => setImmediate(() => isOver || this.#disconnect());
    const timer = setTimeout(giveUp, longestSilence).unref();
    try {
      let version: StoreVersion | undefined;
      await this.#clock.read(async () => {
        const state = await this.#ask();
        version = state.version;
        return state.time;
      });
      return version;
    } catch {
      this.#disconnect();
      return undefined;
    } finally {
      isOver = true;
      clearTimeout(timer);
    }
  }

  async #ask(): Promise<State> {
    if (this.#client === undefined) {
      this.#client = new pg.Client(this.#config);
      // Without a listener, a connection that breaks between two queries ends the process; the next query reports it.
      this.#client.on("error", () => {});
      await this.#client.connect();
    }
    const { rows } = await this.#client.query<State>(query);
    return rows[0] as State;
  }

  #disconnect(): void {
    this.#client?.connection.stream.destroy();
    this.#client = undefined;
  }
}
