import { Fault } from "../../dns/name/fault.ts";
import { encodeRdata, octetsForm } from "../../dns/rdata/record-type.ts";
import { typeCode } from "../../dns/rdata/type-codes.ts";
import { WireWriter } from "../../dns/rdata/wire-writer.ts";
import { findType, typeOf } from "../../dns/types/index.ts";
import { isSameRdata, isType, rdataText, type ZoneRecord } from "../../dns/zone/zone.ts";
import { readRdataText } from "../../formats/kit/rdata-text.ts";

/**
 * The spelling of RDATA that PowerDNS accepts. It has one for each value and rejects all others. The one of 4.7 is
 * known; the error of another version tells it. Types that it does not know have the generic form (RFC 3597).
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

/** The presentation form in the spelling of PowerDNS, as far as it is known (4.7, 2026-11). */
function usualContent(record: ZoneRecord): string {
  if (isType(record, "CERT")) {
    const { certificate_type: type, key_tag: tag, algorithm, certificate } = record.data;
    return [type, tag, algorithm, certificate].join(" ");
  }
  const text = rdataText(record);
  const respell = respellings.get(record.type);
  if (respell) return respell(text);
  return hasStrings(text) ? text : text.replace(/\\(\d{3}|.)/g, (all, one: string) => (/[@$]/.test(one) ? one : all));
}

const respellings: ReadonlyMap<string, (text: string) => string> = new Map([
  ["AAAA", withoutDottedPart],
  ["HTTPS", respellParams],
  ["SVCB", respellParams],
  ["IPSECKEY", (text: string) => text.replace(/^(\d+ 0 \d+) \./, "$1")],
  [
    "LOC",
    (text: string) =>
      text
        .replaceAll(/ (\d+)m/g, " $1.00m")
        .replace(/^0 0 0\.000 N/, "0 0 0.000 S")
        .replace(/([NS]) 0 0 0\.000 E/, "$1 0 0 0.000 W"),
  ],
]);

/** RDATA as it is read here, of the spelling of PowerDNS. */
export function contentToRead(type: string, content: string): string {
  return type === "IPSECKEY" ? content.replace(/^(\d+ 0 \d+)(?! \.)/, "$1 .") : content;
}

/** An IPv6 address without an IPv4 address at its end. */
function withoutDottedPart(text: string): string {
  return text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...octets: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = octets.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
}

/** Only a protocol with a space has quotes in `alpn`, other texts always have them, and each key has a value. */
function respellParams(text: string): string {
  const [, head = "", params = ""] = /^(\S+ \S+)(.*)$/s.exec(text) ?? [];
  const spelled = params.replace(/ ([^\s=]+)(?:=("(?:\\.|[^"\\])*"|\S*))?/gs, (_, key: string, value?: string) => {
    if (key === "no-default-alpn") return ` ${key}`;
    const bare = value?.replace(/^"(.*)"$/s, "$1") ?? "";
    if (value === undefined || key === "ech") return ` ${key}="${bare}"`;
    if (key !== "alpn") return ` ${key}=${value}`;
    return bare.includes("\\032") ? ` alpn="${bare.replaceAll("\\032", " ")}"` : ` alpn=${bare}`;
  });
  return `${head}${spelled}`;
}

/** Whether RDATA has character strings. */
export function hasStrings(text: string): boolean {
  return /(?:^| )"/.test(text);
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
    const read = (content: string) => readRdataText(found, contentToRead(found.type, content));
    const [data, same] = [read(one), read(other)];
    return isSameRdata({ type: found.type, data }, { data: same });
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}
