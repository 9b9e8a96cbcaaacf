import { setMaxListeners } from "node:events";
import { findLockedAccount } from "../../entities/accounts-rows.ts";
import { repeatRuns, workOnDue } from "../../kit/due-items.ts";
import { timestamp } from "../../kit/timestamp.ts";
import { findRow, updateRow } from "../../store/rows.ts";
import type { Store } from "../../store/store.ts";
import type { Database, ManagedServiceRow } from "../../store/tables.ts";
import { endIssues, isReported, reportProblem } from "./issues.ts";
import type { ProbeService } from "./probe.ts";
import { leaseService, listDueServices } from "./services-rows.ts";

export interface MonitorOptions {
  readonly store: Store;
  readonly clock: () => Date;
  readonly probe: ProbeService;
  /** Resolves after `ms`, or on abort. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Called for every unexpected error. */
  readonly onError: (error: unknown) => void;
}

/** Seconds between two probes of a service, and from its first failure to the next probe. */
const interval = 60;
const secondLook = 10;
/** Failures in a row that make a problem. */
const failuresOfProblem = 2;
/** Time of a lease beyond the timeout of its service, in seconds. */
const leaseMargin = 30;
/**
 * No service waits longer for its next probe, in seconds, also if the clock was set back. Longer than any lease, and
 * than the clocks of two servers differ.
 */
const longestWait = 600;
/** Maximum number of probes at once, and of one account, so that its slow services do not delay those of others. */
const atOnce = { all: 128, ofOne: 8 };
/** Services that are looked at to find some of several accounts. */
const mostListed = 4 * atOnce.all;

/** A service that this server has leased. */
interface Leased {
  readonly service: ManagedServiceRow;
  readonly until: string;
}

/**
 * Probes the services of the store. Several servers on one database share them: each is probed once in its interval.
 */
export class Monitor {
  readonly #options: MonitorOptions;
  readonly #stop = new AbortController();
  /** The accounts of the services that are being probed, by the id of the service. */
  readonly #underWay = new Map<number, number>();
  #isClaiming = false;

  constructor(options: MonitorOptions) {
    this.#options = options;
    setMaxListeners(0, this.#stop.signal); // each probe has one
  }

  /** Probes all services that are due, within the limits, and resolves after the last one. */
  async runDue(): Promise<void> {
    const { onError } = this.#options;
    const work = async (leased: Leased) => {
      try {
        await this.#probe(leased);
      } finally {
        this.#underWay.delete(leased.service.id);
      }
    };
    await workOnDue({ claim: () => this.#claim(), work, onError });
  }

  /** Repeats `runDue` until it is closed; `wait` rejects on abort. */
  start(wait: (signal: AbortSignal) => Promise<void>): { close(): Promise<void> } {
    const { onError } = this.#options;
    return repeatRuns({ run: () => this.runDue(), wait, stop: this.#stop, onError });
  }

  /** Leases services that are due, so that no other server probes them. */
  async #claim(): Promise<Leased[]> {
    if (this.#isClaiming || this.#stop.signal.aborted || this.#underWay.size >= atOnce.all) return [];
    this.#isClaiming = true;
    try {
      const { store } = this.#options;
      const picked = await store.read((db) => this.#pickDue(db));
      if (picked.length === 0) return [];
      const leased = await store.write((db) => this.#lease(db, picked));
      for (const { service } of leased) this.#underWay.set(service.id, service.account_id);
      return leased;
    } finally {
      this.#isClaiming = false;
    }
  }

  async #pickDue(db: Database): Promise<DueService[]> {
    const counts = new Map<number, number>();
    const countOf = (account: number) => counts.get(account) ?? 0;
    const add = (account: number) => counts.set(account, countOf(account) + 1);
    for (const account of this.#underWay.values()) add(account);
    const busy = [...counts].flatMap(([account, count]) => (count >= atOnce.ofOne ? [account] : []));
    const excluded = { ids: [...this.#underWay.keys()], accounts: busy };
    const picked: DueService[] = [];
    const times = { now: this.#timestampIn(0), last: this.#timestampIn(longestWait) };
    for (const due of await listDueServices(db, times, excluded, mostListed)) {
      if (countOf(due.account_id) >= atOnce.ofOne) continue;
      if (this.#underWay.size + picked.length === atOnce.all) break;
      add(due.account_id);
      picked.push(due);
    }
    return picked;
  }

  async #lease(db: Database, picked: readonly DueService[]): Promise<Leased[]> {
    const leased: Leased[] = [];
    // By id, so that two servers never wait for each other.
    for (const { id, next, timeout } of [...picked].sort((a, b) => a.id - b.id)) {
      const until = this.#timestampIn(timeout + leaseMargin);
      const service = next === null ? undefined : await leaseService(db, id, next, until);
      if (service) leased.push({ service, until });
    }
    return leased;
  }

  async #probe({ service, until }: Leased): Promise<void> {
    const started = this.#options.clock();
    const failure = await this.#withTimeout(service.timeout, (signal) => this.#options.probe(service, signal));
    await this.#options.store.write((db) =>
      this.#stop.signal.aborted
        ? this.#release(db, service, until)
        : this.#settle(db, { service, until }, started, failure),
    );
  }

  /** A probe that was interrupted says nothing: another server may repeat it at once. */
  async #release(db: Database, { id }: ManagedServiceRow, until: string): Promise<void> {
    if (await findRow(db, "managed_services", { id, next: until }))
      await updateRow(db, "managed_services", id, { next: this.#timestampIn(0) });
  }

  /** Stores the outcome, unless the service was changed, disabled or deleted meanwhile, or its account closed. */
  async #settle(
    db: Database,
    { service: { id, account_id }, until }: Leased,
    started: Date,
    failure: string | undefined,
  ): Promise<void> {
    const account = await findLockedAccount(db, "id", account_id);
    const service = await findRow(db, "managed_services", { id, next: until });
    if (account === undefined || service === undefined) return;
    const now = this.#options.clock();
    const usual = new Date(Math.max(now.getTime(), started.getTime() + interval * 1000));
    if (account.closed !== null || account.managed === 0) {
      await updateRow(db, "managed_services", id, { next: timestamp(usual) });
    } else if (failure === undefined) {
      const up = await updateRow(db, "managed_services", id, { status: "ok", failures: 0, next: timestamp(usual) });
      if (service.status !== "ok") await endIssues(db, up, now);
    } else {
      const failures = service.failures + 1;
      const isProblem = failures >= failuresOfProblem;
      const next = isProblem ? timestamp(usual) : this.#timestampIn(secondLook);
      const down = await updateRow(db, "managed_services", id, {
        failures,
        next,
        ...(isProblem && { status: "problem" as const }),
      });
      const isNew = service.status !== "problem" || !(await isReported(db, service));
      if (isProblem && isNew) await reportProblem(db, down, failure, now);
    }
  }

  /** Aborts the work after `seconds`, or on close. */
  async #withTimeout<T>(seconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const end = new AbortController();
    const stop = () => end.abort();
    this.#stop.signal.addEventListener("abort", stop);
    if (this.#stop.signal.aborted) stop();
    void this.#options.sleep(seconds * 1000, end.signal).then(stop, stop);
    try {
      return await work(end.signal);
    } finally {
      this.#stop.signal.removeEventListener("abort", stop);
      stop();
    }
  }

  /** Timestamp of the moment in `seconds`. */
  #timestampIn(seconds: number): string {
    return timestamp(new Date(this.#options.clock().getTime() + seconds * 1000));
  }
}

type DueService = Awaited<ReturnType<typeof listDueServices>>[number];
