import { isSameName, nameKey } from "../../../src/dns/name/name.ts";
import type { DesiredZone, LiveZone } from "../../../src/dns/zone/desired-live.ts";
import { recordKeyOf, type ZoneRecord } from "../../../src/dns/zone/zone.ts";
import { executePlan } from "../../../src/executor/apply.ts";
import type { Journal } from "../../../src/executor/journal/journal.ts";
import type { JournalLine } from "../../../src/executor/journal/journal-line.ts";
import { resolveLostWrites } from "../../../src/executor/resume.ts";
import { invertRun } from "../../../src/executor/undo.ts";
import { type Plan, type RecordChange, writesOf } from "../../../src/planner/changes/change.ts";
import { digestPlan } from "../../../src/planner/changes/effects.ts";
import { createMemoryTarget, type MemoryState, type MemoryTarget } from "../../../src/targets/memory/memory-target.ts";
import { readLive } from "../../../src/targets/read-live.ts";
import { Random } from "../../executor/random.ts";
import type { Ask } from "../../fuzz/dark/ask.ts";
import { declaredGaps } from "../../fuzz/dark/declared.ts";
import { generate } from "../../fuzz/dark/generate.ts";
import { Lookup } from "../../fuzz/dark/lookup.ts";
import { modelOf } from "../../fuzz/dark/model.ts";
import { probesOf } from "../../fuzz/dark/probes.ts";
import { isWatched } from "../../fuzz/dark/trial.ts";
import type { DarkWorld, DarkZone } from "../../fuzz/dark/world.ts";
import { domainName } from "../../names.ts";
import { plan as planNow } from "../../planner/plan-now.ts";
import { zoneOf } from "../../planner/world.ts";
import { memorySettings } from "./settings.ts";

/** Faults found in one world, and how much was tried there. */
export interface WorldResult {
  readonly faults: readonly string[];
  /** The change sets of its plan, the runs that were killed, or the edits by another client. */
  readonly trials: number;
  readonly gaps: number;
}

/**
 * A generated world on a service in memory with change sets; ids, lock and status follow from the seed. Nothing else
 * writes, and time passes only while a run waits.
 */
export class WorldTrial {
  readonly world: DarkWorld;
  readonly target: MemoryTarget;
  /** Called before each message of a run with its number, from 1; a promise that stays open kills the run. */
  onMessage: (number: number, isWrite: boolean) => Promise<"lost reply" | undefined> = async () => undefined;
  /** Called after each line of the journal of a run; while it is open, the line is not on the disk. */
  onLine: () => Promise<void> = async () => {};
  /** The messages of the last run. */
  messages = 0;
  #time = Date.parse("2026-03-04T12:00:00Z");

  private constructor(seed: number) {
    const { title, zones } = generate(seed);
    this.world = { title, zones: zones.filter(({ isSecondary }) => !isSecondary) };
    this.target = createMemoryTarget({
      ids: seed % 2 === 0 ? "stored" : "content",
      lock: (["none", "record", "rrset"] as const)[seed % 3] ?? "none",
      settings: seed % 5 === 0 ? [] : memorySettings,
      onMessage: async ({ isWrite }, carryOut) => {
        const fate = await this.onMessage(++this.messages, isWrite);
        const result = await carryOut();
        return fate === "lost reply" ? new Promise(() => {}) : result;
      },
    });
  }

  static async open(seed: number): Promise<WorldTrial> {
    const trial = new WorldTrial(seed);
    const { target } = trial;
    for (const { name, before } of trial.world.zones) {
      if (!before) continue;
      const id = target.addZone(domainName(name), recordsOf(name, before.lines));
      if (trial.#hasStatus && !before.isDisabled) await target.writes.changeSettings(id, { status: "active" });
    }
    return trial;
  }

  readonly clock = {
    now: () => this.#time,
    sleep: async (ms: number) => {
      this.#time += ms;
    },
  };

  get #hasStatus(): boolean {
    return this.target.capabilities.settings.length > 0;
  }

