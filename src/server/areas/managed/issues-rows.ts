import { expressionBuilder } from "kysely";
import { type Attributes, jsonList, number, textAttribute } from "../../store/filter.ts";
import { type Rows, type Slice, slice } from "../../store/page.ts";
import type { Database, ManagedIssueRow, NewManagedIssueRow, Tables } from "../../store/tables.ts";

/** The account's issues that are open or ended after `since`. */
export interface ShownIssues {
  readonly account_id: number;
  readonly since: string;
}

export function listIssueRows(db: Database, shown: ShownIssues, wanted: Slice): Promise<Rows<ManagedIssueRow>> {
  const rows = db.selectFrom("managed_issues").where(isShown(shown));
  return slice(db, { rows, nanoseconds: 200 }, attributes, { ...wanted, newestFirst: true });
}

export function findIssueRow(db: Database, shown: ShownIssues, id: number): Promise<ManagedIssueRow | undefined> {
  return db.selectFrom("managed_issues").selectAll().where("id", "=", id).where(isShown(shown)).executeTakeFirst();
}

/** The open issues of a host, the oldest first. */
export function listOpenIssues(db: Database, account_id: number, host: string): Promise<ManagedIssueRow[]> {
  return db
    .selectFrom("managed_issues")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("host", "=", host)
    .where("ended", "is", null)
    .orderBy("id")
    .execute();
}

/** The open issues of a host, the oldest first, and then those that began since a moment, the newest first. */
export async function listCurrentIssues(
  db: Database,
  account_id: number,
  host: string,
  since: string,
): Promise<ManagedIssueRow[]> {
  const ended = await db
    .selectFrom("managed_issues")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("host", "=", host)
    .where("ended", "is not", null)
    .where("created", ">", since)
    .orderBy("id", "desc")
    .execute();
  return [...(await listOpenIssues(db, account_id, host)), ...ended];
}

/** The number of an account's issues that began since a moment. */
export async function countIssuesSince(db: Database, account_id: number, since: string): Promise<number> {
  const { issues } = await db
    .selectFrom("managed_issues")
    .select(({ fn }) => fn.countAll<number>().as("issues"))
    .where("account_id", "=", account_id)
    .where("created", ">", since)
    .executeTakeFirstOrThrow();
  return Number(issues);
}

/** Adds an issue, and deletes those of the account that ended before `since`. */
export async function insertIssueRow(db: Database, row: NewManagedIssueRow, since: string): Promise<ManagedIssueRow> {
  const { account_id } = row;
  await db.deleteFrom("managed_issues").where("account_id", "=", account_id).where("ended", "<", since).execute();
  return db.insertInto("managed_issues").values(row).returningAll().executeTakeFirstOrThrow();
}

export async function updateIssueRow(
  db: Database,
  id: number,
  changes: Partial<Pick<ManagedIssueRow, "services" | "ended">>,
): Promise<void> {
  await db.updateTable("managed_issues").set(changes).where("id", "=", id).execute();
}

const eb = expressionBuilder<Tables, "managed_issues">();

function isShown({ account_id, since }: ShownIssues) {
  return eb.and([
    eb("managed_issues.account_id", "=", account_id),
    eb.or([eb("managed_issues.ended", "is", null), eb("managed_issues.ended", ">=", since)]),
  ]);
}

const attributes: Attributes = {
  id: number(eb.ref("managed_issues.id")),
  created: textAttribute(eb.ref("managed_issues.created")),
  services: jsonList(eb.ref("managed_issues.services")),
};
