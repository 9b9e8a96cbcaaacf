import type { ApiErrorEntry } from "../../contract/errors.ts";
import type { ApiRecordType } from "../../contract/resources/record.ts";
import { errorEntry } from "../kit/api-error.ts";
import { nameErrors, relativeName } from "./name.ts";
import { type RecordFields, rulesOf, type Zone } from "./record-types.ts";

/** What a request says of a record; a field that is absent or null says nothing. */
export type SentRecord = { [K in keyof RecordFields]?: RecordFields[K] | null | undefined };

/**
 * A record as it will be stored, and what is wrong with it on its own. `stored` is the record that the request changes;
 * what the request does not say stays as it is (service: Records).
 */
export function readRecord(
  type: ApiRecordType,
  sent: SentRecord,
  stored: RecordFields | undefined,
  zone: Zone,
): { fields: RecordFields; errors: ApiErrorEntry[] } {
  const rules = rulesOf(type);
  const said = saidBy(sent, stored);
  const known = valuesOf((field) => said[field] ?? stored?.[field] ?? blank[field]) as RecordFields;
  const missing = rules.required.filter((field) => (said[field] ?? stored?.[field] ?? null) === null);
  const isSrv = type === "SRV";
  const fields: RecordFields = {
    ...known,
    name: isSrv ? srvName(known) : said.name === undefined ? known.name : relativeName(said.name, zone.domain),
    target: said.target === undefined ? known.target : rules.target(said.target, zone),
    service: isSrv ? known.service : null,
    protocol: isSrv ? known.protocol : null,
    tag: type === "CAA" ? known.tag : null,
  };
  const found = [...(isSrv ? [] : nameErrors(fields.name, zone.domain)), ...rules.errors(fields, zone)];
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

/** A value that is sent back as it was read says nothing: a name that ends like the domain must not lose that end. */
function saidBy(sent: SentRecord, stored: RecordFields | undefined): Partial<RecordFields> {
  return valuesOf((field) => (sent[field] === stored?.[field] ? undefined : (sent[field] ?? undefined)));
}

function valuesOf(value: (field: keyof RecordFields) => unknown): Partial<RecordFields> {
  const fields = Object.keys(blank) as (keyof RecordFields)[];
  return Object.fromEntries(fields.map((field) => [field, value(field)]));
}

/** RFC 2782: `_service._protocol`, and what stands behind the protocol's first dot places it further down. */
function srvName({ service, protocol }: RecordFields): string {
  return `${underscored(service ?? "")}.${underscored(protocol ?? "")}`;
}

function underscored(label: string): string {
  return label.startsWith("_") ? label : `_${label}`;
}
