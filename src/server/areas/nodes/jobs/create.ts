import { type ApiErrorEntry, reasons } from "../../../../contract/errors.ts";
import type { Alerts, NewNode } from "../../../../contract/resources/node.ts";
import type { Helpers } from "../../../../contract/resources/node-config.ts";
import type { Catalog } from "../../../catalog/schema.ts";
import { readAccount } from "../../../entities/account.ts";
import type { Context, Profile } from "../../../entities/context.ts";
import { changeTags, grantToCreator, hasGrant } from "../../../entities/entities.ts";
import { errorEntry } from "../../../kit/api-error.ts";
import { timestamp } from "../../../kit/timestamp.ts";
import type { AccountRow, Database, DiskRow, NewNodeConfigRow, NodeConfigRow, NodeRow } from "../../../store/tables.ts";
import { chargeNode } from "../../billing/charges.ts";
import { giveAddress, giveSlaac } from "../addresses/addresses.ts";
import { findBackupInAccount } from "../rows/backups.ts";
import { insertDiskRow } from "../rows/disks.ts";
import { insertNodeConfigRow } from "../rows/node-configs.ts";
import { insertNodeRow, isNodeLabelTaken } from "../rows/nodes.ts";
import { type CatalogImage, readDeployment } from "../rules/deployment.ts";
import { readInterfaces, type StoredInterface } from "../rules/interfaces.ts";
import { contentsOf, startBackups } from "./backups.ts";
import { type Contents, needsVlans, sizeOf } from "./contents.ts";

export type CatalogRegion = Catalog["regions"][number];
export type CatalogType = Catalog["types"][number];

/** Default size of a swap disk, in MB (decisions/documents#nodes). */
export const defaultSwap = 512;

/** The kernel of a configuration profile for which the request has none. */
export const defaultKernel = "node/latest-64bit";

/** A request to create a node, read and checked. */
export interface NodePlan {
  readonly region: CatalogRegion;
  readonly type: CatalogType;
  /** The image to deploy, and the size of the swap disk beside it, in MB. */
  readonly image: CatalogImage | undefined;
  readonly swap: number;
  /** The contents of the backup that the node is made from. */
  readonly backup: Contents | undefined;
  readonly interfaces: readonly StoredInterface[];
}

/** Reads a request to create a node: what to create, unless it has errors (decisions/nodes#creation). */
export async function planNode(
  db: Database,
  body: NewNode,
  context: Context,
): Promise<{ plan: NodePlan | undefined; errors: ApiErrorEntry[] }> {
  const { catalog, profile, caller } = context;
  const region = findRegion(catalog, body.region);
  const type = findCatalogType(catalog, body.type);
  const { image, errors } = await readDeployment(db, body, context);
  const { interfaces, errors: interfaceErrors } = readInterfaces(body.interfaces ?? [], {
    hasVlans: region === undefined || hasVlans(catalog, region.id),
    profile,
  });
  const { backup, errors: backupErrors } = await readBackup(db, body, { region, type }, context);
  const swap = image === undefined ? 0 : (body.swap_size ?? defaultSwap);
  errors.push(
    ...(type === undefined && profile === "live" ? [unknownTypeError(profile)] : []),
    ...(region === undefined ? [errorEntry("region", "region is not valid")] : []),
    ...(type === undefined && profile !== "live" ? [unknownTypeError(profile)] : []),
    ...(body.image != null && body.backup_id != null
      ? [errorEntry("backup_id", "image and backup_id exclude each other")]
      : []),
    ...(image && type ? imageErrors(image, swap, type.disk) : []),
    ...backupErrors,
    ...(await labelErrors(db, caller.accountId, body.label)),
    ...interfaceErrors,
  );
  return { plan: region && type ? { region, type, image, swap, backup, interfaces } : undefined, errors };
}

