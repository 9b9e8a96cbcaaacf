import type { ApiErrorEntry } from "../../contract/errors.ts";
import type { ApiRecord, ApiRecordType } from "../../contract/resources/record.ts";
import { storedTtl } from "../../contract/ttl.ts";
import { badRequest, errorEntry, notFound, refuseIfAny } from "../kit/api-error.ts";
import type { Context, Handler } from "../kit/context.ts";
import { findDomain } from "../kit/domains.ts";
import { envelope } from "../kit/envelope.ts";
import { addEvent, recordLabel } from "../kit/events.ts";
import { prepareChange } from "../kit/rendering.ts";
import { timestamp } from "../kit/timestamp.ts";
import { longTarget, mostRecords, textIn, tooManyRecords, tooMuchText } from "../rules/domain.ts";
import { neighborErrors, readRecord } from "../rules/record.ts";
import * as records from "../store/records.ts";
import type { Database, DomainRow, RecordRow } from "../store/tables.ts";

export const listRecords: Handler<"listRecords"> = ({ domainId, query, filter }, context) =>
  context.store.read(async (db) => {
    const { id } = await findDomain(db, domainId, context);
    const { rows, results } = await records.list(db, id, { filter, ...query });
    return envelope(rows.map(recordReply), results, query);
  });

export const getRecord: Handler<"getRecord"> = ({ domainId, recordId }, context) =>
  context.store.read(async (db) => {
    const domain = await findDomain(db, domainId, context);
    return recordReply(await findRecord(db, domain, recordId));
  });

export const createRecord: Handler<"createRecord"> = ({ domainId, body }, context) => {
  const { store, profile, now } = context;
  return store.write(async (db) => {
    const domain = await findMaster(db, domainId, context);
    const { fields, errors } = readRecord(body.type, body, undefined, zoneOf(domain, context));
    refuseIfAny([
      ...errors,
      ...(await conflicts(db, domain, { type: body.type, ...fields })),
      ...(await textErrors(db, domain, fields, context)),
    ]);
    if ((await records.count(db, domain.id)) >= mostRecords) {
      throw badRequest(tooManyRecords);
    }
    await prepareChange(db, domain, context);
    const moment = timestamp(now);
    const row = await records.insert(db, {
      domain_id: domain.id,
      type: body.type,
      ...fields,
      name_key: fields.name.toLowerCase(),
      ttl_sec: storedTtl(body.ttl_sec ?? 0, profile),
      created: moment,
      updated: moment,
    });
    await addEvent(db, context, "dns_record_create", { ...domain, message: recordLabel(row, domain) });
    return recordReply(row);
  });
};

export const updateRecord: Handler<"updateRecord"> = ({ domainId, recordId, body }, context) => {
  const { store, profile, now } = context;
  return store.write(async (db) => {
    const domain = await findMaster(db, domainId, context);
    const record = await findRecord(db, domain, recordId);
    const type = record.type as ApiRecordType;
    const { fields, errors } = readRecord(type, body, record, zoneOf(domain, context));
    refuseIfAny([
      ...typeErrors(body.type, type),
      ...errors,
      ...(await conflicts(db, domain, { type, ...fields }, record.id)),
      ...(await textErrors(db, domain, fields, context, record.id)),
    ]);
    await prepareChange(db, domain, context);
    const row = await records.update(db, record.id, {
      ...fields,
      name_key: fields.name.toLowerCase(),
      ttl_sec: typeof body.ttl_sec === "number" ? storedTtl(body.ttl_sec, profile) : record.ttl_sec,
      updated: timestamp(now),
    });
    const was = record.name === row.name ? "" : `, was ${recordLabel(record, domain)}`;
    await addEvent(db, context, "dns_record_update", { ...domain, message: `${recordLabel(row, domain)}${was}` });
    return recordReply(row);
  });
};

export const deleteRecord: Handler<"deleteRecord"> = ({ domainId, recordId }, context) =>
  context.store.write(async (db) => {
    const domain = await findMaster(db, domainId, context);
    const record = await findRecord(db, domain, recordId);
    await prepareChange(db, domain, context);
    await records.remove(db, record.id);
    await addEvent(db, context, "dns_record_delete", { ...domain, message: recordLabel(record, domain) });
    return {};
  });

async function findRecord(db: Database, domain: DomainRow, id: number): Promise<RecordRow> {
  const record = await records.find(db, domain.id, id);
  if (record === undefined) throw notFound();
  return record;
}

/** @throws {ApiError} 400 for a slave, whose records come from its masters. */
async function findMaster(db: Database, id: number, context: Context): Promise<DomainRow> {
  const domain = await findDomain(db, id, context, "read_write");
  if (domain.type === "master") return domain;
  throw badRequest("Zones must be set to the master type to update resource records using the API.");
}

function zoneOf({ domain }: DomainRow, { remoteAddress }: Context) {
  return { domain, remoteAddress };
}

async function conflicts(
  db: Database,
  domain: DomainRow,
  record: records.PlacedRecord,
  except?: number,
): Promise<ApiErrorEntry[]> {
  return neighborErrors(record, await records.conflicting(db, domain.id, record, except));
}

/** Only a long target requires reading the lengths of all others. */
async function textErrors(
  db: Database,
  { id }: DomainRow,
  { target }: { target: string },
  { textRoom }: Context,
  except?: number,
): Promise<ApiErrorEntry[]> {
  const text = textIn(target);
  const fits = text === 0 || text + (await records.textOf(db, id, longTarget, except)) <= textRoom;
  return fits ? [] : [errorEntry("target", tooMuchText(textRoom))];
}

function typeErrors(sent: string | null | undefined, stored: string): ApiErrorEntry[] {
  return (sent ?? stored) === stored ? [] : [errorEntry("type", "The type of a record cannot be changed")];
}

/** A stored record as a reply shows it: the keys in the order of service.md, Records. */
function recordReply(row: RecordRow): ApiRecord {
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    target: row.target,
    priority: row.priority,
    weight: row.weight,
    port: row.port,
    service: row.service,
    protocol: row.protocol,
    ttl_sec: row.ttl_sec,
    tag: row.tag,
    created: row.created,
    updated: row.updated,
  };
}
