import { count } from "../../diagnostics/quantities.ts";
import { isStoreFailure, type Store, type StoreFailure } from "../store/store.ts";

/** Time without a failure after which the database counts as back, in milliseconds: one that flaps is not. */
const quietMs = 10_000;

/** Failures of one kind of access without a pause between them. */
interface Outage {
  /** The sentences that were written. */
  readonly said: Set<string>;
  failures: number;
  /** Monotonic times, in milliseconds. */
  readonly began: number;
  last: number;
}

/**
 * Writes a line when the database begins to fail, when it fails for another reason, and when it is back, and none for
 * each request that fails.
 */
export class Outages {
  readonly #log: (line: string) => void;
  readonly #monotonic: () => number;
  readonly #current = new Map<StoreFailure["access"], Outage>();

  constructor(log: (line: string) => void, monotonic = () => performance.now()) {
    this.#log = log;
    this.#monotonic = monotonic;
  }

  /** The same store; it notices what succeeds. */
  watch(store: Store): Store {
    return {
      ...store,
      read: async (work, options) => {
        const result = await store.read(work, options);
        this.#noteSuccess("read");
        return result;
      },
      write: async (work, options) => {
        const result = await store.write(work, options);
        this.#noteSuccess("write");
        return result;
      },
    };
  }

  /** The same function for errors other than failures of the database. */
  reportTo(onError: (error: unknown) => void): (error: unknown) => void {
    return (error) => (isStoreFailure(error) ? this.#note(error) : onError(error));
  }

  #note({ access, message }: StoreFailure): void {
    const now = this.#monotonic();
    const outage = this.#current.get(access) ?? { said: new Set(), failures: 0, began: now, last: now };
    this.#current.set(access, outage);
    outage.failures++;
    outage.last = now;
    if (outage.said.has(message)) return;
    outage.said.add(message);
    this.#log(message);
  }

  #noteSuccess(access: StoreFailure["access"]): void {
    const outage = this.#current.get(access);
    if (outage === undefined || this.#monotonic() - outage.last < quietMs) return;
    this.#current.delete(access);
    const { failures, began, last } = outage;
    const seconds = count(Math.ceil((last - began) / 1000), "second");
    const times = failures === 1 ? "once" : `${count(failures, "time")} within ${seconds}`;
    const verb = access === "read" ? "read" : "write to";
    this.#log(`The service can ${verb} its database again. It failed ${times}`);
  }
}
