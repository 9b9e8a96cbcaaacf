import { advise, type Fix } from "../../diagnostics/advice.ts";
import { type ProblemError, problemError } from "../../diagnostics/problem.ts";
import type { WorkLimits } from "./language.ts";
import type { Columns } from "./migrations.ts";
import type { Database } from "./tables.ts";

/** A state of the database, to be compared by `===`. */
export type StoreVersion = number | string | symbol;

/** The size of a database, in octets. */
export interface StoreOctets {
  readonly database: number;
  /** Of the write-ahead log, if it is a file of its own. */
  readonly log?: number;
}

/** The differences between the supported databases. Everything else is SQL through one query builder. */
export interface Driver {
  /** The location of the database in messages, without a password. */
  readonly place: string;
  readonly columns: Columns;
  /** Limit on the transactions of short reads at once. */
  readonly mostShortReads: number;
  /** Runs work in one transaction, which is rolled back if the work throws. */
  read<T>(work: (db: Database) => Promise<T>, options?: ReadWorkOptions): Promise<T>;
  write<T>(work: (db: Database) => Promise<T>, options?: WriteWorkOptions<T>): Promise<T>;
  /** Waits for other transactions that exclude others, and excludes them until the end of this one. */
  excludeOthers(db: Database): Promise<void>;
  /** See `Store.version`. `read` is that of the store, for a version that cannot be read without a transaction. */
  version(read: Driver["read"]): StoreVersion | Promise<StoreVersion | undefined>;
  /** See `Store.knownVersion`. */
  knownVersion(): StoreVersion;
  /** See `Store.octets`. `read` is that of the store. */
  octets(read: Driver["read"]): Promise<StoreOctets>;
  /** See `Store.now`. */
  now?(): Date;
  close(): Promise<void>;
  /** Whether the transaction failed because of a concurrent one and can simply be repeated. */
  hasCollided(error: unknown): boolean;
  /**
   * Whether another process locks the whole database, or there is no connection left, so that the transaction can be
   * tried again later.
   */
  isBusy(error: unknown): boolean;
  /** The reason of a database failure; undefined for other errors. */
  failure(error: unknown): string | undefined;
  /** Why the database cannot be opened or used because of this error, for a person who runs a command on it. */
  explain(error: unknown): StoreReason;
}

export interface StoreReason {
  /** The reason, if more is known than `failure` says: a clause, without a final full stop. */
  readonly reason?: string | undefined;
  readonly fix: Fix;
}

export interface ReadWorkOptions extends WorkLimits {
  /** Whether the work is a single statement, to which the database gives a transaction itself; false by default. */
  readonly isSingle?: boolean;
}

export interface WriteWorkOptions<T = unknown> {
  /** Whether the work takes many steps, so that short work must not have to wait for its end; false by default. */
  readonly isLong?: boolean;
  /** Work that has not begun once it is aborted fails with its reason. Work that has begun is carried out whole. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Names a row that the work locks first, as all short work of this name does: PostgreSQL commits work that would wait
   * for each other together. SQLite does so with all writes.
   */
  readonly locks?: string;
  /** The same work in another form, to be carried out with that of other calls at once. */
  readonly batch?: Batch<T>;
}

/** Work on an item that takes few statements for many items. */
export interface Batch<T> {
  /**
   * Works on the items of calls with this same function, and returns the outcome of each in their order. It must not
   * wait for rows that others have locked.
   */
  readonly run: (db: Database, items: readonly never[]) => Promise<BatchResult<T>[]>;
  readonly item: unknown;
}

/** The end of work on one item. */
export type BatchResult<T> = { readonly value: T } | { readonly error: unknown } | typeof runAlone;

/** The outcome of an item that needs a transaction of its own, which may wait: nothing was written for it. */
export const runAlone = Symbol("alone");

/** The error of a database that cannot be opened. */
export function cannotOpen(place: string, { reason, fix }: Required<StoreReason>): ProblemError {
  return problemError("store-open", `cannot open the database ${place}`, { detail: `${reason}.`, fix });
}

/** Advice for a file that cannot be opened or written. */
export const nameFolder = advise`With ${{ set: "data" }}, name a folder that this user may write, on a disk with space left.`;
