import { setMaxListeners } from "node:events";
import { Advice } from "../../../diagnostics/advice.ts";
import { plainAddress } from "../../../dns/name/address.ts";
import { type Name, nameKey } from "../../../dns/name/name.ts";
import { rcode } from "../../../dns/transfer/codes.ts";
import { TransferError } from "../../../dns/transfer/transfer-error.ts";
import { raiseSerial } from "../../areas/zones/serial.ts";
import {
  claimSlaves,
  type DueSlave,
  isAnySlaveDue,
  mastersOfSlave,
  setNextPull,
  storePull,
} from "../../areas/zones/slaves-rows.ts";
import type { Settings } from "../../entities/context.ts";
import { repeatRuns, workOnDue } from "../../kit/due-items.ts";
import { FairLimiter } from "../../kit/fair-limiter.ts";
import type { Remote } from "../../kit/remote.ts";
import { timestamp } from "../../kit/timestamp.ts";
import { type PullFailure, type PullResult, pull } from "./pull.ts";

export interface SlavesOptions {
  readonly settings: Settings & { readonly remote: Remote };
  /** Limit on transfers at once, which take memory; 16 by default. */
  readonly atOnce?: number | undefined;
  readonly clock: () => Date;
  /** The port of the masters: 53. */
  readonly port: number;
  /** Resolves after `ms`, or on abort. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Called for a zone that could not be refreshed, and for every unexpected error. */
  readonly onError: (error: unknown) => void;
}

/** Seconds by which the clocks of two servers may differ. */
const skew = 60;
/** Lease of a domain while its masters are asked, in seconds. */
const lease = 600;
/**
 * Time to ask the masters of a domain and to wait for room for a transfer, in seconds: with the time of a transfer less
 * than the lease, so that no two servers ask at once.
 */
export const longestPull = 180;
/** Retry of a zone that was never transferred, in seconds, if the domain sets none. */
const firstRetry = 300;
/** Limits on refresh and retry of an SOA record, in seconds: 0 would mean queries without a pause. */
const interval = { least: 60, most: 2_419_200 };
/** Limits on domains whose masters are queried at once, and on transfers at once. */
const most = { asked: 64, transferred: 16 };

/** The part of them that the slow masters of one account can take. */
function halfOf(limit: number): number {
  return Math.ceil(limit / 2);
}

/** A domain that this server refreshes, and until when. */
interface ClaimedSlave {
  readonly domain: DueSlave;
  readonly until: string;
}

/**
 * Transfers the slave domains of the store from their masters, at the intervals of their SOA records (RFC 1034 §4.3.5)
 * and on NOTIFY.
 */
export class Slaves {
  readonly #options: SlavesOptions;
  readonly #stop = new AbortController();
  readonly #transfers: FairLimiter;
  /** The accounts of the domains that are refreshed, by the domains' ids. */
  readonly #underWay = new Map<number, number>();
  #room = most.asked;

