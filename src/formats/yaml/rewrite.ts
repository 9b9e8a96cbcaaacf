import { hasErrors } from "../../diagnostics/problem.ts";
import { type NameKey, nameKey } from "../../dns/name/name.ts";
import { isReferring } from "../../dns/zone/node-reference.ts";
import { canonical, changed, type Excuse, type Zone, type ZoneRecord } from "../../dns/zone/zone.ts";
import type { Setting } from "../../dns/zone/zone-settings.ts";
import { compareZones, type Difference, newExcuses } from "../edit/difference.ts";
import { excusesByOwner } from "../edit/order.ts";
import { withOneTtl } from "../edit/reconcile-soa.ts";
import { rewriteFile, type Task } from "../edit/rewrite-file.ts";
import { applySplices, type Splice } from "../edit/splice.ts";
import type { Report, ZoneFileBytes } from "../kit/source.ts";
import { itemSplices } from "./collection.ts";
import { lenientSplices } from "./edit-lenient.ts";
import { ownerSplices } from "./edit-owners.ts";
import { emptySplices, listSplices, setTtlSplices, valueSplices } from "./edit-set.ts";
import { settingSplices } from "./edit-settings.ts";
import { expandSplices, findOrphans } from "./expand-aliases.ts";
import { takesReference } from "./node-reference.ts";
import { type OwnerNode, readYamlFile, type SetNode, type YamlFile } from "./read.ts";
import { printEntry } from "./render.ts";
import { type AliasPath, entryOf, isMerge, nodeOf, pairOf } from "./tree.ts";
import { isOverride, typeValue } from "./write.ts";
import { lineEndOf, styleAt, type ZoneNode, zoneNode } from "./zone-node.ts";

/** The maximum number of rounds, more than any possible change needs. */
const mostSteps = 20;

/**
 * Writes a zone into its existing YAML file: unchanged parts stay the same, byte for byte. An alias or merge is
 * expanded if only one of its users changes. @throws {ProblemError} for a file with errors; `rewrite-inexact` if the
 * change is not possible.
 */
export function rewriteYaml(wanted: Zone, previous: ZoneFileBytes, report?: Report): Uint8Array {
  const mark = Buffer.from(previous.bytes.subarray(0, 3)).toString("utf8") === "\ufeff" ? "\ufeff" : "";
  let last: { readonly bytes: Uint8Array; readonly file: YamlFile } | undefined;
  const read = ({ bytes }: Pick<ZoneFileBytes, "bytes">): YamlFile => {
    if (!last || Buffer.compare(last.bytes, bytes) !== 0)
      last = { bytes, file: readYamlFile({ ...previous, bytes }, { forEdits: true }) };
    return last.file;
  };
  const bytesOf = (text: string) => Buffer.from(mark + text);
  const zone = withReferences(wanted, read(previous).zone);
  const edit = ({ before, after }: Task, first: YamlFile) => {
    // The last line gets a line end during edits, unless that would change a text.
    const ending = /(?:^|\n)$/.test(first.text) ? "" : lineEndOf(first.text);
    const ended = ending === "" ? first : read({ bytes: bytesOf(first.text + ending) });
    let file = compareZones(before, ended.zone).isNone ? ended : first;
    const allowed = { excused: [...(before.excused ?? []), ...(after.excused ?? [])] };
    for (let step = 0; step < mostSteps && !hasErrors(file.problems); step++) {
      const change = compareZones(file.zone, after);
      const surplus = newExcuses(allowed, file.zone);
      if (change.isNone && surplus.length === 0) break;
      file = read({ bytes: bytesOf(new Step(file, { after, change, surplus, settings: previous.settings }).text()) });
    }
    const { text } = file;
    return bytesOf(ended !== first && ending !== "" && text.endsWith(ending) ? text.slice(0, -ending.length) : text);
  };
  return rewriteFile(read, { zone, previous, report }, edit, withOneTtl);
}

/** The zone with the references to nodes that a file has, at the records that have the address of their node. */
function withReferences(zone: Zone, before: Zone): Zone {
  const keyOf = (record: ZoneRecord) => `${nameKey(record.owner)} ${record.type} ${canonical(record)}`;
  const known = new Map(before.records.filter(isReferring).map((record) => [keyOf(record), record.node]));
  if (known.size === 0) return zone;
  const records = zone.records.map((record) => {
    if (!takesReference(record.type)) return record;
    const node = known.get(keyOf(record));
    return node === record.node ? record : changed(record, { node });
  });
  return { ...zone, records };
}

