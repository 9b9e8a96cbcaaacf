import type { Notification } from "../../../contract/resources/notification.ts";
import type { Catalog } from "../../catalog/schema.ts";
import { hasAccountAccess, readAccount } from "../../entities/account.ts";
import type { Context, Handler } from "../../entities/context.ts";
import { accountEntity, regionEntity, ticketEntity } from "../../entities/entities.ts";
import { pageList } from "../../kit/list-of.ts";
import { timestamp } from "../../kit/timestamp.ts";
import type { AccountRow, Database } from "../../store/tables.ts";
import { readBalance } from "../billing/balance.ts";
import { maintenanceReplies, visibleMaintenance } from "../nodes/jobs/maintenance.ts";
import { listPendingMaintenance } from "../nodes/rows/maintenance.ts";
import { visibleTickets } from "../support/rows/subjects.ts";
import { listImportantTickets } from "../support/rows/tickets.ts";
import { listNoticesFor } from "./notices-rows.ts";

/** Notifications are computed from the state and never stored (decisions/account#notifications). */
export const listNotifications: Handler<"listNotifications"> = ({ query, filter }, context) =>
  context.store.read(async (db) => {
    const account = await readAccount(db, context.caller);
    const all = [
      ...(await paymentsDue(db, account, context)),
      ...(await importantTickets(db, context)),
      ...(await listScheduledMaintenance(db, context)),
      ...outages(context.catalog),
      ...(await operatorNotices(db, account, context)),
    ];
    return pageList(all, { filter, ...query });
  });

const timeless = { body: null, when: null, until: null } as const;

async function paymentsDue(db: Database, account: AccountRow, { caller }: Context): Promise<Notification[]> {
  if (!hasAccountAccess(caller, "account:read_only")) return [];
  const balance = await readBalance(db, account);
  if (balance <= 0) return [];
  const message = `The account has a balance of $${balance.toFixed(2)}. Set a credit card to pay it.`;
  const entity = accountEntity(account);
  return [{ ...timeless, label: "Payment due", message, type: "payment_due", severity: "critical", entity }];
}

/** Tickets of the operator that await a reply. */
async function importantTickets(db: Database, { caller }: Context): Promise<Notification[]> {
  const rows = await listImportantTickets(db, visibleTickets(caller));
  return rows.map((ticket) => ({
    ...timeless,
    label: "Important ticket",
    message: `Ticket ${ticket.id} awaits your reply: ${ticket.summary}`,
    type: "ticket_important",
    severity: "major",
    entity: ticketEntity(ticket),
  }));
}

/** The maintenance of nodes that has not begun. */
async function listScheduledMaintenance(db: Database, context: Context): Promise<Notification[]> {
  const rows = await listPendingMaintenance(db, visibleMaintenance(context));
  return (await maintenanceReplies(db, rows, context)).map(({ type, reason, when, entity }) => ({
    ...timeless,
    ...(type === "reboot"
      ? { label: "Reboot scheduled", message: `${entity.label} will be rebooted: ${reason}`, type: "reboot_scheduled" }
      : {
          label: "Migration scheduled",
          message: `${entity.label} will migrate to another host: ${reason}`,
          type: "migration_scheduled",
        }),
    severity: "major",
    when,
    entity,
  }));
}

function outages({ regions }: Catalog): Notification[] {
  return regions
    .filter(({ status }) => status === "outage")
    .map((region) => {
      const message = `The region ${region.id} (${region.label}) has an outage.`;
      const entity = regionEntity(region);
      return { ...timeless, label: "Outage", message, type: "outage", severity: "major", entity };
    });
}

async function operatorNotices(db: Database, account: AccountRow, { now }: Context): Promise<Notification[]> {
  const entity = accountEntity(account);
  const rows = await listNoticesFor(db, account.id, timestamp(now));
  return rows.map(({ label, message, until }) => ({
    ...timeless,
    label,
    message,
    type: "notice",
    severity: "minor",
    until,
    entity,
  }));
}
