import type { Volume } from "../../../../contract/resources/volume.ts";
import type { Context, Handler } from "../../../entities/context.ts";
import { badRequest, errorEntry, refuseIfAny } from "../../../kit/api-error.ts";
import { timestamp } from "../../../kit/timestamp.ts";
import { findRow, updateRow } from "../../../store/rows.ts";
import type { Database, VolumeRow } from "../../../store/tables.ts";
import { chargeVolume } from "../../billing/charges.ts";
import { attach, detach, findVolume, findVolumeHost, plugIn, startVolumeJob, volumeReplies } from "../jobs/volumes.ts";

export const attachVolume: Handler<"attachVolume"> = ({ volumeId, body }, context) =>
  context.store.write(async (db) => {
    const volume = await findVolume(db, volumeId, context, "read_write");
    if (volume.node_id !== null) throw badRequest("The volume is attached to a node already");
    const node = await findVolumeHost(db, body.node_id, context);
    refuseIfAny(node.region === volume.region ? [] : [errorEntry("node_id", "Must be in the region of the volume")]);
    await plugIn(db, volume, node, body.config_id);
    return volumeReply(db, await attach(db, volume, node, context), context);
  });

/** Detaches a volume. The hosted service also accepts one that no node has: Terraform's provider detaches twice. */
export const detachVolume: Handler<"detachVolume"> = ({ volumeId }, context) =>
  context.store.write(async (db) => {
    const volume = await findVolume(db, volumeId, context, "read_write");
    if (volume.node_id === null) {
      if (context.profile === "live") return {};
      throw badRequest("The volume is not attached to a node");
    }
    await detach(db, volume, await findVolumeHost(db, volume.node_id, context), context);
    return {};
  });

export const resizeVolume: Handler<"resizeVolume"> = ({ volumeId, body: { size } }, context) =>
  context.store.write(async (db) => {
    const volume = await findVolume(db, volumeId, context, "read_write");
    if (await findRow(db, "jobs", { entity_type: "volume", entity_id: volume.id }))
      throw badRequest("The volume is not active yet");
    refuseIfAny(size > volume.size ? [] : [errorEntry("size", "Must be larger than the present size")]);
    const resized = await updateRow(db, "volumes", volume.id, { size, updated: timestamp(context.now) });
    await chargeVolume(db, resized, context);
    await startVolumeJob(db, resized, "volume_resize", context);
    return volumeReply(db, resized, context);
  });

async function volumeReply(db: Database, row: VolumeRow, { profile }: Context): Promise<Volume> {
  const [reply] = await volumeReplies(db, [row], profile);
  if (reply === undefined) throw new Error("a volume without a reply");
  return reply;
}
