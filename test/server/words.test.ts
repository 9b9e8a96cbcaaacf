import { beforeAll, describe, expect, test } from "vitest";
import { openApi } from "../../src/contract/openapi.ts";
import type { Entity, EventAction } from "../../src/contract/resources/event.ts";
import { addEvent } from "../../src/server/entities/events.ts";
import type { Store } from "../../src/server/store/store.ts";
import { noon, refused, start } from "./start.ts";

/** Two servers with one store: the words are those of the profile. */
let live: Awaited<ReturnType<typeof start>>;
let documented: typeof live;

const node: Entity = { label: "linode", id: 12, type: "node", url: "/v4/node/instances/12" };
const config: Entity = { label: "node", id: 5, type: "node_config", url: "/v4/node/instances/12/configs/5" };
const image: Entity = { label: "node", id: "node/debian12", type: "image", url: "/v4/images/node/debian12" };
const tag: Entity = { label: "node/web", id: "node/web", type: "tag", url: "/v4/tags/node%2Fweb" };

async function note(store: Store, action: EventAction, entity: Entity, secondary?: Entity): Promise<number> {
  const caller = { accountId: 1, userId: 1, username: "admin" };
  const details = { entity, message: "node_boot linode", ...(secondary && { secondary }) };
  return store.write((db) => addEvent(db, { caller, now: new Date(`${noon}Z`) }, action, details));
}

beforeAll(async () => {
  live = await start({ profile: "live" });
  documented = await start({ store: live.store }); // its token is event 1
  await note(live.store, "node_boot", node, config);
  await note(live.store, "node_create", node, image);
  await note(live.store, "watchdog_reboot", node);
  await note(live.store, "tag_create", tag);
  await live.domain("node.linode", [{ type: "TXT", name: "linode", target: "linode/debian12 node_boot" }]);
});

describe("events", () => {
  const shown = ({ action, message, entity, secondary_entity }: Record<string, unknown>) => [
    action,
    message,
    entity,
    secondary_entity,
  ];

  test.each<[number, documented: unknown[], live: unknown[]]>([
    [
      2,
      ["node_boot", "node_boot linode", node, config],
      [
        "linode_boot",
        "node_boot linode",
        { label: "linode", id: 12, type: "linode", url: "/v4/linode/instances/12" },
        { label: "node", id: 5, type: "linode_config", url: "/v4/linode/instances/12/configs/5" },
      ],
    ],
    [
      3,
      ["node_create", "node_boot linode", node, image],
      [
        "linode_create",
        "node_boot linode",
        { label: "linode", id: 12, type: "linode", url: "/v4/linode/instances/12" },
        { label: "node", id: "linode/debian12", type: "image", url: "/v4/images/linode/debian12" },
      ],
    ],
    [5, ["tag_create", "node_boot linode", tag, null], ["tag_create", "node_boot linode", tag, null]],
  ])("event %i has the words of the profile, and its own free text", async (id, inDocuments, inLive) => {
    const path = `/account/events/${id}`;
    expect(shown((await documented.call("GET", path)).body)).toEqual(inDocuments);
    expect(shown((await live.call("GET", path)).body)).toEqual(inLive);
  });

  test("keys have the same order", async () => {
    const keys = async (api: typeof live) => Object.keys((await api.call("GET", "/account/events/2")).body);
    expect(await keys(live)).toEqual(await keys(documented));
  });

  async function found(api: typeof live, filter: object) {
    const { status, body } = await api.call("GET", "/account/events", undefined, {
      "X-Filter": JSON.stringify(filter),
    });
    return status === 200 ? body.data.map(({ id }: { id: number }) => id) : body;
  }

  test.each<[object, number[]]>([
    [{ "entity.type": "linode", action: "linode_boot" }, [2]],
    [{ "entity.type": "node", action: "node_boot" }, [2]],
    [{ action: "lassie_reboot" }, [4]],
    [{ action: { "+contains": "linode" } }, [3, 2]],
    [{ action: { "+contains": "node" } }, [3, 2]],
    [{ "+or": [{ action: "linode_create" }, { action: { "+contains": "lassie" } }] }, [4, 3]],
    [{ "entity.type": "linode", action: { "+neq": "linode_boot" } }, [4, 3]],
    [{ "entity.type": "linode", "entity.id": 12, "+order_by": "id", "+order": "asc" }, [2, 3, 4]],
  ])("profile live finds %j", async (filter, ids) => {
    expect(await found(live, filter)).toEqual(ids);
  });

  test.each<[object, number[]]>([
    [{ "entity.type": "node", action: "node_boot" }, [2]],
    [{ action: "linode_boot" }, []],
    [{ action: { "+contains": "linode" } }, []],
  ])("profile documented finds %j", async (filter, ids) => {
    expect(await found(documented, filter)).toEqual(ids);
  });

  test("profile documented has no entities of live types", async () => {
    const { body } = refused(["No event is about an entity of type linode", "X-Filter"]);
    expect(await found(documented, { "entity.type": "linode" })).toEqual(body);
  });

  test("an unknown attribute is named as it was sent", async () => {
    const { body } = refused(["Cannot filter on linode_id", "X-Filter"]);
    expect([await found(live, { linode_id: 12 }), await found(documented, { linode_id: 12 })]).toEqual([body, body]);
  });
});

