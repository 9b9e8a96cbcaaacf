import type { ApiErrorEntry } from "../../../contract/errors.ts";
import { Fault } from "../../../dns/name/fault.ts";
import { isInternational, toAsciiName } from "../../../dns/name/idn.ts";
import { asName, isWildcard, type Name, readExactName, relativeTo, root } from "../../../dns/name/name.ts";
import { fromOctets, toOctets } from "../../../dns/name/text.ts";
import type { RecordType } from "../../../dns/rdata/record-type.ts";
import { refusedDigest, wrongDigest } from "../../../dns/rules/digest-length.ts";
import { findType } from "../../../dns/types/index.ts";
import { findBindRefusal } from "../../../dns/zone/bind-refusal.ts";
import { rdataOctets } from "../../../dns/zone/record-octets.ts";
import { isType, rdataText, type ZoneRecord } from "../../../dns/zone/zone.ts";
import { readRdataText } from "../../../formats/kit/rdata-text.ts";
import { dataFromApi, dataToApi, fromApi, isApiType } from "../../../targets/api/mapping.ts";
import { errorEntry } from "../../kit/api-error.ts";
import { dataErrors, relativeName } from "../../kit/name.ts";
import type { RecordRow } from "../../store/tables.ts";
import {
  blankRecord,
  changesBy,
  mapRecordFields,
  missingErrors,
  type RecordFields,
  type RecordPlacement,
  rulesOf,
  type SentRecord,
  srvNameOf,
} from "./domain-rules.ts";
import { toStoredName } from "./lookups.ts";

/**
 * The type of a record that an open server stores, by its mnemonic or TYPEnnn; undefined for types of queries, and for
 * SOA, which the settings of the domain make.
 */
export function findOpenType(type: string): RecordType | undefined {
  const found = findType(type.toUpperCase());
  return found?.type === "SOA" ? undefined : found;
}

/** The fields of a record in a request to an open server. */
interface SentOpenRecord extends SentRecord {
  readonly flags?: number | null | undefined;
}

type DataField = "target" | "priority" | "weight" | "port" | "tag" | "rdata";

/**
 * A record of any type as it will be stored, with the errors of its fields; as `readRecord`. The data is that of
 * `rdata`, or of the other fields that the request changes.
 */
export function readOpenRecord(
  type: string,
  sent: SentOpenRecord,
  stored: RecordFields | undefined,
  zone: RecordPlacement,
): { fields: RecordFields; errors: ApiErrorEntry[] } {
  const origin = toStoredName(zone.domain);
  const recordType = findOpenType(type);
  const was = mapRecordFields((field) => (stored ?? blankRecord)[field]) as RecordFields;
  if (recordType === undefined) return { fields: was, errors: [errorEntry("type", unknownType)] };
  const errors: ApiErrorEntry[] = [];
  const attempt = <T>(field: string, read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      errors.push(faultEntry(field, error));
      return undefined;
    }
  };
  const changes = Object.entries(changesBy(sent, stored)).filter(([, value]) => value !== undefined);
  const given: Partial<RecordFields> = Object.fromEntries(changes);
  const known = { ...was, ...given };
  const composed = srvNameOf(recordType.type, known);
  const sentName = composed ?? (given.name === undefined ? was.name : given.name);
  const name = attempt("name", () => openName(relativeName(toALabels(sentName), zone.domain), origin)) ?? was.name;
  const before = stored && fromApi({ ...stored, type: recordType.type, ttl_sec: 0 }, origin);
  const rdata = sent.rdata ?? undefined;
  const isOther = before === undefined || (rdata !== undefined && rdata !== rdataText(before));
  const missing = rdata === undefined ? missingErrors(recordType.type, given, stored) : [];
  errors.push(...missing);
  const data =
    rdata !== undefined && isOther
      ? attempt("rdata", () => storedData(recordType, readRdataText(recordType, rdata), origin))
      : missing.length > 0
        ? undefined
        : attempt("target", () => dataOfFields(recordType, { sent, given, known, before }, zone));
  const isSrv = recordType.type === "SRV";
  const fields = {
    ...known,
    ...data,
    name,
    service: isSrv ? known.service : null,
    protocol: isSrv ? known.protocol : null,
  };
  if (errors.length === 0) errors.push(...ruleErrors(recordType, name, fields, origin));
  return { fields, errors };
}

const unknownType =
  "Must be a type that records can have: a mnemonic such as TLSA, or TYPE and a number. The SOA record is made from the settings of the domain";

interface DataOfRequest {
  readonly sent: SentOpenRecord;
  readonly given: Partial<RecordFields>;
  readonly known: RecordFields;
  readonly before: ZoneRecord | undefined;
}

