import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { guardIds } from "../../../src/planner/blocks/guards.ts";
import { apiOf, Output, Program } from "../../cli/process.ts";
import { Desk } from "../../cli/run.ts";
import { freePort } from "../../dns/transfer/nameservers.ts";
import { Random } from "../../executor/random.ts";
import { startFileServer } from "../../targets/files/file-servers.ts";
import { apiKey, startPowerDns } from "../../targets/powerdns/servers.ts";
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
  /** Whether its zones have the NS record of the service, and no others. */
  readonly hasOwnApex?: boolean;
}

/** A zone on two or three of the servers, as its file describes it. */
interface World {
  readonly zone: string;
  readonly seed: number;
  readonly servers: readonly Server[];
  readonly random: Random;
  ns: readonly string[];
  records: readonly string[];
  /** The NS records of each server before the last edit. */
  before: ReadonlyMap<string, readonly string[]>;
}

/** An NS record that no answer may have: nothing listens there. */
const deadServer = "ns-dead.example.net.";
const serverOf = ({ name }: Server) => `ns-${name}.example.net.`;

const applyCommand = `apply --yes --wait 0s --allow ${guardIds.join(",")}`;

/** The TTL of the API for one of its grid, and for one of 120 s: a difference that targets declare. */
const servedTtl = "300";

/** Zones of one project, which are applied together. */
const zonesAtOnce = 50;
const pushes = 2;

/** Applies edits of zones on two or three targets of several kinds, and asks all servers with kdig after every zone. */
export async function judgeWorlds(seed: number, count: number): Promise<WorldsResult> {
  const desk = new Desk();
  desk.sleep = (ms) => wait(ms);
  desk.now = new Date();
  desk.env.PATH = process.env.PATH;
  const { servers, stop } = await startServers(desk, count);
  const result = { faults: [] as string[], applies: 0, states: 0 };
  try {
    for (let first = 0; first < count && result.faults.length === 0; first += zonesAtOnce) {
      const length = Math.min(zonesAtOnce, count - first);
      const worlds = Array.from({ length }, (_, index) => newWorld(servers, first + index, seed + first + index));
      await new Batch(desk, servers, worlds, result).play(new Random(seed + first), (first / zonesAtOnce) % 2 === 0);
    }
  } finally {
    await stop();
  }
  return result;
}

function newWorld(servers: readonly Server[], number: number, seed: number): World {
  const random = new Random(seed);
  const order = [...servers].sort(() => random.next() - 0.5);
  const own = order.slice(0, 2 + random.below(2));
  return { zone: zoneOfNumber(number), seed, servers: own, random, ns: [], records: [], before: new Map() };
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
  // By default, PowerDNS keeps for a minute that it does not have a zone.
  const cluster = await startPowerDns({ "cache-ttl": "0", "query-cache-ttl": "0", "negquery-cache-ttl": "0" });
  desk.write("pdns.key", apiKey);
  const hosted = await startApi(desk);
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
    {
      name: "cluster",
      port: cluster.port,
      settings: (isDead) =>
        `kind: powerdns, url: "http://127.0.0.1:${isDead ? 1 : cluster.apiPort}", api_key_file: pdns.key`,
    },
    {
      name: "hosted",
      port: hosted.port,
      settings: (isDead) => `kind: api, url: "${isDead ? "http://127.0.0.1:1" : hosted.url}"`,
      hasOwnApex: true,
    },
  ];
  return { servers, stop: () => Promise.all([bind.stop(), knot.stop(), fleet.stop(), cluster.stop()]) };
}

/** The API of `serve`, with its name server; it ends with the test. */
async function startApi(desk: Desk): Promise<{ readonly url: string; readonly port: number }> {
  const port = await freePort();
  const dns = `--dns 127.0.0.1:${port} --nameserver ns-hosted.example.net --secondary 127.0.0.1`;
  const token = "secret-for-tests";
  const program = new Program(desk.folder, `serve --port 0 --ephemeral ${dns}`, { ZONEWRIGHT_SERVE_TOKEN: token });
  const { url } = await apiOf(program);
  await program.says(/names are answered on/);
  desk.env.ZONEWRIGHT_HOSTED_TOKEN = token;
  return { url, port };
}

/** Worlds of one project. */
class Batch {
  readonly #desk: Desk;
  readonly #servers: readonly Server[];
  readonly #worlds: readonly World[];
  readonly #result: { faults: string[]; applies: number; states: number };
  #output = "";

