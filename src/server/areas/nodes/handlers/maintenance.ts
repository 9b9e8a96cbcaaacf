import type { Handler } from "../../../entities/context.ts";
import { envelope } from "../../../kit/envelope.ts";
import { maintenanceReplies, visibleMaintenance } from "../jobs/maintenance.ts";
import { listMaintenanceRows } from "../rows/maintenance.ts";

/** The maintenance of the nodes that the caller may view. */
export const listMaintenance: Handler<"listMaintenance"> = ({ query, filter }, context) =>
  context.store.read(async (db) => {
    const { rows, results } = await listMaintenanceRows(db, visibleMaintenance(context), { ...query, filter });
    return envelope(await maintenanceReplies(db, rows, context), results, query);
  });
