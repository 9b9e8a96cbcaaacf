import { expressionBuilder } from "kysely";
import { type Attributes, boolean, longTextAttribute, number, textAttribute } from "../../../store/filter.ts";
import { type Rows, type Slice, slice } from "../../../store/page.ts";
import type { Database, NewTicketReplyRow, Tables, TicketReplyRow } from "../../../store/tables.ts";

/** The replies to a ticket, the oldest first. */
export function listTicketReplyRows(db: Database, ticket_id: number, wanted: Slice): Promise<Rows<TicketReplyRow>> {
  return slice(db, { rows: db.selectFrom("ticket_replies").where("ticket_id", "=", ticket_id) }, attributes, wanted);
}

export function insertTicketReplyRow(db: Database, row: NewTicketReplyRow): Promise<TicketReplyRow> {
  return db.insertInto("ticket_replies").values(row).returningAll().executeTakeFirstOrThrow();
}

const eb = expressionBuilder<Tables, "ticket_replies">();

const attributes: Attributes = {
  id: number(eb.ref("ticket_replies.id")),
  created: textAttribute(eb.ref("ticket_replies.created")),
  created_by: textAttribute(eb.ref("ticket_replies.created_by")),
  description: longTextAttribute(eb.ref("ticket_replies.description")),
  from_operator: boolean(eb.ref("ticket_replies.from_operator")),
  gravatar_id: textAttribute(eb.ref("ticket_replies.gravatar_id")),
};
