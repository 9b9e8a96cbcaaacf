/**
 * The rules of transfers as a few lists, to judge the server by. It shares no code with the server and knows no
 * database. Where the server waits for a request, it settles all that is due in the order of the moments.
 */

/** Milliseconds since the start of the history. */
type Moment = number;

export type Type = "domain" | "node";
export type Permissions = "read_only" | "read_write";

export interface User {
  readonly username: string;
  readonly account: number;
  readonly isRestricted: boolean;
}

interface Entity {
  readonly type: Type;
  readonly id: number;
  name: string;
  account: number;
  tags: string[];
  /** The number of changes of a domain's zone. */
  version: number;
  /** The unfinished job of a node. */
  job: { readonly ends: Moment; readonly isDeletion: boolean } | undefined;
}

interface Transfer {
  readonly token: string;
  readonly sender: number;
  receiver: number | undefined;
  status: "pending" | "accepted" | "completed" | "failed" | "cancelled" | "stale";
  /** Nodes first, each type in the order of the offer, with the names that they had then. */
  readonly entities: readonly Pick<Entity, "type" | "id" | "name">[];
  readonly created: Moment;
  updated: Moment;
  readonly expires: Moment;
  completes: Moment;
  acceptedBy: string;
}

/** An event about a transfer or a tag. */
export interface ModelEvent {
  readonly account: number;
  readonly action: string;
  readonly username: string;
  readonly created: Moment;
  readonly label: string;
  readonly message: string;
}

export interface World {
  entities: Entity[];
  volumes: { readonly id: number; readonly account: number; node: number | undefined }[];
  /** The tags of each account in the spelling of their creation. */
  tags: { readonly account: number; readonly label: string }[];
  grants: { readonly username: string; readonly type: Type; readonly id: number; readonly permissions: Permissions }[];
  transfers: Transfer[];
  events: ModelEvent[];
}

export const emptyWorld: World = { entities: [], volumes: [], tags: [], grants: [], transfers: [], events: [] };

interface OfEntity {
  readonly by: User;
  readonly type: Type;
  readonly id: number;
}

/** A request of a user, or a grant by the operator. */
export type Operation =
  | { readonly kind: "create"; readonly by: User; readonly type: Type; readonly name: string; readonly tags: string[] }
  | ({ readonly kind: "get" | "delete" } & OfEntity)
  | ({ readonly kind: "rename"; readonly name: string } & OfEntity)
  | ({ readonly kind: "tag"; readonly tags: readonly string[] } & OfEntity)
  | {
      readonly kind: "add record" | "add disk" | "add volume" | "detach volume";
      readonly by: User;
      readonly id: number;
    }
  | { readonly kind: "delete tag"; readonly by: User; readonly label: string }
  | {
      readonly kind: "offer";
      readonly by: User;
      readonly nodes: readonly number[];
      readonly domains: readonly number[];
    }
  | { readonly kind: "view" | "cancel" | "accept"; readonly by: User; readonly token: string }
  | ({ readonly kind: "grant"; readonly permissions: Permissions | undefined } & OfEntity);

/** A status, and the part of the body that the model foretells. */
export type Foretold = readonly [status: number, shown?: unknown];

/** Names that only the server can choose, from its reply. */
export interface Given {
  readonly id: number;
  readonly token: string;
}

const seconds = 1000;
const day = 24 * 60 * 60 * seconds;
const durations = { move: 10 * seconds, disk: 17 * seconds, deletion: 10 * seconds };

const invalid: Foretold = [400];
const forbidden: Foretold = [403];
const unknown: Foretold = [404];

