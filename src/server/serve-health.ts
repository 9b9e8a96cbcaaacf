import { statfs } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { Health, type HealthProblem, type HealthProblemId } from "./kit/health.ts";
import { timestamp } from "./kit/timestamp.ts";
import { writeProbe } from "./kit/write-probes.ts";
import { isStoreFailure, isUrl, type Store } from "./store/store.ts";

interface HealthWatchOptions {
  readonly store: Store;
  readonly clock: () => Date;
  /** Writes a line for the operator when a problem begins or ends. */
  readonly log: (line: string) => void;
  readonly onError: (error: unknown) => void;
}

/** The parts of a name service that can be in bad health. */
export interface WatchedNames {
  /** See `Health`. */
  isFromMemory(): Promise<boolean>;
  /** See `StuckZones`. */
  listStuck(): readonly string[];
  retryStuck(): Promise<void>;
  /** See `countDeadSlaves`; 0 if no slave zones are transferred. */
  countDeadSlaves(): Promise<number>;
}

/** The keeper of ALIAS records. */
export interface WatchedAliases {
  /** See `countUnresolvedAliases`. */
  countUnresolved(): Promise<number>;
}

const lookEveryMs = 1000;
/** Looks from one write on a nearly full disk to the next. */
const looksPerWrite = 10;
/** Free octets of the disk: with less, a write of a large zone may fail. */
const leastFree = 2 ** 24;
/** Names in a line of the log. */
const mostNames = 10;

/**
 * Finds the problems of a server, so that a probe costs no look of its own. Whether the database can be written is
 * tried after a failed write, and on a disk that is nearly full: a balancer sends no writes to a server that is not
 * ready, so it would never find out that it is again.
 */
export class HealthWatch {
  readonly health = new Health();
  /** The same store; its failed writes are noticed. */
  readonly store: Store;
  readonly #options: HealthWatchOptions;
  #names: WatchedNames | undefined;
  #aliases: WatchedAliases | undefined;
  #hasFailedWrite = false;
  #isUnwritable = false;
  #looks = 0;
  /** The looks that have not ended. */
  readonly #underWay = new Map<HealthProblemId, Promise<void>>();

  constructor(options: HealthWatchOptions) {
    const { store } = options;
    this.#options = options;
    this.store = {
      ...store,
      write: async (work, wanted) => {
        try {
          return await store.write(work, wanted);
        } catch (error) {
          if (isStoreFailure(error)) this.#hasFailedWrite = true;
          throw error;
        }
      },
    };
  }

  watchNames(names: WatchedNames): void {
    this.#names = names;
    this.health.isFromMemory = () => names.isFromMemory();
  }

  watchAliases(aliases: WatchedAliases): void {
    this.#aliases = aliases;
  }

  /** Looks until it is closed, every second by default; `wait` resolves or rejects on abort. */
  start(wait: (signal: AbortSignal) => Promise<void> = aSecond): { close(): Promise<void> } {
    const stop = new AbortController();
    const { signal } = stop;
    const loop = async () => {
      while (!signal.aborted) {
        const looks = this.look();
        await wait(signal).catch(() => {}); // on abort
        if (signal.aborted) await looks;
      }
    };
    const ended = loop();
    return {
      close: () => {
        stop.abort();
        return ended;
      },
    };
  }

  /** Begins the looks that are not under way, so that one that takes long delays no other, and resolves after all. */
  async look(): Promise<void> {
    const names = this.#names;
    const aliases = this.#aliases;
    this.#begin("database-unwritable", () => this.#lookAtDatabase());
    if (names) {
      this.#lookAtZones(names);
      const count = () => names.countDeadSlaves();
      this.#begin("slaves-dead", () => this.#lookAtCount("slaves-dead", "Slave zones that cannot be refreshed", count));
    }
    if (aliases) {
      const count = () => aliases.countUnresolved();
      const what = "ALIAS records that cannot be resolved";
      this.#begin("aliases-unresolved", () => this.#lookAtCount("aliases-unresolved", what, count));
    }
    await Promise.all(this.#underWay.values());
  }

  #begin(id: HealthProblemId, look: () => Promise<void>): void {
    if (this.#underWay.has(id)) return;
    const ended = look()
      .catch(this.#options.onError)
      .finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, ended);
  }

  async #lookAtDatabase(): Promise<void> {
    const free = await freeOctets(this.#options.store);
    const isLow = free !== undefined && free < leastFree;
    const message = `The disk of the database has ${Math.floor((free ?? 0) / 1024)} KiB left.`;
    this.#set("disk-low", isLow ? { message } : undefined);
    const isTurn = isLow && this.#looks++ % looksPerWrite === 0;
    if (!this.#hasFailedWrite && !this.#isUnwritable && !isTurn) return;
    this.#hasFailedWrite = false;
    const failure = await this.#tryWrite();
    this.#isUnwritable = failure !== undefined;
    this.#set("database-unwritable", failure === undefined ? undefined : { message: `${failure}.` });
  }

  /** Resolves to the reason why the database cannot be written. */
  async #tryWrite(): Promise<string | undefined> {
    const { store, clock } = this.#options;
    try {
      await store.write((db) => writeProbe(db, timestamp(clock())));
      return undefined;
    } catch (error) {
      if (isStoreFailure(error)) return error.message;
      throw error;
    }
  }

  #lookAtZones(names: WatchedNames): void {
    void names.retryStuck();
    const stuck = names.listStuck();
    const shown = stuck.slice(0, mostNames).join(", ");
    this.#set("zones-stuck", countOf("Zones that cannot be loaded", stuck.length), ` ${shown}`);
  }

  async #lookAtCount(id: HealthProblemId, what: string, count: () => Promise<number>): Promise<void> {
    try {
      this.#set(id, countOf(what, await count()));
    } catch (error) {
      if (!isStoreFailure(error)) throw error; // probes report that the database cannot be read
    }
  }

  /** `names` are for the log only. */
  #set(id: HealthProblemId, problem: Omit<HealthProblem, "id"> | undefined, names = ""): void {
    if (!this.health.set(id, problem)) return;
    this.#options.log(problem ? `health: ${id}: ${problem.message}${names}` : `health: ${id} has ended`);
  }
}

async function aSecond(signal: AbortSignal): Promise<void> {
  await delay(lookEveryMs, undefined, { signal });
}

function countOf(what: string, count: number): Omit<HealthProblem, "id"> | undefined {
  return count === 0 ? undefined : { count, message: `${what}: ${count}.` };
}

/** Undefined where there is no such disk, or its room is unknown. */
async function freeOctets({ place }: Store): Promise<number | undefined> {
  if (place === ":memory:" || isUrl(place)) return undefined;
  const disk = await statfs(place).catch(() => undefined);
  return disk && disk.bavail * disk.bsize;
}
