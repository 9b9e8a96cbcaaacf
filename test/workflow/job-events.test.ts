import { expect, test } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { newestEvent } from "../../src/client/wait-for.ts";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { type EndpointName, endpoints } from "../../src/contract/endpoints/index.ts";
import type { ApiEvent } from "../../src/contract/resources/event.ts";
import { awaitJobs, nodesOf } from "../../src/workflow/api/job-events.ts";
import type { ProgressEvent } from "../../src/workflow/project/progress.ts";
import { errorOf, fakeSend, fakeSleep, json } from "../client/fake-send.ts";

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

/** Follows the jobs of node 5 and node 6; each look sees the next of `looks`. */
function follow(...looks: ApiEvent[][]) {
  const pages = looks.map((data) => json({ data, page: 1, pages: 1, results: data.length }));
  const { send, requests } = fakeSend(...pages);
  const { sleep, waits } = fakeSleep();
  const progress: ProgressEvent[] = [];
  const { signal } = new AbortController();
  const context = { signal, sleep, onProgress: (one: ProgressEvent) => void progress.push(one) };
  const client = createClient({ baseUrl: "http://api", token: "t", send });
  return { ended: awaitJobs(context, client, { nodeIds: [5, 6], since: 10 }), waits, progress, requests };
}

test("waits until the job has ended, ever longer, and reports its progress", async () => {
  const { ended, waits, progress, requests } = follow(
    [event(11, "scheduled", { percent_complete: 0 })],
    ...[20, 40, 60, 80].map((percent_complete) => [event(11, "started", { percent_complete })]),
    [event(11, "finished", { percent_complete: 100 })],
  );
  expect((await ended).map(({ id, status }) => [id, status])).toEqual([[11, "finished"]]);
  expect(waits).toEqual([1000, 1000, 2000, 5000, 5000]);
  expect(progress.map(({ task, details }) => [task, details])).toEqual(
    [0, 20, 40, 60, 80].map((percent) => ["node_boot of web", [`${percent} %`]]),
  );
  expect(JSON.parse(requests[0]?.headers.get("x-filter") ?? "")).toEqual({
    "+and": [{ id: { "+gt": 10 } }, { "+or": [{ "entity.id": 5 }, { "entity.id": 6 }] }],
    "+order_by": "id",
    "+order": "asc",
  });
});

test("a notification has ended, and a job that another one follows ends with that one", async () => {
  const notified = follow([event(11, "notification")]);
  expect([(await notified.ended).length, notified.waits]).toEqual([1, []]);
  const { ended, waits } = follow(
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
  const { ended } = follow([event(11, "failed", { message: "The kernel \u001b[2J is missing" })]);
  expect(await errorOf(ended)).toMatchObject({
    problems: [
      {
        id: "job-failed",
        kind: "failed",
        summary: "node_boot of web failed: The kernel \\x1b[2J is missing",
        fix: "Event 11 has the details.",
      },
    ],
  });
});

test.each<[what: string, looks: ApiEvent[]]>([
  ["no event", []],
  ["only one of a domain with the same id", [event(11, "notification", { entity: domainEntity() })]],
  ["only one without an entity", [event(11, "notification", { entity: null })]],
])("with %s, the end of the job is unknown", async (_, look) => {
  const { ended, waits } = follow(look);
  expect([await errorOf(ended), waits]).toMatchObject([{ problem: { id: "job-unknown", kind: "failed" } }, []]);
});

function domainEntity() {
  return { label: "example.com", id: 5, type: "domain", url: "/v4/domains/5" };
}

test("an interruption ends the wait", async () => {
  const interruption = new AbortController();
  const { send } = fakeSend(json({ data: [event(11, "started")], page: 1, pages: 1, results: 1 }));
  const client = createClient({ baseUrl: "http://api", token: "t", send });
  const sleep = async () => interruption.abort(new Error("stop"));
  const ended = awaitJobs({ signal: interruption.signal, sleep }, client, { nodeIds: [5], since: 10 });
  expect(await errorOf(ended)).toEqual(new Error("stop"));
});

test("the newest event is that with the greatest id, whatever the order; 0 without events", async () => {
  const newest = (...data: ApiEvent[]) => {
    const { send } = fakeSend(json({ data, page: 1, pages: 1, results: data.length }));
    return newestEvent(createClient({ baseUrl: "http://api", token: "t", send }));
  };
  expect(await newest(event(7, "finished"), event(9, "finished"), event(8, "finished"))).toBe(9);
  expect(await newest()).toBe(0);
});

test.each<[name: EndpointName, params: object, body: unknown, reply: unknown, nodes: number[]]>([
  ["createNode", {}, { region: "us-east" }, { id: 7 }, [7]],
  ["bootNode", { nodeId: 7 }, {}, {}, [7]],
  ["createDisk", { nodeId: 7 }, { size: 500 }, { id: 3 }, [7]],
  ["cloneNode", { nodeId: 7 }, {}, { id: 8 }, [7, 8]],
  ["cloneNode", { nodeId: 7 }, { node_id: 8 }, { id: 8 }, [7, 8]],
  ["restoreBackup", { nodeId: 7, backupId: 3 }, { node_id: 8 }, {}, [7, 8]],
  ["restoreBackup", { nodeId: 7, backupId: 3 }, { node_id: 7 }, {}, [7]],
])("the nodes of %s", (name, params, body, reply, nodes) => {
  expect(nodesOf({ endpoint: endpoints[name], params: { ...params }, body, isAll: false }, reply)).toEqual(nodes);
});

test("operations that begin jobs", () => {
  const begun = Object.entries<Endpoint>(endpoints).filter(([, { job }]) => job);
  expect(begun.map(([name]) => name)).toEqual([
    "createNode",
    "deleteNode",
    "bootNode",
    "shutDownNode",
    "rebootNode",
    "rescueNode",
    "rebuildNode",
    "resetNodePassword",
    "cloneNode",
    "resizeNode",
    "migrateNode",
    "createDisk",
    "updateDisk",
    "deleteDisk",
    "cloneDisk",
    "resetDiskPassword",
    "resizeDisk",
    "createSnapshot",
    "restoreBackup",
  ]);
});
