import { expressionBuilder } from "kysely";
import { type Attributes, boolean, longText, number, text } from "../../../store/filter.ts";
import { type Rows, type Slice, slice } from "../../../store/page.ts";
import type { Database, NewTicketReplyRow, Tables, TicketReplyRow } from "../../../store/tables.ts";

/** The replies to a ticket, the oldest first. */
export function list(db: Database, ticket_id: number, wanted: Slice): Promise<Rows<TicketReplyRow>> {
  return slice(db, { rows: db.selectFrom("ticket_replies").where("ticket_id", "=", ticket_id) }, attributes, wanted);
}

export function insert(db: Database, row: NewTicketReplyRow): Promise<TicketReplyRow> {
  return db.insertInto("ticket_replies").values(row).returningAll().executeTakeFirstOrThrow();
}

const eb = expressionBuilder<Tables, "ticket_replies">();

const attributes: Attributes = {
  id: number(eb.ref("ticket_replies.id")),
  created: text(eb.ref("ticket_replies.created")),
  created_by: text(eb.ref("ticket_replies.created_by")),
  description: longText(eb.ref("ticket_replies.description")),
  from_operator: boolean(eb.ref("ticket_replies.from_operator")),
  gravatar_id: text(eb.ref("ticket_replies.gravatar_id")),
};
