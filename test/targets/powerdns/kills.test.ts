// @suite long
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { Program } from "../../cli/process.ts";
import { isMissing } from "../../judges.ts";
import { isNightly } from "../../properties.ts";
import { type Judge, startJudge } from "../rfc2136/edits.ts";
import { killAtLine } from "../rfc2136/kills.ts";
import { pass, startApiRelay } from "./api-relay.ts";
import { delv } from "./delv.ts";
import { allowed, openDesk } from "./desk.ts";
import { type PowerDnsServer, startPowerDns } from "./servers.ts";

const records = {
  before: "@ NS ns1.example.net.\nwww A 192.0.2.1\nswap CNAME www\nold TXT old\n",
  after: "@ NS ns2.example.net.\nwww A 192.0.2.2\nswap A 192.0.2.3\nnew TXT new\ndeep.ent A 192.0.2.4\n",
};
const textOf = (zone: string, state: keyof typeof records) =>
  `$ORIGIN ${zone}\n$TTL 300\n@ SOA ns1.example.net. ops.example.net. 1 3600 600 86400 60\n${records[state]}`;

let server: PowerDnsServer;
let judge: Judge;
/** A secondary that only counts the NOTIFY messages for each zone. */
const secondary = createSocket("udp4");
const notified = new Map<string, number>();
beforeAll(async () => {
  await once(secondary.bind(0, "127.0.0.1"), "listening");
  secondary.on("message", (message, { port, address }) => {
    const isNotify = ((message[2] ?? 0) >> 3) % 16 === 4;
    const zone = message.toString("latin1", 13, 13 + (message[12] ?? 0));
    if (isNotify) notified.set(zone, (notified.get(zone) ?? 0) + 1);
    message[2] = (message[2] ?? 0) | 0x80;
    secondary.send(message, port, address);
  });
  const { port } = secondary.address();
  server = await startPowerDns({
    master: "yes",
    "also-notify": `127.0.0.1:${port}`,
    "query-local-address": "127.0.0.1",
  });
  judge = startJudge();
}, 60_000);
afterAll(async () => {
  secondary.close();
  judge.stop();
  await server.stop();
});

/** A project with a zone, in one of two states, and its commands, of which some are killed. */
async function openZone(zone: string, settings: Readonly<Record<string, unknown>>) {
  const relay = await startApiRelay(server.apiPort);
  onTestFinished(() => relay.stop());
  const desk = openDesk(relay.url, {});
  desk.now = new Date();
  const file = `zones/${zone}zone`;
  const isAs = async (state: keyof typeof records) => {
    const { missing, more } = await judge.compare({ zone, port: server.port, text: textOf(zone, state) });
    return missing.length + more.length === 0;
  };
  const apply = async (state: keyof typeof records) => {
    desk.write(file, textOf(zone, state));
    const { code, out, talk } = await desk.run(`apply --yes --allow ${allowed}`);
    expect([code, talk.match(/by someone else/)], `${out}${talk}`).toEqual([0, null]);
    expect(await isAs(state)).toBe(true);
    return out;
  };
  await apply("before");
  if (Object.keys(settings).length > 0) await server.call("PUT", `/zones/${zone}`, settings);
  /** Starts the edit in a process that ends, or is killed. */
  const start = (env: Record<string, string> = {}) => {
    desk.write(file, textOf(zone, "after"));
    return new Program(desk.folder, `apply --yes --allow ${allowed}`, env);
  };
  return { relay, isAs, apply, start };
}

test.skipIf(isMissing("pdns_server", "venv"))(
  "an apply killed after any line of its journal leaves the zone before or after, and the next one ends it",
  { timeout: 600_000 },
  async () => {
    const { isAs, apply, start } = await openZone("z01.example.", {});
    const states = { before: 0, after: 0 };
    for (let line = 1; ; line += isNightly ? 1 : 3) {
      await apply("before");
      const env = {
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(killAtLine)}`,
        KILL_AT_LINE: String(line),
      };
      const { code, out, talk } = await start(env).end();
      expect(["SIGKILL", 0], `${out}${talk}`).toContain(code);
      if (code === 0) break;
      const isDone = await isAs("after");
      expect(isDone || (await isAs("before"))).toBe(true);
      states[isDone ? "after" : "before"]++;
      await apply("after");
    }
    expect(states.before).toBeGreaterThan(0);
    expect(states.after).toBeGreaterThan(0);
  },
);

test.skipIf(isMissing("pdns_server", "venv", "delv"))(
  "after a kill between the write and NOTIFY, the next apply has the zone rectified and its secondaries told",
  async () => {
    const zone = "primary.example.";
    const validity = async (name: string) => (await delv(server, zone, name, "A")).split("\n")[0];
    const { relay, isAs, apply, start } = await openZone(zone, { kind: "Master", dnssec: true, api_rectify: false });
    const program = start();
    let isWritten = false;
    relay.onRequest = async (request) => {
      if (isWritten && request.method === "GET") {
        program.kill("SIGKILL");
        return request.cut();
      }
      await pass(request);
      if (request.method === "PATCH") isWritten = true;
    };
    expect((await program.end()).code).toBe("SIGKILL");
    relay.onRequest = pass;
    expect(await isAs("after")).toBe(true);
    // The NSEC record of another name denies it.
    expect(await validity(`new.${zone}`)).not.toContain("fully validated");
    const before = notified.get("primary") ?? 0;

    expect(await apply("after")).toContain("in sync");
    expect(await validity(`new.${zone}`)).toBe("; negative response, fully validated");
    expect(await validity(`deep.ent.${zone}`)).toBe("; fully validated");
    await expect.poll(() => notified.get("primary") ?? 0).toBeGreaterThan(before);

    // Nothing is left to do.
    const calls: string[] = [];
    relay.onRequest = async (request) => {
      calls.push(request.method);
      await pass(request);
    };
    await apply("after");
    expect(new Set(calls)).toEqual(new Set(["GET"]));
  },
);
