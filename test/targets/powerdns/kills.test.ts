// @suite long
import { afterAll, beforeAll, expect, test } from "vitest";
import { Program } from "../../cli/process.ts";
import { isMissing } from "../../judges.ts";
import { isNightly } from "../../properties.ts";
import { type Judge, startJudge } from "../rfc2136/edits.ts";
import { killAtLine } from "../rfc2136/kills.ts";
import { allowed, openDesk } from "./desk.ts";
import { type PowerDnsServer, startPowerDns } from "./servers.ts";

const zone = "z01.example.";
const records = {
  before: "@ NS ns1.example.net.\nwww A 192.0.2.1\nswap CNAME www\nold TXT old\n",
  after: "@ NS ns2.example.net.\nwww A 192.0.2.2\nswap A 192.0.2.3\nnew TXT new\n",
};
const fileOf = (text: string) =>
  `$ORIGIN ${zone}\n$TTL 300\n@ SOA ns1.example.net. ops.example.net. 1 3600 600 86400 60\n${text}`;

test.skipIf(isMissing("pdns_server", "venv"))(
  "an apply killed after any line of its journal leaves the zone before or after, and the next one ends it",
  { timeout: 600_000 },
  async () => {
    const desk = openDesk(server.url, {});
    desk.now = new Date();
    const isAs = async (state: keyof typeof records) => {
      const { missing, more } = await judge.compare({ zone, port: server.port, text: fileOf(records[state]) });
      return missing.length + more.length === 0;
    };
    const apply = async (state: keyof typeof records) => {
      desk.write("zones/z01.example.zone", fileOf(records[state]));
      const { code, talk } = await desk.run(`apply --yes --allow ${allowed}`);
      expect([code, talk.match(/by someone else/)]).toEqual([0, null]);
      expect(await isAs(state)).toBe(true);
    };
    const states = { before: 0, after: 0 };
    for (let line = 1; ; line += isNightly ? 1 : 3) {
      await apply("before");
      desk.write("zones/z01.example.zone", fileOf(records.after));
      const env = {
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(killAtLine)}`,
        KILL_AT_LINE: String(line),
      };
      const { code, out, talk } = await new Program(desk.folder, `apply --yes --allow ${allowed}`, env).end();
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

let server: PowerDnsServer;
let judge: Judge;
beforeAll(async () => {
  server = await startPowerDns();
  judge = startJudge();
}, 60_000);
afterAll(async () => {
  judge.stop();
  await server.stop();
});
