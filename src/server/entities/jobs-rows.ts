import type { Insertable } from "kysely";
import { removeRows } from "../store/rows.ts";
import type { Database, JobRow, Tables } from "../store/tables.ts";
import { findLockedAccount, makeAccountDue } from "./accounts-rows.ts";

/** Adds a job, and makes its account due at its end. */
export async function insertJobRow(db: Database, row: Insertable<Tables["jobs"]>): Promise<void> {
  await db.insertInto("jobs").values(row).execute();
  await makeAccountDue(db, row.account_id, row.ends);
}

/** Moves the end of a job; with a failure, it will have failed then. */
export async function rescheduleJob(
  db: Database,
  { id, account_id }: JobRow,
  ends: string,
  failure?: { readonly message: string },
): Promise<void> {
  await db
    .updateTable("jobs")
    .set({ ends, failure: failure?.message ?? null })
    .where("id", "=", id)
    .execute();
  await makeAccountDue(db, account_id, ends);
}

/** Locks the account if it is due at this moment; false if another server has settled it meanwhile. */
export async function lockDueAccount(db: Database, id: number, now: string): Promise<boolean> {
  const row = await findLockedAccount(db, "id", id);
  return row !== undefined && row.due !== null && row.due <= now;
}

/** Deletes the job of the account, or of one of its nodes, that ended first, and returns it. */
export async function takeFirstEndedJob(
  db: Database,
  { accountId, nodeId }: { readonly accountId: number; readonly nodeId?: number },
  now: string,
): Promise<JobRow | undefined> {
  const ended = db.selectFrom("jobs").selectAll().where("account_id", "=", accountId).where("ends", "<=", now);
  const job = await ended
    .$if(nodeId !== undefined, (jobs) => jobs.where("entity_type", "=", "node").where("entity_id", "=", nodeId ?? 0))
    .orderBy("ends")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  if (job !== undefined) await removeRows(db, "jobs", { id: job.id });
  return job;
}

/** The kinds of unfinished jobs of these entities, by the id of the entity. */
export async function jobKindsOf(
  db: Database,
  entity_type: string,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("jobs")
    .select(["entity_id", "kind"])
    .where("entity_type", "=", entity_type)
    .where("entity_id", "in", ids)
    .execute();
  return new Map(rows.map(({ entity_id, kind }) => [entity_id, kind]));
}

/** When the account's earliest job ends; null without one. */
export async function firstJobEnd(db: Database, account_id: number): Promise<string | null> {
  const next = await db
    .selectFrom("jobs")
    .select("ends")
    .where("account_id", "=", account_id)
    .orderBy("ends")
    .limit(1)
    .executeTakeFirst();
  return next?.ends ?? null;
}

/** The account's jobs of a kind that end after this moment. */
export function listJobsOfKind(db: Database, account_id: number, kind: string, now: string): Promise<JobRow[]> {
  return db
    .selectFrom("jobs")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("ends", ">", now)
    .where("kind", "=", kind)
    .execute();
}
