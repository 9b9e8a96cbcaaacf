import type * as z from "zod";
import type { ApiErrorEntry } from "../../../contract/errors.ts";
import type { formerlyOpenRecord, RecordsSetting } from "../../../contract/resources/open-record.ts";
import {
  type ApiRecord,
  type ApiRecordType,
  newRecord,
  type recordUpdate,
} from "../../../contract/resources/record.ts";
import { roundTtl } from "../../../contract/ttl.ts";
import { isApiType } from "../../../targets/api/mapping.ts";
import type { Context, Handler } from "../../entities/context.ts";
import { domainEntity, requireGrant } from "../../entities/entities.ts";
import { addEvents, type EventDetails } from "../../entities/events.ts";
import { resource } from "../../entities/resource.ts";
import { badRequest, errorEntry, notFound, ObjectRefusal, Refusal, refuseIfAny } from "../../kit/api-error.ts";
import { timestamp } from "../../kit/timestamp.ts";
import { type BatchResult, runAlone } from "../../store/driver.ts";
import { yieldToEventLoop } from "../../store/event-loop.ts";
import type { Database, DomainRow, NewRecordRow, Permissions, RecordRow } from "../../store/tables.ts";
import * as records from "../zones/records-rows.ts";
import {
  longTarget,
  mapRecordFields,
  neighborErrors,
  type RecordFields,
  readRecord,
  type SentRecord,
  textIn,
  tooManyRecords,
  tooMuchText,
} from "./domain-rules.ts";
import { findDomainRows } from "./domains-rows.ts";
import { findDomain } from "./lookups.ts";
import { findOpenType, openFieldsOf, readOpenRecord } from "./open-records.ts";
import { prepareChange } from "./rendering.ts";
import { keyOfSet, octetsInAnswer, type RecordOfSet, readSetSizes, type SetSizes, setErrors } from "./set-octets.ts";

const resourceOfRecords = resource({
  parent: findZone,
  locks: lockOf,
  rows: {
    list: ({ db, parent }, wanted) => records.listRecordRows(db, parent, wanted),
    find: ({ db, parent }, { recordId }: { domainId: number; recordId: number }) =>
      records.findRecordRow(db, parent.id, recordId),
    update: records.updateRecordRow,
    remove: records.removeRecordRow,
  },
  replies: (rows, { context }) => rows.map((row) => recordReply(row, context.records)),
  details: eventDetails,
});

export const listRecords: Handler<"listRecords"> = resourceOfRecords.list;

/** Finds the domain and the record in one statement, except for a restricted user, who also needs a grant. */
export const getRecord: Handler<"getRecord"> = async (path, context) => {
  const { store, caller } = context;
  if (caller.isRestricted) return resourceOfRecords.get(path, context);
  const find = (db: Database) => records.findRecordInAccount(db, caller.accountId, path.domainId, path.recordId);
  const row = await store.read(find, { isSingle: true });
  if (row === undefined) throw notFound();
  return recordReply(row, context.records);
};

interface Creation {
  readonly input: { readonly domainId: number; readonly body: z.output<typeof newRecord> };
  readonly context: Context;
}

export const createRecord: Handler<"createRecord"> = (input, context) => {
  const creation: Creation = { input, context };
  const create = async (db: Database): Promise<ApiRecord> => {
    const [outcome] = await createAll(db, [creation], { waits: true });
    if (outcome === undefined || outcome === runAlone) throw new Error("a creation without an outcome");
    if ("error" in outcome) throw outcome.error;
    return outcome.value;
  };
  const batch = { run: createUnlocked, item: creation };
  return context.store.write(create, { locks: lockOf(input, context), batch });
};

const createUnlocked = (db: Database, creations: readonly Creation[]) => createAll(db, creations, { waits: false });

/** A record to create in a domain that the caller may change, with the errors of its fields. */
interface NewRecordDraft extends Creation {
  /** Its place among all. */
  readonly index: number;
  readonly domain: DomainRow;
  readonly fields: RecordFields;
  readonly errors: readonly ApiErrorEntry[];
}

/** Creations that are checked before the event loop turns. */
const checkedAtOnce = 16;

/**
 * Creates records of any domains in few statements: each is checked as if those before it were stored, and one that is
 * refused leaves no trace. Without `waits`, creations in domains that are not found or are locked are left `runAlone`.
 */