  constructor(
    desk: Desk,
    servers: readonly Server[],
    worlds: readonly World[],
    result: { faults: string[]; applies: number; states: number },
  ) {
    [this.#desk, this.#servers, this.#worlds, this.#result] = [desk, servers, worlds, result];
  }

  /** `isWaiting`: some zones name a server that never answers. */
  async play(random: Random, isWaiting: boolean): Promise<void> {
    for (let push = 0; push < pushes && this.#result.faults.length === 0; push++) {
      const served = this.#askNs(this.#worlds);
      for (const world of this.#worlds) {
        world.before = new Map([...(served.get(world.zone) ?? [])].map(([name, { ns }]) => [name, ns]));
        edit(world, isWaiting);
      }
      if (push === 0) await this.#applyInPart(1 + random.below(this.#worlds.length));
      if (push === 1) {
        const dead = this.#servers[random.below(this.#servers.length)] as Server;
        const code = await this.#apply(dead);
        if (code === 0) this.#fault(`exit code 0 although ${dead.name} is dead`);
        this.#compareAll(`push ${push}, without ${dead.name}`, dead);
      }
      const code = await this.#apply();
      const wanted = this.#worlds.some(({ ns }) => ns.includes(deadServer)) ? 5 : 0;
      if (code !== wanted) this.#fault(`push ${push}: exit code ${code} instead of ${wanted}`);
      this.#compareAll(`push ${push}`);
    }
  }

  #fault(text: string): void {
    this.#result.faults.push(`${text}\n${this.#output}`);
  }

  /** Kills an apply after a number of lines. */
  async #applyInPart(lines: number): Promise<void> {
    this.#writeProject();
    const program = new Program(this.#desk.folder, applyCommand, { ...this.#desk.env });
    await program.says(new RegExp(`(?:(?:(?!^\\S+: ).*\\n)*^\\S+: .*\\n){${lines}}`, "m"));
    program.kill("SIGKILL");
    const { code, out, talk } = await program.end();
    this.#output = out + talk;
    if (code !== "SIGKILL") this.#fault(`apply ended before it was killed, with exit code ${code}`);
    this.#judge(this.#worlds, `kill -9 after ${lines} lines`);
    this.#desk.now = new Date(); // the next run is a later one
  }

