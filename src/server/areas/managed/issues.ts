import { escapeControl } from "../../../diagnostics/escape.ts";
import { ticketEntity } from "../../entities/entities.ts";
import { addEvent, oldestShown } from "../../entities/events.ts";
import { operatorId, operatorName } from "../../entities/operator-rows.ts";
import { timestamp } from "../../kit/timestamp.ts";
import type { Database, ManagedContactRow, ManagedIssueRow, ManagedServiceRow, TicketRow } from "../../store/tables.ts";
import { queueMail } from "../mail/outbox.ts";
import { changeBy, closeBy, gravatarId, newTicketColumns } from "../support/rows/subjects.ts";
import { insertTicketReplyRow } from "../support/rows/ticket-replies.ts";
import { findTicketRow, insertTicketRow, updateTicketRow } from "../support/rows/tickets.ts";
import { listContactsOfGroup } from "./contacts-rows.ts";
import * as issues from "./issues-rows.ts";
import { hasServiceTrouble, listServiceRowsById } from "./services-rows.ts";

/** The author of tickets and replies. */
const author = { name: operatorName, gravatar_id: gravatarId("") };

/** The ids of the services that an issue affects, also of those that were deleted since. */
export function servicesOf({ services }: ManagedIssueRow): number[] {
  return JSON.parse(services);
}

/** Limit on the issues, and so the tickets, that begin in an account in an hour. */
const mostInHour = 30;

/** The moment after which issues count as recent: an hour before. */
function recentFrom(now: Date): string {
  return timestamp(new Date(now.getTime() - 60 * 60 * 1000));
}

/** Whether an open issue affects a service. */
export async function isReported(db: Database, { account_id, host, id }: ManagedServiceRow): Promise<boolean> {
  return (await issues.listOpenIssues(db, account_id, host)).some((issue) => servicesOf(issue).includes(id));
}

/**
 * Reports that a service is down, and why, and mails that to its contacts. The account is locked. An open issue of its
 * host affects it too; one that began within the last hour is opened again, so that a service which goes up and down
 * has one ticket an hour. Otherwise a new issue begins, unless too many have begun in the account.
 */
export async function reportProblem(
  db: Database,
  service: ManagedServiceRow,
  reason: string,
  now: Date,
): Promise<void> {
  const { account_id, host, id } = service;
  const text = `${describe(service)} is down.\n\n${timestamp(now)} UTC: ${reason}.`;
  for (const issue of await issues.listCurrentIssues(db, account_id, host, recentFrom(now))) {
    const ticket = await findTicketRow(db, account_id, issue.ticket_id);
    const isOver = issue.ended !== null;
    if (ticket === undefined || (ticket.status === "closed" && !isOver)) continue;
    const affected = servicesOf(issue);
    const services = affected.includes(id) ? affected : [...affected, id];
    await issues.updateIssueRow(db, issue.id, { services: JSON.stringify(services), ended: null });
    if (isOver) await updateTicketRow(db, ticket.id, { ...changeBy(author.name, now), status: "open", closed: null });
    await reply(db, ticket, text, now);
    return mailContacts(db, [service], { ticket, subject: summaryOf(service.label), text }, now);
  }
  if ((await issues.countIssuesSince(db, account_id, recentFrom(now))) >= mostInHour) return;
  const ticket = await openIssue(db, service, text, now);
  await mailContacts(db, [service], { ticket, subject: ticket.summary, text }, now);
}

