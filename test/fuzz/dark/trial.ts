import type { Plan } from "../../../src/planner/changes/change.ts";
import { declaredGaps } from "./declared.ts";
import { type End, isBelow, Lookup } from "./lookup.ts";
import { type Choose, type Write, writesInOrder } from "./order.ts";
import { danglingOf, newPointers, type Pointer, wholeOf } from "./pointers.ts";
import { type Probe, probesOf } from "./probes.ts";
import type { DarkService } from "./service.ts";
import { type DarkWorld, planWorld } from "./world.ts";

/** A question that was answered before the first write and after the last, but not between. */
export interface DarkMoment {
  readonly owner: string;
  readonly type: string;
  /** The number of the write after which it was first so, from 1. */
  readonly at: number;
  readonly before: string;
  readonly now: string;
  readonly after: string;
}

export interface Outcome {
  readonly plan: Plan;
  readonly writes: readonly Write[];
  readonly moments: readonly DarkMoment[];
  /** Dark, and not declared. */
  readonly undeclared: readonly DarkMoment[];
  /** Declared and never dark, as `owner type`. */
  readonly unseen: readonly string[];
  /** The keys of new pointers that led to a name that was not there yet, but is at the end. */
  readonly dangling: readonly string[];
  readonly watch?: Watch;
}

/**
 * Plans a world and carries the plan out in an order that it allows; asks the name service before, and after each
 * write.
 */
export async function runPlan(
  service: DarkService,
  world: DarkWorld,
  choose: Choose,
  same?: Outcome,
): Promise<Outcome> {
  const stored = await service.begin(world);
  const plan = same?.plan ?? planWorld(world, stored);
  const writes = writesInOrder(plan, choose);
  const watch = await Watch.begin(service, world, plan, same?.watch);
  for (const zone of plan.zones) if (zone.domainId === undefined) await service.create(zone);
  for (const write of writes) {
    if (write.kind === "record") await service.write(write.zone, write.change);
    else if (write.kind === "settings") await service.set(write.zone, write.settings);
    else await service.delete(write.zone);
    await watch.look();
  }
  return watch.end(writes);
}

/**
 * Repeats the same queries after each write. The records of a secondary zone are its primary's, so a plan does not know
 * which of its own names they lead to, and has to declare gaps as if they led elsewhere. Names of a secondary zone
 * itself are followed everywhere: they may lose their answer during a declared gap.
 */
export class Watch {
  readonly #service: DarkService;
  readonly #plan: Plan;
  readonly #zones: readonly string[];
  readonly #declared: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #secondaries: readonly string[];
  #first: Moment;
  #probes: readonly Probe[] = [];
  #before: Ends = new Map();
  #last: { readonly moment: Moment; readonly ends: Ends };
  #moment = 0;
  #pointers: readonly Pointer[] = [];
  readonly #dangling = new Set<string>();
  readonly #dark = new Map<Probe, { readonly at: number; readonly now: string }>();

  private constructor(service: DarkService, world: DarkWorld, plan: Plan) {
    this.#service = service;
    this.#plan = plan;
    this.#zones = world.zones.map(({ name }) => name);
    this.#secondaries = world.zones.filter(({ isSecondary }) => isSecondary).map(({ name }) => name);
    this.#declared = declaredGaps(plan);
    this.#first = this.#lookup();
    this.#last = { moment: this.#first, ends: new Map() };
  }

  /** `same` has watched this world and plan before: what it was told at the beginning is not asked again. */
  static async begin(service: DarkService, world: DarkWorld, plan: Plan, same?: Watch): Promise<Watch> {
    const watch = new Watch(service, world, plan);
    if (same) {
      watch.#first = same.#first;
      watch.#before = same.#before;
      watch.#probes = same.#probes;
      watch.#pointers = same.#pointers;
      return watch;
    }
    const probes = probesOf(world, plan, watch.#declared);
    watch.#before = await watch.#ends(watch.#first, probes);
    watch.#probes = probes.filter((probe) => watch.#before.get(probe) !== undefined);
    watch.#pointers = newPointers(world);
    return watch;
  }

  /** Asks after a write. */
  async look(): Promise<void> {
    this.#moment++;
    const moment = this.#lookup();
    const ends = await this.#ends(moment, this.#probes);
    for (const probe of this.#probes)
      if (ends.get(probe) === undefined && !this.#dark.has(probe))
        this.#dark.set(probe, { at: this.#moment, now: await moment.all.replyText(probe.name, probe.type) });
    for (const key of await danglingOf(this.#pointers, moment.known)) this.#dangling.add(key);
    this.#last = { moment, ends };
  }

  /** Judges: what is empty at the end was deleted, and no darkness. */
  async end(writes: readonly Write[]): Promise<Outcome> {
    const { moment: last, ends } = this.#last;
    const moments: DarkMoment[] = [];
    for (const [probe, { at, now }] of this.#dark) {
      const { owner, name, type } = probe;
      if (ends.get(probe) === undefined || !isWatched(probe, this.#before.get(probe), ends.get(probe))) continue;
      const [before, after] = [await this.#first.all.replyText(name, type), await last.all.replyText(name, type)];
      if (!this.#isOfSecondary(probe) || this.#declared.size === 0)
        moments.push({ owner, type, at, before, now, after });
    }
    const undeclared = moments.filter(({ owner, type }) => !this.#declared.get(owner)?.has(type));
    const seen = new Set(moments.map(({ owner, type }) => `${owner} ${type}`));
    const unseen = [...this.#declared].flatMap(([owner, types]) =>
      [...types].map((type) => `${owner} ${type}`).filter((key) => !seen.has(key)),
    );
    const whole = await wholeOf(this.#pointers, last.known);
    const dangling = whole.map(({ key }) => key).filter((key) => this.#dangling.has(key));
    return { plan: this.#plan, writes, moments, undeclared, unseen, dangling, watch: this };
  }

  #lookup(): Moment {
    const all = new Lookup(this.#service.ask, this.#zones);
    return { all, known: all.without(this.#secondaries) };
  }

  #isOfSecondary({ name }: Probe): boolean {
    return this.#secondaries.some((zone) => isBelow(name, zone));
  }

  async #ends(moment: Moment, probes: readonly Probe[]): Promise<Ends> {
    const ends = probes.map((probe) =>
      (this.#isOfSecondary(probe) ? moment.all : moment.known).end(probe.name, probe.type),
    );
    return new Map((await Promise.all(ends)).map((end, index) => [probes[index] as Probe, end]));
  }
}

type Ends = ReadonlyMap<Probe, End>;

interface Moment {
  readonly all: Lookup;
  readonly known: Lookup;
}

/**
 * Other servers may have any type: only the usual ones are watched where both sides leave it to them, and those in the
 * data.
 */
export function isWatched({ type, isOwn }: Probe, ...ends: End[]): boolean {
  return isOwn || ["A", "AAAA", "MX", "TXT"].includes(type) || ends.includes("data");
}