  async live(): Promise<ReadonlyMap<string, LiveZone>> {
    return (await readLive(this.target.read, () => true)).zones;
  }

  async plan(capabilities = this.target.capabilities, desired = this.desired()): Promise<Plan> {
    const live = await this.live();
    const isGone = ({ name, after }: DarkZone) => !after && live.has(nameKey(domainName(name)));
    const gone = this.world.zones.filter(isGone).map(({ name }) => live.get(name) as LiveZone);
    const kept = new Map([...live].filter(([, zone]) => !gone.includes(zone)));
    const unactivated = new Set([...live.values()].map(({ name }) => nameKey(name)));
    return planNow(desired, kept as never, { deletions: gone, capabilities, unactivated });
  }

  desired(): DesiredZone[] {
    return this.world.zones.flatMap(({ name, after }) => {
      if (!after) return [];
      const status = this.#hasStatus && after.isDisabled ? "\n;@ status: disabled" : "";
      const { desired } = this.target.accept(zoneOf(`${after.lines.join("\n")}${status}`, name));
      const served = this.#hasStatus && !after.isDisabled ? { status: "active" as const } : {};
      return [{ ...desired, settings: { ...desired.settings, ...served } }];
    });
  }

  /** Runs a plan; returns the lines of its journal and its errors. */
  async run(plan: Plan, lines: JournalLine[] = []): Promise<unknown[]> {
    const errors: unknown[] = [];
    this.messages = 0;
    const journal: Journal = {
      note: async (line) => {
        lines.push(line);
        await this.onLine();
      },
      failure: undefined,
    };
    for await (const event of executePlan(plan, this.target, { journal, clock: this.clock }))
      if (event.kind === "zone-failed") errors.push(event.error);
    return errors;
  }

  /** The differences of the live zones from the desired ones. */
  async differences(): Promise<string[]> {
    const live = await this.live();
    return this.world.zones.flatMap(({ name, after }) => {
      const zone = live.get(name);
      if (!after) return zone ? [`${name} is not deleted`] : [];
      const wanted = keysOf(recordsOf(name, after.lines));
      const stored = keysOf(zone?.records ?? []);
      return JSON.stringify(stored) === JSON.stringify(wanted) ? [] : [`${name}: ${stored} instead of ${wanted}`];
    });
  }
}

function recordsOf(name: string, lines: readonly string[]): ZoneRecord[] {
  const isApexNs = ({ type, owner }: ZoneRecord) => type === "NS" && isSameName(owner, domainName(name));
  return zoneOf(lines.join("\n"), name).records.filter((record) => record.type !== "SOA" && !isApexNs(record));
}

function keysOf(records: readonly ZoneRecord[]): string[] {
  return records.map(recordKeyOf).sort();
}

/**
 * Carries a plan out and undoes it. Each served state is asked, by a model that shares nothing with the planner: dark
 * between is what the plan declares, and no more messages are sent than sets. Effects are those without sets, without
 * a further gap.
 */
