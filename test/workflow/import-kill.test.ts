import { mkdirSync, readdirSync, readFileSync, watch } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Program } from "../cli/process.ts";
import { Desk } from "../cli/run.ts";
import { type Relay, startRelay } from "../dns/transfer/relay.ts";
import { useNameServer } from "../dns/transfer/use-name-server.ts";
import { isMissing } from "../judges.ts";
import { isNightly, seed } from "../properties.ts";
import { realZones } from "../real-zones.ts";

const kills = isNightly ? 20 : 2;
/** The nightly run imports all zones, as each continuation assesses the earlier ones again. */
const most = isNightly ? undefined : 12;

const zones = Object.fromEntries(
  realZones.bindFiles
    .slice(0, most)
    .map((file) => [file.replace(/zone$/, ""), readFileSync(join(realZones.bind, file), "utf8")]),
);
const count = Object.keys(zones).length;

/** Numbers below 1 that depend on the seed (mulberry32). */
function* randomNumbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    yield ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

/** The lines of the state file; the last one is empty, or cut short by a kill. */
function stateLines(desk: Desk): string[] {
  try {
    return desk.read(".zonewright/import/import.jsonl").split("\n");
  } catch {
    return []; // not made yet
  }
}

/** The zones that the state file has as imported. */
function recordedZones(desk: Desk): Set<string> {
  const pattern = /"event":"imported","zone":"([^"]+)".*\}$/;
  return new Set(stateLines(desk).flatMap((line) => pattern.exec(line)?.[1] ?? []));
}

interface Report {
  readonly zones: readonly { readonly zone: string; readonly state: string }[];
}

/** Imports of the same zones through a relay, each in a folder of its own. */
class Importer {
  readonly desk = new Desk({ "zones.txt": Object.keys(zones).join("\n") });
  readonly #relay: Relay;
  /** The requests, and the changes in the folders that the program writes to. */
  #events = 0;
  #onEvent = () => {};

  constructor(relay: Relay) {
    this.#relay = relay;
    for (const folder of ["zones", ".zonewright/import/zones", ".zonewright/import"]) {
      const path = join(this.desk.folder, folder);
      mkdirSync(path, { recursive: true });
      const watcher = watch(path, this.count);
      onTestFinished(() => watcher.close());
    }
  }

  readonly count = () => {
    this.#events++;
    this.#onEvent();
  };

  get events(): number {
    return this.#events;
  }

  start(): Program {
    const { host, port } = this.#relay;
    const from = `--from ${host}:${port} --per-server 4`;
    return new Program(this.desk.folder, `import axfr --zones-file zones.txt ${from} --report json`);
  }

  /** Runs to the end, and returns the report without the states of the zones. */
  async runToEnd(): Promise<unknown> {
    const { code, out, talk } = await this.start().end();
    expect([code, talk.match(/^error.*/gm)]).toEqual([0, null]);
    const report = JSON.parse(out) as Report;
    return report.zones.map(({ state: _, ...zone }) => zone);
  }

  /** Runs until this number of events, and kills; returns how it ended. */
  async killAfter(wanted: number): Promise<number | string> {
    const last = this.#events + wanted;
    const program = this.start();
    this.#onEvent = () => {
      if (this.#events >= last) program.kill("SIGKILL");
    };
    const { code } = await program.end();
    this.#onEvent = () => {};
    return code;
  }

  /** The zone files, by name. */
  get files(): Record<string, string> {
    return Object.fromEntries(
      readdirSync(join(this.desk.folder, "zones")).map((name) => [name, this.desk.read(`zones/${name}`)]),
    );
  }
}

test.skipIf(isMissing("named"))(
  `an import of ${count} zones, killed at ${kills} random moments and continued, gives the same files and ledgers`,
  { timeout: 480_000 },
  async () => {
    const server = await useNameServer("bind", { zones });
    let current: Importer | undefined;
    const relay = await startRelay(server, { onRequest: () => current?.count() });
    onTestFinished(() => relay.stop());
    const undisturbed = new Importer(relay);
    current = undisturbed;
    const wanted = await undisturbed.runToEnd();
    const { files, events } = undisturbed;
    expect([relay.requests.length, Object.keys(files).length]).toEqual([count, count]);

    const importer = new Importer(relay);
    current = importer;
    const { desk } = importer;
    const random = randomNumbers(seed);
    for (let kill = 0; kill < kills; kill++) {
      const recorded = recordedZones(desk);
      const requested = relay.requests.length;
      const moment = 1 + Math.floor((random.next().value * events) / kills);
      expect([kill, moment, await importer.killAfter(moment)]).toEqual([kill, moment, "SIGKILL"]);
      expect(relay.requests.slice(requested).filter((zone) => recorded.has(zone))).toEqual([]);
      const complete = Object.entries(importer.files).filter(([name]) => !name.endsWith(".part"));
      expect(complete.filter(([name, text]) => text !== files[name])).toEqual([]);
    }
    const recorded = recordedZones(desk);
    const requested = relay.requests.length;
    expect(await importer.runToEnd()).toEqual(wanted);
    expect(relay.requests.slice(requested).filter((zone) => recorded.has(zone))).toEqual([]);
    expect(importer.files).toEqual(files);
    expect(Object.keys(desk.files()).filter((file) => file.endsWith(".part"))).toEqual([]);
    expect(recordedZones(desk).size).toBe(count);
    expect(recorded.size).toBeGreaterThan(0);
  },
);
