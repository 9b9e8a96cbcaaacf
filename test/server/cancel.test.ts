// @suite postgres

import { dirname } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import type { ApiEvent } from "../../src/contract/resources/event.ts";
import { ask } from "../../src/dns-client/ask.ts";
import { receiveZone } from "../../src/dns-client/transfer-zone.ts";
import { createToken } from "../../src/server/areas/account/tokens-operator.ts";
import { reopenAccount } from "../../src/server/areas/users/accounts-operator.ts";
import { StoredZones } from "../../src/server/nameserver/zones/stored-zones.ts";
import { serveNames } from "../../src/server/serve-names.ts";
import { readServerSettings } from "../../src/server/server.ts";
import { openStore } from "../../src/server/store/store.ts";
import { apiOf, Program } from "../cli/process.ts";
import { Desk } from "../cli/run.ts";
import { dig } from "../dns/transfer/dig.ts";
import { binaries } from "../dns/transfer/nameservers.ts";
import { useNameServer } from "../dns/transfer/use-name-server.ts";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";
import { freeCatalog } from "./bills.ts";
import { beginSlaves, slave, zoneOf } from "./nameserver/masters.ts";
import { waitForCurrent } from "./nameserver/wait-for-current.ts";
import { start } from "./start.ts";
import { emptyPlace } from "./stores.ts";

const invalidToken = { status: 401, body: { errors: [{ reason: "Invalid Token" }] } };
const cancelled = { status: 200, body: { survey_link: "" } };
const www = { type: "A", name: "www", target: "192.0.2.1" };
const host = "127.0.0.1";
const refused = 5;

/** An API with its name service; the zone `example.com` may be transferred to this machine. */
async function begin() {
  const api = await start();
  const names = await serveNames(
    { store: api.store, clock: () => api.clock.now, nameservers: ["ns1.example.net"] },
    { port: 0, isAllowed: () => false },
  );
  onTestFinished(() => names.close());
  const at = { host, port: names.port };
  await api.domain("example.com", [www]);
  await api.call("PUT", "/domains/1", { axfr_ips: [host] });
  const rcodeOf = async (name: string) =>
    (await ask(at, { question: { name: domainName(name), type: "SOA", class: 1 } })).rcode;
  return { ...api, at, rcodeOf };
}

test("the tokens of a cancelled account are invalid, for each of its users, until the operator reopens it", async () => {
  const { call, store, mint } = await start();
  const colleague = await mint({ username: "colleague", account: "admin" });
  const stranger = await mint({ username: "stranger" });
  const before = (await call("GET", "/account")).body;
  expect(await call("POST", "/account/cancel", { comments: "We moved." }, { as: colleague })).toEqual(cancelled);
  for (const as of [undefined, colleague])
    for (const [method, path, body] of [
      ["GET", "/account", undefined],
      ["GET", "/profile", undefined],
      ["POST", "/domains", {}],
      ["POST", "/account/cancel", {}],
    ] as const)
      expect(await call(method, path, body, as ? { as } : {})).toEqual(invalidToken);
  expect((await call("GET", "/account", undefined, { as: stranger })).status).toBe(200);
  const closed = await store.read((db) =>
    db.selectFrom("accounts").select(["name", "closed", "closing_comments"]).orderBy("id").execute(),
  );
  expect(closed).toEqual([
    { name: "admin", closed: "2026-03-04T12:00:00", closing_comments: "We moved." },
    { name: "stranger", closed: null, closing_comments: null },
  ]);
  await reopenAccount(store, "admin");
  expect(await call("GET", "/account")).toEqual({ status: 200, body: before });
});

