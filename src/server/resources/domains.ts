import { refuseIfAny } from "../kit/api-error.ts";
import type { Handler } from "../kit/context.ts";
import {
  changeTags,
  completeDomain,
  domainReply,
  findDomain,
  newDomainColumns,
  readReply,
  requireAddDomains,
} from "../kit/domains.ts";
import { envelope } from "../kit/envelope.ts";
import { addEvent } from "../kit/events.ts";
import { prepareChange, readRendered } from "../kit/rendering.ts";
import { timestamp } from "../kit/timestamp.ts";
import { columnsOf, fieldsOf, readDomain } from "../rules/domain.ts";
import { lengthErrors, placeErrors } from "../rules/place.ts";
import * as domains from "../store/domains.ts";
import * as records from "../store/records.ts";
import * as slaves from "../store/slaves.ts";
import { tagsOf } from "../store/tags.ts";
import * as zones from "../store/zones.ts";

export const listDomains: Handler<"listDomains"> = ({ query, filter }, { store, caller, profile }) =>
  store.read(async (db) => {
    const grantee = caller.isRestricted ? caller.userId : undefined;
    const { rows, results } = await domains.list(db, caller.accountId, grantee, { filter, ...query });
    const tags = await tagsOf(
      db,
      rows.map(({ id }) => id),
    );
    const data = rows.map((row) => domainReply(row, tags.get(row.id) ?? [], profile));
    return envelope(data, results, query);
  });

export const getDomain: Handler<"getDomain"> = ({ domainId }, context) =>
  context.store.read(async (db) => readReply(db, await findDomain(db, domainId, context), context));

export const createDomain: Handler<"createDomain"> = ({ body }, context) => {
  const { store, profile } = context;
  const { fields, errors } = readDomain(body, undefined, profile);
  return store.write(async (db) => {
    requireAddDomains(context);
    await domains.lockPlace(db, fields.domain);
    refuseIfAny([...errors, ...(await placeErrors(db, fields.domain, context))]);
    const row = await domains.insert(db, { ...columnsOf(fields), ...newDomainColumns(context) });
    await completeDomain(db, row, body.tags ?? [], context);
    await addEvent(db, context, "dns_zone_create", row);
    return readReply(db, row, context);
  });
};

export const updateDomain: Handler<"updateDomain"> = ({ domainId, body }, context) => {
  const { store, profile, now } = context;
  return store.write(async (db) => {
    const domain = await findDomain(db, domainId, context, "read_write");
    const { fields, errors } = readDomain(body, fieldsOf(domain), profile);
    const isRenamed = fields.domain.toLowerCase() !== domain.domain_key;
    if (isRenamed) await domains.lockPlace(db, fields.domain);
    refuseIfAny([
      ...errors,
      ...(isRenamed ? await placeErrors(db, fields.domain, context, domain.id) : []),
      ...(await lengthErrors(db, fields.domain, domain.id)),
    ]);
    await prepareChange(db, domain, context);
    const row = await domains.update(db, domain.id, { ...columnsOf(fields), updated: timestamp(now) });
    if (body.tags) await changeTags(db, domain.id, body.tags, context);
    const message = row.domain === domain.domain ? null : `was ${domain.domain}`;
    await addEvent(db, context, "dns_zone_update", { ...row, message });
    return readReply(db, row, context);
  });
};

export const deleteDomain: Handler<"deleteDomain"> = ({ domainId }, context) =>
  context.store.write(async (db) => {
    const domain = await findDomain(db, domainId, context, "read_write");
    await records.removeAll(db, domain.id);
    await domains.remove(db, domain.id);
    await addEvent(db, context, "dns_zone_delete", domain);
    return {};
  });

/**
 * The lines of the zone as last rendered; none for a domain that was never rendered or is disabled (service: Zone
 * file). Those of a slave are of its last transfer, until it expires.
 */
export const getZoneFile: Handler<"getZoneFile"> = async ({ domainId }, context) => {
  const lines = await readRendered(
    (db) => findDomain(db, domainId, context),
    context,
    async (db, domain) => {
      if (domain.type === "master") return zones.linesOf(db, domain.id);
      return domain.status === "active" ? slaves.linesOf(db, domain, timestamp(context.now)) : [];
    },
  );
  return { zone_file: lines ?? [] };
};
