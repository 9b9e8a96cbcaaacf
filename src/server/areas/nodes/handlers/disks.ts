import type { Handler } from "../../../entities/context.ts";
import { diskEntity, nodeEntity } from "../../../entities/entities.ts";
import { resource } from "../../../entities/resource.ts";
import { findRow } from "../../../store/rows.ts";
import { diskReply } from "../jobs/disks.ts";
import { findKeptNode } from "../jobs/find.ts";
import { listDiskRows } from "../rows/disks.ts";

const resourceOfDisks = resource({
  parent: findKeptNode,
  rows: {
    list: ({ db, parent }, wanted) => listDiskRows(db, parent.id, wanted),
    find: ({ db, parent }, { diskId }: { nodeId: number; diskId: number }) =>
      findRow(db, "disks", { id: diskId, node_id: parent.id }),
  },
  replies: (rows, { context }) => rows.map((row) => diskReply(row, context.profile)),
  details: (row, node) => ({ entity: nodeEntity(node), secondary: diskEntity(row) }),
});

export const listDisks: Handler<"listDisks"> = resourceOfDisks.list;
export const getDisk: Handler<"getDisk"> = resourceOfDisks.get;
