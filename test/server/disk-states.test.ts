import { expect, test } from "vitest";
import type { ApiEvent } from "../../src/contract/resources/event.ts";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import type { Store } from "../../src/server/store/store.ts";
import { type Answer, start } from "./start.ts";

type Step = [method: string, path: string, body: object | undefined, seconds: number];

/**
 * The states of disk 1, `root`: 2000 MB from an image that needs 1600. Configuration profile 1 has it as its device,
 * and profile 2 has disk 2 instead. A state is made by requests, with the seconds that pass after each, or in the
 * database.
 */
const states: Readonly<Record<string, Step[] | ((store: Store) => Promise<void>)>> = {
  "ready, node offline": [],
  "ready, node stopped": stopNode,
  "ready, node running": [["POST", "/boot", { config_id: 2 }, 24]],
  "in use": [["POST", "/boot", { config_id: 1 }, 24]],
  "in use by rescue": [["POST", "/rescue", { devices: { sdc: { disk_id: 1 } } }, 52]],
  "ready, node busy": [["POST", "/disks/2/resize", { size: 600 }, 1]],
  "not ready": [["POST", "/disks/1/resize", { size: 2500 }, 1]],
  deleting: [["DELETE", "/disks/1", undefined, 1]],
  "node deleting": [["DELETE", "", undefined, 1]],
};

const actions: Readonly<Record<string, [method: string, path: string, body?: object]>> = {
  view: ["GET", "/disks/1"],
  label: ["PUT", "/disks/1", { label: "new" }],
  filesystem: ["PUT", "/disks/1", { filesystem: "ext3" }],
  size: ["PUT", "/disks/1", { size: 2200 }],
  delete: ["DELETE", "/disks/1"],
  clone: ["POST", "/disks/1/clone"],
  password: ["POST", "/disks/1/password", { password: "correct Horse 7" }],
  grow: ["POST", "/disks/1/resize", { size: 2200 }],
  shrink: ["POST", "/disks/1/resize", { size: 1599 }],
};

/**
 * Every action in every state: the reply; the status of the disk right after it; once all jobs have ended, the events
 * of the action with the seconds of their jobs, and the disks but disk 2.
 */
