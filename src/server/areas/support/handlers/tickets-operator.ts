import { advise } from "../../../../diagnostics/advice.ts";
import { problemError } from "../../../../diagnostics/problem.ts";
import { domainEntity, nodeEntity, ticketEntity, volumeEntity } from "../../../entities/entities.ts";
import { listFileRows, readFileContent } from "../../../entities/files.ts";
import { addOperatorEvent } from "../../../entities/operator-note.ts";
import { operatorId, operatorName } from "../../../entities/operator-rows.ts";
import { timestamp } from "../../../kit/timestamp.ts";
import type { Store } from "../../../store/store.ts";
import type { AccountRow, Database, DomainRow, FileRow, TicketReplyRow, TicketRow } from "../../../store/tables.ts";
import { findDomainByName } from "../../domains/domains-rows.ts";
import { findNodeRow } from "../../nodes/rows/nodes.ts";
import { findVolumeRow } from "../../nodes/rows/volumes.ts";
import { requireAccount } from "../../users/accounts-operator.ts";
import { findEntity } from "../../users/entities-operator.ts";
import { changeBy, closeBy, gravatarId, newTicketColumns, type TicketSubject } from "../rows/subjects.ts";
import { insertTicketReplyRow } from "../rows/ticket-replies.ts";
import { insertTicketRow, updateTicketRow } from "../rows/tickets.ts";

/** Without an address the operator has no picture. */
const operator = { name: operatorName, gravatar_id: gravatarId("") };

/** A ticket with the name of its account. */
export interface AccountTicket extends TicketRow {
  readonly account: string;
}

/** The tickets of all accounts or of one, the unclosed first, then the newest; the closed ones only if `isAll`. */
export function listAllTickets(
  store: Store,
  { account, isAll }: { readonly account?: string | undefined; readonly isAll: boolean },
): Promise<AccountTicket[]> {
  return store.read(async (db) => {
    const owner = account === undefined ? undefined : await requireAccount(db, account);
    return selectTickets(db)
      .$if(owner !== undefined, (query) => query.where("tickets.account_id", "=", owner?.id ?? 0))
      .$if(!isAll, (query) => query.where("tickets.status", "<>", "closed"))
      .orderBy(({ eb }) => eb.case().when("tickets.status", "=", "closed").then(1).else(0).end())
      .orderBy("tickets.id", "desc")
      .execute();
  });
}

/** A ticket with its replies and the list of its files. */
export interface WholeTicket {
  readonly ticket: AccountTicket;
  readonly replies: readonly TicketReplyRow[];
  readonly files: readonly FileRow[];
}

/** @throws {ProblemError} `ticket-unknown` */
export function showTicket(store: Store, id: number): Promise<WholeTicket> {
  return store.read(async (db) => ({
    ticket: await requireTicket(db, id),
    replies: await db.selectFrom("ticket_replies").selectAll().where("ticket_id", "=", id).orderBy("id").execute(),
    files: await listFileRows(db, "ticket", id),
  }));
}

/** The name of a domain, or the label or id of a node or of a volume. */
export interface TicketAbout {
  readonly domain?: string | undefined;
  readonly node?: string | undefined;
  readonly volume?: string | undefined;
}

/** A ticket that the operator opens for an account. */
export interface OperatorTicket {
  readonly account: string;
  /** The entity of the account that the ticket is about; at most one of the three is set. */
  readonly about?: TicketAbout;
  readonly summary: string;
  readonly description: string;
  readonly now: Date;
}

/**
 * Opens a ticket and returns its id.
 * @throws {ProblemError} `account-unknown`, `ticket-domain`, `ticket-node`, `ticket-volume`
 */
export function openTicket(store: Store, wanted: OperatorTicket): Promise<number> {
  const { summary, description, now } = wanted;
  return store.write(async (db) => {
    const account = await requireAccount(db, wanted.account);
    const ticket = await insertTicketRow(db, {
      ...newTicketColumns(now, await findSubject(db, account, wanted.about ?? {})),
      account_id: account.id,
      user_id: operatorId,
      opened_by: operator.name,
      gravatar_id: operator.gravatar_id,
      summary,
      description,
      status: "open",
    });
    await addOperatorEvent(db, ticket.account_id, "ticket_create", ticketEntity(ticket), now);
    return ticket.id;
  });
}

