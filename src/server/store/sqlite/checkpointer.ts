import { statSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { openInWorker } from "./libsql.ts";

/** Size from which the write-ahead log is copied into the database and truncated, in octets. */
export const largestLog = 4 * 2 ** 20;

/** Time after which the thread ends if no checkpoint was due, in milliseconds. */
const idleMs = 10_000;

/**
 * A thread that makes checkpoints, because copying and its fsyncs would block the event loop too long. The first one
 * (passive) copies most of the log while writers continue. The second one waits for current readers, at most a second,
 * and copies the rest; writers fail meanwhile and try again.
 */
const program = `
  const { parentPort, workerData } = require("node:worker_threads");
  ${openInWorker}
  let idle;
  parentPort.on("message", () => {
    clearTimeout(idle);
    const database = openDatabase(workerData, 1000);
    try {
      database.exec("pragma wal_checkpoint(passive)");
      database.exec("pragma wal_checkpoint(truncate)");
    } finally {
      database.close();
    }
    parentPort.postMessage("done");
    idle = setTimeout(() => parentPort.close(), ${idleMs});
  });
`;

/** Keeps the write-ahead log of a SQLite database short. */
export class Checkpointer {
  readonly #path: string;
  readonly #largest: number;
  readonly #onError: (error: unknown) => void;
  #worker: Worker | undefined;
  #running: Promise<void> | undefined;
  #isLookRequested = false;
  #isClosed = false;

  /** A failed checkpoint is only late: the next commit tries again, and SQLite itself does from 40 MiB on. */
  constructor(path: string, largest = largestLog, onError: (error: unknown) => void = () => {}) {
    this.#path = path;
    this.#largest = largest;
    this.#onError = onError;
  }

  /** Call it after each commit. Resolves at the end of the checkpoint, if one is due. */
  look(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isLookRequested = this.#running !== undefined;
    if (this.#running) return this.#running;
    const size = statSync(`${this.#path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (size < this.#largest) return Promise.resolve();
    this.#running = this.#run().then(() => {
      this.#running = undefined;
      // The log may contain transactions that were committed meanwhile.
      if (this.#isLookRequested) void this.look();
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    const worker = this.#worker ?? this.#start();
    await new Promise<void>((resolve) => {
      const end = () => {
        worker.off("message", end).off("exit", end);
        resolve();
      };
      worker.on("message", end).on("exit", end);
      worker.ref();
      worker.postMessage("checkpoint");
    });
    worker.unref();
  }

  #start(): Worker {
    const worker = new Worker(program, { eval: true, execArgv: [], workerData: this.#path });
    this.#worker = worker;
    worker.on("error", this.#onError).once("exit", () => {
      this.#worker = undefined;
    });
    return worker;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
    await this.#worker?.terminate();
  }
}
