import type { HttpReply } from "./http/reply.ts";
import { RequestCounts } from "./http/request-counts.ts";
import type { MetricsReaders } from "./http/router.ts";
import type { Health } from "./kit/health.ts";
import type { MeasuredNames } from "./nameserver/measured-names.ts";
import { inTime } from "./store/in-time.ts";
import { isStoreFailure, type Store } from "./store/store.ts";

export interface ServiceMetricsOptions {
  readonly readers: MetricsReaders;
  readonly store: Store;
  readonly health: Health;
  readonly onError: (error: unknown) => void;
}

/** Time for a reading of the database, in milliseconds: most programs give up after ten seconds. */
const longestReadMs = 5000;

/**
 * The metrics of a service, in the text format of Prometheus. All parts of the service count in plain numbers, so that
 * the library that writes them is loaded at the first request for them. As they need no token and have no rate limit,
 * requests that wait share one reading of the database.
 */
export class ServiceMetrics {
  readonly readers: MetricsReaders;
  readonly requests = new RequestCounts();
  readonly #options: ServiceMetricsOptions;
  #names: MeasuredNames | undefined;
  #reading: Promise<HttpReply> | undefined;

  constructor(options: ServiceMetricsOptions) {
    this.readers = options.readers;
    this.#options = options;
  }

  measureNames(names: MeasuredNames): void {
    this.#names = names;
  }

  reply(): Promise<HttpReply> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<HttpReply> {
    const { store, health, onError } = this.#options;
    const names = this.#names;
    const [{ metricsText }, { body }, storeOctets, oldestChangeMs] = await Promise.all([
      import("./metrics-text.ts"),
      health.reply("ready", store, onError),
      readInTime(() => store.octets()),
      readInTime(async () => names?.ageOfOldestChange()),
    ]);
    const { contentType, text } = await metricsText({
      requests: this.requests,
      problems: new Set(body.problems?.map(({ id }) => id)),
      storeOctets,
      names: names && { counts: names.counts, loaded: names.listLoaded(), oldestChangeMs },
    });
    // Unlike replies of the API, not for pages of other origins.
    const headers = { "Content-Type": contentType, "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store" };
    return { status: 200, headers, body: text };
  }
}

/** Undefined if the database fails or takes too long, which the health shows. */
function readInTime<T>(read: () => Promise<T>): Promise<T | undefined> {
  const safely = async () => {
    try {
      return await read();
    } catch (error) {
      if (isStoreFailure(error) || (error as NodeJS.ErrnoException).syscall === "stat") return undefined;
      throw error;
    }
  };
  return inTime(safely(), longestReadMs, undefined);
}
