import type { Endpoints } from "../endpoint.ts";
import { pageOf, pageQuery } from "../page.ts";
import { account, accountUpdate, cancellation, cancelled, creditCard } from "../resources/account.ts";
import { maintenance, maintenanceColumns, maintenanceFilterable } from "../resources/maintenance.ts";
import { nothing } from "../resources/nothing.ts";
import { notification, notificationColumns } from "../resources/notification.ts";

const write = { method: "POST", tag: "Account", scope: "account:read_write" } as const;

/**
 * The account, its maintenance and notifications (decisions/documents#account,
 * decisions/documents#maintenance-and-notifications).
 */
export const accountEndpoints = {
  getAccount: {
    method: "GET",
    path: "/account",
    summary: "View the account",
    tag: "Account",
    scope: "account:read_only",
    reply: account,
  },
  updateAccount: {
    ...write,
    method: "PUT",
    path: "/account",
    summary: "Update the contact and billing data of the account",
    who: "account",
    body: accountUpdate,
    reply: account,
  },
  cancelAccount: {
    ...write,
    path: "/account/cancel",
    summary: "Cancel the account",
    destructive:
      "Its nodes, volumes and firewalls are deleted, its tokens become invalid, its domains are no longer served, and you cannot reopen it yourself",
    conflict: "the account owes an amount that its credit card cannot pay",
    who: "unrestricted",
    body: cancellation,
    reply: cancelled,
    done: "account cancelled: its tokens are invalid, and only the operator of the service can reopen it",
  },
  setCreditCard: {
    ...write,
    path: "/account/credit-card",
    summary: "Set the credit card of the account",
    who: "account",
    deprecated: true,
    body: creditCard,
    reply: nothing,
    done: "credit card of the account set",
  },
  listMaintenance: {
    method: "GET",
    path: "/account/maintenance",
    summary: "List the maintenance of nodes that is planned or under way",
    tag: "Maintenance",
    scope: "maintenance:read_only",
    query: pageQuery,
    filterable: maintenanceFilterable,
    columns: maintenanceColumns,
    reply: pageOf(maintenance),
  },
  listNotifications: {
    method: "GET",
    path: "/account/notifications",
    summary: "List notifications, most severe first",
    tag: "Notifications",
    scope: "account:read_only",
    query: pageQuery,
    columns: notificationColumns,
    reply: pageOf(notification),
  },
} as const satisfies Endpoints;
