import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { test } from "vitest";
import { listen } from "../../../src/server/http/node.ts";
import { folder } from "../../clients/run.ts";
import { start } from "../../server/start.ts";
import { type Case, type Numbers, count as quantity } from "../case.ts";
import { type Records, type Tool, tools } from "./tools.ts";

/**
 * The same work by zonewright, Terraform and DNSControl against the API server: what each sends, and which names do not
 * resolve on the way. The cases are appended, one a line, to the file that BENCH_CASES names (../peers.ts).
 */
const count = 200;
/** The time that the server adds to each request, as a network would, in milliseconds. */
const roundTrip = 50;
const swapped = 10;
const name = (n: number) => `h${n}`;
const hosts = (change: (n: number) => readonly ["A" | "CNAME", string]): Records =>
  new Map(Array.from({ length: count }, (_, n) => [name(n), change(n)]));

const created = hosts((n) => ["A", `192.0.2.${n + 1}`]);
const moved = hosts((n) => ["A", `198.51.100.${n + 1}`]);
const aliased = hosts((n) => (n < swapped ? ["CNAME", "web.example.net."] : ["A", `198.51.100.${n + 1}`]));

for (const [title, { connect, lacks }] of Object.entries(tools)) {
  test(title, async () => {
    if (lacks !== undefined) return report({ group: title, name: title, note: `not measured: ${lacks}` });
    const desk = await openDesk();
    const tool = await connect(desk, folder());
    const measure = async (work: string, records: Records, act: (tool: Tool) => Promise<unknown> = apply) => {
      tool.write(records);
      await desk.reset();
      await act(tool);
      report({ group: title, name: work, numbers: desk.numbers() });
    };
    await measure(`create ${count} records`, created);
    await measure("plan, nothing to change", created, plan);
    await measure(`change ${count} addresses`, moved);
    await measure(`swap ${swapped} names from A to CNAME`, aliased);
    report({
      group: title,
      name: `killed while creating ${count} records, run again`,
      numbers: await killed(connect),
    });
  });
}

function report(measured: Case): void {
  appendFileSync(process.env.BENCH_CASES ?? "/dev/stdout", `${JSON.stringify(measured)}\n`);
}

async function apply(tool: Tool): Promise<void> {
  const { code, text } = await tool.apply();
  if (code !== 0) throw new Error(`${tool.name} apply ended with ${code}:\n${text}`);
}

async function plan(tool: Tool): Promise<void> {
  const { code, text } = await tool.plan();
  if (code !== 0) throw new Error(`${tool.name} plan ended with ${code}:\n${text}`);
}

/** Kills the tool after half of the creates took effect, runs it again and counts the records. */
async function killed(connect: (api: Desk, folder: string) => Promise<Tool>): Promise<Numbers> {
  const desk = await openDesk();
  const tool = await connect(desk, folder());
  tool.write(created);
  const { words, env, cwd } = tool.applyCommand;
  const [program = "", ...args] = words;
  const child = spawn(program, args, { cwd, env: { PATH: process.env.PATH, HOME: cwd, ...env }, stdio: "ignore" });
  const ended = once(child, "close");
  desk.afterWrites(count / 2, () => child.kill("SIGKILL"));
  await ended;
  const { code } = await tool.apply();
  const names = (await desk.records()).map((record) => record.name);
  return {
    "exit code": quantity(Number(code), ""),
    records: quantity(names.length, "records"),
    "stored twice": quantity(names.length - new Set(names).size, "records"),
  };
}

type Desk = Awaited<ReturnType<typeof openDesk>>;

/** The API server with an empty zone, and counts of what a tool sends to it. */
async function openDesk() {
  const api = await start({ profile: "live" });
  const id = await api.domain("example.com");
  let [reads, writes, mostDark, longest] = [0, 0, 0, 0];
  /** The names that had a record at the start, and since when they have none. */
  let named: string[] = [];
  const darkSince = new Map<string, number>();
  let onWrite = (_: number) => {};
  const records = async (): Promise<{ name: string }[]> =>
    (await api.call("GET", `/domains/${id}/records?page_size=500`)).body.data;

  const listening = await listen(
    async (request, connection) => {
      const response = await api.server(request, connection);
      if (request.method === "GET") reads++;
      else {
        const names = new Set((await records()).map((record) => record.name));
        const now = performance.now();
        for (const owner of named) {
          if (!names.has(owner)) darkSince.set(owner, darkSince.get(owner) ?? now);
          else {
            longest = Math.max(longest, now - (darkSince.get(owner) ?? now));
            darkSince.delete(owner);
          }
        }
        mostDark = Math.max(mostDark, darkSince.size);
        onWrite(++writes);
      }
      await setTimeout(roundTrip);
      return response;
    },
    { port: 0 },
  );
  return {
    url: listening.url,
    token: api.token,
    records,
    afterWrites(wanted: number, act: () => void) {
      onWrite = (now) => now === wanted && act();
    },
    /** Counts from here on; a name that has a record now is dark while it has none. */
    reset: async () => {
      [reads, writes, mostDark, longest] = [0, 0, 0, 0];
      named = (await records()).map((record) => record.name);
      darkSince.clear();
    },
    numbers: (): Numbers => ({
      requests: quantity(reads + writes, "requests"),
      writes: quantity(writes, "requests"),
      ...(mostDark > 0 && {
        "at once without a record": quantity(mostDark, "names"),
        "for at most": quantity(longest / roundTrip, "round trips"),
      }),
    }),
  };
}
