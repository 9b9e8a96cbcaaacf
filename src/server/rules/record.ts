import type { ApiErrorEntry } from "../../contract/errors.ts";
import type { ApiRecordType } from "../../contract/resources/record.ts";
import { problem } from "../api-error.ts";
import { nameProblems, relativeName } from "./name.ts";
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
): { fields: RecordFields; problems: ApiErrorEntry[] } {
  const rules = rulesOf(type);
  const given = said(sent);
  const known = { ...blank, ...stored, ...given };
  const missing = rules.required.filter((field) => (given[field] ?? stored?.[field] ?? null) === null);
  const isSrv = type === "SRV";
  const fields: RecordFields = {
    ...known,
    name: isSrv ? srvName(known) : nameOf(given.name, stored, zone),
    target: given.target === undefined ? known.target : rules.target(given.target, zone),
    service: isSrv ? known.service : null,
    protocol: isSrv ? known.protocol : null,
    tag: type === "CAA" ? known.tag : null,
  };
  const found = [...(isSrv ? [] : nameProblems(fields.name, zone.domain)), ...rules.problems(fields, zone)];
  const problems = [
    ...missing.map((field) => problem(field, `${field} is required`)),
    ...found.filter(({ field }) => !missing.some((name) => name === field)),
  ];
  return { fields, problems };
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

function said(sent: SentRecord): Partial<RecordFields> {
  return Object.fromEntries(
    Object.keys(blank).flatMap((field) => {
      const value = sent[field as keyof RecordFields];
      return value === undefined || value === null ? [] : [[field, value]];
    }),
  );
}

/** A name that is sent back as it was read stays what it is, even where it ends like the domain. */
function nameOf(sent: string | undefined, stored: RecordFields | undefined, zone: Zone): string {
  if (sent === undefined || sent === stored?.name) return stored?.name ?? "";
  return relativeName(sent, zone.domain);
}

/** RFC 2782: `_service._protocol`, and what stands behind the protocol's first dot places it further down. */
function srvName({ service, protocol }: RecordFields): string {
  return `${underscored(service ?? "")}.${underscored(protocol ?? "")}`;
}

function underscored(label: string): string {
  return label.startsWith("_") ? label : `_${label}`;
}
