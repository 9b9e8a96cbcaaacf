import type { Actor, Profile } from "../kit/context.ts";
import { nodeConfigEntity } from "../kit/entities.ts";
import type { JobDriver } from "../kit/job-driver.ts";
import type { JobFailure, JobKinds } from "../kit/job-kinds.ts";
import { timestamp } from "../kit/timestamp.ts";
import * as disks from "../store/disks.ts";
import * as events from "../store/events.ts";
import * as nodeConfigs from "../store/node-configs.ts";
import * as nodes from "../store/nodes.ts";
import type { Database, JobRow, NodeRow } from "../store/tables.ts";
import { type NodeJobData, type NodeJobKind, nodeJobs, startNodeJob } from "./jobs.ts";

export interface NodeSettings {
  readonly jobDriver: JobDriver;
  readonly profile: Profile;
}

/** The end of a job of a node: the transaction, and the moment at which the job ended. */
interface Ending extends NodeSettings {
  readonly db: Database;
  readonly job: JobRow;
  readonly node: NodeRow;
  readonly data: NodeJobData;
  readonly now: Date;
}

interface NodeEnd {
  /** Applies the job; a failure undoes it. */
  end(ending: Ending): Promise<JobFailure | undefined>;
  /** Leaves the node as it was before the job. */
  fail(ending: Ending): Promise<void>;
}

const becomes = (ending: Ending, status: NodeRow["status"]) =>
  nodes.update(ending.db, ending.node.id, { status, updated: timestamp(ending.now) });

const asBefore = async (ending: Ending) => {
  await nodes.update(ending.db, ending.node.id, { status: ending.data.before });
};

const ends: Readonly<Record<NodeJobKind, NodeEnd>> = {
  create_empty: {
    async end(ending) {
      await becomes(ending, "offline");
      return undefined;
    },
    async fail(ending) {
      await becomes(ending, "offline");
    },
  },
  create: {
    async end(ending) {
      const { db, node, data, now } = ending;
      for (const { id } of await disks.listAll(db, node.id))
        await disks.update(db, id, { status: "ready", updated: timestamp(now) });
      const offline = await becomes(ending, "offline");
      if (data.boots) await bootAgain(ending, offline);
      return undefined;
    },
    async fail(ending) {
      const { db, node } = ending;
      for (const { id } of await disks.listAll(db, node.id)) await disks.remove(db, id);
      await becomes(ending, "offline");
    },
  },
  boot: {
    async end(ending) {
      const { db, node, data } = ending;
      await nodes.update(db, node.id, { booted_config_id: data.config ?? null });
      await becomes(ending, "running");
      return undefined;
    },
    async fail(ending) {
      await becomes(ending, "offline");
    },
  },
  reboot: {
    async end(ending) {
      const { db, node, data } = ending;
      await nodes.update(db, node.id, { booted_config_id: data.config ?? null });
      await becomes(ending, "running");
      return undefined;
    },
    fail: asBefore,
  },
  shutdown: {
    async end(ending) {
      await becomes(ending, "offline");
      return undefined;
    },
    fail: asBefore,
  },
  delete: {
    async end({ db, node }) {
      await nodes.remove(db, node.id);
      return undefined;
    },
    fail: asBefore,
  },
};

/** Boots the node as a job that follows the one that ends, with the same cause. */
async function bootAgain({ db, job, jobDriver, now }: Ending, node: NodeRow): Promise<void> {
  const [config] = await nodeConfigs.listAll(db, node.id);
  await startNodeJob(db, { caller: await actorOf(db, job), now, jobDriver }, node, "boot", {
    ...(config && { secondary: nodeConfigEntity(config), data: { config: config.id } }),
  });
}

/** Who began a job. */
async function actorOf(db: Database, { account_id, event_id }: JobRow): Promise<Actor> {
  const cause = event_id === null ? undefined : await events.actorOf(db, event_id);
  return { accountId: account_id, userId: cause?.user_id ?? 0, username: cause?.username ?? "" };
}

/** How the jobs of nodes end. */
export function endsOfNodeJobs(settings: NodeSettings): JobKinds {
  const kinds = Object.keys(nodeJobs) as NodeJobKind[];
  return Object.fromEntries(
    kinds.map((kind) => [
      kind,
      async (db: Database, job: JobRow, now: Date) => {
        const node = await nodes.find(db, job.account_id, job.entity_id);
        if (node === undefined) throw new Error(`job ${job.id} is of a node that does not exist`);
        const ending = { ...settings, db, job, node, data: JSON.parse(job.data) as NodeJobData, now };
        const failure = job.failure === null ? await ends[kind].end(ending) : { message: job.failure };
        if (failure !== undefined) await ends[kind].fail(ending);
        return failure;
      },
    ]),
  );
}
