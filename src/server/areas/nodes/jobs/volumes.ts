import type { NewDevices } from "../../../../contract/resources/node-config.ts";
import type { Volume } from "../../../../contract/resources/volume.ts";
import { readAccount } from "../../../entities/account.ts";
import type { Context, Profile } from "../../../entities/context.ts";
import { hasGrant, nodeEntity, requireGrant, volumeEntity } from "../../../entities/entities.ts";
import { addEvent } from "../../../entities/events.ts";
import { startJob } from "../../../entities/jobs.ts";
import { jobKindsOf } from "../../../entities/jobs-rows.ts";
import { tagsOf } from "../../../entities/tags-rows.ts";
import { badRequest, errorEntry, notFound, refuseIfAny } from "../../../kit/api-error.ts";
import type { EndJob, JobKinds } from "../../../kit/job-kinds.ts";
import { timestamp } from "../../../kit/timestamp.ts";
import type { Database, NodeRow, Permissions, VolumeRow } from "../../../store/tables.ts";
import { findNodeConfigRow, listAllNodeConfigs, updateNodeConfigRow } from "../rows/node-configs.ts";
import { listNodeRowsById, updateNodeRow } from "../rows/nodes.ts";
import { findVolumeRow, listVolumeRowsById, statusDuring, updateVolumeRow, volumePath } from "../rows/volumes.ts";
import { type Devices, freeSlot, hasVolume, withoutVolume } from "../rules/devices.ts";
import { findTarget } from "./find.ts";
import { requireIdle } from "./jobs.ts";

/** Stored volumes as replies show them: the keys in the order of the live service. */
export async function volumeReplies(db: Database, rows: readonly VolumeRow[], profile: Profile): Promise<Volume[]> {
  const tags = await tagsOf(db, "volume", idsOf(rows));
  const working = await jobKindsOf(db, "volume", idsOf(rows));
  const [first] = rows;
  const attachedTo = rows.flatMap(({ node_id }) => (node_id === null ? [] : [node_id]));
  const known = first === undefined ? [] : await listNodeRowsById(db, first.account_id, [...new Set(attachedTo)]);
  const labels = new Map(known.map(({ id, label }) => [id, label]));
  return rows.map((row) => ({
    id: row.id,
    status: statusDuring(working.get(row.id)),
    label: row.label,
    created: row.created,
    updated: row.updated,
    filesystem_path: `${volumePath}${row.label}`,
    hardware_type: "nvme",
    node_id: row.node_id,
    node_label: row.node_id === null ? null : (labels.get(row.node_id) ?? null),
    region: row.region,
    size: row.size,
    tags: tags.get(row.id) ?? [],
    ...(profile === "live" && {
      io_ready: row.node_id !== null && statusDuring(working.get(row.id)) !== "creating",
      encryption: "enabled",
    }),
  }));
}

/** Duration of the jobs of volumes at the hosted service, in seconds. */
const defaultSeconds = 10;

/** Starts the job that creates or resizes a volume. The documented service does so at once. */
export async function startVolumeJob(
  db: Database,
  volume: VolumeRow,
  action: "volume_create" | "volume_resize",
  context: Context,
): Promise<void> {
  const entity = volumeEntity(volume);
  if (context.profile === "documented") {
    await addEvent(db, context, action, { entity });
    return;
  }
  const of = { type: "volume", id: volume.id };
  const seconds = context.jobDriver.seconds(defaultSeconds);
  await startJob(db, context, { kind: action, action, of, entity, seconds });
}

const endVolumeJob: EndJob = async (_, { failure }) => (failure === null ? undefined : { message: failure });

/** The ends of the jobs of volumes, which the volume only waits for. */
export const endsOfVolumeJobs: JobKinds = { volume_create: endVolumeJob, volume_resize: endVolumeJob };

/** Why the job of a volume that is deleted fails. */
export const volumeDeleted = "The volume was deleted.";

function idsOf(rows: readonly VolumeRow[]): number[] {
  return rows.map(({ id }) => id);
}

/**
 * The caller's volume of this id. To change it, its account is locked first.
 * @throws {Refusal} 404 if it does not exist or belongs to another account; 403 for a restricted user whose grant on
 * it is less than `needed`.
 */
