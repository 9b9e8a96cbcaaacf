import pg from "pg";
import type { StoreVersion } from "../driver.ts";
import { inTime } from "../in-time.ts";
import { DatabaseClock } from "./database-clock.ts";

/** Time without an answer after which a connection counts as dead, in milliseconds: an old one, and a new one. */
const longestSilence = { old: 400, new: 1000 };

/** Time that a new connection has before another one is asked, too, in milliseconds. Questions wait for a second. */
const patience = 300;

/** Pause between two readings of the time, if nothing else reads the state, in milliseconds. */
const clockPause = 10_000;

/**
 * The transactions that have ended: each that writes has an id, and is in progress or in the future until its commit.
 */
const query = `select pg_current_snapshot()::text as version,
  (extract(epoch from clock_timestamp()) * 1000)::float8 as time`;

export interface State {
  readonly version: StoreVersion;
  /** In milliseconds since 1970. */
  readonly time: number;
}

/** Sends a query that has one row as its result. */
type Ask = (query: string) => Promise<State>;

interface Connection {
  readonly client: pg.Client;
  readonly opened: Promise<unknown>;
}

/**
 * Reads the version and the time of a PostgreSQL database on a connection of its own: no other work delays that, and a
 * dead connection does not hide that the database answers again.
 */
export class PostgresState {
  readonly #config: pg.ClientConfig;
  readonly #clock = new DatabaseClock();
  #readings: NodeJS.Timeout | undefined;
  #connection: Connection | undefined;
  #reading: Promise<StoreVersion | undefined> | undefined;
  #next: Promise<StoreVersion | undefined> | undefined;
  /** A reading on a new connection that is under way. */
  #own: Promise<StoreVersion | undefined> | undefined;
  #isAskingElsewhere = false;
  #isClosed = false;

  constructor(config: pg.ClientConfig) {
    this.#config = config;
  }

  now(): Date {
    return this.#clock.now();
  }

  /**
   * Undefined without an answer. `elsewhere` asks on another connection, if the own one fails or is silent: there may
   * be none left for it. Calls during a reading share the next one: that one may be older than they are.
   */
  readVersion(elsewhere: Ask): Promise<StoreVersion | undefined> {
    this.#readings ??= setInterval(() => void this.readVersion(elsewhere), clockPause).unref();
    if (this.#reading === undefined) return this.#begin(elsewhere);
    this.#next ??= this.#reading.then(() => {
      this.#next = undefined;
      return this.#begin(elsewhere);
    });
    return this.#next;
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#readings);
    if (this.#connection) this.#disconnect(this.#connection);
  }

  #begin(elsewhere: Ask): Promise<StoreVersion | undefined> {
    this.#reading = this.#read(elsewhere)
      .catch(() => undefined)
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }

  async #read(elsewhere: Ask): Promise<StoreVersion | undefined> {
    // The answer of a reading that is under way may be from before the question.
    if (this.#own)
      return this.#readBoth(
        this.#own.then(() => undefined),
        elsewhere,
      );
    if (this.#connection !== undefined) {
      const version = await this.#readInTime(longestSilence.old).catch(() => undefined);
      if (version !== undefined) return version;
    }
    // The connection may have died while it was idle: a new one tells whether the database answers.
    const own = this.#readInTime(longestSilence.new).finally(() => {
      this.#own = undefined;
    });
    this.#own = own;
    const version = await inTime(own, patience, undefined).catch(() => undefined);
    return version ?? this.#readBoth(own, elsewhere);
  }

  /** The first answer. Undefined once the own connection was silent for too long, so that the next one is tried. */
  #readBoth(own: Promise<StoreVersion | undefined>, elsewhere: Ask): Promise<StoreVersion | undefined> {
    if (this.#isAskingElsewhere) return own;
    this.#isAskingElsewhere = true;
    const other = this.#readBy(elsewhere).finally(() => {
      this.#isAskingElsewhere = false;
    });
    return Promise.race([own.catch(() => other), other.catch(() => own)]);
  }

  /** Undefined if the connection is silent for too long. */
  async #readInTime(longestSilence: number): Promise<StoreVersion | undefined> {
    this.#connection ??= this.#connect();
    const connection = this.#connection;
    let version: StoreVersion | undefined;
    const ask = async (query: string) => {
      await connection.opened;
      return (await connection.client.query<State>(query)).rows[0] as State;
    };
    try {
      version = await inTime(this.#readBy(ask), longestSilence, undefined);
      return version;
    } finally {
      if (version === undefined) this.#disconnect(connection);
    }
  }

  #connect(): Connection {
    if (this.#isClosed) throw new Error("the store is closed");
    const client = new pg.Client(this.#config);
    // Without a listener, a connection that breaks between two queries ends the process; the next query reports it.
    client.on("error", () => {});
    return { client, opened: client.connect() };
  }

  async #readBy(ask: Ask): Promise<StoreVersion> {
    let version: StoreVersion = "";
    await this.#clock.read(async () => {
      const state = await ask(query);
      version = state.version;
      return state.time;
    });
    return version;
  }

  #disconnect(connection: Connection): void {
    connection.client.connection.stream.destroy();
    if (this.#connection === connection) this.#connection = undefined;
  }
}
