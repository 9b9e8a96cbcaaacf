import type * as z from "zod";
import { type ApiErrorEntry, reasons } from "../../../../contract/errors.ts";
import {
  idAttributes,
  type newTicket,
  type newTicketReply,
  type Ticket,
  type TicketReply,
} from "../../../../contract/resources/ticket.ts";
import { readAccount } from "../../../entities/account.ts";
import type { Context, Handler } from "../../../entities/context.ts";
import {
  domainEntity,
  hasGrant,
  nodeEntity,
  ticketEntity,
  vlanEntity,
  volumeEntity,
} from "../../../entities/entities.ts";
import { fileNamesOf } from "../../../entities/files.ts";
import { resource } from "../../../entities/resource.ts";
import { errorEntry, refuseIfAny } from "../../../kit/api-error.ts";
import { timestamp } from "../../../kit/timestamp.ts";
import { findRow } from "../../../store/rows.ts";
import type { Database, TicketReplyRow, TicketRow } from "../../../store/tables.ts";
import { findDomainRow } from "../../domains/domains-rows.ts";
import { hasVlanInConfigs } from "../../nodes/rows/node-configs.ts";
import { findNodeRow } from "../../nodes/rows/nodes.ts";

import { readUserEmail } from "../../users/users-rows.ts";
import {
  changeBy,
  findTicket,
  gravatarId,
  isClosable,
  newTicketColumns,
  requireUnclosed,
  type TicketSubject,
  visibleTickets,
} from "../rows/subjects.ts";
import { insertTicketReplyRow, listTicketReplyRows } from "../rows/ticket-replies.ts";
import { insertTicketRow, listTicketRows, updateTicketRow } from "../rows/tickets.ts";

const resourceOfTickets = resource({
  parent: async (_, __: object, { caller }) => caller,
  rows: {
    list: ({ db, parent }, wanted) => listTicketRows(db, visibleTickets(parent), wanted),
    find: ({ db, context }, { ticketId }: { ticketId: number }, needed) => findTicket(db, ticketId, context, needed),
    insert: insertTicketRow,
  },
  replies: (rows, { db }) => ticketReplies(rows, db),
  details: (row) => ({ entity: ticketEntity(row) }),
});

export const listTickets: Handler<"listTickets"> = resourceOfTickets.list;
export const getTicket: Handler<"getTicket"> = resourceOfTickets.get;

export const createTicket: Handler<"createTicket"> = resourceOfTickets.create({
  event: "ticket_create",
  async columns(body: z.output<typeof newTicket>, { db, context }) {
    // Before the subjects: accounts are locked before their nodes.
    const isManaged = body.managed_issue === true && (await readAccount(db, context.caller)).managed !== 0;
    const subjects = await findSubjects(db, body, context);
    refuseIfAny(subjectErrors(body, subjects, isManaged));
    const { caller, now } = context;
    return {
      ...newTicketColumns(now, Object.values(subjects)[0]),
      account_id: caller.accountId,
      user_id: caller.userId,
      opened_by: caller.username,
      gravatar_id: gravatarId(await readUserEmail(db, context.caller.userId)),
      summary: body.summary,
      description: body.description,
      status: "new" as const,
    };
  },
});

const resourceOfReplies = resource({
  parent: resourceOfTickets.find,
  rows: {
    list: ({ db, parent }, wanted) => listTicketReplyRows(db, parent.id, wanted),
    insert: insertTicketReplyRow,
  },
  replies: (rows) => rows.map(replyOf),
  details: (_, ticket) => ({ entity: ticketEntity(ticket) }),
});

export const listTicketReplies: Handler<"listTicketReplies"> = resourceOfReplies.list;

