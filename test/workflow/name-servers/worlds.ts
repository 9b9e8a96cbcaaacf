import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { guardIds } from "../../../src/planner/blocks/guards.ts";
import { Output } from "../../cli/process.ts";
import { Desk } from "../../cli/run.ts";
import { Random } from "../../executor/random.ts";
import { startFileServer } from "../../targets/files/file-servers.ts";
import { key, startUpdateServer, zoneOfNumber } from "../../updates/servers.ts";

/** The verdict on worlds: zones on several targets, and edits of them. */
export interface WorldsResult {
  readonly faults: readonly string[];
  /** The applies, and the states after each line of their output in which all servers were asked. */
  readonly applies: number;
  readonly states: number;
}

interface Server {
  readonly name: string;
  readonly port: number;
  /** Its settings as a target; `isDead`: as they are while the service does not work. */
  readonly settings: (isDead: boolean) => string;
}

/** An NS record that no answer may have: nothing listens there. */
const deadServer = "ns-dead.example.net.";

const allow = guardIds.join(",");

/** Applies edits of zones on two or three targets of several kinds, and has dig ask all servers after every write. */
export async function judgeWorlds(seed: number, count: number): Promise<WorldsResult> {
  const desk = new Desk();
  desk.sleep = (ms) => wait(ms);
  desk.now = new Date();
  desk.env.PATH = process.env.PATH;
  const { servers, stop } = await startServers(desk, count);
  const faults: string[] = [];
  const sum = { applies: 0, states: 0 };
  try {
    for (let index = 0; index < count && faults.length < 3; index++) {
      const world = new World(desk, servers, { zone: zoneOfNumber(index), random: new Random(seed + index) });
      await world.play();
      sum.applies += world.applies;
      sum.states += world.states;
      faults.push(...world.faults.map((fault) => `world ${seed + index}: ${fault}\n${world.output}`));
    }
  } finally {
    await stop();
  }
  return { faults, ...sum };
}

/** The servers of all worlds; those that take updates have every zone from the start. */
async function startServers(desk: Desk, count: number) {
  const text = (server: string) => (zone: string) =>
    `$ORIGIN ${zone}\n$TTL 300\n@ SOA ns hostmaster 1 3600 600 86400 60\n@ NS ns-${server}.example.net.\nold A 192.0.2.99\n`;
  const [bind, knot] = await Promise.all([
    startUpdateServer("BIND", count, text("bind")),
    startUpdateServer("Knot", count, text("knot")),
  ]);
  const folder = join(desk.folder, "srv");
  mkdirSync(folder);
  const files = Object.fromEntries(
    Array.from({ length: count }, (_, index) => zoneOfNumber(index).slice(0, -1)).map((zone) => [
      zone,
      join(folder, `${zone}.zone`),
    ]),
  );
  const fleet = await startFileServer("bind", files);
  for (const server of [bind, knot]) await server.untilServed(zoneOfNumber(count - 1));
  desk.write("a.key", `key "${key.name}" { algorithm hmac-sha256; secret "${key.secret}"; };\n`);
  const primary = (port: number) => (isDead: boolean) =>
    `kind: rfc2136, server: "127.0.0.1:${isDead ? 1 : port}", tsig_key_file: a.key`;
  const servers: Server[] = [
    { name: "bind", port: bind.port, settings: primary(bind.port) },
    { name: "knot", port: knot.port, settings: primary(knot.port) },
    {
      name: "fleet",
      port: fleet.port,
      settings: (isDead) =>
        `kind: files, folder: srv, verify_at: "127.0.0.1:${fleet.port}", reload: ${JSON.stringify(isDead ? ["false"] : fleet.reload)}`,
    },
  ];
  return { servers, stop: () => Promise.all([bind.stop(), knot.stop(), fleet.stop()]) };
}

/** A zone on some of the servers. */
class World {
  readonly faults: string[] = [];
  applies = 0;
  states = 0;
  readonly #desk: Desk;
  readonly #servers: readonly Server[];
  readonly #zone: string;
  readonly #random: Random;
  #records: readonly string[] = [];
  #ns: readonly string[] = [];
  /** The NS records of each server before an edit. */
  #before: ReadonlyMap<Server, readonly string[]> = new Map();
  /** The output of the last apply. */
  output = "";

  constructor(desk: Desk, servers: readonly Server[], { zone, random }: { zone: string; random: Random }) {
    [this.#desk, this.#zone, this.#random] = [desk, zone, random];
    const order = [...servers].sort(() => random.next() - 0.5);
    this.#servers = order.slice(0, 2 + random.below(2));
  }

  async play(): Promise<void> {
    for (let push = 0; push < 3 && this.faults.length === 0; push++) {
      this.#edit();
      this.#before = new Map(this.#dig().map(({ ns }, index) => [this.#servers[index] as Server, ns]));
      const dead =
        push > 0 && this.#random.below(3) === 0 ? this.#servers[this.#random.below(this.#servers.length)] : undefined;
      if (dead) {
        const code = await this.#apply(dead);
        if (code === 0) this.faults.push(`push ${push}: exit code 0 although ${dead.name} is dead`);
        this.#compare(`push ${push}, without ${dead.name}`, { isWhole: false, without: dead });
      }
      const code = await this.#apply();
      const wanted = this.#ns.includes(deadServer) ? 5 : 0;
      if (code !== wanted) this.faults.push(`push ${push}: exit code ${code}`);
      this.#compare(`push ${push}`, { isWhole: true });
    }
  }

  #edit(): void {
    const { below } = { below: (end: number) => this.#random.below(end) };
    const all = this.#servers.map(({ name }) => `ns-${name}.example.net.`);
    const some = all.filter(() => below(2) === 0);
    const first = all[below(all.length)] ?? "";
    this.#ns = [...new Set([...(some.length > 0 ? some : [first]), ...(below(4) === 0 ? [deadServer] : [])])];
    const owners = ["www", "mail", "a.b", "*.dyn"].filter(() => below(3) > 0);
    this.#records = owners.map((owner) =>
      below(3) === 0 ? `${owner} CNAME x${below(3)}.example.net.` : `${owner} A 192.0.2.${below(200)}`,
    );
  }