async function createAll(
  db: Database,
  creations: readonly Creation[],
  { waits }: { readonly waits: boolean },
): Promise<BatchResult<ApiRecord>[]> {
  const ids = [...new Set(creations.map(({ input }) => input.domainId))];
  const found = await findDomainRows(db, ids, { skipsLocked: !waits });
  const outcomes = creations.map((): BatchResult<ApiRecord> => runAlone);
  const drafts = await keepAllowed([...creations.entries()], outcomes, async ([index, { input, context }]) => {
    const domain = found.get(input.domainId);
    if (domain === undefined && !waits) return undefined;
    return { index, input, context, ...(await readDraft(db, domain, input.body, context)) };
  });
  const stored = await readStored(db, drafts);
  const added = new AcceptedSoFar();
  const accepted = await keepAllowed(
    drafts.map((draft) => [draft.index, draft] as const),
    outcomes,
    async ([, draft]) => {
      await checkDraft(db, draft, stored, added);
      added.add(draft);
      return draft;
    },
  );
  await store(db, accepted, outcomes);
  return outcomes;
}

async function store(
  db: Database,
  accepted: readonly NewRecordDraft[],
  outcomes: BatchResult<ApiRecord>[],
): Promise<void> {
  const firsts = new Map([...accepted].reverse().map((draft) => [draft.domain.id, draft]));
  for (const { domain, context } of firsts.values()) await prepareChange(db, domain, context);
  const rows = await records.insertShortRecordRows(db, accepted.map(newColumns));
  const stored = rows.map((row, place) => ({ row, ...(accepted[place] as NewRecordDraft) }));
  const action = "dns_record_create" as const;
  await addEvents(
    db,
    stored.map(({ row, domain, context: { caller, now } }) => ({
      caller,
      now,
      action,
      details: eventDetails(row, domain),
    })),
  );
  for (const { row, index, context } of stored) outcomes[index] = { value: recordReply(row, context.records) };
}

/** The results of a step for each entry. The outcome of one that the step refuses is the refusal. */
async function keepAllowed<E extends readonly [index: number, unknown], R>(
  entries: readonly E[],
  outcomes: BatchResult<ApiRecord>[],
  step: (entry: E) => Promise<R | undefined>,
): Promise<R[]> {
  const results: R[] = [];
  for (const [count, entry] of entries.entries()) {
    if (count > 0 && count % checkedAtOnce === 0) await yieldToEventLoop();
    try {
      const result = await step(entry);
      if (result !== undefined) results.push(result);
    } catch (error) {
      // After an error of the database, the whole transaction ends.
      if (!(error instanceof Refusal)) throw error;
      outcomes[entry[0]] = { error };
    }
  }
  return results;
}

/** @throws {Refusal} 404 without a domain of the caller; 403; 400 for a slave. */
async function readDraft(
  db: Database,
  domain: DomainRow | undefined,
  body: Creation["input"]["body"],
  context: Context,
): Promise<Pick<NewRecordDraft, "domain" | "fields" | "errors">> {
  if (domain?.account_id !== context.caller.accountId) throw notFound();
  await requireGrant(db, context, { entity_type: "domain", entity_id: domain.id }, "read_write");
  requireMaster(domain);
  return { domain, ...readerOf(context)(body.type, body, undefined, zoneOf(domain, context)) };
}

/** The stored records that drafts may conflict with. */
interface StoredAround {
  /** The types of records that stand for others, by the names that have one. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly sets: SetSizes;
}

async function readStored(db: Database, drafts: readonly NewRecordDraft[]): Promise<StoredAround> {
  const places = drafts.filter((draft) => !mayMeetOthers(placeOfDraft(draft))).map(placeOf);
  const aliases = new Map((await records.findAliasesAmong(db, places)).map((alias) => [keyOf(alias), alias.type]));
  return { aliases, sets: await readSetSizes(db, drafts.filter(isLimited).map(setOfDraft)) };
}

/** Whether the size of the set of a draft is limited: documented requests are as the service answers them. */
function isLimited({ context, errors }: NewRecordDraft): boolean {
  return context.records === "open" && errors.length === 0;
}

function setOfDraft(draft: NewRecordDraft): RecordOfSet {
  const { domain, fields } = draft;
  return { domain, fields, type: placeOfDraft(draft).type };
}

/** Whether records of other types than CNAME and ALIAS may conflict with one of this type. */
function mayMeetOthers({ type }: Pick<records.RecordAtName, "type">): boolean {
  return ["CNAME", "MX", "ALIAS", "DNAME"].includes(type);
}

function placeOf({ domain, fields }: NewRecordDraft): records.PlaceRow {
  return { domain_id: domain.id, name_key: fields.name.toLowerCase() };
}

function keyOf({ domain_id, name_key }: records.PlaceRow): string {
  return `${domain_id} ${name_key}`;
}

/** The drafts that are accepted before others. */
class AcceptedSoFar {
  readonly #byPlace = new Map<string, records.RecordAtName[]>();
  readonly #sums = new Map<number, { records: number; text: number }>();
  readonly #sets: SetSizes = new Map();

