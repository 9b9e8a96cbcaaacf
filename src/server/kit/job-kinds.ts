import type { Database, JobRow } from "../store/tables.ts";

/** A failed job, whose event shows `message` as the reason. */
export interface JobFailure {
  readonly message: string;
}

/**
 * Applies an ended job in the transaction that deletes it. Changes are stamped with `ended`, the job's own moment, and
 * not with that of the request that settles it.
 */
export type EndJob = (db: Database, job: JobRow, ended: Date) => Promise<JobFailure | undefined>;

export type JobKinds = Readonly<Record<string, EndJob>>;