/** Reads the data from fields such as `target` and `priority`. The stored data stays if the request changes none. */
function dataOfFields(
  type: RecordType,
  { sent, given, known, before }: DataOfRequest,
  zone: RecordPlacement,
): Pick<RecordFields, DataField> {
  const origin = toStoredName(zone.domain);
  const flags = sent.flags ?? flagsOf(before);
  const isChanged = ["target", "priority", "weight", "port", "tag"].some((field) => Object.hasOwn(given, field));
  const { priority, weight, port, tag, rdata } = known;
  if (before && !isChanged && flags === flagsOf(before))
    return { target: known.target, priority, weight, port, tag, rdata };
  if (!isApiType(type.type)) return storedData(type, readRdataText(type, known.target), origin);
  const target =
    given.target === undefined
      ? known.target
      : rulesOf(type.type).target(type.targets.length > 0 ? toALabels(given.target) : given.target, zone);
  const fields = { target, priority, weight, port, tag: type.type === "CAA" ? tag : null };
  const data = dataFromApi(type.type, fields, origin);
  if (type.type !== "CAA") return { ...fields, rdata: null };
  const property = { ...data, flags, tag: tag ?? "" };
  return { ...storedData(type, property, origin), target, tag };
}

/** A name of a request, in which labels in other scripts become A-labels (RFC 5891 §4.4). @throws {Fault} */
function toALabels(name: string): string {
  return isInternational(toOctets(name)) ? fromOctets(toAsciiName(toOctets(name))) : name;
}

/**
 * The fields of the data of a record as they are stored: those of the documents as far as they can carry it, and else
 * also the data itself.
 */
function storedData({ type }: RecordType, data: object, origin: Name): Pick<RecordFields, DataField> {
  const rdata = rdataText({ type, data });
  if (!isApiType(type)) return { priority: 0, weight: 0, port: 0, tag: null, target: rdata, rdata: null };
  const { target: text, priority = 0, weight = 0, port = 0, tag = null } = dataToApi(type, data);
  const target = text.replaceAll("\0", "\uFFFD"); // databases store no NUL
  const fields = { target, priority, weight, port, tag };
  const isCarried = rdataText({ type, data: dataFromApi(type, fields, origin) }) === rdata;
  return { ...fields, rdata: isCarried ? null : rdata };
}

/** The fields that replies of an open server have besides the documented ones. */
export function openFieldsOf(row: RecordRow): { readonly flags: number; readonly rdata: string } {
  const record = fromApi({ ...row, name: "" }, root);
  return { flags: flagsOf(record), rdata: rdataText(record) };
}

/** The flags of a CAA record, and 0 for others. */
function flagsOf(record: Pick<ZoneRecord, "type" | "data"> | undefined): number {
  return record && isType(record, "CAA") ? record.data.flags : 0;
}

/** A name as an open server stores it, relative to the domain. @throws {Fault} */
function openName(sent: string, origin: Name): string {
  const name = relativeTo(sent === "" ? origin : readExactName(toOctets(sent), origin), origin);
  return name === "@" ? "" : name;
}

/** Errors by the rules of DNS for the owner, and by the size of messages. */
function ruleErrors(type: RecordType, name: string, fields: RecordFields, origin: Name): ApiErrorEntry[] {
  const record = fromApi({ ...fields, type: type.type, ttl_sec: 0 }, origin);
  const wrong =
    (refusedDigest.types.includes(type.type) ? wrongDigest(record) : undefined) ?? findBindRefusal(record)?.fault;
  const ofBind = wrong === undefined ? [] : [errorEntry("rdata", capitalized(`${wrong}, so BIND refuses the zone`))];
  return [...ownerErrors(type.type, name), ...ofBind, ...dataErrors(rdataOctets(record))];
}

function ownerErrors(type: string, name: string): ApiErrorEntry[] {
  if (type === "CNAME" && name === "") return [errorEntry("name", "A CNAME needs a name below the domain")];
  const isWild = type === "NS" && isWildcard(asName(`${name}.`));
  return isWild ? [errorEntry("name", "A wildcard cannot be delegated")] : [];
}

/** An error of a field that cannot be read. */
function faultEntry(field: string, error: unknown): ApiErrorEntry {
  if (!(error instanceof Fault)) throw error;
  const { summary, fix } = error.problem;
  return errorEntry(field, [capitalized(summary), ...(typeof fix === "string" ? [fix] : [])].join(". "));
}

function capitalized(sentence: string): string {
  return [sentence.charAt(0).toUpperCase(), sentence.slice(1)].join("");
}
