import type { JobKinds } from "../../../kit/job-kinds.ts";
import type { Database, JobRow } from "../../../store/tables.ts";
import { findNodeRow } from "../rows/nodes.ts";
import { backupEnds } from "./backups.ts";
import { cloneEnds } from "./clone.ts";
import { diskEnds } from "./disks.ts";
import type { NodeEnd, NodeSettings } from "./ending.ts";
import type { NodeJobData, NodeJobKind } from "./jobs.ts";
import { moveEnds } from "./moves.ts";
import { powerEnds } from "./power.ts";
import { rebuildEnds } from "./rebuild.ts";

const ends: Readonly<Record<NodeJobKind, NodeEnd>> = {
  ...powerEnds,
  ...rebuildEnds,
  ...diskEnds,
  ...backupEnds,
  ...cloneEnds,
  ...moveEnds,
};

export function endsOfNodeJobs(settings: NodeSettings): JobKinds {
  return Object.fromEntries(
    Object.entries(ends).map(([kind, { end, fail }]) => [
      kind,
      async (db: Database, job: JobRow, now: Date) => {
        const node = await findNodeRow(db, job.account_id, job.entity_id);
        if (node === undefined) throw new Error(`job ${job.id} is of a node that does not exist`);
        const ending = { ...settings, db, job, node, data: JSON.parse(job.data) as NodeJobData, now };
        const failure = job.failure === null ? await end(ending) : { message: job.failure };
        if (failure !== undefined) await fail(ending);
        return failure;
      },
    ]),
  );
}
