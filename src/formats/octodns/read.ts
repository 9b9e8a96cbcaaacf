import type { Fix } from "../../diagnostics/advice.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import { type Place, ProblemError, problem, type Severity } from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { decodeText, SourceText } from "../../diagnostics/source-text.ts";
import { readDuration } from "../../dns/name/duration.ts";
import { Fault } from "../../dns/name/fault.ts";
import { isInternational } from "../../dns/name/idn.ts";
import { isInside, type Name, type NameKey, nameKey, readName, root } from "../../dns/name/name.ts";
import { toOctets } from "../../dns/name/text.ts";
import { displayTypeOf, type Rdata, type RecordType } from "../../dns/rdata/record-type.ts";
import { findType } from "../../dns/types/index.ts";
import type { ZoneRecord } from "../../dns/zone/zone.ts";
import { convertedNote } from "../kit/converted.ts";
import { Faults, unreadOf } from "../kit/faults.ts";
import { headline, type ProblemSubject } from "../kit/headline.ts";
import { findForeignContent, findZoneFileInside } from "../kit/other-format.ts";
import type { ReadResult, UnreadEntry, ZoneFileBytes } from "../kit/source.ts";
import { unknownTypeFix } from "../kit/unknown-type.ts";
import { readTree, type YamlEntry, type YamlMap, type YamlNode, type YamlText } from "../yaml/tree.ts";
import { readValue, type ValueContext, valueAt } from "../yaml/value.ts";
import { isInteger, translateValue } from "./values.ts";
import { describeScalar, describeText, isPlain, readScalar } from "./yaml-1-1.ts";

/** The TTL in seconds of a record without one, unless octoDNS's provider has another `default_ttl`. */
const octodnsTtl = 3600;

const setKeys = ["type", "ttl", "value", "values"];

/** Keys of octoDNS that configure its providers, beside plain values. Providers have further keys. */
const providerKeys = ["octodns", "dynamic", "geo", "healthcheck"];

/** Types of octoDNS that do not exist in DNS; other provider types start with the provider's name and a slash. */
const providerTypes = ["URLFWD"];

/**
 * Reads a zone file of octoDNS: owner names (`""` is the zone) with one record set or a list of them, each with `type`,
 * `ttl` and `value` or `values`. Its targets are absolute, with or without a final dot. Provider-specific and ignored
 * record sets are skipped with a warning.
 */
export function readOctodns({ file, bytes, origin, defaultTtl = octodnsTtl }: ZoneFileBytes): ReadResult {
  const { text, undecodable } = decodeText(bytes);
  return new OctodnsReader(new SourceText(file, text), origin, defaultTtl).read(undecodable);
}

/** A kind of skipped content: its first place and the number of occurrences. */
interface LeftOut {
  readonly about: string;
  readonly fix: Fix;
  readonly counts: Map<string, number>;
  first: Place | undefined;
}

function newLeftOut(about: string, fix: Fix): LeftOut {
  return { about, fix, counts: new Map(), first: undefined };
}

/**
 * The use of a scalar: the name of an owner, the text of a field, a whole number, a number with a fraction, or a value
 * that octoDNS accepts only as a text.
 */
type Use = "name" | "text" | "integer" | "decimal" | "value";

