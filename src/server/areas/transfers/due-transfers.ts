import type { EventAction } from "../../../contract/resources/event.ts";
import type { Actor, Settings } from "../../entities/context.ts";
import { type DueWork, makeWorkDue } from "../../entities/due-work.ts";
import { transferEntity } from "../../entities/entities.ts";
import { addEvent, findEventActor } from "../../entities/events.ts";
import { applyDueWork } from "../../entities/jobs.ts";
import { parseTimestamp, timestamp } from "../../kit/timestamp.ts";
import { listRows, updateRows } from "../../store/rows.ts";
import type { AccountRow, Database, DomainRow, EntityTransferRow, NodeRow } from "../../store/tables.ts";
import type { Pricing } from "../billing/charges.ts";
import { listDomainRowsById } from "../domains/domains-rows.ts";
import { listTakenNodeLabels } from "../nodes/rows/nodes.ts";
import * as transfers from "./entity-transfers-rows.ts";
import { lockTransfers } from "./lock.ts";
import { moveDomains, moveNodes } from "./move.ts";
import { domainObstacles, nodeObstacles } from "./obstacles.ts";

/** Other due work of accounts, and the catalogue with the prices. */
type OtherWork = Pick<Settings, "jobKinds" | "dueWork" | "catalog">;

/**
 * Ends transfers: pending ones become stale, and accepted ones move their entities or fail. Those of one moment end in
 * the order of their creation, whichever account is settled first.
 */
export function dueTransfers({ jobKinds, dueWork, catalog }: OtherWork): DueWork {
  const work: DueWork = {
    movesEntities: true,

    async lock(db, { accountId, nodeId }, until) {
      if (nodeId !== undefined) return;
      const due = await listConnected(db, accountId, until);
      if (due.length > 0) await lockTransfers(db, due);
    },

    async next(db, { accountId, nodeId }) {
      if (nodeId !== undefined) return null;
      return (await findFirst(db, accountId))?.due ?? null;
    },

    async apply(db, { accountId }) {
      const first = await findFirst(db, accountId);
      if (first === undefined) return;
      if (first.accepted === undefined) await expire(db, first.pending, parseTimestamp(first.due));
      else await endOf(db, accountId, first.accepted);
    },
  };

  /** Ends the first accepted transfer of an account, after all that came before it on the other side. */
  async function endOf(db: Database, accountId: number, transfer: transfers.AcceptedTransfer): Promise<void> {
    const { account_id, receiver_id, completes } = transfer;
    const accounts = await lockTransfers(db, [transfer]);
    await settleOther(db, account_id === accountId ? receiver_id : account_id, transfer);
    await end(db, transfer, accounts, { catalog, now: parseTimestamp(completes) });
  }

  /** Settles the other account up to a transfer, because work that ends there may decide its outcome. */
  async function settleOther(db: Database, accountId: number, { id, completes }: transfers.AcceptedTransfer) {
    const part = { accountId };
    const now = parseTimestamp(completes);
    const before = new Date(now.getTime() - 1);
    while (await applyDueWork(db, part, before, { jobKinds, dueWork: [...dueWork, work] }));
    while (await applyDueWork(db, part, now, { jobKinds, dueWork }));
    for (;;) {
      const first = await transfers.findFirstAcceptedTransfer(db, accountId);
      if (first?.completes !== completes || first.id >= id) break;
      await endOf(db, accountId, first);
    }
    const next = await work.next(db, part);
    if (next !== null) await makeWorkDue(db, accountId, parseTimestamp(next));
  }

  return work;
}

/** The accepted transfers of an account that end until this moment, and those on which their ends may depend. */
async function listConnected(db: Database, accountId: number, until: string): Promise<transfers.AcceptedTransfer[]> {
  const found = new Map<number, transfers.AcceptedTransfer>();
  const accounts = new Set([accountId]);
  for (const account of accounts)
    for (const transfer of await transfers.listAcceptedTransfers(db, account, until)) {
      found.set(transfer.id, transfer);
      accounts.add(transfer.account_id).add(transfer.receiver_id);
    }
  return [...found.values()];
}

/** The next transfer of an account that becomes stale or moves its entities, and the moment. */
async function findFirst(db: Database, accountId: number) {
  const pending = await transfers.findFirstPendingTransfer(db, accountId);
  const accepted = await transfers.findFirstAcceptedTransfer(db, accountId);
  if (accepted && (pending === undefined || accepted.completes <= pending.expires))
    return { accepted, due: accepted.completes };
  return pending && { pending, accepted: undefined, due: pending.expires };
}

async function expire(db: Database, transfer: EntityTransferRow, now: Date): Promise<void> {
  await updateRows(db, "entity_transfers", { id: transfer.id }, { status: "stale", updated: timestamp(now) });
  await addTransferEvent(db, "entity_transfer_stale", transfer, transfer.account_id, now);
}

