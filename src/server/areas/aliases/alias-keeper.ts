import { setMaxListeners } from "node:events";
import { nameKey, readName } from "../../../dns/name/name.ts";
import { TransferError } from "../../../dns/transfer/transfer-error.ts";
import type { Settings } from "../../entities/context.ts";
import { repeatRuns, workOnDue } from "../../kit/due-items.ts";
import { timestamp } from "../../kit/timestamp.ts";
import type { Database } from "../../store/tables.ts";
import { type DueAlias, leaseAlias, listDueAliases, releaseAlias } from "./aliases-rows.ts";
import { resolveAlias } from "./resolve-alias.ts";
import { Resolvers, type ResolversOptions } from "./resolvers.ts";
import { storeFindings } from "./store-findings.ts";

export interface AliasKeeperOptions {
  readonly settings: Settings;
  readonly clock: () => Date;
  readonly resolvers: Omit<ResolversOptions, "clock" | "onQuestion">;
  /** A number from 0 up to 1, by which looks are spread; `Math.random` by default. */
  readonly jitter?: () => number;
  /** Called when records can no longer be resolved, once for each, and for every unexpected error. */
  readonly onError: (error: unknown) => void;
}

/** Lease of a record in seconds, in which no other server looks: longer than most looks, see `longestQuestion`. */
const lease = 90;
/** No record waits longer for its next look, in seconds, also if the clock was set back. */
const longestWait = 7200;
/** Maximum number of looks at once, and of one account, so that its slow targets do not delay those of others. */
const atOnce = { all: 64, ofOne: 32 };
/**
 * In one call of `runDue`: looks that begin, questions to resolvers after which none begin, and lists without accounts
 * that have too many, for which all of their due records are skipped.
 */
const inOneRun = { looks: 2000, questions: 100, lists: 1 };
/** Records that are looked at to find some of several accounts. */
const mostListed = 4 * atOnce.all;
/** Names in a line of the log. */
const mostNames = 10;

/** A record that this server has leased. */
interface Leased {
  readonly alias: DueAlias;
  readonly until: string;
}

/**
 * Keeps the addresses of ALIAS records: looks at their targets when they are new or changed, when a record of this
 * server on the way changes, and when answers of resolvers expire. Several servers on one database share the records.
 */
export class AliasKeeper {
  readonly #options: AliasKeeperOptions;
  readonly #resolvers: Resolvers;
  readonly #stop = new AbortController();
  /** The accounts of the records that are looked at, by the id of the record. */
  readonly #underWay = new Map<number, number>();
  #isClaiming = false;
  #left = { looks: 0, questions: 0, lists: 0 };
  #problems: { readonly name: string; readonly reason: string }[] = [];

