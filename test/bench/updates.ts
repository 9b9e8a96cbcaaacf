import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startUpdateRelay, type UpdateRelay } from "../targets/rfc2136/update-relay.ts";
import { type Peer, peers } from "../updates/peers.ts";
import {
  type Configuration,
  key,
  startUpdateServer,
  type UpdateServer,
  zoneOfNumber,
  zoneText,
} from "../updates/servers.ts";
import { type Case, mebibytes, count as quantity, ratio, seconds } from "./case.ts";
import { median } from "./median.ts";
import { measureProcess, type ProcessCost } from "./process-cost.ts";

const servers: readonly Configuration[] = ["BIND", "Knot", "PowerDNS"];
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const zone = zoneOfNumber(0);

/** Records to add to a zone of a number of records. */
interface Work {
  readonly title: string;
  readonly stored: number;
  readonly added: readonly string[];
}

const names = (count: number, line: (name: string) => string) =>
  Array.from({ length: count }, (_, index) => line(`n${String(index).padStart(4, "0")}`));
const address = (name: string) => `${name} 300 A 192.0.2.40`;
const text = (name: string) => `${name} 300 TXT "${"x".repeat(255)}" "${"y".repeat(225)}"`;
const size = Number(process.env.BENCH_RECORDS ?? 100_000);

const works: readonly Work[] = [
  { title: "add 1,600 records", stored: 0, added: names(1_600, address) },
  { title: "add 101 records of 500 octets", stored: 0, added: names(101, text) },
  { title: "add one record", stored: size, added: names(1, address) },
  { title: "add 2,000 records", stored: size, added: names(2_000, address) },
];

const stored = (count: number) => Array.from({ length: count }, (_, index) => `s${index} A 192.0.2.${index % 256}\n`);

/** BIND's client, which sends what it is told without a look at the zone. */
const nsupdate: Peer = {
  name: "nsupdate",
  file: () => "script",
  prepare: (folder) => () => ["nsupdate", "-v", join(folder, "script")],
};

/** The cost of a command, and the updates that it sent. */
interface Measured extends ProcessCost {
  readonly updates: number;
  readonly octets: number;
}

/**
 * Records are added to zones of name servers: the updates, their octets, the time and the peak memory of whole
 * processes. nsupdate is told what to send; the others read the zone, compare it with a file, and zonewright reads it
 * again before and after the update (decisions/performance#dynamic-updates).
 */
export async function* run(): AsyncGenerator<Case> {
  for (const configuration of servers) for (const count of [0, size]) yield* runOn(configuration, count);
}