class OctodnsReader {
  readonly #source: SourceText;
  readonly #name: Name;
  readonly #defaultTtl: number;
  readonly #faults: Faults;
  readonly #context: ValueContext;
  readonly #records: ZoneRecord[] = [];
  readonly #omitted: UnreadEntry[] = [];
  /** The types of each owner, which several keys may name. */
  readonly #types = new Map<NameKey, Set<string>>();
  /** Scalars that were reported: those of an anchor are read again at each alias. */
  readonly #reported = new Set<number>();
  readonly #providerKeys = newLeftOut(
    "keys for octoDNS and its providers are skipped; only the plain values beside them are read",
    "Remove them when octoDNS no longer reads the file.",
  );
  readonly #ofProviders = newLeftOut(
    "record sets of provider-specific types are skipped",
    "Write records of standard types, such as A, AAAA or CNAME, in their place.",
  );
  readonly #ignored = newLeftOut(
    "record sets that octoDNS ignores are skipped",
    "Remove `ignored` from those that zonewright is to manage.",
  );

  constructor(source: SourceText, name: Name, defaultTtl: number) {
    this.#defaultTtl = defaultTtl;
    this.#source = source;
    this.#faults = new Faults(() => source.place(source.text.length));
    this.#name = name;
    this.#context = {
      source,
      origin: root,
      rfcNamesOnly: true,
      textsHaveEscapes: true,
      onDotless: () => {},
      onConverted: (written, name, at) => this.#converted(written, name, at),
    };
  }

  read(undecodable: number | undefined): ReadResult {
    const foreign = findForeignContent(this.#source);
    if (!foreign && undecodable !== undefined) {
      const at = this.#source.place(undecodable);
      this.#error("encoding", "the file is not UTF-8 from this character on", at, "Save it as UTF-8.");
    }
    const otherFormat = foreign ?? findZoneFileInside(this.#source);
    if (otherFormat) this.#faults.report(otherFormat);
    const tree = otherFormat ? undefined : readTree(this.#source, (found) => this.#faults.report(found))?.root;
    if (tree?.kind === "map") for (const entry of tree.entries) this.#owner(entry);
    else if (tree && !(tree.kind === "text" && tree.isEmpty))
      this.#error(
        "records-shape",
        "the file must map owner names to record sets",
        tree.at,
        'Write record sets, such as `"": { type: A, value: 192.0.2.1 }`.',
      );
    this.#reportLeftOut();
    return {
      zone: {
        name: this.#name,
        settings: {},
        records: this.#records,
        places: {},
        dotlessTargets: [],
        ...unreadOf(this.#faults.list),
        file: this.#source.file,
        fileFormat: "octodns",
      },
      problems: this.#faults.list,
      ...(this.#omitted.length > 0 && { omitted: this.#omitted }),
    };
  }

  #owner({ key, keyAt, keyStart, keyEnd, value }: YamlEntry): void {
    const text = this.#textIn11({ text: key, at: keyAt, start: keyStart, end: keyEnd }, "name");
    const owner = this.#ownerName(text, keyAt);
    if (owner === undefined) return;
    const types = this.#types.get(nameKey(owner)) ?? new Set();
    this.#types.set(nameKey(owner), types);
    for (const set of value.kind === "list" ? value.items : [value]) {
      if (set.kind === "map") this.#set({ owner, ownerAt: keyAt }, set, types);
      else {
        const summary = `${key === "" ? "the apex" : `"${key}"`} has a record set that is not a map`;
        this.#error("records-shape", summary, set.at, "Write `type:`, `ttl:` and `values:`.");
      }
    }
  }

  #ownerName(key: string, at: Place): Name | undefined {
    try {
      if (key === "@")
        throw new Fault("name-syntax", `octoDNS writes the apex as "", not as "@"`, 'Write `"":` instead.');
      const owner = key === "" ? this.#name : readName(toOctets(key), this.#name);
      this.#converted(key, owner, at);
      if (isInside(owner, this.#name)) return owner;
      const fix = "Write names relative to the zone, without a final dot.";
      throw new Fault("out-of-zone", `"${owner}" is outside the zone "${this.#name}"`, fix);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#error(error.problem.id, error.message, at, error.problem.fix, { value: key });
      return undefined;
    }
  }

  #set(owned: Required<Pick<ZoneRecord, "owner" | "ownerAt">>, set: YamlMap, types: Set<string>): void {
    const entry = (name: string) => set.entries.find(({ key }) => key === name);
    const [own, foreign] = [entry("type")?.value, entry("octodns")];
    if (isIgnored(foreign, this.#source.text)) {
      this.#omit(owned.owner, set, "octoDNS ignores it");
      return this.#leaveOut(this.#ignored, "octodns: ignored: true", foreign?.keyAt ?? set.at);
    }
    const { owner } = owned;
    const misspelled = this.#keys(set, owner);
    if (!own && misspelled.has("type")) return;
    if (own?.kind !== "text" || own.isEmpty)
      return this.#error("type-missing", "the record set has no type", set.at, "Add `type:`, for example `type: A`.", {
        owner,
      });
    const type = findType(own.text.toUpperCase());
    if (!type) return this.#unknownType(own.text, own.at, owner, set);
    const about = { owner, type: displayTypeOf(type) };
    if (types.has(type.type)) {
      const summary = `"${owned.owner}" has a second ${displayTypeOf(type)} set`;
      return this.#error("duplicate-set", summary, own.at, "Merge the two.");
    }
    types.add(type.type);
    const values = entry("values") ?? entry("value");
    if (entry("values") && entry("value"))
      return this.#error("value-twice", "the set has both `value` and `values`", set.at, "Keep one of them.", about);
    const nodes = values?.value.kind === "list" ? values.value.items : values ? [values.value] : [];
    if (!values && (misspelled.has("value") || misspelled.has("values"))) return;
    if (nodes.length === 0) {
      const summary = `the ${displayTypeOf(type)} set has no values`;
      return this.#error("value-missing", summary, set.at, "Add `values:` with a list.", about);
    }
    const ttl = this.#ttl(entry("ttl"), about);
    for (const value of nodes) this.#value(owned, type, ttl, value);
  }

  /** The intended keys of misspelled ones, so that they are not also reported as missing. */
  #keys({ entries }: YamlMap, owner: Name): ReadonlySet<string> {
    const misspelled = new Set<string>();
    for (const { key, keyAt } of entries) {
      if (setKeys.includes(key)) continue;
      const known = providerKeys.includes(key) ? undefined : nearest(key, [...setKeys, ...providerKeys]);
      // octoDNS ignores unknown keys; a misspelled one would lose its values or TTL.
      if (known) {
        misspelled.add(known);
        this.#error("unknown-key", `"${key}" is not a key of a record set`, keyAt, `Did you mean "${known}"?`, {
          owner,
        });
      } else this.#leaveOut(this.#providerKeys, key, keyAt);
    }
    return misspelled;
  }

  #unknownType(type: string, at: Place, owner: Name, set: YamlMap): void {
    if (type.includes("/") || providerTypes.includes(type.toUpperCase())) {
      this.#omit(owner, set, "only its provider has this type");
      return this.#leaveOut(this.#ofProviders, type, at);
    }
    this.#error("unknown-type", `"${type}" is not a record type`, at, unknownTypeFix(type), { owner });
  }

  #ttl(entry: YamlEntry | undefined, about: ProblemSubject): number {
    if (!entry) return this.#defaultTtl;
    const value = entry.value.kind === "text" ? this.#textIn11(entry.value, "integer", about) : undefined;
    try {
      if (value !== undefined) return readDuration(value);
      throw new Fault("ttl-syntax", "`ttl` must be a duration", "Write seconds, for example `ttl: 300`.");
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#error(error.problem.id, error.message, entry.value.at, error.problem.fix, { ...about, value });
      return this.#defaultTtl;
    }
  }

  #value(owned: Required<Pick<ZoneRecord, "owner" | "ownerAt">>, type: RecordType, ttl: number, node: YamlNode): void {
    const { start, end } = node;
    try {
      const { owner, ownerAt } = owned;
      const data = this.#data(type, this.#valueIn11(type, node, { owner, type: displayTypeOf(type) }));
      this.#records.push({ owner, type: type.type, ttl, data, source: this.#source, start, end, ownerAt });
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const { problem: found } = error;
      const { place = node.at } = found;
      const about = { owner: owned.owner, type: displayTypeOf(type), value: valueAt(this.#source, found) };
      this.#error(found.id, found.summary, place, found.fix, about);
    }
  }

  #data(type: RecordType, node: YamlNode): Rdata {
    return readValue(type, translateValue(type, node), this.#context);
  }

  #valueIn11(type: RecordType, node: YamlNode, about: ProblemSubject, use: Use = "value"): YamlNode {
    if (node.kind === "list")
      return { ...node, items: node.items.map((item) => this.#valueIn11(type, item, about, use)) };
    if (node.kind === "text") {
      const text = this.#textIn11(node, use, about);
      return text === node.text ? node : { ...node, text, verbatimAt: undefined };
    }
    const entries = node.entries.map((entry) => {
      const use = isInteger(type, entry.key) ? "integer" : type.type === "LOC" ? "decimal" : "text";
      return { ...entry, value: this.#valueIn11(type, entry.value, about, use) };
    });
    return { ...node, entries };
  }

  /** The text of a scalar as octoDNS reads it, in YAML 1.1; a warning if YAML 1.2 reads another one. */
  #textIn11(node: Pick<YamlText, "text" | "at" | "start" | "end">, use: Use, about: ProblemSubject = {}): string {
    const { text } = node;
    if (!isPlain(node, this.#source.text)) return text;
    const scalar = readScalar(text);
    const isNumber = use === "integer" || use === "decimal";
    if (!scalar) {
      const other = isNumber || (use === "name" && text === "=") ? undefined : describeText(text);
      if (other !== undefined)
        this.#warnOfVersions(node, headline(other, this.#name, about), `Write "${text}" in quotes.`);
      return text;
    }
    if (scalar.shown === "null" && use !== "name") return text;
    const used = use === "integer" ? scalar.integer : use === "name" ? scalar.text?.toLowerCase() : scalar.text;
    const isSameText = scalar.text?.toLowerCase() === text.toLowerCase();
    // Other values of a number are errors of their own.
    if (isNumber && (used === undefined || isSameText)) return text;
    const isSame = isNumber
      ? /^[-+]?\d+(?:\.\d*)?$/.test(text) && Number(text) === Number(used)
      : isSameText && (use !== "value" || scalar.shown !== "a date");
    if (!isSame) {
      const fix =
        use === "value" || used === undefined
          ? `Write "${text}" in quotes: octoDNS accepts only texts here.`
          : scalar.shown === "null"
            ? `Write "${text}" in quotes: octoDNS reads the name "${used}" without them.`
            : isNumber && !/^[-+]?\d+(?:\.\d*)?$/.test(text)
              ? `Write ${used}.`
              : `Write ${isNumber ? used : `"${used}"`}, or "${text}" in quotes if that is meant.`;
      this.#warnOfVersions(node, headline(describeScalar(text, scalar), this.#name, about), fix);
    }
    return use === "value" ? text : (used ?? text);
  }

  /** Warns once of a scalar, also if aliases use it again. */
  #warnOfVersions({ at, start }: Pick<YamlText, "at" | "start">, summary: string, fix: Fix): void {
    if (this.#reported.has(start)) return;
    this.#reported.add(start);
    this.#report("warning", "yaml-version", summary, at, fix);
  }

  #converted(written: string, name: Name, at: Place): void {
    if (isInternational(toOctets(written))) this.#faults.report(convertedNote(written, name, this.#name, at));
  }

  #leaveOut(kind: LeftOut, what: string, at: Place): void {
    kind.first ??= at;
    kind.counts.set(what, (kind.counts.get(what) ?? 0) + 1);
  }

  /** Lists the values of a record set that is skipped. */
  #omit(owner: Name, set: YamlMap, reason: string): void {
    const entry = (name: string) => set.entries.find(({ key }) => key === name)?.value;
    const [type, values = set] = [entry("type"), entry("values") ?? entry("value")];
    const ttl = entry("ttl");
    for (const value of values.kind === "list" ? values.items : [values]) {
      const rdata = this.#source.text.slice(value.start, value.end).replaceAll(/\s+/g, " ").trim();
      const seconds = Number(ttl?.kind === "text" ? ttl.text : this.#defaultTtl) || this.#defaultTtl;
      const about = { owner, type: type?.kind === "text" ? type.text : "", ttl: seconds, rdata };
      this.#omitted.push({ ...about, reason, place: value.at });
    }
  }

  /** Reports skipped content, one note for each kind. */
  #reportLeftOut(): void {
    for (const { first, counts, about, fix } of [this.#providerKeys, this.#ofProviders, this.#ignored]) {
      if (!first) continue;
      const names = [...counts].map(
        ([name, count]) => `${name === "" ? '""' : name}${count > 1 ? ` (${count} times)` : ""}`,
      );
      this.#report("warning", "provider-specific", `${about}: ${names.join(", ")}`, first, fix);
    }
  }

  #error(id: ProblemId, summary: string, at: Place, fix?: Fix, about: ProblemSubject = {}): void {
    this.#report("error", id, headline(summary, this.#name, about), at, fix);
  }

  #report(severity: Severity, id: ProblemId, summary: string, at: Place, fix?: Fix): void {
    this.#faults.report(problem(id, summary, { severity, place: at, fix }));
  }
}

