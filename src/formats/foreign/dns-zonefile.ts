import { advise, type Fix } from "../../diagnostics/advice.ts";
import { type Place, type Problem, problem } from "../../diagnostics/problem.ts";
import { decodeText, SourceText } from "../../diagnostics/source-text.ts";
import { readDuration } from "../../dns/name/duration.ts";
import { Fault } from "../../dns/name/fault.ts";
import { isInside, type Name, nameKey, readName, root } from "../../dns/name/name.ts";
import { toOctets } from "../../dns/name/text.ts";
import type { RecordType } from "../../dns/rdata/record-type.ts";
import { typeOf } from "../../dns/types/index.ts";
import type { DotlessTarget, Zone, ZoneRecord } from "../../dns/zone/zone.ts";
import { findSlips } from "../kit/find-slips.ts";
import { isTextType, type NameReading, readRdataText, readTextData } from "../kit/rdata-text.ts";
import type { ReadResult, UnreadEntry } from "../kit/source.ts";
import { entryOf, readTree, textOf, type YamlMap, type YamlNode } from "../yaml/tree.ts";
import { type ForeignFile, type ForeignFormat, type ForeignZone, omittedProblem } from "./foreign-format.ts";
import { hasKeys, parseForeignJson } from "./json-text.ts";

/** The JSON of the npm package `dns-zonefile`, version 0.3: one zone, with a list of records for each of its types. */
export const dnsZonefile: ForeignFormat = {
  name: "dns-zonefile JSON",
  endings: [".json"],
  recognises: (file) => {
    const zone = parseForeignJson(file);
    const isZone = ["$origin", "$ttl", "soa"].some((key) => hasKeys(zone, key));
    return isZone && Object.keys(fields).some((key) => hasKeys(zone, key));
  },
  read(file) {
    const { zones, problems } = new ZonefileReader(file).read();
    const withSlips = zones.map((zone) => ({ ...zone, problems: [...zone.problems, ...findSlips(asZone(zone))] }));
    return { zones: withSlips, problems };
  },
};

/** The keys of a record of each type, in the order of its RDATA. */
const fields: Readonly<Record<string, readonly string[]>> = {
  soa: ["mname", "rname", "serial", "refresh", "retry", "expire", "minimum"],
  ns: ["host"],
  a: ["ip"],
  aaaa: ["ip"],
  cname: ["alias"],
  mx: ["preference", "host"],
  ptr: ["host"],
  txt: ["txt"],
  srv: ["priority", "weight", "port", "target"],
  spf: ["data"],
  caa: ["flags", "tag", "value"],
  ds: ["key_tag", "algorithm", "digest_type", "digest"],
};

/** Numbers, which the package writes as texts in DS records. */
const numbers: ReadonlySet<string> = new Set([
  ...["ttl", "$ttl", "serial", "refresh", "retry", "expire", "minimum", "preference", "priority", "weight", "port"],
  ...["flags", "key_tag", "algorithm", "digest_type"],
]);

/** `fullname` repeats the name of a PTR record. */
const ownerKeys = ["name", "fullname", "ttl"];

type JsonZone = ForeignZone & Pick<Zone, "dotlessTargets">;

class ZonefileReader {
  readonly #file: ForeignFile;
  readonly #source: SourceText;
  readonly #problems: Problem[] = [];
  readonly #ofZone: Problem[] = [];
  readonly #records: ZoneRecord[] = [];
  readonly #unread: UnreadEntry[] = [];
  readonly #dotless: DotlessTarget[] = [];

  constructor(file: ForeignFile) {
    this.#file = file;
    this.#source = new SourceText(file.file, decodeText(file.bytes).text);
  }

