// @suite postgres

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ProblemError } from "../../src/diagnostics/problem.ts";
import { addUser, setGrant } from "../../src/server/areas/account/users-operator.ts";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { createServer } from "../../src/server/server.ts";
import type { Store } from "../../src/server/store/store.ts";
import { isNightly, samples } from "../properties.ts";
import { type Answer, noon, start } from "./start.ts";
import { withTwoStores } from "./stores.ts";
import {
  emptyWorld,
  type Foretold,
  type Given,
  type Operation,
  play,
  settle,
  showTransfer,
  transfersOf,
  type User,
  type World,
} from "./transfer-model.ts";

const begin = new Date(`${noon}Z`).getTime();
const [hour, day] = [3_600_000, 86_400_000];

const users: readonly User[] = [
  { username: "admin", account: 1, isRestricted: false },
  { username: "bob", account: 2, isRestricted: false },
  { username: "carol", account: 3, isRestricted: false },
  { username: "ann", account: 1, isRestricted: true },
  { username: "ben", account: 2, isRestricted: true },
];
const restricted = users.filter(({ isRestricted }) => isRestricted);

const names = {
  domain: ["a.example", "b.a.example", "c.b.a.example", "x.example", "y.x.example", "z.example"],
  node: ["web-1", "WEB-1", "db-1", "db-2"],
};
const tags = ["prod", "PROD", "blue"];

/** Numbers that choose an operation among those that the world then allows. */
const wish = fc.record({
  kind: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom("offer" as const) },
    { weight: 5, arbitrary: fc.constantFrom("accept" as const) },
    {
      weight: 16,
      arbitrary: fc.constantFrom(
        ...(["create", "delete", "rename", "tag", "get", "add record", "add disk", "add volume"] as const),
        ...(["detach volume", "delete tag", "grant", "view", "cancel"] as const),
      ),
    },
  ),
  user: fc.constantFrom(0, 0, 0, 1, 1, 1, 2, 2, 3, 4),
  type: fc.constantFrom("domain" as const, "node" as const),
  choice: fc.nat({ max: 59 }),
  /** One in four requests is about something of another account, or is incomplete. */
  isAstray: fc.constantFrom(false, false, false, true),
});
type Wish = typeof wish extends fc.Arbitrary<infer T> ? T : never;

const pause = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.constant(10_000) },
  { weight: 2, arbitrary: fc.constantFrom(500, 1000, 7000, 9999, 17_000) },
  { weight: 1, arbitrary: fc.constantFrom(hour, day - 10_000, day - 1000, day) },
);

/** Requests at the same moment, whether all is compared then, and the time until the next ones. */
const step = fc.record({
  wishes: fc.array(wish, { minLength: 1, maxLength: 3 }),
  looks: fc.constantFrom(false, false, false, false, true),
  pause,
});
const history = fc.array(step, { minLength: 24, maxLength: 24 });
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

function pick<T>(list: readonly T[], choice: number): T | undefined {
  return list[choice % list.length];
}

function areRelated(name: string, other: string): boolean {
  return name.endsWith(`.${other}`) || other.endsWith(`.${name}`);
}

/** Names above and below the domains that an account has in open transfers: each keeps one from its end. */
function namesBesideOffered({ entities, transfers }: World, account: number): string[] {
  const open = transfers.filter(({ status, sender }) => isOpen({ status }) && sender === account);
  const offered = open.flatMap((transfer) => transfer.entities.filter(({ type }) => type === "domain"));
  const isFree = (name: string) => !entities.some((one) => one.type === "domain" && one.name === name);
  return names.domain.filter((name) => isFree(name) && offered.some((one) => areRelated(one.name, name)));
}

function isOpen({ status }: Pick<World["transfers"][number], "status">): boolean {
  return status === "pending" || status === "accepted";
}

