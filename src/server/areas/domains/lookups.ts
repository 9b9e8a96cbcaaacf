import type { Domain } from "../../../contract/resources/domain.ts";
import { asName, type Name } from "../../../dns/name/name.ts";
import type { Context, Profile } from "../../entities/context.ts";
import { changeTags, grantToCreator, requireGrant } from "../../entities/entities.ts";
import { tagsOf } from "../../entities/tags-rows.ts";
import { notFound, unauthorized } from "../../kit/api-error.ts";
import { timestamp } from "../../kit/timestamp.ts";
import type { Database, DomainRow, Permissions } from "../../store/tables.ts";
import { findDomainRow } from "./domains-rows.ts";

/**
 * The caller's domain of this id, locked in a write.
 * @throws {Refusal} 404 if it does not exist or belongs to another account; 403 for a restricted user whose grant on
 * it is less than `needed`.
 */
export async function findDomain(
  db: Database,
  id: number,
  context: Context,
  needed: Permissions = "read_only",
): Promise<DomainRow> {
  const domain = await findDomainRow(db, context.caller.accountId, id);
  if (domain === undefined) throw notFound();
  await requireGrant(db, context, { entity_type: "domain", entity_id: id }, needed);
  return domain;
}

/** @throws {Refusal} 403 for a restricted user who may not create domains. */
export function requireAddDomains({ caller }: Context): void {
  if (!caller.addsDomains) throw unauthorized();
}

/** The name of a domain or a host as the store has it: validated, without the final dot. */
export function toStoredName(text: string): Name {
  return asName(`${text}.`);
}

/** Columns that a new domain takes from its request: account, moments, and that it waits to be rendered. */
export function newDomainColumns({ caller, now }: Context) {
  const moment = timestamp(now);
  return { account_id: caller.accountId, created: moment, updated: moment, changed: moment };
}

/** Stores what belongs to a new domain beside its row: its tags, and the grant of a restricted creator. */
export async function completeDomain(
  db: Database,
  { id }: DomainRow,
  tags: readonly string[],
  context: Context,
): Promise<void> {
  await grantToCreator(db, context, "domain", id);
  await changeTags(db, { entity_type: "domain", entity_id: id }, tags, context);
}

/** A stored domain as a reply shows it, its tags read from the database. */
export async function readDomainReply(db: Database, row: DomainRow, { profile }: Context): Promise<Domain> {
  return domainReply(row, (await tagsOf(db, "domain", [row.id])).get(row.id) ?? [], profile);
}

/** Replies for the domains of a list, whose tags are read together. */
export async function domainReplies(db: Database, rows: readonly DomainRow[], { profile }: Context): Promise<Domain[]> {
  const tags = await tagsOf(
    db,
    "domain",
    rows.map(({ id }) => id),
  );
  return rows.map((row) => domainReply(row, tags.get(row.id) ?? [], profile));
}

/** A stored domain as a reply shows it (decisions/service#domains, decisions/service#order-of-keys). */
function domainReply(row: DomainRow, tags: string[], profile: Profile): Domain {
  return {
    id: row.id,
    type: row.type,
    domain: row.domain,
    status: row.status,
    description: row.description,
    group: row.group,
    soa_email: row.soa_email,
    ttl_sec: row.ttl_sec,
    refresh_sec: row.refresh_sec,
    retry_sec: row.retry_sec,
    expire_sec: row.expire_sec,
    master_ips: JSON.parse(row.master_ips),
    axfr_ips: JSON.parse(row.axfr_ips),
    tags,
    created: row.created,
    updated: row.updated,
    ...(profile === "live" && { errors: "" }),
  };
}
