import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";
import { liveSentence } from "../../src/contract/words.ts";
import { receivePayment } from "../../src/server/areas/account/payments-operator.ts";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { refused, start } from "./start.ts";

let api: Awaited<ReturnType<typeof start>>;
beforeEach(async () => {
  api = await start({ profile: "live", jobDriver: simulatedDriver(1) });
});

const later = (seconds: number) => {
  api.clock.now = new Date(api.clock.now.getTime() + seconds * 1000);
};
const debian = { region: "us-east", type: "g6-nanode-1", image: "linode/debian12", root_pass: "correct Horse 7" };
const create = (body: object = {}) => api.call("POST", "/linode/instances", { ...debian, ...body });

describe("events by the words of clients for an entity", () => {
  const found = (type: string) =>
    api.call("GET", "/account/events", undefined, { "X-Filter": JSON.stringify({ "entity.type": type }) });

  test.each(["linode", "linodes", "node", "nodes", "Linode", "instances"])("%s", async (type) => {
    await create();
    expect((await found(type)).body.results).toBe(1);
  });

  test.each(["disk", "disks"])("%s: the events of disks, whose entity is their node", async (type) => {
    await create({ image: undefined, root_pass: undefined });
    later(10);
    expect((await api.call("POST", "/linode/instances/1/disks", { label: "data", size: 512 })).status).toBe(200);
    const { body } = await found(type);
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual(["disk_create"]);
  });

  test.each(["domains", "volumes", "service-transfers", "sshkeys"])("%s is known", async (type) => {
    expect(await found(type)).toMatchObject({ status: 200, body: { results: 0 } });
  });

  test.each(["lnode", "database", "", "toString"])("%j is refused, in any part of a filter", async (type) => {
    const reason = `No event is about an entity of type ${type}`;
    expect(await found(type)).toEqual(refused([reason, "X-Filter"]));
    const filter = { "+or": [{ id: 1 }, { "entity.type": { "+neq": type } }] };
    const headers = { "X-Filter": JSON.stringify(filter) };
    expect(await api.call("GET", "/account/events", undefined, headers)).toEqual(refused([reason, "X-Filter"]));
  });
});

describe("nodes", () => {
  test("a node that is off shuts down without an event; a running job forbids it", async () => {
    await create();
    const shutDown = () => api.call("POST", "/linode/instances/1/shutdown");
    expect(await shutDown()).toEqual(refused(["Linode busy."]));
    later(200);
    expect(await shutDown()).toEqual({ status: 200, body: {} });
    later(60);
    const events = (await api.call("GET", "/account/events")).body.results;
    expect(await shutDown()).toEqual({ status: 200, body: {} });
    expect((await api.call("GET", "/account/events")).body.results).toBe(events);
  });

  test("reasons have live words", async () => {
    await create();
    later(200);
    expect(await api.call("POST", "/linode/instances/1/boot", {})).toEqual(refused(["Linode is already running"]));
    const password = { root_pass: "correct Horse 8" };
    expect(await api.call("POST", "/linode/instances/1/password", password)).toEqual(
      refused(["Linode must be shut down"]),
    );
  });

  test("the unknown plan comes first, in the words of the hosted service", async () => {
    const unknown = refused(["A valid plan type by that ID was not found", "type"], ["region is not valid", "region"]);
    expect(await create({ type: "g6-none", region: "nowhere" })).toEqual(unknown);
    await create();
    later(200);
    expect(await api.call("POST", "/linode/instances/1/resize", { type: "g6-none" })).toEqual(
      refused(["A valid plan type by that ID was not found", "type"]),
    );
  });

  test("a rebuild replies the new image, also before it is done", async () => {
    await create();
    later(200);
    const body = { image: "linode/alpine3.20", root_pass: "correct Horse 7" };
    const rebuilt = await api.call("POST", "/linode/instances/1/rebuild", body);
    expect(rebuilt).toMatchObject({ status: 200, body: { status: "rebuilding", image: "linode/alpine3.20" } });
  });

  test("a resize shows the status resizing, for which clients wait; the documents call it migrating", async () => {
    const statusDuring = async (service: typeof api, nodes: string) => {
      await service.call("POST", nodes, { region: "us-east", type: "g6-nanode-1" });
      service.clock.now = new Date(service.clock.now.getTime() + 200_000);
      expect(await service.call("POST", `${nodes}/1/resize`, { type: "g6-standard-1" })).toMatchObject({ status: 200 });
      return (await service.call("GET", `${nodes}/1`)).body.status;
    };
    expect(await statusDuring(api, "/linode/instances")).toBe("resizing");
    const documented = await start({ jobDriver: simulatedDriver(1) });
    expect(await statusDuring(documented, "/node/instances")).toBe("migrating");
  });
});

