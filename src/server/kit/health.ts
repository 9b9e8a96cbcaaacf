import { count } from "../../diagnostics/quantities.ts";
import { inTime } from "../store/in-time.ts";
import { isStoreFailure, type Store } from "../store/store.ts";
import type { Database } from "../store/tables.ts";

/** The problems of a server. */
export const healthProblemIds = [
  "aliases-unresolved",
  "database-unreadable",
  "database-unwritable",
  "disk-low",
  "slaves-dead",
  "starting",
  "zones-stuck",
] as const;

export type HealthProblemId = (typeof healthProblemIds)[number];

/** A problem as anybody may see it: without the names of zones. */
export interface HealthProblem {
  readonly id: HealthProblemId;
  /** The number of zones or records. */
  readonly count?: number;
  readonly message: string;
}

/** `live`: whether the server should go on running; `ready`: whether requests should be sent to it. */
export type HealthProbe = "live" | "ready";

/**
 * The problems with which a probe fails. A zone of a customer is not among them: it is stuck or dead on every server of
 * the database, and must not take them away from the others.
 */
const fatal: Readonly<Record<HealthProbe, ReadonlySet<HealthProblemId>>> = {
  live: new Set(["database-unreadable"]),
  ready: new Set(["database-unreadable", "database-unwritable", "starting"]),
};

const starting: HealthProblem = { id: "starting", message: "The server is starting." };

/** Most callers give up after ten seconds. */
const defaultReadMs = 5000;

interface HealthReply {
  readonly status: 200 | 503;
  readonly body: { readonly status: "ok" | "degraded" | "unavailable"; readonly problems?: readonly HealthProblem[] };
}

/**
 * The health of a server. A probe needs no token and has no rate limit, so it costs at most a read that all waiting
 * probes share; other problems are set by those who find them.
 */
export class Health {
  /** Whether the server has done all that it does before it takes requests. */
  isStarted = true;
  /** Whether names are answered from memory, because the database does not answer; set if the server serves names. */
  isFromMemory: (() => Promise<boolean>) | undefined;
  readonly #longestReadMs: number;
  readonly #problems = new Map<HealthProblemId, HealthProblem>();
  #reading: Promise<HealthProblem | undefined> | undefined;

  /** `longestReadMs` is how long a probe waits for the database. */
  constructor(longestReadMs = defaultReadMs) {
    this.#longestReadMs = longestReadMs;
  }

  /** Sets or ends a problem. Returns whether it began or ended now. */
  set(id: HealthProblemId, problem: Omit<HealthProblem, "id"> | undefined): boolean {
    const was = this.#problems.has(id);
    if (problem) this.#problems.set(id, { id, ...problem });
    else this.#problems.delete(id);
    return was !== (problem !== undefined);
  }

  /** The reply to a probe. `onError` is called when the database fails. */
  async reply(probe: HealthProbe, store: Store, onError: (error: unknown) => void): Promise<HealthReply> {
    this.#reading ??= this.#read(store, onError).finally(() => {
      this.#reading = undefined;
    });
    const seconds = count(this.#longestReadMs / 1000, "second");
    const late = this.#unreadable(`The database has not answered within ${seconds}.`);
    const unreadable = await inTime(this.#reading, this.#longestReadMs, late);
    const problems = [
      ...(probe === "ready" && !this.isStarted ? [starting] : []),
      ...(unreadable ? [unreadable] : []),
      ...this.#problems.values(),
    ];
    if (problems.length === 0) return { status: 200, body: { status: "ok" } };
    const isFatal = problems.some(({ id }) => fatal[probe].has(id));
    return { status: isFatal ? 503 : 200, body: { status: isFatal ? "unavailable" : "degraded", problems } };
  }

  /** Reads anything, and asks as the questions for names do. Resolves to the failure of the database, if it fails. */
  async #read(store: Store, onError: (error: unknown) => void): Promise<HealthProblem | undefined> {
    try {
      const find = (db: Database) => db.selectFrom("accounts").select("id").limit(1).execute();
      const [isFromMemory] = await Promise.all([this.isFromMemory?.(), store.read(find, { isSingle: true })]);
      return isFromMemory
        ? this.#unreadable("The database has not answered the name server within a second.")
        : undefined;
    } catch (error) {
      if (!isStoreFailure(error)) throw error;
      onError(error);
      return this.#unreadable(`${error.message}.`);
    }
  }

  #unreadable(reason: string): HealthProblem {
    const message = this.isFromMemory ? `${reason} The name server answers from the zones that it has loaded.` : reason;
    return { id: "database-unreadable", message };
  }
}
