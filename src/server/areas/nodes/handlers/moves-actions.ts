import { reasons } from "../../../../contract/errors.ts";
import { readAccount } from "../../../entities/account.ts";
import type { Handler } from "../../../entities/context.ts";
import { nodeEntity } from "../../../entities/entities.ts";
import { addEvent } from "../../../entities/events.ts";
import { badRequest, errorEntry, Refusal, refuseIfAny } from "../../../kit/api-error.ts";
import { listRows } from "../../../store/rows.ts";
import { readBalance } from "../../billing/balance.ts";
import { sizeOf } from "../jobs/contents.ts";
import { findCatalogType, findRegion, unknownTypeError } from "../jobs/create.ts";
import { findCallersNode } from "../jobs/find.ts";
import { requireIdle, startNodeJob } from "../jobs/jobs.ts";
import { regionObstacles } from "../jobs/moves.ts";

import { isMigrationPlanned } from "../rows/maintenance.ts";

/** The checks are in the order of decisions/nodes#resize. */
export const resizeNode: Handler<"resizeNode"> = ({ nodeId, body }, context) =>
  context.store.write(async (db) => {
    const node = await findCallersNode(db, nodeId, context, "read_write");
    await requireIdle(db, node, context.profile);
    if (await isMigrationPlanned(db, node.id)) throw badRequest("Node has a pending migration");
    const account = await readAccount(db, context.caller);
    if ((await readBalance(db, account)) > 0) throw badRequest(reasons.balanceOutstanding);
    const type = findCatalogType(context.catalog, body.type);
    if (type === undefined) throw new Refusal(400, [unknownTypeError(context.profile)]);
    if (sizeOf(await listRows(db, "disks", { node_id: node.id })) > type.disk)
      throw badRequest("Disk allocation exceeds the new type");
    await addEvent(db, context, "node_resize_create", { entity: nodeEntity(node) });
    const data = { type: type.id, grows: body.allow_auto_disk_resize ?? true };
    const status = context.profile === "live" ? { status: "resizing" as const } : {};
    await startNodeJob(db, context, node, "resize", { data, ...status });
    return {};
  });

/** To another host of the same region, or to another region. */
export const migrateNode: Handler<"migrateNode"> = ({ nodeId, body }, context) =>
  context.store.write(async (db) => {
    const node = await findCallersNode(db, nodeId, context, "read_write");
    await requireIdle(db, node, context.profile);
    if (body.region == null || body.region === node.region) {
      await startNodeJob(db, context, node, "migrate");
      return {};
    }
    const region = findRegion(context.catalog, body.region);
    if (region === undefined) return refuseField("region");
    refuseIfAny(await regionObstacles(db, node, region.id, context.catalog));
    await addEvent(db, context, "node_migrate_datacenter_create", { entity: nodeEntity(node) });
    await startNodeJob(db, context, node, "migrate_datacenter", { data: { region: region.id } });
    return {};
  });

function refuseField(field: string): never {
  throw new Refusal(400, [errorEntry(field, `${field} is not valid`)]);
}
