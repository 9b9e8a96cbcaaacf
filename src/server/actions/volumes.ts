import { badRequest, errorEntry, refuseIfAny } from "../kit/api-error.ts";
import type { Handler } from "../kit/context.ts";
import { attach, detach, findHost, findVolume, plugIn, volumeReplies } from "../nodes/volumes.ts";

export const attachVolume: Handler<"attachVolume"> = ({ volumeId, body }, context) =>
  context.store.write(async (db) => {
    const volume = await findVolume(db, volumeId, context, "read_write");
    if (volume.node_id !== null) throw badRequest("The volume is attached to a node already");
    const node = await findHost(db, body.node_id, context);
    refuseIfAny(node.region === volume.region ? [] : [errorEntry("node_id", "Must be in the region of the volume")]);
    await plugIn(db, volume, node, body.config_id);
    const [reply] = await volumeReplies(db, [await attach(db, volume, node, context)]);
    if (reply === undefined) throw new Error("a volume without a reply");
    return reply;
  });

export const detachVolume: Handler<"detachVolume"> = ({ volumeId }, context) =>
  context.store.write(async (db) => {
    const volume = await findVolume(db, volumeId, context, "read_write");
    if (volume.node_id === null) throw badRequest("The volume is not attached to a node");
    await detach(db, volume, await findHost(db, volume.node_id, context), context);
    return {};
  });
