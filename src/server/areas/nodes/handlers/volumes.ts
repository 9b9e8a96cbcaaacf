import { type ApiErrorEntry, reasons } from "../../../../contract/errors.ts";
import type { NewVolume, VolumeUpdate } from "../../../../contract/resources/volume.ts";
import { findAccount } from "../../../entities/account.ts";
import type { Context, Handler } from "../../../entities/context.ts";
import { changeTags, volumeEntity } from "../../../entities/entities.ts";
import { resource } from "../../../entities/resource.ts";
import { badRequest, errorEntry, refuseIfAny } from "../../../kit/api-error.ts";
import { timestamp } from "../../../kit/timestamp.ts";
import type { AccountRow, Database, NodeRow, VolumeRow } from "../../../store/tables.ts";
import { chargeVolume, endVolume } from "../../billing/charges.ts";
import { findRegion } from "../jobs/create.ts";
import { findCallersNode, requireUnrestricted } from "../jobs/find.ts";
import { failJob } from "../jobs/jobs.ts";
import { isPoweredOff } from "../jobs/power.ts";
import {
  detach,
  findVolume,
  findVolumeHost,
  noteAttached,
  plugIn,
  startVolumeJob,
  volumeDeleted,
  volumeReplies,
} from "../jobs/volumes.ts";
import { findNodeRow } from "../rows/nodes.ts";
import * as volumes from "../rows/volumes.ts";

const granteeOf = ({ caller }: Context) => (caller.isRestricted ? caller.userId : undefined);

const resourceOfVolumes = resource({
  parent: findAccount,
  rows: {
    list: ({ db, parent, context }, wanted) =>
      volumes.listVolumeRows(db, { account_id: parent.id, grantee: granteeOf(context) }, wanted),
    find: ({ db, context }, { volumeId }: { volumeId: number }, needed) => findVolume(db, volumeId, context, needed),
    insert: volumes.insertVolumeRow,
    update: volumes.updateVolumeRow,
    remove: volumes.removeVolumeRow,
  },
  replies: (rows, { db, context }) => volumeReplies(db, rows, context.profile),
  details: (row) => ({ entity: volumeEntity(row) }),
});

const resourceOfNodeVolumes = resource({
  parent: (db, { nodeId }: { nodeId: number }, context, needed) => findCallersNode(db, nodeId, context, needed),
  rows: {
    list: ({ db, parent: { id, account_id }, context }, wanted) =>
      volumes.listVolumeRows(db, { account_id, node_id: id, grantee: granteeOf(context) }, wanted),
  },
  replies: (rows: readonly VolumeRow[], { db, context }) => volumeReplies(db, rows, context.profile),
  details: (row) => ({ entity: volumeEntity(row) }),
});

export const listNodeVolumes: Handler<"listNodeVolumes"> = resourceOfNodeVolumes.list;
export const listVolumes: Handler<"listVolumes"> = resourceOfVolumes.list;
export const getVolume: Handler<"getVolume"> = resourceOfVolumes.get;

/** Size of a volume, in GB, for which the request has none. */
const defaultSize = 20;

export const createVolume: Handler<"createVolume"> = resourceOfVolumes.create({
  async columns(body: NewVolume, { db, context, parent: account }) {
    requireUnrestricted(context);
    const node = body.node_id == null ? undefined : await findVolumeHost(db, body.node_id, context);
    const region = body.region ?? node?.region;
    refuseIfAny([...(await labelErrors(db, account, body.label)), ...regionErrors(region, node, context)]);
    if (region === undefined) throw new Error("a request without errors has a region");
    const moment = timestamp(context.now);
    return {
      account_id: account.id,
      node_id: node?.id ?? null,
      label: body.label,
      region,
      size: body.size ?? defaultSize,
      created: moment,
      updated: moment,
    };
  },
  async complete(volume, { tags, config_id }, { db, context }) {
    await startVolumeJob(db, volume, "volume_create", context);
    await chargeVolume(db, volume, context);
    if (tags) await changeTags(db, { entity_type: "volume", entity_id: volume.id }, tags, context);
    if (volume.node_id === null) return;
    const node = await findVolumeHost(db, volume.node_id, context);
    await plugIn(db, volume, node, config_id);
    await noteAttached(db, volume, node, context);
  },
});

export const updateVolume: Handler<"updateVolume"> = resourceOfVolumes.update({
  event: "volume_update",
  async changes({ label }: VolumeUpdate, volume, { db, context, parent: account }) {
    refuseIfAny(await labelErrors(db, account, label ?? volume.label, volume.id));
    return { label: label ?? volume.label, updated: timestamp(context.now) };
  },
  async complete({ id }, { tags }, { db, context }) {
    if (tags) await changeTags(db, { entity_type: "volume", entity_id: id }, tags, context);
  },
});

/** Deletes a volume, which is detached first if its node is off. */
export const deleteVolume: Handler<"deleteVolume"> = resourceOfVolumes.remove({
  event: "volume_delete",
  async prepare(volume, { db, context }) {
    await failJob(db, "volume", volume, context.now, volumeDeleted);
    await endVolume(db, volume, context);
    const node = volume.node_id === null ? undefined : await findNodeRow(db, context.caller.accountId, volume.node_id);
    if (node === undefined) return;
    if (!isPoweredOff(node)) throw badRequest(reasons.volumeAttached);
    await detach(db, volume, node, context);
  },
});

async function labelErrors(db: Database, { id }: AccountRow, label: string, except?: number): Promise<ApiErrorEntry[]> {
  return (await volumes.isVolumeLabelTaken(db, id, label, except)) ? [errorEntry("label", reasons.labelTaken)] : [];
}

function regionErrors(region: string | undefined, node: NodeRow | undefined, { catalog }: Context): ApiErrorEntry[] {
  if (region === undefined) return [errorEntry("region", "region is required")];
  const found = findRegion(catalog, region);
  if (found === undefined) return [errorEntry("region", "region is not valid")];
  if (!found.capabilities.includes("Block Storage")) return [errorEntry("region", "The region has no volumes")];
  return node && node.region !== region ? [errorEntry("region", "Must be the region of the node")] : [];
}
