import pMap from "p-map";
import { rcode } from "../../transfer/codes.ts";
import { refusal, type TransferRefusal } from "../../transfer/refusal.ts";
import type { Name } from "../../zone/name.ts";
import type { Settings } from "../handlers.ts";
import type { Remote } from "../remote.ts";
import { claim, type Due, isAnyDue, mastersOf, setNext, settle } from "../store/slaves.ts";
import { timestamp } from "../timestamp.ts";
import { plainAddress } from "./address.ts";
import { type Pulled, pull } from "./pull.ts";

export interface SlavesOptions {
  readonly settings: Settings & { readonly remote: Remote };
  readonly clock: () => Date;
  /** The port of the masters: 53. */
  readonly port: number;
  /** Hears of a zone that could not be refreshed, and of what nobody foresaw. */
  readonly onError: (error: unknown) => void;
}

/** For how long nobody else asks for a zone that is being asked for, in seconds: longer than that can take. */
const lease = 600;
/** How soon masters that never gave a zone are asked again, in seconds, where the domain does not say. */
const firstRetry = 300;
/** What an SOA record may say of when to ask again, in seconds: one that says 0 would be asked without a pause. */
const often = { least: 60, most: 2_419_200 };
const mostAtOnce = 16;

/** The slave domains of the store: transferred from their masters, as their SOA records say (RFC 1034 §4.3.5) and on NOTIFY. */
export class Slaves {
  readonly #options: SlavesOptions;
  readonly #stop = new AbortController();

  constructor(options: SlavesOptions) {
    this.#options = options;
  }

  /** Asks the masters of all domains that are due. Several servers on one database share them. */
  async look(): Promise<void> {
    const { store } = this.#options.settings;
    while (!this.#stop.signal.aborted) {
      const now = timestamp(this.#options.clock());
      if (!(await store.read((db) => isAnyDue(db, now)))) return;
      const until = this.#in(lease);
      const claimed = await store.write((db) => claim(db, now, until, mostAtOnce));
      await pMap(claimed, (domain) => this.#refresh(domain, until));
    }
  }

  /** What to answer to a NOTIFY (RFC 1996 §3.11, §4.7); a master's makes the domain due. */
  async notice(zone: Name, peer: string): Promise<number> {
    const { store } = this.#options.settings;
    const key = zone.slice(0, -1).toLowerCase();
    const masters = await store.read((db) => mastersOf(db, key));
    if (masters === undefined) return rcode.NOTAUTH;
    if (!masters.map(plainAddress).includes(peer)) return rcode.REFUSED;
    await store.write((db) => setNext(db, key, this.#in(0)));
    return rcode.NOERROR;
  }

  /** Looks again and again until it is closed; `wait` gives up when its signal does. */
  start(wait: (signal: AbortSignal) => Promise<void>): { close(): Promise<void> } {
    const { signal } = this.#stop;
    const loop = async () => {
      while (!signal.aborted) {
        await this.look().catch(this.#options.onError);
        await wait(signal).catch(() => {}); // it is closed then
      }
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
    const pulled = await pull(domain, { remote, port, signal });
    if (signal.aborted) await store.write((db) => settle(db, domain, until, this.#in(0), {}));
    else await this.#settle(domain, until, pulled);
    if (pulled.kind === "failed" && !signal.aborted) onError(this.#refusal(domain, pulled.reasons));
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
    return store.write((db) => settle(db, domain, until, this.#in(bounded(known.refresh)), came));
  }

  #refusal({ domain, zone }: Due, reasons: readonly string[]): TransferRefusal {
    const expires = zone?.expires ?? "";
    const state = expires > this.#in(0) ? `it is served until ${expires} UTC` : "it is answered with SERVFAIL";
    const summary = `the slave zone ${domain} is not refreshed: ${reasons.join("; ")}; ${state}`;
    return refusal("transfer/slave", summary, "Look at its masters, and at what they allow this address.");
  }

  /** The moment in so many seconds. */
  #in(seconds: number): string {
    return timestamp(new Date(this.#options.clock().getTime() + seconds * 1000));
  }
}

function bounded(seconds: number): number {
  return Math.min(often.most, Math.max(often.least, seconds));
}
