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
  begin(): Promise<OpenTransaction> | OpenTransaction;
  /** Whether the database failed, so that the transaction cannot be continued after this error of a piece of work. */
  isFailure(error: unknown): boolean;
  /** Resolves when the next group may begin: what arrives until then becomes part of it. */
  gather(): Promise<void>;
}

/** A piece of work that waits, and how it ends. */
interface Member {
  readonly work: (db: Database) => Promise<unknown>;
  /** Whether it gets a transaction of its own. */
  readonly isAlone: boolean;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** Limit on the members of a group, and on those that run before the event loop turns. */
const most = { inGroup: 512, inTurn: 8 };

/**
 * Runs pieces of work one after another, in groups that share a transaction and its commit, on which the disk spends
 * more time than on anything else. Each has a savepoint, so that one that fails leaves nothing behind, and each ends
 * after the commit: until then its result, or its refusal because of what others have written, may not last.
 *
 * If the database fails, the members of the group run again, each in a transaction of its own, so that those fail whose
 * own work cannot be stored.
 */
export class GroupWriter {
  readonly #options: GroupWriterOptions;
  #waiting: Member[] = [];
  #isRunning = false;

  constructor(options: GroupWriterOptions) {
    this.#options = options;
  }

  /** Resolves or rejects as the work does. `isAlone` is for long work, whose group would have to wait for it. */
  write<T>(work: (db: Database) => Promise<T>, isAlone = false): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, isAlone, resolve: resolve as Member["resolve"], reject });
      if (!this.#isRunning) void this.#runGroups();
    });
  }

  async #runGroups(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      await this.#options.gather();
      const group = this.#takeGroup();
      const failed = await this.#runGroup(group);
      if (failed) this.#waiting.unshift(...group.map((member) => ({ ...member, isAlone: true })));
    }
    this.#isRunning = false;
  }

  #takeGroup(): Member[] {
    const [first] = this.#waiting;
    const next = this.#waiting.findIndex(({ isAlone }) => isAlone);
    const size = first?.isAlone ? 1 : Math.min(next === -1 ? Number.POSITIVE_INFINITY : next, most.inGroup);
    return this.#waiting.splice(0, size);
  }

  /** Runs a group; true if its members have to run again. */
  async #runGroup(group: readonly Member[]): Promise<boolean> {
    let endings: (() => void)[] = [];
    const reject = (error: unknown) => {
      endings = group.map((member) => () => member.reject(error));
    };
    try {
      const transaction = await this.#options.begin();
      try {
        for (const [index, member] of group.entries()) {
          if (index > 0 && index % most.inTurn === 0) await yieldToEventLoop();
          endings.push(await this.#runMember(transaction, member, group.length));
        }
        await transaction.commit();
      } catch (error) {
        if (group.length > 1) return true;
        reject(error);
      } finally {
        await transaction.end();
      }
    } catch (error) {
      // It did not begin.
      reject(error);
    }
    for (const end of endings) end();
    return false;
  }

  /**
   * Runs one member, and returns how it ends once the group is committed.
   * @throws the error of a failed database, and of a group of one, whose whole transaction is rolled back.
   */
  async #runMember(transaction: OpenTransaction, member: Member, size: number): Promise<() => void> {
    const run = () => this.#options.language.run(transaction, member.work);
    if (size === 1) {
      const result = await run();
      return () => member.resolve(result);
    }
    await transaction.run("savepoint member");
    try {
      const result = await run();
      await transaction.run("release member");
      return () => member.resolve(result);
    } catch (error) {
      if (this.#options.isFailure(error)) throw error;
      await transaction.run("rollback to member");
      await transaction.run("release member");
      return () => member.reject(error);
    }
  }
}