export const createTicketReply: Handler<"createTicketReply"> = resourceOfReplies.create({
  event: "ticket_update",
  async columns({ description }: z.output<typeof newTicketReply>, { db, context, parent: ticket }) {
    requireUnclosed(ticket);
    return {
      ticket_id: ticket.id,
      created_by: context.caller.username,
      from_operator: 0,
      gravatar_id: gravatarId(await readUserEmail(db, context.caller.userId)),
      description,
      created: timestamp(context.now),
    };
  },
  complete: (_, __, { db, context, parent }) =>
    updateTicketRow(db, parent.id, changeBy(context.caller.username, context.now)),
});

/** The subjects of a new ticket by the attributes that name them: those that exist and that the caller can see. */
type Subjects = { readonly [Attribute in (typeof idAttributes)[number] | "vlan"]?: TicketSubject };

async function findSubjects(
  db: Database,
  { domain_id, node_id, volume_id, vlan, region }: z.output<typeof newTicket>,
  context: Context,
): Promise<Subjects> {
  const { accountId, isRestricted, userId } = context.caller;
  const domain = domain_id == null ? undefined : await findDomainRow(db, accountId, domain_id);
  const node = node_id == null ? undefined : await findNodeRow(db, accountId, node_id);
  const volume = volume_id == null ? undefined : await findRow(db, "volumes", { id: volume_id, account_id: accountId });
  const ifSeen = async (subject: Extract<TicketSubject, { id: number }> | undefined) => {
    if (subject === undefined) return undefined;
    const { type: entity_type, id: entity_id } = subject;
    return (await hasGrant(db, context, { entity_type, entity_id }, "read_only")) ? subject : undefined;
  };
  const ofDomain = await ifSeen(domain && domainEntity(domain));
  const ofNode = await ifSeen(node && nodeEntity(node));
  const ofVolume = await ifSeen(volume && volumeEntity(volume));
  const owner = { account_id: accountId, grantee: isRestricted ? userId : undefined };
  const ofVlan = vlan != null && region != null && (await hasVlanInConfigs(db, owner, { label: vlan, region }));
  return {
    ...(ofDomain && { domain_id: ofDomain }),
    ...(ofNode && { node_id: ofNode }),
    ...(ofVolume && { volume_id: ofVolume }),
    ...(ofVlan && { vlan: vlanEntity({ label: vlan, region }) }),
  };
}

/** Errors for subjects that do not exist, or that this service does not have. */
function subjectErrors(body: z.output<typeof newTicket>, subjects: Subjects, isManaged: boolean): ApiErrorEntry[] {
  const unknown = [...idAttributes, "vlan" as const].filter(
    (attribute) => body[attribute] != null && subjects[attribute] === undefined,
  );
  return [
    ...unknown.map((attribute) => errorEntry(attribute, `${attribute} is not valid`)),
    ...(body.managed_issue && !isManaged ? [errorEntry("managed_issue", reasons.managedDisabled)] : []),
  ];
}

/** Stored tickets as replies show them. */
async function ticketReplies(rows: readonly TicketRow[], db: Database): Promise<Ticket[]> {
  const attachments = await fileNamesOf(
    db,
    "ticket",
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    attachments: attachments.get(row.id) ?? [],
    closed: row.closed,
    closable: isClosable(row),
    description: row.description,
    entity: entityOf(row),
    gravatar_id: row.gravatar_id,
    opened: row.opened,
    opened_by: row.opened_by,
    status: row.status,
    summary: row.summary,
    updated: row.updated,
    updated_by: row.updated_by,
  }));
}

function entityOf({ entity_type: type, entity_id: id, entity_label: label, entity_url: url }: TicketRow) {
  if (type === null || label === null || url === null) return null;
  return { label, ...(id !== null && { id }), type, url };
}

/** A stored reply as a reply of the API shows it. */
function replyOf(row: TicketReplyRow): TicketReply {
  return {
    id: row.id,
    created: row.created,
    created_by: row.created_by,
    description: row.description,
    from_operator: row.from_operator === 1,
    gravatar_id: row.gravatar_id,
  };
}
