import type { EventAction } from "../../contract/resources/event.ts";
import * as events from "../store/events.ts";
import * as jobs from "../store/jobs.ts";
import type { Database, JobRow } from "../store/tables.ts";
import type { Actor } from "./context.ts";
import { addEvent, type EventDetails } from "./events.ts";
import type { JobFailure, JobKinds } from "./job-kinds.ts";
import { moment, timestamp } from "./timestamp.ts";

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

/** Starts a job with its event, in the transaction of the request; `settle` ends it. */
export async function startJob(
  db: Database,
  context: { readonly caller: Actor; readonly now: Date },
  { kind, action, of, seconds, data = null, ...details }: NewJob,
): Promise<void> {
  const { caller, now } = context;
  const ends = seconds === "until told" ? never : timestamp(new Date(now.getTime() + seconds * 1000));
  const event_id = await addEvent(db, context, action, { ...details, job: { starts: timestamp(now), ends } });
  const row = {
    account_id: caller.accountId,
    event_id,
    kind,
    entity_type: of.type,
    entity_id: of.id,
    ends,
    data: JSON.stringify(data),
  };
  await jobs.insert(db, row);
}

/** The end of a job that lasts until it is told to end. */
const never = "9999-12-31T23:59:59";

/** Makes a job end at this moment, as failed if there is a message why. */
export async function tellJob(db: Database, job: JobRow, now: Date, failure?: JobFailure): Promise<void> {
  await jobs.reschedule(db, job, timestamp(now), failure);
  if (job.event_id !== null) await events.update(db, job.event_id, { ends: timestamp(now) });
}

/** Limit on the ended jobs that one transaction applies, so that requests of other accounts need not wait long. */
const jobsAtOnce = 100;

/**
 * Applies what has become due in an account, in the order of its moments; call it in a write transaction. Two servers
 * that find the same job due apply it once, because both lock the account. Returns whether more is due.
 */
export async function settle(db: Database, accountId: number, now: Date, kinds: JobKinds): Promise<boolean> {
  if (!(await jobs.lockDueAccount(db, accountId, timestamp(now)))) return false;
  for (let count = 0; count < jobsAtOnce; count++) {
    // One by one: the end of a job may begin another, which may have ended before the others.
    const job = await jobs.takeFirstEnded(db, accountId, timestamp(now));
    if (job === undefined) break;
    const end = kinds[job.kind];
    if (end === undefined) throw new Error(`no end for jobs of kind ${job.kind}`);
    const failure = await end(db, job, moment(job.ends));
    if (job.event_id === null) continue;
    await events.update(db, job.event_id, failure ? { status: "failed", ...failure } : { status: "finished" });
  }
  const due = await jobs.updateDue(db, accountId);
  return due !== null && due <= timestamp(now);
}
