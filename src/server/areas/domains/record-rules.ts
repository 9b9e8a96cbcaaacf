import { type ApiErrorEntry, reasons } from "../../../contract/errors.ts";
import type { ApiRecordType } from "../../../contract/resources/record.ts";
import { errorEntry } from "../../kit/api-error.ts";
import { nameErrors, relativeName } from "../../kit/name.ts";
import type { RecordAtName } from "../zones/records-rows.ts";
import { type RecordFields, type RecordPlacement, rulesOf } from "./record-types.ts";

/** The fields of a record in a request; absent and null leave the stored value unchanged. */
export type SentRecord = { [K in keyof RecordFields]?: RecordFields[K] | null | undefined };

/**
 * A record as it will be stored, with the errors of its fields. `stored` is the record to change; fields that the
 * request does not set stay unchanged (decisions/service#records).
 */
export function readRecord(
  type: ApiRecordType,
  sent: SentRecord,
  stored: RecordFields | undefined,
  zone: RecordPlacement,
): { fields: RecordFields; errors: ApiErrorEntry[] } {
  const rules = rulesOf(type);
  const given = changesBy(sent, stored);
  const known = valuesOf((field) => given[field] ?? stored?.[field] ?? blank[field]) as RecordFields;
  const missing = rules.required.filter((field) => (given[field] ?? stored?.[field] ?? null) === null);
  const isSrv = type === "SRV";
  const fields: RecordFields = {
    ...known,
    name: srvNameOf(type, known) ?? (given.name === undefined ? known.name : relativeName(given.name, zone.domain)),
    target: given.target === undefined ? known.target : rules.target(given.target, zone),
    ...(zone.profile === "live" && {
      priority: isSrv || type === "MX" ? known.priority : 0,
      weight: isSrv ? known.weight : 0,
      port: isSrv ? known.port : 0,
    }),
    service: isSrv ? known.service : null,
    protocol: isSrv ? known.protocol : null,
    tag: type === "CAA" ? known.tag : null,
  };
  const found = [
    ...(srvNameOf(type, known) === undefined ? nameErrors(fields.name, zone.domain) : []),
    ...rules.errors(fields, zone),
  ];
  const errors = [
    ...missing.map((field) => errorEntry(field, `${field} is required`)),
    ...found.filter(({ field }) => !missing.some((name) => name === field)),
  ];
  return { fields, errors };
}

const blank: RecordFields = {
  name: "",
  target: "",
  priority: 0,
  weight: 0,
  port: 0,
  service: null,
  protocol: null,
  tag: null,
};

/** The fields that the request changes. A name sent back as read is unchanged, even if it ends in the domain. */
function changesBy(sent: SentRecord, stored: RecordFields | undefined): Partial<RecordFields> {
  return valuesOf((field) => (sent[field] === stored?.[field] ? undefined : (sent[field] ?? undefined)));
}

function valuesOf(value: (field: keyof RecordFields) => unknown): Partial<RecordFields> {
  const fields = Object.keys(blank) as (keyof RecordFields)[];
  return Object.fromEntries(fields.map((field) => [field, value(field)]));
}

/**
 * `_service._protocol` (RFC 2782), or that of the two which an SRV record has; labels after the first dot of the
 * protocol are below it. A record without both has the name of the request: undefined.
 */
function srvNameOf(type: ApiRecordType, { service, protocol }: RecordFields): string | undefined {
  const parts = type === "SRV" ? [service, protocol].filter((part) => part !== null) : [];
  return parts.length === 0 ? undefined : parts.map(addUnderscore).join(".");
}

function addUnderscore(label: string): string {
  return label.startsWith("_") ? label : `_${label}`;
}

/** Conflicts of a record with the others at its name (decisions/service#records). */
export function neighborErrors(record: RecordAtName, others: readonly RecordAtName[]): ApiErrorEntry[] {
  if (others.some(({ type }) => type === "CNAME" || record.type === "CNAME")) {
    return [errorEntry("name", reasons.cnameConflict)];
  }
  const exchanges = others.filter(({ type }) => type === "MX");
  if (record.type !== "MX" || exchanges.length === 0) return [];
  if (exchanges.some(({ target }) => target === "")) {
    return [errorEntry("type", reasons.nullMxExists)];
  }
  return record.target === "" ? [errorEntry("type", reasons.mxExists)] : [];
}
