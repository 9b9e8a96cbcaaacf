import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Random } from "../../executor/random.ts";
import { judgesFolder } from "../../judges.ts";
import { type Configuration, startUpdateServer } from "../../updates/servers.ts";
import { openDesk } from "./desk.ts";
import { editModel, firstModel, masterFile, typesOf, withMany, type ZoneModel } from "./random-zone.ts";
import { startUpdateRelay, type UpdateRelay } from "./update-relay.ts";

export const zone = "z01.example.";
const soa = "@ 300 IN SOA ns1 hostmaster 1 3600 600 86400 60\n";

/** The result of edits of a zone. */
export interface EditTrial {
  readonly faults: readonly string[];
  /** Updates that were sent, zones that were served one after the other, and the largest number of records. */
  readonly messages: number;
  readonly states: number;
  readonly records: number;
}

/** Records that one edit adds and a later one removes. */
const manyRecords = 4_000;

/** A server with the zone, and a project that has it. */
export interface EditedServer {
  readonly name: string;
  readonly port: number;
  readonly desk: Pick<ReturnType<typeof openDesk>, "apply">;
  /** Called after the first edit, which may create the zone. */
  readonly afterFirst?: () => Promise<void>;
  stop(): Promise<void>;
}

/** Makes random edits of a zone on a server, and has it read after each one; ends after three faults. */
export function trialEdits(configuration: Configuration, count: number, seed: number): Promise<EditTrial> {
  return trialEditsOn((root, judge) => openServer(configuration, root, judge), typesOf(configuration), { count, seed });
}

async function openServer(configuration: Configuration, root: string, judge: Judge): Promise<EditedServer> {
  const server = await startUpdateServer(configuration, 1);
  const { port } = server;
  const relay = configuration.startsWith("PowerDNS") ? await startNotingRelay(port, judge) : undefined;
  await server.untilServed(zone);
  return {
    name: configuration,
    port,
    desk: openDesk(root, relay ?? { host: "127.0.0.1", port }, zone),
    async stop() {
      relay?.stop();
      await server.stop();
    },
  };
}

/** The same on any server. */
export async function trialEditsOn(
  start: (root: string, judge: Judge) => Promise<EditedServer>,
  types: readonly string[],
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<EditTrial> {
  const judge = startJudge();
  const root = mkdtempSync(join(tmpdir(), "zonewright-edits-"));
  const { name, port, desk, afterFirst, stop } = await start(root, judge);
  const faults: string[] = [];
  const sum = { messages: 0, states: 0, records: 0 };
  try {
    let model: ZoneModel = firstModel();
    const half = Math.floor(count / 2);
    for (let edit = 0; edit < count && faults.length < 3; edit++) {
      if (edit > 0) model = editModel(model, new Random(seed * 100_000 + edit), types);
      if (edit === half) model = withMany(model, manyRecords);
      if (edit === half + 1) model = withMany(model, 0);
      const text = masterFile(model);
      const { failures, left, writes, gaps } = await desk.apply(text);
      if (edit === 0) await afterFirst?.();
      const served = await judge.compare({ zone, port, text: `$ORIGIN ${zone}\n${soa}${text}` });
      const { missing, more, doubled, states } = served;
      const dark = served.dark.filter((name) => !gaps.has(name));
      sum.messages += writes;
      sum.states += states ?? 0;
      sum.records = Math.max(sum.records, text.split("\n").length);
      if (failures.length + left + [missing, more, doubled, dark].flat().length > 0) {
        const found = JSON.stringify({ failures, left, missing, more, doubled, dark });
        faults.push(`${name}, edit ${edit} of seed ${seed}: ${found.slice(0, 2_000)}\n${text.slice(0, 4_000)}`);
      }
    }
    return { faults, ...sum };
  } finally {
    judge.stop();
    await stop();
    rmSync(root, { recursive: true, force: true });
  }
}

/**
 * Stands before PowerDNS, which sends no differences: the zone is read after each update, before the client gets the
 * reply. There are no other states, because an update is one transaction of its database.
 */
async function startNotingRelay(port: number, judge: Judge): Promise<UpdateRelay> {
  const relay = await startUpdateRelay({ host: "127.0.0.1", port });
  relay.onUpdate = async ({ forward, reply }) => {
    const octets = await forward();
    await judge.note({ zone, port });
    reply(octets);
  };
  return relay;
}

/** An answer of `served.py`. */
interface Served {
  readonly missing: readonly string[];
  readonly more: readonly string[];
  readonly doubled: readonly string[];
  readonly states: number | null;
  readonly dark: readonly string[];
}

export type Judge = ReturnType<typeof startJudge>;

/** dnspython, which reads zones from servers. */
export function startJudge() {
  const child = spawn(join(judgesFolder, "venv/bin/python"), [join(import.meta.dirname, "served.py")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (request: object) => {
    child.stdin.write(`${JSON.stringify(request)}\n`);
    const { value } = await answers.next();
    if (value === undefined) throw new Error("the judge has ended");
    return JSON.parse(value);
  };
  return {
    compare: (request: { zone: string; port: number; text: string }): Promise<Served> => ask(request),
    /** Keeps the zone as it is served now, for the next comparison. */
    note: (request: { zone: string; port: number }): Promise<unknown> => ask(request),
    stop: () => child.kill(),
  };
}
