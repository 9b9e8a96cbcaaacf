import type { ApiErrorEntry } from "../../contract/errors.ts";
import type { Domain } from "../../contract/resources/domain.ts";
import { errorEntry, refuse } from "../kit/api-error.ts";
import type { Context, Handler } from "../kit/context.ts";
import { begin, beginning, changeTags, mayAddDomain } from "../kit/domains.ts";
import { envelope } from "../kit/envelope.ts";
import { note } from "../kit/events.ts";
import { ownDomain } from "../kit/own-domain.ts";
import { zoneWillChange } from "../kit/rendering.ts";
import { timestamp } from "../kit/timestamp.ts";
import { domainNameProblems, readDomain } from "../rules/domain.ts";
import { longestName } from "../rules/name.ts";
import { placeProblems } from "../rules/place.ts";
import * as domains from "../store/domains.ts";
import * as records from "../store/records.ts";
import type { Database } from "../store/store.ts";
import type { DomainRow } from "../store/tables.ts";
import { tagsOf } from "../store/tags.ts";
import { columnsOf, fieldsOf, replyOf } from "./domain-row.ts";

export const listDomains: Handler<"listDomains"> = ({ query, filter }, { store, caller, profile }) =>
  store.read(async (db) => {
    const grantee = caller.isRestricted ? caller.userId : undefined;
    const { rows, results } = await domains.list(db, caller.accountId, grantee, { filter, ...query });
    const tags = await tagsOf(
      db,
      rows.map(({ id }) => id),
    );
    const data = rows.map((row) => replyOf(row, tags.get(row.id) ?? [], profile));
    return envelope(data, results, query);
  });

export const getDomain: Handler<"getDomain"> = ({ domainId }, context) =>
  context.store.read(async (db) => reply(db, await ownDomain(db, domainId, context), context));

export const createDomain: Handler<"createDomain"> = ({ body }, context) => {
  const { store, profile } = context;
  const { fields, problems } = readDomain(body, undefined, profile);
  return store.write(async (db) => {
    mayAddDomain(context);
    await domains.lockPlace(db, fields.domain);
    refuse([...problems, ...(await placeProblems(db, fields.domain, context))]);
    const row = await domains.insert(db, { ...columnsOf(fields), ...beginning(context) });
    await begin(db, row, body.tags ?? [], context);
    await note(db, context, "dns_zone_create", row);
    return reply(db, row, context);
  });
};

export const updateDomain: Handler<"updateDomain"> = ({ domainId, body }, context) => {
  const { store, profile, now } = context;
  return store.write(async (db) => {
    const domain = await ownDomain(db, domainId, context, "read_write");
    const { fields, problems } = readDomain(body, fieldsOf(domain), profile);
    const isRenamed = fields.domain.toLowerCase() !== domain.domain_key;
    if (isRenamed) await domains.lockPlace(db, fields.domain);
    refuse([
      ...problems,
      ...(isRenamed ? await placeProblems(db, fields.domain, context, domain.id) : []),
      ...(await lengthProblems(db, fields.domain, domain.id)),
    ]);
    await zoneWillChange(db, domain, context);
    const row = await domains.update(db, domain.id, { ...columnsOf(fields), updated: timestamp(now) });
    if (body.tags) await changeTags(db, domain.id, body.tags, context);
    await note(db, context, "dns_zone_update", row, row.domain === domain.domain ? null : `was ${domain.domain}`);
    return reply(db, row, context);
  });
};

export const deleteDomain: Handler<"deleteDomain"> = ({ domainId }, context) =>
  context.store.write(async (db) => {
    const domain = await ownDomain(db, domainId, context, "read_write");
    await records.removeAll(db, domain.id);
    await domains.remove(db, domain.id);
    await note(db, context, "dns_zone_delete", domain);
    return {};
  });

export const cloneDomain: Handler<"cloneDomain"> = ({ domainId, body: { domain } }, context) =>
  context.store.write(async (db) => {
    mayAddDomain(context);
    const { id, ...original } = await ownDomain(db, domainId, context);
    await domains.lockPlace(db, domain);
    refuse([
      ...domainNameProblems(domain),
      ...(await placeProblems(db, domain, context)),
      ...(await lengthProblems(db, domain, id)),
    ]);
    const clone = { ...original, domain, domain_key: domain.toLowerCase(), ...beginning(context) };
    const row = await domains.insert(db, clone);
    await records.copy(db, id, row.id, row.created);
    await begin(db, row, (await tagsOf(db, [id])).get(id) ?? [], context);
    await note(db, context, "dns_zone_create", row, `clone of ${original.domain}`);
    return reply(db, row, context);
  });

async function reply(db: Database, row: DomainRow, { profile }: Context): Promise<Domain> {
  return replyOf(row, (await tagsOf(db, [row.id])).get(row.id) ?? [], profile);
}

/** Records keep their relative names under another domain; together they must still be names. */
async function lengthProblems(db: Database, domain: string, id: number): Promise<ApiErrorEntry[]> {
  const fits = (await records.longestName(db, id)) + 1 + domain.length <= longestName;
  return fits ? [] : [errorEntry("domain", "Domain is too long for the names of its records.")];
}