export async function judgeWorld(seed: number): Promise<WorldResult> {
  const trial = await WorldTrial.open(seed);
  const { target } = trial;
  const faults: string[] = [];
  const before = await trial.live();
  const plan = await trial.plan();
  const single = await trial.plan({ ...target.capabilities, changeSets: "none" });
  const countSwaps = ({ zones }: Plan) =>
    zones.flatMap((zone) => zone.steps.filter(({ kind }) => kind === "swap")).length;
  if (digestPlan(plan) !== digestPlan(single)) faults.push("change sets change the effects");
  const ofSingle = gapKeys(single);
  faults.push(...gapKeys(plan).flatMap((gap) => (ofSingle.includes(gap) ? [] : [`change sets add the gap ${gap}`])));
  if (countSwaps(plan) !== countSwaps(single)) faults.push("change sets change the number of swaps");
  const sets = plan.zones.flatMap(({ steps }) => [...new Set(steps.map(({ set }) => set))]);
  const settings = plan.zones.filter(({ settings }) => settings.length > 0).length;
  const [first, writes] = [target.states.length - 1, () => target.states.length - 1 - first];
  const lines: JournalLine[] = [];
  faults.push(...(await trial.run(plan, lines)).map((error) => `failed: ${error}`));
  const created = plan.zones.filter(({ domainId }) => domainId === undefined);
  const activated = created.filter(({ zone }) => zone.settings.status === "active");
  const most = sets.length + settings + created.length + activated.length + plan.deletions.length;
  if (writes() > most) faults.push(`${writes()} writes instead of ${most}`);
  faults.push(...(await trial.differences()));
  const early = earlyPointers(plan).filter((gap) => ofSingle.includes(gap));
  const states = target.states.slice(first);
  faults.push(...(await judgeStates({ world: trial.world, plan, states, early }, modelOf)));
  const { desired } = invertRun(lines, (await trial.live()) as never, target.capabilities);
  const undone = planNow(desired, (await trial.live()) as never, { capabilities: target.capabilities });
  faults.push(...(await trial.run(undone)).map((error) => `undo failed: ${error}`));
  for (const [name, zone] of before) {
    const now = keysOf((await trial.live()).get(name)?.records ?? []);
    if (JSON.stringify(now) !== JSON.stringify(keysOf(zone.records))) faults.push(`undo leaves ${name} with ${now}`);
  }
  return { faults: [...plan.unproved, ...faults], trials: sets.length, gaps: gapKeys(plan).length };
}

/**
 * Gaps declared for zones that start to be served. Zones that point to each other declare the pointers of the first one
 * even if its name had no answer before, with single steps as well: `npm run fuzz -- dark 1 1147` is one.
 */
function earlyPointers({ zones }: Plan): string[] {
  const gaps = zones.flatMap(({ activation }) => activation?.gaps ?? []);
  return gaps.flatMap(({ owner, types }) => types.map((type) => `${owner} ${type}`));
}

function gapKeys(plan: Plan): string[] {
  return [...declaredGaps(plan)].flatMap(([owner, types]) => [...types].map((type) => `${owner} ${type}`));
}

/** A world whose plan was carried out. */
export interface PlayedWorld {
  readonly world: DarkWorld;
  readonly plan: Plan;
  /** The zones as served before the plan, and after each of its messages that changed them. */
  readonly states: readonly MemoryState[];
  /** Declared gaps that need not be dark. */
  readonly early: readonly string[];
}

/** Carries out the plan of a world. @throws if a zone fails */
export async function playWorld(seed: number): Promise<PlayedWorld> {
  const trial = await WorldTrial.open(seed);
  const { target, world } = trial;
  const plan = await trial.plan();
  const ofSingle = gapKeys(await trial.plan({ ...target.capabilities, changeSets: "none" }));
  const first = target.states.length - 1;
  const [error] = await trial.run(plan);
  if (error) throw error;
  const early = earlyPointers(plan).filter((gap) => ofSingle.includes(gap));
  return { world, plan, states: target.states.slice(first), early };
}

/**
 * The names that are dark in a served state although they are not before and after, and those that are declared, by
 * what a name server answers that serves the state.
 */
export async function judgeStates(
  { world, plan, states, early }: PlayedWorld,
  serve: (state: MemoryState, index: number) => Ask,
): Promise<string[]> {
  const declared = declaredGaps(plan);
  const zones = world.zones.map(({ name }) => name);
  const lookups = states.map((state, index) => new Lookup(serve(state, index), zones));
  const dark = new Set<string>();
  for (const probe of probesOf(world, plan, declared)) {
    const ends = await Promise.all(lookups.map((lookup) => lookup.end(probe.name, probe.type)));
    const isAnswered = ends[0] !== undefined && ends.at(-1) !== undefined && isWatched(probe, ends[0], ends.at(-1));
    if (isAnswered && ends.includes(undefined)) dark.add(`${probe.owner} ${probe.type}`);
  }
  const wanted = new Set(gapKeys(plan));
  return [
    ...[...dark].filter((one) => !wanted.has(one)).map((one) => `dark and not declared: ${one}`),
    ...[...wanted]
      .filter((one) => !dark.has(one) && !early.includes(one))
      .map((one) => `declared and not dark: ${one}`),
  ];
}

