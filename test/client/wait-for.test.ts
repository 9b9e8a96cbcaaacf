import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { newestEvent, waitFor, waitForEvent, waitForJobs } from "../../src/client/wait-for.ts";
import { createToken } from "../../src/server/areas/account/tokens-operator.ts";
import { listen } from "../../src/server/http/node.ts";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { createServer } from "../../src/server/server.ts";
import { openStore } from "../../src/server/store/store.ts";
import { errorOf, refusal } from "./fake-send.ts";

/** A node of a server whose clock goes on as the client sleeps, and that refuses the next `busy` requests. */
async function begin() {
  let ms = Date.parse("2026-03-04T12:00:00Z");
  const now = () => ms;
  const waits: number[] = [];
  const sleep = async (time: number) => {
    waits.push(time);
    ms += time;
  };
  const store = await openStore(":memory:");
  onTestFinished(() => store.close());
  const token = await createToken(store, { username: "test", now: new Date(ms) });
  const api = await listen(createServer({ store, clock: () => new Date(ms), jobDriver: simulatedDriver(1) }), {
    port: 0,
  });
  onTestFinished(() => api.close());
  const state = { busy: 0 };
  const send = async (request: Request) =>
    state.busy-- > 0 ? refusal(429, "Too many requests", { "Retry-After": "7" })() : fetch(request);
  const client = createClient({ baseUrl: api.url, token, send, now, sleep, random: () => 0 });
  const body = { region: "us-east", type: "g6-nanode-1", image: "node/debian12", root_pass: "correct Horse 7" };
  const create = () => client.createNode({ body });
  return { client, create, time: { now, sleep }, waits, state };
}

test("waits for the jobs of a request, and those that follow on them", async () => {
  const { client, create, time, waits } = await begin();
  const since = await newestEvent(client);
  expect(since).toBe(0);
  const { id } = await create();
  const looks: string[] = [];
  const events = await waitForJobs(
    client,
    { nodeIds: [id], since },
    { ...time, onLook: (open) => void looks.push(open.map(({ action, status }) => `${action} ${status}`).join()) },
  );
  expect(events.map(({ action, status }) => `${action} ${status}`)).toEqual([
    "node_create finished",
    "node_boot finished",
  ]);
  expect([looks[0], looks.at(-1)]).toEqual(["node_create scheduled", "node_create finished,node_boot started"]);
  expect(waits.slice(0, 5)).toEqual([1000, 1000, 2000, 5000, 5000]);
  expect((await client.getNode({ nodeId: id })).status).toBe("running");
});

test("waits until an event has started, and until its job has ended", async () => {
  const { client, create, time, waits } = await begin();
  await create();
  const eventId = await newestEvent(client);
  expect((await waitForEvent(client, eventId, { ...time, until: "started" })).status).toBe("started");
  expect(waits).toEqual([1000]);
  expect(await waitForEvent(client, eventId, time)).toMatchObject({ status: "finished", percent_complete: 100 });
  await client.createDomain({ body: { domain: "example.net", type: "master", soa_email: "h@example.net" } });
  waits.length = 0;
  expect((await waitForEvent(client, await newestEvent(client), time)).status).toBe("notification");
  expect(waits).toEqual([]);
});

test("a failed job is an error with its event", async () => {
  const { client, create, time } = await begin();
  const { id } = await create();
  const eventId = await newestEvent(client);
  await client.deleteNode({ nodeId: id });
  const failed = { name: "JobFailedError", problem: { id: "job-failed" }, event: { id: eventId, status: "failed" } };
  expect(await errorOf(waitForEvent(client, eventId, { ...time, until: "started" }))).toMatchObject(failed);
  expect(await errorOf(waitForJobs(client, { nodeIds: [id], since: 0 }, time))).toMatchObject(failed);
});

test("without an event of the node, the end of its job is unknown", async () => {
  const { client, time } = await begin();
  const error = await errorOf(waitForJobs(client, { nodeIds: [1], since: 0 }, time));
  expect(error).toMatchObject({
    name: "JobUnknownError",
    problem: { id: "job-unknown", fix: "The events of the account show whether the job has ended." },
  });
});

test("after the time limit, the error says what has not ended", async () => {
  const { client, create, time, waits } = await begin();
  const { label } = await create();
  const eventId = await newestEvent(client);
  expect(await errorOf(waitForEvent(client, eventId, { ...time, timeoutMs: 3_500 }))).toMatchObject({
    name: "WaitTimeoutError",
    problem: { id: "client/wait-timeout", summary: `node_create of ${label} is still started after 3.5 s` },
  });
  expect(waits).toEqual([1000, 1000, 1500]);
});

test("any state can be awaited, and a service that is busy is asked again when it says so", async () => {
  const { client, create, time, waits, state } = await begin();
  const { id } = await create();
  state.busy = 2;
  const node = await waitFor(
    (options) => client.getNode({ nodeId: id }, options),
    ({ status }) => status === "running",
    time,
  );
  expect([node.id, waits.slice(0, 4)]).toEqual([id, [7000, 7000, 1000, 1000]]);
  const never = waitFor(
    () => client.getNode({ nodeId: id }),
    () => false,
    { ...time, timeoutMs: 0 },
  );
  expect(await errorOf(never)).toMatchObject({ problem: { id: "client/wait-timeout" } });
});

test.each(["a pause", "a request"])("an abort during %s rejects with its reason", async (when) => {
  const { client, create, time } = await begin();
  const { id } = await create();
  const stop = new AbortController();
  const abort = () => stop.abort(new Error("stop"));
  const sleep = async () => {
    abort();
    throw new Error("the timer was aborted");
  };
  const read = () => {
    if (when === "a request") abort();
    return client.getNode({ nodeId: id }, { signal: stop.signal });
  };
  const waiting = waitFor(read, () => false, { ...time, sleep, signal: stop.signal });
  expect(await errorOf(waiting)).toEqual(new Error("stop"));
});