describe("paths", () => {
  test.each([
    ["GET", "/v4/linode/types", 200, 404],
    ["GET", "/v4/node/types", 200, 404],
    ["GET", "/v4beta/linode/types", 200, 404],
    ["POST", "/v4/linode/types", 405, 404],
    ["POST", "/v4/node/types", 405, 404],
  ])("%s %s is %i live, and %i documented", async (method, path, inLive, inDocuments) => {
    expect([(await live.ask(method, path)).status, (await documented.ask(method, path)).status]).toEqual([
      inLive,
      inDocuments,
    ]);
  });
});

describe("bodies", () => {
  test.each<[body: object, inLive: object, inDocuments: object]>([
    [{ linodes: [1] }, refused(["linodes[0] is not valid", "linodes[0]"]), { status: 200, body: { label: "linode" } }],
    [
      { nodes: [1] },
      refused(["linodes[0] is not valid", "linodes[0]"]),
      refused(["nodes[0] is not valid", "nodes[0]"]),
    ],
    [
      { nodebalancers: "x" },
      refused(["Must be of type Array", "nodebalancers"]),
      { status: 200, body: { label: "linode" } },
    ],
    [
      { balancers: ["x"] },
      refused(["Must be an integer", "nodebalancers[0]"]),
      refused(["Must be an integer", "balancers[0]"]),
    ],
  ])("POST /tags with %j", async (body, inLive, inDocuments) => {
    expect(await live.call("POST", "/tags", { label: "linode", ...body })).toEqual(inLive);
    expect(await documented.call("POST", "/tags", { label: "linode", ...body })).toEqual(inDocuments);
  });
});

test("free text is the same in both profiles", async () => {
  await live.call("PUT", "/domains/1", { description: "linode_boot", group: "node/debian12", tags: ["linode"] });
  const { errors, ...domain } = (await live.call("GET", "/domains/1")).body;
  expect(domain).toMatchObject({
    domain: "node.linode",
    description: "linode_boot",
    group: "node/debian12",
    tags: ["linode"],
  });
  expect((await documented.call("GET", "/domains/1")).body).toEqual(domain);
  for (const path of ["/domains/1/records", "/domains/1/zone-file", "/tags", "/tags/linode"]) {
    const [inLive, inDocuments] = [await live.call("GET", path), await documented.call("GET", path)];
    expect(JSON.stringify(inLive.body).replaceAll(',"errors":""', "")).toBe(JSON.stringify(inDocuments.body));
  }
});

test("headers name scopes in the words of the profile", async () => {
  const as = await live.mint({ scopes: "nodes:read_only domains:*" });
  const scopes = async (api: typeof live) =>
    (await api.ask("GET", "/v4/domains", undefined, { as })).headers.get("X-OAuth-Scopes");
  expect([await scopes(live), await scopes(documented)]).toEqual([
    "linodes:read_only domains:*",
    "nodes:read_only domains:*",
  ]);
});

describe("the OpenAPI document", () => {
  const texts = (["documented", "live"] as const).map((profile) => JSON.stringify(openApi(profile)));
  const [inDocuments = "", inLive = ""] = texts;

  test("has no live words in profile documented", () => {
    expect(inDocuments.match(/linode|stackscript|nodebalancer|longview|lassie|lish_|lke_|lkecluster/gi)).toBe(null);
  });

  test("has no documented words in profile live", () => {
    expect(
      inLive.match(
        /\bnode_|"nodes"|\bbalancer_|"balancers"|deployscript|metricsclient|watchdog_reboot|console_|k8s|\bnodes:/g,
      ),
    ).toBe(null);
  });

  test.each([
    '"/linode/types":{',
    "linodes:read_only",
    '"linodes":{',
    '"nodebalancers":{',
    "lassie_reboot, lish_boot, linode_addip",
  ])("has %s in profile live", (text) => {
    expect(inLive).toContain(text);
  });
});
