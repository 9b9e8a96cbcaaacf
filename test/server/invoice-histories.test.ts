import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ApiEvent } from "../../src/contract/resources/event.ts";
import type { InvoiceItem } from "../../src/contract/resources/invoice.ts";
import { measuresBy } from "../../src/server/areas/billing/node-samples-rows.ts";
import { recordSamples } from "../../src/server/areas/nodes/operator/nodes.ts";
import { reopenAccount } from "../../src/server/areas/users/accounts-operator.ts";
import type { Catalog } from "../../src/server/catalog/schema.ts";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { timestamp } from "../../src/server/kit/timestamp.ts";
import { isMissing } from "../judges.ts";
import { isNightly, samples } from "../properties.ts";
import { pricedCatalog } from "./bills.ts";
import { start } from "./start.ts";
import { withEmptyStore } from "./stores.ts";

const script = fileURLToPath(new URL("recompute_invoices.py", import.meta.url));
const nodes = "/linode/instances";
/** The last three cost by the month only, by the hour only, and by the month with backups by the hour. */
const types = ["g6-nanode-1", "g6-standard-1", "g6-standard-2", "g6-standard-4", "g6-standard-6", "g6-standard-8"];
const regions = ["us-east", "us-central"];
const unusualPrices: Readonly<Record<string, Pick<Catalog["types"][number], "price" | "backups">>> = {
  "g6-standard-4": { price: { hourly: 0, monthly: 48 }, backups: { hourly: 0, monthly: 10 } },
  "g6-standard-6": { price: { hourly: 0.144, monthly: 0 }, backups: { hourly: 0.03, monthly: 0 } },
  "g6-standard-8": { price: { hourly: 0, monthly: 192 }, backups: { hourly: 0.06, monthly: 0 } },
};

/** Prices by the hour and the month, with some types that have one of them; and all prices by the month only. */
const catalogs: readonly Catalog[] = [
  { ...pricedCatalog, types: pricedCatalog.types.map((type) => ({ ...type, ...unusualPrices[type.id] })) },
  {
    ...pricedCatalog,
    types: pricedCatalog.types.map(({ price, backups, ...type }) => ({
      ...type,
      price: { ...price, hourly: 0 },
      backups: { ...backups, hourly: 0 },
    })),
    prices: {
      public_ipv4: { hourly: 0, monthly: 2 },
      volume_gb: { hourly: 0, monthly: 0.1 },
      transfer_gb: 0.005,
    },
  },
];
const card = { card_number: "4111111111111111", cvv: "123", expiry_month: 12, expiry_year: 2031 };

/** Changes of what costs, and measured traffic; more of those that much follows from. */
const wishes = [
  ...[
    "create node",
    "create node",
    "create node",
    "clone",
    "resize",
    "resize",
    "resize",
    "resize",
    "resize",
    "delete node",
  ],
  ...["enable backups", "cancel backups", "add address", "add address", "delete address"],
  ...["transfer", "transfer", "transfer"],
  ...["move", "move", "move", "snapshot", "snapshot", "restore", "create from backup"],
  ...["create volume", "grow volume", "grow volume", "delete volume", "traffic", "traffic", "traffic"],
] as const;

/**
 * A wish, the numbers that choose its objects, the seconds that pass after it, and those by which the clock is set back
 * before it for some reads.
 */
const step = fc.record({
  wish: fc.constantFrom(...wishes),
  back: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(100), fc.nat(70 * 86_400)),
  which: fc.nat(20),
  size: fc.nat(20),
  seconds: fc.oneof(fc.nat(200), fc.nat(180_000), fc.integer({ min: 86_400, max: 40 * 86_400 })),
});

const history = fc.record({
  catalog: fc.constantFrom(...catalogs),
  begins: fc.constantFrom("2023-12-20T10:00:00", "2024-02-10T00:00:00", "2026-01-28T23:59:59", "2027-11-30T23:50:01"),
  hasCard: fc.constantFrom(true, true, false),
  steps: fc.array(step, { minLength: 8, maxLength: 20 }),
  cancels: fc.boolean(),
});

type ValueOf<T> = T extends fc.Arbitrary<infer V> ? V : never;

/** The account that begins, and the one with which it exchanges nodes. */
const accounts = [0, 1] as const;
type Account = (typeof accounts)[number];

interface Listed {
  readonly id: number;
  readonly status: string;
  readonly size: number;
  readonly ipv4: readonly string[];
  readonly region: string;
}

