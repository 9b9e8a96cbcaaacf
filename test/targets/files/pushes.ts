import { cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { isLater } from "../../../src/dns/name/serial.ts";
import { guards } from "../../../src/planner/blocks/guards.ts";
import { gitIn } from "../../cli/git.ts";
import {
  type Consumer,
  type ConsumerName,
  consumers,
  startConsumer,
  untilServes,
} from "../../dns/transfer/catalog-consumers.ts";
import { freePort } from "../../dns/transfer/nameservers.ts";
import { Random } from "../../executor/random.ts";
import { type Judge, startJudge } from "../rfc2136/edits.ts";
import { editModel, firstModel, masterFile, typesOf, type ZoneModel } from "../rfc2136/random-zone.ts";
import { startFileServer } from "./file-servers.ts";
import { Fleet } from "./fleet.ts";

/** The result of pushes; `serials` counts the changes of zones, each with a later serial. */
export interface PushTrial {
  readonly faults: readonly string[];
  readonly serials: number;
  readonly compared: number;
}

const catalog = "catalog.example";

/** Events besides random edits, one with each push from the second one on. */
const events = ["clock", "revert", "machine", "backup", "policy", "policy", "rebase", "machine", "clock"] as const;

const allow = guards.map(({ guard }) => guard).join(",");

const minute = 60_000;

/**
 * Pushes random edits of zones to a repository whose zones BIND publishes from files, and compares what three
 * secondaries of its catalog zone serve after each push.
 */
export async function trialPushes(zones: number, pushes: number, seed: number): Promise<PushTrial> {
  const trial = new Trial(zones, seed);
  const judge = startJudge();
  const stop = await trial.start();
  try {
    await trial.push("first", judge);
    for (let push = 1; push < pushes && trial.faults.length < 3; push++)
      await trial.push(events[(push - 1) % events.length] ?? "", judge);
    return trial;
  } finally {
    judge.stop();
    await stop();
  }
}

class Trial implements PushTrial {
  readonly faults: string[] = [];
  serials = 0;
  compared = 0;
  readonly #random: Random;
  /** Every zone that there ever is; some come later, and some leave. */
  readonly #names: readonly string[];
  #models = new Map<string, ZoneModel>();
  /** The records of each zone, in any order, and its serial. */
  #published = new Map<string, { readonly records: string; readonly serial: number }>();
  readonly #machines = [new Fleet({}), new Fleet({})] as const;
  #machine: Fleet = this.#machines[0];
  #secondaries: readonly (Consumer & { readonly name: string })[] = [];
  #settings = "";
  #policy: "unixtime" | "date" = "unixtime";
  #now = Date.parse("2026-11-30T10:00:00Z");

  constructor(zones: number, seed: number) {
    this.#random = new Random(seed);
    this.#names = Array.from({ length: zones + Math.ceil(zones / 8) }, (_, index) => `z${index + 1}.example`);
    for (const name of this.#names.slice(0, zones)) this.#models.set(name, firstModel());
  }

  /** Starts the servers, and makes the two machines, which share the folder of the first. Returns what ends them. */
  async start(): Promise<() => Promise<void>> {
    const [first, second] = this.#machines;
    const folder = join(first.folder, "srv");
    const ports = new Map<ConsumerName, number>();
    for (const name of Object.keys(consumers) as ConsumerName[]) ports.set(name, await freePort());
    const notified = [...ports.values()].map((port) => `127.0.0.1 port ${port};`).join(" ");
    const list = [...this.#names, catalog].map(
      (name) =>
        `zone "${name}" { type primary; check-names ignore; file "${folder}/${name}.zone"; notify explicit; notify-delay 0; also-notify { ${notified} }; };\n`,
    );
    const primary = await startFileServer("bind", {}, list.join(""));
    // Random zones have addresses at names such as _sip._tcp.
    const check = primary.check.map((word) => (word === "fail" ? "ignore" : word));
    this.#settings = `folder: ${folder}, check: ${JSON.stringify(check)}, reload: ${JSON.stringify(primary.reload)}, verify_at: "127.0.0.1:${primary.port}", catalog: ${catalog}`;
    this.#secondaries = [...ports].map(([name, port]) => ({
      name,
      ...startConsumer(name, { port, primary: primary.port, catalog }),
    }));
    const git = gitIn(first.folder);
    git("init", "-q", "--bare", "origin.git");
    for (const machine of [first, second]) {
      gitIn(machine.folder)("init", "-q");
      gitIn(machine.folder)("remote", "add", "origin", join(first.folder, "origin.git"));
      machine.sleep = (ms) => wait(ms);
    }
    return () => primary.stop();
  }

  async push(event: string, judge: Judge): Promise<void> {
    this.#now += event === "clock" ? -61 * minute : 10 * minute;
    if (event === "policy") this.#policy = this.#policy === "date" ? "unixtime" : "date";
    this.#edit(event);
    this.#commit(event);
    if (event === "machine") this.#exchangeMachines();
    this.#configure();
    if (event === "backup") this.#restoreBackup();
    else this.#saveBackup();
    await this.#apply(event);
    await this.#compare(event, judge);
  }

  /** Edits a quarter of the zones, or takes back the last edits; one zone comes and one leaves at times. */
  #edit(event: string): void {
    if (event === "first") return;
    const models = new Map(this.#models);
    const types = typesOf("PowerDNS");
    const pick = <T>(list: readonly T[]) => list[this.#random.below(list.length)] as T;
    if (event === "revert") this.#models = this.#previous;
    this.#previous = models;
    if (event === "revert") return;
    const next = new Map(models);
    for (let left = Math.ceil(next.size / 4); left > 0; left--) {
      const name = pick([...next.keys()]);
      next.set(name, editModel(next.get(name) as ZoneModel, this.#random, types));
    }
    const absent = this.#names.filter((name) => !next.has(name));
    if (this.#random.below(2) === 0 && absent.length > 0) next.set(pick(absent), firstModel());
    if (this.#random.below(2) === 0) next.delete(pick([...next.keys()]));
    this.#models = next;
  }

  #previous = new Map<string, ZoneModel>();

  /** Commits the zone files; a rebase replaces the last commit by one with the same files. */
  #commit(event: string): void {
    const { folder } = this.#machine;
    const git = gitIn(folder);
    rmSync(join(folder, "zones"), { recursive: true, force: true });
    for (const name of this.#models.keys()) this.#machine.write(`zones/${name}.zone`, this.#textOf(name));
    git("add", "--all", "zones");
    git("commit", "-q", "--allow-empty", "-m", event);
    if (event === "rebase") git("commit", "-q", "--amend", "--allow-empty", "-m", "the same files");
    git("push", "-q", "--force", "origin", "HEAD:main");
  }

  #textOf(name: string): string {
    const soa = "@ 300 IN SOA ns1 hostmaster 1 3600 600 86400 60\n";
    return `; by people\n$ORIGIN ${name}.\n${soa}${masterFile(this.#models.get(name) as ZoneModel)}`;
  }

  #exchangeMachines(): void {
    const [first, second] = this.#machines;
    this.#machine = this.#machine === first ? second : first;
    const git = gitIn(this.#machine.folder);
    git("fetch", "-q", "origin", "main");
    git("reset", "-q", "--hard", "FETCH_HEAD");
  }

  #configure(): void {
    const settings = `kind: files, serial: ${this.#policy}, ${this.#settings}`;
    this.#machine.write("zonewright.yaml", `targets:\n  fleet: { ${settings} }\n`);
    this.#machine.now = new Date(this.#now);
    this.#machine.waited = 0;
  }

  #saveBackup(): void {
    const [{ folder }] = this.#machines;
    rmSync(join(folder, "backup"), { recursive: true, force: true });
    cpSync(join(folder, "srv"), join(folder, "backup"), { recursive: true });
  }

  /** The folder as it was before the last push. */
  #restoreBackup(): void {
    const [{ folder }] = this.#machines;
    rmSync(join(folder, "srv"), { recursive: true });
    cpSync(join(folder, "backup"), join(folder, "srv"), { recursive: true });
  }

  async #apply(event: string): Promise<void> {
    const [{ folder }] = this.#machines;
    const gone = this.#names.filter((name) => !this.#models.has(name) && existsSync(join(folder, `srv/${name}.zone`)));
    const deletions = gone.flatMap((name) => ["--delete-zone", name]);
    const { code, talk, out } = await this.#machine.run(["apply", "--yes", "--allow", allow, ...deletions]);
    if (code !== 0) throw new Error(`${event}: exit code ${code}\n${talk}${out}`);
    const plan = await this.#machine.run("plan");
    const wanted = `in sync: ${this.#models.size + 1} zones, nothing to do\n`;
    if (plan.out !== wanted) this.faults.push(`${event}: the next plan: ${plan.out}${plan.talk}`.slice(0, 4000));
  }

  async #compare(event: string, judge: Judge): Promise<void> {
    const published = new Map<string, { records: string; serial: number }>();
    const changed: string[] = [];
    for (const name of this.#models.keys()) {
      const serial = this.#machines[0].serial(`srv/${name}.zone`);
      const records = this.#textOf(name).split("\n").sort().join("\n");
      const before = this.#published.get(name);
      published.set(name, { records, serial });
      if (before?.records === records && serial === before.serial) continue;
      if (before?.records === records && event !== "backup")
        this.faults.push(`${event}: ${name} has another serial and the same content`);
      changed.push(name);
      if (before && !isLater(serial, before.serial))
        this.faults.push(`${event}: ${name} has the serial ${serial} after ${before.serial}`);
    }
    this.serials += changed.length;
    this.#published = published;
    const wanted = Object.fromEntries([...published].map(([name, { serial }]) => [name, serial]));
    for (const secondary of this.#secondaries) {
      await untilServes(secondary, this.#names, wanted);
      for (const zone of changed) {
        const request = { zone: `${zone}.`, port: secondary.port, text: this.#textOf(zone) };
        const { missing, more, doubled } = await judge.compare(request);
        this.compared++;
        if ([missing, more, doubled].flat().length > 0)
          this.faults.push(`${event}: ${secondary.name} ${zone}: ${JSON.stringify({ missing, more, doubled })}`);
      }
    }
  }
}
