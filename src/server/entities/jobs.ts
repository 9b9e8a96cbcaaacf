import type { EventAction } from "../../contract/resources/event.ts";
import type { JobFailure, JobKinds } from "../kit/job-kinds.ts";
import { exactTimestamp, parseTimestamp } from "../kit/timestamp.ts";
import { updateRow } from "../store/rows.ts";
import type { Database, JobRow } from "../store/tables.ts";

import type { Actor, Settings } from "./context.ts";
import type { DueWork, Part } from "./due-work.ts";
import { addEvent, type EventDetails, updateEventRow } from "./events.ts";
import { firstJobEnd, insertJobRow, lockDueAccount, rescheduleJob, takeFirstEndedJob } from "./jobs-rows.ts";

/** A job to start. */
export interface NewJob extends Omit<EventDetails, "job"> {
  readonly kind: string;
  readonly action: EventAction;
  /** The entity that the job changes; its event may be about another. */
  readonly of: { readonly type: string; readonly id: number };
  /** Its duration, or until `tellJob` ends it. */
  readonly seconds: number | "until told";
  /** Kept for its end, as JSON. */
  readonly data?: unknown;
}

/** Starts a job with its event, in the transaction of the request; `applyDueWork` ends it. */
export async function startJob(
  db: Database,
  context: { readonly caller: Actor; readonly now: Date },
  { kind, action, of, seconds, data = null, ...details }: NewJob,
): Promise<void> {
  const { caller, now } = context;
  const ends = seconds === "until told" ? never : exactTimestamp(new Date(now.getTime() + seconds * 1000));
  const event_id = await addEvent(db, context, action, { ...details, job: { starts: exactTimestamp(now), ends } });
  const row = {
    account_id: caller.accountId,
    event_id,
    kind,
    entity_type: of.type,
    entity_id: of.id,
    ends,
    data: JSON.stringify(data),
  };
  await insertJobRow(db, row);
}

/** The end of a job that lasts until it is told to end. */
const never = "9999-12-31T23:59:59";

/** Makes a job end at this moment, as failed if there is a message why. */
export async function tellJob(db: Database, job: JobRow, now: Date, failure?: JobFailure): Promise<void> {
  const ends = exactTimestamp(now);
  await rescheduleJob(db, job, ends, failure);
  if (job.event_id !== null) await updateEventRow(db, job.event_id, { ends });
}

/** Limit on the pieces of work that one transaction applies, so that other requests need not wait long. */
const piecesAtOnce = 10;

/**
 * Applies what has become due in an account or in one of its nodes, in the order of its moments; call it in a write
 * transaction. Two servers that find the same job due apply it once, because both lock the account. Returns whether
 * more is due.
 */
export async function applyDueWork(
  db: Database,
  part: Part,
  now: Date,
  { jobKinds, dueWork }: Pick<Settings, "jobKinds" | "dueWork">,
): Promise<boolean> {
  const { accountId } = part;
  const until = exactTimestamp(now);
  for (const work of dueWork) await work.lock?.(db, part, until);
  if (!(await lockDueAccount(db, accountId, until))) return false;
  let count = 0;
  for (; count < piecesAtOnce; count++) {
    // One by one: the end of a job may begin another, which may have ended before the others.
    const work = await findFirst(db, part, dueWork);
    const before = work !== undefined && work.due <= until ? work.due : until;
    const job = await takeFirstEndedJob(db, part, before);
    if (job !== undefined) await endJob(db, job, jobKinds);
    else if (work?.due === before) await work.apply(db, part);
    else break;
  }
  const moments = [await firstJobEnd(db, accountId), (await findFirst(db, { accountId }, dueWork))?.due ?? null];
  const due = moments.filter((moment) => moment !== null).sort()[0] ?? null;
  await updateRow(db, "accounts", accountId, { due });
  return count === piecesAtOnce && due !== null && due <= until;
}

async function endJob(db: Database, job: JobRow, jobKinds: JobKinds): Promise<void> {
  const end = jobKinds[job.kind];
  if (end === undefined) throw new Error(`no end for jobs of kind ${job.kind}`);
  const failure = await end(db, job, parseTimestamp(job.ends));
  if (job.event_id === null) return;
  await updateEventRow(db, job.event_id, failure ? { status: "failed", ...failure } : { status: "finished" });
}

/** Whether any of this work is due. */
export async function isWorkDue(db: Database, part: Part, now: Date, dueWork: readonly DueWork[]): Promise<boolean> {
  const first = await findFirst(db, part, dueWork);
  return first !== undefined && first.due <= exactTimestamp(now);
}

/** The kind of work besides jobs that is due first, if any, and when. */
async function findFirst(
  db: Database,
  part: Part,
  dueWork: readonly DueWork[],
): Promise<(DueWork & { readonly due: string }) | undefined> {
  const waiting: (DueWork & { readonly due: string })[] = [];
  for (const work of dueWork) {
    const due = await work.next(db, part);
    if (due !== null) waiting.push({ ...work, due: exactTimestamp(parseTimestamp(due)) });
  }
  return waiting.sort((a, b) => (a.due < b.due ? -1 : 1))[0];
}
