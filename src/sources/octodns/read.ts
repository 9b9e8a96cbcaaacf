import type { Diagnostic, Place } from "../../diagnostics/diagnostic.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import { SourceText } from "../../diagnostics/source-text.ts";
import { readDuration } from "../../zone/duration.ts";
import { Fault } from "../../zone/fault.ts";
import { type Name, readName } from "../../zone/name.ts";
import type { Rdata, RecordType } from "../../zone/record-type.ts";
import { fromOctets, splitText, toOctets } from "../../zone/text.ts";
import { findType } from "../../zone/types/index.ts";
import type { ZoneRecord } from "../../zone/zone.ts";
import type { ReadResult, ZoneFile } from "../source.ts";
import { readTree, type YamlEntry, type YamlMap, type YamlNode } from "../yaml/tree.ts";
import { readValue, ValueFault } from "../yaml/value.ts";

/** What octoDNS gives a record that says no TTL, in seconds. */
const defaultTtl = 3600;

/** Keys that steer octoDNS and its providers; plain values stand beside them. */
const steering = ["octodns", "dynamic", "geo", "healthcheck"];

/** octoDNS's names for the fields of a value, today's and older ones, where they are not ours. */
const fieldNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  MX: { preference: "priority", exchange: "target", value: "target" },
  CAA: { value: "target" },
  NAPTR: { service: "services" },
  TLSA: { certificate_usage: "usage", certificate_association_data: "certificate" },
  SVCB: { svcpriority: "priority", targetname: "target", svcparams: "params" },
  HTTPS: { svcpriority: "priority", targetname: "target", svcparams: "params" },
};

/**
 * Reads a zone file of octoDNS: owner names (`""` is the zone) with one record set or a list of them, each with `type`,
 * `ttl` and `value` or `values`. Its targets are absolute, with a final dot or without. What only one provider knows is
 * left out with a warning.
 */
export function readOctodns({ file, bytes, origin }: ZoneFile): ReadResult {
  const text = fromOctets(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1")).replace(
    /^\ufeff/,
    "",
  );
  return new OctodnsReader(new SourceText(file, text), origin).read();
}

class OctodnsReader {
  readonly #source: SourceText;
  readonly #name: Name;
  readonly #diagnostics: Diagnostic[] = [];
  readonly #records: ZoneRecord[] = [];

  constructor(source: SourceText, name: Name) {
    this.#source = source;
    this.#name = name;
  }

  read(): ReadResult {
    const tree = readTree(this.#source, (diagnostic) => this.#diagnostics.push(diagnostic));
    if (tree?.kind === "map") for (const entry of tree.entries) this.#owner(entry);
    else if (tree && !(tree.kind === "text" && tree.isEmpty)) {
      this.#error("records-shape", "the file is no map from owner names to record sets", tree.at);
    }
    return {
      zone: {
        name: this.#name,
        settings: {},
        records: this.#records,
        places: {},
        dotlessTargets: [],
        file: this.#source.file,
      },
      diagnostics: this.#diagnostics,
    };
  }

  #owner({ key, keyAt, value }: YamlEntry): void {
    try {
      const owner = key === "" ? this.#name : readName(toOctets(key), this.#name);
      for (const set of value.kind === "list" ? value.items : [value]) {
        if (set.kind === "map") this.#set(owner, set);
        else
          this.#error(
            "records-shape",
            `${key || "the zone"} has a record set that is no map`,
            set.at,
            "Write type:, ttl: and values:.",
          );
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#error(error.rule, error.message, keyAt, error.fix);
    }
  }

  #set(owner: Name, set: YamlMap): void {
    const entry = (name: string) => set.entries.find(({ key }) => key === name);
    for (const { key, keyAt } of set.entries) {
      if (["type", "ttl", "value", "values"].includes(key)) continue;
      if (steering.includes(key))
        this.#warn(`${key} steers octoDNS and its providers; only the plain values are read`, keyAt);
      else {
        const known = nearest(key, ["type", "ttl", "value", "values"]);
        this.#error("unknown-key", `${key} is no key of a record set`, keyAt, known && `Did you mean ${known}?`);
      }
    }
    const written = entry("type")?.value;
    if (written?.kind !== "text")
      return this.#error("type-missing", "the record set names no type", set.at, "Write type: A.");
    const type = findType(written.text.toUpperCase());
    if (!type)
      return this.#warn(`${written.text} is known to one provider only; the record set is left out`, written.at);
    const values = entry("values")?.value ?? entry("value")?.value;
    if (!values)
      return this.#error("value-missing", `the ${type.type} set has no values`, set.at, "Write values: and the list.");
    const ttl = this.#ttl(entry("ttl"));
    for (const value of values.kind === "list" ? values.items : [values]) this.#value(owner, type, ttl, value);
  }

  #ttl(entry: YamlEntry | undefined): number {
    if (entry?.value.kind !== "text") return defaultTtl;
    try {
      return readDuration(entry.value.text);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#error(error.rule, error.message, entry.value.at, error.fix);
      return defaultTtl;
    }
  }

  #value(owner: Name, type: RecordType, ttl: number, node: YamlNode): void {
    const { start, end } = node;
    try {
      this.#records.push({
        owner,
        type: type.type,
        ttl,
        data: this.#data(type, node),
        source: this.#source,
        start,
        end,
      });
    } catch (error) {
      if (!(error instanceof ValueFault)) throw error;
      this.#error(error.fault.rule, error.fault.message, error.at, error.fault.fix);
    }
  }

  #data(type: RecordType, node: YamlNode): Rdata {
    const isText = type.fields[0]?.kind.json === "texts" && type.fields.length === 1;
    if (isText && node.kind === "text" && !node.isEmpty) return { target: readText(node.text) };
    const names = fieldNames[type.type];
    const value =
      node.kind === "map" && names ? { ...node, entries: node.entries.map((entry) => renamed(entry, names)) } : node;
    return readValue(type, value, { source: this.#source, origin: ".", onDotless: () => {} });
  }

  #warn(summary: string, at: Place): void {
    this.#diagnostics.push({ severity: "warning", rule: "provider-specific", summary, at });
  }

  #error(rule: string, summary: string, at: Place, fix?: string): void {
    this.#diagnostics.push({ severity: "error", rule, summary, at, ...(fix !== undefined && { fix }) });
  }
}

function renamed(entry: YamlEntry, names: Readonly<Record<string, string>>): YamlEntry {
  return { ...entry, key: names[entry.key] ?? entry.key };
}

/** octoDNS escapes semicolons in a text, and cuts a quoted one into strings with `" "`. */
function readText(written: string): string[] {
  const text = written.startsWith('"') ? written.slice(1, -1).replaceAll('" "', "") : written;
  return splitText(toOctets(text.replaceAll("\\;", ";")));
}
