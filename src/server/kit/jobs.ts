import type { Entity, EventAction } from "../../contract/resources/event.ts";
import * as events from "../store/events.ts";
import * as jobs from "../store/jobs.ts";
import type { Database } from "../store/tables.ts";
import type { Actor } from "./context.ts";
import { addEvent, type EventDetails } from "./events.ts";
import type { JobKinds } from "./job-kinds.ts";
import { moment, timestamp } from "./timestamp.ts";

/** A job to start, about an entity with a numeric id. */
export interface NewJob extends Omit<EventDetails, "entity" | "job"> {
  readonly kind: string;
  readonly action: EventAction;
  readonly entity: Entity & { readonly id: number };
  /** Its duration. */
  readonly seconds: number;
  /** Kept for its end, as JSON. */
  readonly data?: unknown;
}

/** Starts a job with its event, in the transaction of the request; `settle` ends it. */
export async function startJob(
  db: Database,
  context: { readonly caller: Actor; readonly now: Date },
  { kind, action, seconds, data = null, ...details }: NewJob,
): Promise<void> {
  const { caller, now } = context;
  const ends = timestamp(new Date(now.getTime() + seconds * 1000));
  const event_id = await addEvent(db, context, action, { ...details, job: { starts: timestamp(now), ends } });
  const { type: entity_type, id: entity_id } = details.entity;
  const row = {
    account_id: caller.accountId,
    event_id,
    kind,
    entity_type,
    entity_id,
    ends,
    data: JSON.stringify(data),
  };
  await jobs.insert(db, row);
}

/** Limit on the ended jobs that one transaction applies, so that requests of other accounts need not wait long. */
const jobsAtOnce = 100;

/**
 * Applies what has become due in an account, in the order of its moments; call it in a write transaction. Two servers
 * that find the same job due apply it once, because both lock the account. Returns whether more is due.
 */
export async function settle(db: Database, accountId: number, now: Date, kinds: JobKinds): Promise<boolean> {
  if (!(await jobs.lockDueAccount(db, accountId, timestamp(now)))) return false;
  const ended = await jobs.takeEnded(db, accountId, timestamp(now), jobsAtOnce);
  for (const job of ended) {
    const end = kinds[job.kind];
    if (end === undefined) throw new Error(`no end for jobs of kind ${job.kind}`);
    const failure = await end(db, job, moment(job.ends));
    if (job.event_id === null) continue;
    await events.end(db, job.event_id, failure ? { status: "failed", ...failure } : { status: "finished" });
  }
  await jobs.updateDue(db, accountId);
  return ended.length === jobsAtOnce;
}
