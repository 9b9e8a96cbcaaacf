import type * as z from "zod";
import type { ApiErrorEntry } from "../../contract/errors.ts";
import { mostListed } from "../../contract/resources/domain.ts";
import type { newTag, TaggedObject } from "../../contract/resources/tag.ts";
import { findAccount } from "../kit/account.ts";
import { errorEntry, notFound, refuseIfAny } from "../kit/api-error.ts";
import type { Context, Handler } from "../kit/context.ts";
import { domainReplies } from "../kit/domains.ts";
import { tagEntity } from "../kit/entities.ts";
import { envelope } from "../kit/envelope.ts";
import { addEvent } from "../kit/events.ts";
import * as domains from "../store/domains.ts";
import type { Database, TagRow } from "../store/tables.ts";
import * as tags from "../store/tags.ts";

export const listTags: Handler<"listTags"> = ({ query, filter }, { store, caller }) =>
  store.read(async (db) => {
    const { rows, results } = await tags.list(db, caller.accountId, { filter, ...query });
    return envelope(
      rows.map(({ label }) => ({ label })),
      results,
      query,
    );
  });

/** Creates a tag and attaches it to all objects or to none; an existing tag is only attached (account: Tag). */
export const createTag: Handler<"createTag"> = ({ body }, context) =>
  context.store.write(async (db) => {
    const ids = [...new Set(body.domains ?? [])].sort((a, b) => a - b);
    const own = await lockDomains(db, ids, context);
    refuseIfAny([
      ...idErrors("domains", body.domains, (id) => own.has(id)),
      ...(await fullErrors(db, body, own)),
      // The account has none of these.
      ...(["nodes", "balancers", "volumes"] as const).flatMap((field) => idErrors(field, body[field], () => false)),
    ]);
    const {
      tags: [tag],
      created,
    } = await tags.createMissing(db, context.caller.accountId, [body.label]);
    if (tag === undefined) throw new Error("the tag was not created");
    await tags.addToEntities(db, tag.id, "domain", ids);
    for (const label of created) await addEvent(db, context, "tag_create", { entity: tagEntity(label) });
    return { label: tag.label };
  });

export const deleteTag: Handler<"deleteTag"> = ({ label }, context) =>
  context.store.write(async (db) => {
    await findAccount(db, {}, context, "read_write");
    const tag = await findTag(db, label, context);
    await tags.remove(db, tag.id);
    await addEvent(db, context, "tag_delete", { entity: tagEntity(tag.label) });
    return {};
  });

export const listTaggedObjects: Handler<"listTaggedObjects"> = ({ label, query }, context) =>
  context.store.read(async (db) => {
    const { isRestricted, userId } = context.caller;
    const tag = await findTag(db, label, context);
    const { rows, results } = await tags.listTagged(db, tag.id, isRestricted ? userId : undefined, query);
    const ids = rows.map(({ entity_id }) => entity_id);
    const replies = await domainReplies(db, await domains.listById(db, context.caller.accountId, ids), context);
    return envelope(
      replies.map((data): TaggedObject => ({ type: "domain", data })),
      results,
      query,
    );
  });

async function findTag(db: Database, label: string, { caller }: Context): Promise<TagRow> {
  const tag = await tags.find(db, caller.accountId, label);
  if (tag === undefined) throw notFound();
  return tag;
}

/** The ids among these that are domains of the account, locked in their order. */
async function lockDomains(db: Database, ids: readonly number[], { caller }: Context): Promise<ReadonlySet<number>> {
  const rows = await domains.listById(db, caller.accountId, ids);
  return new Set(rows.map(({ id }) => id));
}

/** Errors for domains that have as many tags as a request can list, so that they can still be sent back. */
async function fullErrors(
  db: Database,
  { label, domains: wanted }: z.output<typeof newTag>,
  own: ReadonlySet<number>,
): Promise<ApiErrorEntry[]> {
  const known = await tags.tagsOf(db, "domain", [...own]);
  const isFull = (id: number) => {
    const labels = known.get(id) ?? [];
    return labels.length >= mostListed && !labels.some((other) => other.toLowerCase() === label.toLowerCase());
  };
  return (wanted ?? []).flatMap((id, index) =>
    isFull(id) ? [errorEntry(`domains[${index}]`, `The domain has ${mostListed} tags already`)] : [],
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