export async function findVolume(
  db: Database,
  id: number,
  context: Context,
  needed: Permissions = "read_only",
): Promise<VolumeRow> {
  if (needed === "read_write") await readAccount(db, context.caller);
  const volume = await findVolumeRow(db, context.caller.accountId, id);
  if (volume === undefined) throw notFound();
  await requireGrant(db, context, { entity_type: "volume", entity_id: id }, needed);
  return volume;
}

/**
 * The node that a volume is attached to by a request.
 * @throws {Refusal} 400 for an unknown node and for one with an unfinished job, 403 for a restricted user without a
 * grant on it.
 */
export async function findVolumeHost(db: Database, id: number, context: Context): Promise<NodeRow> {
  const node = await findTarget(db, id, context);
  await requireIdle(db, node, context.profile);
  return node;
}

/** The volumes in slots of a request that are or may be attached to the node, and why others may not, by their ids. */
interface Attachable {
  readonly volumes: readonly VolumeRow[];
  readonly obstacles: ReadonlyMap<number, string>;
}

/** The volumes in slots of a request. Those that the caller may not change are in neither list. */
export async function findAttachable(
  db: Database,
  devices: NewDevices,
  node: NodeRow,
  context: Context,
): Promise<Attachable> {
  const wanted = Object.values(devices).flatMap((slot) => (slot?.volume_id == null ? [] : [slot.volume_id]));
  const found: VolumeRow[] = [];
  const obstacles = new Map<number, string>();
  for (const volume of await listVolumeRowsById(db, node.account_id, wanted)) {
    const entity = { entity_type: "volume", entity_id: volume.id } as const;
    if (!(await hasGrant(db, context, entity, "read_write"))) continue;
    if (volume.region !== node.region) obstacles.set(volume.id, "The volume is in another region than the node");
    else if ((volume.node_id ?? node.id) !== node.id)
      obstacles.set(volume.id, "The volume is attached to another node");
    else found.push(volume);
  }
  return { volumes: found, obstacles };
}

/** Attaches a volume to a node, if it is not attached yet. */
export async function attach(db: Database, volume: VolumeRow, node: NodeRow, context: Context): Promise<VolumeRow> {
  if (volume.node_id === node.id) return volume;
  const attached = await updateVolumeRow(db, volume.id, { node_id: node.id, updated: timestamp(context.now) });
  await noteAttached(db, volume, node, context);
  return attached;
}

/** Writes the event of a volume that is attached. */
export async function noteAttached(db: Database, volume: VolumeRow, node: NodeRow, context: Context): Promise<void> {
  await addEvent(db, context, "volume_attach", { entity: volumeEntity(volume), secondary: nodeEntity(node) });
}

/**
 * Puts a volume into the first free slot of the wanted configuration profile, or else of that of the last boot. The id
 * 0 names none.
 * @throws {Refusal} 400 for an unknown configuration profile, and for one without a free slot.
 */
export async function plugIn(
  db: Database,
  { id: volume_id }: VolumeRow,
  node: NodeRow,
  wanted: number | null | undefined,
): Promise<void> {
  const config = await findNodeConfigRow(db, node.id, wanted || (node.booted_config_id ?? 0));
  if (config === undefined) {
    refuseIfAny(wanted ? [errorEntry("config_id", "config_id is not valid")] : []);
    return;
  }
  const devices: Devices = JSON.parse(config.devices);
  if (hasVolume(devices, volume_id)) return;
  const slot = freeSlot(devices, config.virt_mode);
  if (slot === undefined) throw badRequest("The configuration profile has no free slot for the volume");
  const plugged = { ...devices, [slot]: { disk_id: null, volume_id } };
  await updateNodeConfigRow(db, config.id, { devices: JSON.stringify(plugged) });
}

/** Detaches a volume, which leaves the slots of the node as well. */
export async function detach(db: Database, volume: VolumeRow, node: NodeRow, context: Context): Promise<void> {
  for (const { id, devices } of await listAllNodeConfigs(db, node.id))
    await updateNodeConfigRow(db, id, { devices: unplugVolume(devices, volume) });
  if (node.rescue_devices !== null)
    await updateNodeRow(db, node.id, { rescue_devices: unplugVolume(node.rescue_devices, volume) });
  await updateVolumeRow(db, volume.id, { node_id: null, updated: timestamp(context.now) });
  await addEvent(db, context, "volume_detach", { entity: volumeEntity(volume), secondary: nodeEntity(node) });
}

function unplugVolume(devices: string, { id }: VolumeRow): string {
  return JSON.stringify(withoutVolume(JSON.parse(devices), id));
}
