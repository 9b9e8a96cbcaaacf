import type { NewOpenRecord, OpenRecordType, RecordsSetting } from "../../contract/resources/open-record.ts";
import type { ApiRecord, ApiRecordType, CaaTag } from "../../contract/resources/record.ts";
import { readAddress4, readAddress6 } from "../../dns/name/address.ts";
import { asName, isInside, labels, type Name, readExactName, relativeTo, root } from "../../dns/name/name.ts";
import { fromOctets, splitText, toOctets } from "../../dns/name/text.ts";
import { findType, type RdataByType, typeOf } from "../../dns/types/index.ts";
import type { Id } from "../../dns/zone/desired-live.ts";
import { isType, rdataText, type ZoneRecord } from "../../dns/zone/zone.ts";
import { readRdataText } from "../../formats/kit/rdata-text.ts";

/** The fields of an API record that contain RDATA. */
export interface ApiRdata {
  target: string;
  priority?: number;
  weight?: number;
  port?: number;
  service?: string;
  protocol?: string;
  tag?: CaaTag;
}

/** An id of the API in a request. */
export function apiId(id: Id): number {
  if (typeof id !== "number") throw new Error(`${id} is not an id of the API`);
  return id;
}

/** The body of a write: all fields of the type, so that a PUT replaces all old values. */
export interface ApiRecordFields extends ApiRdata {
  type: ApiRecordType;
  name?: string;
  ttl_sec: number;
}

type StoredRdata = Pick<ApiRecord, "target" | "priority" | "weight" | "port" | "tag">;
/** `rdata`: the data in presentation form, from a server that holds records of every type. */
type StoredRecord = StoredRdata & Pick<ApiRecord, "name" | "type" | "ttl_sec"> & { readonly rdata?: string | null };

interface Mapping<Data> {
  toApi(data: Data): ApiRdata;
  fromApi(stored: StoredRdata, zone: Name): Data;
}

/**
 * The mapping of RDATA for each type that the API supports (decisions/documents#records, decisions/service#records).
 * Targets are absolute and have no final dot; an empty one is the root.
 */
const mappings: { readonly [T in ApiRecordType]: Mapping<RdataByType[T]> } = {
  A: {
    toApi: ({ address }) => ({ target: address }),
    fromApi: ({ target }) => ({ address: readAddress4(target) }),
  },
  AAAA: {
    toApi: ({ address }) => ({ target: address }),
    fromApi: ({ target }) => ({ address: readAddress6(target) }),
  },
  CNAME: {
    toApi: ({ cname }) => ({ target: withoutDot(cname) }),
    fromApi: ({ target }) => ({ cname: absolute(target) }),
  },
  NS: {
    toApi: ({ nsdname }) => ({ target: withoutDot(nsdname) }),
    fromApi: ({ target }) => ({ nsdname: absolute(target) }),
  },
  PTR: {
    toApi: ({ ptrdname }) => ({ target: withoutDot(ptrdname) }),
    fromApi: ({ target }) => ({ ptrdname: absolute(target) }),
  },
  MX: {
    toApi: ({ preference, exchange }) => ({ priority: preference, target: withoutDot(exchange) }),
    fromApi: ({ priority, target }) => ({ preference: priority, exchange: absolute(target) }),
  },
  SRV: {
    toApi: ({ priority, weight, port, target }) => ({ priority, weight, port, target: withoutDot(target) }),
    fromApi: ({ priority, weight, port, target }, zone) => ({
      priority,
      weight,
      port,
      target: target === "" || target.includes(".") ? absolute(target) : readExactName(target, zone),
    }),
  },
  TXT: {
    toApi: ({ strings }) => ({ target: fromOctets(strings.join("")) }),
    fromApi: ({ target }) => ({ strings: splitText(toOctets(target)) }),
  },
  CAA: {
    toApi: ({ tag, value }) => ({ tag: tag.toLowerCase() as CaaTag, target: fromOctets(value) }),
    fromApi: ({ tag, target }) => ({ flags: 0, tag: (tag ?? "").toLowerCase(), value: toOctets(target) }),
  },
};