/** Replies as the operator, which opens a new ticket. @throws {ProblemError} `ticket-unknown`, `ticket-closed` */
export function replyToTicket(store: Store, id: number, description: string, now: Date): Promise<void> {
  return store.write(async (db) => {
    const ticket = await unclosedTicket(db, id);
    const { name, gravatar_id } = operator;
    const row = { ticket_id: id, created_by: name, from_operator: 1, gravatar_id, description };
    await insertTicketReplyRow(db, { ...row, created: timestamp(now) });
    await updateTicketRow(db, id, { ...changeBy(name, now), status: "open" });
    await addOperatorEvent(db, ticket.account_id, "ticket_update", ticketEntity(ticket), now);
  });
}

/** Closes any ticket. @throws {ProblemError} `ticket-unknown`, `ticket-closed` */
export function closeAnyTicket(store: Store, id: number, now: Date): Promise<void> {
  return store.write(async (db) => {
    const ticket = await unclosedTicket(db, id);
    await updateTicketRow(db, id, closeBy(operator.name, now));
    await addOperatorEvent(db, ticket.account_id, "ticket_update", ticketEntity(ticket), now);
  });
}

/** The content of a file of a ticket. */
export function readFile(store: Store, id: number): Promise<Buffer> {
  return store.read((db) => readFileContent(db, id));
}

function selectTickets(db: Database) {
  return db
    .selectFrom("tickets")
    .innerJoin("accounts", "accounts.id", "tickets.account_id")
    .selectAll("tickets")
    .select("accounts.name as account");
}

/** The ticket of this id, locked in a write. */
async function requireTicket(db: Database, id: number): Promise<AccountTicket> {
  const ticket = await selectTickets(db).where("tickets.id", "=", id).forUpdate("tickets").executeTakeFirst();
  if (ticket) return ticket;
  throw problemError("ticket-unknown", `ticket ${id} does not exist`, {
    fix: advise`Run ${{ run: "server operator ticket list", with: { all: true } }} to list the tickets.`,
  });
}

async function unclosedTicket(db: Database, id: number): Promise<AccountTicket> {
  const ticket = await requireTicket(db, id);
  if (ticket.status !== "closed") return ticket;
  const open = {
    run: "server operator ticket open",
    args: [ticket.account, "<summary>"],
    with: { text: "<text>" },
  } as const;
  const fix = advise`To write to the account again, open another ticket: ${open}.`;
  throw problemError("ticket-closed", `ticket ${id} is already closed`, { fix });
}

async function findSubject(
  db: Database,
  account: AccountRow,
  { domain, node, volume }: TicketAbout,
): Promise<TicketSubject | undefined> {
  if (domain !== undefined) return domainEntity(await requireDomainOfAccount(db, account, domain));
  if (node !== undefined) {
    const id = await findEntity(db, account.id, { type: "node", name: node }, "ticket-node");
    const found = id === undefined ? undefined : await findNodeRow(db, account.id, id);
    if (found) return nodeEntity(found);
    const fix = advise`Run ${{ run: "server operator node list" }} to list the nodes.`;
    throw problemError("ticket-node", `the account "${account.name}" has no node "${node}"`, { fix });
  }
  if (volume !== undefined) {
    const id = await findEntity(db, account.id, { type: "volume", name: volume }, "ticket-volume");
    const found = id === undefined ? undefined : await findVolumeRow(db, account.id, id);
    if (found) return volumeEntity(found);
    const fix = advise`Leave out ${{ set: "volume" }}, or name a volume of this account by its label or id.`;
    const message = `the account "${account.name}" has no volume "${volume}"`;
    throw problemError("ticket-volume", message, { fix });
  }
  return undefined;
}

async function requireDomainOfAccount(db: Database, account: AccountRow, name: string): Promise<DomainRow> {
  const domain = await findDomainByName(db, account.id, name);
  if (domain) return domain;
  const fix = advise`Leave out ${{ set: "domain" }}, or name a domain of this account.`;
  throw problemError("ticket-domain", `the account "${account.name}" has no domain "${name}"`, { fix });
}