/** The contents of the backup that a request names, or why it cannot become a node of this region and type. */
async function readBackup(
  db: Database,
  { image, backup_id }: NewNode,
  { region, type }: { readonly region: CatalogRegion | undefined; readonly type: CatalogType | undefined },
  context: Context,
): Promise<{ backup: Contents | undefined; errors: ApiErrorEntry[] }> {
  const refuse = (reason: string) => ({ backup: undefined, errors: [errorEntry("backup_id", reason)] });
  if (backup_id == null || image != null) return { backup: undefined, errors: [] };
  const row = await findBackupInAccount(db, context.caller.accountId, backup_id);
  if (row === undefined) return refuse("backup_id is not valid");
  const node = { entity_type: "node", entity_id: row.node_id } as const;
  if (!(await hasGrant(db, context, node, "read_write"))) return refuse("backup_id is not valid");
  if (row.status !== "successful") return refuse("Only a successful backup can be restored");
  const backup = contentsOf(row);
  const errors = [
    ...(region && region.id !== row.region ? [errorEntry("region", "The region must be that of the backup")] : []),
    ...(type ? typeErrors(type, sizeOf(backup.disks)) : []),
  ];
  return { backup, errors };
}

/** An error for a type whose disk is smaller than the disks that it has to hold. */
export function typeErrors(type: CatalogType, needed: number): ApiErrorEntry[] {
  if (needed <= type.disk) return [];
  return [errorEntry("type", `The disks need ${needed} MB, and the type has ${type.disk} MB`)];
}

/** The region of this id, if it has nodes. */
export function findRegion(catalog: Catalog, id: string): CatalogRegion | undefined {
  return catalog.regions.find((region) => region.id === id && region.capabilities.includes("Nodes"));
}

/** Whether a region has VLANs. */
export function hasVlans(catalog: Catalog, id: string): boolean {
  return catalog.regions.some((region) => region.id === id && region.capabilities.includes("Vlans"));
}

/** An error for a region without the VLANs of configuration profiles that are to work there. */
export function vlanErrors(
  catalog: Catalog,
  region: string,
  configs: readonly Pick<NodeConfigRow, "interfaces">[],
): ApiErrorEntry[] {
  if (hasVlans(catalog, region) || !needsVlans(configs)) return [];
  return [errorEntry("region", "region does not support VLANs")];
}

/** The error for an id of no type; clients of the hosted service know its text. */
export function unknownTypeError(profile: Profile): ApiErrorEntry {
  return errorEntry("type", profile === "live" ? reasons.typeUnknown : "type is not valid");
}

/** The type of this id. */
export function findCatalogType(catalog: Catalog, id: string): CatalogType | undefined {
  return catalog.types.find((type) => type.id === id);
}

/** Errors of an image and its swap disk that need more room, in MB, than there is. */
export function imageErrors(image: CatalogImage, swap: number, room: number): ApiErrorEntry[] {
  if (image.size > room) return [errorEntry("image", `The image needs ${image.size} MB, and the node has ${room} MB`)];
  return swap > room - image.size ? [errorEntry("swap_size", `Must be 0-${room - image.size} beside the image`)] : [];
}

/** An error for a label that another node of the account has. */
export async function labelErrors(
  db: Database,
  account_id: number,
  label: string | null | undefined,
  except?: number,
): Promise<ApiErrorEntry[]> {
  const isTaken = label != null && (await isNodeLabelTaken(db, account_id, label, except));
  return isTaken ? [errorEntry("label", reasons.labelTaken)] : [];
}

/** The fields of a request for a new node, besides those about where and from what. */
type NewNodeFields = Pick<NewNode, "label" | "group" | "backups_enabled" | "private_ip" | "tags"> &
  Pick<NodeRow, "status" | "image">;