/** A record of the file and its replacement; undefined for a deletion. */
interface RecordEdit {
  readonly before: ZoneRecord | undefined;
  readonly after: ZoneRecord | undefined;
}

/** All desired records of an owner and type. */
interface NewSet {
  readonly type: string;
  readonly records: readonly ZoneRecord[];
}

/**
 * One round of edits. The content of an anchor changes first; users that then differ are expanded in the next round.
 */
class Step {
  readonly #zone: ZoneNode;
  readonly #before: Zone;
  readonly #after: Zone;
  readonly #change: Difference;
  /** `lenient` entries that an owner got because it shares the list of another one. */
  readonly #surplus: readonly Excuse[];
  /** The settings that change. */
  readonly #settings: readonly Setting[];
  readonly #splices: Splice[] = [];
  /** RRsets of owners that override those of a merge, once the content of its anchor is correct. */
  readonly #overrides = new Map<OwnerNode, NewSet[]>();
  readonly #expand = new Set<AliasPath>();

  constructor(
    file: YamlFile,
    {
      after,
      change,
      surplus,
      settings,
    }: { after: Zone; change: Difference; surplus: readonly Excuse[]; settings: readonly Setting[] },
  ) {
    this.#zone = zoneNode(file, after);
    this.#before = file.zone;
    this.#after = after;
    this.#change = change;
    this.#surplus = surplus;
    this.#settings = settings.filter(({ name }) => change.settings.includes(name));
  }

