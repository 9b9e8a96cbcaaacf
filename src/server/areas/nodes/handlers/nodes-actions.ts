import { reasons } from "../../../../contract/errors.ts";
import { readAccount } from "../../../entities/account.ts";
import type { Context, Handler } from "../../../entities/context.ts";
import { imageEntity, nodeConfigEntity } from "../../../entities/entities.ts";
import { applyDueWork } from "../../../entities/jobs.ts";
import { badRequest, errorEntry, refuseIfAny } from "../../../kit/api-error.ts";
import { listRows } from "../../../store/rows.ts";
import type { Database, NodeConfigRow, NodeRow } from "../../../store/tables.ts";
import { placeContents } from "../jobs/contents.ts";
import { defaultSwap, deployImage, hasVlans, imageErrors, insertNode, planNode } from "../jobs/create.ts";
import { startDeletion } from "../jobs/delete.ts";
import { findCallersNode, requireAddNodes } from "../jobs/find.ts";
import { findFirewallToGive, giveFirewall } from "../jobs/firewalls.ts";
import { requireIdle, requireKept, startNodeJob } from "../jobs/jobs.ts";
import { isPoweredOff } from "../jobs/power.ts";
import { readNodeReply } from "../jobs/replies.ts";
import { attach, findAttachable } from "../jobs/volumes.ts";

import { passwordErrors, readDeployment } from "../rules/deployment.ts";
import { readDevices } from "../rules/devices.ts";
import { readInterfaces } from "../rules/interfaces.ts";

export const createNode: Handler<"createNode"> = ({ body }, context) =>
  context.store.write(async (db) => {
    requireAddNodes(context);
    const account = await readAccount(db, context.caller);
    const { plan, errors } = await planNode(db, body, context);
    const firewall = body.firewall_id == null ? undefined : await findFirewallToGive(db, body.firewall_id, context);
    const isUnknown = body.firewall_id != null && firewall === undefined;
    refuseIfAny([...errors, ...(isUnknown ? [errorEntry("firewall_id", "firewall_id is not valid")] : [])]);
    if (plan === undefined) throw new Error("a request without errors has a region and a type");
    const { image, swap, backup, interfaces } = plan;
    const wanted = { ...body, status: "provisioning", image: image?.id ?? backup?.image ?? null } as const;
    const node = await insertNode(db, wanted, plan, context);
    if (firewall) await giveFirewall(db, firewall, node, context);
    if (image) {
      await deployImage(db, node, { image, swap, interfaces }, { now: context.now, account, status: "not ready" });
      const data = { boots: body.booted ?? true };
      await startNodeJob(db, context, node, "create", { secondary: imageEntity(image), data });
    } else if (backup) {
      await placeContents(db, node, backup, { status: "not ready", now: context.now });
      const taken = context.catalog.images.find(({ id }) => id === backup.image);
      const data = { boots: body.booted ?? true };
      await startNodeJob(db, context, node, "create", { ...(taken && { secondary: imageEntity(taken) }), data });
    } else await createEmpty(db, node, context);
    return readNodeReply(db, node.id, context);
  });

/** The documented service creates an empty node at once. */
async function createEmpty(db: Database, node: NodeRow, context: Context): Promise<void> {
  const { profile, now } = context;
  if (profile === "live") await startNodeJob(db, context, node, "create_empty");
  else {
    await startNodeJob(db, { ...context, jobDriver: atOnce }, node, "create_empty");
    await applyDueWork(db, { accountId: node.account_id, nodeId: node.id }, now, context);
  }
}

const atOnce = { name: "at once", seconds: () => 0 };

/** Frees what the node has at once; it is gone when its job ends (decisions/nodes#deletion). */
export const deleteNode: Handler<"deleteNode"> = ({ nodeId }, context) =>
  context.store.write(async (db) => {
    const node = await findCallersNode(db, nodeId, context, "read_write");
    requireKept(node, context.profile);
    await startDeletion(db, node, context);
    return {};
  });

export const bootNode: Handler<"bootNode"> = ({ nodeId, body }, context) =>
  context.store.write(async (db) => {
    const node = await findCallersNode(db, nodeId, context, "read_write");
    await requireIdle(db, node, context.profile);
    if (node.status === "running") throw badRequest("Node is already running");
    await startBoot(db, node, "boot", body.config_id, context);
    return {};
  });