/** Whether the value of a key is a record set or a list of them. */
export function isRecordSet(value: YamlNode): boolean {
  if (value.kind === "list") return value.items.some(isRecordSet);
  return value.kind === "map" && value.entries.some(({ key, value }) => key === "type" && value.kind === "text");
}

/**
 * Whether octoDNS ignores the set: it reads `octodns: { ignored: … }` with PyYAML and tests its truth as Python does.
 */
function isIgnored(entry: YamlEntry | undefined, text: string): boolean {
  if (entry?.value.kind !== "map") return false;
  return entry.value.entries.some(({ key, value }) => key === "ignored" && isTrue(value, text));
}

/** The plain scalars of YAML 1.1 that are null, false or zero. */
const falsePlain =
  /^(?:~?|[nN]ull|NULL|[nN]o|NO|[fF]alse|FALSE|[oO]ff|OFF|[-+]?(?:0[0_]*|0b[0_]+|0x[0_]+|0[0_]*\.[0_]*(?:[eE][-+]\d+)?|\.0[0_]*))$/;

function isTrue(value: YamlNode, text: string): boolean {
  if (value.kind === "map") return value.entries.length > 0;
  if (value.kind === "list") return value.items.length > 0;
  const isPlain = !/["'|>]/.test(text.charAt(value.start));
  return isPlain ? !falsePlain.test(value.text) : value.text !== "";
}