/** Facts about a history that its events lack, by the ids of nodes and volumes. */
interface Facts {
  readonly nodes: Record<number, FactsOfNode>;
  readonly volumes: Record<number, number[]>;
  readonly samples: { node: number; at: string; bits: number }[];
}

interface FactsOfNode {
  readonly type: string;
  readonly address: string;
  readonly backups: boolean;
  readonly resizes: string[];
  region: string;
  /** The addresses after each move to another region. */
  readonly moves: (readonly string[])[];
}

/** A server with `send`, which notes the facts of the requests that succeed, and `read`, which returns what must. */
async function begin(store: Parameters<typeof reopenAccount>[0], begins: string, catalog = pricedCatalog) {
  const options = { store, profile: "live", catalog, jobDriver: simulatedDriver(1) } as const;
  const { call, clock, token, mint } = await start(options);
  const tokens = [token, await mint({ username: "receiver" })] as const;
  clock.now = new Date(`${begins}Z`);
  const facts: Facts = { nodes: {}, volumes: {}, samples: [] };
  const read = async (path: string, by: Account = 0) => {
    const { status, body } = await call("GET", path, undefined, { as: tokens[by] });
    expect([path, status]).toEqual([path, 200]);
    return body;
  };
  const send = async (method: string, path: string, body?: Record<string, unknown>, by: Account = 0) => {
    const { status, body: reply } = await call(method, path, body, { as: tokens[by] });
    expect([200, 400, ...(path.endsWith("/accept") ? [429] : [])]).toContain(status);
    if (status !== 200) return;
    if (path === nodes || path.endsWith("/clone")) {
      const { id, type, ipv4, backups, region } = reply;
      facts.nodes[id] = { type, address: ipv4[0], backups: backups.enabled, resizes: [], region, moves: [] };
    } else if (path.startsWith(nodes) && path.endsWith("/resize"))
      facts.nodes[Number(path.split("/")[3])]?.resizes.push(String(body?.type));
    else if (path.startsWith("/volumes") && method === "POST")
      facts.volumes[reply.id] = [...(facts.volumes[reply.id] ?? []), reply.size];
    return reply;
  };
  return { call, clock, facts, read, send };
}

type Api = Awaited<ReturnType<typeof begin>>;

/** Does what a step wishes, with the objects that there are. */
async function act(
  { send, read, clock, facts }: Api,
  store: Parameters<typeof recordSamples>[0],
  one: Omit<ValueOf<typeof step>, "back">,
) {
  const { wish, which, size } = one;
  const all: (Listed & { readonly by: Account })[] = [];
  for (const by of accounts) for (const one of (await read(nodes, by)).data) all.push({ ...one, by });
  for (const { id, region, ipv4 } of all) {
    const fact = facts.nodes[id];
    if (fact === undefined || fact.region === region) continue;
    fact.region = region;
    fact.moves.push(ipv4);
  }
  const volumes: Listed[] = (await read("/volumes")).data;
  const node = all[which % Math.max(1, all.length)];
  const volume = volumes[which % Math.max(1, volumes.length)];
  const type = types[size % types.length] ?? "";
  const at = node && `${nodes}/${node.id}`;
  const own = all.filter(({ by }) => by === node?.by);
  const sendAs = (method: string, path: string, body?: Record<string, unknown>) => send(method, path, body, node?.by);
  if (wish === "create node") await send("POST", nodes, { region: "us-east", type, backups_enabled: size % 4 === 0 });
  else if (wish === "create volume")
    await send("POST", "/volumes", { label: `data${clock.now.getTime()}`, region: "us-east", size: 10 + size });
  else if (wish === "grow volume" && volume)
    await send("POST", `/volumes/${volume.id}/resize`, { size: volume.size + size });
  else if (wish === "delete volume" && volume) await send("DELETE", `/volumes/${volume.id}`);
  else if (node === undefined || at === undefined || node.status === "deleting") return;
  else if (wish === "transfer") {
    const offered = await sendAs("POST", "/account/entity-transfers", { entities: { linodes: [node.id] } });
    if (offered)
      await send("POST", `/account/entity-transfers/${offered.token}/accept`, undefined, node.by === 0 ? 1 : 0);
  } else if (wish === "move") {
    // A further address, whose charge the move ends.
    if (node.ipv4.length === 1) await sendAs("POST", `${at}/ips`, { type: "ipv4", public: true });
    await sendAs("POST", `${at}/migrate`, { region: regions.find((one) => one !== node.region) });
  } else if (wish === "snapshot") await sendAs("POST", `${at}/backups`, { label: "before" });
  else if (wish === "restore" || wish === "create from backup") {
    const { automatic, snapshot } = await read(`${at}/backups`, node.by);
    const backup = snapshot.current ?? automatic[0];
    if (backup === undefined) return;
    const target = own.find(({ id, region }) => id !== node.id && region === node.region) ?? node;
    if (wish === "restore")
      await sendAs("POST", `${at}/backups/${backup.id}/restore`, { linode_id: target.id, overwrite: true });
    else await sendAs("POST", nodes, { region: node.region, type, backup_id: backup.id });
  } else if (wish === "clone") await sendAs("POST", `${at}/clone`, { region: "us-east", type });
  else if (wish === "resize") await sendAs("POST", `${at}/resize`, { type });
  else if (wish === "delete node") await sendAs("DELETE", at);
  else if (wish === "enable backups") await sendAs("POST", `${at}/backups/enable`);
  else if (wish === "cancel backups") await sendAs("POST", `${at}/backups/cancel`);
  else if (wish === "add address") await sendAs("POST", `${at}/ips`, { type: "ipv4", public: true });
  else if (wish === "delete address") await sendAs("DELETE", `${at}/ips/${node.ipv4[size % node.ipv4.length]}`);
  else if (wish === "traffic") {
    const slot = new Date((Math.floor(clock.now.getTime() / 300_000) - 1 - (size % 3)) * 300_000);
    const time = timestamp(slot);
    const isKnown = facts.samples.some((sample) => sample.node === node.id && sample.at === time);
    if (isKnown || slot.getUTCMonth() !== clock.now.getUTCMonth()) return;
    const bits = 20_000_000_000 * (1 + which); // 750 GB and more in five minutes
    const measures = measuresBy((key) => (key === "netv4_out" ? bits - 2000 : key === "netv6_out" ? 2000 : 0));
    await recordSamples(store, node.id, [{ at: time, ...measures }], clock.now);
    facts.samples.push({ node: node.id, at: time, bits });
  }
}

