import type { Fix } from "../../diagnostics/advice.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import { type Place, type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { decodeText, SourceText } from "../../diagnostics/source-text.ts";
import { readDuration } from "../../dns/name/duration.ts";
import { Fault } from "../../dns/name/fault.ts";
import { isInternational } from "../../dns/name/idn.ts";
import { isInside, isSameName, type Name, nameKey, readName, refuseControl } from "../../dns/name/name.ts";
import { toOctets } from "../../dns/name/text.ts";
import { displayTypeOf, type RecordType } from "../../dns/rdata/record-type.ts";
import { findType } from "../../dns/types/index.ts";
import { unknownAddress, withAddresses } from "../../dns/zone/node-reference.ts";
import type { Ignore, Scope } from "../../dns/zone/scope.ts";
import { soaSettings } from "../../dns/zone/soa-settings.ts";
import {
  type DotlessTarget,
  type Excuse,
  isType,
  type Override,
  placeOf,
  type Slip,
  type TargetOfZone,
  type TemplateArgument,
  type TemplateUse,
  type ZoneRecord,
} from "../../dns/zone/zone.ts";
import { findSetting, type Setting, type SettingValue, type ZoneSettings } from "../../dns/zone/zone-settings.ts";
import { withSetTtls } from "../edit/rrset-ttl.ts";
import { convertedNote } from "../kit/converted.ts";
import { Faults, mostFaults, unreadOf } from "../kit/faults.ts";
import { headline, type ProblemSubject } from "../kit/headline.ts";
import { findForeignContent, findZoneFileInside } from "../kit/other-format.ts";
import { readIgnore, readManage, readTargets, scopeKeys, targetsKey } from "../kit/scope.ts";
import { findSoaDifferences, readRuleId, readSetting } from "../kit/setting.ts";
import type { ReadResult, ZoneFileBytes } from "../kit/source.ts";
import { unknownTypeFix } from "../kit/unknown-type.ts";
import { adviseReference, isReference, readReference, takesReference } from "./node-reference.ts";
import {
  foreignKeyFixes,
  isOctodnsFile,
  misplacedKeyFixes,
  missingTypesFault,
  octodnsProblem,
  settingsProblem,
} from "./other-tools.ts";
import { readExcuse } from "./read-excuse.ts";
import {
  entryOf,
  readTree,
  type TreeOptions,
  type YamlEntry,
  type YamlMap,
  type YamlNode,
  type YamlText,
  type YamlTree,
} from "./tree.ts";
import { readValue, type ValueContext, valueAt } from "./value.ts";

/** A YAML zone file: the zone, and the nodes of the tree that it was read from. */
export interface YamlFile extends ReadResult {
  /** Without a byte order mark. */
  readonly text: string;
  readonly tree: YamlTree | undefined;
  readonly owners: readonly OwnerNode[];
}

/** The records and settings of a template in a zone, and the nodes of the tree that they were read from. */
export type TemplateContent = Pick<YamlFile, "zone" | "problems" | "owners">;

/** An owner name in `records`. */
export interface OwnerNode {
  readonly name: Name;
  readonly entry: YamlEntry;
  readonly types: YamlMap;
  /** Its RRsets in the order of the file, as are those of all owners. */
  readonly sets: SetNode[];
}

/** The records of one type under an owner name. */
export interface SetNode {
  readonly owner: OwnerNode;
  readonly type: string;
  readonly entry: YamlEntry;
  /** The map with `values`, if any. */
  readonly map: YamlMap | undefined;
  /** The entry whose value is the record or the list of records: `entry` itself, or `values`. */
  readonly values: YamlEntry;
  /** Whether the values are a list of parts with separate TTLs. */
  readonly isSplit: boolean;
  /** One node for each record, in the order of the zone's records. */
  readonly items: readonly YamlNode[];
}

/**
 * Reads a zone in the YAML form of `docs/zone-files.md`. After a problem it continues, so one run reports all of them.
 */
export function readYaml(file: ZoneFileBytes): ReadResult {
  const { zone, problems } = readYamlFile(file);
  return { zone, problems };
}