/** Moves all entities of an accepted transfer, or none. */
async function end(
  db: Database,
  transfer: transfers.AcceptedTransfer,
  accounts: ReadonlyMap<number, AccountRow>,
  pricing: Pricing,
): Promise<void> {
  const { account_id, receiver_id } = transfer;
  const { now } = pricing;
  const found = await findEntities(db, transfer);
  const isClosed = (id: number) => (accounts.get(id)?.closed ?? null) !== null;
  const obstacles = [
    ...(isClosed(account_id) ? ["The account that sent it was cancelled."] : []),
    ...(isClosed(receiver_id) ? ["The account that accepted it was cancelled."] : []),
    ...found.obstacles,
  ];
  const { conflicts } = found;
  const updated = timestamp(now);
  if (obstacles.length > 0 || conflicts.length > 0) {
    await updateRows(db, "entity_transfers", { id: transfer.id }, { status: "failed", updated });
    const forSender = [...obstacles, ...(conflicts.length > 0 ? [conflictElsewhere] : [])];
    await addTransferEvent(db, "entity_transfer_fail", transfer, account_id, now, describe(forSender));
    return addTransferEvent(
      db,
      "entity_transfer_fail",
      transfer,
      receiver_id,
      now,
      describe([...obstacles, ...conflicts]),
    );
  }
  const receiver = { ...pricing, caller: await receiverOf(db, transfer) };
  await moveDomains(db, found.domains, receiver);
  await moveNodes(db, found.nodes, receiver);
  await updateRows(db, "entity_transfers", { id: transfer.id }, { status: "completed", updated });
}

/** All that the sender may know of the conflicts, which are about entities of another account. */
const conflictElsewhere = "It conflicts with an entity of the receiving account, whose users see the reason.";

interface Found {
  readonly domains: readonly DomainRow[];
  readonly nodes: readonly NodeRow[];
  /** Reasons why they cannot leave their account. */
  readonly obstacles: readonly string[];
  /** Reasons why the receiving account cannot have them. */
  readonly conflicts: readonly string[];
}

/** The present entities of a transfer, and the obstacles to moving them. */
async function findEntities(db: Database, transfer: transfers.AcceptedTransfer): Promise<Found> {
  const { account_id, receiver_id } = transfer;
  const entities = await transfers.entitiesOfTransfers(db, [transfer.id]);
  const idsOf = (type: "domain" | "node") =>
    entities.filter(({ entity_type }) => entity_type === type).map(({ entity_id }) => entity_id);
  const domainRows = await listDomainRowsById(db, account_id, idsOf("domain"));
  const nodeRows = await listRows(db, "nodes", { account_id, id: idsOf("node") });
  const found = new Set([...domainRows.map(({ id }) => `domain ${id}`), ...nodeRows.map(({ id }) => `node ${id}`)]);
  const isGone = ({ entity_type, entity_id }: (typeof entities)[number]) => !found.has(`${entity_type} ${entity_id}`);
  const labels = nodeRows.map(({ label_key }) => label_key);
  const taken = await listTakenNodeLabels(db, receiver_id, labels);
  return {
    domains: domainRows,
    nodes: nodeRows,
    obstacles: [
      ...entities.filter(isGone).map(({ label }) => `"${label}" no longer exists.`),
      ...(await domainObstacles(db, domainRows, idsOf("domain"))).values(),
      ...(await nodeObstacles(db, nodeRows)).values(),
    ],
    conflicts: nodeRows
      .filter(({ label_key }) => taken.has(label_key))
      .map(({ label }) => `The receiving account already has the label "${label}".`),
  };
}

/** The user who accepted a transfer; unknown once the event of that has expired. */
async function receiverOf(db: Database, { receiver_id, event_id }: transfers.AcceptedTransfer): Promise<Actor> {
  const cause = event_id === null ? undefined : await findEventActor(db, event_id);
  return { accountId: receiver_id, userId: cause?.user_id ?? 0, username: cause?.username ?? "" };
}

/** Limit on the obstacles that an event names. */
const mostObstacles = 3;

function describe(obstacles: readonly string[]): string {
  const others = obstacles.length - mostObstacles;
  const rest = others > 0 ? [`${others} more ${others === 1 ? "reason is" : "reasons are"} not shown.`] : [];
  return [...obstacles.slice(0, mostObstacles), ...rest].join(" ");
}

/** Writes an event that no user caused to an account. */
async function addTransferEvent(
  db: Database,
  action: EventAction,
  transfer: EntityTransferRow,
  accountId: number,
  now: Date,
  message: string | null = null,
): Promise<void> {
  const entity = transferEntity(transfer, await transfers.entitiesOfTransfers(db, [transfer.id]));
  await addEvent(db, { caller: { accountId, userId: 0, username: "" }, now }, action, { entity, message });
}
