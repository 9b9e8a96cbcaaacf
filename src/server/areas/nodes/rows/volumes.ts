import { expressionBuilder, sql } from "kysely";
import { removeReferences } from "../../../entities/entities-rows.ts";
import { whereGranted } from "../../../entities/grants-rows.ts";
import { tagsAttribute } from "../../../entities/tags-rows.ts";
import { type Attributes, always, boolean, number, numberOrNull, textAttribute } from "../../../store/filter.ts";
import { type Rows, type Slice, slice } from "../../../store/page.ts";
import type { Database, NewVolumeRow, Tables, VolumeRow } from "../../../store/tables.ts";

/** Whose volumes are listed: an account's, or those of one of its nodes. */
export interface VolumesOf {
  readonly account_id: number;
  readonly node_id?: number;
  /** Only the volumes on which this user has a grant. */
  readonly grantee: number | undefined;
}

export function listVolumeRows(
  db: Database,
  { account_id, node_id, grantee }: VolumesOf,
  wanted: Slice,
): Promise<Rows<VolumeRow>> {
  const ofAccount = db.selectFrom("volumes").where("account_id", "=", account_id);
  const rows = node_id === undefined ? ofAccount : ofAccount.where("node_id", "=", node_id);
  return slice(db, { rows, ...whereGranted(grantee, "volume", eb.ref("volumes.id")) }, attributes, wanted);
}

/** The account's volumes among these ids, by id. */
export async function listVolumeRowsById(
  db: Database,
  account_id: number,
  ids: readonly number[],
): Promise<VolumeRow[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom("volumes")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("id", "in", ids)
    .orderBy("id")
    .execute();
}

/** All volumes of an account, the oldest first. */
export function listAllVolumes(db: Database, account_id: number): Promise<VolumeRow[]> {
  return db.selectFrom("volumes").selectAll().where("account_id", "=", account_id).orderBy("id").execute();
}

/** All volumes that are attached to a node, the oldest first. */
export function listVolumesOfNode(db: Database, node_id: number): Promise<VolumeRow[]> {
  return db.selectFrom("volumes").selectAll().where("node_id", "=", node_id).orderBy("id").execute();
}

/** Selects the nodes that a volume is attached to. */
export async function listVolumeHosts(db: Database, nodes: readonly number[]): Promise<number[]> {
  if (nodes.length === 0) return [];
  const rows = await db.selectFrom("volumes").select("node_id").where("node_id", "in", nodes).execute();
  return rows.flatMap(({ node_id }) => node_id ?? []);
}

/** The account's volume of this id. Writes lock its account before. */
export function findVolumeRow(db: Database, account_id: number, id: number): Promise<VolumeRow | undefined> {
  return db
    .selectFrom("volumes")
    .selectAll()
    .where("id", "=", id)
    .where("account_id", "=", account_id)
    .executeTakeFirst();
}

/** Whether another volume of the account has this label. */
export async function isVolumeLabelTaken(
  db: Database,
  account_id: number,
  label: string,
  except = 0,
): Promise<boolean> {
  const row = await db
    .selectFrom("volumes")
    .select("id")
    .where("account_id", "=", account_id)
    .where("label", "=", label)
    .where("id", "!=", except)
    .executeTakeFirst();
  return row !== undefined;
}

export function insertVolumeRow(db: Database, row: NewVolumeRow): Promise<VolumeRow> {
  return db.insertInto("volumes").values(row).returningAll().executeTakeFirstOrThrow();
}

export function updateVolumeRow(db: Database, id: number, changes: Partial<NewVolumeRow>): Promise<VolumeRow> {
  return db.updateTable("volumes").set(changes).where("id", "=", id).returningAll().executeTakeFirstOrThrow();
}

/** Deletes a volume with its grants and tags. */
export async function removeVolumeRow(db: Database, id: number): Promise<void> {
  await removeReferences(db, "volume", id);
  await db.deleteFrom("volumes").where("id", "=", id).execute();
}

/** The path of a volume's device is this and its label. */
export const volumePath = "/dev/disk/by-id/scsi-0Node_Volume_";

const eb = expressionBuilder<Tables, "volumes">();

/** The status of a volume with an unfinished job of this kind, or without one. */
export function statusDuring(kind: string | undefined): "active" | "creating" | "resizing" {
  if (kind === undefined) return "active";
  return kind === "volume_create" ? "creating" : "resizing";
}

const ofVolume = sql`from jobs where jobs.entity_type = 'volume' and jobs.entity_id = volumes.id`;

const attributes: Attributes = {
  id: number(eb.ref("volumes.id")),
  status: textAttribute(sql`coalesce((select case jobs.kind when 'volume_create' then 'creating' else 'resizing' end
    ${ofVolume} limit 1), 'active')`),
  label: textAttribute(eb.ref("volumes.label")),
  created: textAttribute(eb.ref("volumes.created")),
  updated: textAttribute(eb.ref("volumes.updated")),
  filesystem_path: textAttribute(sql`cast(${volumePath} as text) || volumes.label`),
  hardware_type: always("nvme"),
  node_id: numberOrNull(eb.ref("volumes.node_id")),
  node_label: textAttribute(sql`(select nodes.label from nodes where nodes.id = volumes.node_id)`),
  region: textAttribute(eb.ref("volumes.region")),
  size: number(eb.ref("volumes.size")),
  tags: tagsAttribute("volume", "volumes.id"),
  io_ready: boolean(
    sql`case when volumes.node_id is null or exists (select 1 ${ofVolume} and jobs.kind = 'volume_create') then 0 else 1 end`,
  ),
  encryption: always("enabled"),
};