/** The operation that a wish means in this world; undefined if nothing fits it. */
function operationOf({ kind, user, type, choice, isAstray }: Wish, world: World): Operation | undefined {
  const by = users[user] ?? expect.fail();
  const own = world.entities.filter((entity) => entity.account === by.account);
  const entity = pick(
    (isAstray ? world.entities : own).filter((one) => one.type === type),
    choice,
  );
  const ofType = (wanted: typeof type) => (isAstray ? world.entities : own).filter((one) => one.type === wanted);
  const chosenTags = tags.filter((_, index) => (choice >> index) % 2 === 1);
  switch (kind) {
    case "create": {
      const beside = isAstray ? pick(namesBesideOffered(world, by.account), choice) : undefined;
      if (beside !== undefined) return { kind, by, type: "domain", name: beside, tags: [] };
      return { kind, by, type, name: pick(names[type], choice) ?? "", tags: by.isRestricted ? [] : chosenTags };
    }
    case "get":
    case "delete":
      return entity && { kind, by, type, id: entity.id };
    case "rename":
      return entity && { kind, by, type, id: entity.id, name: pick(names[type], choice + Number(isAstray)) ?? "" };
    case "tag":
      return entity && { kind, by, type, id: entity.id, tags: chosenTags };
    case "add record": {
      const domain = pick(ofType("domain"), choice);
      return domain && { kind, by, id: domain.id };
    }
    case "add disk":
    case "add volume": {
      const node = pick(ofType("node"), choice);
      return node && { kind, by, id: node.id };
    }
    case "detach volume": {
      const volume = pick(world.volumes, choice);
      return volume && { kind, by, id: volume.id };
    }
    case "delete tag":
      return { kind, by, label: pick(tags, choice) ?? "" };
    case "grant": {
      const to = pick(restricted, choice) ?? expect.fail();
      const granted = pick(
        world.entities.filter((one) => one.type === type && (isAstray || one.account === to.account)),
        choice,
      );
      const permissions = pick(["read_write", "read_write", "read_only", undefined] as const, choice);
      return granted && { kind, by: to, type, id: granted.id, permissions };
    }
    case "offer": {
      const isOffered = ({ type, id }: Pick<World["entities"][number], "type" | "id">) =>
        world.transfers.some(
          (transfer) => isOpen(transfer) && transfer.entities.some((one) => one.type === type && one.id === id),
        );
      const free = own.filter((one) => !isOffered(one));
      const domains = own.filter((one) => one.type === "domain");
      const above = free.filter(({ name }) => domains.some((other) => other.name.endsWith(`.${name}`)));
      const below = free.filter(({ name }) => domains.some((other) => name.endsWith(`.${other.name}`)));
      const fault = isAstray
        ? pick(["foreign", "open", "repeated", "above", "above", "above", "below", "below"] as const, choice)
        : undefined;
      const offered = { foreign: world.entities, open: own.filter(isOffered), repeated: free, above, below };
      const pool = fault === undefined ? free : offered[fault];
      const isIncomplete = fault === "above" || fault === "below";
      const place = Math.floor(choice / 8); // independent of the fault
      const chosen = [pick(pool, place), ...(place % 4 === 3 && !isIncomplete ? [pick(pool, place + 1)] : [])];
      const wanted = [...new Set(chosen)].filter((one) => one !== undefined);
      const isRelated = ({ name }: { readonly name: string }) => wanted.some((one) => areRelated(one.name, name));
      const all = [...wanted, ...(isIncomplete ? [] : own.filter((one) => isRelated(one) && !wanted.includes(one)))];
      const idsOf = (listed: typeof type) => all.filter((one) => one.type === listed).map(({ id }) => id);
      const ids = idsOf("domain");
      const sender = isAstray && !isIncomplete ? by : users.find(({ account }) => account === by.account);
      return (
        sender && {
          kind,
          by: sender,
          nodes: idsOf("node"),
          domains: fault === "repeated" ? [...ids, ...ids] : ids,
        }
      );
    }
    case "view": {
      const transfer = world.transfers.at(-1 - (choice % 4));
      return transfer && { kind, by, token: transfer.token };
    }
    case "cancel": {
      const fits = ({ sender, status }: World["transfers"][number]) => status === "pending" && sender === by.account;
      const transfer = pick(isAstray ? world.transfers : world.transfers.filter(fits), choice);
      return transfer && { kind, by, token: transfer.token };
    }
    case "accept": {
      const transfer = pick(
        isAstray ? world.transfers : world.transfers.filter(({ status }) => status === "pending"),
        choice,
      );
      const others = users.filter(({ account, isRestricted }) => !isRestricted && account !== transfer?.sender);
      return transfer && { kind, by: isAstray ? by : (pick(others, choice) ?? by), token: transfer.token };
    }
  }
}

const paths = { domain: "/domains", node: "/node/instances" };
const transfers = "/account/entity-transfers";

type Asked = [method: string, path: string, body?: object];

