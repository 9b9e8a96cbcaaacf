import type { Catalog } from "../../../catalog/schema.ts";
import type { Actor, Profile } from "../../../entities/context.ts";
import { findEventActor } from "../../../entities/events.ts";
import type { JobDriver } from "../../../kit/job-driver.ts";
import type { JobFailure } from "../../../kit/job-kinds.ts";
import { timestamp } from "../../../kit/timestamp.ts";
import type { Database, JobRow, NodeRow } from "../../../store/tables.ts";
import { addNodeRun } from "../../billing/node-samples-rows.ts";
import { updateNodeRow } from "../rows/nodes.ts";
import type { NodeJobData } from "./jobs.ts";

/** Settings of a server that the ends of jobs need. */
export interface NodeSettings {
  readonly jobDriver: JobDriver;
  readonly profile: Profile;
  readonly catalog: Catalog;
}

/** The end of a job of a node: its transaction, and the moment at which the job ended. */
export interface Ending extends NodeSettings {
  readonly db: Database;
  readonly job: JobRow;
  readonly node: NodeRow;
  readonly data: NodeJobData;
  readonly now: Date;
}

/** How a kind of job ends. */
export interface NodeEnd {
  /** Applies the job, or returns why it fails. */
  end(ending: Ending): Promise<JobFailure | undefined>;
  /** Leaves the node as it was before the job; called for every failed one. */
  fail(ending: Ending): Promise<void>;
}

/** A fact that every job of its kind has. */
export function factOf<T>(fact: T | undefined): T {
  if (fact === undefined) throw new Error("a job lacks a fact that its kind needs");
  return fact;
}

/** Gives the node another status, as a change of that moment. */
export async function setStatus({ db, node, now }: Ending, status: NodeRow["status"]): Promise<NodeRow> {
  await addNodeRun(db, node.id, status === "running", timestamp(now));
  return updateNodeRow(db, node.id, { status, updated: timestamp(now) });
}

/** Gives the node the status that it had before the job. */
export async function restoreStatus({ db, node, data }: Ending): Promise<void> {
  await updateNodeRow(db, node.id, { status: data.before });
}

/** The user who began a job. */
export async function findJobActor({ db, job: { account_id, event_id } }: Ending): Promise<Actor> {
  const cause = event_id === null ? undefined : await findEventActor(db, event_id);
  return { accountId: account_id, userId: cause?.user_id ?? 0, username: cause?.username ?? "" };
}
