import { reasons } from "../../../contract/errors.ts";
import type { Handler } from "../../entities/context.ts";
import { makeWorkDue } from "../../entities/due-work.ts";
import { transferEntity } from "../../entities/entities.ts";
import { addEvent } from "../../entities/events.ts";
import { badRequest, unauthorized } from "../../kit/api-error.ts";
import { exactTimestamp, timestamp } from "../../kit/timestamp.ts";
import { updateRows } from "../../store/rows.ts";
import { describeGivenAway } from "../nodes/jobs/freed.ts";
import { cancel } from "./cancel.ts";
import { entitiesOfTransfers } from "./entity-transfers-rows.ts";
import { findTransfer, requirePending, settleSender } from "./find.ts";
import { lockAccounts } from "./lock.ts";

/** @throws {Refusal} 403 for an account that did not send the transfer. */
export const cancelEntityTransfer: Handler<"cancelEntityTransfer"> = async ({ token }, context) => {
  await settleSender(token, context);
  return context.store.write(async (db) => {
    const { account_id } = await findTransfer(db, token);
    if (account_id !== context.caller.accountId) throw unauthorized();
    await lockAccounts(db, [account_id]);
    const transfer = await findTransfer(db, token);
    requirePending(transfer);
    await cancel(db, transfer, context);
    return {};
  });
};

/** Duration of the move of entities at the hosted service, in seconds (decisions/account#transfers). */
const moveTime = 10;

/** Begins the move of the entities, which ends when `applyDueWork` finds it due in either account. */
export const acceptEntityTransfer: Handler<"acceptEntityTransfer"> = async ({ token }, context) => {
  await settleSender(token, context);
  const { caller, now, jobDriver } = context;
  return context.store.write(async (db) => {
    const { account_id } = await findTransfer(db, token);
    await lockAccounts(db, [account_id, caller.accountId]);
    const transfer = await findTransfer(db, token);
    requirePending(transfer);
    if (account_id === caller.accountId) throw badRequest(reasons.transferOwn);
    const seconds = jobDriver.seconds(moveTime);
    const completes = new Date(now.getTime() + (seconds === "until told" ? 0 : seconds * 1000));
    const entities = await entitiesOfTransfers(db, [transfer.id]);
    const entity = transferEntity(transfer, entities);
    const event_id = await addEvent(db, context, "entity_transfer_accept", { entity });
    const sender = { accountId: account_id, userId: 0, username: "" };
    const nodes = entities.filter(({ entity_type }) => entity_type === "node").map(({ entity_id }) => entity_id);
    const domains = new Set(entities.flatMap(({ entity_type, label }) => (entity_type === "domain" ? [label] : [])));
    const given = await describeGivenAway(db, { account_id, nodes, domains });
    await addEvent(db, { caller: sender, now }, "entity_transfer_accept", { entity, ...given });
    await updateRows(
      db,
      "entity_transfers",
      { id: transfer.id },
      {
        status: "accepted",
        updated: timestamp(now),
        receiver_id: caller.accountId,
        completes: exactTimestamp(completes),
        event_id,
      },
    );
    for (const accountId of [account_id, caller.accountId]) await makeWorkDue(db, accountId, completes);
    return {};
  });
};

export const cancelServiceTransfer: Handler<"cancelServiceTransfer"> = (...request) => cancelEntityTransfer(...request);
export const acceptServiceTransfer: Handler<"acceptServiceTransfer"> = (...request) => acceptEntityTransfer(...request);
