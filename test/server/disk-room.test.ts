// @suite postgres

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { createServer } from "../../src/server/server.ts";
import { samples } from "../properties.ts";
import { start } from "./start.ts";
import { withTwoStores } from "./stores.ts";

/** MB of the disks of the node, an empty `g6-nanode-1`. */
const room = 25_600;
const debian = { image: "node/debian12", root_pass: "correct Horse 7" };

type Asked = [method: string, path: string, body?: object];

const id = fc.integer({ min: 1, max: 4 });
const size = fc.integer({ min: 1, max: 16_000 });
const request: fc.Arbitrary<Asked> = fc.oneof(
  size.map((size): Asked => ["POST", "/disks", { label: "data", size }]),
  size.map((size): Asked => ["POST", "/disks", { ...debian, size }]),
  fc.tuple(id, size).map(([id, size]): Asked => ["POST", `/disks/${id}/resize`, { size }]),
  fc.tuple(id, size).map(([id, size]): Asked => ["PUT", `/disks/${id}`, { size }]),
  id.map((id): Asked => ["POST", `/disks/${id}/clone`]),
  id.map((id): Asked => ["DELETE", `/disks/${id}`]),
  id.map((id): Asked => ["POST", "/configs", { label: "boot", devices: { sda: { disk_id: id } } }]),
  fc.constantFrom<Asked>(["POST", "/boot"], ["POST", "/shutdown"], ["POST", "/rescue"]),
  fc.boolean().map((booted): Asked => ["POST", "/rebuild", { ...debian, booted }]),
);

/** Requests to two servers at the same moment, and the seconds that pass before the next ones. */
const schedule = fc.array(fc.tuple(request, request, fc.integer({ min: 0, max: 60 })), {
  minLength: 12,
  maxLength: 12,
});

test("whatever two servers are asked: disks never exceed the room, and every job ends", async () => {
  let [successes, refusals] = [0, 0];
  const check = (steps: [Asked, Asked, number][]) =>
    withTwoStores(async (store, second) => {
      const jobDriver = simulatedDriver(1);
      const api = await start({ store, jobDriver });
      const other = createServer({
        store: second,
        jobDriver,
        clock: () => api.clock.now,
        nameservers: ["ns1.example.net"],
      });
      const pass = (seconds: number) => {
        api.clock.now = new Date(api.clock.now.getTime() + seconds * 1000);
      };
      await api.call("POST", "/node/instances", { region: "us-east", type: "g6-nanode-1" });
      for (const [first, second, seconds] of steps) {
        const statuses = await Promise.all([
          api.call(first[0], `/node/instances/1${first[1]}`, first[2]).then(({ status }) => status),
          other(
            new Request(`http://api/v4/node/instances/1${second[1]}`, {
              method: second[0],
              headers: { Authorization: `Bearer ${api.token}` },
              ...(second[2] && { body: JSON.stringify(second[2]) }),
            }),
          ).then(({ status }) => status),
        ]);
        for (const status of statuses) {
          expect([200, 400, 404]).toContain(status);
          if (status === 200) successes++;
          else refusals++;
        }
        const sizes = (await api.call("GET", "/node/instances/1/disks")).body.data.map(
          (disk: { size: number }) => disk.size,
        );
        expect(sizes.reduce((sum: number, one: number) => sum + one, 0)).toBeLessThanOrEqual(room);
        pass(seconds);
      }
      pass(3600);
      const disks: { status: string }[] = (await api.call("GET", "/node/instances/1/disks")).body.data;
      expect(disks.filter(({ status }) => status !== "ready")).toEqual([]);
      expect(["running", "offline"]).toContain((await api.call("GET", "/node/instances/1")).body.status);
      const events: { status: string }[] = (await api.call("GET", "/account/events")).body.data;
      expect(events.filter(({ status }) => status === "scheduled" || status === "started")).toEqual([]);
      expect(await store.read((db) => db.selectFrom("jobs").selectAll().execute())).toEqual([]);
    });
  await fc.assert(fc.asyncProperty(schedule, check), samples(100));
  // A run whose requests are all refused, or all granted, would show nothing.
  expect(Math.min(successes, refusals)).toBeGreaterThan(20);
});
