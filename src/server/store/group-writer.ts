import { type Batch, type BatchResult, runAlone } from "./driver.ts";
import { yieldToEventLoop } from "./event-loop.ts";
import type { Language, StoreConnection } from "./language.ts";
import type { Database } from "./tables.ts";

/** A connection with an open transaction. */
export interface OpenTransaction extends StoreConnection {
  /** Runs a statement without rows, such as `savepoint`. */
  run(sql: string): Promise<void> | void;
  commit(): Promise<void> | void;
  /** Rolls back uncommitted work and returns the connection. Never fails. */
  end(): Promise<void> | void;
}

interface GroupWriterOptions {
  readonly language: Language;
  /** Limit on the members of a group. */
  readonly mostInGroup: number;
  /** Resolves when the next group may begin: what arrives until then becomes part of it. */
  gather(): Promise<void>;
  begin(): Promise<OpenTransaction> | OpenTransaction;
  /** Whether the database failed, so that the transaction cannot be continued after this error of a piece of work. */
  isFailure(error: unknown): boolean;
  /** Whether the first member got this error because of a lock that the others would wait for, too. */
  isBlocked(error: unknown): boolean;
  /** Whether a commit with this error may have taken place, so that its members must not run again. */
  mayHaveCommitted(error: unknown): boolean;
}

/** A piece of work that waits, or an item of a batch, with the functions that settle it. */
interface Member {
  readonly work: ((db: Database) => Promise<unknown>) | Batch<unknown>;
  /** Whether it gets a transaction of its own. */
  readonly isAlone: boolean;
  /** If it is aborted before the work begins, the work is dropped. */
  readonly signal: AbortSignal | undefined;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

interface MemberOptions {
  readonly isAlone?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Members that run at once: one with its work, or all of a batch. */
type Unit = readonly [Member, ...Member[]];

/** Limit on the units that run before the event loop turns. */
const mostInTurn = 8;

/**
 * Runs pieces of work one after another, in groups that share a transaction and its commit, on which the disk spends
 * more time than on anything else. Each has a savepoint, so that one that fails leaves nothing behind, and each ends
 * after the commit: until then its result, or its refusal because of what others have written, may not last.
 *
 * If the database fails, the members of the group run again, each in a transaction of its own, so that those fail whose
 * own work cannot be stored. Where a commit may have taken place although it failed, all fail. The members of a batch
 * share a savepoint, too; if the batch fails, each has to run alone.
 */
export class GroupWriter {
  readonly #options: GroupWriterOptions;
  #waiting: Member[] = [];
  #isRunning = false;

  constructor(options: GroupWriterOptions) {
    this.#options = options;
  }

  /** Resolves or rejects as the work does. `isAlone` is for long work, whose group would have to wait for it. */
  write<T>(work: (db: Database) => Promise<T>, { isAlone = false, signal }: MemberOptions = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#add({ work, isAlone, signal, resolve: resolve as Member["resolve"], reject });
    });
  }

  /** Writes an item of a batch; resolves to `runAlone` if it has to run alone. */
  writeBatch<T>(batch: Batch<T>, signal?: AbortSignal): Promise<T | typeof runAlone> {
    return new Promise((resolve, reject) => {
      this.#add({ work: batch, isAlone: false, signal, resolve: resolve as Member["resolve"], reject });
    });
  }

  #add(member: Member): void {
    this.#waiting.push(member);
    if (!this.#isRunning) void this.#runGroups();
  }

