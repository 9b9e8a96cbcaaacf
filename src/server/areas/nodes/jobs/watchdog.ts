import type { EventAction } from "../../../../contract/resources/event.ts";
import { nodeConfigEntity } from "../../../entities/entities.ts";
import { countEventsOf } from "../../../entities/events.ts";
import { operatorId } from "../../../entities/operator-rows.ts";
import type { JobDriver } from "../../../kit/job-driver.ts";
import { timestamp } from "../../../kit/timestamp.ts";
import { findRow, listRows } from "../../../store/rows.ts";
import type { Database, NodeRow } from "../../../store/tables.ts";
import { addNodeRun } from "../../billing/node-samples-rows.ts";

import { updateNodeRow } from "../rows/nodes.ts";
import { startNodeJob } from "./jobs.ts";

/** The events of jobs that boot a node. */
const bootActions: readonly EventAction[] = ["node_boot", "node_reboot", "watchdog_reboot", "host_reboot"];

/** The watchdog gives up after more boot jobs than this in a quarter of an hour (decisions/documents#nodes). */
const mostBoots = 5;
const quarterOfAnHour = 15 * 60 * 1000;

/**
 * Stops a running node without a job. Its watchdog boots it again by a job that no user caused, unless it is off, has
 * given up, or another job of the node runs; returns whether it does.
 */
export async function crash(
  db: Database,
  node: NodeRow,
  { jobDriver, now }: { readonly jobDriver: JobDriver; readonly now: Date },
): Promise<boolean> {
  await addNodeRun(db, node.id, false, timestamp(now));
  const stopped = await updateNodeRow(db, node.id, { status: "offline", updated: timestamp(now) });
  if (node.watchdog_enabled === 0 || (await findRow(db, "jobs", { entity_type: "node", entity_id: node.id })))
    return false;
  const since = timestamp(new Date(now.getTime() - quarterOfAnHour));
  if ((await countEventsOf(db, node.account_id, "node", node.id, bootActions, since)) > mostBoots) return false;
  await bootByService(db, stopped, "watchdog_reboot", { jobDriver, now });
  return true;
}

/** Boots a node with the configuration profile of its last boot, or else its first, by a job that no user caused. */
export async function bootByService(
  db: Database,
  node: NodeRow,
  kind: "watchdog_reboot" | "host_reboot",
  { jobDriver, now }: { readonly jobDriver: JobDriver; readonly now: Date },
): Promise<void> {
  const configs = await listRows(db, "node_configs", { node_id: node.id });
  const config = configs.find(({ id }) => id === node.booted_config_id) ?? configs[0];
  const caller = { accountId: node.account_id, userId: operatorId, username: "" };
  await startNodeJob(db, { caller, now, jobDriver }, node, kind, {
    ...(config && { secondary: nodeConfigEntity(config), data: { config: config.id } }),
  });
}