async function* runOn(configuration: Configuration, count: number): AsyncGenerator<Case> {
  const before = stored(count).join("");
  const server = await startUpdateServer(configuration, 1, (name) => zoneText(name) + before);
  const relay = await startUpdateRelay({ host: "127.0.0.1", port: server.port });
  const folder = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
  try {
    await server.untilServed(zone);
    const group = `${configuration}, a zone of ${count === 0 ? "13" : count.toLocaleString("en")} records`;
    for (const work of works.filter(({ stored }) => stored === count)) {
      const costs = await measure({ relay, server, folder, before }, work);
      yield* casesOf(costs, { group, name: work.title });
    }
    const plan = await measurePlan({ relay, server, folder, before });
    yield { group, name: "plan without a change", numbers: numbersOf([plan]) };
  } finally {
    relay.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Place {
  readonly relay: UpdateRelay;
  readonly server: UpdateServer;
  readonly folder: string;
  /** The lines of the zone beside those of `zoneText`. */
  readonly before: string;
}

/** The costs of each program, in turns. The records are deleted after each. */
async function measure({ relay, server, folder, before }: Place, { added }: Work): Promise<Map<string, Measured[]>> {
  const costs = new Map<string, Measured[]>();
  for (let round = 0; round < rounds; round++)
    for (const peer of [...peers, nsupdate]) {
      const cwd = mkdtempSync(join(folder, "peer-"));
      const words = prepare(peer, cwd, relay.port, added, before);
      const cost = await measured(relay, words, cwd);
      if (cost.code === 127) continue;
      const isAdded = await undo(server, cwd, added);
      if (cost.code !== 0 || !isAdded) throw new Error(`${words.join(" ")}: ${cost.code}\n${cost.talk.slice(-2_000)}`);
      costs.set(peer.name, [...(costs.get(peer.name) ?? []), cost]);
    }
  return costs;
}

function prepare(peer: Peer, cwd: string, port: number, added: readonly string[], before: string): readonly string[] {
  const command = peer.prepare(cwd, port)(zone);
  const file = join(cwd, peer.file(zone));
  mkdirSync(dirname(file), { recursive: true });
  const whole = `${zoneText(zone)}${before}${added.map((line) => `${line}\n`).join("")}`;
  writeFileSync(
    file,
    peer === nsupdate
      ? script(
          port,
          added.map((line) => `update add ${absolute(line)}`),
        )
      : whole,
  );
  return command;
}

async function measurePlan({ relay, folder, before }: Place): Promise<Measured> {
  const peer = peers.find(({ name }) => name === "zonewright");
  if (peer === undefined) throw new Error("zonewright is one of the programs");
  const cwd = mkdtempSync(join(folder, "plan-"));
  const [node = "", main = ""] = prepare(peer, cwd, relay.port, [], before);
  const cost = await measured(relay, [node, main, "plan"], cwd);
  if (cost.code !== 0) throw new Error(`plan: ${cost.code}\n${cost.talk.slice(-2_000)}`);
  return cost;
}

/** Runs a command, and counts its updates on their way. */
async function measured(relay: UpdateRelay, words: readonly string[], cwd: string): Promise<Measured> {
  const sent: number[] = [];
  relay.onUpdate = async ({ octets, forward, reply }) => {
    sent.push(octets.length);
    reply(await forward());
  };
  const cost = await measureProcess(words, { cwd });
  return { ...cost, updates: sent.length, octets: sent.reduce((sum, octets) => sum + octets, 0) };
}

/** Deletes the added records, if all of them are there. */
async function undo({ port }: UpdateServer, cwd: string, added: readonly string[]): Promise<boolean> {
  const values = added.map((line) => absolute(line).replace(/ 300 /, " "));
  const lines: string[] = [];
  for (let from = 0; from < values.length; from += 50) {
    const part = values.slice(from, from + 50);
    lines.push(...part.map((value) => `prereq yxrrset ${value}`), ...part.map((value) => `update delete ${value}`));
    lines.push("send");
  }
  writeFileSync(join(cwd, "undo"), script(port, lines));
  const { code } = await measureProcess(["nsupdate", "-v", join(cwd, "undo")], { cwd });
  return code === 0;
}

const absolute = (line: string) => line.replace(/^\S+/, (name) => `${name}.${zone}`);

function script(port: number, lines: readonly string[]): string {
  const head = [`server 127.0.0.1 ${port}`, `zone ${zone}`, `key hmac-sha256:${key.name} ${key.secret}`];
  return `${[...head, ...lines, "send"].join("\n")}\n`;
}

function numbersOf(costs: readonly Measured[]): Case["numbers"] & object {
  const middle = (of: (cost: Measured) => number) => median(costs.map(of));
  return {
    time: seconds(middle(({ wallSeconds }) => wallSeconds)),
    CPU: seconds(middle(({ cpuSeconds }) => cpuSeconds)),
    "peak memory": mebibytes(middle(({ peakBytes }) => peakBytes)),
    updates: quantity(
      middle(({ updates }) => updates),
      "updates",
    ),
    octets: quantity(
      middle(({ octets }) => octets),
      "octets",
    ),
  };
}

function* casesOf(costs: ReadonlyMap<string, readonly Measured[]>, title: { group: string; name: string }) {
  const own = costs.get("zonewright") ?? [];
  for (const { name } of [...peers, nsupdate]) {
    const theirs = costs.get(name);
    const of = { group: title.group, name: `${title.name}, ${name}` };
    if (theirs === undefined) yield { ...of, note: `not measured: ${name} is not on PATH` };
    else if (name === "zonewright") yield { ...of, numbers: numbersOf(theirs) };
    else yield { ...of, numbers: numbersOf(theirs), ratios: ratiosTo(own, theirs, name) };
  }
}

function ratiosTo(own: readonly Measured[], theirs: readonly Measured[], to: string): Case["ratios"] & object {
  const of = (value: (cost: Measured) => number) => ratio(own.map(value), theirs.map(value), { to, better: "lower" });
  return {
    "our time": of(({ wallSeconds }) => wallSeconds),
    "our CPU": of(({ cpuSeconds }) => cpuSeconds),
    "our memory": of(({ peakBytes }) => peakBytes),
    "our updates": of(({ updates }) => updates),
    "our octets": of(({ octets }) => octets),
  };
}
