import { expect, test } from "vitest";
import { createClient } from "../../src/client/client.ts";
import type { ApiEvent } from "../../src/contract/resources/event.ts";
import { awaitEvents, type JobSubject, newestEvent } from "../../src/workflow/job-events.ts";
import type { ProgressEvent } from "../../src/workflow/progress.ts";
import { errorOf, fakeSend, json } from "../client/fake-send.ts";

/** An event about node 5, unless given otherwise. */
function event(id: number, status: string, more: Partial<ApiEvent> = {}): ApiEvent {
  return {
    id,
    action: "node_boot",
    created: "2026-03-04T12:00:00",
    duration: null,
    entity: { label: "web", id: 5, type: "node", url: "/v4/node/instances/5" },
    secondary_entity: null,
    message: "",
    percent_complete: null,
    rate: null,
    read: false,
    seen: false,
    status,
    time_remaining: null,
    username: "admin",
    ...more,
  };
}

const boot: JobSubject = { path: "/node/instances/5/boot", id: undefined };
const other = { label: "db", id: 6, type: "node", url: "/v4/node/instances/6" };
const account = { label: "", type: "account", url: "/v4/account" };

/** Follows the events of a request; each look sees the next of `looks`. */
async function follow(subject: JobSubject, ...looks: ApiEvent[][]) {
  const pages = looks.map((data) => json({ data, page: 1, pages: 1, results: data.length }));
  const { send, requests } = fakeSend(...pages);
  const waits: number[] = [];
  const progress: ProgressEvent[] = [];
  const context = {
    signal: new AbortController().signal,
    sleep: async (ms: number) => void waits.push(ms),
    onProgress: (one: ProgressEvent) => void progress.push(one),
  };
  const client = createClient({ baseUrl: "http://api", token: "t", send });
  const ended = awaitEvents(context, client, 10, subject);
  return { ended, waits, progress, requests };
}

test("waits until the job has ended, ever longer, and reports its progress", async () => {
  const { ended, waits, progress, requests } = await follow(
    boot,
    [event(11, "scheduled", { percent_complete: 0 })],
    [event(11, "started", { percent_complete: 20 })],
    [event(11, "started", { percent_complete: 40 })],
    [event(11, "started", { percent_complete: 60 })],
    [event(11, "started", { percent_complete: 80 })],
    [event(11, "finished", { percent_complete: 100 })],
  );
  expect((await ended).map(({ id, status }) => [id, status])).toEqual([[11, "finished"]]);
  expect(waits).toEqual([1000, 1000, 2000, 5000, 5000]);
  expect(progress.map(({ task, details }) => [task, details])).toEqual(
    [0, 20, 40, 60, 80].map((percent) => ["node_boot", [`${percent} %`]]),
  );
  expect(requests[0]?.headers.get("x-filter")).toBe('{"id":{"+gt":10},"+order_by":"id","+order":"asc"}');
});

test("a notification has ended, and so has a job that is followed by another one only with it", async () => {
  const create: JobSubject = { path: "/node/instances", id: 5 };
  const notified = await follow(boot, [event(11, "notification")]);
  expect([(await notified.ended).length, notified.waits]).toEqual([1, []]);
  const { ended, waits } = await follow(
    create,
    [event(11, "started", { action: "node_create" })],
    [event(11, "finished", { action: "node_create" }), event(12, "scheduled")],
    [event(11, "finished", { action: "node_create" }), event(12, "finished")],
  );
  expect([(await ended).map(({ action }) => action), waits]).toEqual([
    ["node_create", "node_boot"],
    [1000, 1000],
  ]);
});

test("a failed job is an error with the reason of the service", async () => {
  const { ended } = await follow(boot, [event(11, "failed", { message: "The kernel \u001b[2J is missing" })]);
  expect(await errorOf(ended)).toMatchObject({
    problems: [
      {
        id: "job-failed",
        kind: "failed",
        summary: "node_boot of web failed: The kernel \u001b[2J is missing",
        fix: "`zonewright api get-event 11` shows the event.",
      },
    ],
  });
});

test.each<[what: string, subject: JobSubject, entity: ApiEvent["entity"], isAwaited: boolean]>([
  ["the object itself", { path: "/node/instances/6", id: 6 }, other, true],
  ["the object around it", { path: "/node/instances/6/disks/3", id: 3 }, other, true],
  ["the object that was made", { path: "/node/instances", id: 6 }, other, true],
  ["a clone", { path: "/node/instances/5/clone", id: 6 }, other, true],
  ["an id of text", { path: "/node/instances", id: "6" }, other, true],
  ["the beta path", { path: "/node/instances/6", id: 6 }, { ...other, url: "/v4beta/node/instances/6" }, true],
  ["the account", { path: "/account", id: undefined }, account, true],
  ["another object", { path: "/node/instances/5/boot", id: undefined }, other, false],
  ["an object whose id begins alike", { path: "/node/instances/66/boot", id: undefined }, other, false],
  ["the same id of another kind", { path: "/domains", id: 6 }, other, false],
  ["nothing", { path: "/node/instances/5/boot", id: undefined }, null, false],
])("an event about %s", async (_, subject, entity, isAwaited) => {
  const { ended, waits } = await follow(subject, [event(11, "notification", { entity })]);
  expect([(await ended).length, waits.length]).toEqual(isAwaited ? [1, 0] : [0, 2]);
});

test("an interruption ends the wait", async () => {
  const interruption = new AbortController();
  const { send } = fakeSend(json({ data: [event(11, "started")], page: 1, pages: 1, results: 1 }));
  const client = createClient({ baseUrl: "http://api", token: "t", send });
  const sleep = async () => interruption.abort(new Error("stop"));
  const error = await errorOf(awaitEvents({ signal: interruption.signal, sleep }, client, 10, boot));
  expect(error).toEqual(new Error("stop"));
});

test("the newest event is that with the greatest id, whatever the order; 0 without events", async () => {
  const { signal } = new AbortController();
  const newest = (...data: ApiEvent[]) => {
    const { send } = fakeSend(json({ data, page: 1, pages: 1, results: data.length }));
    return newestEvent(createClient({ baseUrl: "http://api", token: "t", send }), signal);
  };
  expect(await newest(event(7, "finished"), event(9, "finished"), event(8, "finished"))).toBe(9);
  expect(await newest()).toBe(0);
});
