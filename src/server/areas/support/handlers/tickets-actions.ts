import { reasons } from "../../../../contract/errors.ts";
import type { Handler } from "../../../entities/context.ts";
import { ticketEntity } from "../../../entities/entities.ts";
import { addEvent } from "../../../entities/events.ts";
import { fileNamesOf, insertFileRow } from "../../../entities/files.ts";
import { badRequest, errorEntry, Refusal } from "../../../kit/api-error.ts";
import { timestamp } from "../../../kit/timestamp.ts";
import { baseName, nameProblem, unusedName } from "../rows/file-name.ts";
import { changeBy, closeBy, findTicket, isClosable, requireUnclosed } from "../rows/subjects.ts";
import { updateTicketRow } from "../rows/tickets.ts";

/** Limit on the files of a ticket (decisions/account#tickets). */
const mostFiles = 20;

export const closeTicket: Handler<"closeTicket"> = ({ ticketId }, context) =>
  context.store.write(async (db) => {
    const ticket = await findTicket(db, ticketId, context, "read_write");
    if (!isClosable(ticket)) throw badRequest(reasons.ticketNotClosable);
    await updateTicketRow(db, ticket.id, closeBy(context.caller.username, context.now));
    await addEvent(db, context, "ticket_update", { entity: ticketEntity(ticket) });
    return {};
  });

export const createTicketAttachment: Handler<"createTicketAttachment"> = async ({ ticketId, body }, context) => {
  const { caller, now, store } = context;
  const content = new Uint8Array(await body.file.arrayBuffer());
  const name = baseName(body.file.name);
  return store.write(async (db) => {
    const ticket = await findTicket(db, ticketId, context, "read_write");
    requireUnclosed(ticket);
    const problem = nameProblem(name);
    if (problem !== undefined) throw new Refusal(400, [errorEntry("file", problem)]);
    const names = (await fileNamesOf(db, "ticket", [ticket.id])).get(ticket.id) ?? [];
    if (names.length >= mostFiles) throw badRequest(`A ticket can have at most ${mostFiles} files`);
    const row = { account_id: caller.accountId, entity_type: "ticket", entity_id: ticket.id, created: timestamp(now) };
    await insertFileRow(db, { ...row, name: unusedName(name, names) }, content);
    await updateTicketRow(db, ticket.id, changeBy(caller.username, now));
    await addEvent(db, context, "ticket_attachment_upload", { entity: ticketEntity(ticket) });
    return {};
  });
};