  add(draft: NewRecordDraft): void {
    const key = keyOf(placeOf(draft));
    const { domain, fields } = draft;
    this.#byPlace.set(key, [...this.at(key), placeOfDraft(draft)]);
    const { records, text } = this.in(domain);
    this.#sums.set(domain.id, { records: records + 1, text: text + textIn(fields.target) });
    if (isLimited(draft)) {
      const set = setOfDraft(draft);
      this.#sets.set(keyOfSet(set), this.ofSet(set) + octetsInAnswer(set));
    }
  }

  at(key: string): readonly records.RecordAtName[] {
    return this.#byPlace.get(key) ?? [];
  }

  /** The octets of those in a set. */
  ofSet(set: RecordOfSet): number {
    return this.#sets.get(keyOfSet(set)) ?? 0;
  }

  /** The number of those in a domain, and the octets of their long targets. */
  in({ id }: DomainRow): { readonly records: number; readonly text: number } {
    return this.#sums.get(id) ?? { records: 0, text: 0 };
  }
}

function placeOfDraft({ input, fields, context }: NewRecordDraft): records.RecordAtName {
  return { type: typeOfRequest(input.body.type, context), name: fields.name, target: fields.target };
}

/** @throws {Refusal} 400 for a record that its domain cannot take. */
async function checkDraft(
  db: Database,
  draft: NewRecordDraft,
  { aliases, sets }: StoredAround,
  added: AcceptedSoFar,
): Promise<void> {
  const { domain, fields, errors, context } = draft;
  const record = placeOfDraft(draft);
  const set = setOfDraft(draft);
  const key = keyOf(placeOf(draft));
  const alias = aliases.get(key);
  const others = mayMeetOthers(record)
    ? await records.findConflicts(db, domain.id, record)
    : alias === undefined
      ? []
      : [{ type: alias, name: record.name, target: "" }];
  refuseIfAny([
    ...errors,
    ...neighborErrors(record, [...others, ...added.at(key)]),
    ...(await textErrors(db, domain, fields, context, { added: added.in(domain).text })),
    ...(isLimited(draft) ? await setErrors(db, set, sets, { added: added.ofSet(set) }) : []),
  ]);
  const { mostRecords } = context;
  if (domain.records + added.in(domain).records >= mostRecords) throw badRequest(tooManyRecords(mostRecords));
}

function newColumns({ domain, fields, input: { body }, context }: NewRecordDraft): NewRecordRow {
  const moment = timestamp(context.now);
  return {
    domain_id: domain.id,
    type: typeOfRequest(body.type, context),
    ...fields,
    name_key: fields.name.toLowerCase(),
    ttl_sec: roundTtl(body.ttl_sec ?? 0, context.profile, context.records),
    created: moment,
    updated: moment,
  };
}

export const updateRecord: Handler<"updateRecord"> = resourceOfRecords.update({
  event: "dns_record_update",
  async changes(body: z.output<typeof recordUpdate>, record, { db, context, parent: domain }) {
    const { type } = record;
    if (context.records === "documented") requireDocumented(record, body);
    const { fields, errors } = readerOf(context)(type, body, record, zoneOf(domain, context));
    refuseIfAny([
      ...typeErrors(typeOfRequest(body.type ?? type, context), type),
      ...errors,
      ...(await conflicts(db, domain, { type, ...fields }, record.id)),
      ...(await textErrors(db, domain, fields, context, { except: record.id })),
      ...(errors.length === 0 ? await growthErrors(db, { domain, type, fields }, record, context) : []),
    ]);
    await prepareChange(db, domain, context);
    return {
      ...fields,
      name_key: fields.name.toLowerCase(),
      ttl_sec:
        typeof body.ttl_sec === "number" ? roundTtl(body.ttl_sec, context.profile, context.records) : record.ttl_sec,
      updated: timestamp(context.now),
    };
  },
});

export const deleteRecord: Handler<"deleteRecord"> = resourceOfRecords.remove({
  event: "dns_record_delete",
  prepare: (_, { db, context, parent }) => prepareChange(db, parent, context),
});

/** @throws {Refusal} 400 for a write to a slave, whose records come from its masters. */
async function findZone(
  db: Database,
  { domainId }: { domainId: number },
  context: Context,
  needed: Permissions,
): Promise<DomainRow> {
  const domain = await findDomain(db, domainId, context, needed);
  if (needed !== "read_only") requireMaster(domain);
  return domain;
}

function requireMaster({ type }: DomainRow): void {
  if (type !== "master")
    throw badRequest("Zones must be set to the master type to update resource records using the API.");
}

/** Names the row of a domain, which every write to its records locks. */
function lockOf({ domainId }: { readonly domainId: number }, { caller }: Context): string {
  return `domain ${domainId} of account ${caller.accountId}`;
}

function eventDetails(row: RecordRow, domain: DomainRow, before?: RecordRow): EventDetails {
  const was = before === undefined || before.name === row.name ? "" : `, was ${recordLabel(before, domain)}`;
  return { entity: domainEntity(domain), message: `${recordLabel(row, domain)}${was}` };
}

/** Type and full name of a record, as events name it. */
function recordLabel({ type, name }: RecordRow, { domain }: DomainRow): string {
  return `${type} ${name === "" ? domain : `${name}.${domain}`}`;
}

function zoneOf({ domain }: DomainRow, { remoteAddress, profile }: Context) {
  return { domain, remoteAddress, profile };
}

async function conflicts(
  db: Database,
  domain: DomainRow,
  record: records.RecordAtName,
  except?: number,
): Promise<ApiErrorEntry[]> {
  return neighborErrors(record, await records.findConflicts(db, domain.id, record, except));
}

/** Errors of a change that makes a set too long. A set that is too long already may get shorter. */
async function growthErrors(
  db: Database,
  set: RecordOfSet,
  before: RecordRow,
  { records }: Context,
): Promise<ApiErrorEntry[]> {
  if (records !== "open") return [];
  const was = { ...set, fields: before };
  if (keyOfSet(was) === keyOfSet(set) && octetsInAnswer(set) <= octetsInAnswer(was)) return [];
  return setErrors(db, set, await readSetSizes(db, [set]), { except: before.id });
}

/** Only a long target requires reading the lengths of all others. `added` are octets that are not stored yet. */
async function textErrors(
  db: Database,
  { id }: DomainRow,
  { target }: { target: string },
  { textRoom }: Context,
  { added = 0, except }: { readonly added?: number; readonly except?: number },
): Promise<ApiErrorEntry[]> {
  const text = textIn(target);
  const fits = text === 0 || text + added + (await records.sumLongTargets(db, id, longTarget, except)) <= textRoom;
  return fits ? [] : [errorEntry("target", tooMuchText(textRoom))];
}

/** Documented requests have documented types, others any. */
function readerOf({ records }: Context): typeof readOpenRecord {
  return records === "open" ? readOpenRecord : (type, ...rest) => readRecord(type as ApiRecordType, ...rest);
}

/** The mnemonic under which the type of a request is stored. */
function typeOfRequest(type: string, { records }: Context): string {
  return records === "open" ? (findOpenType(type)?.type ?? type) : type;
}

/** @throws {ObjectRefusal} for a record that only a server with open records can hold, also after the change. */
function requireDocumented(record: RecordRow, sent: SentRecord): void {
  const { type, rdata } = record;
  const changed = { type, ...mapRecordFields((field) => sent[field] ?? record[field]) };
  if (isApiType(type) && rdata === null && newRecord.safeParse(changed).success) return;
  const reason = "This record needs a server with open records: here it can be read and deleted, but not changed";
  throw new ObjectRefusal([errorEntry("type", reason)]);
}

function typeErrors(sent: string, stored: string): ApiErrorEntry[] {
  return sent === stored ? [] : [errorEntry("type", "The type of a record cannot be changed")];
}

/**
 * A stored record as a reply shows it (decisions/service#records, decisions/service#order-of-keys). The data of
 * a record that was made while records were open is told in both settings, if the documented fields lack a part of it.
 */
function recordReply(row: RecordRow, records: RecordsSetting): z.output<typeof formerlyOpenRecord> {
  const reply = documentedReply(row);
  if (records === "open") return { ...reply, ...openFieldsOf(row) };
  const { rdata } = row;
  return rdata === null ? reply : { ...reply, rdata };
}

function documentedReply(row: RecordRow): ApiRecord {
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
