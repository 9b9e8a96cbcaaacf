import { decodeText } from "../../diagnostics/decode.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import { type Place, ProblemError } from "../../diagnostics/problem.ts";
import { SourceText } from "../../diagnostics/source-text.ts";
import { readDuration } from "../../dns/duration.ts";
import { Fault } from "../../dns/fault.ts";
import { isInternational } from "../../dns/idn.ts";
import { isInside, isSameName, type Name, nameKey, readName, refuseControl } from "../../dns/name.ts";
import type { RecordType } from "../../dns/rdata/record-type.ts";
import { soaSettings } from "../../dns/soa-settings.ts";
import { toOctets } from "../../dns/text.ts";
import { findType, suggestedTypes } from "../../dns/types/index.ts";
import {
  type DotlessTarget,
  type Excuse,
  isType,
  placeOf,
  type SettingName,
  type Slip,
  type ZoneRecord,
  type ZoneSettings,
} from "../../dns/zone.ts";
import { convertedNote } from "../converted.ts";
import { type About, headline } from "../headline.ts";
import { masterFileInside } from "../other-format.ts";
import { withSetTtls } from "../rrset-ttl.ts";
import { scopeKeys } from "../scope.ts";
import { isSettingName, readRuleId, readSetting, settingKinds, settingNames, soaDiffers } from "../setting.ts";
import type { ReadResult, ZoneFile } from "../source.ts";
import { unreadOf } from "../unread.ts";
import { isOctodnsFile, keysOfOthers, noTypes, octodnsInside } from "./cures.ts";
import { type ParseYaml, readTree, type YamlEntry, type YamlMap, type YamlNode, type YamlText } from "./tree.ts";
import { readValue, valueAt } from "./value.ts";
import { YamlFaults } from "./yaml-faults.ts";
import { YamlScope } from "./yaml-scope.ts";

/**
 * Reads a zone in the YAML form of `docs/zone-files.md`. After a fault it goes on, so one run reports them all. `parse` is
 * for those who need the documents as well.
 */
export function readYaml({ file, bytes, origin }: ZoneFile, parse?: ParseYaml): ReadResult {
  const { text, undecodable } = decodeText(bytes);
  return new YamlReader(new SourceText(file, text), origin).read(undecodable, parse);
}

/** Does a value say the TTL of its set, so that its `values` are the records? */
function isSet(value: YamlNode): value is YamlMap {
  return value.kind === "map" && value.entries.some(({ key }) => ["values", "ttl_sec", "ttl"].includes(key));
}

/** A name of the zone, and where it stands. */
interface Owned {
  readonly owner: Name;
  readonly ownerAt: Place;
}

class YamlReader {
  readonly #source: SourceText;
  readonly #says: YamlFaults;
  readonly #settings: Record<string, unknown> = {};
  readonly #places: Partial<Record<SettingName | "zone", Place>> = {};
  readonly #records: ZoneRecord[] = [];
  readonly #dotless: DotlessTarget[] = [];
  readonly #slips: Slip[] = [];
  readonly #excused: Excuse[] = [];
  readonly #scope: YamlScope;
  #name: Name;

  constructor(source: SourceText, origin: Name) {
    this.#source = source;
    this.#says = new YamlFaults(source, origin);
    this.#scope = new YamlScope(this.#says);
    this.#name = origin;
  }

