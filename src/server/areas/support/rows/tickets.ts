import { expressionBuilder, sql } from "kysely";
import { operatorId } from "../../../entities/operator-rows.ts";
import { type Attributes, anyOf, boolean, longTextAttribute, number, textAttribute } from "../../../store/filter.ts";
import { type Rows, type Slice, slice } from "../../../store/page.ts";
import type { Database, NewTicketRow, Tables, TicketRow } from "../../../store/tables.ts";

/** The tickets of an account; `grantee` sees their own and those of entities with a grant. */
export interface VisibleTickets {
  readonly account_id: number;
  readonly grantee: number | undefined;
}

/** By default the unclosed ones first, then the newest (decisions/account#tickets). */
export function listTicketRows(
  db: Database,
  { account_id, grantee }: VisibleTickets,
  { filter, ...wanted }: Slice,
): Promise<Rows<TicketRow>> {
  const rows = db.selectFrom("tickets").where("account_id", "=", account_id);
  const visible = grantee === undefined ? {} : { condition: isTicketVisibleTo(grantee), nanoseconds: 1000 };
  const orderBy = filter.orderBy ?? { attribute: "isClosed", descending: false };
  return slice(db, { rows, ...visible }, attributes, { ...wanted, filter: { ...filter, orderBy }, newestFirst: true });
}

/**
 * The unclosed tickets that the operator opened and answered last, if anybody has, the oldest first; for a restricted
 * user, those that they may answer.
 */
export function listImportantTickets(db: Database, { account_id, grantee }: VisibleTickets): Promise<TicketRow[]> {
  const important = db
    .selectFrom("tickets")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("user_id", "=", operatorId)
    .where("status", "<>", "closed")
    .where(({ eb, fn, ref }) => {
      const replies = eb.selectFrom("ticket_replies").where("ticket_id", "=", ref("tickets.id"));
      const last = replies.select("from_operator").orderBy("id", "desc").limit(1);
      return eb(fn.coalesce(last, eb.lit(1)), "=", 1);
    })
    .orderBy("id");
  return (grantee === undefined ? important : important.where(isAnswerableBy(grantee))).execute();
}

/**
 * The account's ticket of this id. In a write its row is locked until the end, which serialises its replies and files.
 */
export function findTicketRow(db: Database, account_id: number, id: number): Promise<TicketRow | undefined> {
  return db
    .selectFrom("tickets")
    .selectAll()
    .where("id", "=", id)
    .where("account_id", "=", account_id)
    .forUpdate()
    .executeTakeFirst();
}

/** The summaries of these tickets, by id. */
export async function summariesOfTickets(db: Database, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom("tickets").select(["id", "summary"]).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, summary }) => [id, summary]));
}

export function insertTicketRow(db: Database, row: NewTicketRow): Promise<TicketRow> {
  return db.insertInto("tickets").values(row).returningAll().executeTakeFirstOrThrow();
}

export async function updateTicketRow(
  db: Database,
  id: number,
  changes: Pick<TicketRow, "updated" | "updated_by"> & Partial<Pick<TicketRow, "status" | "closed">>,
): Promise<void> {
  await db.updateTable("tickets").set(changes).where("id", "=", id).execute();
}

const eb = expressionBuilder<Tables, "tickets">();

/** Whether a restricted user sees a ticket (decisions/account#tickets). */
export function isTicketVisibleTo(user_id: number) {
  return isOwnOrGranted(user_id, grantsOf(user_id));
}

/** Whether a restricted user may reply to a ticket that they see. */
function isAnswerableBy(user_id: number) {
  return isOwnOrGranted(user_id, grantsOf(user_id).where("grants.permissions", "=", "read_write"));
}

function isOwnOrGranted(user_id: number, granted: ReturnType<typeof grantsOf>) {
  return eb.or([eb("tickets.user_id", "=", user_id), eb.exists(granted)]);
}

/** The user's grant on the subject of a ticket. */
function grantsOf(user_id: number) {
  return eb
    .selectFrom("grants")
    .select("grants.entity_id")
    .where("grants.user_id", "=", user_id)
    .whereRef("grants.entity_type", "=", "tickets.entity_type")
    .whereRef("grants.entity_id", "=", "tickets.entity_id");
}

const attributes: Attributes = {
  id: number(eb.ref("tickets.id")),
  attachments: anyOf(
    textAttribute(sql.ref("files.name")),
    sql`from files where files.entity_type = 'ticket' and files.entity_id = tickets.id`,
    sql.ref("files.id"),
  ),
  closed: textAttribute(eb.ref("tickets.closed")),
  closable: boolean(
    sql`case when tickets.status <> 'closed' and tickets.user_id <> ${sql.lit(operatorId)} then 1 else 0 end`,
  ),
  description: longTextAttribute(eb.ref("tickets.description")),
  gravatar_id: textAttribute(eb.ref("tickets.gravatar_id")),
  isClosed: number(eb.case().when("tickets.status", "=", "closed").then(1).else(0).end()),
  opened: textAttribute(eb.ref("tickets.opened")),
  opened_by: textAttribute(eb.ref("tickets.opened_by")),
  status: textAttribute(eb.ref("tickets.status")),
  summary: textAttribute(eb.ref("tickets.summary")),
  updated: textAttribute(eb.ref("tickets.updated")),
  updated_by: textAttribute(eb.ref("tickets.updated_by")),
};