const table = `
  state                action      reply                       then       events                                      end
  ready, node offline  view        200 disk                    ready      -                                           ready root ext4 2000
  ready, node offline  label       200 disk                    ready      disk_update                                 ready new ext4 2000
  ready, node offline  filesystem  200 disk                    ready      disk_update                                 ready root ext3 2000
  ready, node offline  size        200 disk                    not ready  disk_update; disk_resize finished 17        ready root ext4 2200
  ready, node offline  delete      200 {}                      deleting   disk_delete finished 17                     gone
  ready, node offline  clone       200 disk                    ready      disk_duplicate finished 17                  ready root ext4 2000, ready Copy of root ext4 2000
  ready, node offline  password    200 {}                      not ready  password_reset finished 5                   ready root ext4 2000
  ready, node offline  grow        200 {}                      not ready  disk_resize finished 17                     ready root ext4 2200
  ready, node offline  shrink      200 {}                      not ready  disk_resize failed 17: too small            ready root ext4 2000
  ready, node stopped  view        200 disk                    ready      -                                           ready root ext4 2000
  ready, node stopped  label       200 disk                    ready      disk_update                                 ready new ext4 2000
  ready, node stopped  filesystem  200 disk                    ready      disk_update                                 ready root ext3 2000
  ready, node stopped  size        200 disk                    not ready  disk_update; disk_resize finished 17        ready root ext4 2200
  ready, node stopped  delete      200 {}                      deleting   disk_delete finished 17                     gone
  ready, node stopped  clone       200 disk                    ready      disk_duplicate finished 17                  ready root ext4 2000, ready Copy of root ext4 2000
  ready, node stopped  password    200 {}                      not ready  password_reset finished 5                   ready root ext4 2000
  ready, node stopped  grow        200 {}                      not ready  disk_resize finished 17                     ready root ext4 2200
  ready, node stopped  shrink      200 {}                      not ready  disk_resize failed 17: too small            ready root ext4 2000
  ready, node running  view        200 disk                    ready      -                                           ready root ext4 2000
  ready, node running  label       200 disk                    ready      disk_update                                 ready new ext4 2000
  ready, node running  filesystem  200 disk                    ready      disk_update                                 ready root ext3 2000
  ready, node running  size        200 disk                    not ready  disk_update; disk_resize finished 17        ready root ext4 2200
  ready, node running  delete      200 {}                      deleting   disk_delete finished 17                     gone
  ready, node running  clone       200 disk                    ready      disk_duplicate finished 17                  ready root ext4 2000, ready Copy of root ext4 2000
  ready, node running  password    200 {}                      not ready  password_reset finished 5                   ready root ext4 2000
  ready, node running  grow        200 {}                      not ready  disk_resize finished 17                     ready root ext4 2200
  ready, node running  shrink      200 {}                      not ready  disk_resize failed 17: too small            ready root ext4 2000
  in use               view        200 disk                    ready      -                                           ready root ext4 2000
  in use               label       200 disk                    ready      disk_update                                 ready new ext4 2000
  in use               filesystem  400 Node must be shut down  ready      -                                           ready root ext4 2000
  in use               size        200 disk                    not ready  disk_update; disk_resize failed 17: in use  ready root ext4 2000
  in use               delete      200 {}                      deleting   disk_delete failed 17: in use               ready root ext4 2000
  in use               clone       200 disk                    ready      disk_duplicate finished 17                  ready root ext4 2000, ready Copy of root ext4 2000
  in use               password    400 Node must be shut down  ready      -                                           ready root ext4 2000
  in use               grow        200 {}                      not ready  disk_resize failed 17: in use               ready root ext4 2000
  in use               shrink      200 {}                      not ready  disk_resize failed 17: in use               ready root ext4 2000
  in use by rescue     view        200 disk                    ready      -                                           ready root ext4 2000
  in use by rescue     label       200 disk                    ready      disk_update                                 ready new ext4 2000
  in use by rescue     filesystem  400 Node must be shut down  ready      -                                           ready root ext4 2000
  in use by rescue     size        200 disk                    not ready  disk_update; disk_resize failed 17: in use  ready root ext4 2000
  in use by rescue     delete      200 {}                      deleting   disk_delete failed 17: in use               ready root ext4 2000
  in use by rescue     clone       200 disk                    ready      disk_duplicate finished 17                  ready root ext4 2000, ready Copy of root ext4 2000
  in use by rescue     password    400 Node must be shut down  ready      -                                           ready root ext4 2000
  in use by rescue     grow        200 {}                      not ready  disk_resize failed 17: in use               ready root ext4 2000
  in use by rescue     shrink      200 {}                      not ready  disk_resize failed 17: in use               ready root ext4 2000
  ready, node busy     view        200 disk                    ready      -                                           ready root ext4 2000
  ready, node busy     label       200 disk                    ready      disk_update                                 ready new ext4 2000
  ready, node busy     filesystem  400 Node busy.              ready      -                                           ready root ext4 2000
  ready, node busy     size        400 Node busy.              ready      -                                           ready root ext4 2000
  ready, node busy     delete      400 Node busy.              ready      -                                           ready root ext4 2000
  ready, node busy     clone       400 Node busy.              ready      -                                           ready root ext4 2000
  ready, node busy     password    400 Node busy.              ready      -                                           ready root ext4 2000
  ready, node busy     grow        400 Node busy.              ready      -                                           ready root ext4 2000
  ready, node busy     shrink      400 Node busy.              ready      -                                           ready root ext4 2000
  not ready            view        200 disk                    not ready  -                                           ready root ext4 2500
  not ready            label       200 disk                    not ready  disk_update                                 ready new ext4 2500
  not ready            filesystem  400 Node busy.              not ready  -                                           ready root ext4 2500
  not ready            size        400 Node busy.              not ready  -                                           ready root ext4 2500
  not ready            delete      400 Node busy.              not ready  -                                           ready root ext4 2500
  not ready            clone       400 Node busy.              not ready  -                                           ready root ext4 2500
  not ready            password    400 Node busy.              not ready  -                                           ready root ext4 2500
  not ready            grow        400 Node busy.              not ready  -                                           ready root ext4 2500
  not ready            shrink      400 Node busy.              not ready  -                                           ready root ext4 2500
  deleting             view        200 disk                    deleting   -                                           gone
  deleting             label       200 disk                    deleting   disk_update                                 gone
  deleting             filesystem  400 Node busy.              deleting   -                                           gone
  deleting             size        400 Node busy.              deleting   -                                           gone
  deleting             delete      400 Node busy.              deleting   -                                           gone
  deleting             clone       400 Node busy.              deleting   -                                           gone
  deleting             password    400 Node busy.              deleting   -                                           gone
  deleting             grow        400 Node busy.              deleting   -                                           gone
  deleting             shrink      400 Node busy.              deleting   -                                           gone
  node deleting        view        404 Not found               gone       -                                           gone
  node deleting        label       400 Node busy.              gone       -                                           gone
  node deleting        filesystem  400 Node busy.              gone       -                                           gone
  node deleting        size        400 Node busy.              gone       -                                           gone
  node deleting        delete      400 Node busy.              gone       -                                           gone
  node deleting        clone       400 Node busy.              gone       -                                           gone
  node deleting        password    400 Node busy.              gone       -                                           gone
  node deleting        grow        400 Node busy.              gone       -                                           gone
  node deleting        shrink      400 Node busy.              gone       -                                           gone
`;

