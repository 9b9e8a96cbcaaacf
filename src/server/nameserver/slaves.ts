import { setMaxListeners } from "node:events";
import { plainAddress } from "../../dns/address.ts";
import { type Name, nameKey } from "../../dns/name.ts";
import { rcode } from "../../dns/transfer/codes.ts";
import { TransferError } from "../../dns/transfer/transfer-error.ts";
import type { Settings } from "../kit/context.ts";
import { Slots } from "../kit/fair-limiter.ts";
import type { Remote } from "../kit/remote.ts";
import { goOnBehind } from "../kit/serial.ts";
import { timestamp } from "../kit/timestamp.ts";
import { claim, type Due, isAnyDue, mastersOf, setNext, settle } from "../store/slaves.ts";
import { type Pulled, pull } from "./pull.ts";

export interface SlavesOptions {
  readonly settings: Settings & { readonly remote: Remote };
  readonly clock: () => Date;
  /** The port of the masters: 53. */
  readonly port: number;
  /** Passes after so many milliseconds, or when the signal says so. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Hears of a zone that could not be refreshed, and of what nobody foresaw. */
  readonly onError: (error: unknown) => void;
}

/** For how long nobody else asks for a zone that is being asked for, in seconds. */
const lease = 600;
/** How long all its masters may take, in seconds: less, so that nobody asks for a zone twice. */
export const longestPull = 180;
/** How soon masters that never gave a zone are asked again, in seconds, where the domain does not say. */
const firstRetry = 300;
/** What an SOA record may say of when to ask again, in seconds: one that says 0 would be asked without a pause. */
const often = { least: 60, most: 2_419_200 };
/** How many domains are asked for at once, and how many of them are transferred: those take memory, silence does not. */
const atOnce = { asked: 64, transferred: 16 };

/** The slave domains of the store: transferred from their masters, as their SOA records say (RFC 1034 §4.3.5) and on NOTIFY. */
export class Slaves {
  readonly #options: SlavesOptions;
  readonly #stop = new AbortController();
  readonly #transfers = new Slots(atOnce.transferred);
  readonly #underWay = new Set<number>();
  #room = atOnce.asked;

  constructor(options: SlavesOptions) {
    this.#options = options;
    setMaxListeners(0, this.#stop.signal); // each domain under way has one
  }

  /**
   * Asks the masters of all domains that are due, as many at once as there is room for, and ends with the last of them.
   * It may be called meanwhile, for what has become due. Several servers on one database share the domains.
   */
  async look(): Promise<void> {
    const { onError } = this.#options;
    const open = new Set<Promise<void>>();
    const begin = async () => {
      for (const { domain, until } of await this.#claim()) {
        // It does not wait for those that it begins: where some are always due, they would wait for each other for good.
        const ended = this.#refresh(domain, until)
          .catch(onError)
          .then(() => this.#leave(domain))
          .then(begin)
          .catch(onError)
          .finally(() => open.delete(ended));
        open.add(ended);
      }
    };
    await begin();
    while (open.size > 0) await Promise.all(open);
  }

  #leave({ id }: Due): void {
    this.#underWay.delete(id);
    this.#room++;
  }

  /** The room is taken before the database is asked: another look may come meanwhile. */
  async #claim(): Promise<{ domain: Due; until: string }[]> {
    const { store } = this.#options.settings;
    const room = this.#room;
    if (room === 0 || this.#stop.signal.aborted) return [];
    this.#room = 0;
    let claimed: Due[] = [];
    try {
      const now = timestamp(this.#options.clock());
      const until = this.#in(lease);
      const except = [...this.#underWay];
      if (await store.read((db) => isAnyDue(db, now, except)))
        claimed = await store.write((db) => claim(db, now, until, { most: room, except }));
      for (const { id } of claimed) this.#underWay.add(id);
      return claimed.map((domain) => ({ domain, until }));
    } finally {
      this.#room += room - claimed.length;
    }
  }

  /** What to answer to a NOTIFY (RFC 1996 §3.11, §4.7); a master's makes the domain due. */
  async notice(zone: Name, peer: string): Promise<number> {
    const { store } = this.#options.settings;
    const key = nameKey(zone).slice(0, -1);
    const masters = await store.read((db) => mastersOf(db, key));
    if (masters === undefined) return rcode.NOTAUTH;
    if (!masters.map(plainAddress).includes(peer)) return rcode.REFUSED;
    await store.write((db) => setNext(db, key, this.#in(0)));
    return rcode.NOERROR;
  }

  /** Looks again and again until it is closed; `wait` gives up when its signal does. */
  start(wait: (signal: AbortSignal) => Promise<void>): { close(): Promise<void> } {
    const { signal } = this.#stop;
    const looks = new Set<Promise<void>>();
    const loop = async () => {
      while (!signal.aborted) {
        const look = this.look()
          .catch(this.#options.onError)
          .finally(() => looks.delete(look));
        looks.add(look);
        await wait(signal).catch(() => {}); // it is closed then
      }
      await Promise.all(looks);
    };
    const ended = loop();
    return {
      close: () => {
        this.#stop.abort();
        return ended;
      },
    };
  }

  async #refresh(domain: Due, until: string): Promise<void> {
    const { settings, port, onError } = this.#options;
    const { store, remote } = settings;
    const { signal } = this.#stop;
    const transfers = this.#transfers;
    const pulled = await this.#inTime((signal) => pull(domain, { remote, port, signal, transfers }));
    if (signal.aborted) await store.write((db) => settle(db, domain, until, this.#in(0), {}));
    else await this.#settle(domain, until, pulled);
    if (pulled.kind === "failed" && !signal.aborted) onError(this.#transferError(domain, pulled.reasons));
  }

  /** Gives the work up when it takes too long, or when all ends. */
  async #inTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
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

  #settle(domain: Due, until: string, pulled: Pulled): Promise<void> {
    const { store } = this.#options.settings;
    const { zone } = domain;
    if (pulled.kind === "failed") {
      const retry = zone?.retry ?? (domain.retry_sec || firstRetry);
      return store.write((db) => settle(db, domain, until, this.#in(bounded(retry)), {}));
    }
    const known = pulled.kind === "new" ? pulled.zone : { refresh: zone?.refresh ?? 0, expire: zone?.expire ?? 0 };
    const came = {
      expires: this.#in(known.expire),
      ...(pulled.kind === "new" && { ...pulled.zone, transferred: this.#in(0) }),
    };
    const serial = pulled.kind === "new" ? pulled.zone.serial : zone?.serial;
    return store.write(async (db) => {
      await settle(db, domain, until, this.#in(bounded(known.refresh)), came);
      // Should it become a master here, its secondaries have seen this.
      if (typeof serial === "number") await goOnBehind(db, domain.domain_key, serial);
    });
  }

  #transferError({ domain, zone }: Due, reasons: readonly string[]): TransferError {
    const expires = zone?.expires ?? "";
    const state = expires > this.#in(0) ? `it is served until ${expires} UTC` : "it is answered with SERVFAIL";
    const summary = `the slave zone ${domain} is not refreshed: ${reasons.join("; ")}; ${state}`;
    return new TransferError("transfer/slave", summary, "Look at its masters, and at what they allow this address.");
  }

  /** The moment in so many seconds. */
  #in(seconds: number): string {
    return timestamp(new Date(this.#options.clock().getTime() + seconds * 1000));
  }
}

function bounded(seconds: number): number {
  return Math.min(often.most, Math.max(often.least, seconds));
}
