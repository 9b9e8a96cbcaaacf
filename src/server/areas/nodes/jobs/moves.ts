import type { ApiErrorEntry } from "../../../../contract/errors.ts";
import type { Alerts } from "../../../../contract/resources/node.ts";
import type { Catalog } from "../../../catalog/schema.ts";
import { updateEventRow } from "../../../entities/events.ts";
import { Refusal } from "../../../kit/api-error.ts";
import type { JobFailure } from "../../../kit/job-kinds.ts";
import { timestamp } from "../../../kit/timestamp.ts";
import type { AddressRow, Database, NodeRow } from "../../../store/tables.ts";
import { chargeNode } from "../../billing/charges.ts";
import { freeAddresses, giveAddress, giveSlaac } from "../addresses/addresses.ts";
import { listAddressesByNode } from "../addresses/addresses-rows.ts";
import { listAllDisks, updateDiskRow } from "../rows/disks.ts";
import { listAllNodeConfigs } from "../rows/node-configs.ts";
import { updateNodeRow } from "../rows/nodes.ts";
import { listVolumesOfNode } from "../rows/volumes.ts";
import { type CatalogType, defaultAlerts, findCatalogType, findRegion, specsOf, vlanErrors } from "./create.ts";
import { type Ending, factOf, type NodeEnd, restoreStatus, setStatus } from "./ending.ts";
import { describeFreed } from "./freed.ts";

/** The ends of the jobs that move a node to another host; it is as much on or off as before. */
export const moveEnds = {
  resize: { end: takeType, fail: restoreStatus },
  migrate: { end: stayOn, fail: restoreStatus },
  migrate_datacenter: { end: takeRegion, fail: restoreStatus },
} satisfies Record<string, NodeEnd>;

async function stayOn(ending: Ending): Promise<undefined> {
  await setStatus(ending, ending.data.before);
}

async function takeType(ending: Ending): Promise<JobFailure | undefined> {
  const { db, node, data, catalog, now } = ending;
  const type = findCatalogType(catalog, factOf(data.type));
  if (type === undefined) return { message: "The catalogue no longer has the type." };
  if (data.grows && type.disk > node.disk) await growDisk(db, node, type.disk, now);
  const alerts = alertsWith(node, type, ending);
  await chargeNode(db, await updateNodeRow(db, node.id, { type: type.id, ...specsOf(type), alerts }), ending);
  return stayOn(ending);
}

/** Gives the only ext disk of a node, if it has no other besides one for swap, all room of the new type. */
async function growDisk(db: Database, node: NodeRow, room: number, now: Date): Promise<void> {
  const own = await listAllDisks(db, node.id);
  const swaps = own.filter(({ filesystem }) => filesystem === "swap");
  const [disk, ...others] = own.filter(({ filesystem }) => filesystem !== "swap");
  if (disk === undefined || others.length > 0 || swaps.length > 1 || !disk.filesystem.startsWith("ext")) return;
  await updateDiskRow(db, disk.id, { size: room - (swaps[0]?.size ?? 0), updated: timestamp(now) });
}

/** The thresholds of the node; that of the CPU follows the number of them unless the user has chosen another. */
function alertsWith(node: NodeRow, type: CatalogType, { catalog }: Ending): string {
  const alerts: Alerts = JSON.parse(node.alerts);
  const before = findCatalogType(catalog, node.type);
  const isUsual = before !== undefined && alerts.cpu === defaultAlerts(before).cpu;
  return JSON.stringify({ ...alerts, ...(isUsual && { cpu: defaultAlerts(type).cpu }) });
}

/**
 * Reasons why a node cannot change to a region: its volumes stay where they are, and its VLANs need one that has them.
 * They may also come after the request, because the job does not hold up configuration profiles.
 */
export async function regionObstacles(
  db: Database,
  node: NodeRow,
  region: string,
  catalog: Catalog,
): Promise<ApiErrorEntry[]> {
  const attached = await listVolumesOfNode(db, node.id);
  if (attached.length > 0) return [{ reason: "Volumes must be detached before the region changes" }];
  return vlanErrors(catalog, region, await listAllNodeConfigs(db, node.id));
}

/** Gives the node as many addresses of the new region as it had; those of the old one rest. */
async function takeRegion(ending: Ending): Promise<JobFailure | undefined> {
  const { db, job, node, data, catalog, now } = ending;
  const region = findRegion(catalog, factOf(data.region));
  if (region === undefined) return { message: "The catalogue no longer has the region." };
  const [obstacle] = await regionObstacles(db, node, region.id, catalog);
  if (obstacle !== undefined) return { message: obstacle.reason };
  const { pools } = region;
  const moved = { ...node, region: region.id };
  const before = (await listAddressesByNode(db, [node.id])).get(node.id) ?? [];
  const given: AddressRow[] = [];
  try {
    for (const row of before)
      if (row.type === "ipv4")
        given.push(await giveAddress(db, moved, row.public === 1 ? "public" : "private", { pools, now, catalog }));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await freeAddresses(db, given, ending);
    return { message: error.message };
  }
  await freeAddresses(db, before, ending);
  await giveSlaac(db, moved, pools);
  const after = (await listAddressesByNode(db, [node.id])).get(node.id) ?? [];
  const lost = before.filter(({ id }) => !after.some((row) => row.id === id));
  if (job.event_id !== null && lost.length > 0)
    await updateEventRow(db, job.event_id, await describeFreed(db, node.account_id, lost));
  await chargeNode(db, await updateNodeRow(db, node.id, { region: region.id }), ending);
  return stayOn(ending);
}