/** Reads a zone together with its nodes, for `fmt` and edits of the file. */
export function readYamlFile({ addressOf, ...file }: ZoneFileBytes, options?: TreeOptions): YamlFile {
  const { text, undecodable } = decodeText(file.bytes);
  const read = new YamlReader(new SourceText(file.file, text), file.origin, file.settings).read(undecodable, options);
  return { ...read, zone: withAddresses(read.zone, addressOf) };
}

/**
 * Reads the records and settings of a template, whose parameters have been replaced, as a zone has them that uses it.
 */
export function readTemplateContent(
  source: SourceText,
  root: YamlMap,
  { origin, settings }: Pick<ZoneFileBytes, "origin" | "settings">,
): TemplateContent {
  return new YamlReader(source, origin, settings).readTemplate(root);
}

const setKeys = ["ttl_sec", "values", "override"];

/** Whether a value sets the TTL of its RRset, with the records in `values`. */
export function isSet(value: YamlNode): value is YamlMap {
  return value.kind === "map" && value.entries.some(({ key }) => key === "ttl" || setKeys.includes(key));
}

/** Whether an empty owner is followed by a type with a value, which lacks indentation. */
function isTypeBeside(owner: YamlEntry, type: YamlEntry): boolean {
  const isEmpty = owner.value.kind === "text" && owner.value.isEmpty;
  return isEmpty && findType(type.key.toUpperCase()) !== undefined && type.value.kind !== "map";
}

/** Whether a value maps record types, like the owner names in `records`. */
function isOwner(value: YamlNode): boolean {
  return value.kind === "map" && value.entries.some(({ key }) => findType(key.toUpperCase()) !== undefined);
}

const templatesExample = "Write `templates: [no-mail, { mail: { host: mx1 } }]`.";

class YamlReader {
  readonly #source: SourceText;
  readonly #problems: Faults;
  /** Problems that were already reported: the content of an anchor is read again at each alias. */
  readonly #reported = new Set<string>();
  readonly #repeated: Problem[] = [];
  #isRecordsMissing = false;
  readonly #known: readonly Setting[];
  readonly #settings: Record<string, SettingValue> = {};
  readonly #places: Record<string, Place> = {};
  readonly #records: ZoneRecord[] = [];
  readonly #dotless: DotlessTarget[] = [];
  readonly #slips: Slip[] = [];
  readonly #excused: Excuse[] = [];
  readonly #ignore: Ignore[] = [];
  readonly #templates: TemplateUse[] = [];
  readonly #overrides: Override[] = [];
  #manage: Scope["manage"];
  #targets: readonly TargetOfZone[] | undefined;
  readonly #owners: OwnerNode[] = [];
  /** Whether an RRset may have several TTLs. */
  #haveSetsParts = false;
  #name: Name;

  constructor(source: SourceText, origin: Name, settings: readonly Setting[]) {
    this.#known = settings;
    this.#source = source;
    this.#problems = new Faults(() => source.place(source.text.length));
    this.#name = origin;
  }

