import { nodeConfigEntity } from "../../../entities/entities.ts";
import { timestamp } from "../../../kit/timestamp.ts";
import { listRows, removeRows, updateRow } from "../../../store/rows.ts";
import type { NodeRow } from "../../../store/tables.ts";

import { removeNodeRow, updateNodeRow } from "../rows/nodes.ts";
import { type Ending, findJobActor, type NodeEnd, restoreStatus, setStatus } from "./ending.ts";
import { startNodeJob } from "./jobs.ts";
import { joinVlans } from "./vlans.ts";

/** Whether nothing runs on the node, so that it uses none of its disks. */
export function isPoweredOff({ status }: NodeRow): boolean {
  return status === "offline" || status === "stopped";
}

const done = undefined;

const becomeOffline = async (ending: Ending) => {
  await setStatus(ending, "offline");
  return done;
};

/** The ends of the jobs that create, boot, stop and delete a node, and reset its password. */
export const powerEnds = {
  create_empty: { end: becomeOffline, fail: becomeOffline },
  create: {
    async end(ending) {
      const { db, node, data, now } = ending;
      for (const { id } of await listRows(db, "disks", { node_id: node.id }))
        await updateRow(db, "disks", id, { status: "ready", updated: timestamp(now) });
      const offline = await setStatus(ending, "offline");
      if (data.boots) await bootNext(ending, offline);
      return done;
    },
    async fail(ending) {
      const { db, node } = ending;
      for (const { id } of await listRows(db, "node_configs", { node_id: node.id }))
        await removeRows(db, "node_configs", { id });
      for (const { id } of await listRows(db, "disks", { node_id: node.id })) await removeRows(db, "disks", { id });
      await setStatus(ending, "offline");
    },
  },
  boot: { end: becomeRunning, fail: becomeOffline },
  watchdog_reboot: { end: becomeRunning, fail: becomeOffline },
  host_reboot: { end: becomeRunning, fail: becomeOffline },
  reboot: { end: becomeRunning, fail: restoreStatus },
  rescue: {
    async end(ending) {
      await updateNodeRow(ending.db, ending.node.id, { rescue_devices: JSON.stringify(ending.data.rescue ?? {}) });
      await setStatus(ending, "running");
      return done;
    },
    fail: restoreStatus,
  },
  password: { end: async () => done, fail: async () => {} },
  shutdown: { end: becomeOffline, fail: restoreStatus },
  delete: {
    async end({ db, node }) {
      await removeNodeRow(db, node.id);
      return done;
    },
    fail: restoreStatus,
  },
} satisfies Record<string, NodeEnd>;

async function becomeRunning(ending: Ending) {
  await updateNodeRow(ending.db, ending.node.id, {
    booted_config_id: ending.data.config ?? null,
    rescue_devices: null,
  });
  await setStatus(ending, "running");
  await joinVlans(ending);
  return done;
}

/**
 * Boots the node's first configuration profile by a job that begins when this one ends, with the same cause; a node
 * without one stays off.
 */
export async function bootNext(ending: Ending, node: NodeRow): Promise<void> {
  const { db, jobDriver, now } = ending;
  const [config] = await listRows(db, "node_configs", { node_id: node.id });
  if (config === undefined) return;
  await startNodeJob(db, { caller: await findJobActor(ending), now, jobDriver }, node, "boot", {
    secondary: nodeConfigEntity(config),
    data: { config: config.id },
  });
}
