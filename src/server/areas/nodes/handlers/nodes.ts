import { type Alerts, type NodeUpdate, unscheduled } from "../../../../contract/resources/node.ts";
import type { Handler } from "../../../entities/context.ts";
import { makeWorkDue } from "../../../entities/due-work.ts";
import { changeTags, nodeEntity } from "../../../entities/entities.ts";
import { resource } from "../../../entities/resource.ts";
import { refuseIfAny } from "../../../kit/api-error.ts";
import { parseTimestamp, timestamp } from "../../../kit/timestamp.ts";
import type { NodeRow } from "../../../store/tables.ts";
import { isScheduled, nextStart } from "../jobs/automatic-backups.ts";
import { labelErrors } from "../jobs/create.ts";
import { findKeptNode } from "../jobs/find.ts";
import { requireKept } from "../jobs/jobs.ts";
import { nodeReplies } from "../jobs/replies.ts";
import { listNodeRows, updateNodeRow } from "../rows/nodes.ts";

const resourceOfNodes = resource({
  parent: async (_, __: object, { caller }) => caller,
  rows: {
    list: ({ db, parent }, wanted) =>
      listNodeRows(db, parent.accountId, parent.isRestricted ? parent.userId : undefined, wanted),
    find: ({ db, context }, path: { nodeId: number }, needed) => findKeptNode(db, path, context, needed),
    update: updateNodeRow,
  },
  replies: (rows, { db, context }) => nodeReplies(db, rows, context),
  details: (row) => ({ entity: nodeEntity(row) }),
});

export const listNodes: Handler<"listNodes"> = resourceOfNodes.list;
export const getNode: Handler<"getNode"> = resourceOfNodes.get;

/** Changes what a node is called and watched by; a running job does not hold it up. */
export const updateNode: Handler<"updateNode"> = resourceOfNodes.update({
  event: "node_update",
  async changes(body: NodeUpdate, node, { db, context }) {
    requireKept(node, context.profile);
    refuseIfAny(await labelErrors(db, node.account_id, body.label, node.id));
    return {
      label: body.label ?? node.label,
      group: body.group ?? node.group,
      watchdog_enabled: body.watchdog_enabled == null ? node.watchdog_enabled : Number(body.watchdog_enabled),
      alerts: JSON.stringify(changedAlerts(body, node)),
      ...changedSchedule(body, node, context.now),
      updated: timestamp(context.now),
    };
  },
  complete: async ({ id, account_id, backup_next }, { tags }, { db, context }) => {
    if (backup_next !== null) await makeWorkDue(db, account_id, parseTimestamp(backup_next));
    if (tags) await changeTags(db, { entity_type: "node", entity_id: id }, tags, context);
  },
});

function changedAlerts({ alerts }: NodeUpdate, node: NodeRow): Alerts {
  const given = Object.entries(alerts ?? {}).filter(([, threshold]) => threshold != null);
  return { ...JSON.parse(node.alerts), ...Object.fromEntries(given) };
}

/** A node without the backup service has no schedule to change. */
function changedSchedule({ backups }: NodeUpdate, node: NodeRow, now: Date) {
  if (node.backups_enabled === 0) return {};
  const chosen = (value: string | null | undefined, before: string | null) =>
    value == null || value === unscheduled ? before : value;
  const schedule = {
    backup_day: chosen(backups?.schedule?.day, node.backup_day),
    backup_window: chosen(backups?.schedule?.window, node.backup_window),
  };
  const { backup_window: window } = schedule;
  return { ...schedule, ...(window !== null && isScheduled(schedule) && { backup_next: nextStart(window, now) }) };
}