test("the nodes, volumes and firewalls of a cancelled account are gone, whatever they did; others stay", async () => {
  const { call, store, mint, clock } = await start({ catalog: freeCatalog });
  const stranger = await mint({ username: "stranger" });
  const node = { region: "us-east", type: "g6-nanode-1" };
  const rules = { inbound_policy: "DROP", outbound_policy: "ACCEPT" };
  await call("POST", "/node/instances", { ...node, label: "other" }, { as: stranger });
  await call("POST", "/volumes", { label: "other", region: "us-east" }, { as: stranger });
  await call("POST", "/node/instances", { ...node, label: "idle", backups_enabled: true });
  await call("POST", "/node/instances", { ...node, label: "busy" });
  await call("POST", "/node/instances", { ...node, label: "ending" });
  await call("POST", "/node/instances/3/disks", { label: "root", size: 500 });
  await call("DELETE", "/node/instances/4");
  await call("POST", "/volumes", { label: "data", node_id: 2 });
  await call("POST", "/networking/firewalls", { label: "web", rules, devices: { nodes: [2] } });
  expect(await call("POST", "/account/cancel", {})).toEqual(cancelled);
  const rowsOf = (table: "nodes" | "disks" | "volumes" | "firewalls" | "jobs" | "firewall_devices") =>
    store.read(async (db) => (await db.selectFrom(table).selectAll().execute()).length);
  expect({
    nodes: await rowsOf("nodes"),
    disks: await rowsOf("disks"),
    volumes: await rowsOf("volumes"),
    firewalls: await rowsOf("firewalls"),
    firewall_devices: await rowsOf("firewall_devices"),
    jobs: await rowsOf("jobs"),
  }).toEqual({ nodes: 1, disks: 0, volumes: 1, firewalls: 0, firewall_devices: 0, jobs: 0 });
  const held = await store.read((db) =>
    db.selectFrom("addresses").select("node_id").where("node_id", "is not", null).where("type", "=", "ipv4").execute(),
  );
  expect(held).toEqual([{ node_id: 1 }]);
  await reopenAccount(store, "admin");
  clock.now = new Date("2026-03-05T12:00:00Z");
  const { body } = await call("GET", "/account/events?page_size=100");
  const told = body.data.map(({ action, entity, status, message }: ApiEvent) =>
    [action, entity?.label, status, message].filter(Boolean).join(" "),
  );
  expect(told.reverse().slice(told.indexOf('disk_create busy failed "busy" was deleted.'))).toEqual([
    'disk_create busy failed "busy" was deleted.',
    "node_delete ending finished 198.18.0.5, 2001:db8::f03c:91ff:fe00:4",
    "volume_create data notification",
    "volume_attach data notification",
    "firewall_create web notification",
    "firewall_device_add web notification",
    "volume_detach data notification",
    "node_delete idle finished 198.18.0.3, 2001:db8::f03c:91ff:fe00:2",
    "node_delete busy finished 198.18.0.4, 2001:db8::f03c:91ff:fe00:3",
    "volume_delete data notification",
    "firewall_delete web notification",
  ]);
  expect((await call("GET", "/node/instances")).body.data).toEqual([]);
  expect((await call("GET", "/node/instances", undefined, { as: stranger })).body.data[0].label).toBe("other");
});

test("the domains of a cancelled account are neither answered nor transferred; others are", async () => {
  const { call, mint, store, at, rcodeOf } = await begin();
  const stranger = await mint({ username: "stranger" });
  await call(
    "POST",
    "/domains",
    { domain: "example.org", type: "master", soa_email: "h@example.org" },
    { as: stranger },
  );
  const zone = { zone: domainName("example.com."), server: at };
  const before = await receiveZone(zone);
  await call("POST", "/account/cancel", {});
  expect(await rcodeOf("example.com.")).toBe(refused);
  await expect(receiveZone(zone)).rejects.toThrow("the server is not authoritative for the zone");
  expect(await rcodeOf("example.org.")).toBe(0);
  await reopenAccount(store, "admin");
  expect(await receiveZone(zone)).toEqual(before);
});

test("a name of a cancelled account cannot be taken by another", async () => {
  const { call, mint } = await start();
  await call("POST", "/domains", { domain: "example.com", type: "master", soa_email: "h@example.com" });
  await call("POST", "/account/cancel", {});
  const as = await mint({ username: "stranger" });
  const other = { domain: "example.com", type: "master", soa_email: "h@example.com" };
  expect((await call("POST", "/domains", other, { as })).body.errors).toEqual([
    { reason: "DNS zone already exists.", field: "domain" },
  ]);
});