export function isApiType(type: string): type is ApiRecordType {
  return Object.hasOwn(mappings, type);
}

/** Whether a server with this setting stores records of a type. The SOA record is made from the settings of a zone. */
export function isStoredType(type: string, records: RecordsSetting): boolean {
  return records === "open" ? type !== "SOA" && findType(type) !== undefined : isApiType(type);
}

/** The body of a write for a record within the limits of the API. `ttl_sec` 0 means the zone's default. */
export function toApi(record: ZoneRecord, zone: Name): ApiRecordFields {
  const { type } = record;
  if (!isApiType(type)) throw new Error(`the API does not support ${type} records`);
  if (!isType(record, type)) throw new Error(`the record is not ${type}`);
  const fields = { type, ttl_sec: record.ttl ?? 0, ...dataToApi(type, record.data) };
  if (record.type !== "SRV") return { ...fields, name: sentName(record.owner, zone) };
  const { service, protocol } = srvParts(record.owner, zone);
  return { ...fields, service, protocol };
}

/** The body of a write to a server that holds records of every type. `ttl_sec` 0 means the zone's default. */
export function toOpenApi(record: ZoneRecord, zone: Name): NewOpenRecord {
  const { owner, ttl = 0 } = record;
  const type = record.type as OpenRecordType; // of a record that was accepted
  return { type, name: sentName(owner, zone), ttl_sec: ttl, rdata: rdataText(record) };
}

/**
 * A stored record as a zone record. Times as stored: 0 becomes undefined, the zone's default. Of types that the
 * documents lack, `target` is the data in presentation form.
 * @throws {Fault} if a stored value is not a valid name or address, which the API should have rejected.
 */
export function fromApi(stored: StoredRecord, zone: Name): ZoneRecord {
  const { type, rdata } = stored;
  const text = rdata ?? (isApiType(type) ? undefined : stored.target);
  return {
    owner: stored.name === "" ? zone : readExactName(toOctets(stored.name), zone),
    type,
    ttl: stored.ttl_sec === 0 ? undefined : stored.ttl_sec,
    data:
      isApiType(type) && text === undefined ? dataFromApi(type, stored, zone) : readRdataText(typeOf(type), text ?? ""),
  };
}

/** The data of a type that the documents have, from its fields. @throws {Fault} */
export function dataFromApi(type: ApiRecordType, stored: StoredRdata, zone: Name = root): object {
  return mappings[type].fromApi(stored, zone);
}

/** The name of a record inside its domain; empty at the apex. */
export function apiName(owner: Name, zone: Name): string {
  const name = relativeTo(owner, zone);
  return name === "@" ? "" : name;
}

/** The name to send: the API takes one that ends in the name of the domain for an absolute one. */
export function sentName(owner: Name, zone: Name): string {
  const name = apiName(owner, zone);
  return isInside(asName(`${name}.`), zone) ? withoutDot(owner) : name;
}

/** `_sip._tcp.sub` is service `sip`, protocol `tcp.sub`: the API composes the name and adds the underscores. */
function srvParts(owner: Name, zone: Name): { service: string; protocol: string } {
  const [service = "", ...rest] = labels(`${apiName(owner, zone)}.`);
  return { service: service.replace(/^_(?!_)/, ""), protocol: rest.join(".").replace(/^_(?!_)/, "") };
}

/** The fields of a type that the documents have. */
export function dataToApi(type: ApiRecordType, data: object): ApiRdata {
  return mappings[type].toApi(data as never); // the type says which data it is
}

function withoutDot(name: Name): string {
  return name.replace(/\.$/, "");
}

function absolute(target: string): Name {
  return readExactName(toOctets(target.endsWith(".") ? target : `${target}.`));
}