/** Why jobs fail, as messages of their events. */
const failures = new Map([
  ["The disk is in use. Power off first.", "in use"],
  ["The content of the disk needs 1600 MB.", "too small"],
]);

const [, ...lines] = table.trim().split("\n");
const rows = lines.map((line) => line.trim().split(/ {2,}/));

test("every action in every state has a row", () => {
  const cells = Object.keys(states).flatMap((state) => Object.keys(actions).map((action) => `${state}: ${action}`));
  expect(rows.map(([state, action]) => `${state}: ${action}`)).toEqual(cells);
});

test.each(rows)("%s: %s", async (state = "", action = "", ...expected) => {
  const api = await start({ jobDriver: simulatedDriver(1) });
  const pass = (seconds: number) => {
    api.clock.now = new Date(api.clock.now.getTime() + seconds * 1000);
  };
  const ask = (method: string, path: string, body?: object) => api.call(method, `/node/instances/1${path}`, body);
  const begin = async (steps: Step[]) => {
    for (const [method, path, body, seconds] of steps) {
      expect((await ask(method, path, body)).status, `${method} ${path}`).toBe(200);
      pass(seconds);
    }
  };
  await api.call("POST", "/node/instances", { region: "us-east", type: "g6-nanode-1" });
  await begin([
    ["POST", "/disks", { label: "root", size: 2000, image: "node/debian12", root_pass: "correct Horse 7" }, 17],
    ["POST", "/disks", { label: "other", size: 500 }, 17],
    ["POST", "/configs", { label: "root", devices: { sda: { disk_id: 1 } } }, 0],
    ["POST", "/configs", { label: "other", devices: { sda: { disk_id: 2 } } }, 0],
  ]);
  const made = states[state] ?? expect.fail();
  if (typeof made === "function") await made(api.store);
  else await begin(made);
  const last = (await listEvents(api)).length;

  const [method, path, body] = actions[action] ?? expect.fail();
  const reply = await ask(method, path, body);
  const then = (await ask("GET", "/disks/1")).body.status ?? "gone";
  pass(60);
  const disks: Record<string, unknown>[] = (await ask("GET", "/disks")).body.data ?? [];
  const events = (await listEvents(api)).slice(last).map(describeEvent);
  const end = disks
    .filter(({ id }) => id !== 2)
    .map((disk) => `${disk.status} ${disk.label} ${disk.filesystem} ${disk.size}`);
  expect([describeReply(reply), then, events.join("; ") || "-", end.join(", ") || "gone"]).toEqual(expected);
});

/** Stops the node, as maintenance of its host does. */
async function stopNode(store: Store): Promise<void> {
  await store.write((db) => db.updateTable("nodes").set({ status: "stopped" }).execute());
}

/** All events, the oldest first. */
async function listEvents({ call }: Awaited<ReturnType<typeof start>>): Promise<ApiEvent[]> {
  return (await call("GET", "/account/events")).body.data.reverse();
}

function describeEvent({ action, status, duration, message }: ApiEvent): string {
  if (status === "notification") return action;
  const why = failures.get(message ?? "");
  return `${action} ${status} ${duration}${why === undefined ? "" : `: ${why}`}`;
}

function describeReply({ status, body }: Answer): string {
  if (body.errors) return `${status} ${body.errors[0].reason}`;
  return Object.keys(body).length === 0 ? `${status} {}` : `${status} disk`;
}
