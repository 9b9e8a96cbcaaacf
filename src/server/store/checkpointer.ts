import { statSync } from "node:fs";
import { Worker } from "node:worker_threads";

/** From so many octets on the write-ahead log is copied into the database, and cut to nothing. */
export const largestLog = 4 * 2 ** 20;

/**
 * A checkpoint waits for the readers that it finds, at most a second. Writers are refused meanwhile, and try again. In a thread
 * of its own, because copying and the two fsyncs of it take longer than the event loop may stand still.
 */
const program = `
  const { workerData } = require("node:worker_threads");
  const Libsql = require("node:module").createRequire(workerData.from)("libsql");
  const database = new Libsql(workerData.path, { timeout: 1000 });
  try {
    database.pragma("wal_checkpoint(truncate)");
  } finally {
    database.close();
  }
`;

/** Keeps the write-ahead log of a SQLite database short. */
export class Checkpointer {
  readonly #path: string;
  readonly #largest: number;
  readonly #onError: (error: unknown) => void;
  #running: Promise<void> | undefined;
  #isToLook = false;
  #isClosed = false;

  /** A checkpoint that fails is only late: the next commit tries again, and SQLite itself from 40 MiB on. */
  constructor(path: string, largest = largestLog, onError: (error: unknown) => void = () => {}) {
    this.#path = path;
    this.#largest = largest;
    this.#onError = onError;
  }

  /** To be called after each commit. Resolves with the end of the checkpoint, where one is due. */
  look(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isToLook = this.#running !== undefined;
    if (this.#running) return this.#running;
    const size = statSync(`${this.#path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (size < this.#largest) return Promise.resolve();
    this.#running = this.#run().then(() => {
      this.#running = undefined;
      // Transactions that were committed meanwhile may be in the log.
      if (this.#isToLook) void this.look();
    });
    return this.#running;
  }

  #run(): Promise<void> {
    const workerData = { path: this.#path, from: import.meta.url };
    const worker = new Worker(program, { eval: true, execArgv: [], workerData });
    return new Promise((resolve) => worker.on("error", this.#onError).once("exit", () => resolve()));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }
}