  read(undecodable: number | undefined, options?: TreeOptions): YamlFile {
    const binary = findForeignContent(this.#source);
    if (binary) this.#report(binary);
    else if (undecodable !== undefined) {
      const at = this.#source.place(undecodable);
      this.#error("encoding", "the file is not UTF-8 from this character on", at, "Save it as UTF-8.");
    }
    const otherFormat = binary ?? findZoneFileInside(this.#source);
    if (!binary && otherFormat) this.#report(otherFormat);
    const tree = otherFormat ? undefined : readTree(this.#source, (found) => this.#report(found), options);
    const settingsFile = tree && settingsProblem(this.#source, tree.root);
    if (settingsFile) this.#report(settingsFile);
    else if (tree?.root.kind === "map" && isOctodnsFile(tree.root))
      this.#report(octodnsProblem(this.#source.file, tree.root));
    else if (tree?.root.kind === "map" && entryOf(tree.root, "parameters")?.value.kind === "map") {
      const fix = "Move it to the folder of templates: `templates/`, unless zonewright.yaml names another.";
      this.#error("file-format", "the file is a template, not a zone file", this.#source.place(0), fix);
    } else if (tree?.root.kind === "map") this.#zone(tree.root);
    else if (this.#problems.list.length === 0) {
      const fix = 'Add settings or records, for example `records: { "@": { A: 192.0.2.1 } }`.';
      this.#error("zone-empty", "the file defines no zone", this.#source.place(0), fix);
    }
    return { text: this.#source.text, tree, owners: this.#owners, ...this.#result() };
  }

  readTemplate(root: YamlMap): TemplateContent {
    for (const entry of root.entries) {
      const setting = findSetting(this.#known, entry.key);
      if (entry.key === "records") this.#readOwners(entry.value);
      else if (setting) this.#setting(setting, entry);
      else if (["zone", targetsKey, ...scopeKeys].includes(entry.key)) {
        const fix = "Write it in the zone files that use the template.";
        this.#error("unknown-key", `"${entry.key}" is not a key of a template`, entry.keyAt, fix);
      } else if (entry.key !== "parameters")
        this.#unknownTopKey(entry, root, ["a key of a template", "parameters", "records"]);
    }
    for (const { at } of this.#overrides) {
      const fix = "Remove `override` here. Only a zone file can override records.";
      this.#error("template-syntax", "a template cannot override records", at ?? this.#source.place(0), fix);
    }
    for (const record of this.#records.filter((record) => isType(record, "SOA"))) {
      const fix = "Write settings such as `soa_email` instead.";
      this.#error(
        "template-syntax",
        "a template cannot have an SOA record",
        placeOf(record) ?? this.#source.place(0),
        fix,
      );
    }
    return { owners: this.#owners, ...this.#result() };
  }

  #result(): ReadResult {
    const settings: ZoneSettings = this.#settings;
    const hasScope = this.#manage !== undefined || this.#ignore.length > 0;
    return {
      zone: {
        name: this.#name,
        settings,
        records: this.#haveSetsParts
          ? withSetTtls(this.#records, settings.ttl_sec, (found) => this.#report(found))
          : this.#records,
        places: this.#places,
        dotlessTargets: this.#dotless,
        ...(this.#slips.length > 0 && { slips: this.#slips }),
        ...(this.#excused.length > 0 && { excused: this.#excused }),
        ...(this.#templates.length > 0 && { templates: this.#templates }),
        ...(this.#overrides.length > 0 && { overrides: this.#overrides }),
        ...(hasScope && { scope: { ...(this.#manage && { manage: this.#manage }), ignore: this.#ignore } }),
        ...(this.#targets && { targets: this.#targets }),
        ...unreadOf([...this.#problems.list, ...this.#repeated]),
        file: this.#source.file,
      },
      problems: this.#problems.list,
    };
  }

  /** `summary` is the headline if it contains the owner, which differs between aliases. */
  #report(found: Problem, summary = found.summary): void {
    const key = JSON.stringify({ ...found, owner: undefined });
    if (this.#reported.has(key)) this.#repeated.push(found);
    else this.#problems.report({ ...found, summary });
    if (this.#reported.size < mostFaults) this.#reported.add(key);
  }

  #error(id: ProblemId, summary: string, place: Place, fix?: Fix, about: ProblemSubject = {}): void {
    this.#report(problem(id, summary, { place, fix, owner: about.owner }), headline(summary, this.#name, about));
  }

  /** The result of the action; undefined if it throws a fault, which is reported. */
  #attempt<T>(at: Place, action: () => T, about: ProblemSubject = {}): T | undefined {
    try {
      return action();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#error(error.problem.id, error.message, at, error.problem.fix, about);
      return undefined;
    }
  }

  #unknownKey({ key, keyAt }: YamlEntry, known: readonly string[], where: string, about: ProblemSubject = {}): void {
    const near = nearest(key, known);
    const foreign = misplacedKeyFixes.get(key.toUpperCase());
    const fix = foreign ?? (near ? `Did you mean "${near}"?` : `Known keys: ${known.join(", ")}.`);
    this.#error("unknown-key", `"${key}" is not ${where}`, keyAt, fix, about);
  }

  /** Reports an unknown key at the top of a file. Without `records:`, all owner names there are one error. */
  #unknownTopKey(entry: YamlEntry, root: YamlMap, [what, ...known]: readonly [string, ...string[]]): void {
    const hasRecords = entryOf(root, "records") !== undefined;
    if (!isOwner(entry.value)) return this.#unknownKey(entry, [...known, ...this.#known.map(({ name }) => name)], what);
    if (this.#isRecordsMissing) return;
    this.#isRecordsMissing = !hasRecords;
    const fix = hasRecords
      ? "Did you mean to put it under `records:`?"
      : "Write `records:` on a line above the owner names, and indent everything below it.";
    this.#error("unknown-key", `"${entry.key}" is not ${what}`, entry.keyAt, fix);
  }

  #zone(tree: YamlMap): void {
    const name = entryOf(tree, "zone");
    if (name) this.#zoneName(name);
    for (const entry of tree.entries) {
      const setting = findSetting(this.#known, entry.key);
      if (entry.key === "records") this.#readOwners(entry.value);
      else if (setting) this.#setting(setting, entry);
      else if (entry.key === "manage") this.#readManage(entry);
      else if (entry.key === targetsKey) this.#readTargets(entry);
      else if (entry.key === "ignore") this.#readIgnore(entry);
      else if (entry.key === "templates") this.#readTemplates(entry);
      else if (entry.key !== "zone")
        this.#unknownTopKey(entry, tree, ["a zone setting", "zone", "templates", "records", ...scopeKeys, targetsKey]);
    }
    const [soa, second] = this.#records.filter((record) => isType(record, "SOA"));
    if (soa) this.#startOfAuthority(soa);
    if (second) {
      const at = placeOf(second) ?? this.#source.place(0);
      this.#error("soa-twice", "the zone has a second SOA record", at, "Keep one.");
    }
  }

  #readManage({ value }: YamlEntry): void {
    this.#attempt(value.at, () => {
      this.#manage = readManage(value.kind === "text" ? value.text : "");
    });
  }

  #readTargets({ value }: YamlEntry): void {
    const items = value.kind === "list" ? value.items : [value];
    this.#attempt(value.at, () => {
      if (items.length === 0) readTargets([], value.at);
      this.#targets = items.flatMap((item) => readTargets([item.kind === "text" ? item.text : ""], item.at));
    });
  }

  #readIgnore({ value }: YamlEntry): void {
    for (const item of value.kind === "list" ? value.items : [value]) {
      this.#attempt(item.at, () => {
        if (item.kind !== "map")
          throw new Fault(
            "setting-value",
            "`ignore` must be a list of patterns",
            "Write `ignore: [{ type: TXT, name: www, reason: managed elsewhere }]`.",
          );
        const texts = item.entries.map(({ key, value }) => {
          if (value.kind === "text" && !value.isEmpty) return [key, value.text] as const;
          // As an empty text it would match nothing, and the records would be deleted.
          const fix = "Write one value; * matches any text. Several types or names need a pattern each.";
          throw new Fault("setting-value", `"${key}" of the ignore pattern must be one value`, fix);
        });
        this.#ignore.push(readIgnore(texts, item.at));
      });
    }
  }

  /** Names, or maps of a name to its parameters, in a list or alone. */
  #readTemplates({ value }: YamlEntry): void {
    for (const item of value.kind === "list" ? value.items : [value]) {
      const error = (summary: string, fix = templatesExample) => this.#error("setting-value", summary, item.at, fix);
      if (item.kind === "text" && !item.isEmpty) this.#templates.push({ name: item.text, at: item.at, parameters: [] });
      else if (item.kind === "list") error("`templates` contains a list within the list");
      else if (item.kind === "map") {
        const name = entryOf(item, "name")?.value;
        if (name?.kind === "text" && !name.isEmpty)
          error(
            "`templates` names a template by its key, not by `name`",
            `Write \`templates: [{ ${name.text}: { … } }]\`.`,
          );
        else if (item.entries.length === 0 && item !== value) error("`templates` contains an empty item");
        else
          for (const entry of item.entries)
            this.#templates.push({ name: entry.key, at: entry.keyAt, parameters: this.#templateArguments(entry) });
      } else if (item !== value) error("`templates` contains an empty item");
    }
  }

  #templateArguments({ key, value }: YamlEntry): TemplateArgument[] {
    if (value.kind === "text" && value.isEmpty) return [];
    if (value.kind !== "map") {
      this.#error("setting-value", `the parameters of "${key}" must be a map`, value.at, templatesExample);
      return [];
    }
    return value.entries.map(({ key: name, keyAt, value }) => {
      const items = value.kind === "list" ? value.items : [value];
      const texts = items.flatMap((item) => (item.kind === "text" && !item.isEmpty ? [item.text] : []));
      const isList = value.kind === "list";
      if (texts.length === items.length) return { name, texts, isList, at: isList ? keyAt : value.at };
      const fix = 'Write a value, or a list of values. An empty string is `""`.';
      const summary = `the parameter "${name}" of the template "${key}" must be a value or a list of values`;
      this.#error("template-parameter", summary, keyAt, fix);
      return { name, texts: undefined, isList, at: keyAt };
    });
  }

  #zoneName({ value }: YamlEntry): void {
    if (value.kind !== "text" || value.isEmpty)
      return this.#error(
        "zone-name",
        "`zone` must be the name of the zone",
        value.at,
        "Write a name, such as `zone: example.com`.",
      );
    this.#places.zone = value.at;
    const read = () => {
      this.#name = readName(refuseControl(toOctets(value.text)));
      this.#converted(value.text.replace(/\.?$/, "."), this.#name, value.at);
    };
    this.#attempt(value.at, read, { type: "zone", value: value.text });
  }

  #setting(setting: Setting, { value, keyAt }: YamlEntry): void {
    const { name, kind } = setting;
    this.#places[name] = value.at;
    if (kind === "list") {
      const items = value.kind === "list" ? value.items : [value];
      if (!items.every((item): item is YamlText => item.kind === "text")) {
        return this.#error("setting-value", `"${name}" must be a list of strings`, value.at);
      }
      this.#settings[name] = items.filter(({ isEmpty }) => !isEmpty).map(({ text }) => text);
    } else if (value.kind !== "text" || value.isEmpty) {
      this.#error(
        "setting-value",
        value.kind === "text" ? `"${name}" has no value` : `"${name}" must be a single value`,
        value.kind === "text" ? keyAt : value.at,
        `Write the value after \`${name}:\`.`,
      );
    } else {
      const read = () => {
        this.#settings[name] = kind === "text" ? value.text : readSetting(setting, value.text);
      };
      this.#attempt(value.at, read, { type: name, value: value.text });
    }
  }