/** The request of an operation. `count` makes labels unique. */
function requestOf(operation: Exclude<Operation, { kind: "grant" }>, count: number): Asked {
  switch (operation.kind) {
    case "create": {
      const { type, name, tags } = operation;
      return type === "domain"
        ? ["POST", paths.domain, { domain: name, type: "master", soa_email: "hostmaster@example.com", tags }]
        : ["POST", paths.node, { region: "us-east", type: "g6-nanode-1", label: name, tags }];
    }
    case "get":
      return ["GET", `${paths[operation.type]}/${operation.id}`];
    case "delete":
      return ["DELETE", `${paths[operation.type]}/${operation.id}`];
    case "rename": {
      const { type, id, name } = operation;
      return ["PUT", `${paths[type]}/${id}`, { [type === "domain" ? "domain" : "label"]: name }];
    }
    case "tag":
      return ["PUT", `${paths[operation.type]}/${operation.id}`, { tags: operation.tags }];
    case "add record":
      return ["POST", `/domains/${operation.id}/records`, { type: "TXT", name: `t${count}`, target: "text" }];
    case "add disk":
      return ["POST", `/node/instances/${operation.id}/disks`, { label: "data", size: 10 }];
    case "add volume":
      return ["POST", "/volumes", { label: `v${count}`, node_id: operation.id }];
    case "detach volume":
      return ["POST", `/volumes/${operation.id}/detach`];
    case "delete tag":
      return ["DELETE", `/tags/${operation.label}`];
    case "offer":
      return ["POST", transfers, { entities: { nodes: operation.nodes, domains: operation.domains } }];
    case "view":
      return ["GET", `${transfers}/${operation.token}`];
    case "cancel":
      return ["DELETE", `${transfers}/${operation.token}`];
    case "accept":
      return ["POST", `${transfers}/${operation.token}/accept`];
  }
}

function sinceBegin(timestamp: string): number {
  return new Date(`${timestamp}Z`).getTime() - begin;
}

/** A transfer of a reply as the model shows it. */
function readTransfer({ entities, token, status, is_sender, ...moments }: Answer["body"]) {
  const [created, updated, expiry] = [moments.created, moments.updated, moments.expiry].map(sinceBegin);
  return { entities, token, status, created, updated, expiry, is_sender };
}

/** The part of an answer that the model foretells. */
function readAnswer({ kind }: Operation, { status, body }: Answer): Foretold {
  const isTransfer = kind === "offer" || kind === "view";
  if (status === 400 && kind === "offer") return [status, body.errors.map(({ field }: { field: string }) => field)];
  if (status !== 200) return [status];
  if (isTransfer) return [status, readTransfer(body)];
  return kind === "get" ? [status, { name: body.domain ?? body.label, tags: body.tags }] : [status];
}

function ordersOf<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((first, index) => ordersOf(items.toSpliced(index, 1)).map((rest) => [first, ...rest]));
}

const actions = ["create", "cancel", "accept", "fail", "stale"].map((end) => `entity_transfer_${end}`);
const shownActions = [...actions, "tag_create", "tag_delete"];

function sortText(lines: readonly unknown[]): string[] {
  return lines.map((line) => JSON.stringify(line)).sort();
}

/** All that users see of a world, and the grants. */
function describeWorld(world: World) {
  const perUser = users.map(({ username, account, isRestricted }) => {
    const seen = (type: "domain" | "node") =>
      world.entities
        .filter((entity) => entity.type === type && entity.account === account)
        .filter(
          ({ id }) =>
            !isRestricted ||
            world.grants.some((grant) => grant.username === username && grant.type === type && grant.id === id),
        )
        .map(({ id, name, tags }) => ({ id, name, tags }))
        .sort((a, b) => a.id - b.id);
    const all = { username, domains: seen("domain"), nodes: seen("node") };
    if (isRestricted) return all;
    return {
      ...all,
      tags: sortText(world.tags.filter((tag) => tag.account === account).map(({ label }) => label)),
      transfers: sortText(transfersOf(world, account).map((transfer) => showTransfer(transfer, { account }))),
      events: sortText(
        world.events
          .filter((event) => event.account === account)
          .map(({ action, username, created, label, message }) => [action, username, created, label, message]),
      ),
    };
  });
  return {
    perUser,
    grants: sortText(world.grants.map(({ username, type, id, permissions }) => [username, type, id, permissions])),
  };
}

/** Equal for worlds that cannot become different: only of open transfers the order matters, in which they end. */
function identify(world: World): string {
  return JSON.stringify([describeWorld(world), world.transfers.filter(isOpen).map(({ token }) => token)]);
}

