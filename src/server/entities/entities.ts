import type { Entity } from "../../contract/resources/event.ts";
import { listFirst } from "../../diagnostics/quantities.ts";
import { unauthorized } from "../kit/api-error.ts";
import type {
  AccountRow,
  Database,
  DiskRow,
  DomainRow,
  EntityTransferRow,
  FirewallRow,
  GrantedType,
  ManagedServiceRow,
  NodeConfigRow,
  NodeRow,
  OAuthClientRow,
  Permissions,
  SshKeyRow,
  TaggedType,
  TicketRow,
  TokenRow,
  UserRow,
  VolumeRow,
} from "../store/tables.ts";
import { findLockedAccount } from "./accounts-rows.ts";
import type { Context } from "./context.ts";
import { addEvent } from "./events.ts";
import { addGrants, type GrantedEntity, permissionsOf } from "./grants-rows.ts";
import { setTags, tagsOf } from "./tags-rows.ts";

/** Whether the user is unrestricted, or has at least this grant on the entity. */
export async function hasGrant(
  db: Database,
  { caller }: Context,
  entity: GrantedEntity,
  needed: Permissions,
): Promise<boolean> {
  if (!caller.isRestricted) return true;
  const permissions = await permissionsOf(db, caller.userId, entity);
  return permissions === "read_write" || permissions === needed;
}

/** @throws {Refusal} 403 for a restricted user whose grant on the entity is less than `needed` */
export async function requireGrant(
  db: Database,
  context: Context,
  entity: GrantedEntity,
  needed: Permissions,
): Promise<void> {
  if (!(await hasGrant(db, context, entity, needed))) throw unauthorized();
}

/** Gives a restricted user who creates an entity read_write on it. */
export async function grantToCreator(
  db: Database,
  { caller }: Context,
  entity_type: GrantedType,
  entity_id: number,
): Promise<void> {
  if (!caller.isRestricted) return;
  await addGrants(db, { user_id: caller.userId, entity_type, entity_id, permissions: "read_write" });
}

/**
 * Replaces the tags of an entity; labels that are new to the account become tags.
 * @throws {Refusal} 403 for a restricted user who changes tags (decisions/documents#tags); sending the same ones is
 * allowed.
 */
export async function changeTags(
  db: Database,
  entity: { readonly entity_type: TaggedType; readonly entity_id: number },
  wanted: readonly string[],
  context: Context,
): Promise<void> {
  const { isRestricted, accountId } = context.caller;
  if (isRestricted) {
    const { entity_type, entity_id } = entity;
    const lower = (labels: readonly string[] = []) => JSON.stringify(labels.map((label) => label.toLowerCase()));
    if (lower(wanted) !== lower((await tagsOf(db, entity_type, [entity_id])).get(entity_id))) throw unauthorized();
    return;
  }
  for (const label of await setTags(db, accountId, entity, wanted))
    await addEvent(db, context, "tag_create", { entity: tagEntity(label) });
}

/**
 * Adds the tags of an entity to those of its copy. A restricted user may copy them: the tags exist, and the clone
 * chooses them, not the user (decisions/documents#nodes).
 */
export async function copyTags(
  db: Database,
  type: TaggedType,
  { from, to }: { readonly from: number; readonly to: number },
  { caller }: Context,
): Promise<void> {
  // Deleting a tag also locks the account: one that was deleted after it was read would be created again.
  await findLockedAccount(db, "id", caller.accountId);
  const tags = await tagsOf(db, type, [from, to]);
  const all = [...(tags.get(to) ?? []), ...(tags.get(from) ?? [])];
  const unique = [...new Map(all.map((tag) => [tag.toLowerCase(), tag])).values()];
  await setTags(db, caller.accountId, { entity_type: type, entity_id: to }, unique);
}

/** A domain as the subject of events and tickets (decisions/service#events). */
export function domainEntity({ id, domain }: Pick<DomainRow, "id" | "domain">) {
  return { label: domain, id, type: "domain", url: `/v4/domains/${id}` } satisfies Entity & { type: GrantedType };
}

