import { ticketEntity } from "../kit/entities.ts";
import { addEvent, oldestShown } from "../kit/events.ts";
import { changeBy, closeBy, gravatarId, newTicketColumns } from "../kit/tickets.ts";
import { timestamp } from "../kit/timestamp.ts";
import * as contacts from "../store/managed-contacts.ts";
import * as issues from "../store/managed-issues.ts";
import * as services from "../store/managed-services.ts";
import { operatorId, operatorName } from "../store/operator.ts";
import type { Database, ManagedIssueRow, ManagedServiceRow, TicketRow } from "../store/tables.ts";
import * as replies from "../store/ticket-replies.ts";
import * as tickets from "../store/tickets.ts";

/** The author of tickets and replies. */
const author = { name: operatorName, gravatar_id: gravatarId("") };

/** The ids of the services that an issue affects, also of those that were deleted since. */
export function servicesOf({ services }: ManagedIssueRow): number[] {
  return JSON.parse(services);
}

/**
 * Reports that a service is down, and why: in the open issue of its host, or in a new one with a ticket. Its account is
 * locked.
 */
export async function reportProblem(
  db: Database,
  service: ManagedServiceRow,
  reason: string,
  now: Date,
): Promise<void> {
  const { account_id, host, id } = service;
  const text = `${describe(service)} is down.\n\n${timestamp(now)} UTC: ${reason}.`;
  for (const issue of await issues.listOpen(db, account_id, host)) {
    const ticket = await tickets.find(db, account_id, issue.ticket_id);
    if (ticket === undefined || ticket.status === "closed") continue;
    const affected = servicesOf(issue);
    if (!affected.includes(id)) await issues.update(db, issue.id, { services: JSON.stringify([...affected, id]) });
    return reply(db, ticket, text, now);
  }
  await openIssue(db, service, text, now);
}

async function openIssue(db: Database, service: ManagedServiceRow, text: string, now: Date): Promise<void> {
  const { account_id, host, id, label } = service;
  const paragraphs = [
    text,
    ...(await contactLines(db, service)),
    `This ticket is closed when all services of ${host} are up again.`,
  ];
  const ticket = await tickets.insert(db, {
    ...newTicketColumns(now, undefined),
    account_id,
    user_id: operatorId,
    opened_by: author.name,
    gravatar_id: author.gravatar_id,
    summary: summaryOf(label),
    description: paragraphs.join("\n\n"),
    status: "open",
  });
  await note(db, ticket, "ticket_create", now);
  const row = { account_id, ticket_id: ticket.id, host, services: JSON.stringify([id]), created: timestamp(now) };
  await issues.insert(db, row, oldestShown(now));
}

/**
 * Ends the open issues of a host whose services are all up, disabled or deleted, and closes their tickets. The account
 * is locked. A service that leaves the host is not counted any more.
 */
export async function endIssues(
  db: Database,
  { account_id, host }: Pick<ManagedServiceRow, "account_id" | "host">,
  now: Date,
  leaving?: number,
): Promise<void> {
  for (const issue of await issues.listOpen(db, account_id, host)) {
    const affected = servicesOf(issue).filter((id) => id !== leaving);
    if (await services.hasTrouble(db, account_id, host, affected)) continue;
    await issues.update(db, issue.id, { ended: timestamp(now) });
    const ticket = await tickets.find(db, account_id, issue.ticket_id);
    if (ticket === undefined || ticket.status === "closed") continue;
    await reply(db, ticket, `All services of ${host} in this issue are up again, disabled or deleted.`, now);
    await tickets.update(db, ticket.id, closeBy(author.name, now));
  }
}

async function reply(db: Database, ticket: TicketRow, description: string, now: Date): Promise<void> {
  const { name, gravatar_id } = author;
  const row = { ticket_id: ticket.id, created_by: name, from_operator: 1, gravatar_id, description };
  await replies.insert(db, { ...row, created: timestamp(now) });
  await tickets.update(db, ticket.id, changeBy(name, now));
  await note(db, ticket, "ticket_update", now);
}

function note(db: Database, ticket: TicketRow, action: "ticket_create" | "ticket_update", now: Date): Promise<number> {
  const caller = { userId: operatorId, accountId: ticket.account_id, username: "" };
  return addEvent(db, { caller, now }, action, { entity: ticketEntity(ticket) });
}

function describe({ id, label, address }: ManagedServiceRow): string {
  return `The service "${label}" (id ${id}) at ${address}`;
}

/** Limit on the characters of a summary (first document, Support tickets). */
const longestSummary = 64;

function summaryOf(label: string): string {
  const end = " is down";
  const room = longestSummary - end.length;
  return (label.length <= room ? label : `${label.slice(0, room - 1)}…`) + end;
}

/** The contacts whom the operator should notify. */
async function contactLines(db: Database, service: ManagedServiceRow): Promise<string[]> {
  const { account_id, consultation_group } = service;
  if (consultation_group === "") return [];
  const group = await contacts.listGroup(db, account_id, consultation_group);
  const people = group.map(({ name, email, phone_primary, phone_secondary }) =>
    [`${name} <${email}>`, phone_primary, phone_secondary].filter((part) => part !== null).join(", "),
  );
  return people.length === 0 ? [] : [`Contacts of the group "${consultation_group}":\n${people.join("\n")}`];
}
