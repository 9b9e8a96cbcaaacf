import type { Insertable, Selectable } from "kysely";
import type { Database, Tables } from "../../store/tables.ts";

export type MailRow = Selectable<Tables["mail"]>;

/** Adds a message, and deletes those of the account that are older than `since`. */
export async function insertMailRow(db: Database, row: Insertable<Tables["mail"]>, since: string): Promise<void> {
  const { account_id } = row;
  await db.deleteFrom("mail").where("account_id", "=", account_id).where("created", "<", since).execute();
  await db.insertInto("mail").values(row).execute();
}

/** The number of messages of an account since a moment. */
export async function countMailSince(db: Database, account_id: number, since: string): Promise<number> {
  const { messages } = await db
    .selectFrom("mail")
    .select(({ fn }) => fn.countAll<number>().as("messages"))
    .where("account_id", "=", account_id)
    .where("created", ">=", since)
    .executeTakeFirstOrThrow();
  return Number(messages);
}

/** The moments that decide which messages are due. */
export interface MailTimes {
  readonly now: string;
  /** The latest moment at which a message can be due: only a clock that ran fast sets a later one. */
  readonly last: string;
  /** Older messages are not delivered any more. */
  readonly since: string;
}

/** At most `most` messages that are not delivered yet, the oldest first. */
export function listDueMail(db: Database, { now, last, since }: MailTimes, most: number): Promise<MailRow[]> {
  return db
    .selectFrom("mail")
    .selectAll()
    .where((eb) => eb.or([eb("next", "<=", now), eb("next", ">", last)]))
    .where("created", ">=", since)
    .orderBy("id")
    .limit(most)
    .execute();
}

/** Leases a message that is due since `next`; false if another server did. */
export async function leaseMail(db: Database, { id, next }: MailRow, until: string): Promise<boolean> {
  const row = await db
    .updateTable("mail")
    .set({ next: until })
    .where("id", "=", id)
    .where("next", "=", next)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Notes that messages, whose lease ends at `until`, were delivered. */
export async function markMailDelivered(db: Database, ids: readonly number[], until: string): Promise<void> {
  if (ids.length === 0) return;
  await db.updateTable("mail").set({ next: null }).where("id", "in", ids).where("next", "=", until).execute();
}
