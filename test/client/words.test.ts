import { beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "../../src/client/client.ts";
import { addEvent } from "../../src/server/entities/events.ts";
import { noon, start } from "../server/start.ts";
import { errorOf, fakeSend, json } from "./fake-send.ts";

const page = (data: unknown[]) => ({ data, page: 1, pages: 1, results: data.length });
const event = {
  id: 2,
  created: noon,
  seen: false,
  read: false,
  percent_complete: null,
  time_remaining: null,
  rate: null,
  duration: null,
  username: "admin",
  status: "notification",
  message: "",
};
const ofNode = {
  ...event,
  action: "node_boot",
  entity: { label: "linode12", id: 12, type: "node", url: "/v4/node/instances/12" },
  secondary_entity: { label: "Debian", id: "node/debian12", type: "image", url: "/v4/images/node/debian12" },
};
const ofLinode = {
  ...event,
  action: "linode_boot",
  entity: { label: "linode12", id: 12, type: "linode", url: "/v4/linode/instances/12" },
  secondary_entity: { label: "Debian", id: "linode/debian12", type: "image", url: "/v4/images/linode/debian12" },
};

describe("a service with live words", () => {
  const client = (send: ReturnType<typeof fakeSend>["send"]) =>
    createClient({ baseUrl: "http://api", token: "t", words: "live", retries: 0, send });

  test.each<[string, (client: Client) => Promise<unknown>, string]>([
    ["a path", (c) => c.listNodeTypes(), "GET /v4/linode/types"],
    ["a path without words", (c) => c.listTaggedObjects({ label: "node" }), "GET /v4/tags/node"],
    [
      "keys of a body, and no free text",
      (c) => c.createTag({ body: { label: "nodes", nodes: [12], balancers: null, domains: [1] } }),
      'POST /v4/tags {"label":"nodes","linodes":[12],"nodebalancers":null,"domains":[1]}',
    ],
    [
      "values of a filter",
      (c) =>
        c.listEvents({ filter: { "entity.type": "node", action: { "+neq": "watchdog_reboot" }, "+order_by": "id" } }),
      'GET /v4/account/events X-Filter: {"entity.type":"linode","action":{"+neq":"lassie_reboot"},"+order_by":"id"}',
    ],
    [
      "a record, unchanged",
      (c) => c.createRecord({ domainId: 1, body: { type: "TXT", name: "node", target: "node/debian12" } }),
      'POST /v4/domains/1/records {"type":"TXT","name":"node","target":"node/debian12"}',
    ],
  ])("is asked with %s", async (_, call, expected) => {
    const { send, requests } = fakeSend(json({ errors: [] }, 400));
    await errorOf(call(client(send)));
    const [request] = requests;
    const filter = request?.headers.get("x-filter");
    const path = new URL(request?.url ?? "").pathname;
    const parts = [request?.method, path, filter && `X-Filter: ${filter}`, await request?.text()];
    expect(parts.filter((part) => part).join(" ")).toBe(expected);
  });

  test("is read in the words of the documents", async () => {
    expect(await client(fakeSend(json(page([ofLinode]))).send).listEvents()).toEqual(page([ofNode]));
    expect(await client(fakeSend(json(ofNode)).send).getEvent({ eventId: 2 })).toEqual(ofNode);
  });

  test("names fields of errors, which have the names of the input", async () => {
    const refusal = json({ errors: [{ reason: "linodes[0] is not valid", field: "linodes[0]" }] }, 400);
    const error = await errorOf(client(fakeSend(refusal).send).createTag({ body: { label: "web", nodes: [12] } }));
    expect(error).toMatchObject({ reasons: [{ reason: "nodes[0] is not valid", field: "nodes[0]" }] });
  });
});

test("without the option, requests and replies have the words of the documents", async () => {
  const { send, requests } = fakeSend(json(page([])), json(ofLinode));
  const client = createClient({ baseUrl: "http://api", token: "t", send });
  await client.listNodeTypes();
  expect(requests[0]?.url).toBe("http://api/v4/node/types");
  expect(await client.getEvent({ eventId: 2 })).toEqual(ofLinode);
});

describe("our own server", () => {
  let clients: Record<"documented" | "live" | "liveInDocuments", Client>;
  beforeAll(async () => {
    const live = await start({ profile: "live" });
    const documented = await start({ store: live.store });
    const { entity, secondary_entity: secondary } = ofNode;
    const caller = { accountId: 1, userId: 1, username: "admin" };
    const now = new Date(`${noon}Z`);
    await live.store.write((db) => addEvent(db, { caller, now }, "node_boot", { entity, secondary }));
    const baseUrl = "http://api";
    clients = {
      documented: createClient({ baseUrl, token: documented.token, send: (request) => documented.server(request) }),
      live: createClient({ baseUrl, token: live.token, words: "live", send: (request) => live.server(request) }),
      liveInDocuments: createClient({ baseUrl, token: live.token, send: (request) => live.server(request) }),
    };
  });

  test("gives the same results in each profile, asked in its words", async () => {
    const filter = { action: "node_boot", "entity.type": "node" };
    for (const client of [clients.documented, clients.live]) {
      expect(await client.getEvent({ eventId: 2 })).toEqual(ofNode);
      expect(await client.listEvents({ filter })).toEqual(page([ofNode]));
      const error = await errorOf(client.createTag({ body: { label: "web", nodes: [12] } }));
      expect(error).toMatchObject({ reasons: [{ reason: "nodes[0] is not valid", field: "nodes[0]" }] });
    }
    expect((await clients.live.listNodeTypes()).data[0]?.id).toBe("g6-nanode-1");
  });

  test("in profile live also understands a client without the option, and replies in live words", async () => {
    const client = clients.liveInDocuments;
    expect((await client.listNodeTypes()).data[0]?.id).toBe("g6-nanode-1");
    expect(await client.listEvents({ filter: { action: "node_boot" } })).toEqual(page([ofLinode]));
  });
});
