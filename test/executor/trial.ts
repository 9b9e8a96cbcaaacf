import * as fc from "fast-check";
import { type Client, createClient } from "../../src/client/client.ts";
import { type Name, nameKey } from "../../src/dns/name/name.ts";
import type { DesiredZone } from "../../src/dns/zone/desired-live.ts";
import { canonical, type Zone } from "../../src/dns/zone/zone.ts";
import { executePlan } from "../../src/executor/apply.ts";
import { FileJournal } from "../../src/executor/journal/journal.ts";
import { readJournal } from "../../src/executor/journal/journal-line.ts";
import { resolveLostWrites } from "../../src/executor/resume.ts";
import { createToken } from "../../src/server/areas/account/tokens-operator.ts";
import { createServer } from "../../src/server/server.ts";
import { openStore, type Store } from "../../src/server/store/store.ts";
import { accept } from "../../src/targets/api/accept.ts";
import { apiTarget } from "../../src/targets/api/target.ts";
import { readLive } from "../../src/targets/read-live.ts";
import { domainName } from "../names.ts";
import { plan } from "../planner/plan-now.ts";
import { zones as worlds } from "../planner/worlds.ts";
import { HostileWorld } from "./hostile-world.ts";
import { Random } from "./random.ts";
import { VirtualClock } from "./virtual-clock.ts";

export interface Outcome {
  /** Violations; none are expected. */
  readonly faults: readonly string[];
  readonly requests: number;
  readonly applies: number;
}

/**
 * One schedule of a hostile world: zones are created, others become desired, and apply runs repeatedly under faults,
 * sometimes interrupted. Then the faults end, apply runs until nothing is left, and live has to equal desired.
 */
export async function trial(seed: number): Promise<Outcome> {
  const store = await openStore(":memory:");
  const clock = new VirtualClock();
  try {
    return await new Trial(seed, store, clock).run();
  } finally {
    clock.stop();
    await store.close();
  }
}

class Trial {
  readonly #seed: number;
  readonly #store: Store;
  readonly #random: Random;
  readonly #clock: VirtualClock;
  readonly #journals: string[] = [];
  #applies = 0;

  constructor(seed: number, store: Store, clock: VirtualClock) {
    this.#clock = clock;
    this.#seed = seed;
    this.#store = store;
    this.#random = new Random(seed);
  }

  async run(): Promise<Outcome> {
    const now = () => new Date(this.#clock.now());
    const server = createServer({ store: this.#store, clock: now });
    const token = await createToken(this.#store, { username: "admin", now: now() });
    const world = new HostileWorld(server, token, this.#clock, this.#random);
    const [before, after] = [this.#zones(this.#seed), this.#zones(this.#seed + 1)];
    world.isHostile = false;
    const calm = this.#client(world, token);
    await this.#untilDone(world, calm, before);
    world.isHostile = true;
    const rounds = 1 + this.#random.below(3);
    for (let round = 0; round < rounds; round++) {
      world.lifetime = this.#random.below(3) === 0 ? world.requests + this.#random.below(60) : Number.POSITIVE_INFINITY;
      await this.#apply(world, this.#client(world, token), after, true);
    }
    world.lifetime = Number.POSITIVE_INFINITY;
    world.isHostile = false;
    await this.#untilDone(world, calm, after);
    const faults = [...world.faults, ...(await this.#differences(calm, after))];
    return { faults, requests: world.requests, applies: this.#applies };
  }

  /** Two zones of many kinds of records, and at times a third one. */
  #zones(seed: number): DesiredZone[] {
    const [first, second] = fc.sample(worlds, { numRuns: 2, seed });
    const isThird = seed % 2 === 0;
    return [
      renamed(first as Zone, domainName("example.com.")),
      renamed(second as Zone, domainName("example.net.")),
      ...(isThird ? [renamed(second as Zone, domainName("new.example."))] : []),
    ].map((zone) => accept(zone).desired);
  }

  #client(world: HostileWorld, token: string): Client {
    const { now, sleep } = this.#clock;
    const random = () => this.#random.next();
    return createClient({ baseUrl: "http://api", token, send: world.send, now, sleep, random });
  }

  async #untilDone(world: HostileWorld, client: Client, zones: readonly DesiredZone[]): Promise<void> {
    for (let round = 0; round < 4; round++) if (await this.#apply(world, client, zones, false)) return;
  }

  /** Gives true when nothing was to be done. A client that is gone never comes to an end: then time is up. */
  async #apply(world: HostileWorld, client: Client, zones: readonly DesiredZone[], mayFail: boolean): Promise<boolean> {
    this.#applies++;
    const index = this.#journals.push("") - 1;
    let isGone = false;
    const append = async (text: string) => {
      if (!isGone) this.#journals[index] += text;
    };
    const work = async (): Promise<boolean> => {
      await resolveLostWrites(
        [readJournal(this.#journals.slice(0, index).findLast((text) => text !== "") ?? "")],
        apiTarget(client).read,
        this.#clock,
        { onWait: () => {} },
      );
      world.isPlanning = true;
      const names = new Set(zones.map(({ name }) => name));
      const live = await readLive(apiTarget(client).read, (name) => names.has(name));
      world.isPlanning = false;
      const todo = plan(zones, live.zones, { unactivated: new Set(live.zones.keys()) });
      const journal = new FileJournal({ append, close: async () => {} }, "journal");
      for await (const event of executePlan(todo, apiTarget(client), { journal, clock: this.#clock })) void event;
      await journal.note({ kind: "end", at: "", state: "done" });
      return todo.zones.length === 0;
    };
    const gone = this.#clock.sleep(3_600_000).then(() => false);
    const isDone = await Promise.race([work(), gone]).catch((error) => {
      if (!mayFail) throw error;
      return false;
    });
    isGone = true;
    world.isPlanning = false;
    return isDone;
  }

  async #differences(client: Client, zones: readonly DesiredZone[]): Promise<string[]> {
    const live = await readLive(apiTarget(client).read, () => true);
    return zones.flatMap((zone) => {
      const now = live.zones.get(nameKey(zone.name));
      const [stored, wanted] = [linesOf(now?.records ?? []), linesOf(zone.records)];
      return [
        ...(now?.settings.status === "active" ? [] : [`${zone.name} is not served`]),
        ...minus(wanted, stored).map((line) => `lost: ${line}`),
        ...minus(stored, wanted).map((line) => `too much: ${line}`),
      ];
    });
  }
}

/** The zone under another name. */
function renamed(zone: Zone, name: Name): Zone {
  const text = JSON.stringify(zone.records).replaceAll(/example\.com\./gi, name);
  return { ...zone, name, records: JSON.parse(text) as Zone["records"] };
}

function linesOf(records: DesiredZone["records"]): string[] {
  return records.map((record) => `${record.owner.toLowerCase()} ${record.type} ${canonical(record)}`);
}

/** The multiset difference of two lists. */
function minus(list: readonly string[], other: readonly string[]): string[] {
  const left = [...other];
  return list.filter((line) => {
    const index = left.indexOf(line);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