/** The invoices of an account as the API shows them, without labels; items in the order of their text. */
async function readInvoices({ read }: Api, by: Account) {
  const all = [];
  for (const { id, date, total } of (await read("/account/invoices?page_size=500", by)).data) {
    const { data }: { data: InvoiceItem[] } = await read(`/account/invoices/${id}/items?page_size=500`, by);
    const items = data.map(({ type, from, to, quantity, unit_price, amount }) => ({
      ...{ type, from, to, quantity },
      unit_price: Number(unit_price),
      amount,
    }));
    all.push({ date, total, items: items.map((item) => JSON.stringify(item)).sort() });
  }
  return all;
}

/** Changes of the same objects again and again, and a clock that is turned in both directions. */
const turned = fc.array(
  fc.record({
    wish: fc.constantFrom("resize", "enable backups", "cancel backups", "grow volume", "add address", "delete address"),
    which: fc.nat(1),
    size: fc.nat(20),
    seconds: fc.integer({ min: -40 * 86_400, max: 40 * 86_400 }),
  } satisfies Record<Exclude<keyof ValueOf<typeof step>, "back">, unknown>),
  { minLength: 8, maxLength: 20 },
);

test("however the clock is turned, nothing is invoiced twice for the same time", { timeout: 300_000 }, async () => {
  let seen = 0;
  const play = (steps: ValueOf<typeof turned>) =>
    withEmptyStore(async (store) => {
      const api = await begin(store, "2026-01-28T23:59:59");
      const { call, clock, read } = api;
      await call("POST", "/account/credit-card", card);
      for (const wish of ["create node", "create node", "create volume"] as const)
        await act(api, store, { wish, which: 0, size: 1, seconds: 0 });
      let last = clock.now.getTime();
      for (const one of steps) {
        await act(api, store, one);
        clock.now = new Date(clock.now.getTime() + one.seconds * 1000);
        last = Math.max(last, clock.now.getTime());
      }
      clock.now = new Date(last + 40 * 86_400_000);
      const { data, results } = await read("/account/invoices?page_size=500");
      expect(data.map(({ id }: { id: number }) => id)).toEqual(Array.from({ length: results }, (_, n) => n + 1));
      const uses = new Map<string, { from: string; to: string }[]>();
      for (const { id } of data)
        for (const { label, type, from, to, quantity } of (await read(`/account/invoices/${id}/items`)).data) {
          expect(quantity).toBeGreaterThan(0);
          expect(from <= to).toBe(true);
          if (type === "misc") continue;
          // The kind and the id, without the type, the size and the label.
          const [, kind = "node", object = ""] =
            /^(Backups|Volume|Public \S+ address \S+)?.*\((\d+)\)$/.exec(label) ?? [];
          uses.set(`${kind} ${object}`, [...(uses.get(`${kind} ${object}`) ?? []), { from, to }]);
        }
      for (const [name, own] of uses) {
        own.sort((a, b) => (a.from + a.to < b.from + b.to ? -1 : 1));
        for (const [n, { from }] of own.entries()) expect(from >= (own[n - 1]?.to ?? ""), name).toBe(true);
        seen += own.length;
      }
    });
  await fc.assert(fc.asyncProperty(turned, play), samples(isNightly ? 200 : 40));
  expect(seen).toBeGreaterThan(20);
});

