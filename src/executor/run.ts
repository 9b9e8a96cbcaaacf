import type { Refusal } from "../diagnostics/diagnostic.ts";
import { plain } from "../diagnostics/plain.ts";
import { type Name, type NameKey, nameKey } from "../dns/name.ts";
import { isServed, type Plan, type Step } from "../planner/change.ts";
import type { RunContext } from "./context.ts";
import { isForAll, waitsInVain } from "./outcome.ts";
import { settingWrites } from "./writes.ts";
import { ZoneLog } from "./zone-log.ts";
import { ZoneRun } from "./zone-run.ts";

interface Zone {
  readonly run: ZoneRun;
  readonly needsLeft: Map<number, number>;
  /** What is not done of that for which its turn waits, and whether the turn comes before its steps. */
  turnNeeds: number;
  readonly turnsFirst: boolean;
  state: "waiting" | "begun" | "open" | "ended";
  /** Its steps that are not done, and those under way. */
  left: number;
  underWay: number;
  isDone: boolean;
  error?: unknown;
}

interface Job {
  readonly zone: Zone;
  /** Writes nothing, so it is done even when the run is to stop. */
  readonly isReading?: boolean;
  readonly work: () => Promise<void>;
}

class Stopped extends Error {}

/**
 * Which part of which zone comes when. A step begins when its zone is open and all that it needs is done; zones that have
 * begun go before others, so few are half way at any moment.
 */
export class Run {
  readonly #context: RunContext;
  readonly #zones: readonly Zone[];
  readonly #byName = new Map<NameKey, Zone>();
  readonly #steps = new Map<number, { zone: Zone; step: Step }>();
  /** What waits for a step, or for the turn of a zone, which begins or ceases to be served: steps, and turns of zones. */
  readonly #waiting = new Map<number | Name, (number | Zone)[]>();
  readonly #toOpen = new Set<Zone>();
  readonly #ready: Job[] = [];
  #underWay = 0;
  #halt: unknown;
  #end: () => void = () => {};

  constructor(plan: Plan, context: RunContext) {
    this.#context = context;
    const check = () => {
      if (this.#isStopped) throw new Stopped();
    };
    this.#zones = plan.zones.map((zone) => {
      const log = new ZoneLog(zone.zone.name, context);
      const run = new ZoneRun(zone, { ...context, check }, log);
      const left = zone.steps.length;
      const served = isServed(zone);
      const turnsFirst = served.before && !served.after;
      return {
        run,
        needsLeft: new Map(),
        turnNeeds: 0,
        turnsFirst,
        state: "waiting",
        left,
        underWay: 0,
        isDone: false,
      };
    });
    for (const zone of this.#zones) {
      this.#byName.set(nameKey(zone.run.plan.zone.name), zone);
      for (const step of zone.run.plan.steps) this.#steps.set(step.id, { zone, step });
    }
    for (const zone of this.#zones) {
      for (const step of zone.run.plan.steps) zone.needsLeft.set(step.id, this.#plug(step, step.id));
      zone.turnNeeds = this.#plug(zone.run.plan.turn ?? { needs: [] }, zone);
      if (this.#canOpen(zone)) this.#toOpen.add(zone);
    }
  }

  /** Is every zone as it was desired? */
  get isDone(): boolean {
    return this.#zones.every(({ isDone }) => isDone);
  }

  /** Ends when nothing is under way and nothing more can begin. Never rejects: what goes wrong is an event. */
  run(): Promise<void> {
    return new Promise((resolve) => {
      this.#end = resolve;
      this.#pump();
    });
  }

  get #isStopped(): boolean {
    return this.#halt !== undefined || this.#context.isInterrupted();
  }

  /** Has it told when what it needs is done, and says how much that is. */
  #plug({ needs, needsZones = [] }: Pick<Step, "needs" | "needsZones">, waiting: number | Zone): number {
    const sources = [
      ...needs.filter((need) => this.#steps.has(need)),
      ...needsZones.map(nameKey).filter((name) => this.#byName.has(name)),
    ];
    for (const source of sources) {
      const list = this.#waiting.get(source);
      if (list) list.push(waiting);
      else this.#waiting.set(source, [waiting]);
    }
    return sources.length;
  }

  #canOpen({ run, needsLeft, turnsFirst, turnNeeds }: Zone): boolean {
    if (turnsFirst) return turnNeeds === 0;
    return run.plan.steps.length === 0 || run.plan.steps.some(({ id }) => needsLeft.get(id) === 0);
  }

  #pump(): void {
    while (this.#underWay < this.#context.atOnce) {
      const job = this.#isStopped ? this.#nextReading() : this.#next();
      if (!job) break;
      this.#launch(job);
    }
    if (this.#underWay > 0) return;
    this.#finishAll();
  }

