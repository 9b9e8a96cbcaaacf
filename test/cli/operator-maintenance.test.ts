import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { openStore } from "../../src/server/store/store.ts";
import { start } from "../server/start.ts";
import { Desk } from "./run.ts";

let desk: Desk;
let api: Awaited<ReturnType<typeof start>>;

/** A database with a running node, `web-1`. Its jobs end at once. */
beforeEach(async () => {
  desk = new Desk();
  const store = await openStore(join(desk.folder, ".zonewright/data/zonewright.db"));
  onTestFinished(() => store.close());
  api = await start({ store, jobDriver: { name: "at once", seconds: () => 0 } });
  await api.call("POST", "/node/instances", {
    region: "us-east",
    type: "g6-nanode-1",
    label: "web-1",
    image: "node/debian12",
    root_pass: "correct Horse 7",
  });
  await status();
});

const status = async () => (await api.call("GET", "/node/instances/1")).body.status;
const operate = (command: string) => desk.run(`server operator maintenance ${command}`);
const done = (talk: string, out = "") => ({ code: 0, out, talk });
const failed = (code: number, talk: string) => ({ code, out: "", talk });

test("announces, starts and ends maintenance", async () => {
  expect(await operate("list")).toEqual(done("no maintenance\n"));
  expect(await operate("add 1 kernel --at 2030-01-31T02:00:00")).toEqual(done("maintenance 1 of node 1 announced\n"));
  expect(await operate("list")).toEqual(
    done(
      "",
      [
        "id  account  node       type    status   begins               reason\n",
        "1   admin    web-1 (1)  reboot  pending  2030-01-31T02:00:00  kernel\n",
      ].join(""),
    ),
  );
  expect(await operate("start 1")).toEqual(done('maintenance 1 started; node "web-1" is stopped\n'));
  expect(await status()).toBe("stopped");
  expect(await operate("start 1")).toEqual(
    failed(
      3,
      "error[maintenance-started] maintenance 1 has begun already\n" +
        "  Run `zonewright server operator maintenance end 1` once it is over.\n",
    ),
  );
  expect(await operate("end 1 --job-time 0")).toEqual(done('maintenance 1 ended; node "web-1" boots\n'));
  expect(await status()).toBe("running");
});

test("cancels maintenance that has not begun", async () => {
  await operate("add 1 move --at 2030-01-31 --type live_migration");
  expect(await operate("end 1")).toEqual(done("maintenance 1 cancelled\n"));
  expect(await operate("list")).toEqual(done("no maintenance\n"));
});

test.each([
  ["add 1 kernel", 64, "error: required option '--at <moment>' not specified"],
  ["add web-1 kernel --at 2030-01-31", 64, "error: name the node by its id, a number"],
  ["add 1 kernel --at 2020-01-31", 64, 'error: --at "2020-01-31" is in the past.'],
  ["add 1 kernel --at 2030-01-31 --type upgrade", 64, "error: option '--type <type>' argument 'upgrade' is invalid"],
  ["add 9 kernel --at 2030-01-31", 3, "error[node-unknown] node 9 does not exist"],
  ["start 9", 3, "error[maintenance-unknown] maintenance 9 does not exist"],
  ["end 9", 3, "error[maintenance-unknown] maintenance 9 does not exist"],
])("refuses %s", async (command, code, talk) => {
  const answer = await operate(command);
  expect([answer.code, answer.talk.slice(0, talk.length)]).toEqual([code, talk]);
});

test("maintenance waits for a job of the node", async () => {
  await operate("add 1 kernel --at 2030-01-31");
  const slow = await start({ store: api.store, jobDriver: { name: "slow", seconds: () => 100 } });
  await slow.call("POST", "/node/instances/1/reboot");
  expect(await operate("start 1")).toEqual(
    failed(8, "error[node-busy] a job of node 1 is running\n  Run the command again when the job has ended.\n"),
  );
  desk.now = new Date(desk.now.getTime() + 100_000);
  expect(await operate("start 1")).toEqual(
    failed(
      8,
      "error[node-busy] the last job of node 1 is not settled yet\n" +
        "  Send any request of the account, such as `zonewright api get-node 1`, and run the command again.\n",
    ),
  );
  api.clock.now = desk.now;
  await status();
  expect(await operate("start 1")).toEqual(done('maintenance 1 started; node "web-1" is stopped\n'));
});