  read(undecodable: number | undefined, parse?: ParseYaml): ReadResult {
    if (undecodable !== undefined) {
      const at = this.#source.place(undecodable);
      this.#says.error("encoding", "the file is not UTF-8 from this character on", at, "Save it as UTF-8.");
    }
    const otherFormat = masterFileInside(this.#source);
    if (otherFormat) this.#says.say(otherFormat);
    const tree = otherFormat ? undefined : readTree(this.#source, (found) => this.#says.say(found), parse);
    if (tree?.kind === "map" && isOctodnsFile(tree)) this.#says.say(octodnsInside(this.#source.file, tree));
    else if (tree?.kind === "map") this.#zone(tree);
    else if (this.#says.list.length === 0) {
      const fix = 'Write settings and records, for example: records: { "@": { A: 192.0.2.1 } }.';
      this.#says.error("zone-empty", "the file holds no zone", this.#source.place(0), fix);
    }
    const settings: ZoneSettings = this.#settings;
    return {
      zone: {
        name: this.#name,
        settings,
        records: withSetTtls(this.#records, settings.ttl_sec, (found) => this.#says.say(found)),
        places: this.#places,
        dotlessTargets: this.#dotless,
        ...(this.#slips.length > 0 && { slips: this.#slips }),
        ...(this.#excused.length > 0 && { excused: this.#excused }),
        ...this.#scope.read(),
        ...unreadOf(this.#says.list),
        file: this.#source.file,
      },
      problems: this.#says.list,
    };
  }

  #zone(tree: YamlMap): void {
    const name = tree.entries.find(({ key }) => key === "zone");
    if (name) this.#zoneName(name);
    for (const entry of tree.entries) {
      if (entry.key === "records") this.#owners(entry.value);
      else if (isSettingName(entry.key)) this.#setting(entry.key, entry);
      else if (entry.key === "manage") this.#scope.manage(entry);
      else if (entry.key === "ignore") this.#scope.ignore(entry);
      else if (entry.key !== "zone")
        this.#says.unknownKey(entry, ["zone", "records", ...settingNames, ...scopeKeys], "a zone file");
    }
    const [soa, second] = this.#records.filter((record) => isType(record, "SOA"));
    if (soa) this.#startOfAuthority(soa);
    if (second) {
      const at = placeOf(second) ?? this.#source.place(0);
      this.#says.error("soa-twice", "the zone has a second SOA record", at, "Keep one.");
    }
  }

  #zoneName({ value }: YamlEntry): void {
    if (value.kind !== "text" || value.isEmpty)
      return this.#says.error("zone-name", "zone is the name of the zone", value.at, "Write zone: example.com.");
    this.#places.zone = value.at;
    const read = () => {
      this.#says.zone = this.#name = readName(refuseControl(toOctets(value.text)));
      this.#converted(value.text.replace(/\.?$/, "."), this.#name, value.at);
    };
    this.#says.attempt(value.at, read, { type: "zone", value: value.text });
  }

  #setting(name: SettingName, { value, keyAt }: YamlEntry): void {
    this.#places[name] = value.at;
    const kind = settingKinds[name];
    if (kind === "list") {
      const items = value.kind === "list" ? value.items : [value];
      if (!items.every((item): item is YamlText => item.kind === "text")) {
        return this.#says.error("setting-value", `${name} is a list of texts`, value.at);
      }
      this.#settings[name] = items.filter(({ isEmpty }) => !isEmpty).map(({ text }) => text);
    } else if (value.kind !== "text" || value.isEmpty) {
      this.#says.error(
        "setting-value",
        `${name} has no value that can be read`,
        value.kind === "text" ? keyAt : value.at,
        `Write ${name}: and its value.`,
      );
    } else {
      const read = () => {
        this.#settings[name] = kind === "text" ? value.text : readSetting(name, value.text);
      };
      this.#says.attempt(value.at, read, { type: name, value: value.text });
    }
  }

  /** An SOA record says some of the settings; saying them twice is fine as long as both say the same. */
  #startOfAuthority(record: ZoneRecord<"SOA">): void {
    const at = placeOf(record) ?? this.#source.place(0);
    if (!isSameName(record.owner, this.#name)) {
      const summary = "the SOA record stands below the zone's own name";
      return this.#says.error("soa-owner", summary, at, 'Move it to "@".', { owner: record.owner });
    }
    const settings = soaSettings(record);
    for (const { problem: found } of soaDiffers(settings, this.#settings))
      this.#says.error(found.id, found.summary, at, found.fix);
    Object.assign(this.#settings, settings);
  }

  #owners(node: YamlNode): void {
    if (node.kind !== "map") {
      return this.#says.error(
        "records-shape",
        "records is a map from owner name to its record types",
        node.at,
        'Write "@": { A: 192.0.2.1 }, or records: {} for a zone without any.',
      );
    }
    const before = new Map<string, YamlEntry>();
    for (const entry of node.entries) {
      const { key, keyAt, value } = entry;
      const read = () => {
        const owner = readName(refuseControl(toOctets(key)), this.#name);
        this.#converted(key, owner, keyAt);
        once(before, nameKey(owner), entry);
        if (!isInside(owner, this.#name)) {
          throw new Fault(
            "out-of-zone",
            `${owner} is not in the zone ${this.#name}`,
            "Write names relative to the zone, without a final dot.",
          );
        }
        if (value.kind === "map") this.#types({ owner, ownerAt: keyAt }, value.entries);
        else throw noTypes(key, value);
      };
      this.#says.attempt(keyAt, read, { value: key });
    }
  }

  #converted(written: string, name: Name, at: Place): void {
    if (isInternational(toOctets(written))) this.#says.say(convertedNote(written, name, this.#name, at));
  }

  #types(owned: Owned, entries: readonly YamlEntry[]): void {
    const before = new Map<string, YamlEntry>();
    for (const entry of entries) {
      const read = () => {
        once(before, entry.key.toUpperCase(), entry);
        this.#entry(owned, entry);
      };
      this.#says.attempt(entry.keyAt, read, { owner: owned.owner });
    }
  }

  #entry(owned: Owned, entry: YamlEntry): void {
    if (entry.key !== "lenient") return this.#set(owned, entry);
    const { owner } = owned;
    const { value } = entry;
    for (const item of value.kind === "list" ? value.items : [value]) {
      const { at } = item;
      if (item.kind === "text" && !item.isEmpty)
        this.#says.attempt(at, () => this.#excused.push({ owner, rule: readRuleId(item.text), at }), { owner });
      else {
        const fix = "Write lenient: [private-address].";
        this.#says.error("value-shape", "lenient is a list of rules", at, fix, { owner });
      }
    }
  }

  #set(owned: Owned, entry: YamlEntry): void {
    const type = findType(entry.key.toUpperCase());
    if (!type) {
      const known = nearest(entry.key, suggestedTypes);
      const summary = `${entry.key} is no record type that zonewright knows`;
      const fix = known ? `Did you mean ${known}?` : keysOfOthers[entry.key.toLowerCase()];
      return this.#says.error("unknown-type", summary, entry.keyAt, fix, { owner: owned.owner });
    }
    const { value } = entry;
    const isSplit = value.kind === "list" && value.items.some(isSet);
    for (const part of isSplit ? value.items : [value]) this.#part(owned, type, part);
  }

  /** One TTL and its values; a list of such parts holds what has several TTLs, as signatures of several types may. */
  #part(owned: Owned, type: RecordType, value: YamlNode): void {
    if (!isSet(value)) return this.#values(owned, type, undefined, value);
    const others = value.entries.filter(({ key }) => key !== "values" && key !== "ttl_sec");
    const about = { owner: owned.owner, type: type.type };
    for (const other of others) this.#says.unknownKey(other, ["ttl_sec", "values"], "a record set", about);
    const values = value.entries.find(({ key }) => key === "values")?.value;
    if (!values) {
      if (others.length > 0) return;
      const summary = `the ${type.type} set has no values`;
      return this.#says.error("value-missing", summary, value.at, "Add values: and the list.", about);
    }
    this.#values(owned, type, this.#ttl(value, about), values);
  }

