import type * as z from "zod";
import type { domainUpdate, newDomain } from "../../../contract/resources/domain.ts";
import type { Handler } from "../../entities/context.ts";
import { changeTags, domainEntity } from "../../entities/entities.ts";
import { resource } from "../../entities/resource.ts";
import { refuseIfAny } from "../../kit/api-error.ts";
import { timestamp } from "../../kit/timestamp.ts";
import { removeRecordsOf } from "../zones/records-rows.ts";
import { readTransferredLines } from "../zones/slaves-rows.ts";
import { readVersion } from "../zones/zone-version.ts";
import { removeZoneRow } from "../zones/zones-rows.ts";
import { domainColumnsOf, fieldsOf, readDomain } from "./domain-rules.ts";
import { insertDomainRow, listDomainRows, lockDomainPlace, removeDomainRow, updateDomainRow } from "./domains-rows.ts";
import { completeDomain, domainReplies, findDomain, newDomainColumns, requireAddDomains } from "./lookups.ts";
import { lengthErrors, placeErrors } from "./place.ts";
import { prepareChange, readRendered, renderLines } from "./rendering.ts";

const resourceOfDomains = resource({
  parent: async (_, __: object, { caller }) => caller,
  rows: {
    list: ({ db, parent }, wanted) =>
      listDomainRows(db, parent.accountId, parent.isRestricted ? parent.userId : undefined, wanted),
    find: ({ db, context }, { domainId }: { domainId: number }, needed) => findDomain(db, domainId, context, needed),
    insert: insertDomainRow,
    update: updateDomainRow,
    remove: removeDomainRow,
  },
  replies: (rows, { db, context }) => domainReplies(db, rows, context),
  details: (row, _, before) => {
    const isRenamed = before !== undefined && before.domain !== row.domain;
    return { entity: domainEntity(row), message: isRenamed ? `was ${before.domain}` : null };
  },
});

export const listDomains: Handler<"listDomains"> = resourceOfDomains.list;
export const getDomain: Handler<"getDomain"> = resourceOfDomains.get;

export const createDomain: Handler<"createDomain"> = resourceOfDomains.create({
  event: "dns_zone_create",
  async columns(body: z.output<typeof newDomain>, { db, context }) {
    requireAddDomains(context);
    const { fields, errors } = readDomain(body, undefined, context);
    await lockDomainPlace(db, fields.domain);
    refuseIfAny([...errors, ...(await placeErrors(db, fields.domain, context))]);
    return { ...domainColumnsOf(fields), ...newDomainColumns(context) };
  },
  complete: (row, { tags }, { db, context }) => completeDomain(db, row, tags ?? [], context),
});

export const updateDomain: Handler<"updateDomain"> = resourceOfDomains.update({
  event: "dns_zone_update",
  async changes(body: z.output<typeof domainUpdate>, domain, { db, context }) {
    const { fields, errors } = readDomain(body, fieldsOf(domain), context);
    const isRenamed = fields.domain.toLowerCase() !== domain.domain_key;
    if (isRenamed) await lockDomainPlace(db, fields.domain);
    refuseIfAny([
      ...errors,
      ...(isRenamed ? await placeErrors(db, fields.domain, context, domain.id) : []),
      ...(await lengthErrors(db, fields.domain, domain.id)),
    ]);
    await prepareChange(db, domain, context);
    return { ...domainColumnsOf(fields), updated: timestamp(context.now) };
  },
  complete: async ({ id }, { tags }, { db, context }) => {
    if (tags) await changeTags(db, { entity_type: "domain", entity_id: id }, tags, context);
  },
});

export const deleteDomain: Handler<"deleteDomain"> = resourceOfDomains.remove({
  event: "dns_zone_delete",
  prepare: async ({ id }, { db }) => {
    await removeZoneRow(db, id); // first, so that the removal of the records is not noted
    await removeRecordsOf(db, id);
  },
});

/**
 * The lines of the zone as last rendered; none for a domain that was never rendered or is disabled
 * (decisions/service#zone-file). Those of a slave are of its last transfer, until it expires.
 */
export const getZoneFile: Handler<"getZoneFile"> = async ({ domainId }, context) => {
  const lines = await readRendered(
    (db) => findDomain(db, domainId, context),
    context,
    async (db, domain) => {
      if (domain.type === "master") return renderLines(domain, await readVersion(db, domain));
      return domain.status === "active" ? readTransferredLines(db, domain, timestamp(context.now)) : [];
    },
  );
  return { zone_file: lines ?? [] };
};
