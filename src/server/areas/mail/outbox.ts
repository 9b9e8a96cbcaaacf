import { randomBytes } from "node:crypto";
import { timestamp } from "../../kit/timestamp.ts";
import { hasRow } from "../../store/rows.ts";
import type { AccountRow, Database } from "../../store/tables.ts";
import { countMailSince, insertMailRow } from "./mail-rows.ts";

const hour = 60 * 60 * 1000;
/** Milliseconds after which a message is not delivered any more, and is deleted. */
const retention = 24 * hour;
/** Limit on the messages of an account in an hour: their recipients are not asked, and their causes can be made. */
const mostInHour = 200;

/** A message to one person. */
export interface MailMessage {
  readonly name: string;
  readonly email: string;
  readonly subject: string;
  /** Lines, separated by `\n`. */
  readonly text: string;
  /** The cause, of which each account gets one message only; absent for a cause that cannot occur again. */
  readonly about?: string;
}

/**
 * Queues a message of an account that is locked, in the transaction of its cause. After the commit, a server with
 * `--mail` writes it. Messages beyond the limit are dropped.
 */
export async function queueMail(
  db: Database,
  { id: account_id }: Pick<AccountRow, "id">,
  { name, email, subject, text, about }: MailMessage,
  now: Date,
): Promise<void> {
  const before = (milliseconds: number) => timestamp(new Date(now.getTime() - milliseconds));
  if (about !== undefined && (await hasRow(db, "mail", { account_id, about }))) return;
  const earlier = await countMailSince(db, account_id, before(hour));
  if (earlier >= mostInHour) return;
  const isLast = earlier === mostInHour - 1;
  const warning = `This is message ${mostInHour} of this account in an hour; further ones are dropped. See its tickets.`;
  const created = timestamp(now);
  const row = {
    account_id,
    token: randomBytes(16).toString("hex"),
    recipient: name,
    email,
    subject,
    text: isLast ? `${text}\n\n${warning}` : text,
    about: about ?? null,
    created,
    next: created,
  };
  await insertMailRow(db, row, before(retention));
}

/** Timestamp of the oldest message that is still delivered. */
export function oldestDelivered(now: Date): string {
  return timestamp(new Date(now.getTime() - retention));
}