  text(): string {
    const { text } = this.#zone;
    this.#editRecords();
    const settings = settingSplices(this.#zone, this.#after, this.#settings);
    this.#splices.push(...settings.splices);
    for (const via of settings.expand) this.#expand.add(via);
    // A new owner exists only after a round.
    if (this.#splices.length + this.#expand.size + this.#overrides.size === 0) this.#editLenient();
    const lost = findOrphans(this.#zone, this.#splices);
    if (this.#splices.length === 0 && lost.size === 0)
      for (const [owner, sets] of this.#overrides) this.#replaceSets(owner, new Set(), sets);
    if (this.#splices.length > 0 && lost.size === 0) return applySplices(text, this.#splices);
    return applySplices(text, expandSplices(this.#zone, lost.size > 0 ? lost : this.#expand));
  }

  #editRecords(): void {
    const { owners, records } = this.#zone;
    const open = new Map<NameKey, Map<string, ZoneRecord[]>>();
    for (const record of this.#change.added) {
      const name = nameKey(record.owner);
      const types = open.get(name) ?? new Map<string, ZoneRecord[]>();
      open.set(name, types);
      const set = types.get(record.type);
      if (set) set.push(record);
      else types.set(record.type, [record]);
    }
    for (const { owner, type } of this.#after.overrides ?? []) {
      const name = nameKey(owner);
      const types = open.get(name) ?? new Map<string, ZoneRecord[]>();
      if (!this.#change.overrides.has(`${name} ${type}`)) continue;
      open.set(name, types);
      if (!types.has(type)) types.set(type, []);
    }
    // Signatures of several types are several RRsets at one place.
    const touched = new Set([...this.#change.touched].map((key) => key.split(" ").slice(0, 2).join(" ")));
    const all = records?.value.kind === "map" ? records.value : undefined;
    const places = new Map((all ? nodeOf(all).items : []).map((pair, index) => [pair as unknown, index]));
    const goneOwners = new Set<number>();
    let index = 0;
    for (const owner of owners) {
      const name = nameKey(owner.name);
      const { types, sets } = owner;
      const added = open.get(name) ?? new Map<string, ZoneRecord[]>();
      open.delete(name);
      const newSets: NewSet[] = [];
      const gone = new Set<number>();
      let isEmpty = true;
      for (const set of sets) {
        const { type, entry } = set;
        const isLast = sets.findLast((other) => other.type === type) === set;
        const fresh = (isLast && added.get(type)) || [];
        if (isLast) added.delete(type);
        const edits = set.items.map(
          (): RecordEdit => ({
            before: this.#before.records.at(index),
            after: this.#change.replacements[index++],
          }),
        );
        const wanted = [...edits.flatMap(({ after }) => after ?? []), ...fresh];
        // An entry without records stays: it may replace those of a template.
        const isKept = wanted.length > 0 || edits.length === 0 || isOverride(this.#after, owner.name, type);
        if (isKept) isEmpty = false;
        if (!touched.has(`${name} ${type}`)) continue;
        const isMerged = isMerge(entry.via) && nodeOf(types).items.includes(entry.via as never);
        if (isMerged && isKept)
          this.#overrides.set(owner, [...(this.#overrides.get(owner) ?? []), { type, records: wanted }]);
        else if (entry.via) this.#expand.add(entry.via);
        else if (!isKept || set.isSplit || hasSeveralTtls(wanted)) {
          gone.add(nodeOf(types).items.indexOf(pairOf(entry) as never));
          if (isKept) newSets.push({ type, records: wanted });
        } else if (set.values.value.via) this.#expand.add(set.values.value.via);
        else this.#editSet(set, edits, fresh);
      }
      for (const [type, records] of added) newSets.push({ type, records });
      const isOnlyTypes = nodeOf(types).items.every(
        (pair) => isMerge(pair) || sets.some(({ entry }) => pairOf(entry) === (pair as unknown)),
      );
      if (isEmpty && newSets.length === 0 && isOnlyTypes && sets.length > 0) {
        // Aliases below a deleted owner need no expansion.
        for (const { entry, values } of sets)
          for (const via of [entry.via, values.value.via]) if (via !== owner.entry.via) this.#expand.delete(via);
        if (owner.entry.via) this.#expand.add(owner.entry.via);
        else goneOwners.add(places.get(pairOf(owner.entry)) ?? -1);
      } else if (newSets.length + gone.size > 0) this.#replaceSets(owner, gone, newSets);
    }
    if (goneOwners.size + open.size === 0) return;
    if (all?.via) this.#expand.add(all.via);
    else this.#splices.push(...ownerSplices(this.#zone, goneOwners, open, this.#after));
  }

  #editLenient(): void {
    const { excuses } = this.#change;
    if (excuses.length + this.#surplus.length === 0) return;
    const [addedBy, goneBy] = [rulesByOwner(excuses), rulesByOwner(this.#surplus)];
    for (const owner of this.#zone.owners) {
      const [added = [], gone = []] = [addedBy, goneBy].map((rules) => rules.get(nameKey(owner.name)));
      if (added.length + gone.length === 0) continue;
      const edits = lenientSplices(this.#zone, owner, { added, gone });
      if ("expand" in edits) this.#expand.add(edits.expand);
      else this.#splices.push(...edits.splices);
    }
  }

  #editSet(set: SetNode, edits: readonly RecordEdit[], added: readonly ZoneRecord[]): void {
    const { length } = this.#splices;
    const gone = new Set<number>();
    edits.forEach(({ before, after }, index) => {
      if (!after) gone.add(index);
      else if (before && canonical(before) !== canonical(after))
        this.#splices.push(...valueSplices(this.#zone, set, index, { before, after }));
    });
    // A changed value becomes a list only in the next round: both edits would be at one place.
    if (this.#splices.length > length && set.values.value.kind !== "list") return;
    if (gone.size === edits.length && edits.length > 0 && added.length === 0)
      this.#splices.push(...emptySplices(this.#zone, set));
    else if (gone.size + added.length > 0) this.#splices.push(...listSplices(this.#zone, set, gone, added));
    if (this.#splices.length > length) return;
    const wanted = edits[0]?.after?.ttl;
    const via = set.map && entryOf(set.map, "ttl_sec")?.via;
    if (wanted === undefined && via) this.#expand.add(via);
    else this.#splices.push(...setTtlSplices(this.#zone, set, wanted));
  }

  #replaceSets({ name, types }: OwnerNode, gone: ReadonlySet<number>, sets: readonly NewSet[]): void {
    if (types.via) return void this.#expand.add(types.via);
    const { text, lineEnd, spell } = this.#zone;
    const style = styleAt(this.#zone, types);
    const behind = nodeOf(types).items.length - 1;
    const added = sets.map(({ type, records }) => ({
      behind,
      text: printEntry(type, typeValue(records, spell, isOverride(this.#after, name, type)), style),
    }));
    this.#splices.push(...itemSplices(text, lineEnd, nodeOf(types), { gone, added }));
  }
}

function rulesByOwner(excused: readonly Excuse[]): ReadonlyMap<NameKey, readonly string[]> {
  return new Map(excusesByOwner({ excused }).map(([owner, rules]) => [nameKey(owner), rules]));
}

function hasSeveralTtls(records: readonly ZoneRecord[]): boolean {
  return records.some(({ ttl }) => ttl !== records[0]?.ttl);
}