  /** Takes settings from an SOA record, which must agree with explicit ones. */
  #startOfAuthority(record: ZoneRecord<"SOA">): void {
    const at = placeOf(record) ?? this.#source.place(0);
    if (!isSameName(record.owner, this.#name)) {
      const summary = "the SOA record is not at the apex";
      return this.#error("soa-owner", summary, at, 'Move it to "@".', { owner: record.owner });
    }
    const settings = soaSettings(record, this.#known);
    for (const { problem: found } of findSoaDifferences(settings, this.#settings))
      this.#error(found.id, found.summary, at, found.fix);
    Object.assign(this.#settings, settings);
  }

  #readOwners(node: YamlNode): void {
    if (node.kind !== "map") {
      return this.#error(
        "records-shape",
        "`records` must map owner names to record types",
        node.at,
        'Write records, such as `records: { "@": { A: 192.0.2.1 } }`, or `records: {}` for none.',
      );
    }
    const before = new Map<string, YamlEntry>();
    for (const [index, entry] of node.entries.entries()) {
      const { key, keyAt, value } = entry;
      const next = node.entries[index + 1];
      if (next && isTypeBeside(entry, next)) continue; // the next entry reports it
      const owner = node.entries[index - 1];
      if (owner && isTypeBeside(owner, entry)) {
        const fix = `Indent it: it belongs to "${owner.key}" on line ${owner.keyAt.line}.`;
        this.#error("records-shape", `"${key}" is beside "${owner.key}", not below it`, keyAt, fix);
        continue;
      }
      const read = () => {
        const owner = readName(refuseControl(toOctets(key)), this.#name);
        this.#converted(key, owner, keyAt);
        refuseDuplicate(before, nameKey(owner), entry);
        if (!isInside(owner, this.#name)) {
          throw new Fault(
            "out-of-zone",
            `"${owner}" is outside the zone "${this.#name}"`,
            "Move it to the file of its own zone. A name of this zone is written without a final dot.",
          );
        }
        if (value.kind !== "map") throw missingTypesFault(key, value, this.#known);
        // A map of a merge may be empty after an error.
        if (value.entries.length === 0 && !this.#source.text.slice(value.start, value.end).includes("<<"))
          this.#error("entry-empty", "the name has no record types", value.at, "Add a type, or remove the name.", {
            owner,
          });
        const node: OwnerNode = { name: owner, entry, types: value, sets: [] };
        this.#owners.push(node);
        this.#types(node, value.entries);
      };
      this.#attempt(keyAt, read, { value: key });
    }
  }

  #converted(written: string, name: Name, at: Place): void {
    if (isInternational(toOctets(written))) this.#report(convertedNote(written, name, this.#name, at));
  }

  #types(owner: OwnerNode, entries: readonly YamlEntry[]): void {
    const before = entries.length > 1 ? new Map<string, YamlEntry>() : undefined;
    for (const entry of entries) {
      const read = () => {
        if (before) refuseDuplicate(before, entry.key.toUpperCase(), entry);
        if (entry.key === "lenient") this.#lenient(owner.name, entry);
        else this.#set(owner, entry);
      };
      this.#attempt(entry.keyAt, read, { owner: owner.name });
    }
  }

  #lenient(owner: Name, { value }: YamlEntry): void {
    for (const item of value.kind === "list" ? value.items : [value]) {
      const { at } = item;
      if (item.kind === "map") this.#attempt(at, () => this.#excused.push({ owner, ...readExcuse(item) }), { owner });
      else if (item.kind === "text" && !item.isEmpty)
        this.#attempt(at, () => this.#excused.push({ owner, rule: readRuleId(item.text), at }), { owner });
      else {
        const fix = "Write rule ids, for example `lenient: [private-address]`.";
        this.#error("value-shape", "`lenient` must be a list of rule ids", at, fix, { owner });
      }
    }
  }

  #set(owner: OwnerNode, entry: YamlEntry): void {
    const { key, keyAt, value } = entry;
    const type = findType(key.toUpperCase());
    if (!type) {
      const summary = `"${key}" is not a record type`;
      const ofParameter = /\$\([^()]*\)/.test(key)
        ? "Write the type itself: parameters can be names and values."
        : undefined;
      const fix = foreignKeyFixes.get(key.toLowerCase()) ?? unknownTypeFix(key) ?? ofParameter;
      return this.#error("unknown-type", summary, keyAt, fix, { owner: owner.name });
    }
    const isSplit = value.kind === "list" && value.items.some(isSet);
    const items = (isSplit ? value.items : [value]).flatMap((part) => this.#part(owner, type, part));
    const map = isSet(value) ? value : undefined;
    const values = (map && entryOf(map, "values")) ?? entry;
    // Keys of one type have different spellings, such as `A` and `TYPE1`.
    if (isSplit || owner.sets.some((set) => set.type === type.type)) this.#haveSetsParts = true;
    owner.sets.push({ owner, type: type.type, entry, map, values, isSplit, items });
  }

  /** Reads one TTL and its values. A set with several TTLs, such as signatures of several types, is a list of parts. */
  #part(owner: OwnerNode, type: RecordType, value: YamlNode): readonly YamlNode[] {
    const about = { owner: owner.name, type: displayTypeOf(type) };
    if (!isSet(value)) {
      this.#noteEmpty(value, about);
      return this.#values(owner, type, undefined, value);
    }
    const others = value.entries.filter(({ key }) => !setKeys.includes(key));
    for (const other of others) {
      if (other.key === "node" && takesReference(type.type)) this.#misplacedReference(other.keyAt, value, about);
      else if (other.key !== "private" || !entryOf(value, "node"))
        this.#unknownKey(other, setKeys, "a key of an RRset", about);
    }
    const override = entryOf(value, "override");
    const isOverriding = override !== undefined && this.#override(override, about);
    const values = entryOf(value, "values")?.value;
    if (values && !isOverriding) this.#noteEmpty(values, about);
    if (values) return this.#values(owner, type, this.#ttl(value, about), values);
    const summary = `the ${displayTypeOf(type)} RRset has no values`;
    if (others.length === 0) this.#error("value-missing", summary, value.at, "Add `values:` with a list.", about);
    return [];
  }