  constructor(options: SlavesOptions) {
    this.#options = options;
    const { atOnce = most.transferred } = options;
    this.#transfers = new FairLimiter(atOnce, halfOf(atOnce));
    setMaxListeners(0, this.#stop.signal); // each domain that is refreshed has one
  }

  /**
   * Asks the masters of all domains that are due, within the limits, and resolves after the last one. It may be called
   * again meanwhile, for domains that become due. Several servers on one database share the domains.
   */
  async runDue(): Promise<void> {
    const { onError } = this.#options;
    const work = async ({ domain, until }: ClaimedSlave) => {
      try {
        await this.#refresh(domain, until);
      } finally {
        this.#release(domain);
      }
    };
    await workOnDue({ claim: () => this.#claim(), work, onError });
  }

  #release({ id }: DueSlave): void {
    this.#underWay.delete(id);
    this.#room++;
  }

  /** Reserves room before it queries the database, because it may be called again meanwhile. */
  async #claim(): Promise<ClaimedSlave[]> {
    const { store } = this.#options.settings;
    const room = this.#room;
    if (room === 0 || this.#stop.signal.aborted) return [];
    this.#room = 0;
    let claimed: DueSlave[] = [];
    try {
      const times = { now: this.#timestampIn(0), last: this.#timestampIn(skew) };
      const until = this.#timestampIn(lease);
      const refreshed = [...this.#underWay.values()];
      const roomOf = (account: number) => halfOf(most.asked) - refreshed.filter((one) => one === account).length;
      const full = [...new Set(refreshed)].filter((account) => roomOf(account) === 0);
      const except = { domains: [...this.#underWay.keys()], accounts: full };
      if (await store.read((db) => isAnySlaveDue(db, times, except)))
        claimed = await store.write((db) => claimSlaves(db, times, until, { most: room, except, roomOf }));
      for (const { id, account_id } of claimed) this.#underWay.set(id, account_id);
      return claimed.map((domain) => ({ domain, until }));
    } finally {
      this.#room += room - claimed.length;
    }
  }

  /** Handles a NOTIFY and returns the rcode (RFC 1996 §3.11, §4.7); one from a master makes the domain due. */
  async handleNotify(zone: Name, peer: string): Promise<number> {
    const { store } = this.#options.settings;
    const key = nameKey(zone).slice(0, -1);
    const masters = await store.read((db) => mastersOfSlave(db, key));
    if (masters === undefined) return rcode.NOTAUTH;
    if (!masters.map(plainAddress).includes(peer)) return rcode.REFUSED;
    await store.write((db) => setNextPull(db, key, this.#timestampIn(0)));
    return rcode.NOERROR;
  }

  /** Repeats `runDue` until it is closed; `wait` rejects on abort. */
  start(wait: (signal: AbortSignal) => Promise<void>): { close(): Promise<void> } {
    const { onError } = this.#options;
    return repeatRuns({ run: () => this.runDue(), wait, stop: this.#stop, onError });
  }

  async #refresh(domain: DueSlave, until: string): Promise<void> {
    const { settings, port, onError } = this.#options;
    const { store, remote } = settings;
    const { signal } = this.#stop;
    const transfers = this.#transfers;
    const pulled = await this.#withLimit((limit) => pull(domain, { remote, port, signal, limit, transfers }));
    if (signal.aborted) await store.write((db) => storePull(db, domain, until, this.#timestampIn(0), {}));
    else await this.#settle(domain, until, pulled);
    if (pulled.kind === "failed" && !signal.aborted) onError(this.#transferError(domain, pulled.failures));
  }

  /** Aborts the limit after `longestPull` seconds, or on close. */
  async #withLimit<T>(work: (limit: AbortSignal) => Promise<T>): Promise<T> {
    const end = new AbortController();
    const stop = () => end.abort();
    this.#stop.signal.addEventListener("abort", stop);
    if (this.#stop.signal.aborted) stop();
    void this.#options.sleep(longestPull * 1000, end.signal).then(stop, stop);
    try {
      return await work(end.signal);
    } finally {
      this.#stop.signal.removeEventListener("abort", stop);
      stop();
    }
  }

  #settle(domain: DueSlave, until: string, pulled: PullResult): Promise<void> {
    const { store } = this.#options.settings;
    const { zone } = domain;
    if (pulled.kind === "failed") {
      const retry = zone?.retry ?? (domain.retry_sec || firstRetry);
      const latest = this.#timestampIn(zone?.expire ?? 0);
      const failed = {
        failures: domain.failures + (pulled.isCrowded ? 0 : 1),
        // A clock that ran fast at the last refresh has set a later one.
        ...((zone?.expires ?? "") > latest && { expires: latest }),
      };
      return store.write((db) => storePull(db, domain, until, this.#timestampIn(clampInterval(retry)), failed));
    }
    const known = pulled.kind === "new" ? pulled.zone : { refresh: zone?.refresh ?? 0, expire: zone?.expire ?? 0 };
    const refreshed = {
      failures: 0,
      expires: this.#timestampIn(known.expire),
      ...(pulled.kind === "new" && { ...pulled.zone, transferred: this.#timestampIn(0) }),
    };
    const serial = pulled.kind === "new" ? pulled.zone.serial : zone?.serial;
    return store.write(async (db) => {
      await storePull(db, domain, until, this.#timestampIn(clampInterval(known.refresh)), refreshed);
      // Secondaries have this serial if the domain becomes a master here.
      if (typeof serial === "number") await raiseSerial(db, domain.domain_key, serial);
    });
  }

  #transferError({ domain, zone }: DueSlave, failures: readonly PullFailure[]): TransferError {
    const expires = zone?.expires ?? "";
    const state =
      expires > this.#timestampIn(0) ? `the zone is served until ${expires} UTC` : "the zone is answered with SERVFAIL";
    const reasons = failures.map(({ reason }) => reason).join("; ");
    const fixes = [...new Set(failures.flatMap(({ fix }) => fix ?? []))];
    const summary = `cannot refresh the slave zone ${domain}: ${reasons}; ${state}`;
    return new TransferError(
      "transfer/slave",
      summary,
      fixes.length === 0 ? undefined : new Advice(fixes.flatMap((fix, at) => (at === 0 ? [fix] : [" ", fix]))),
    );
  }

  /** Timestamp of the moment in `seconds`. */
  #timestampIn(seconds: number): string {
    return timestamp(new Date(this.#options.clock().getTime() + seconds * 1000));
  }
}

function clampInterval(seconds: number): number {
  return Math.min(interval.most, Math.max(interval.least, seconds));
}
