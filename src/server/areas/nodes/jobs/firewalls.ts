import { createHash } from "node:crypto";
import {
  type Firewall,
  type FirewallRules,
  type NewFirewallRules,
  protocolReason,
  protocols,
} from "../../../../contract/resources/firewall.ts";
import { readAccount } from "../../../entities/account.ts";
import type { Context, Profile } from "../../../entities/context.ts";
import { firewallEntity, hasGrant, nodeEntity, requireGrant } from "../../../entities/entities.ts";
import { addEvent } from "../../../entities/events.ts";
import { tagsOf } from "../../../entities/tags-rows.ts";
import { errorEntry, notFound, refuseIfAny } from "../../../kit/api-error.ts";
import { timestamp } from "../../../kit/timestamp.ts";
import type { Database, FirewallRow, NodeRow, Permissions } from "../../../store/tables.ts";
import { findFirewallRow, insertFirewallDeviceRow, listProtectedEntities } from "../rows/firewalls.ts";

/** Stored firewalls as replies show them: the keys in the order of the live service. */
export async function firewallReplies(
  db: Database,
  rows: readonly FirewallRow[],
  profile: Profile,
): Promise<Firewall[]> {
  const tags = await tagsOf(
    db,
    "firewall",
    rows.map(({ id }) => id),
  );
  const isLive = profile === "live";
  const protectedBy = isLive ? await listProtectedEntities(db, rows) : new Map<number, NodeRow[]>();
  return rows.map((row) => ({
    id: row.id,
    label: row.label,
    created: row.created,
    updated: row.updated,
    status: row.status,
    rules: rulesReply(row, profile),
    tags: tags.get(row.id) ?? [],
    ...(isLive && {
      entities: (protectedBy.get(row.id) ?? []).map(protectedEntity),
    }),
  }));
}

/** A node as replies of profile live show it at its firewalls. */
export function protectedEntity(node: Parameters<typeof nodeEntity>[0]) {
  return { ...nodeEntity(node), parent_entity: null };
}

/** The rules as they are stored: lists are null if the request had null, and `version` counts from 1. */
type StoredRules = Pick<FirewallRules, "inbound" | "inbound_policy" | "outbound" | "outbound_policy"> & {
  readonly version?: number;
};

/** The stored rules of a firewall as replies show them. */
export function rulesReply({ rules }: FirewallRow, profile: Profile): FirewallRules {
  const { version = 1, ...stored }: StoredRules = JSON.parse(rules);
  if (profile === "documented") return { ...stored, inbound: stored.inbound ?? [], outbound: stored.outbound ?? [] };
  const fingerprint = createHash("sha256").update(JSON.stringify(stored)).digest("hex").slice(0, 8);
  return { ...stored, version, fingerprint };
}

/**
 * The rules of a request as a column, instead of those `before`.
 * @throws {Refusal} 400 for a protocol that the documents do not have, in their profile.
 */
export function rulesColumn(sent: NewFirewallRules, field: string, profile: Profile, before?: FirewallRow): string {
  if (profile === "documented") refuseIfAny(protocolErrors(sent, field));
  const { inbound = [], inbound_policy, outbound = [], outbound_policy } = sent;
  const rules = { inbound, inbound_policy, outbound, outbound_policy };
  const version = before === undefined ? 1 : (rulesReply(before, "live").version ?? 1) + 1;
  return JSON.stringify({ ...rules, version } satisfies StoredRules);
}

function protocolErrors(sent: NewFirewallRules, field: string) {
  const known: readonly string[] = protocols;
  return (["inbound", "outbound"] as const).flatMap((direction) =>
    (sent[direction] ?? []).flatMap(({ protocol }, index) =>
      known.includes(protocol) ? [] : [errorEntry(`${field}${direction}[${index}].protocol`, protocolReason)],
    ),
  );
}

/**
 * The caller's firewall of this id. To change it, its account is locked first.
 * @throws {Refusal} 404 if it does not exist or belongs to another account; 403 for a restricted user whose grant on
 * it is less than `needed`.
 */
export async function findFirewall(
  db: Database,
  id: number,
  context: Context,
  needed: Permissions = "read_only",
): Promise<FirewallRow> {
  if (needed === "read_write") await readAccount(db, context.caller);
  const firewall = await findFirewallRow(db, context.caller.accountId, id);
  if (firewall === undefined) throw notFound();
  await requireGrant(db, context, { entity_type: "firewall", entity_id: id }, needed);
  return firewall;
}

/** The firewall of this id, if the caller may give it to a node. */
export async function findFirewallToGive(db: Database, id: number, context: Context): Promise<FirewallRow | undefined> {
  const mayGive = await hasGrant(db, context, { entity_type: "firewall", entity_id: id }, "read_write");
  return mayGive ? findFirewallRow(db, context.caller.accountId, id) : undefined;
}

/** Gives a node a firewall that it does not have. */
export async function giveFirewall(
  db: Database,
  firewall: FirewallRow,
  node: NodeRow,
  context: Context,
): Promise<void> {
  const moment = timestamp(context.now);
  await insertFirewallDeviceRow(db, { firewall_id: firewall.id, node_id: node.id, created: moment, updated: moment });
  await addEvent(db, context, "firewall_device_add", { entity: firewallEntity(firewall), secondary: nodeEntity(node) });
}