for (const program of ["dig", "kdig"] as const)
  test.skipIf(isMissing(program))(`${program} gets nothing of a cancelled account`, async () => {
    const { call, at, store } = await begin();
    const lines = ["www.example.com. 86400 IN A 192.0.2.1", ""];
    const asked = () => dig(at, "www.example.com.", "A", { program });
    expect(await asked()).toEqual(lines);
    await call("POST", "/account/cancel", {});
    expect(await asked()).toEqual([""]);
    await expect(dig(at, "example.com.", "AXFR", { program })).rejects.toThrow(/failed/i);
    await reopenAccount(store, "admin");
    expect(await asked()).toEqual(lines);
  });

test.skipIf(isMissing(binaries.knot))("Knot keeps its copy of the zone and follows again after reopening", async () => {
  const { call, at, store } = await begin();
  const knot = await useNameServer("knot", { zones: {}, secondary: { primary: at, zones: ["example.com."] } });
  await call("POST", "/account/cancel", {});
  expect(await dig(knot, "www.example.com.", "A")).toEqual(["www.example.com. 86400 IN A 192.0.2.1", ""]);
  await reopenAccount(store, "admin");
  await call("POST", "/domains/1/records", { type: "A", name: "new", target: "192.0.2.2" });
  // A fresh secondary has the new version, whose serial is later than the one that Knot has.
  const serialOf = async (server: typeof at) => Number((await dig(server, "example.com.", "SOA"))[0]?.split(" ")[6]);
  expect(await serialOf(at)).toBe((await serialOf(knot)) + 1);
});

test("slaves of a cancelled account are neither answered nor transferred, and NOTIFY is refused", async () => {
  const { masters, call, lookAfter, www, slaves, store } = await beginSlaves();
  masters.answers.set("192.0.2.1", zoneOf(7));
  await call("POST", "/domains", slave);
  await lookAfter(0);
  expect(await www()).toBe("aa 192.0.2.10");
  await call("POST", "/account/cancel", {});
  expect(await www()).toBe(refused);
  expect(await lookAfter(3600)).toEqual([]);
  expect(await slaves.handleNotify(domainName("example.com."), "192.0.2.1")).toBe(9);
  await reopenAccount(store, "admin");
  expect(await www()).toBe("aa 192.0.2.10");
  expect(await lookAfter(0)).toEqual(["192.0.2.1 SOA"]);
});

test("serials continue after reopening, with and without a change of the name servers", async () => {
  const { call, store, clock } = await start();
  await call("POST", "/domains", { domain: "example.com", type: "master", soa_email: "h@example.com" });
  const serial = async (nameserver: string) => {
    const settings = readServerSettings({ store, clock: () => clock.now, nameservers: [nameserver] });
    const zones = new StoredZones(settings, () => clock.now, { waitForCurrent, isAllTransferred: true });
    return (await zones.listTransferred()).map(({ serial }) => serial);
  };
  const [before = 0] = await serial("ns1.example.net");
  await call("POST", "/account/cancel", {});
  expect(await serial("ns1.example.net")).toEqual([]);
  expect(await serial("ns2.example.net")).toEqual([]);
  clock.now = new Date("2026-03-05T12:00:00Z");
  await reopenAccount(store, "admin");
  expect(await serial("ns1.example.net")).toEqual([before]);
  expect(await serial("ns2.example.net")).toEqual([before + 1]);
});