type Send = (user: User, ...request: Asked) => Promise<Answer>;

/** The same as the server shows it, with `first` as the first account that asks. */
async function observe(store: Store, send: Send, first: number) {
  const perUser = [];
  const list = async (user: User, path: string, filter = {}) => {
    const all = [];
    for (let page = 1, pages = 1; page <= pages; page++) {
      const { status, body } = await send(user, "GET", `${path}?page=${page}`, filter);
      expect([path, status]).toEqual([path, 200]);
      all.push(...body.data);
      pages = body.pages;
    }
    return all;
  };
  for (const user of [...users.slice(first), ...users.slice(0, first)]) {
    const { username, isRestricted } = user;
    const domains = (await list(user, "/domains")).map(({ id, domain, tags }: Answer["body"]) => ({
      id,
      name: domain,
      tags,
    }));
    const nodes = (await list(user, "/node/instances")).map(({ id, label, tags }: Answer["body"]) => ({
      id,
      name: label,
      tags,
    }));
    if (isRestricted) {
      perUser.push({ username, domains, nodes });
      continue;
    }
    const events = await list(user, "/account/events", { "+or": shownActions.map((action) => ({ action })) });
    perUser.push({
      username,
      domains,
      nodes,
      tags: sortText((await list(user, "/tags")).map(({ label }: Answer["body"]) => label)),
      transfers: sortText((await list(user, transfers)).map(readTransfer)),
      events: sortText(
        events.map(({ action, username, created, entity, message }: Answer["body"]) => [
          action,
          username,
          sinceBegin(created),
          entity.label,
          action === "entity_transfer_accept" ? "" : (message ?? ""), // names addresses, which only the server knows
        ]),
      ),
    });
  }
  const grants = await store.read((db) =>
    db
      .selectFrom("grants")
      .innerJoin("users", "users.id", "grants.user_id")
      .select(["users.username", "entity_type", "entity_id", "permissions"])
      .execute(),
  );
  const order = users.map(({ username }) => username);
  perUser.sort((a, b) => order.indexOf(a.username) - order.indexOf(b.username));
  return {
    perUser,
    grants: sortText(
      grants.map(({ username, entity_type, entity_id, permissions }) => [
        username,
        entity_type,
        entity_id,
        permissions,
      ]),
    ),
  };
}

/** Checks zones: the serial of a name never goes back, and a zone changes with its serial, not with its owner. */
function watchZones() {
  const serials = new Map<string, number>();
  const zones = new Map<string, string>();
  return async (world: World, send: Send) => {
    for (const { type, id, name, account, version } of world.entities) {
      if (type !== "domain") continue;
      const owner = users.find((user) => user.account === account) ?? expect.fail();
      const { status, body } = await send(owner, "GET", `/domains/${id}/zone-file`);
      expect([status, name]).toEqual([200, name]);
      const text = body.zone_file.join("\n");
      const serial = Number(/ SOA +\S+ \S+ (\d+) /.exec(text)?.[1]);
      expect(serial, `the serial of ${name}`).toBeGreaterThanOrEqual(serials.get(name) ?? 1);
      serials.set(name, serial);
      const known = zones.get(`${name} ${serial}`) ?? text;
      expect(text).toBe(known);
      const unchanged = zones.get(`${id} ${name} ${version}`) ?? text;
      expect(text).toBe(unchanged);
      for (const key of [`${name} ${serial}`, `${id} ${name} ${version}`]) zones.set(key, text);
    }
  };
}

/** The domains and nodes that the unrestricted users start with. */
const beginning: readonly Operation[] = [
  ["a.example", "b.a.example", "web-1"],
  ["x.example", "y.x.example", "WEB-1"],
  ["z.example", "db-1"],
].flatMap((owned, index) =>
  owned.map((name): Operation => {
    const type = names.node.includes(name) ? "node" : "domain";
    return { kind: "create", by: users[index] ?? expect.fail(), type, name, tags: type === "domain" ? ["prod"] : [] };
  }),
);