  async #finishAll(): Promise<void> {
    const open = this.#zones.filter(({ state }) => state === "open");
    if (this.#halt === undefined) for (const { run } of open) await run.removeDuplicates();
    for (const zone of this.#zones) this.#finish(zone);
    this.#end();
  }

  #next(): Job | undefined {
    for (let job = this.#ready.shift(); job; job = this.#ready.shift()) if (job.zone.error === undefined) return job;
    const [zone] = this.#toOpen;
    if (!zone) return undefined;
    this.#toOpen.delete(zone);
    zone.state = "begun";
    zone.run.begin();
    return { zone, work: () => this.#open(zone) };
  }

  #nextReading(): Job | undefined {
    if (this.#halt !== undefined) return undefined;
    const index = this.#ready.findIndex(({ zone, isReading }) => isReading && zone.error === undefined);
    return index < 0 ? undefined : this.#ready.splice(index, 1)[0];
  }

  async #launch({ zone, work }: Job): Promise<void> {
    this.#underWay++;
    zone.underWay++;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Stopped)) zone.error ??= error;
      if (isForAll(this.#context.target, error)) this.#halt ??= error;
    }
    // After a failure of the journal no write may begin, wherever the failure came up.
    if (this.#context.journal.failure) {
      zone.error ??= this.#context.journal.failure;
      this.#halt ??= this.#context.journal.failure;
    }
    const isLast = zone.error !== undefined && zone.underWay === 1 && zone.state !== "ended";
    if (isLast && this.#halt === undefined) await zone.run.removeDuplicates();
    this.#underWay--;
    zone.underWay--;
    if (zone.error !== undefined && zone.underWay === 0 && zone.state !== "ended") {
      zone.state = "ended";
      zone.run.failed(zone.error);
    }
    this.#pump();
  }

  async #open(zone: Zone): Promise<void> {
    await zone.run.open();
    zone.state = "open";
    if (zone.turnsFirst) this.#release(nameKey(zone.run.plan.zone.name));
    for (const step of zone.run.plan.steps) if (zone.needsLeft.get(step.id) === 0) this.#offer(zone, step);
    this.#offerClose(zone);
  }

  #offer(zone: Zone, step: Step): void {
    const work = async () => {
      await zone.run.step(step);
      zone.left--;
      this.#release(step.id);
      this.#offerClose(zone);
    };
    this.#ready.push({ zone, work });
  }

  #offerClose(zone: Zone): void {
    if (zone.state !== "open" || zone.left > 0 || zone.turnNeeds > 0) return;
    const work = async () => {
      const left = await zone.run.close();
      zone.state = "ended";
      zone.run.done(left);
      zone.isDone = left === undefined;
      if (!zone.turnsFirst) this.#release(nameKey(zone.run.plan.zone.name));
    };
    this.#ready.push({ zone, work, isReading: settingWrites(zone.run.plan).last.length === 0 });
  }

  /** A step is done, or a zone has turned: what has waited for it goes on. */
  #release(source: number | Name): void {
    for (const waiting of this.#waiting.get(source) ?? []) {
      if (typeof waiting === "object") {
        waiting.turnNeeds--;
        this.#offerClose(waiting);
        this.#offerOpen(waiting);
        continue;
      }
      const found = this.#steps.get(waiting);
      if (!found) continue;
      const { zone, step } = found;
      const left = (zone.needsLeft.get(waiting) ?? 0) - 1;
      zone.needsLeft.set(waiting, left);
      if (left > 0) continue;
      if (zone.state === "open") this.#offer(zone, step);
      else this.#offerOpen(zone);
    }
  }

  #offerOpen(zone: Zone): void {
    if (zone.state === "waiting" && this.#canOpen(zone)) this.#toOpen.add(zone);
  }

  /** At the end of the run: what has not ended was stopped, or waits for a zone that stopped. */
  #finish(zone: Zone): void {
    if (zone.state === "ended") return;
    if (this.#isStopped) {
      if (zone.state !== "waiting") zone.run.stopped();
    } else {
      if (zone.state === "waiting") zone.run.begin();
      zone.run.failed(this.#waitsInVain(zone));
    }
    zone.state = "ended";
  }

  #waitsInVain(zone: Zone): Refusal {
    const isShut = zone.turnsFirst && zone.turnNeeds > 0;
    const open = zone.run.plan.steps.filter(({ id }) => isShut || (zone.needsLeft.get(id) ?? 0) > 0);
    const waiting = [...open, ...(zone.turnNeeds > 0 && zone.run.plan.turn ? [zone.run.plan.turn] : [])];
    const others = [
      ...waiting.flatMap(({ needs }) => needs).flatMap((need) => this.#steps.get(need)?.zone ?? []),
      ...waiting.flatMap(({ needsZones = [] }) => needsZones).flatMap((name) => this.#byName.get(nameKey(name)) ?? []),
    ];
    const names = new Set(others.filter((other) => other !== zone).map(({ run }) => plain(run.plan.zone.name.slice(0, -1)))); // biome-ignore format: one thought
    const count = open.reduce((sum, { writes }) => sum + writes.length, waiting.length - open.length);
    const are = count === 1 ? "is not begun: it needs" : "are not begun: they need";
    const summary = `${count} of its writes ${are} what stopped in ${[...names].join(", ")}`;
    return waitsInVain(summary);
  }
}
