import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { manualDriver } from "../../src/server/kit/job-driver.ts";
import { openStore, type Store } from "../../src/server/store/store.ts";
import { start } from "../server/start.ts";
import { Desk } from "./run.ts";

let desk: Desk;
let store: Store;
let api: Awaited<ReturnType<typeof start>>;

/** A database with a running node, `web-1`. Its jobs end at once. */
beforeEach(async () => {
  desk = new Desk();
  store = await openStore(join(desk.folder, ".zonewright/data/zonewright.db"));
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
const operate = (command: string) => desk.run(`server operator node ${command}`);
const done = (talk: string) => ({ code: 0, out: "", talk });
const failed = (code: number, talk: string) => ({ code, out: "", talk });

test("lists the nodes of all accounts", async () => {
  expect(await operate("list")).toEqual({
    code: 0,
    out: [
      "id  account  label  status   type         region\n",
      "1   admin    web-1  running  g6-nanode-1  us-east\n",
    ].join(""),
    talk: "",
  });
});

describe("crash", () => {
  const boots = done("node 1 crashed; its watchdog boots it\n");
  const stays = done("node 1 crashed; it stays offline\n");

  test("the watchdog boots the node by a job that no user caused", async () => {
    expect(await operate("crash 1 --job-time 0")).toEqual(boots);
    expect(await status()).toBe("running");
    const [event] = (await api.call("GET", "/account/events")).body.data;
    expect(event).toMatchObject({ action: "watchdog_reboot", status: "finished", username: "" });
  });

  test("without a watchdog, the node stays offline", async () => {
    await api.call("PUT", "/node/instances/1", { watchdog_enabled: false });
    expect(await operate("crash 1")).toEqual(stays);
    expect(await status()).toBe("offline");
    expect(await operate("crash 1")).toEqual(
      failed(
        3,
        "error[node-stopped] node 1 is offline\n  Run `zonewright server operator node list` to see which nodes run.\n",
      ),
    );
  });

  test("the watchdog does not boot a node that has a job", async () => {
    const slow = await start({ store, jobDriver: manualDriver });
    await slow.call("POST", "/node/instances/1/disks/2/resize", { size: 500 });
    expect(await operate("crash 1")).toEqual(stays);
  });

  test("the watchdog gives up after more than five boot jobs in 15 minutes", async () => {
    // The first boot is that of its creation.
    for (let count = 2; count <= 6; count++) {
      expect(await operate("crash 1 --job-time 0")).toEqual(boots);
      await status();
    }
    expect(await operate("crash 1 --job-time 0")).toEqual(stays);
  });
});

describe("sample", () => {
  test("drives statistics and traffic", async () => {
    desk.write(
      "measured.csv",
      "time,cpu,netv4_out,netv6_in\n2026-03-04T11:50,12.5,8000,16\n2026-03-04T11:56:30Z,2,800,0\n",
    );
    expect(await operate("sample 1 measured.csv")).toEqual(done("2 samples of node 1 recorded from measured.csv\n"));
    const { cpu } = (await api.call("GET", "/node/instances/1/stats")).body;
    expect(cpu).toEqual([
      [Date.parse("2026-03-04T11:50:00Z"), 12.5],
      [Date.parse("2026-03-04T11:55:00Z"), 2],
    ]);
    expect((await api.call("GET", "/node/instances/1/transfer/2026/3")).body).toEqual({
      bytes_in: 600,
      bytes_out: 330_000,
      bytes_total: 330_600,
    });
  });

  test.each([
    ["", 1, 1, 'the first column is not called "time"', 'Begin the file with a line such as "time,cpu,io,swap".'],
    ["time,cpus\n", 1, 6, 'unknown column "cpus"', "Columns: cpu, io, swap, netv4_in,"],
    ["time,cpu,cpu\n", 1, 10, 'the column "cpu" is repeated', "Remove one of them."],
    [
      "time,cpu\n2026-02-30T08:00:00,1\n",
      2,
      1,
      '"2026-02-30T08:00:00" is not a time in UTC',
      "Write a time such as 2026-03-04T12:05:00.",
    ],
    ["time,cpu\nnoon,1\n", 2, 1, '"noon" is not a time in UTC', "Write a time such as 2026-03-04T12:05:00."],
    ["time,cpu\n2026-03-04T12:00,x\n", 2, 18, '"x" is not a number', "Write a number of 0 or more, such as 12.5."],
    [
      "time,cpu\n2026-03-04T12:00\n",
      2,
      1,
      "the line has 1 column, and the first has 2",
      "Give each line as many values",
    ],
  ])("rejects %j with its place", async (content, line, column, summary, fix) => {
    desk.write("measured.csv", content);
    const { code, talk } = await operate("sample 1 measured.csv");
    expect(code).toBe(3);
    expect(talk).toContain(`measured.csv:${line}:${column}`);
    expect(talk).toContain(summary);
    expect(talk).toContain(fix);
  });
});

test.each(["crash 7", "sample 7 measured.csv"])("%s: names an unknown node", async (command) => {
  desk.write("measured.csv", "time,cpu\n");
  expect(await operate(command)).toEqual(
    failed(
      3,
      "error[node-unknown] node 7 does not exist\n  Run `zonewright server operator node list` to list the nodes.\n",
    ),
  );
});