/** Stores a node with its addresses, its tags, its charges and the grant of a restricted creator. */
export async function insertNode(
  db: Database,
  { status, image, ...wanted }: NewNodeFields,
  { region, type }: Pick<NodePlan, "region" | "type">,
  context: Context,
): Promise<NodeRow> {
  const { caller, now, profile } = context;
  const account = await readAccount(db, caller);
  const moment = timestamp(now);
  const node = await insertNodeRow(db, {
    account_id: account.id,
    prefix: profile === "live" ? "linode" : "node",
    label: wanted.label ?? undefined,
    group: wanted.group ?? "",
    status,
    type: type.id,
    region: region.id,
    image,
    ...specsOf(type),
    alerts: JSON.stringify(defaultAlerts(type)),
    backups_enabled: 0,
    watchdog_enabled: 1,
    created: moment,
    updated: moment,
  });
  const { pools } = region;
  const { catalog } = context;
  await giveAddress(db, node, "public", { pools, now, catalog });
  if (wanted.private_ip) await giveAddress(db, node, "private", { pools, now, catalog });
  await giveSlaac(db, node, pools);
  await grantToCreator(db, context, "node", node.id);
  await changeTags(db, { entity_type: "node", entity_id: node.id }, wanted.tags ?? [], context);
  const hasBackups = wanted.backups_enabled ?? account.backups_enabled === 1;
  const stored = hasBackups ? await startBackups(db, node, now) : node;
  await chargeNode(db, stored, context);
  return stored;
}

/** The columns of a node that follow from its type. */
export function specsOf({ disk, memory, vcpus, transfer }: CatalogType) {
  return { disk, memory, vcpus, transfer };
}

/** The thresholds of a new node of this type. */
export function defaultAlerts({ vcpus }: CatalogType): Alerts {
  return { cpu: 90 * vcpus, network_in: 10, network_out: 10, transfer_quota: 80, io: 10_000 };
}

/** The label of the disk that an image is deployed to. */
export function diskLabel({ label }: CatalogImage): string {
  return `${label} Disk`.slice(0, 48);
}

/** Stores the disks of an image and the configuration profile that boots them; returns both. */
export async function deployImage(
  db: Database,
  node: NodeRow,
  { image, swap, interfaces }: { image: CatalogImage; swap: number; interfaces: readonly StoredInterface[] },
  {
    now,
    account,
    status,
  }: { readonly now: Date; readonly account: Pick<AccountRow, "network_helper">; readonly status: DiskRow["status"] },
): Promise<{ config: NodeConfigRow; disk: DiskRow }> {
  const moment = timestamp(now);
  const common = { node_id: node.id, status, created: moment, updated: moment } as const;
  const disk = await insertDiskRow(db, {
    ...common,
    label: diskLabel(image),
    filesystem: image.filesystem,
    size: node.disk - swap,
    content: image.size,
  });
  const swapDisk =
    swap === 0
      ? undefined
      : await insertDiskRow(db, {
          ...common,
          label: `${swap} MB Swap Image`,
          filesystem: "swap",
          size: swap,
          content: 0,
        });
  const config = await insertNodeConfigRow(db, {
    ...newConfigColumns(node, { now, account }),
    label: `My ${image.label} Disk Profile`.slice(0, 48),
    devices: JSON.stringify({
      sda: { disk_id: disk.id, volume_id: null },
      ...(swapDisk && { sdb: { disk_id: swapDisk.id, volume_id: null } }),
    }),
    interfaces: JSON.stringify(interfaces),
  });
  return { config, disk };
}

/** The columns of a configuration profile of which nothing but its label is known, in this account. */
export function newConfigColumns(
  node: Pick<NodeRow, "id">,
  { now, account }: { readonly now: Date; readonly account: Pick<AccountRow, "network_helper"> },
): Omit<NewNodeConfigRow, "label"> {
  const moment = timestamp(now);
  const helpers: Helpers = {
    updatedb_disabled: true,
    distro: true,
    modules_dep: true,
    network: account.network_helper === 1,
    devtmpfs_automount: true,
  };
  return {
    node_id: node.id,
    comments: "",
    kernel: defaultKernel,
    memory_limit: 0,
    root_device: "/dev/sda",
    run_level: "default",
    virt_mode: "paravirt",
    helpers: JSON.stringify(helpers),
    devices: "{}",
    interfaces: "[]",
    created: moment,
    updated: moment,
  };
}
