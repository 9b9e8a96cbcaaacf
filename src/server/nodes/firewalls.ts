import type { Firewall, NewFirewallRules } from "../../contract/resources/firewall.ts";
import { readAccount } from "../kit/account.ts";
import { notFound } from "../kit/api-error.ts";
import type { Context } from "../kit/context.ts";
import { firewallEntity, hasGrant, nodeEntity, requireGrant } from "../kit/entities.ts";
import { addEvent } from "../kit/events.ts";
import { timestamp } from "../kit/timestamp.ts";
import * as firewalls from "../store/firewalls.ts";
import type { Database, FirewallRow, NodeRow, Permissions } from "../store/tables.ts";
import { tagsOf } from "../store/tags.ts";

/** Stored firewalls as replies show them: the keys in the order of the live service. */
export async function firewallReplies(db: Database, rows: readonly FirewallRow[]): Promise<Firewall[]> {
  const tags = await tagsOf(
    db,
    "firewall",
    rows.map(({ id }) => id),
  );
  return rows.map(({ id, label, created, updated, status, rules }) => ({
    id,
    label,
    created,
    updated,
    status,
    rules: JSON.parse(rules),
    tags: tags.get(id) ?? [],
  }));
}

/** The rules of a request as a column. */
export function rulesColumn({ inbound, inbound_policy, outbound, outbound_policy }: NewFirewallRules): string {
  return JSON.stringify({ inbound: inbound ?? [], inbound_policy, outbound: outbound ?? [], outbound_policy });
}

/**
 * The caller's firewall of this id. To change it, its account is locked first.
 * @throws {ApiError} 404 if it does not exist or belongs to another account; 403 for a restricted user whose grant on
 * it is less than `needed`.
 */
export async function findFirewall(
  db: Database,
  id: number,
  context: Context,
  needed: Permissions = "read_only",
): Promise<FirewallRow> {
  if (needed === "read_write") await readAccount(db, context.caller);
  const firewall = await firewalls.find(db, context.caller.accountId, id);
  if (firewall === undefined) throw notFound();
  await requireGrant(db, context, { entity_type: "firewall", entity_id: id }, needed);
  return firewall;
}

/** The firewall of this id, if the caller may give it to a node. */
export async function findFirewallToGive(db: Database, id: number, context: Context): Promise<FirewallRow | undefined> {
  const mayGive = await hasGrant(db, context, { entity_type: "firewall", entity_id: id }, "read_write");
  return mayGive ? firewalls.find(db, context.caller.accountId, id) : undefined;
}

/** Gives a node a firewall that it does not have. */
export async function giveFirewall(
  db: Database,
  firewall: FirewallRow,
  node: NodeRow,
  context: Context,
): Promise<void> {
  const moment = timestamp(context.now);
  await firewalls.insertDevice(db, { firewall_id: firewall.id, node_id: node.id, created: moment, updated: moment });
  await addEvent(db, context, "firewall_device_add", { entity: firewallEntity(firewall), secondary: nodeEntity(node) });
}