  /** A list that a parameter of a template makes may be empty. */
  #noteEmpty(values: YamlNode, about: Required<Pick<Override, "owner" | "type">>): void {
    if (values.kind !== "list" || values.items.length > 0) return;
    if (this.#source.text.slice(values.start, values.end).includes("$(")) return;
    const none = `\`${about.type}: { override: true, values: [] }\``;
    const fix = `Add a value, or remove the entry. To have no records where a template gives some, write ${none}.`;
    this.#error("entry-empty", "the list of values is empty", values.at, fix, about);
  }

  #misplacedReference(keyAt: Place, set: YamlMap, about: Required<Pick<Override, "owner" | "type">>): void {
    const reference = adviseReference(about.type, set);
    const fix = entryOf(set, "values")
      ? `Move the reference into the list of \`values\`, as \`${reference}\`.`
      : `Write the reference as a value: \`values: ${reference}\`.`;
    const keys = set.entries.filter(({ key }) => setKeys.includes(key)).map(({ key }) => `\`${key}\``);
    this.#error("node-reference", `${keys.join(" and ")} cannot stand in a reference to a node`, keyAt, fix, about);
  }

  /** Whether the RRset replaces that of a template. */
  #override({ value, keyAt }: YamlEntry, about: Required<Pick<Override, "owner" | "type">>): boolean {
    const text = value.kind === "text" ? value.text.toLowerCase() : "";
    if (text === "true") this.#overrides.push({ ...about, at: keyAt });
    else if (text !== "false")
      this.#error("value-shape", "`override` must be true or false", value.at, "Write `override: true`.", about);
    return text !== "false";
  }

  #ttl(set: YamlMap, about: ProblemSubject): number | undefined {
    const ttl = entryOf(set, "ttl_sec")?.value;
    if (!ttl) return undefined;
    const read = () => {
      if (ttl.kind !== "text")
        throw new Fault("ttl-syntax", "`ttl_sec` must be a duration", "Write seconds, or units as in 30m or 1h.");
      return readDuration(ttl.text);
    };
    return this.#attempt(ttl.at, read, { ...about, value: ttl.kind === "text" ? ttl.text : undefined });
  }

  #values(node: OwnerNode, type: RecordType, ttl: number | undefined, values: YamlNode): readonly YamlNode[] {
    const { name: owner, entry } = node;
    const items = values.kind === "list" ? values.items : [values];
    const context: ValueContext = {
      source: this.#source,
      origin: this.#name,
      owner,
      onDotless: (target) => this.#dotless.push({ ...target, owner, type: type.type }),
      onConverted: (written, name, at) => this.#converted(written, name, at),
      onSlip: (slip) => this.#slips.push({ ...slip, owner, type: type.type }),
    };
    for (const value of items) {
      try {
        const { start, end } = value;
        const { keyAt: ownerAt } = entry;
        if (isReference(value)) {
          const node = readReference(type.type, value);
          const data = { address: unknownAddress(node) };
          this.#records.push({ owner, type: type.type, ttl, source: this.#source, start, end, ownerAt, data, node });
          continue;
        }
        const data = readValue(type, value, context);
        this.#records.push({ owner, type: type.type, ttl, data, source: this.#source, start, end, ownerAt });
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        const { problem: found } = error;
        const value = valueAt(this.#source, found);
        this.#report(
          { ...found, owner },
          headline(found.summary, this.#name, { owner, type: displayTypeOf(type), value }),
        );
      }
    }
    return items;
  }
}

/**
 * Rejects keys that differ only in spelling.
 * @throws {Fault} `duplicate-key`
 */
function refuseDuplicate(before: Map<string, YamlEntry>, meaning: string, entry: YamlEntry): void {
  const first = before.get(meaning);
  if (!first) before.set(meaning, entry);
  else {
    const summary = `the key "${entry.key}" means the same as "${first.key}" on line ${first.keyAt.line}`;
    throw new Fault("duplicate-key", summary, "Merge the two under one key.");
  }
}