/** With SQLite both servers share the one connection that a process has, as in concurrent.test.ts. */
test("of two servers, both close an account that is cancelled at one of them, at most once each", async () => {
  const place = await emptyPlace();
  const first = await openStore(place);
  const second = inject("postgres") === undefined ? first : await openStore(place);
  onTestFinished(async () => {
    await first.close();
    if (second !== first) await second.close();
  });
  const [one, two] = [await start({ store: first }), await start({ store: second })];
  await one.domain("example.com");
  const zones = new StoredZones(readServerSettings({ store: second, clock: () => two.clock.now }), () => two.clock.now);
  const found = async () => (await zones.findTransferable(domainName("example.com."))) !== undefined;
  expect(await found()).toBe(true);
  const answers = await Promise.all([one, two, one, two].map(({ call }) => call("POST", "/account/cancel", {})));
  expect(answers.filter(({ status }) => status === 200)).toEqual([cancelled]);
  expect(answers.filter(({ status }) => status !== 200)).toEqual([invalidToken, invalidToken, invalidToken]);
  expect(await found()).toBe(false);
  expect(await two.call("GET", "/account")).toEqual(invalidToken);
});

test("after kill -9 amid cancellations, each account is either closed with its reason and empty, or open and whole", async () => {
  const desk = new Desk();
  const place = await emptyPlace();
  const isUrl = inject("postgres") !== undefined;
  const flags = `--port 0 --token secret-for-tests${isUrl ? "" : ` --data ${dirname(place)}`}`;
  const program = new Program(desk.folder, `serve ${flags}`, isUrl ? { DATABASE_URL: place } : {});
  const { url } = await apiOf(program);
  const store = await openStore(place);
  onTestFinished(() => store.close());
  const names = Array.from({ length: 40 }, (_, n) => `account${n}`);
  for (const username of names) await createToken(store, { username, token: username, now: new Date() });
  const post = (token: string, path: string, body: object) =>
    fetch(`${url}/v4${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
  const owners = names.filter((_, n) => n % 4 === 0);
  const rules = { inbound_policy: "DROP", outbound_policy: "ACCEPT" };
  for (const owner of owners) {
    const node = await post(owner, "/node/instances", { region: "us-east", type: "g6-nanode-1" });
    const { id } = JSON.parse(await node.text());
    const replies = [
      await post(owner, "/volumes", { label: "data", node_id: id }),
      await post(owner, "/networking/firewalls", { label: "web", rules, devices: { nodes: [id] } }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  }
  const acknowledged: string[] = [];
  const cancel = async (token: string) => {
    const reply = await post(token, "/account/cancel", { comments: `by ${token}` }).catch(() => undefined);
    if (reply?.status !== 200) return;
    if (acknowledged.push(token) === 10) program.kill("SIGKILL");
  };
  await Promise.all(names.map(cancel));
  expect((await program.end()).code).toBe("SIGKILL");
  const accounts = await store.read((db) => db.selectFrom("accounts").selectAll().execute());
  const closed = accounts.filter(({ closed }) => closed !== null).map(({ name }) => name);
  expect(acknowledged.filter((name) => !closed.includes(name))).toEqual([]);
  const things = await store.read((db) =>
    db
      .selectFrom("accounts")
      .leftJoin("nodes", "nodes.account_id", "accounts.id")
      .leftJoin("addresses", (join) =>
        join.onRef("addresses.node_id", "=", "nodes.id").on("addresses.type", "=", "ipv4"),
      )
      .leftJoin("volumes", "volumes.account_id", "accounts.id")
      .leftJoin("firewalls", "firewalls.account_id", "accounts.id")
      .leftJoin("firewall_devices", "firewall_devices.firewall_id", "firewalls.id")
      .select([
        "accounts.name",
        "nodes.label",
        "addresses.id as address",
        "volumes.label as volume",
        "firewalls.label as firewall",
        "firewall_devices.id as device",
      ])
      .execute(),
  );
  const thingsOf = new Map(
    things.map(({ name, ...kinds }) => [name, Object.values(kinds).filter((kind) => kind !== null).length]),
  );
  for (const { name, closed, closing_comments } of accounts) {
    expect(closing_comments, name).toBe(closed === null ? null : `by ${name}`);
    expect(thingsOf.get(name), name).toBe(closed === null && owners.includes(name) ? 5 : 0);
  }
});