async function openIssue(db: Database, service: ManagedServiceRow, text: string, now: Date): Promise<TicketRow> {
  const { account_id, host, id, label } = service;
  const paragraphs = [
    text,
    ...contactLines(service, await contactsOf(db, service)),
    `This ticket is closed when all services of ${host} are up again.`,
  ];
  const ticket = await insertTicketRow(db, {
    ...newTicketColumns(now, undefined),
    account_id,
    user_id: operatorId,
    opened_by: author.name,
    gravatar_id: author.gravatar_id,
    summary: summaryOf(label),
    description: paragraphs.join("\n\n"),
    status: "open",
  });
  await addIssueEvent(db, ticket, "ticket_create", now);
  const row = { account_id, ticket_id: ticket.id, host, services: JSON.stringify([id]), created: timestamp(now) };
  await issues.insertIssueRow(db, row, oldestShown(now));
  return ticket;
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
  for (const issue of await issues.listOpenIssues(db, account_id, host)) {
    const affected = servicesOf(issue).filter((id) => id !== leaving);
    if (await hasServiceTrouble(db, account_id, host, affected)) continue;
    await issues.updateIssueRow(db, issue.id, { ended: timestamp(now) });
    const ticket = await findTicketRow(db, account_id, issue.ticket_id);
    if (ticket === undefined || ticket.status === "closed") continue;
    const text = `All services of ${host} in this issue are up again, disabled or deleted.`;
    await reply(db, ticket, text, now);
    await updateTicketRow(db, ticket.id, closeBy(author.name, now));
    const informed = await listServiceRowsById(db, account_id, servicesOf(issue));
    await mailContacts(db, informed, { ticket, subject: `${host}: issue ended`, text }, now);
  }
}

async function reply(db: Database, ticket: TicketRow, description: string, now: Date): Promise<void> {
  const { name, gravatar_id } = author;
  const row = { ticket_id: ticket.id, created_by: name, from_operator: 1, gravatar_id, description };
  await insertTicketReplyRow(db, { ...row, created: timestamp(now) });
  await updateTicketRow(db, ticket.id, changeBy(name, now));
  await addIssueEvent(db, ticket, "ticket_update", now);
}

function addIssueEvent(
  db: Database,
  ticket: TicketRow,
  action: "ticket_create" | "ticket_update",
  now: Date,
): Promise<number> {
  const caller = { userId: operatorId, accountId: ticket.account_id, username: "" };
  return addEvent(db, { caller, now }, action, { entity: ticketEntity(ticket) });
}

function describe({ id, label, address }: ManagedServiceRow): string {
  return `The service "${label}" (id ${id}) at ${address}`;
}

/** Limit on the characters of a summary (decisions/documents#support-tickets). */
const longestSummary = 64;

function summaryOf(label: string): string {
  const end = " is down";
  const room = longestSummary - end.length;
  return (label.length <= room ? label : `${label.slice(0, room - 1)}…`) + end;
}

async function contactsOf(db: Database, service: ManagedServiceRow): Promise<ManagedContactRow[]> {
  const { account_id, consultation_group } = service;
  return consultation_group === "" ? [] : listContactsOfGroup(db, account_id, consultation_group);
}

/** The contacts whom the operator may call. */
function contactLines({ consultation_group }: ManagedServiceRow, group: readonly ManagedContactRow[]): string[] {
  const people = group.map(({ name, email, phone_primary, phone_secondary }) =>
    escapeControl([`${name} <${email}>`, phone_primary, phone_secondary].filter((part) => part !== null).join(", ")),
  );
  return people.length === 0
    ? []
    : [`Contacts of the group "${escapeControl(consultation_group)}":\n${people.join("\n")}`];
}

/** News about an issue. */
interface News {
  readonly ticket: TicketRow;
  readonly subject: string;
  readonly text: string;
}

/** Mails the contacts of these services, each once. */
async function mailContacts(
  db: Database,
  affected: readonly ManagedServiceRow[],
  { ticket: { id, account_id }, subject, text }: News,
  now: Date,
): Promise<void> {
  const known = new Set<string>();
  for (const service of affected) {
    for (const { name, email } of await contactsOf(db, service)) {
      if (known.has(email)) continue;
      known.add(email);
      const group = escapeControl(service.consultation_group);
      const reason = `You receive this message as a contact of the group "${group}". Replies to it are not read.`;
      const message = { name, email, subject: `[ticket ${id}] ${subject}`, text: `${text}\n\n${reason}` };
      await queueMail(db, { id: account_id }, message, now);
    }
  }
}