  constructor(options: AliasKeeperOptions) {
    this.#options = options;
    const { clock } = options;
    const onQuestion = () => {
      this.#left.questions--;
    };
    this.#resolvers = new Resolvers({ ...options.resolvers, clock, onQuestion });
    setMaxListeners(0, this.#stop.signal); // each look has one
  }

  /** Looks at all records that are due, within the limits, and resolves after the last one. */
  async runDue(): Promise<void> {
    const { onError } = this.#options;
    this.#left = { ...inOneRun };
    const work = async (leased: Leased) => {
      try {
        await this.#look(leased);
      } finally {
        this.#underWay.delete(leased.alias.record_id);
      }
    };
    await workOnDue({ claim: () => this.#claim(), work, onError });
    this.#tellProblems();
  }

  /** Repeats `runDue` until it is closed; `wait` rejects on abort. */
  start(wait: (signal: AbortSignal) => Promise<void>): { close(): Promise<void> } {
    const { onError } = this.#options;
    return repeatRuns({ run: () => this.runDue(), wait, stop: this.#stop, onError });
  }

  /** Leases records that are due, so that no other server looks at them. */
  async #claim(): Promise<Leased[]> {
    const hasRoom = this.#underWay.size < atOnce.all && this.#left.questions > 0 && this.#left.looks > 0;
    if (this.#isClaiming || this.#stop.signal.aborted || !hasRoom) return [];
    this.#isClaiming = true;
    try {
      const { store } = this.#options.settings;
      const picked = await store.read((db) => this.#pickDue(db));
      if (picked.length === 0) return [];
      const until = this.#timestampIn(lease);
      const leased = await store.write(async (db) => {
        const own: Leased[] = [];
        // By id, so that two servers never wait for each other.
        for (const alias of [...picked].sort((a, b) => a.record_id - b.record_id))
          if (await leaseAlias(db, alias, until)) own.push({ alias, until });
        return own;
      });
      for (const { alias } of leased) this.#underWay.set(alias.record_id, alias.account_id);
      this.#left.looks -= leased.length;
      return leased;
    } finally {
      this.#isClaiming = false;
    }
  }

  /** Picks records of all accounts: while one has too many, the others are listed without it. */
  async #pickDue(db: Database): Promise<DueAlias[]> {
    const counts = new Map<number, number>();
    const countOf = (account: number) => counts.get(account) ?? 0;
    const add = (account: number) => counts.set(account, countOf(account) + 1);
    for (const account of this.#underWay.values()) add(account);
    const picked: DueAlias[] = [];
    const times = { now: this.#timestampIn(0), last: this.#timestampIn(longestWait) };
    for (let listed = mostListed; listed === mostListed; ) {
      const busy = [...counts].flatMap(([account, count]) => (count >= atOnce.ofOne ? [account] : []));
      if (busy.length > 0 && this.#left.lists-- <= 0) break;
      const records = [...this.#underWay.keys(), ...picked.map(({ record_id }) => record_id)];
      const all = await listDueAliases(db, times, { records, accounts: busy }, mostListed);
      for (const due of all) {
        if (countOf(due.account_id) >= atOnce.ofOne) continue;
        if (this.#underWay.size + picked.length === atOnce.all) return picked;
        add(due.account_id);
        picked.push(due);
      }
      listed = all.length;
    }
    return picked;
  }

  async #look({ alias, until }: Leased): Promise<void> {
    const { settings, clock, jitter = Math.random } = this.#options;
    const { store, catalog } = settings;
    const resolvers = this.#resolvers;
    const target = { target: nameKey(readName(alias.target)), account_id: alias.account_id };
    try {
      const resolved = await resolveAlias(target, { store, catalog, resolvers, clock, signal: this.#stop.signal });
      const problem = await store.write((db) =>
        storeFindings(db, { alias, until, resolved }, { ...settings, now: clock() }, jitter()),
      );
      if (problem !== undefined) this.#problems.push({ name: nameOf(alias), reason: problem });
    } catch (error) {
      // A look that was interrupted says nothing: another server may repeat it at once.
      if (!this.#stop.signal.aborted) throw error;
      await store.write((db) => releaseAlias(db, alias.record_id, until));
    }
  }

  /** One line for all records, because a resolver that fails is a problem of many. */
  #tellProblems(): void {
    const problems = this.#problems;
    if (problems.length === 0) return;
    this.#problems = [];
    const shown = problems.slice(0, mostNames).map(({ name, reason }) => `${name} (${reason})`);
    const others = problems.length > shown.length ? `, and ${problems.length - shown.length} more` : "";
    this.#options.onError(
      new TransferError(
        "transfer/alias",
        `ALIAS records could not be resolved: ${shown.join(", ")}${others}`,
        "Check their targets, and the resolvers of this server.",
      ),
    );
  }

  /** Timestamp of the moment in `seconds`. */
  #timestampIn(seconds: number): string {
    return timestamp(new Date(this.#options.clock().getTime() + seconds * 1000));
  }
}

function nameOf({ name, domain }: DueAlias): string {
  return name === "" ? domain : `${name}.${domain}`;
}
