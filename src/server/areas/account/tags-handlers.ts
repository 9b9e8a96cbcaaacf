import { mostListed } from "../../../contract/bounds.ts";
import type { ApiErrorEntry } from "../../../contract/errors.ts";
import type { TaggedObject } from "../../../contract/resources/tag.ts";
import { findAccount, readAccount } from "../../entities/account.ts";
import type { Context, Handler } from "../../entities/context.ts";
import { tagEntity } from "../../entities/entities.ts";
import { addEvent } from "../../entities/events.ts";
import * as tags from "../../entities/tags-rows.ts";
import { errorEntry, notFound, refuseIfAny } from "../../kit/api-error.ts";
import { envelope } from "../../kit/envelope.ts";
import { findRow, listRows, removeRows } from "../../store/rows.ts";
import type { Database, TaggedType, TagRow } from "../../store/tables.ts";
import { listDomainRowsById } from "../domains/domains-rows.ts";
import { domainReplies } from "../domains/lookups.ts";
import { firewallReplies } from "../nodes/jobs/firewalls.ts";
import { requireKept } from "../nodes/jobs/jobs.ts";
import { nodeReplies } from "../nodes/jobs/replies.ts";
import { volumeReplies } from "../nodes/jobs/volumes.ts";

export const listTags: Handler<"listTags"> = ({ query, filter }, { store, caller }) =>
  store.read(async (db) => {
    const { rows, results } = await tags.listTagRows(db, caller.accountId, { filter, ...query });
    return envelope(
      rows.map(({ label }) => ({ label })),
      results,
      query,
    );
  });

/**
 * Creates a tag and attaches it to all objects or to none; an existing tag is only attached (decisions/account#tags).
 */
export const createTag: Handler<"createTag"> = ({ body }, context) =>
  context.store.write(async (db) => {
    const accountId = context.caller.accountId;
    const domainRows = await listDomainRowsById(db, accountId, sortIds(body.domains)); // locked in their order
    const nodeRows = await listRows(db, "nodes", {
      account_id: (await readAccount(db, context.caller)).id,
      id: sortIds(body.nodes),
    });
    const own = {
      domain: idsOf(domainRows),
      node: idsOf(nodeRows),
      volume: idsOf(await listRows(db, "volumes", { account_id: accountId, id: sortIds(body.volumes) })),
    };
    refuseIfAny([
      ...idErrors("domains", body.domains, (id) => own.domain.has(id)),
      ...(await fullErrors(db, "domain", body.domains, own.domain, body.label)),
      ...idErrors("nodes", body.nodes, (id) => own.node.has(id)),
      ...(await fullErrors(db, "node", body.nodes, own.node, body.label)),
      ...idErrors("volumes", body.volumes, (id) => own.volume.has(id)),
      ...(await fullErrors(db, "volume", body.volumes, own.volume, body.label)),
      ...idErrors("balancers", body.balancers, () => false), // the account has none
    ]);
    for (const node of nodeRows) requireKept(node, context.profile);
    const {
      tags: [tag],
      created,
    } = await tags.createMissingTags(db, accountId, [body.label]);
    if (tag === undefined) throw new Error("the tag was not created");
    for (const type of ["domain", "node", "volume"] as const)
      await tags.addTagToEntities(db, tag.id, type, [...own[type]]);
    for (const label of created) await addEvent(db, context, "tag_create", { entity: tagEntity(label) });
    return { label: tag.label };
  });

export const deleteTag: Handler<"deleteTag"> = ({ label }, context) =>
  context.store.write(async (db) => {
    await findAccount(db, {}, context, "read_write");
    const tag = await findTag(db, label, context);
    await removeRows(db, "tags", { id: tag.id });
    await addEvent(db, context, "tag_delete", { entity: tagEntity(tag.label) });
    return {};
  });

export const listTaggedObjects: Handler<"listTaggedObjects"> = ({ label, query, filter }, context) =>
  context.store.read(async (db) => {
    const { isRestricted, userId } = context.caller;
    const tag = await findTag(db, label, context);
    const wanted = { filter, ...query };
    const { rows, results } = await tags.listTagged(db, tag.id, isRestricted ? userId : undefined, wanted);
    const idsOfType = (type: TaggedType) => rows.filter((row) => row.entity_type === type).map((row) => row.entity_id);
    const { accountId } = context.caller;
    const ofDomains = await domainReplies(db, await listDomainRowsById(db, accountId, idsOfType("domain")), context);
    const ofNodes = await nodeReplies(
      db,
      await listRows(db, "nodes", { account_id: accountId, id: idsOfType("node") }),
      context,
    );
    const ofFirewalls = await firewallReplies(
      db,
      await listRows(db, "firewalls", { account_id: accountId, id: idsOfType("firewall") }),
      context.profile,
    );
    const ofVolumes = await volumeReplies(
      db,
      await listRows(db, "volumes", { account_id: accountId, id: idsOfType("volume") }),
      context.profile,
    );
    const groups: TaggedObject[][] = [
      ofDomains.map((data) => ({ type: "domain", data })),
      ofFirewalls.map((data) => ({ type: "firewall", data })),
      ofNodes.map((data) => ({ type: "node", data })),
      ofVolumes.map((data) => ({ type: "volume", data })),
    ];
    return envelope((filter.orderBy?.descending ? groups.reverse() : groups).flat(), results, query);
  });

async function findTag(db: Database, label: string, { caller }: Context): Promise<TagRow> {
  const tag = await findRow(db, "tags", { account_id: caller.accountId, label_key: label.toLowerCase() });
  if (tag === undefined) throw notFound();
  return tag;
}

function sortIds(ids: readonly number[] | null | undefined): number[] {
  return [...new Set(ids ?? [])].sort((a, b) => a - b);
}

function idsOf(rows: readonly { readonly id: number }[]): ReadonlySet<number> {
  return new Set(rows.map(({ id }) => id));
}

/** Errors for entities that have as many tags as a request can list, so that they can still be sent back. */
async function fullErrors(
  db: Database,
  type: "domain" | "node" | "volume",
  wanted: readonly number[] | null | undefined,
  own: ReadonlySet<number>,
  label: string,
): Promise<ApiErrorEntry[]> {
  const known = await tags.tagsOf(db, type, [...own]);
  const isFull = (id: number) => {
    const labels = known.get(id) ?? [];
    return labels.length >= mostListed && !labels.some((other) => other.toLowerCase() === label.toLowerCase());
  };
  return (wanted ?? []).flatMap((id, index) =>
    isFull(id) ? [errorEntry(`${type}s[${index}]`, `The ${type} has ${mostListed} tags already`)] : [],
  );
}

function idErrors(
  field: string,
  ids: readonly number[] | null | undefined,
  isOwn: (id: number) => boolean,
): ApiErrorEntry[] {
  return (ids ?? []).flatMap((id, index) =>
    isOwn(id) ? [] : [errorEntry(`${field}[${index}]`, `${field}[${index}] is not valid`)],
  );
}
