import { randomUUID } from "node:crypto";
import type { Handler } from "../../entities/context.ts";
import { makeWorkDue } from "../../entities/due-work.ts";
import { offerEntity } from "../../entities/entities.ts";
import { addEvent } from "../../entities/events.ts";
import { envelope } from "../../kit/envelope.ts";
import { parseTimestamp, timestamp } from "../../kit/timestamp.ts";
import { readEntities } from "./check.ts";
import { insertTransferRow, listTransferRows } from "./entity-transfers-rows.ts";
import { findVisible, settleSender } from "./find.ts";
import { transferReplies, transferReply } from "./replies.ts";

/** Time in which a transfer can be accepted, in milliseconds: 24 hours (decisions/documents#entity-transfers). */
const lifetime = 24 * 60 * 60 * 1000;

export const listEntityTransfers: Handler<"listEntityTransfers"> = ({ query, filter }, context) =>
  context.store.read(async (db) => {
    const { rows, results } = await listTransferRows(db, context.caller.accountId, { filter, ...query });
    return envelope(await transferReplies(db, rows, context), results, query);
  });

export const createEntityTransfer: Handler<"createEntityTransfer"> = ({ body }, context) =>
  context.store.write(async (db) => {
    const { caller, now } = context;
    const entities = await readEntities(db, body, context);
    const expires = timestamp(new Date(now.getTime() + lifetime));
    const transfer = await insertTransferRow(db, {
      account_id: caller.accountId,
      token: randomUUID().toUpperCase(),
      status: "pending",
      created: timestamp(now),
      updated: timestamp(now),
      expires,
      entities,
    });
    await makeWorkDue(db, caller.accountId, parseTimestamp(expires));
    await addEvent(db, context, "entity_transfer_create", { entity: offerEntity(entities) });
    return transferReply(db, transfer, context);
  });

export const getEntityTransfer: Handler<"getEntityTransfer"> = async ({ token }, context) => {
  await settleSender(token, context);
  return context.store.read(async (db) => transferReply(db, await findVisible(db, token, context), context));
};

export const listServiceTransfers: Handler<"listServiceTransfers"> = (...request) => listEntityTransfers(...request);
export const createServiceTransfer: Handler<"createServiceTransfer"> = (...request) => createEntityTransfer(...request);
export const getServiceTransfer: Handler<"getServiceTransfer"> = (...request) => getEntityTransfer(...request);
