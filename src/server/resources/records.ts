import type { ApiErrorEntry } from "../../contract/errors.ts";
import type { ApiRecord, ApiRecordType } from "../../contract/resources/record.ts";
import { storedTtl } from "../../contract/ttl.ts";
import { errorEntry, notFound, refusal, refuse } from "../kit/api-error.ts";
import type { Context, Handler } from "../kit/context.ts";
import { envelope } from "../kit/envelope.ts";
import { nameOf, note } from "../kit/events.ts";
import { ownDomain } from "../kit/own-domain.ts";
import { zoneWillChange } from "../kit/rendering.ts";
import { timestamp } from "../kit/timestamp.ts";
import { longTarget, mostRecords, textIn, tooManyRecords, tooMuchText } from "../rules/domain.ts";
import { neighbourProblems } from "../rules/neighbours.ts";
import { readRecord } from "../rules/record.ts";
import * as records from "../store/records.ts";
import type { Database } from "../store/store.ts";
import type { DomainRow, RecordRow } from "../store/tables.ts";

export const listRecords: Handler<"listRecords"> = ({ domainId, query, filter }, context) =>
  context.store.read(async (db) => {
    const { id } = await ownDomain(db, domainId, context);
    const { rows, results } = await records.list(db, id, { filter, ...query });
    return envelope(rows.map(replyOf), results, query);
  });

export const getRecord: Handler<"getRecord"> = ({ domainId, recordId }, context) =>
  context.store.read(async (db) => {
    const domain = await ownDomain(db, domainId, context);
    return replyOf(await ownRecord(db, domain, recordId));
  });

export const createRecord: Handler<"createRecord"> = ({ domainId, body }, context) => {
  const { store, profile, now } = context;
  return store.write(async (db) => {
    const domain = await masterDomain(db, domainId, context);
    const { fields, problems } = readRecord(body.type, body, undefined, zoneOf(domain, context));
    refuse([
      ...problems,
      ...(await neighbours(db, domain, { type: body.type, ...fields })),
      ...(await textProblems(db, domain, fields, context)),
    ]);
    if ((await records.count(db, domain.id)) >= mostRecords) {
      throw refusal(tooManyRecords);
    }
    await zoneWillChange(db, domain, context);
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
    await note(db, context, "dns_record_create", domain, nameOf(row, domain));
    return replyOf(row);
  });
};

export const updateRecord: Handler<"updateRecord"> = ({ domainId, recordId, body }, context) => {
  const { store, profile, now } = context;
  return store.write(async (db) => {
    const domain = await masterDomain(db, domainId, context);
    const record = await ownRecord(db, domain, recordId);
    const type = record.type as ApiRecordType;
    const { fields, problems } = readRecord(type, body, record, zoneOf(domain, context));
    refuse([
      ...typeProblems(body.type, type),
      ...problems,
      ...(await neighbours(db, domain, { type, ...fields }, record.id)),
      ...(await textProblems(db, domain, fields, context, record.id)),
    ]);
    await zoneWillChange(db, domain, context);
    const row = await records.update(db, record.id, {
      ...fields,
      name_key: fields.name.toLowerCase(),
      ttl_sec: typeof body.ttl_sec === "number" ? storedTtl(body.ttl_sec, profile) : record.ttl_sec,
      updated: timestamp(now),
    });
    const was = record.name === row.name ? "" : `, was ${nameOf(record, domain)}`;
    await note(db, context, "dns_record_update", domain, `${nameOf(row, domain)}${was}`);
    return replyOf(row);
  });
};

export const deleteRecord: Handler<"deleteRecord"> = ({ domainId, recordId }, context) =>
  context.store.write(async (db) => {
    const domain = await masterDomain(db, domainId, context);
    const record = await ownRecord(db, domain, recordId);
    await zoneWillChange(db, domain, context);
    await records.remove(db, record.id);
    await note(db, context, "dns_record_delete", domain, nameOf(record, domain));
    return {};
  });

async function ownRecord(db: Database, domain: DomainRow, id: number): Promise<RecordRow> {
  const record = await records.find(db, domain.id, id);
  if (record === undefined) throw notFound();
  return record;
}

/** The caller's domain, whose records may be changed here. A slave has those of its master. */
async function masterDomain(db: Database, id: number, context: Context): Promise<DomainRow> {
  const domain = await ownDomain(db, id, context, "read_write");
  if (domain.type === "master") return domain;
  throw refusal("Zones must be set to the master type to update resource records using the API.");
}

function zoneOf({ domain }: DomainRow, { remoteAddress }: Context) {
  return { domain, remoteAddress };
}

async function neighbours(
  db: Database,
  domain: DomainRow,
  record: { type: string; name: string; target: string },
  except?: number,
): Promise<ApiErrorEntry[]> {
  return neighbourProblems(record, await records.conflicting(db, domain.id, record, except));
}

/** Only a long target is worth a look at all the others. */
async function textProblems(
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

function typeProblems(sent: string | null | undefined, stored: string): ApiErrorEntry[] {
  return (sent ?? stored) === stored ? [] : [errorEntry("type", "The type of a record cannot be changed")];
}

/** A stored record as the API answers with it: the keys in the order of service.md, Records. */
function replyOf(row: RecordRow): ApiRecord {
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