test("in random histories of three accounts, transfers move all or nothing, once, as a model of the rules foretells", async () => {
  const ends = new Map<string, number>();
  const follow = (steps: History) =>
    withTwoStores(async (store, second) => {
      const options = { jobDriver: simulatedDriver(1), nameservers: ["ns1.example.net"] };
      const api = await start({ store, ...options });
      const clock = () => api.clock.now;
      const onError = (error: unknown) => {
        throw error;
      };
      const other = createServer({ store: second, clock, onError, ...options });
      const tokens = new Map([["admin", api.token]]);
      for (const { username, isRestricted } of users) {
        if (username === "admin") continue;
        const account = { ann: "admin", ben: "bob" }[username] ?? username;
        const now = api.clock.now;
        if (isRestricted) await addUser(store, { username, account, restricted: true, addDomains: true, now });
        tokens.set(username, await api.mint({ username }));
      }
      let count = 0;
      const send: Send = async ({ username }, method, path, body) => {
        const headers: Record<string, string> = { Authorization: `Bearer ${tokens.get(username)}` };
        const isFilter = method === "GET" && body !== undefined;
        if (isFilter) headers["X-Filter"] = JSON.stringify(body);
        const request = new Request(`http://api/v4${path}`, {
          method,
          headers,
          ...(body && !isFilter && { body: JSON.stringify(body) }),
        });
        const response = await (count++ % 2 === 0 ? api.server : other)(request);
        return { status: response.status, body: await response.json() };
      };
      const carryOut = async (operation: Operation): Promise<Answer> => {
        if (operation.kind !== "grant") return send(operation.by, ...requestOf(operation, count));
        const { by, type, id, permissions } = operation;
        // The operator's commands settle nothing: they lack the prices of the server.
        const owner = users.find(({ account }) => account === by.account) ?? by;
        await send(owner, "GET", "/account");
        const grant = setGrant(second, by.username, String(id), permissions, api.clock.now, type);
        return grant.then(
          () => ({ status: 200, body: {} }),
          (error) => {
            if (!(error instanceof ProblemError)) throw error;
            return { status: 400, body: {} };
          },
        );
      };
      /** The worlds that explain all answers so far: concurrent requests may have had any order. */
      let worlds = [emptyWorld];
      const perform = async (operations: readonly Operation[]) => {
        const now = api.clock.now.getTime() - begin;
        for (const world of worlds) settle(world, now);
        const answers = await Promise.all(operations.map(carryOut));
        const done = operations.map((operation, index) => {
          const answer = answers[index] ?? expect.fail();
          const { id = 0, token = "" }: Partial<Given> = answer.status === 200 ? answer.body : {};
          return { operation, answer: readAnswer(operation, answer), given: { id, token } };
        });
        const next = new Map<string, World>();
        let foretold: unknown;
        for (const world of worlds)
          for (const order of ordersOf(done)) {
            const after = structuredClone(world);
            const wanted = order.map(({ operation, given }) => play(after, operation, now, given));
            foretold ??= wanted;
            if (order.every(({ answer }, index) => JSON.stringify(answer) === JSON.stringify(wanted[index])))
              next.set(identify(after), after);
          }
        if (next.size === 0) expect(done.map(({ operation, answer }) => ({ operation, answer }))).toEqual(foretold);
        worlds = [...next.values()];
      };
      const checkZones = watchZones();
      const look = async (first: number) => {
        const now = api.clock.now.getTime() - begin;
        for (const world of worlds) settle(world, now);
        const observed = await observe(store, send, first);
        const fitting = worlds.filter((world) => JSON.stringify(describeWorld(world)) === JSON.stringify(observed));
        const [found] = fitting;
        if (found === undefined) return expect(observed).toEqual(describeWorld(worlds[0] ?? emptyWorld));
        worlds = fitting;
        await checkZones(found, send);
      };
      const pass = (ms: number) => {
        api.clock.now = new Date(api.clock.now.getTime() + ms);
      };
      worlds = [structuredClone(emptyWorld)];
      for (const operation of beginning) await perform([operation]);
      for (const [index, { wishes, looks, pause }] of steps.entries()) {
        const [world = emptyWorld] = worlds;
        const operations = wishes.map((one) => operationOf(one, world)).filter((one) => one !== undefined);
        await perform(operations);
        pass(pause);
        if (looks) await look(index % users.length);
      }
      await look(0);
      pass(10_000);
      await look(1);
      pass(day);
      await look(2);
      for (const { status } of worlds[0]?.transfers ?? []) ends.set(status, (ends.get(status) ?? 0) + 1);
    });
  await fc.assert(fc.asyncProperty(history, follow), samples(isNightly ? 400 : 40));
  // A run in which transfers never end in one of these ways would not show what becomes of their entities.
  for (const status of ["completed", "failed", "cancelled", "stale"] as const)
    expect([status, ends.get(status)]).toEqual([status, expect.any(Number)]);
}, 3_600_000);
