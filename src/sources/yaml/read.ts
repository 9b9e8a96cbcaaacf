import type { Place } from "../../diagnostics/diagnostic.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import { SourceText } from "../../diagnostics/source-text.ts";
import { readDuration } from "../../zone/duration.ts";
import { Fault } from "../../zone/fault.ts";
import { isInside, type Name, readName } from "../../zone/name.ts";
import type { RecordType } from "../../zone/record-type.ts";
import { soaSettings } from "../../zone/soa-settings.ts";
import { isUtf8, toOctets } from "../../zone/text.ts";
import { findType, recordTypes } from "../../zone/types/index.ts";
import {
  type DotlessTarget,
  type Excuse,
  placeOf,
  type SettingName,
  type ZoneRecord,
  type ZoneSettings,
} from "../../zone/zone.ts";
import { withSetTtls } from "../rrset-ttl.ts";
import { scopeKeys } from "../scope.ts";
import { isSettingName, readRuleId, readSetting, settingKinds, settingNames, soaDiffers } from "../setting.ts";
import type { ReadResult, ZoneFile } from "../source.ts";
import { keysOfOthers, noTypes } from "./cures.ts";
import { type ParseYaml, readTree, type YamlEntry, type YamlMap, type YamlNode, type YamlText } from "./tree.ts";
import { readValue, ValueFault } from "./value.ts";
import { YamlFaults } from "./yaml-faults.ts";
import { YamlScope } from "./yaml-scope.ts";

/**
 * Reads a zone in the YAML form of `docs/zone-files.md`. After a fault it goes on, so one run reports them all. `parse` is
 * for those who need the documents as well.
 */
export function readYaml({ file, bytes, origin }: ZoneFile, parse?: ParseYaml): ReadResult {
  const octets = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  const text = Buffer.from(octets, "latin1")
    .toString("utf8")
    .replace(/^\ufeff/, "");
  return new YamlReader(new SourceText(file, text), origin).read(isUtf8(octets), parse);
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
  readonly #excused: Excuse[] = [];
  readonly #scope: YamlScope;
  #name: Name;

  constructor(source: SourceText, origin: Name) {
    this.#source = source;
    this.#says = new YamlFaults(source);
    this.#scope = new YamlScope(this.#says);
    this.#name = origin;
  }

  read(isUtf8: boolean, parse?: ParseYaml): ReadResult {
    if (!isUtf8) this.#says.error("encoding", "the file is not UTF-8", this.#source.place(0), "Save it as UTF-8.");
    const tree = readTree(this.#source, (diagnostic) => this.#says.say(diagnostic), parse);
    if (tree?.kind === "map") this.#zone(tree);
    else if (this.#says.list.length === 0) {
      const fix = 'Write settings and records, for example: records: { "@": { A: 192.0.2.1 } }.';
      this.#says.error("zone-empty", "the file holds no zone", this.#source.place(0), fix);
    }
    const settings: ZoneSettings = this.#settings;
    return {
      zone: {
        name: this.#name,
        settings,
        records: withSetTtls(this.#records, settings.ttl_sec, (diagnostic) => this.#says.say(diagnostic)),
        places: this.#places,
        dotlessTargets: this.#dotless,
        ...(this.#excused.length > 0 && { excused: this.#excused }),
        ...this.#scope.read(),
        file: this.#source.file,
      },
      diagnostics: this.#says.list,
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
    const [soa, second] = this.#records.filter(({ type }) => type === "SOA");
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
    this.#says.attempt(value.at, () => {
      this.#name = readName(toOctets(value.text), ".");
    });
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
      this.#says.attempt(value.at, () => {
        this.#settings[name] = kind === "text" ? value.text : readSetting(name, value.text);
      });
    }
  }

  /** An SOA record says some of the settings; saying them twice is fine as long as both say the same. */
  #startOfAuthority(record: ZoneRecord): void {
    const at = placeOf(record) ?? this.#source.place(0);
    if (record.owner.toLowerCase() !== this.#name.toLowerCase()) {
      return this.#says.error("soa-owner", "the SOA record stands below the zone's own name", at, 'Move it to "@".');
    }
    const settings = soaSettings(record);
    for (const { rule, message, fix } of soaDiffers(settings, this.#settings)) this.#says.error(rule, message, at, fix);
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
    for (const { key, keyAt, value } of node.entries) {
      this.#says.attempt(keyAt, () => {
        const owner = readName(toOctets(key), this.#name);
        if (!isInside(owner, this.#name)) {
          throw new Fault(
            "out-of-zone",
            `${owner} is not in the zone ${this.#name}`,
            "Write names relative to the zone, without a final dot.",
          );
        }
        if (value.kind === "map") for (const entry of value.entries) this.#entry({ owner, ownerAt: keyAt }, entry);
        else throw noTypes(key, value);
      });
    }
  }

  #entry(owned: Owned, entry: YamlEntry): void {
    if (entry.key !== "lenient") return this.#set(owned, entry);
    const { owner } = owned;
    const { value } = entry;
    for (const item of value.kind === "list" ? value.items : [value]) {
      const { at } = item;
      if (item.kind === "text" && !item.isEmpty)
        this.#says.attempt(at, () => this.#excused.push({ owner, rule: readRuleId(item.text), at }));
      else this.#says.error("value-shape", "lenient is a list of rules", at, "Write lenient: [private-address].");
    }
  }

  #set(owned: Owned, entry: YamlEntry): void {
    const type = findType(entry.key.toUpperCase());
    if (!type) {
      const known = nearest(entry.key, recordTypes.map(({ type }) => type)); // biome-ignore format: one thought
      const summary = `${entry.key} is no record type that zonewright knows`;
      const fix = known ? `Did you mean ${known}?` : keysOfOthers[entry.key.toLowerCase()];
      return this.#says.error("unknown-type", summary, entry.keyAt, fix);
    }
    const { value } = entry;
    const keys = value.kind === "map" ? value.entries.map(({ key }) => key) : [];
    const isSet = keys.includes("values") || keys.includes("ttl_sec") || keys.includes("ttl");
    if (value.kind !== "map" || !isSet) return this.#values(owned, type, undefined, value);
    const others = value.entries.filter(({ key }) => key !== "values" && key !== "ttl_sec");
    for (const other of others) this.#says.unknownKey(other, ["ttl_sec", "values"], "a record set");
    const values = value.entries.find(({ key }) => key === "values")?.value;
    if (!values) {
      if (others.length > 0) return;
      const summary = `the ${type.type} set has no values`;
      return this.#says.error("value-missing", summary, value.at, "Add values: and the list.");
    }
    this.#values(owned, type, this.#ttl(value), values);
  }

  #ttl(set: YamlMap): number | undefined {
    const ttl = set.entries.find(({ key }) => key === "ttl_sec")?.value;
    if (!ttl) return undefined;
    return this.#says.attempt(ttl.at, () => {
      if (ttl.kind !== "text") throw new Fault("ttl-syntax", "ttl_sec is a time", "Write seconds, or 30m, 1h, 2d.");
      return readDuration(ttl.text);
    });
  }

  #values({ owner, ownerAt }: Owned, type: RecordType, ttl: number | undefined, node: YamlNode): void {
    for (const value of node.kind === "list" ? node.items : [node]) {
      try {
        const data = readValue(type, value, {
          source: this.#source,
          origin: this.#name,
          owner,
          onDotless: (target) => this.#dotless.push({ ...target, owner }),
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
        if (!(error instanceof ValueFault)) throw error;
        this.#says.error(error.fault.rule, error.fault.message, error.at, error.fault.fix);
      }
    }
  }
}