/** Applies all that is due: of one moment, first the ends of jobs, then transfers in the order of their creation. */
export function settle(world: World, now: Moment): void {
  for (;;) {
    const due = [
      ...world.entities.flatMap((entity) =>
        entity.job === undefined ? [] : [{ at: entity.job.ends, rank: 0, apply: () => endJob(world, entity) }],
      ),
      ...world.transfers.flatMap((transfer) => {
        if (transfer.status === "pending")
          return [{ at: transfer.expires, rank: 1, apply: () => expire(world, transfer) }];
        if (transfer.status !== "accepted") return [];
        return [{ at: transfer.completes, rank: 2, apply: () => finish(world, transfer) }];
      }),
    ].filter(({ at }) => at <= now);
    const [first] = due.sort((a, b) => a.at - b.at || a.rank - b.rank);
    if (first === undefined) return;
    first.apply();
  }
}

function endJob(world: World, entity: Entity): void {
  if (entity.job?.isDeletion) remove(world, entity);
  entity.job = undefined;
}

function remove(world: World, { type, id }: Entity): void {
  world.entities = world.entities.filter((other) => other.type !== type || other.id !== id);
  endGrants(world, { type, id });
}

function endGrants(world: World, { type, id }: Pick<Entity, "type" | "id">): void {
  world.grants = world.grants.filter((grant) => grant.type !== type || grant.id !== id);
}

function expire(world: World, transfer: Transfer): void {
  transfer.status = "stale";
  transfer.updated = transfer.expires;
  note(world, transfer, "entity_transfer_stale", { account: transfer.sender, created: transfer.expires });
}

/** Moves all entities of a transfer, or none. */
function finish(world: World, transfer: Transfer): void {
  const { sender, receiver = 0, completes: now } = transfer;
  const found = transfer.entities.map(({ type, id }) => find(world, type, id, sender));
  const moved = found.filter((entity) => entity !== undefined).sort((a, b) => a.id - b.id);
  const reasons = [
    ...transfer.entities
      .filter((_, index) => found[index] === undefined)
      .map(({ name }) => `"${name}" no longer exists.`),
    ...moved.filter(({ type }) => type === "domain").flatMap((domain) => outsiders(world, domain, moved)),
    ...moved.filter(({ type }) => type === "node").flatMap((node) => hindrances(world, node)),
  ];
  const conflicts = moved
    .filter(({ type, name }) => type === "node" && isLabelTaken(world, receiver, name))
    .map(({ name }) => `The receiving account already has the label "${name}".`);
  const hidden = conflicts.length === 0 ? [] : [hiddenConflict];
  transfer.updated = now;
  transfer.status = reasons.length + conflicts.length === 0 ? "completed" : "failed";
  if (transfer.status === "failed") {
    for (const [account, shown] of [
      [sender, [...reasons, ...hidden]],
      [receiver, [...reasons, ...conflicts]],
    ] as const) {
      const others = shown.length - 3;
      const rest = others > 0 ? [`${others} more ${others === 1 ? "reason is" : "reasons are"} not shown.`] : [];
      const message = [...shown.slice(0, 3), ...rest].join(" ");
      note(world, transfer, "entity_transfer_fail", { account, created: now, message });
    }
    return;
  }
  const receiving = { account: receiver, username: transfer.acceptedBy };
  for (const entity of moved) {
    entity.account = receiver;
    endGrants(world, entity);
    entity.tags = entity.tags.map((label) => spellTag(world, label, receiving, now));
  }
}

const hiddenConflict = "It conflicts with an entity of the receiving account, whose users see the reason.";

/** Why a domain cannot move with these entities only. */
function outsiders(world: World, { name }: Entity, moved: readonly Entity[]): string[] {
  const stays = (domain: Entity) => domain.type === "domain" && !moved.includes(domain);
  if (world.entities.some((other) => stays(other) && isBelow(name, other.name)))
    return [`A domain above "${name}" is not part of the transfer.`];
  if (world.entities.some((other) => stays(other) && isBelow(other.name, name)))
    return [`A domain below "${name}" is not part of the transfer.`];
  return [];
}

function isBelow(name: string, above: string): boolean {
  return name.endsWith(`.${above}`);
}

