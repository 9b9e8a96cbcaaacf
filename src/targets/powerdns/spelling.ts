import { Fault } from "../../dns/name/fault.ts";
import { encodeRdata, octetsForm } from "../../dns/rdata/record-type.ts";
import { typeCode } from "../../dns/rdata/type-codes.ts";
import { WireWriter } from "../../dns/rdata/wire-writer.ts";
import { findType, typeOf } from "../../dns/types/index.ts";
import { isSameRdata, isType, rdataText, type ZoneRecord } from "../../dns/zone/zone.ts";
import { readRdataText } from "../../formats/kit/rdata-text.ts";

/**
 * The spelling of RDATA that PowerDNS accepts. It has one for each value, which its error tells, and rejects all others
 * (4.7, 2026-11). Types that it does not know have the generic form (RFC 3597).
 */
export class RdataSpelling {
  /** The accepted spelling by type and usual spelling. */
  readonly #contents = new Map<string, string>();
  /** Types that the server does not know, and those that it knows by name only. */
  readonly #unknown = new Set<string>();
  readonly #generic = new Set<string>();

  /** `stored`: the type of the RRset on the server; undefined if there is none. */
  typeOf(type: string, stored: string | undefined): string {
    if (stored !== undefined && stored !== type) this.#unknown.add(type);
    return this.#unknown.has(type) ? `TYPE${typeCode(type)}` : type;
  }

  contentOf(record: ZoneRecord): string {
    const { type } = record;
    if (this.#unknown.has(type) || this.#generic.has(type)) return genericForm(record);
    const usual = usualContent(record);
    return this.#contents.get(`${type} ${usual}`) ?? usual;
  }

  /** Learns from the error of a rejected request; false if it is about something else. */
  learn(reason: string): boolean {
    const [, unknown = ""] = /^RRset \S+ IN (\S+): unknown type given$/.exec(reason) ?? [];
    if (unknown !== "") return typeCode(unknown) !== undefined && addNew(this.#unknown, unknown);
    const [, generic = ""] = /^Record \S+\/(\S+) '.*': Unknown record was stored incorrectly/s.exec(reason) ?? [];
    if (generic !== "") return addNew(this.#generic, generic);
    const [, type = "", usual = "", accepted = ""] = otherForm.exec(reason) ?? [];
    const key = `${type} ${usual}`;
    if (type === "" || this.#contents.has(key) || !isSameContent(type, usual, accepted)) return false;
    this.#contents.set(key, accepted);
    return true;
  }
}

const otherForm = /^Record \S+\/(\S+) '(.*)': Not in expected format \(parsed as '(.*)'\)$/s;

function addNew(types: Set<string>, type: string): boolean {
  const isNew = !types.has(type);
  types.add(type);
  return isNew;
}

/** The presentation form, in the spelling of PowerDNS for the most usual differences. */
function usualContent(record: ZoneRecord): string {
  const text = rdataText(record);
  if (isType(record, "CERT")) {
    const { certificate_type: type, key_tag: tag, algorithm, certificate } = record.data;
    return [type, tag, algorithm, certificate].join(" ");
  }
  if (isType(record, "SVCB") || isType(record, "HTTPS")) return text.replace(/ alpn="([\w,./+-]+)"/, " alpn=$1");
  return isType(record, "LOC") ? text.replaceAll(/ (\d+)m/g, " $1.00m") : text;
}

function genericForm({ type, data }: ZoneRecord): string {
  const wire = WireWriter.plain();
  encodeRdata(typeOf(type), data, wire);
  return octetsForm(wire.bytes().toString("latin1"));
}

/** Whether two spellings are of the same RDATA, as they are read here. */
function isSameContent(type: string, one: string, other: string): boolean {
  const found = findType(type);
  if (found === undefined) return false;
  try {
    const [data, same] = [readRdataText(found, one), readRdataText(found, other)];
    return isSameRdata({ type: found.type, data }, { data: same });
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}