  async #runGroups(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      await this.#options.gather();
      await this.#runGroup();
    }
    this.#isRunning = false;
  }

  /** Takes the next group, without the members whose signal is aborted. */
  #takeGroup(): Member[] {
    const [first] = this.#waiting;
    const next = this.#waiting.findIndex(({ isAlone }) => isAlone);
    const size = first?.isAlone
      ? 1
      : Math.min(next === -1 ? Number.POSITIVE_INFINITY : next, this.#options.mostInGroup);
    return this.#waiting.splice(0, size).filter(({ signal, reject }) => {
      if (signal?.aborted) reject(signal.reason);
      return !signal?.aborted;
    });
  }

  async #runGroup(): Promise<void> {
    let transaction: OpenTransaction;
    try {
      transaction = await this.#options.begin();
    } catch (error) {
      for (const { reject } of this.#takeGroup()) reject(error);
      return;
    }
    const group = this.#takeGroup();
    const endings = await this.#runMembers(transaction, group);
    await transaction.end();
    if (endings === undefined) this.#runAlone(group);
    else for (const end of endings) end();
  }

  #runAlone(group: readonly Member[]): void {
    this.#waiting.unshift(
      ...group.filter(({ work }) => typeof work === "function").map((member) => ({ ...member, isAlone: true })),
    );
    for (const { work, resolve } of group) if (typeof work !== "function") resolve(runAlone);
  }

  /** Runs and commits a group. Returns functions that settle its members, undefined if they have to run again. */
  async #runMembers(transaction: OpenTransaction, group: readonly Member[]): Promise<(() => void)[] | undefined> {
    const rejections = (error: unknown) =>
      group.map(
        ({ reject }) =>
          () =>
            reject(error),
      );
    const isOnly = group.length === 1 && typeof group[0]?.work === "function";
    const isBatch = group.every(({ work }) => typeof work !== "function");
    const units = unitsOf(group);
    const endings: (() => void)[] = [];
    try {
      for (const [index, unit] of units.entries()) {
        if (index > 0 && index % mostInTurn === 0) await yieldToEventLoop();
        if (units.length > 1)
          await transaction.run(index === 0 ? "savepoint member" : "release member; savepoint member");
        endings.push(...(await this.#runUnit(transaction, unit, { isOnly: units.length === 1, isFirst: index === 0 })));
      }
    } catch (error) {
      return isOnly || (!isBatch && this.#options.isBlocked(error)) ? rejections(error) : undefined;
    }
    try {
      await transaction.commit();
      return endings;
    } catch (error) {
      return isOnly || this.#options.mayHaveCommitted(error) ? rejections(error) : undefined;
    }
  }

  /**
   * Runs one unit, and returns how its members end once the group is committed.
   * @throws the error of a failed or blocked database, and of the only unit, whose whole transaction is rolled back.
   */
  async #runUnit(
    transaction: OpenTransaction,
    unit: Unit,
    { isOnly, isFirst }: { readonly isOnly: boolean; readonly isFirst: boolean },
  ): Promise<(() => void)[]> {
    try {
      const outcomes = await this.#options.language.run(transaction, (db) => workOn(db, unit));
      return unit.map((member, index) => endOf(member, outcomes[index]));
    } catch (error) {
      if (isOnly || this.#options.isFailure(error) || (isFirst && this.#options.isBlocked(error))) throw error;
      await transaction.run("rollback to member");
      return unit.map((member) => endOf(member, typeof member.work === "function" ? { error } : runAlone));
    }
  }
}

/** The units of a group, in the order of their first members. */
function unitsOf(group: readonly Member[]): Unit[] {
  const units: [Member, ...Member[]][] = [];
  const batches = new Map<unknown, [Member, ...Member[]]>();
  for (const member of group) {
    const known = typeof member.work === "function" ? undefined : batches.get(member.work.run);
    if (known) {
      known.push(member);
      continue;
    }
    const unit: [Member, ...Member[]] = [member];
    units.push(unit);
    if (typeof member.work !== "function") batches.set(member.work.run, unit);
  }
  return units;
}

async function workOn(db: Database, unit: Unit): Promise<BatchResult<unknown>[]> {
  const { work } = unit[0];
  if (typeof work === "function") return [{ value: await work(db) }];
  // All members of a unit have the function of the first one, which takes their items.
  return work.run(db, unit.map(({ work }) => (work as Batch<unknown>).item) as never[]);
}

function endOf({ resolve, reject }: Member, outcome: BatchResult<unknown> | undefined): () => void {
  if (outcome === undefined) throw new Error("a batch without an outcome of an item");
  if (outcome === runAlone) return () => resolve(runAlone);
  return "error" in outcome ? () => reject(outcome.error) : () => resolve(outcome.value);
}

/** Runs work that locks the same row first in groups, beside work that locks others. */
export class GroupWriters {
  readonly #options: GroupWriterOptions;
  readonly #writers = new Map<string, { readonly writer: GroupWriter; pieces: number }>();

  constructor(options: GroupWriterOptions) {
    this.#options = options;
  }

  async write<T>(row: string, work: (db: Database) => Promise<T>, options?: MemberOptions): Promise<T> {
    const entry = this.#writers.get(row) ?? { writer: new GroupWriter(this.#options), pieces: 0 };
    this.#writers.set(row, entry);
    entry.pieces++;
    try {
      return await entry.writer.write(work, options);
    } finally {
      if (--entry.pieces === 0) this.#writers.delete(row);
    }
  }
}