/** Why a node cannot move now. */
function hindrances(world: World, { id, name, job }: Entity): string[] {
  if (job !== undefined) return [`A job of "${name}" is unfinished.`];
  return world.volumes.some(({ node }) => node === id) ? [`A volume is attached to "${name}".`] : [];
}

function isLabelTaken(world: World, account: number, label: string, except?: Entity): boolean {
  return world.entities.some(
    (other) => other.type === "node" && other.account === account && other !== except && isSame(other.name, label),
  );
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** A tag as its account spells it; a new one is created. */
function spellTag(world: World, label: string, { account, username }: Pick<User, "account" | "username">, now: Moment) {
  const known = world.tags.find((tag) => tag.account === account && isSame(tag.label, label));
  if (known) return known.label;
  world.tags.push({ account, label });
  world.events.push({ account, action: "tag_create", username, created: truncate(now), label, message: "" });
  return label;
}

/** Events and replies show whole seconds. */
function truncate(now: Moment): Moment {
  return Math.floor(now / seconds) * seconds;
}

function note(
  { events }: World,
  { entities }: Transfer,
  action: string,
  { account, username = "", created, message = "" }: Partial<ModelEvent> & { account: number; created: Moment },
): void {
  const names = entities.slice(0, 3).map(({ name }) => name);
  const others = entities.length - names.length;
  const label = names.join(", ") + (others > 0 ? ` and ${others} more` : "");
  events.push({ account, action, username, created: truncate(created), label, message });
}

function find(world: World, type: Type, id: number, account: number): Entity | undefined {
  return world.entities.find((entity) => entity.type === type && entity.id === id && entity.account === account);
}

/** Applies an operation to a world in which nothing is due, and foretells its answer. */
export function play(world: World, operation: Operation, now: Moment, given: Given): Foretold {
  switch (operation.kind) {
    case "create":
      return create(world, operation, now, given);
    case "get":
      return onEntity(world, operation, "read_only", ({ name, tags }) => [200, { name, tags }]);
    case "delete":
      return onEntity(world, operation, "read_write", (entity) => {
        if (entity.job?.isDeletion) return invalid;
        if (entity.type === "domain") remove(world, entity);
        else {
          entity.job = { ends: now + durations.deletion, isDeletion: true };
          entity.tags = [];
          endGrants(world, entity);
          for (const volume of world.volumes) if (volume.node === entity.id) volume.node = undefined;
        }
        return [200];
      });
    case "rename":
      return onEntity(world, operation, "read_write", (entity) => rename(world, operation, entity));
    case "tag":
      return onEntity(world, operation, "read_write", (entity) => {
        if (entity.job?.isDeletion) return invalid;
        const lower = (labels: readonly string[]) => labels.join().toLowerCase();
        if (operation.by.isRestricted) return lower(entity.tags) === lower(operation.tags) ? [200] : forbidden;
        const labels = operation.tags.map((label) => spellTag(world, label, operation.by, now));
        entity.tags = [...new Set(labels)];
        return [200];
      });
    case "add record":
      return onEntity(world, { ...operation, type: "domain" }, "read_write", (entity) => {
        entity.version++;
        return [200];
      });
    case "add disk":
      return onEntity(world, { ...operation, type: "node" }, "read_write", (entity) => {
        if (entity.job !== undefined) return invalid;
        entity.job = { ends: now + durations.disk, isDeletion: false };
        return [200];
      });
    case "add volume": {
      const { account, isRestricted } = operation.by;
      if (isRestricted) return forbidden;
      const node = find(world, "node", operation.id, account);
      if (node === undefined || node.job !== undefined) return invalid;
      world.volumes.push({ id: given.id, account, node: node.id });
      return [200];
    }
    case "detach volume": {
      const { account, isRestricted } = operation.by;
      const volume = world.volumes.find((one) => one.id === operation.id && one.account === account);
      if (volume === undefined) return unknown;
      if (isRestricted) return forbidden;
      const node = volume.node === undefined ? undefined : find(world, "node", volume.node, account);
      if (node === undefined || node.job !== undefined) return invalid;
      volume.node = undefined;
      return [200];
    }
    case "delete tag": {
      const { account, username, isRestricted } = operation.by;
      if (isRestricted) return forbidden;
      const tag = world.tags.find((one) => one.account === account && isSame(one.label, operation.label));
      if (tag === undefined) return unknown;
      world.tags = world.tags.filter((one) => one !== tag);
      for (const entity of world.entities)
        if (entity.account === account) entity.tags = entity.tags.filter((label) => !isSame(label, tag.label));
      const event = { account, action: "tag_delete", username, created: truncate(now), label: tag.label, message: "" };
      world.events.push(event);
      return [200];
    }
    case "grant": {
      const { by, type, id, permissions } = operation;
      if (find(world, type, id, by.account) === undefined) return invalid;
      world.grants = world.grants.filter(
        (grant) => grant.username !== by.username || grant.type !== type || grant.id !== id,
      );
      if (permissions) world.grants.push({ username: by.username, type, id, permissions });
      return [200];
    }
    case "offer":
      return offer(world, operation, now, given);
    case "view":
    case "cancel":
    case "accept":
      return onTransfer(world, operation, now);
  }
}

/** Whether a user may do this to an entity of the account. */
function mayUse(world: World, { username, isRestricted }: User, { type, id }: Entity, needed: Permissions): boolean {
  const grant = world.grants.find((one) => one.username === username && one.type === type && one.id === id);
  return !isRestricted || grant?.permissions === "read_write" || grant?.permissions === needed;
}

function onEntity(
  world: World,
  { by, type, id }: OfEntity,
  needed: Permissions,
  act: (entity: Entity) => Foretold,
): Foretold {
  const entity = find(world, type, id, by.account);
  if (entity === undefined) return unknown;
  return mayUse(world, by, entity, needed) ? act(entity) : forbidden;
}

type OperationOf<Kind> = Extract<Operation, { readonly kind: Kind }>;

function create(world: World, { by, type, name, tags }: OperationOf<"create">, now: Moment, { id }: Given): Foretold {
  const refusal = type === "domain" ? placeRefusal(world, by, name) : undefined;
  if (refusal) return refusal;
  if (type === "node" && by.isRestricted) return forbidden;
  if (type === "node" && isLabelTaken(world, by.account, name)) return invalid;
  if (by.isRestricted && tags.length > 0) return forbidden;
  const spelled = [...new Set(tags.map((label) => spellTag(world, label, by, now)))];
  world.entities.push({ type, id, name, account: by.account, tags: spelled, version: 0, job: undefined });
  if (by.isRestricted) world.grants.push({ username: by.username, type, id, permissions: "read_write" });
  return [200];
}

/** Why a user gets no domain of this name. */
function placeRefusal(world: World, by: User, name: string, except?: Entity): Foretold | undefined {
  const domains = world.entities.filter((entity) => entity.type === "domain");
  if (domains.some((domain) => isSame(domain.name, name))) return invalid;
  const others = domains.filter((domain) => domain !== except);
  const above = others.filter((domain) => isBelow(name, domain.name)).sort((a, b) => b.name.length - a.name.length);
  const below = others.filter((domain) => isBelow(domain.name, name));
  if ([...above, ...below].some(({ account }) => account !== by.account)) return invalid;
  const isAllowed = [...above.slice(0, 1), ...below].every((domain) => mayUse(world, by, domain, "read_write"));
  return isAllowed ? undefined : forbidden;
}

function rename(world: World, { by, name }: OperationOf<"rename">, entity: Entity): Foretold {
  if (entity.job?.isDeletion) return invalid;
  if (entity.type === "node") {
    if (isLabelTaken(world, by.account, name, entity)) return invalid;
  } else if (!isSame(name, entity.name)) {
    const refusal = placeRefusal(world, by, name, entity);
    if (refusal) return refusal;
  }
  if (name !== entity.name) entity.version++;
  entity.name = name;
  return [200];
}

function offer(world: World, { by, nodes, domains }: OperationOf<"offer">, now: Moment, { token }: Given): Foretold {
  if (by.isRestricted) return forbidden;
  const wanted = [
    ...nodes.map((id, index) => ({ type: "node", id, index, field: `entities.nodes[${index}]` }) as const),
    ...domains.map((id, index) => ({ type: "domain", id, index, field: `entities.domains[${index}]` }) as const),
  ];
  if (wanted.length === 0) return [400, ["entities"]];
  const found = wanted.map(({ type, id }) => find(world, type, id, by.account));
  const offered = found.filter((entity) => entity !== undefined);
  const isOpen = ({ type, id }: Pick<Entity, "type" | "id">) =>
    world.transfers.some(
      ({ status, entities }) =>
        (status === "pending" || status === "accepted") &&
        entities.some((entity) => entity.type === type && entity.id === id),
    );
  const wrong = wanted.filter(({ type, id }, position) => {
    const entity = found[position];
    if (entity === undefined || isOpen(entity)) return true;
    if (wanted.findIndex((other) => other.type === type && other.id === id) !== position) return true;
    return (type === "domain" ? outsiders(world, entity, offered) : hindrances(world, entity)).length > 0;
  });
  if (wrong.length > 0) return [400, wrong.map(({ field }) => field)];
  const transfer: Transfer = {
    token,
    sender: by.account,
    receiver: undefined,
    status: "pending",
    entities: offered.map(({ type, id, name }) => ({ type, id, name })),
    created: truncate(now),
    updated: now,
    expires: truncate(now + day),
    completes: 0,
    acceptedBy: "",
  };
  world.transfers.push(transfer);
  note(world, transfer, "entity_transfer_create", { account: by.account, username: by.username, created: now });
  return [200, showTransfer(transfer, by)];
}

/** A transfer as an account sees it. */
export function showTransfer({ entities, ...transfer }: Transfer, { account }: Pick<User, "account">) {
  const idsOf = (wanted: Type) => entities.filter(({ type }) => type === wanted).map(({ id }) => id);
  return {
    entities: { nodes: idsOf("node"), domains: idsOf("domain") },
    token: transfer.token,
    status: transfer.status,
    created: transfer.created,
    updated: truncate(transfer.updated),
    expiry: transfer.expires,
    is_sender: transfer.sender === account,
  };
}

/** The transfers that an account sent or accepted. */
export function transfersOf({ transfers }: World, account: number): Transfer[] {
  return transfers.filter(({ sender, receiver }) => sender === account || receiver === account);
}

function onTransfer(
  world: World,
  { kind, by, token }: OperationOf<"view" | "cancel" | "accept">,
  now: Moment,
): Foretold {
  if (by.isRestricted) return forbidden;
  const transfer = world.transfers.find((one) => one.token === token);
  if (transfer === undefined) return unknown;
  const { sender, receiver, status } = transfer;
  if (kind === "view") {
    const isShown = status === "pending" || sender === by.account || receiver === by.account;
    return isShown ? [200, showTransfer(transfer, by)] : unknown;
  }
  if (kind === "cancel" && sender !== by.account) return forbidden;
  if (status !== "pending") return invalid;
  if (kind === "accept" && sender === by.account) return invalid;
  transfer.updated = now;
  const { account, username } = by;
  if (kind === "cancel") {
    transfer.status = "cancelled";
    note(world, transfer, "entity_transfer_cancel", { account, username, created: now });
  } else {
    transfer.status = "accepted";
    transfer.receiver = account;
    transfer.completes = now + durations.move;
    transfer.acceptedBy = username;
    note(world, transfer, "entity_transfer_accept", { account, username, created: now });
    note(world, transfer, "entity_transfer_accept", { account: sender, created: now });
  }
  return [200];
}