  async #apply(dead?: Server): Promise<number> {
    this.applies++;
    const targets = this.#servers.map((server) => {
      const at = `127.0.0.1:${server.port}`;
      const own = `ns-${server.name}.example.net: "${at}"`;
      const more = server === this.#servers[0] ? `, ${deadServer.slice(0, -1)}: "127.0.0.1:1"` : "";
      return `  ${server.name}: { ${server.settings(server === dead)}, nameservers: { ${own}${more} } }\n`;
    });
    const names = this.#servers.map(({ name }) => name).join(", ");
    this.#desk.write(
      "zonewright.yaml",
      `targets:\n${targets.join("")}zones: { path: ${this.#zone}zones, targets: [${names}] }\n`,
    );
    const lines = [...this.#ns.map((name) => `@ NS ${name}`), ...this.#records];
    this.#desk.write(
      `${this.#zone}zones/${this.#zone}zone`,
      `$ORIGIN ${this.#zone}\n$TTL 300\n@ SOA ns hostmaster 1 3600 600 86400 60\n${lines.join("\n")}\n`,
    );
    const output = new Output();
    const add = output.addTalk.bind(output);
    output.addTalk = (text) => {
      add(text);
      this.#judge(text);
    };
    const { code, out, talk } = await this.#desk.run(`apply --yes --verbose --wait 0s --allow ${allow}`, { output });
    this.#judge("the end");
    this.output = out + talk;
    return code;
  }

  /** Each server that an NS record names answers with authority. */
  #judge(moment: string): void {
    this.states++;
    const served = this.#dig();
    for (const [index, { ns }] of served.entries())
      for (const name of ns) {
        const other = served[this.#servers.findIndex((server) => `ns-${server.name}.example.net.` === name)];
        if (other?.isServed !== true)
          this.faults.push(`${this.#servers[index]?.name} has NS ${name}, which does not answer, at: ${moment}`);
      }
  }

  /** The NS records of the zone on each server. */
  #dig(): { isServed: boolean; ns: string[] }[] {
    const options = ["+norec", "+tries=1", "+time=2", "+noall", "+comments", "+answer"];
    return this.#servers.map(({ port }) => {
      const words = [...options, "-p", `${port}`, "@127.0.0.1", this.#zone, "NS"];
      const text = execFileSync("dig", words, { encoding: "utf8" });
      return {
        isServed: /status: NOERROR/.test(text) && /flags: qr[^;]* aa/.test(text),
        ns: [...text.matchAll(/\sIN\s+NS\s+(\S+)/g)].map(([, name = ""]) => name),
      };
    });
  }

  /** The records of each server are those of the file; of NS those that answer, and until all do those that it had. */
  #compare(moment: string, { isWhole, without }: { readonly isWhole: boolean; readonly without?: Server }): void {
    const wanted = this.#records.map((line) => line.replace(/^(\S+)/, `$1.${this.#zone}`).replace(" ", " 300 "));
    const isNs = (line: string) => line.includes(" NS ");
    const ns = this.#ns.filter((name) => name !== deadServer).map((name) => `${this.#zone} 300 NS ${name}`);
    for (const server of this.#servers.filter((one) => one !== without)) {
      const words = ["-p", `${server.port}`, "@127.0.0.1", this.#zone, "AXFR", "+noall", "+answer", "+tcp"];
      const found = execFileSync("dig", words, { encoding: "utf8" })
        .split("\n")
        .flatMap((line) => {
          const [owner, ttl, , type, ...data] = line.split(/\s+/);
          return type === undefined || type === "SOA" ? [] : [[owner, ttl, type, ...data].join(" ")];
        });
      // While a server is awaited, those that the zone had stay, and a new zone has that of its target.
      const awaits = this.#ns.includes(deadServer);
      const had = [...(this.#before.get(server) ?? []), `ns-${server.name}.example.net.`];
      const more = awaits ? had.map((name) => `${this.#zone} 300 NS ${name}`) : [];
      const shown = isWhole ? [...wanted, ...ns] : wanted;
      const seen = found.filter((line) => (isWhole ? ns.includes(line) || !more.includes(line) : !isNs(line)));
      if (shown.sort().join() !== seen.sort().join())
        this.faults.push(`${moment}: ${server.name} has ${seen.join(", ")} instead of ${shown.join(", ")}`);
    }
  }
}
