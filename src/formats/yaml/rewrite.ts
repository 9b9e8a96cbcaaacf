import { hasErrors } from "../../diagnostics/problem.ts";
import { type NameKey, nameKey } from "../../dns/name/name.ts";
import { isReferring } from "../../dns/zone/node-reference.ts";
import { canonical, copyRecord, type Excuse, type Zone, type ZoneRecord } from "../../dns/zone/zone.ts";
import type { Setting } from "../../dns/zone/zone-settings.ts";
import { addToList, groupBy } from "../../group-by.ts";
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
    return node === record.node ? record : copyRecord(record, { node });
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

/** The change of an RRset of the file. */
interface SetChange {
  readonly set: SetNode;
  readonly edits: readonly RecordEdit[];
  readonly fresh: readonly ZoneRecord[];
  /** All of its records afterwards; undefined if it is deleted. */
  readonly wanted: NewSet | undefined;
}

/**
 * One round of edits. The content of an anchor changes first; users that then differ are expanded in the next round.
 */
class Step {
  readonly #zone: ZoneNode;
  readonly #before: Zone;
  readonly #after: Zone;
  readonly #change: Difference;
  /** Owners and types with changes; signatures of several types are several RRsets at one place. */
  readonly #touched: ReadonlySet<string>;
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
    this.#touched = new Set([...change.touched].map((key) => key.split(" ").slice(0, 2).join(" ")));
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
    const open = this.#newSetsByOwner();
    const all = records?.value.kind === "map" ? records.value : undefined;
    const places = new Map((all ? nodeOf(all).items : []).map((pair, index) => [pair as unknown, index]));
    const goneOwners = new Set<number>();
    let first = 0;
    for (const owner of owners) {
      const name = nameKey(owner.name);
      const isEmptied = this.#editOwner(owner, open.get(name) ?? new Map(), first);
      open.delete(name);
      first += owner.sets.reduce((sum, { items }) => sum + items.length, 0);
      if (!isEmptied) continue;
      this.#dropExpansions(owner);
      if (owner.entry.via) this.#expand.add(owner.entry.via);
      else goneOwners.add(places.get(pairOf(owner.entry)) ?? -1);
    }
    if (goneOwners.size + open.size === 0) return;
    if (all?.via) this.#expand.add(all.via);
    else this.#splices.push(...ownerSplices(this.#zone, goneOwners, open, this.#after));
  }

  /** Added records by owner and type; an override of a template may have none. */
  #newSetsByOwner(): Map<NameKey, Map<string, ZoneRecord[]>> {
    const open = new Map<NameKey, Map<string, ZoneRecord[]>>();
    for (const [name, records] of groupBy(this.#change.added, ({ owner }) => nameKey(owner)))
      open.set(
        name,
        groupBy(records, ({ type }) => type),
      );
    for (const { owner, type } of this.#after.overrides ?? []) {
      const name = nameKey(owner);
      if (!this.#change.overrides.has(`${name} ${type}`)) continue;
      const types = open.get(name) ?? new Map<string, ZoneRecord[]>();
      open.set(name, types);
      if (!types.has(type)) types.set(type, []);
    }
    return open;
  }

  /**
   * Edits the RRsets of an owner, whose records begin at `first` in the zone. Returns whether nothing is left of it,
   * without editing it then.
   */
  #editOwner(owner: OwnerNode, added: Map<string, ZoneRecord[]>, first: number): boolean {
    const changes = this.#changesOf(owner, added, first);
    const newSets: NewSet[] = [];
    const gone = new Set<number>();
    for (const { set, edits, fresh, wanted } of changes) {
      if (!this.#touched.has(`${nameKey(owner.name)} ${set.type}`)) continue;
      if (this.#expandOrOverride(owner, set, wanted)) continue;
      if (wanted && !set.isSplit && !hasSeveralTtls(wanted.records)) this.#editSet(set, edits, fresh);
      else {
        gone.add(nodeOf(owner.types).items.indexOf(pairOf(set.entry) as never));
        if (wanted) newSets.push(wanted);
      }
    }
    for (const [type, records] of added) newSets.push({ type, records });
    const isEmpty = changes.length > 0 && newSets.length === 0 && !changes.some(({ wanted }) => wanted);
    if (isEmpty && hasOnlySets(owner)) return true;
    if (newSets.length + gone.size > 0) this.#replaceSets(owner, gone, newSets);
    return false;
  }

  /** The changes of an owner's RRsets; the last one of a type takes its records from `added`. */
  #changesOf({ name, sets }: OwnerNode, added: Map<string, ZoneRecord[]>, first: number): SetChange[] {
    let index = first;
    return sets.map((set) => {
      const { type } = set;
      const isLast = sets.findLast((other) => other.type === type) === set;
      const fresh = (isLast && added.get(type)) || [];
      if (isLast) added.delete(type);
      const edits = set.items.map(
        (): RecordEdit => ({
          before: this.#before.records.at(index),
          after: this.#change.replacements[index++],
        }),
      );
      const records = [...edits.flatMap(({ after }) => after ?? []), ...fresh];
      // An entry without records stays: it may replace those of a template.
      const isKept = records.length > 0 || edits.length === 0 || isOverride(this.#after, name, type);
      return { set, edits, fresh, wanted: isKept ? { type, records } : undefined };
    });
  }

  /** Aliases below a deleted owner need no expansion. */
  #dropExpansions({ entry, sets }: OwnerNode): void {
    for (const set of sets)
      for (const via of [set.entry.via, set.values.value.via]) if (via !== entry.via) this.#expand.delete(via);
  }

  /** Overrides an RRset of a merge that is kept, or expands the alias that it comes from. */
  #expandOrOverride(owner: OwnerNode, { entry: { via } }: SetNode, kept: NewSet | undefined): boolean {
    if (!via) return false;
    if (kept && isMerge(via) && nodeOf(owner.types).items.includes(via as never))
      addToList(this.#overrides, owner, kept);
    else this.#expand.add(via);
    return true;
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
    if (set.values.value.via) return void this.#expand.add(set.values.value.via);
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

/** Whether the map of an owner has only merges and the RRsets that were read. */
function hasOnlySets({ types, sets }: OwnerNode): boolean {
  return nodeOf(types).items.every(
    (pair) => isMerge(pair) || sets.some(({ entry }) => pairOf(entry) === (pair as unknown)),
  );
}

function rulesByOwner(excused: readonly Excuse[]): ReadonlyMap<NameKey, readonly string[]> {
  return new Map(excusesByOwner({ excused }).map(([owner, rules]) => [nameKey(owner), rules]));
}

function hasSeveralTtls(records: readonly ZoneRecord[]): boolean {
  return records.some(({ ttl }) => ttl !== records[0]?.ttl);
}