  read(): { readonly zones: readonly JsonZone[]; readonly problems: readonly Problem[] } {
    const zone = readTree(this.#source, (found) => this.#problems.push(found))?.root;
    const name = zone?.kind === "map" ? this.#name(zone) : undefined;
    if (zone?.kind !== "map" || name === undefined) return { zones: [], problems: this.#problems };
    const ttl = this.#ttl(entryOf(zone, "$ttl")?.value);
    for (const { key, keyAt, value } of zone.entries) {
      if (key === "$origin" || key === "$ttl") continue;
      // The package writes no records for null.
      const records = value.kind === "list" ? value.items : this.#isNull(value) ? [] : [value];
      if (Object.hasOwn(fields, key)) for (const record of records) this.#record(name, key, record);
      else this.#ofZone.push(omittedProblem(`"${key}"`, "dns-zonefile has no such key", keyAt));
    }
    const settings = ttl === undefined ? {} : { ttl_sec: ttl };
    const [records, unread, dotlessTargets] = [this.#records, this.#unread, this.#dotless];
    const read = { name, settings, records, unread, dotlessTargets, problems: this.#ofZone };
    return { zones: [read], problems: this.#problems };
  }

  /** `$origin`, else an absolute name of the SOA record, else that of the file. */
  #name(zone: YamlMap): Name | undefined {
    const soa = entryOf(zone, "soa")?.value;
    const ofSoa = soa?.kind === "map" ? entryOf(soa, "name")?.value : undefined;
    const written = [entryOf(zone, "$origin")?.value, ofSoa].find((node) => node && textOf(node).includes("."));
    try {
      const name = written ? readName(toOctets(textOf(written).replace(/\.?$/, "."))) : this.#file.origin;
      if (name !== root) return name;
      throw new Fault(
        "zone-name",
        "the file does not name its zone",
        advise`Add "$origin", or name the zone with ${{ set: "origin" }}.`,
      );
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#problems.push(
        problem("zone-name", error.message, { fix: error.problem.fix, place: written?.at ?? zone.at }),
      );
      return undefined;
    }
  }

  #ttl(node: YamlNode | undefined): number | undefined {
    if (!node || (node.kind === "text" && node.text === "")) return undefined;
    try {
      return readDuration(this.#textIn("$ttl", node));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#ofZone.push(problem("ttl-syntax", error.message, { fix: error.problem.fix, place: node.at }));
      return undefined;
    }
  }

  #record(zone: Name, key: string, node: YamlNode): void {
    const type = typeOf(key.toUpperCase());
    const keys = fields[key] ?? [];
    if (node.kind !== "map") return this.#lost({ zone, type, at: node.at }, "it is not an object");
    const { at, start, end } = node;
    const nodes = new Map(node.entries.map(({ key, value }) => [key, value]));
    const written = keys.map((field) => this.#written(nodes.get(field)));
    const about = { zone, type, at, rdata: written.join(" ").trim() };
    const missing = keys.find((field) => !nodes.has(field));
    let place = at;
    const textIn = (field: string) => {
      const value = nodes.get(field);
      if (!value) return "";
      place = value.at; // for a value of another type
      const text = this.#textIn(field, value);
      place = at;
      return text;
    };
    try {
      if (missing !== undefined) throw new Fault("field-missing", `"${missing}" is missing`, "");
      // The package writes "@" for null.
      const isNull = this.#isNull(nodes.get("name"));
      const name = (isNull ? "" : textIn("name")) || "@";
      const owner = name === "@" ? zone : readName(toOctets(name), zone);
      Object.assign(about, { owner });
      if (!isInside(owner, zone)) throw new Fault("out-of-zone", `${owner} is outside of the zone`, "");
      const ttlText = textIn("ttl");
      const ttl = ttlText === "" ? undefined : readDuration(ttlText);
      const dotless: Pick<DotlessTarget, "name" | "written">[] = [];
      const data = readData(type, keys.map(textIn), { origin: zone, onDotless: (target) => dotless.push(target) });
      const placeOf = (written: string) =>
        keys.map((key) => nodes.get(key)).find((node) => node && textOf(node) === written)?.at ?? at;
      for (const target of dotless)
        this.#dotless.push({ ...target, at: placeOf(target.written), owner, type: type.type, source: this.#source });
      this.#records.push({ owner, type: type.type, ttl, data, source: this.#source, start, end });
      for (const entry of node.entries)
        if (![...ownerKeys, ...keys].includes(entry.key)) {
          const part = `"${entry.key}" of ${name} ${type.type}`;
          this.#ofZone.push(omittedProblem(part, "dns-zonefile has no such key", entry.keyAt));
        }
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#lost({ ...about, at: place }, error.message, error.problem.fix);
    }
  }

  /** The value as the file has it: strings without quotes, anything else as JSON. */
  #written(node: YamlNode | undefined): string {
    if (!node) return "";
    return this.#isString(node) ? textOf(node) : this.#source.text.slice(node.start, node.end);
  }

  #isString({ start }: YamlNode): boolean {
    return this.#source.text[start] === '"';
  }

  #isNull(node: YamlNode | undefined): boolean {
    return node?.kind === "text" && node.isEmpty && !this.#isString(node);
  }

  /** @throws {Fault} if the field is of another type: the package would write it in some other spelling. */
  #textIn(field: string, node: YamlNode): string {
    if (this.#isString(node)) return textOf(node);
    const text = this.#written(node);
    const isNumber = /^-?\d/.test(text);
    if (isNumber && numbers.has(field)) return Number.isSafeInteger(Number(text)) ? String(Number(text)) : text; // 1e3
    const kind = node.kind === "list" ? "a list" : node.kind === "map" ? "an object" : isNumber ? "a number" : text;
    const wanted = numbers.has(field) ? "a number" : "a text";
    throw new Fault("value-shape", `"${field}" is ${kind}, not ${wanted}`, "");
  }

  #lost({ zone, owner = zone, type, at, rdata = "" }: About, reason: string, fix?: Fix): void {
    const advice = fix ? { fix } : {};
    const invalid = `its data is invalid: ${reason}`;
    this.#unread.push({ owner, type: type.type, rdata, reason: invalid, ...advice, place: at });
  }
}

interface About {
  readonly zone: Name;
  readonly owner?: Name;
  readonly type: RecordType;
  readonly at: Place;
  readonly rdata?: string;
}

/** The JSON as a zone, to check it: what `import file` would lose is an error. */
export function readDnsZonefile(file: ForeignFile): ReadResult {
  const { zones, problems } = new ZonefileReader(file).read();
  const [read] = zones;
  if (!read)
    return { zone: asZone({ name: file.origin, settings: {}, records: [], unread: [], dotlessTargets: [] }), problems };
  const lost = read.unread.map(({ owner, type, reason, place }) =>
    problem("value-shape", `${owner} ${type}: ${reason}`, { place, owner }),
  );
  return { zone: asZone(read), problems: [...problems, ...read.problems, ...lost] };
}

function asZone({ name, settings, records, dotlessTargets, unread }: Omit<JsonZone, "problems">): Zone {
  const owners = new Set(unread.map(({ owner }) => nameKey(owner)));
  return { name, settings, records, dotlessTargets, places: {}, unread: { owners, isAny: false } };
}

/**
 * RDATA in zone file syntax, in which the package writes it. Its manual writes texts without quotation marks; its
 * parser keeps those of the zone file.
 */
function readData(type: RecordType, values: readonly string[], names: NameReading): object {
  const [first = ""] = values;
  if (isTextType(type) && !first.startsWith('"')) return readTextData(first);
  // A new zone has no serial yet: the package writes the time instead.
  const words = values.map((value) => (type.type === "SOA" && value === "{time}" ? "0" : value));
  return readRdataText(type, words.join(" "), names);
}
