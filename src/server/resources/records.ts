import type * as z from "zod";
import type { ApiErrorEntry } from "../../contract/errors.ts";
import type { ApiRecord, ApiRecordType, newRecord, recordUpdate } from "../../contract/resources/record.ts";
import { storedTtl } from "../../contract/ttl.ts";
import { badRequest, errorEntry, refuseIfAny } from "../kit/api-error.ts";
import type { Context, Handler } from "../kit/context.ts";
import { findDomain } from "../kit/domains.ts";
import { domainEntity } from "../kit/entities.ts";
import { prepareChange } from "../kit/rendering.ts";
import { resource } from "../kit/resource.ts";
import { timestamp } from "../kit/timestamp.ts";
import { longTarget, mostRecords, textIn, tooManyRecords, tooMuchText } from "../rules/domain.ts";
import { neighborErrors, readRecord } from "../rules/record.ts";
import * as records from "../store/records.ts";
import type { Database, DomainRow, Permissions, RecordRow } from "../store/tables.ts";

const resourceOfRecords = resource({
  parent: findZone,
  locks: ({ domainId }, { caller }) => `domain ${domainId} of account ${caller.accountId}`,
  rows: {
    list: ({ db, parent }, wanted) => records.list(db, parent, wanted),
    find: ({ db, parent }, { recordId }: { domainId: number; recordId: number }) =>
      records.find(db, parent.id, recordId),
    insert: records.insert,
    update: records.update,
    remove: records.remove,
  },
  replies: (rows) => rows.map(recordReply),
  details: (row, domain, before) => {
    const was = before === undefined || before.name === row.name ? "" : `, was ${recordLabel(before, domain)}`;
    return { entity: domainEntity(domain), message: `${recordLabel(row, domain)}${was}` };
  },
});

export const listRecords: Handler<"listRecords"> = resourceOfRecords.list;
export const getRecord: Handler<"getRecord"> = resourceOfRecords.get;

export const createRecord: Handler<"createRecord"> = resourceOfRecords.create({
  event: "dns_record_create",
  async columns(body: z.output<typeof newRecord>, { db, context, parent: domain }) {
    const { fields, errors } = readRecord(body.type, body, undefined, zoneOf(domain, context));
    refuseIfAny([
      ...errors,
      ...(await conflicts(db, domain, { type: body.type, ...fields })),
      ...(await textErrors(db, domain, fields, context)),
    ]);
    if (domain.records >= mostRecords) throw badRequest(tooManyRecords);
    await prepareChange(db, domain, context);
    const moment = timestamp(context.now);
    return {
      domain_id: domain.id,
      type: body.type,
      ...fields,
      name_key: fields.name.toLowerCase(),
      ttl_sec: storedTtl(body.ttl_sec ?? 0, context.profile),
      created: moment,
      updated: moment,
    };
  },
});

export const updateRecord: Handler<"updateRecord"> = resourceOfRecords.update({
  event: "dns_record_update",
  async changes(body: z.output<typeof recordUpdate>, record, { db, context, parent: domain }) {
    const type = record.type as ApiRecordType;
    const { fields, errors } = readRecord(type, body, record, zoneOf(domain, context));
    refuseIfAny([
      ...typeErrors(body.type, type),
      ...errors,
      ...(await conflicts(db, domain, { type, ...fields }, record.id)),
      ...(await textErrors(db, domain, fields, context, record.id)),
    ]);
    await prepareChange(db, domain, context);
    return {
      ...fields,
      name_key: fields.name.toLowerCase(),
      ttl_sec: typeof body.ttl_sec === "number" ? storedTtl(body.ttl_sec, context.profile) : record.ttl_sec,
      updated: timestamp(context.now),
    };
  },
});

export const deleteRecord: Handler<"deleteRecord"> = resourceOfRecords.remove({
  event: "dns_record_delete",
  prepare: (_, { db, context, parent }) => prepareChange(db, parent, context),
});

/** @throws {ApiError} 400 for a write to a slave, whose records come from its masters. */
async function findZone(
  db: Database,
  { domainId }: { domainId: number },
  context: Context,
  needed: Permissions,
): Promise<DomainRow> {
  const domain = await findDomain(db, domainId, context, needed);
  if (needed === "read_only" || domain.type === "master") return domain;
  throw badRequest("Zones must be set to the master type to update resource records using the API.");
}

/** Type and full name of a record, as events name it. */
function recordLabel({ type, name }: RecordRow, { domain }: DomainRow): string {
  return `${type} ${name === "" ? domain : `${name}.${domain}`}`;
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