export function nodeEntity({ id, label }: Pick<NodeRow, "id" | "label">) {
  return { label, id, type: "node", url: `/v4/node/instances/${id}` } satisfies Entity & { type: GrantedType };
}

/** A configuration profile of a node. */
export function nodeConfigEntity({ id, label, node_id }: Pick<NodeConfigRow, "id" | "label" | "node_id">): Entity {
  return { label, id, type: "node_config", url: `/v4/node/instances/${node_id}/configs/${id}` };
}

export function diskEntity({ id, label, node_id }: Pick<DiskRow, "id" | "label" | "node_id">): Entity {
  return { label, id, type: "disk", url: `/v4/node/instances/${node_id}/disks/${id}` };
}

/** A volume of block storage. */
export function volumeEntity({ id, label }: Pick<VolumeRow, "id" | "label">) {
  return { label, id, type: "volume", url: `/v4/volumes/${id}` } satisfies Entity & { type: GrantedType };
}

/** A VLAN, which has no id and no path of its own: it is a label in a region. */
export function vlanEntity({ label, region }: { readonly label: string; readonly region: string }) {
  return { label, type: "vlan", url: `/v4/regions/${region}` } satisfies Entity;
}

export function firewallEntity({ id, label }: Pick<FirewallRow, "id" | "label">): Entity {
  return { label, id, type: "firewall", url: `/v4/networking/firewalls/${id}` };
}

/** An image of the catalogue. */
export function imageEntity({ id, label }: { readonly id: string; readonly label: string }): Entity {
  return { label, id, type: "image", url: `/v4/images/${id}` };
}

export function managedServiceEntity({ id, label }: Pick<ManagedServiceRow, "id" | "label">): Entity {
  return { label, id, type: "managed_service", url: `/v4/managed/services/${id}` };
}

/** A tag; it has no other id than its label. */
export function tagEntity(label: string): Entity {
  return { label, id: label, type: "tag", url: `/v4/tags/${encodeURIComponent(label)}` };
}

export function oauthClientEntity({ label, client_id: id }: Pick<OAuthClientRow, "label" | "client_id">): Entity {
  return { label, id, type: "oauth_client", url: `/v4/account/oauth-clients/${id}` };
}

export function ticketEntity({ id, summary }: Pick<TicketRow, "id" | "summary">): Entity {
  return { label: summary, id, type: "ticket", url: `/v4/support/tickets/${id}` };
}

/** Entities that an event of their transfer names. */
type Transferred = readonly { readonly label: string }[];

/** A transfer that is offered, without its token: whoever reads its event could accept it. */
export function offerEntity(entities: Transferred): Entity {
  const label = listFirst(
    entities.map(({ label }) => label),
    mostNames,
  );
  return { label, type: "entity_transfer", url: "/v4/account/entity-transfers" };
}

/** A transfer that is no longer pending. */
export function transferEntity({ token }: Pick<EntityTransferRow, "token">, entities: Transferred): Entity {
  const { url, ...offer } = offerEntity(entities);
  return { ...offer, id: token, url: `${url}/${token}` };
}

/** Limit on the entities that the label of a transfer names. */
const mostNames = 3;

/** A region of the catalogue. */
export function regionEntity({ id, label }: { readonly id: string; readonly label: string }): Entity {
  return { label, id, type: "region", url: `/v4/regions/${id}` };
}

export function userEntity({ id, username }: Pick<UserRow, "id" | "username">): Entity {
  return { label: username, id, type: "user", url: `/v4/account/users/${encodeURIComponent(username)}` };
}

/** A personal access token, or one of an application. */
export function tokenEntity({ id, label }: Pick<TokenRow, "id" | "label">): Entity {
  return { label, id, type: "token", url: `/v4/profile/tokens/${id}` };
}

/** A public SSH key of a user. */
export function sshKeyEntity({ id, label }: Pick<SshKeyRow, "id" | "label">): Entity {
  return { label, id, type: "user_ssh_key", url: `/v4/profile/sshkeys/${id}` };
}

/** The account itself, which has no id (decisions/account#events). */
export function accountEntity({ company }: Pick<AccountRow, "company">): Entity {
  return { label: company, type: "account", url: "/v4/account" };
}