/** Reboots a node, or boots one that is off: Terraform's provider does so after it has changed the type. */
export const rebootNode: Handler<"rebootNode"> = ({ nodeId, body }, context) =>
  context.store.write(async (db) => {
    const node = await findCallersNode(db, nodeId, context, "read_write");
    await requireIdle(db, node, context.profile);
    await startBoot(db, node, "reboot", body.config_id, context);
    return {};
  });

export const shutDownNode: Handler<"shutDownNode"> = ({ nodeId }, context) =>
  context.store.write(async (db) => {
    const node = await findCallersNode(db, nodeId, context, "read_write");
    await requireIdle(db, node, context.profile);
    // Only running or queued actions forbid it (decisions/documents#nodes).
    if (node.status === "running") await startNodeJob(db, context, node, "shutdown");
    return {};
  });

/** Boots the rescue system with these devices; the next boot leaves it. */
export const rescueNode: Handler<"rescueNode"> = ({ nodeId, body }, context) =>
  context.store.write(async (db) => {
    const node = await findCallersNode(db, nodeId, context, "read_write");
    await requireIdle(db, node, context.profile);
    const attachable = await findAttachable(db, body.devices ?? {}, node, context);
    const { devices, errors } = readDevices(body.devices ?? {}, {
      disks: await listRows(db, "disks", { node_id: node.id }),
      ...attachable,
    });
    refuseIfAny(devices.sdh ? [errorEntry("devices.sdh", "devices.sdh is reserved")] : errors);
    for (const volume of attachable.volumes) await attach(db, volume, node, context);
    await startNodeJob(db, context, node, "rescue", { data: { rescue: devices } });
    return {};
  });

/** Replaces all disks and configuration profiles by those of an image. */
export const rebuildNode: Handler<"rebuildNode"> = ({ nodeId, body }, context) =>
  context.store.write(async (db) => {
    const node = await findCallersNode(db, nodeId, context, "read_write");
    await requireIdle(db, node, context.profile);
    const { image, errors } = await readDeployment(db, body, context);
    const { interfaces, errors: interfaceErrors } = readInterfaces(body.interfaces ?? [], {
      hasVlans: hasVlans(context.catalog, node.region),
      profile: context.profile,
    });
    const swap = body.swap_size ?? defaultSwap;
    refuseIfAny([...errors, ...(image ? imageErrors(image, swap, node.disk) : []), ...interfaceErrors]);
    if (image === undefined) throw new Error("a request without errors has an image");
    const deploys = { image: image.id, swap, interfaces };
    const data = { deploys, boots: body.booted ?? true };
    await startNodeJob(db, context, node, "rebuild", { secondary: imageEntity(image), data });
    // The job gives the node its image; the reply has it already, as that of the hosted service.
    return { ...(await readNodeReply(db, node.id, context)), image: image.id };
  });

/** Checks the password and discards it: no guest runs (decisions/nodes#simulation). */
export const resetNodePassword: Handler<"resetNodePassword"> = ({ nodeId, body }, context) =>
  context.store.write(async (db) => {
    const node = await findCallersNode(db, nodeId, context, "read_write");
    await requireIdle(db, node, context.profile);
    refuseIfAny(passwordErrors("root_pass", body.root_pass));
    if (!isPoweredOff(node)) throw badRequest("Node must be shut down");
    await startNodeJob(db, context, node, "password");
    return {};
  });

async function startBoot(
  db: Database,
  node: NodeRow,
  kind: "boot" | "reboot",
  wanted: number | null | undefined,
  context: Context,
): Promise<void> {
  const config = chooseConfig(await listRows(db, "node_configs", { node_id: node.id }), node, wanted);
  await startNodeJob(db, context, node, kind, { secondary: nodeConfigEntity(config), data: { config: config.id } });
}

/**
 * The configuration profile to boot: the wanted one, else the only one, else that of the last boot. As at the hosted
 * service, the id 0 names none.
 * @throws {Refusal} 400 if there is none.
 */
function chooseConfig(
  configs: readonly NodeConfigRow[],
  { booted_config_id }: NodeRow,
  wanted: number | null | undefined,
): NodeConfigRow {
  const config =
    !wanted && configs.length === 1 ? configs[0] : configs.find(({ id }) => id === (wanted || booted_config_id));
  if (config !== undefined) return config;
  if (wanted) refuseIfAny([errorEntry("config_id", "config_id is not valid")]);
  throw badRequest(reasons.configMissing);
}
