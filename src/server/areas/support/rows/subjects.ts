import { createHash } from "node:crypto";
import { reasons } from "../../../../contract/errors.ts";
import type { Entity } from "../../../../contract/resources/event.ts";
import type { Caller, Context } from "../../../entities/context.ts";
import { requireGrant } from "../../../entities/entities.ts";
import { operatorId } from "../../../entities/operator-rows.ts";
import { badRequest, notFound, unauthorized } from "../../../kit/api-error.ts";
import { timestamp } from "../../../kit/timestamp.ts";
import type { Database, GrantedType, Permissions, TicketRow } from "../../../store/tables.ts";
import { findTicketRow, type VisibleTickets } from "./tickets.ts";

/** The tickets that the caller may see. */
export function visibleTickets({ accountId, isRestricted, userId }: Caller): VisibleTickets {
  return { account_id: accountId, grantee: isRestricted ? userId : undefined };
}

/**
 * The caller's ticket of this id, locked in a write.
 * @throws {ApiError} 404 if it does not exist or belongs to another account; 403 for a restricted user who neither
 * opened it nor has a grant of at least `needed` on its subject.
 */
export async function findTicket(db: Database, id: number, context: Context, needed: Permissions): Promise<TicketRow> {
  const { accountId, isRestricted, userId } = context.caller;
  const ticket = await findTicketRow(db, accountId, id);
  if (ticket === undefined) throw notFound();
  if (!isRestricted || ticket.user_id === userId) return ticket;
  const { entity_type, entity_id } = ticket;
  if (entity_type === null || entity_type === "vlan" || entity_id === null) throw unauthorized();
  await requireGrant(db, context, { entity_type, entity_id }, needed);
  return ticket;
}

/** @throws {ApiError} 400 for a closed ticket, which takes no more replies and files. */
export function requireUnclosed({ status }: TicketRow): void {
  if (status === "closed") throw badRequest(reasons.ticketClosed);
}

/** Whether users can close the ticket: not one that the operator opened (decisions/account#tickets). */
export function isClosable({ status, user_id }: TicketRow): boolean {
  return status !== "closed" && user_id !== operatorId;
}

/** The entity that a ticket is about. */
export type TicketSubject = Entity &
  ({ readonly type: GrantedType; readonly id: number } | { readonly type: "vlan"; readonly id?: never });

/** Columns of a ticket that is opened at this moment, about an entity or without a subject. */
export function newTicketColumns(now: Date, subject: TicketSubject | undefined) {
  const moments = { opened: timestamp(now), updated: timestamp(now) };
  if (subject === undefined) return moments;
  const { type, id, label, url } = subject;
  return { ...moments, entity_type: type, entity_id: id ?? null, entity_label: label, entity_url: url };
}

/** Columns of a change by this user at this moment. */
export function changeBy(updated_by: string, now: Date): { updated: string; updated_by: string } {
  return { updated: timestamp(now), updated_by };
}

/** Columns of closing a ticket. */
export function closeBy(username: string, now: Date) {
  return { ...changeBy(username, now), status: "closed", closed: timestamp(now) } as const;
}

/** The id of an e-mail address at Gravatar: its MD5. */
export function gravatarId(email: string): string {
  return createHash("md5").update(email.trim().toLowerCase()).digest("hex");
}