test("regions, nodes and settings have the keys by which clients of the hosted service choose", async () => {
  await create();
  const monitors = { alerts: ["Linodes"] };
  expect((await api.call("GET", "/regions/us-east")).body).toMatchObject({ monitors });
  expect((await api.call("GET", "/linode/instances/1")).body).toMatchObject({ maintenance_policy: "linode/migrate" });
  expect((await api.call("GET", "/account/settings")).body).toMatchObject({ maintenance_policy: "linode/migrate" });
  const documented = await start();
  expect((await documented.call("GET", "/regions/us-east")).body).not.toHaveProperty("monitors");
  expect((await documented.call("GET", "/account/settings")).body).not.toHaveProperty("maintenance_policy");
});

describe("refused entities say why", () => {
  const offer = (entities: object) => ["POST", "/account/service-transfers", { entities }] as const;
  const device = (volume_id: number) => ({ label: "boot", devices: { sda: { volume_id } } });
  const zone = { type: "master", soa_email: "a@example.com" };
  const empty = { region: "us-east", type: "g6-nanode-1" };
  const policies = { inbound_policy: "DROP", outbound_policy: "ACCEPT" };

  /** Nodes 1 to 3, of which 2 has volume 1 and 3 runs; volume 2 elsewhere; domains, of which one lies below another. */
  beforeEach(async () => {
    const made: [path: string, body: object][] = [
      ["/linode/instances", { ...empty, label: "web-1" }],
      ["/linode/instances", { ...empty, label: "web-2" }],
      ["/linode/instances", { ...debian, label: "web-3" }],
      ["/volumes", { label: "near", region: "us-east" }],
      ["/volumes", { label: "far", region: "eu-west" }],
      ["/domains", { ...zone, domain: "example.com" }],
      ["/domains", { ...zone, domain: "sub.example.com" }],
      ["/domains", { ...zone, domain: "example.org" }],
      ["/networking/firewalls", { label: "wall", rules: policies }],
    ];
    for (const [path, body] of made) expect((await api.call("POST", path, body)).status).toBe(200);
    later(600);
    expect((await api.call("POST", "/volumes/1/attach", { linode_id: 2 })).status).toBe(200);
    await api.call("POST", "/networking/firewalls/1/devices", { id: 1, type: "linode" });
  });

  test.each<[what: string, asked: (readonly [string, string, object?])[], reason: string, field?: string]>([
    ["a node twice", [offer({ linodes: [1, 1] })], 'The request names "web-1" twice.', "entities.linodes[1]"],
    [
      "an offered domain",
      [offer({ domains: [3] }), offer({ domains: [3] })],
      '"example.org" is part of another transfer.',
      "entities.domains[0]",
    ],
    [
      "a domain without the one above",
      [offer({ domains: [2] })],
      'A domain above "sub.example.com" is not part of the transfer.',
      "entities.domains[0]",
    ],
    ["a node with a volume", [offer({ linodes: [2] })], 'A volume is attached to "web-2".', "entities.linodes[0]"],
    [
      "a busy node",
      [["POST", "/linode/instances/3/reboot", {}], offer({ linodes: [3] })],
      'A job of "web-3" is unfinished.',
      "entities.linodes[0]",
    ],
    [
      "a volume of another node",
      [["POST", "/linode/instances/1/configs", device(1)]],
      "The volume is attached to another Linode",
      "devices.sda.volume_id",
    ],
    [
      "a volume of another region, to rescue",
      [["POST", "/linode/instances/1/rescue", { devices: { sda: { volume_id: 2 } } }]],
      "The volume is in another region than the Linode",
      "devices.sda.volume_id",
    ],
    [
      "an attached volume",
      [["POST", "/volumes/1/attach", { linode_id: 1 }]],
      "The volume is attached to a Linode already",
    ],
    [
      "a far volume",
      [["POST", "/volumes/2/attach", { linode_id: 1 }]],
      "Must be in the region of the volume",
      "linode_id",
    ],
    [
      "a node as its own clone",
      [["POST", "/linode/instances/1/clone", { linode_id: 1 }]],
      "A Linode cannot be cloned to itself",
      "linode_id",
    ],
    ["a running node", [["POST", "/linode/instances/3/boot", {}]], "Linode is already running"],
    [
      "a node with the firewall",
      [["POST", "/networking/firewalls/1/devices", { id: 1, type: "linode" }]],
      "The Linode has the firewall already",
      "id",
    ],
    [
      "a zone that exists",
      [["POST", "/domains", { ...zone, domain: "example.org" }]],
      "DNS zone already exists.",
      "domain",
    ],
  ])("%s", async (_, asked, reason, field) => {
    const answers = [];
    for (const [method, path, body] of asked) answers.push(await api.call(method, path, body));
    expect(answers.at(-1)).toEqual(refused(field === undefined ? [reason] : [reason, field]));
    for (const { status } of answers.slice(0, -1)) expect(status).toBe(200);
  });

  test("every reason in the sources is a sentence, or names the field of an unknown id", async () => {
    const reasons = listReasons();
    expect(reasons.length).toBeGreaterThan(80);
    const isSentence = (text: string) =>
      /^["A-Z$].* ./.test(text) || /^[\w.${}]+ .*\b(?:is|does|exclude|required)\b/.test(text);
    expect(reasons.filter((text) => !isSentence(text))).toEqual([]);
  });
});

test("no sentence that a caller, event or mail shows has a word of the documents in profile live", async () => {
  const own = /\b(?:nodes?|balancers?|deploy ?scripts?|k8s)\b(?![./_])/i;
  const shown = listSentences().map(({ text, isReason }) => (isReason ? liveSentence(text) : text));
  expect(shown.length).toBeGreaterThan(150);
  expect(shown.filter((text) => own.test(text))).toEqual([]);
});

/**
 * The sentences in the sources of the areas, except those for operators and programmers. Reasons of refusals are put
 * into live words when they are sent.
 */
function listSentences(): { text: string; isReason: boolean }[] {
  const folder = fileURLToPath(new URL("../../src/server/areas/", import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const sources = files
    .filter((file) => !/operator/.test(file))
    .map((file) => readFileSync(join(folder, file), "utf8"));
  return sources.flatMap((source) =>
    [...source.replace(/\/\*[\s\S]*?\*\/|^import .*$/gm, "").matchAll(/^.*?\S.*$/gm)].flatMap(([line]) =>
      [...line.matchAll(/"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`/g)]
        .map(({ 0: literal, 1: plain, 2: template, index }) => ({ literal, text: plain ?? template ?? "", index }))
        .filter(({ text }) => /^["A-Z$].*[a-z}"] \S/.test(text))
        .filter(({ index }) => !/(?:Error\(|describe\()$/.test(line.slice(0, index)))
        .map(({ text, index }) => ({
          text,
          isReason: /(?:badRequest\(|errorEntry\(.*, |reason: |obstacles\.set\(.*, )$/.test(line.slice(0, index)),
        })),
    ),
  );
}

/** The texts of refusals in the sources of nodes, volumes, firewalls, domains and transfers. */
function listReasons(): string[] {
  return ["nodes", "domains", "transfers"].flatMap((area) => {
    const folder = fileURLToPath(new URL(`../../src/server/areas/${area}/`, import.meta.url));
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
    return files.flatMap((file) => {
      const calls = readFileSync(join(folder, file), "utf8").matchAll(
        /\b(?:badRequest\(|errorEntry\([^"`\n]*?(?:"[^"]*"|`[^`]*`|\w+), )(?:"([^"]+)"|`([^`]+)`)/g,
      );
      return [...calls].map(([, plain, template]) => plain ?? template ?? "");
    });
  });
}

describe("types", () => {
  const found = async (filter: object) =>
    (await api.call("GET", "/linode/types", undefined, { "X-Filter": JSON.stringify(filter) })).body;

  test("labels are those that clients know, in lists and on bills", async () => {
    expect((await found({ label: "Linode 2GB" })).data).toMatchObject([{ id: "g6-standard-1", class: "standard" }]);
    expect((await found({ label: { "+contains": "Linode" }, class: "highmem" })).results).toBe(5);
    expect((await found({ label: { "+contains": "Node" } })).results).toBe(0);
    await create({ type: "g6-standard-1", label: "Node-a" });
    later(40 * 24 * 3600);
    const { data } = (await api.call("GET", "/account/invoices/1/items")).body;
    expect(data).toMatchObject([{ label: "Linode 2GB - Node-a (1)", unit_price: "10.00" }]);
  });

  test("a distribution has images among which clients choose", async () => {
    const headers = { "X-Filter": JSON.stringify({ vendor: "Alpine" }) };
    expect((await api.call("GET", "/images", undefined, headers)).body.results).toBe(4);
  });
});

describe("volumes", () => {
  const read = async () => (await api.call("GET", "/volumes/1")).body;
  const status = async (filter: object) =>
    (await api.call("GET", "/volumes", undefined, { "X-Filter": JSON.stringify(filter) })).body.results;
  const eventOf = async (action: string) =>
    (await api.call("GET", "/account/events", undefined, { "X-Filter": JSON.stringify({ action }) })).body.data[0];

  test("one is creating for a time, in which it can be attached; then its node can use it", async () => {
    await create();
    later(200);
    const volume = (await api.call("POST", "/volumes", { label: "data", region: "us-east", tags: null })).body;
    expect(volume).toMatchObject({ status: "creating", io_ready: false });
    expect(await eventOf("volume_create")).toMatchObject({ status: "scheduled", percent_complete: 0 });
    later(5);
    expect((await api.call("POST", "/volumes/1/attach", { linode_id: 1 })).body).toMatchObject({
      status: "creating",
      linode_id: 1,
      io_ready: false,
    });
    expect(await eventOf("volume_create")).toMatchObject({ status: "started", percent_complete: 50 });
    expect([await status({ status: "creating" }), await status({ io_ready: true })]).toEqual([1, 0]);
    later(5);
    expect(await read()).toMatchObject({ status: "active", io_ready: true });
    expect(await eventOf("volume_create")).toMatchObject({ status: "finished", duration: 10 });
    expect([await status({ status: "active" }), await status({ io_ready: true })]).toEqual([1, 1]);
  });

  test("one is resizing for a time, with its new size, and not twice at once", async () => {
    await api.call("POST", "/volumes", { label: "data", region: "us-east" });
    const resize = (size: number) => api.call("POST", "/volumes/1/resize", { size });
    expect(await resize(30)).toEqual(refused(["The volume is not active yet"]));
    later(10);
    expect((await resize(30)).body).toMatchObject({ status: "resizing", size: 30 });
    expect(await resize(40)).toEqual(refused(["The volume is not active yet"]));
    expect(await status({ status: "resizing" })).toBe(1);
    later(10);
    expect(await read()).toMatchObject({ status: "active", size: 30 });
  });

  test("a node can use its volume while that is resizing, but not while it is creating", async () => {
    await create();
    later(200);
    await api.call("POST", "/volumes", { label: "data", region: "us-east", linode_id: 1 });
    const found = () => status({ io_ready: true });
    expect([await read(), await found()]).toMatchObject([{ status: "creating", io_ready: false }, 0]);
    later(10);
    const resized = (await api.call("POST", "/volumes/1/resize", { size: 30 })).body;
    expect([resized, await found()]).toMatchObject([{ status: "resizing", io_ready: true }, 1]);
    later(10);
    expect((await api.call("POST", "/volumes/1/detach")).status).toBe(200);
    expect([await read(), await found()]).toMatchObject([{ status: "active", io_ready: false }, 0]);
  });

  test("one that is deleted meanwhile fails its job", async () => {
    await api.call("POST", "/volumes", { label: "data", region: "us-east" });
    later(3);
    expect((await api.call("DELETE", "/volumes/1")).status).toBe(200);
    expect(await eventOf("volume_create")).toMatchObject({ status: "failed", message: "The volume was deleted." });
    later(60);
    expect((await api.call("GET", "/volumes")).body.results).toBe(0);
  });
});

describe("firewalls", () => {
  const rule = { action: "ACCEPT", protocol: "TCP", ports: "22", addresses: { ipv4: ["0.0.0.0/0"] } };
  const policies = { inbound_policy: "DROP", outbound_policy: "ACCEPT" };

  test("rules have a version that counts and a fingerprint that equal rules share; null stays null", async () => {
    const first = { ...policies, inbound: [rule], outbound: null };
    const made = (await api.call("POST", "/networking/firewalls", { label: "one", rules: first })).body;
    expect(made).toMatchObject({ rules: { ...first, version: 1 }, entities: [] });
    const put = async (rules: object) => (await api.call("PUT", "/networking/firewalls/1/rules", rules)).body;
    const second = await put({ ...first, inbound: [{ ...rule, ports: "80" }] });
    expect(second.version).toBe(2);
    expect(second.fingerprint).not.toBe(made.rules.fingerprint);
    expect(await put(first)).toEqual({ ...made.rules, version: 3 });
    expect((await api.call("GET", "/networking/firewalls/1/rules")).body).toEqual({ ...made.rules, version: 3 });
  });

  test("a firewall lists the nodes that have it", async () => {
    await create({ label: "web" });
    later(200);
    await api.call("POST", "/networking/firewalls", { label: "one", rules: policies });
    const entities = async () => (await api.call("GET", "/networking/firewalls")).body.data[0].entities;
    expect(await entities()).toEqual([]);
    await api.call("POST", "/networking/firewalls/1/devices", { id: 1, type: "linode" });
    const web = { id: 1, type: "linode", label: "web", url: "/v4/linode/instances/1", parent_entity: null };
    expect(await entities()).toEqual([web]);
    expect((await api.call("GET", "/networking/firewalls/1/devices")).body.data).toMatchObject([{ entity: web }]);
    const { call } = await start();
    await call("POST", "/node/instances", { region: "us-east", type: "g6-nanode-1" });
    const documented = { label: "one", rules: policies, devices: { nodes: [1] } };
    expect((await call("POST", "/networking/firewalls", documented)).status).toBe(200);
    const [device] = (await call("GET", "/networking/firewalls/1/devices")).body.data;
    expect(Object.keys(device.entity).sort()).toEqual(["id", "label", "type", "url"]);
    await api.call("DELETE", "/networking/firewalls/1/devices/1");
    expect(await entities()).toEqual([]);
  });

  test.each(["ALL", "0", "50", "255", "IPENCAP"])("protocol %s, in profile live only", async (protocol) => {
    const rules = { ...policies, inbound: [{ action: "ACCEPT", protocol }] };
    expect((await api.call("POST", "/networking/firewalls", { label: "one", rules })).body.rules.inbound).toEqual(
      rules.inbound,
    );
    const { call } = await start();
    const reason: [string, string] = ["Must be one of TCP, UDP, ICMP, IPENCAP", "rules.inbound[0].protocol"];
    const answer = await call("POST", "/networking/firewalls", { label: "one", rules });
    if (protocol === "IPENCAP") expect(answer.status).toBe(200);
    else expect(answer).toEqual(refused(reason));
  });

  test.each(["256", "tcp", "", "-1", "ESP"])("protocol %j is refused", async (protocol) => {
    const rules = { ...policies, inbound: [{ action: "ACCEPT", protocol }] };
    const answer = await api.call("POST", "/networking/firewalls", { label: "one", rules });
    expect(answer).toEqual(refused(["Must be one of TCP, UDP, ICMP, IPENCAP", "rules.inbound[0].protocol"]));
  });
});

describe("what only the hosted service has", () => {
  const reason = "This server does not have this endpoint of the hosted service.";

  test.each([
    "POST /images/sharegroups",
    "GET /images/sharegroups",
    "POST /images",
    "GET /regions/availability",
    "GET /regions/us-east/availability",
    "GET /account/availability",
    "GET /volumes/types",
    "POST /volumes/1/clone",
    "PUT /account/settings",
    "GET /networking/firewalls/settings",
    "GET /networking/firewalls/templates",
    "GET /lke/clusters",
    "GET /linode/instances/1/interfaces/",
    "DELETE /images/sharegroups/1/members/x",
    "HEAD /vpcs",
  ])("%s is 501, in profile live only", async (request) => {
    const [method = "", path = ""] = request.split(" ");
    const ask = async (prefix: string, headers = {}) =>
      (await api.ask(method, prefix + path, undefined, headers)).status;
    expect([await ask("/v4"), await ask("/v4beta"), await ask("/v4", { as: "wrong" })]).toEqual([501, 501, 501]);
    if (method !== "HEAD") expect((await api.call(method, path)).body).toEqual({ errors: [{ reason }] });
    const documented = await start();
    expect([404, 405]).toContain((await documented.ask(method, `/v4${path}`)).status);
  });

  test.each([
    ["GET", "/nothing", 404],
    ["GET", "/volumes/typos", 404],
    ["DELETE", "/volumes/types", 404],
    ["PATCH", "/domains", 405],
    ["GET", "/images/linode/debian12", 200],
    ["GET", "/regions/us-east", 200],
    ["OPTIONS", "/vpcs", 200],
  ])("%s %s is %d", async (method, path, status) => {
    expect((await api.ask(method, `/v4${path}`)).status).toBe(status);
  });

  const node = { region: "us-east", type: "g6-nanode-1" };
  test.each<[method: string, path: string, body: object, ignored: string | null]>([
    ["POST", "/linode/instances", { ...node, metadata: { user_data: "aGk=" } }, "metadata"],
    [
      "POST",
      "/linode/instances",
      { ...node, disk_encryption: "enabled", ipv4: ["192.0.2.1"] },
      "disk_encryption, ipv4",
    ],
    ["POST", "/linode/instances", { ...node, metadata: null, other: 1 }, null],
    [
      "POST",
      "/linode/instances",
      {
        ...node,
        interfaces: [
          { purpose: "public", primary: true },
          { purpose: "vlan", label: "x", vpc_id: 3 },
        ],
      },
      "interfaces.primary, interfaces.vpc_id",
    ],
    ["POST", "/volumes", { label: "data", region: "us-east", encryption: "enabled" }, "encryption"],
    ["POST", "/domains", { domain: "a.example", type: "master", soa_email: "a@b.example", status: "active" }, null],
    ["PUT", "/account", { company: "x", euuid: "1", credit_card: { expiry: "1" } }, null],
  ])("%s %s %j: ignored keys are named, and refused if the server is strict", async (method, path, body, ignored) => {
    const response = await api.ask(method, `/v4${path}`, body);
    expect([response.status, response.headers.get("X-Ignored-Keys")]).toEqual([200, ignored]);
    const entries: { ignored?: readonly string[] }[] = [];
    const strict = await start({
      profile: "live",
      refusesUnservedKeys: true,
      onAccess: (access) => entries.push(access),
    });
    const keys = ignored?.split(", ");
    const answer = await strict.call(method, path, body);
    if (keys === undefined) expect(answer.status).toBe(200);
    else expect(answer).toEqual(refused(...keys.map((key): [string, string] => [`${key} is not served here`, key])));
    expect(entries.map((entry) => entry.ignored)).toEqual([keys]);
    const { ask } = await start();
    expect((await ask(method, `/v4${path}`, body)).headers.get("X-Ignored-Keys")).toBeNull();
  });
});

test.each([
  ["Node is already running", "Linode is already running"],
  ["The disks need 5 MB, and the node has 3 MB", "The disks need 5 MB, and the Linode has 3 MB"],
  ["Must be the region of the node", "Must be the region of the Linode"],
  ["The catalogue no longer has the node's region.", "The catalogue no longer has the Linode's region."],
  ["lookup for node.example.com", "lookup for node.example.com"],
  [
    '"node" is a name, /node/ a path, node_id and nodes[0] are fields',
    '"node" is a name, /node/ a path, node_id and nodes[0] are fields',
  ],
])("%s", (documented, live) => {
  expect(liveSentence(documented)).toBe(live);
});

describe.each(["documented", "live"] as const)("SRV records without service and protocol, in profile %s", (profile) => {
  const rest = { type: "SRV", priority: 1, weight: 2, port: 5060, target: "sip.example.net" };
  test.each<[object, string, string | null, string | null]>([
    [{ service: "sip" }, "_sip", "sip", null],
    [{ service: "sip", protocol: null }, "_sip", "sip", null],
    [{ service: null, protocol: "tcp" }, "_tcp", null, "tcp"],
    [{ service: null, protocol: null }, "", null, null],
    [{ name: "_sip._tcp.office" }, "_sip._tcp.office", null, null],
    [{ service: "_sip", protocol: "_tcp.sub", name: "ignored" }, "_sip._tcp.sub", "_sip", "_tcp.sub"],
  ])("%j", async (fields, name, service, protocol) => {
    const { call, domain } = await start({ profile });
    await domain("example.com");
    const { status, body } = await call("POST", "/domains/1/records", { ...rest, ...fields });
    expect({ status, ...body }).toMatchObject({ status: 200, name, service, protocol });
    expect((await call("PUT", "/domains/1/records/1", { port: 1 })).body).toMatchObject({ name, port: 1 });
  });

  test("an empty one is refused", async () => {
    const { call, domain } = await start({ profile });
    await domain("example.com");
    expect(await call("POST", "/domains/1/records", { ...rest, service: "", protocol: "tcp" })).toEqual(
      refused(["service is required", "service"]),
    );
  });
});

describe.each(["documented", "live"] as const)("in profile %s", (profile) => {
  test("a record has only the numbers of its type if profile live is served", async () => {
    const { call, domain } = await start({ profile });
    await domain("example.com");
    const numbers = { priority: 1, weight: 2, port: 3 };
    const add = async (body: object) => (await call("POST", "/domains/1/records", { ...numbers, ...body })).body;
    const none = profile === "live" ? { priority: 0, weight: 0, port: 0 } : numbers;
    expect(await add({ type: "A", target: "192.0.2.1" })).toMatchObject(none);
    expect(await add({ type: "MX", target: "a.example" })).toMatchObject({ ...none, priority: 1 });
    const srv = { type: "SRV", service: "sip", protocol: "tcp", target: "a.example" };
    expect(await add(srv)).toMatchObject(numbers);
  });

  test("a slash at the end finds the same resource", async () => {
    const { call, ask, domain } = await start({ profile });
    await domain("example.com", [{ type: "A", target: "192.0.2.1" }]);
    for (const path of ["/domains", "/domains/1", "/domains/1/records", "/domains/1/records/1", "/regions/us-east"])
      expect(await call("GET", `${path}/?page=1`)).toEqual(await call("GET", `${path}?page=1`));
    expect((await ask("GET", "/v4beta/domains/1/")).status).toBe(200);
    expect((await call("GET", "/domains/1//")).status).toBe(404);
  });

  test("a map of the wrong type is an object in the reason", async () => {
    const { call } = await start({ profile });
    const body = { region: "us-east", type: "g6-nanode-1", deployscript_data: "text" };
    const field = profile === "live" ? "stackscript_data" : "deployscript_data";
    expect(await call("POST", "/node/instances", body)).toEqual(refused(["Must be of type Object", field]));
  });

  test("an event of an operator command names the operator in profile live only", async () => {
    const { call, store, clock } = await start({ profile });
    await receivePayment(store, "admin", { amount: 10_000, now: clock.now });
    const { data } = (await call("GET", "/account/events")).body;
    expect(data).toMatchObject([{ action: "payment_submitted", username: profile === "live" ? "operator" : "" }]);
  });
});
