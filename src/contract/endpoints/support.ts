import * as z from "zod";
import type { Endpoints } from "../endpoint.ts";
import { pageOf, pageQuery100 } from "../page.ts";
import { nothing } from "../resources/nothing.ts";
import {
  newAttachment,
  newTicket,
  newTicketReply,
  ticket,
  ticketColumns,
  ticketFilterable,
  ticketReply,
  ticketReplyFilterable,
} from "../resources/ticket.ts";

const ofTicket = z.object({ ticketId: z.int().min(1).describe("Id of the ticket") });
const read = { scope: "account:read_only", tag: "Support" } as const;
const write = { scope: "account:read_write", tag: "Support" } as const;

/** Support tickets (decisions/documents#support-tickets). */
export const supportEndpoints = {
  listTickets: {
    ...read,
    method: "GET",
    path: "/support/tickets",
    summary: "List tickets, open ones first, then newest first",
    query: pageQuery100,
    filterable: ticketFilterable,
    columns: ticketColumns,
    reply: pageOf(ticket),
  },
  createTicket: {
    ...write,
    method: "POST",
    path: "/support/tickets",
    summary: "Open a ticket",
    body: newTicket,
    limit: "tickets",
    reply: ticket,
  },
  getTicket: {
    ...read,
    method: "GET",
    path: "/support/tickets/{ticketId}",
    summary: "View a ticket",
    params: ofTicket,
    reply: ticket,
  },
  createTicketAttachment: {
    ...write,
    method: "POST",
    path: "/support/tickets/{ticketId}/attachments",
    summary: "Attach a file to a ticket",
    params: ofTicket,
    media: "multipart/form-data",
    body: newAttachment,
    reply: nothing,
    done: "file attached to ticket {ticketId}",
  },
  closeTicket: {
    ...write,
    method: "POST",
    path: "/support/tickets/{ticketId}/close",
    summary: "Close a ticket",
    destructive: "You cannot reopen it or reply to it",
    params: ofTicket,
    reply: nothing,
    done: "ticket {ticketId} closed",
  },
  listTicketReplies: {
    ...read,
    method: "GET",
    path: "/support/tickets/{ticketId}/replies",
    summary: "List the replies to a ticket, oldest first",
    params: ofTicket,
    query: pageQuery100,
    filterable: ticketReplyFilterable,
    reply: pageOf(ticketReply),
  },
  createTicketReply: {
    ...write,
    method: "POST",
    path: "/support/tickets/{ticketId}/replies",
    summary: "Reply to a ticket",
    params: ofTicket,
    body: newTicketReply,
    reply: ticketReply,
  },
} as const satisfies Endpoints;