  async #apply(dead?: Server): Promise<number> {
    this.#result.applies++;
    this.#writeProject(dead);
    const output = new Output();
    const add = output.addTalk.bind(output);
    output.addTalk = (text) => {
      add(text);
      const done = /^(\S+): done/m.exec(text)?.[1];
      const world = this.#worlds.find(({ zone }) => zone === `${done}.`);
      if (world) this.#judge([world], text);
    };
    const { code, out, talk } = await this.#desk.run(applyCommand, { output });
    this.#output = out + talk;
    this.#judge(this.#worlds, "the end");
    return code;
  }

  /** The config and the zone files; the target of a dead server is what it is while the server does not work. */
  #writeProject(dead?: Server): void {
    const targets = this.#servers.map((server, index) => {
      const at = `127.0.0.1:${server.port}`;
      const own = `${serverOf(server).slice(0, -1)}: "${at}"`;
      const more = index === 0 ? `, ${deadServer.slice(0, -1)}: "127.0.0.1:1"` : "";
      return `  ${server.name}: { ${server.settings(server === dead)}, nameservers: { ${own}${more} } }\n`;
    });
    rmSync(join(this.#desk.folder, "zones"), { recursive: true, force: true });
    const names = this.#servers.map(({ name }) => name).join(", ");
    const config = `targets:\n${targets.join("")}zones: { path: zones, targets: [${names}] }\n`;
    this.#desk.write("zonewright.yaml", config);
    for (const world of this.#worlds) this.#desk.write(`zones/${world.zone}zone`, fileOf(world));
  }

  /** Each server that an NS record names answers with authority. */
  #judge(worlds: readonly World[], moment: string): void {
    this.#result.states += worlds.length;
    const found = this.#askNs(worlds);
    for (const { zone, seed, servers } of worlds) {
      const served = found.get(zone);
      for (const [server, { ns }] of served ?? [])
        for (const name of ns) {
          const other = servers.find((one) => serverOf(one) === name);
          if (other === undefined || served?.get(other.name)?.isServed !== true)
            this.#fault(`world ${seed}: ${server} has NS ${name}, which does not answer, at: ${moment}`);
        }
    }
  }

  /** Whether the servers of zones answer with authority, and their NS records of the zone, by zone and server. */
  #askNs(worlds: readonly World[]): Map<string, Map<string, { isServed: boolean; ns: string[] }>> {
    const asked = worlds.flatMap(({ zone, servers }) => servers.map((server) => ({ zone, server })));
    // kdig starts in a quarter of dig's time, and is started after each zone.
    const text = execFileSync(
      "kdig",
      asked.flatMap(({ zone, server }) =>
        `${zone} NS @127.0.0.1 -p ${server.port} +norec +retry=0 +time=2 +noall +header +answer`.split(" "),
      ),
      { encoding: "utf8" },
    );
    const replies = text.split(/(?=;; ->>HEADER<<-)/);
    if (replies.length !== asked.length) throw new Error(`${replies.length} of ${asked.length} replies:\n${text}`);
    const found = new Map(worlds.map(({ zone }) => [zone, new Map<string, { isServed: boolean; ns: string[] }>()]));
    for (const [index, { zone, server }] of asked.entries()) {
      const reply = replies[index] ?? "";
      const isServed = /status: NOERROR/.test(reply) && /Flags: qr[^;]* aa/.test(reply);
      const ns = [...reply.matchAll(/\sIN\s+NS\s+(\S+)/g)].map(([, name = ""]) => name);
      found.get(zone)?.set(server.name, { isServed, ns });
    }
    return found;
  }

  /** The records of each server are those of the file; of NS those that answer, and until all do those that it had. */
  #compareAll(moment: string, dead?: Server): void {
    const asked = this.#worlds.flatMap((world) =>
      world.servers.filter((server) => server !== dead).map((server) => ({ world, server })),
    );
    const questions = asked.map(({ world, server }) => `-p ${server.port} @127.0.0.1 ${world.zone} AXFR`);
    this.#desk.write("questions", questions.map((question) => `${question} +noall +answer +tcp\n`).join(""));
    const text = execFileSync("dig", ["-f", join(this.#desk.folder, "questions")], { encoding: "utf8" });
    // A transfer begins and ends with the SOA record.
    const replies = text.match(/^\S+\s+\d+\s+IN\s+SOA\s.*?\sIN\s+SOA\s/gms) ?? [];
    if (replies.length !== asked.length) throw new Error(`${replies.length} of ${asked.length} replies:\n${text}`);
    for (const [index, { world, server }] of asked.entries())
      this.#compare(world, { server, reply: replies[index] ?? "", moment, isDead: dead !== undefined });
  }

  #compare({ zone, seed, ns: wantedNs, records, before }: World, { server, reply, moment, isDead }: Compared): void {
    const wanted = records.map((line) => {
      const [owner, ttl, ...data] = line.split(" ");
      return [`${owner}.${zone}`, server.hasOwnApex ? servedTtl : ttl, ...data].join(" ");
    });
    const nsLine = (name: string) => `${zone} 300 NS ${name}`;
    const ns = (server.hasOwnApex ? [serverOf(server)] : wantedNs.filter((name) => name !== deadServer)).map(nsLine);
    const found = reply.split("\n").flatMap((line) => {
      const [owner, ttl, type, ...data] = line.startsWith(";") ? [] : line.split(/\s+(?:IN\s+)?/);
      return type === undefined || type === "SOA" ? [] : [[owner, ttl, type, ...data].join(" ")];
    });
    // While a server is awaited, those that the zone had stay, and a new zone has that of its target.
    const awaits = wantedNs.includes(deadServer);
    const more = awaits ? [...(before.get(server.name) ?? []), serverOf(server)].map(nsLine) : [];
    const shown = isDead ? wanted : [...wanted, ...ns];
    const isCompared = (line: string) =>
      isDead ? !line.includes(" NS ") : shown.includes(line) || !more.includes(line);
    const seen = found.filter(isCompared);
    if ([...shown].sort().join() !== seen.sort().join())
      this.#fault(`world ${seed}, ${moment}: ${server.name} has ${seen.join(", ")} instead of ${shown.join(", ")}`);
  }
}

/** A zone of a server as dig shows it. */
interface Compared {
  readonly server: Server;
  readonly reply: string;
  readonly moment: string;
  /** Whether another server is dead, so that name servers may be missing. */
  readonly isDead: boolean;
}

function edit(world: World, isWaiting: boolean): void {
  const below = (end: number) => world.random.below(end);
  const all = world.servers.map(serverOf);
  const some = all.filter(() => below(2) === 0);
  const first = all[below(all.length)] ?? "";
  world.ns = [...(some.length > 0 ? some : [first]), ...(isWaiting && below(4) === 0 ? [deadServer] : [])];
  const owners = ["www", "mail", "a.b", "*.dyn"].filter(() => below(3) > 0);
  world.records = owners.map((owner) =>
    below(3) === 0
      ? `${owner} ${servedTtl} CNAME x${below(3)}.example.net.`
      : `${owner} ${below(4) === 0 ? 120 : servedTtl} A 192.0.2.${below(200)}`,
  );
}

function fileOf({ zone, servers, ns, records }: World): string {
  const lines = [...ns.map((name) => `@ NS ${name}`), ...records];
  const targets = servers.map(({ name }) => name).join(", ");
  return `;@ targets: ${targets}\n$ORIGIN ${zone}\n$TTL 300\n@ SOA ns hostmaster 1 3600 600 86400 60\n${lines.join("\n")}\n`;
}
