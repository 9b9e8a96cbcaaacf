import { backupDays, backupWindows, unscheduled } from "../../../../contract/resources/node.ts";
import type { DueWork } from "../../../entities/due-work.ts";
import { parseTimestamp, timestamp } from "../../../kit/timestamp.ts";
import { insertRow } from "../../../store/rows.ts";
import type { Database, NodeRow } from "../../../store/tables.ts";
import { listBackups, removeBackupRows } from "../rows/backups.ts";
import { findNextNodeBackup, updateNodeRow } from "../rows/nodes.ts";
import { gatherContents } from "./contents.ts";

const day = 24 * 60 * 60 * 1000;

/** The daily backups of nodes, without job or event, and before the first one the choice of their schedule. */
export const automaticBackups: DueWork = {
  async next(db, part) {
    return (await findNextNodeBackup(db, part))?.backup_next ?? null;
  },
  async apply(db, part) {
    const node = await findNextNodeBackup(db, part);
    if (node?.backup_next == null) return;
    const now = parseTimestamp(node.backup_next);
    const backup_day = isChosen(node.backup_day) ? node.backup_day : pick(backupDays, node.id);
    const backup_window = isChosen(node.backup_window) ? node.backup_window : pick(backupWindows, node.id);
    if (isScheduled(node)) await makeBackup(db, node, now);
    await updateNodeRow(db, node.id, { backup_day, backup_window, backup_next: nextStart(backup_window, now) });
  },
};

/** Whether the day and the window of a node's backups are known. */
export function isScheduled({ backup_day, backup_window }: Pick<NodeRow, "backup_day" | "backup_window">): boolean {
  return isChosen(backup_day) && isChosen(backup_window);
}

function isChosen(value: string | null): value is string {
  return value !== null && value !== unscheduled;
}

/** A value that spreads nodes evenly. */
function pick(values: readonly [string, ...string[]], id: number): string {
  return values[id % values.length] ?? values[0];
}

/** When a window such as W2, which begins at 2:00, begins next. */
export function nextStart(window: string, after: Date): string {
  const start = new Date(after);
  start.setUTCHours(Number(window.slice(1)), 0, 0, 0);
  return timestamp(start > after ? start : new Date(start.getTime() + day));
}

/** Makes a backup at once; kept are this one and, for two weeks, those of the weekly day. */
async function makeBackup(db: Database, node: NodeRow, now: Date): Promise<void> {
  const made = timestamp(now);
  const oldest = timestamp(new Date(now.getTime() - 14 * day));
  const outdated = (await listBackups(db, node.id)).filter(
    ({ type, created }) =>
      type === "auto" && (created < oldest || backupDays[parseTimestamp(created).getUTCDay()] !== node.backup_day),
  );
  await removeBackupRows(
    db,
    outdated.map(({ id }) => id),
  );
  await insertRow(db, "backups", {
    node_id: node.id,
    type: "auto",
    status: "successful",
    label: null,
    region: node.region,
    contents: JSON.stringify(await gatherContents(db, node)),
    created: made,
    updated: made,
    finished: made,
  });
  await updateNodeRow(db, node.id, { backup_successful: made });
}
