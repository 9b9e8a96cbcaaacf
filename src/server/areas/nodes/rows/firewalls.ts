import { expressionBuilder, sql } from "kysely";
import { addToList } from "../../../../group-by.ts";
import { removeReferences } from "../../../entities/entities-rows.ts";
import { whereGranted } from "../../../entities/grants-rows.ts";
import { tagsAttribute } from "../../../entities/tags-rows.ts";
import { type Attributes, number, textAttribute } from "../../../store/filter.ts";
import { type Rows, type Slice, slice } from "../../../store/page.ts";
import type { Database, FirewallDeviceRow, FirewallRow, NodeRow, Tables } from "../../../store/tables.ts";

/** Whose firewalls are listed: an account's, or those of one of its nodes. */
export interface FirewallsOf {
  readonly account_id: number;
  readonly node_id?: number;
  /** Only the firewalls on which this user has a grant. */
  readonly grantee: number | undefined;
}

export function listFirewallRows(
  db: Database,
  { account_id, node_id, grantee }: FirewallsOf,
  wanted: Slice,
): Promise<Rows<FirewallRow>> {
  const ofAccount = db.selectFrom("firewalls").where("account_id", "=", account_id);
  const ofNode = ({ selectFrom }: typeof eb) =>
    selectFrom("firewall_devices")
      .select("firewall_devices.firewall_id")
      .where("firewall_devices.node_id", "=", node_id ?? 0);
  const rows = node_id === undefined ? ofAccount : ofAccount.where("firewalls.id", "in", ofNode);
  return slice(db, { rows, ...whereGranted(grantee, "firewall", eb.ref("firewalls.id")) }, attributes, wanted);
}

/** Deletes a firewall with its grants, tags and devices. */
export async function removeFirewallRow(db: Database, id: number): Promise<void> {
  await removeReferences(db, "firewall", id);
  await db.deleteFrom("firewalls").where("id", "=", id).execute();
}

export function listFirewallDeviceRows(
  db: Database,
  firewall_id: number,
  wanted: Slice,
): Promise<Rows<FirewallDeviceRow>> {
  return slice(
    db,
    { rows: db.selectFrom("firewall_devices").where("firewall_id", "=", firewall_id) },
    deviceAttributes,
    wanted,
  );
}

/** The nodes that these firewalls protect, by the id of the firewall. */
export async function listProtectedEntities(
  db: Database,
  of: readonly Pick<FirewallRow, "id">[],
): Promise<ReadonlyMap<number, NodeRow[]>> {
  if (of.length === 0) return new Map();
  const rows = await db
    .selectFrom("firewall_devices")
    .innerJoin("nodes", "nodes.id", "firewall_devices.node_id")
    .selectAll("nodes")
    .select("firewall_devices.firewall_id")
    .where(
      "firewall_devices.firewall_id",
      "in",
      of.map(({ id }) => id),
    )
    .orderBy("firewall_devices.id")
    .execute();
  const found = new Map<number, NodeRow[]>();
  for (const { firewall_id, ...node } of rows) addToList(found, firewall_id, node);
  return found;
}

const eb = expressionBuilder<Tables, "firewalls">();

const attributes: Attributes = {
  id: number(eb.ref("firewalls.id")),
  label: textAttribute(eb.ref("firewalls.label")),
  created: textAttribute(eb.ref("firewalls.created")),
  updated: textAttribute(eb.ref("firewalls.updated")),
  status: textAttribute(eb.ref("firewalls.status")),
  tags: tagsAttribute("firewall", "firewalls.id"),
};

const deviceAttributes: Attributes = {
  id: number(sql.ref("firewall_devices.id")),
  created: textAttribute(sql.ref("firewall_devices.created")),
  updated: textAttribute(sql.ref("firewall_devices.updated")),
};