/** Kills a run at each line of its journal, before or after the write under way; the next run ends as desired. */
export async function killWorld(seed: number): Promise<WorldResult> {
  const faults: string[] = [];
  const random = new Random(seed);
  const never = () => new Promise<never>(() => {});
  for (let line = 1; ; line++) {
    const trial = await WorldTrial.open(seed);
    const plan = await trial.plan();
    const lines: JournalLine[] = [];
    let isDead = false;
    const killed = new Promise<"killed">((resolve) => {
      trial.onMessage = async (_, isWrite) => {
        if (!isDead) return undefined;
        return isWrite && random.below(2) === 0 ? "lost reply" : never();
      };
      trial.onLine = async () => {
        if (isDead) return never();
        if (lines.length < line) return;
        isDead = true;
        setTimeout(() => resolve("killed"), 1);
        if (random.below(2) === 0) await never();
      };
    });
    const end = await Promise.race([killed, trial.run(plan, lines)]);
    if (end !== "killed") return { faults, trials: line - 1, gaps: 0 };
    trial.onMessage = async () => undefined;
    trial.onLine = async () => {};
    const { left } = invertRun(lines.slice(0, line), (await trial.live()) as never, trial.target.capabilities);
    faults.push(...left.filter((one) => one.includes("changed")).map((one) => `an undo at line ${line}: ${one}`));
    await resolveLostWrites([lines.slice(0, line)], trial.target.read, trial.clock, { onWait: () => {} });
    const errors = await trial.run(await trial.plan());
    faults.push(...[...errors, ...(await trial.differences())].map((fault) => `killed at line ${line}: ${fault}`));
  }
}

/** Another client replaces an address that the plan changes or deletes, before each message; a lock keeps its edit. */
export async function overtakeWorld(seed: number): Promise<WorldResult> {
  const faults: string[] = [];
  let trials = 0;
  for (let message = 1; ; message++) {
    const trial = await WorldTrial.open(seed);
    const plan = await trial.plan();
    const taken = plan.zones.flatMap((zone) =>
      writesOf(zone).flatMap((change) =>
        isAddressTaken(change) ? [{ zone: zone.zone.name, record: change.before }] : [],
      ),
    );
    const edited = taken[seed % Math.max(1, taken.length)];
    if (edited === undefined) return { faults, trials, gaps: 0 };
    const theirs = { ...edited.record, data: { address: "198.51.100.7" } };
    let isReached = false;
    trial.onMessage = async (number) => {
      if (number !== message) return undefined;
      isReached = true;
      const { records = [] } = (await readQuietly(trial)).get(edited.zone) ?? {};
      const isAlone = records.some(({ owner, type }) => isSameName(owner, theirs.owner) && type === "CNAME");
      if (!isAlone) trial.target.edit(edited.zone, [{ remove: edited.record }, { add: theirs }]);
      else isReached = false;
      return undefined;
    };
    await trial.run(plan);
    if (message > trial.messages) return { faults, trials, gaps: 0 };
    if (!isReached) continue;
    trials++;
    trial.onMessage = async () => undefined;
    const stored = keysOf((await trial.live()).get(edited.zone)?.records ?? []);
    if (!stored.includes(recordKeyOf(theirs))) faults.push(`before message ${message}: ${recordKeyOf(theirs)} is lost`);
  }
}

function isAddressTaken(change: RecordChange): change is Exclude<RecordChange, { kind: "create" }> {
  return change.kind !== "create" && change.before.type === "A";
}

/** The served records, without a message. */
async function readQuietly({ target }: WorldTrial): Promise<ReadonlyMap<string, { records: readonly ZoneRecord[] }>> {
  return new Map([...(target.states.at(-1) ?? [])].map(([name, records]) => [name, { records }]));
}
