import { parseTimestamp, timestamp } from "../../kit/timestamp.ts";
import type { Store } from "../../store/store.ts";
import { leaseMail, listDueMail, type MailRow, markMailDelivered } from "./mail-rows.ts";
import type { Maildir } from "./maildir.ts";
import { composeMessage } from "./message.ts";
import { oldestDelivered } from "./outbox.ts";

export interface DeliveryOptions {
  readonly store: Store;
  readonly clock: () => Date;
  readonly maildir: Maildir;
  /** The address that messages come from. */
  readonly sender: string;
}

/** Limit on the messages that are leased together. */
const mostLeased = 100;
/** Seconds for which messages are leased, and after which a failed one is tried again. */
const lease = 60;
/** No message waits longer to be tried again, in seconds, also if the clock was set back. Longer than any lease. */
const longestWait = 600;

/**
 * Writes the messages that are due. Several servers on one database share them: each message is leased, written and
 * then noted as delivered, so at least once. It is written again only if a server ended or stood still between the
 * writing and the note; it then has the same name, octets and Message-ID.
 * @throws {ProblemError} `mail-folder`; the rest is tried again after the lease
 */
export async function deliverMail({ store, clock, maildir, sender }: DeliveryOptions): Promise<void> {
  for (;;) {
    const leased = await leaseDue(store, clock());
    if (leased.messages.length === 0) return;
    const delivered: number[] = [];
    try {
      for (const message of leased.messages) {
        if (timestamp(clock()) >= leased.until) break; // another server may have them now
        await maildir.add(nameOf(message), compose(message, sender));
        delivered.push(message.id);
      }
    } finally {
      await store.write((db) => markMailDelivered(db, delivered, leased.until));
    }
  }
}

interface Leased {
  readonly messages: readonly MailRow[];
  /** The end of the lease. */
  readonly until: string;
}

async function leaseDue(store: Store, now: Date): Promise<Leased> {
  const after = (seconds: number) => timestamp(new Date(now.getTime() + seconds * 1000));
  const until = after(lease);
  const times = { now: after(0), last: after(longestWait), since: oldestDelivered(now) };
  const due = await store.read((db) => listDueMail(db, times, mostLeased));
  if (due.length === 0) return { messages: [], until };
  const messages = await store.write(async (db) => {
    const mine: MailRow[] = [];
    for (const message of due) if (await leaseMail(db, message, until)) mine.push(message);
    return mine;
  });
  return { messages, until };
}

/** The name of a file: that of any server, so that a message which is written twice is one file. */
function nameOf({ created, token }: MailRow): string {
  return `${parseTimestamp(created).getTime() / 1000}.${token}.zonewright`;
}

function compose({ recipient, email, subject, text, created, token }: MailRow, sender: string): string {
  const [from, to] = [
    { name: "zonewright", email: sender },
    { name: recipient, email },
  ];
  return composeMessage({ from, to, subject, text, date: parseTimestamp(created), token });
}