test.skipIf(isMissing("python3"))(
  "whatever happens, a program that shares no code finds the same invoices in the event log",
  { timeout: 300_000 },
  async () => {
    const seen = { invoices: 0, received: 0, hourly: 0, misc: 0 };
    const finished = new Map<string, number>();
    const play = ({ catalog, begins, hasCard, steps, cancels }: ValueOf<typeof history>) =>
      withEmptyStore(async (store) => {
        const api = await begin(store, begins, catalog);
        const { call, clock, read } = api;
        const events = new Map<number, ApiEvent & { readonly account: Account }>();
        const note = async () => {
          for (const account of accounts)
            for (const event of (await read("/account/events?page_size=100", account)).data)
              events.set(event.id, { ...event, account });
        };
        if (hasCard) for (const by of accounts) await api.send("POST", "/account/credit-card", card, by);
        for (const one of steps) {
          if (one.back > 0) {
            const set = clock.now;
            clock.now = new Date(set.getTime() - one.back * 1000);
            for (const by of accounts)
              for (const path of ["/account", nodes, "/account/invoices"]) await read(path, by);
            clock.now = set;
          }
          await act(api, store, one);
          clock.now = new Date(clock.now.getTime() + one.seconds * 1000);
          await note();
        }
        const now = timestamp(clock.now);
        const isCancelled = cancels && (await call("POST", "/account/cancel", {})).status === 200;
        if (isCancelled) await reopenAccount(store, "admin");
        await note();
        const given = {
          begins,
          ends: now,
          cancelled: isCancelled ? now : null,
          events: [...events.values()],
          types: (await read("/linode/types?page_size=500")).data,
          prices: catalog.prices,
          ...api.facts,
        };
        const { status, stdout, stderr } = spawnSync("python3", [script], {
          input: JSON.stringify(given),
          encoding: "utf8",
        });
        expect([status, stderr]).toEqual([0, ""]);
        const recomputed: { date: string; total: number; items: object[] }[][] = JSON.parse(stdout);
        const cents = (dollars: number) => Math.round(dollars * 100);
        for (const by of accounts) {
          const invoices = await readInvoices(api, by);
          expect(invoices).toEqual(
            recomputed[by]?.map(({ items, ...rest }) => ({
              ...rest,
              items: items.map((item) => JSON.stringify(item)).sort(),
            })),
          );
          const paid = given.events.filter(({ action, account }) => action === "payment_submitted" && account === by);
          const balance = [
            ...invoices.map(({ total }) => total),
            ...paid.map(({ message }) => -Number(message?.slice(1))),
          ];
          expect(cents((await read("/account", by)).balance)).toBe(
            balance.reduce((sum, amount) => sum + cents(amount), 0),
          );
          seen.invoices += invoices.length;
          if (by === 1) seen.received += invoices.length;
          for (const line of invoices.flatMap(({ items }) => items)) seen[line.includes("misc") ? "misc" : "hourly"]++;
        }
        for (const { action, status } of given.events)
          if (status === "finished") finished.set(action, (finished.get(action) ?? 0) + 1);
      });
    await fc.assert(fc.asyncProperty(history, play), samples(isNightly ? 200 : 40));
    // A run without invoices, also of received nodes, or without transfer, would show nothing.
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(1);
    // A sample of few histories may have none of the rarer jobs.
    for (const action of isNightly ? ["linode_migrate_datacenter", "linode_resize", "backups_restore"] : [])
      expect([action, finished.get(action) ?? 0]).toEqual([action, expect.toSatisfy((count: number) => count > 0)]);
  },
);
