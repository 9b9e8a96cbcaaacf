import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { canonical, type ZoneRecord } from "../../../src/dns/zone/zone.ts";
import type { MemoryState } from "../../../src/targets/memory/memory-target.ts";
import { startNameServer } from "../../dns/transfer/nameservers.ts";
import { Asker } from "../../fuzz/dark/ask.ts";
import { declaredGaps } from "../../fuzz/dark/declared.ts";
import { Lookup } from "../../fuzz/dark/lookup.ts";
import { modelOf } from "../../fuzz/dark/model.ts";
import { probesOf } from "../../fuzz/dark/probes.ts";
import { judgeStates, type PlayedWorld, playWorld } from "./world-trial.ts";

/** The verdict of BIND on the states of some worlds. */
export interface ServedResult {
  /** By seed. */
  readonly faults: Readonly<Record<number, readonly string[]>>;
  readonly states: number;
  readonly questions: number;
  /** The names at which the plans declare gaps. */
  readonly gaps: number;
}

/** The worlds whose states one process of BIND serves. */
const worldsAtOnce = 20;

/**
 * Plays worlds, has BIND serve each state that their plans make, each as a view for an address of the client, and
 * asks it what is dark. That must be what the plans declare, and what the model says of each state.
 */
export async function judgeServedWorlds(seed: number, count: number): Promise<ServedResult> {
  const faults: Record<number, readonly string[]> = {};
  const sum = { states: 0, questions: 0, gaps: 0 };
  for (let first = seed; first < seed + count; first += worldsAtOnce) {
    const seeds = Array.from({ length: Math.min(worldsAtOnce, seed + count - first) }, (_, index) => first + index);
    const worlds = await Promise.all(seeds.map(async (one) => ({ seed: one, played: await playWorld(one) })));
    const served = await ServedStates.start(worlds.flatMap(({ played }) => played.states));
    try {
      for (const { seed, played } of worlds) {
        const found = await judgeByBind(served, played);
        if (found.length > 0) faults[seed] = found;
        sum.gaps += declaredGaps(played.plan).size;
      }
      sum.states += served.count;
      sum.questions += served.questions;
    } finally {
      await served.stop();
    }
  }
  return { faults, ...sum };
}

async function judgeByBind(served: ServedStates, played: PlayedWorld): Promise<string[]> {
  const { world, plan, states } = played;
  const zones = world.zones.map(({ name }) => name);
  const differences: string[] = [];
  for (const [index, state] of states.entries()) {
    const [bind, model] = [served.askerOf(state).ask, modelOf(state)].map((ask) => new Lookup(ask, zones));
    for (const { name, type } of probesOf(world, plan, declaredGaps(plan))) {
      const [byBind, byModel] = [await bind?.end(name, type), await model?.end(name, type)];
      if (byBind !== byModel) differences.push(`state ${index}, ${name} ${type}: ${byBind}, by the model ${byModel}`);
    }
  }
  const dark = await judgeStates(played, (state) => served.askerOf(state).ask);
  return [...differences, ...dark];
}

/** A process of BIND that serves each state to an address of its own. */
class ServedStates {
  readonly #askers: ReadonlyMap<MemoryState, Asker>;
  readonly #stop: () => Promise<void>;

  private constructor(askers: ReadonlyMap<MemoryState, Asker>, stop: () => Promise<void>) {
    this.#askers = askers;
    this.#stop = stop;
  }

  static async start(states: readonly MemoryState[]): Promise<ServedStates> {
    const addressOf = (index: number) => `127.0.1.${index + 1}`;
    if (states.length > 250) throw new Error(`${states.length} states need more addresses than 127.0.1.1 to 250`);
    const config = (folder: string, port: number) => configOf(states.map(zonesOf), { folder, port, addressOf });
    const server = await startNameServer("bind", { zones: { "ready.test.": zoneText([]) }, config });
    while (!server.log().includes("all zones loaded")) await wait(10);
    const askers = await Promise.all(states.map((_, index) => Asker.open(server.port, addressOf(index))));
    return new ServedStates(new Map(states.map((state, index) => [state, askers[index] as Asker])), server.stop);
  }

  askerOf(state: MemoryState): Asker {
    return this.#askers.get(state) as Asker;
  }

  get count(): number {
    return this.#askers.size;
  }

  get questions(): number {
    return [...this.#askers.values()].reduce((sum, { asked }) => sum + asked, 0);
  }

  async stop(): Promise<void> {
    for (const asker of this.#askers.values()) asker.close();
    await this.#stop();
  }
}

/** The master files of a state, by zone. */
function zonesOf(state: MemoryState): Map<string, string> {
  return new Map([...state].map(([name, records]) => [name, zoneText(records)]));
}

function zoneText(records: readonly ZoneRecord[]): string {
  const lines = records.map((record) => `${record.owner} ${record.type} ${canonical(record)}`);
  return ["$TTL 300", "@ SOA ns1.provider.test. hostmaster.provider.test. 1 4h 1h 2w 1h", "@ NS ns1.provider.test."]
    .concat(lines, "")
    .join("\n");
}

interface Place {
  readonly folder: string;
  readonly port: number;
  readonly addressOf: (index: number) => string;
}

function configOf(states: readonly ReadonlyMap<string, string>[], { folder, port, addressOf }: Place): string {
  const views = states.map((zones, index) => {
    const blocks = [...zones].map(([name, text], zone) => {
      const file = `${index}-${zone}`;
      writeFileSync(join(folder, file), text);
      return `zone "${name}" { type primary; file "${file}"; };`;
    });
    return `view "${index}" { match-clients { ${addressOf(index)}; }; ${blocks.join(" ")} };`;
  });
  return `
options {
  directory "${folder}"; pid-file none; session-keyfile none; lock-file none;
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  recursion no; notify no; dnssec-validation no; empty-zones-enable no;
  check-names primary ignore; check-integrity no; check-mx ignore; check-sibling no;
};
controls {};
${views.join("\n")}
view "ready" { match-clients { 127.0.0.1; }; zone "ready.test" { type primary; file "0.zone"; }; };
`;
}