  #ttl(set: YamlMap, about: About): number | undefined {
    const ttl = set.entries.find(({ key }) => key === "ttl_sec")?.value;
    if (!ttl) return undefined;
    const read = () => {
      if (ttl.kind !== "text") throw new Fault("ttl-syntax", "ttl_sec is a time", "Write seconds, or 30m, 1h, 2d.");
      return readDuration(ttl.text);
    };
    return this.#says.attempt(ttl.at, read, { ...about, value: ttl.kind === "text" ? ttl.text : undefined });
  }

  #values({ owner, ownerAt }: Owned, type: RecordType, ttl: number | undefined, node: YamlNode): void {
    for (const value of node.kind === "list" ? node.items : [node]) {
      try {
        const data = readValue(type, value, {
          source: this.#source,
          origin: this.#name,
          owner,
          onDotless: (target) => this.#dotless.push({ ...target, owner }),
          onConverted: (written, name, at) => this.#converted(written, name, at),
          onSlip: (slip) => this.#slips.push({ ...slip, owner, type: type.type }),
        });
        this.#records.push({
          owner,
          type: type.type,
          ttl,
          data,
          source: this.#source,
          start: value.start,
          end: value.end,
          ownerAt,
        });
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        const { problem: found } = error;
        const value = valueAt(this.#source, found);
        this.#says.say({ ...found, owner }, headline(found.summary, this.#name, { owner, type: type.type, value }));
      }
    }
  }
}

/**
 * Keys that differ in spelling alone would be joined in silence.
 * @throws {Fault} `duplicate-key`
 */
function once(before: Map<string, YamlEntry>, meaning: string, entry: YamlEntry): void {
  const first = before.get(meaning);
  if (!first) before.set(meaning, entry);
  else {
    const summary = `the key ${entry.key} means the same as ${first.key} in line ${first.keyAt.line}`;
    throw new Fault("duplicate-key", summary, "Join the two under one key.");
  }
}
