import type { ManagedIssue } from "../../../contract/resources/managed-issue.ts";
import type { Handler } from "../../entities/context.ts";
import { oldestShown } from "../../entities/events.ts";
import { type ResourceContext, resource } from "../../entities/resource.ts";
import type { AccountRow, Database, ManagedIssueRow } from "../../store/tables.ts";
import { summariesOfTickets } from "../support/rows/tickets.ts";
import { findManagedAccount } from "./find.ts";
import { servicesOf } from "./issues.ts";
import { findIssueRow, listIssueRows, type ShownIssues } from "./issues-rows.ts";

const resourceOfIssues = resource({
  parent: findManagedAccount,
  rows: {
    list: (scope, wanted) => listIssueRows(scope.db, visibleIssuesOf(scope), wanted),
    find: (scope, { issueId }: { issueId: number }) => findIssueRow(scope.db, visibleIssuesOf(scope), issueId),
  },
  replies: (rows, { db }) => issueReplies(db, rows),
});

export const listManagedIssues: Handler<"listManagedIssues"> = resourceOfIssues.list;
export const getManagedIssue: Handler<"getManagedIssue"> = resourceOfIssues.get;

/** Issues stay as long as events after their end. */
function visibleIssuesOf({ context, parent }: ResourceContext<AccountRow>): ShownIssues {
  return { account_id: parent.id, since: oldestShown(context.now) };
}

/** Stored issues as replies show them (decisions/account#managed-monitoring, decisions/service#order-of-keys). */
async function issueReplies(db: Database, rows: readonly ManagedIssueRow[]): Promise<ManagedIssue[]> {
  const summaries = await summariesOfTickets(
    db,
    rows.map(({ ticket_id }) => ticket_id),
  );
  return rows.map((row) => ({
    id: row.id,
    created: row.created,
    services: servicesOf(row),
    entity: {
      id: row.ticket_id,
      type: "ticket",
      label: summaries.get(row.ticket_id) ?? "",
      url: `/support/tickets/${row.ticket_id}`,
    },
  }));
}
