import type { Fix } from "../../diagnostics/advice.ts";
import { type Place, type Problem, problem } from "../../diagnostics/problem.ts";
import { type RuleId, registry } from "../../diagnostics/registry.ts";
import {
  ancestors,
  isInside,
  isWildcard,
  type Name,
  type NameKey,
  nameKey,
  relativeTo,
  shownName,
  wildcardBelow,
} from "../name/name.ts";
import { type OwnerSets, ownersOf } from "../zone/owners.ts";
import { ignoreTest } from "../zone/scope.ts";
import { placeOf, type RRset, type Zone, type ZoneRecord } from "../zone/zone.ts";
import { cutOf, findNode, type LookupZone, nearestZone, toLookupZone } from "./lookup.ts";

export interface RuleFinding {
  readonly summary: string;
  readonly at: ZoneRecord | Place | undefined;
  /** `owner` if the problem is the owner name, not the RDATA. */
  readonly about?: "owner";
  /** The places that include the file of `at`, if `at` is not a record. */
  readonly via?: readonly Place[] | undefined;
  /** The owner name that it concerns, if `at` is not a record. */
  readonly owner?: Name | undefined;
  readonly fix?: Fix;
}

/** A rule about zones; its severity, reason and example are in the registry of problems. */
export interface Rule {
  readonly id: RuleId;
  /** The types that it is about: it is not asked about a zone that has none of them. Without them, it always is. */
  readonly types?: readonly string[];
  check(zone: IndexedZone): Iterable<RuleFinding>;
}

/** A zone indexed for the rules. */
export class IndexedZone implements LookupZone<RRset, OwnerSets> {
  readonly zone: Zone;
  readonly apex: NameKey;
  readonly owners: ReadonlyMap<NameKey, OwnerSets>;
  readonly #lookup: LookupZone<RRset, OwnerSets>;
  #byType: ReadonlyMap<string, SetsOfType> | undefined = undefined;
  #byTypes: Map<string, readonly RRset[]> | undefined = undefined;
  #aliased: ReadonlySet<NameKey> | undefined = undefined;
  #ignores: readonly ReturnType<typeof ignoreTest>[] | undefined = undefined;

  constructor(zone: Zone) {
    this.zone = zone;
    this.owners = ownersOf(zone.records);
    this.apex = nameKey(zone.name);
    this.#lookup = toLookupZone(this.apex, this.owners);
  }

  /** The sets of these types in the order of their owners, at each owner in the order of the types. */
  sets<T extends string>(...types: readonly T[]): readonly RRset<T>[];
  sets(...types: readonly string[]): readonly RRset[] {
    const found = this.#setsOf(types[0]);
    if (types.length === 1) return found?.sets ?? noSets;
    const [first, ...more] = types.flatMap((type) => this.#setsOf(type) ?? []);
    if (!first) return noSets;
    if (more.length === 0) return first.sets;
    this.#byTypes ??= new Map();
    const key = types.join(" ");
    const known = this.#byTypes.get(key) ?? mergeSets([first, ...more]);
    this.#byTypes.set(key, known);
    return known;
  }

  #setsOf(type: string | undefined): SetsOfType | undefined {
    this.#byType ??= indexTypes(this.owners);
    return type === undefined ? undefined : this.#byType.get(type);
  }

  has(name: Name, type: string): boolean {
    return this.owners.get(nameKey(name))?.has(type) ?? false;
  }

  isApex(name: Name): boolean {
    return nameKey(name) === this.apex;
  }

  isInside(name: Name): boolean {
    return isInside(name, this.apex);
  }

  /** The name as messages show it. */
  show(name: Name): string {
    return shownName(relativeTo(name, this.zone.name));
  }

  /** The topmost delegated name at or above this one, below the apex (RFC 1034 §4.2.1). */
  delegation(name: Name): NameKey | undefined {
    return cutOf(this.apex, nameKey(name), (at) => this.has(at, "NS"));
  }

  rrsets(name: NameKey): OwnerSets | undefined {
    return this.#lookup.rrsets(name);
  }

  /** Whether the name may have records that could not be read. */
  isUnread(name: Name): boolean {
    const { isAny = false, owners } = this.zone.unread ?? {};
    if (isAny || !owners) return isAny;
    for (const owner of owners) if (isInside(owner, name) || isWildcard(owner)) return true;
    return false;
  }

  /**
   * Whether records that the file does not show may answer for the name: they could not be read, or the file does not
   * manage them. `types` are those that matter; without them, any.
   */
  isInDoubt(name: Name, types?: readonly string[]): boolean {
    return this.isUnread(name) || this.#isUnmanaged(nameKey(name), types);
  }

  #isUnmanaged(name: NameKey, types: readonly string[] | undefined): boolean {
    const { scope } = this.zone;
    if (scope?.manage === "listed") {
      const sets = this.owners.get(name);
      return types === undefined || !types.every((type) => sets?.has(type));
    }
    if (!scope || scope.ignore.length === 0) return false;
    this.#ignores ??= scope.ignore.map(ignoreTest);
    const matches = (at: NameKey, of: readonly string[] | undefined) => {
      const relative = relativeTo(at, this.apex);
      return this.#ignores?.some((test) => test(relative, of));
    };
    if (matches(name, types)) return true;
    if (name === this.apex) return false;
    const above = ancestors(name, this.apex).slice(1);
    return (
      above.some((at) => matches(at, cutTypes)) || [...above, this.apex].some((at) => matches(wildcardBelow(at), types))
    );
  }

  /** Whether an alias of the zone points to the name, so that clients read its records under other names. */
  isAliased(name: Name): boolean {
    this.#aliased ??= new Set(
      this.sets("CNAME").flatMap(({ records }) => records.map(({ data }) => nameKey(data.cname))),
    );
    return this.#aliased.has(nameKey(name));
  }

  /** Whether the name exists only because of names below it (RFC 8499: empty non-terminal). */
  isEmpty(name: Name): boolean {
    if (!this.isInside(name) || this.isInDoubt(name)) return false;
    const node = findNode<RRset, OwnerSets>(this, nameKey(name), "A");
    return node.kind === "node" && node.sets.keys().length === 0;
  }

  /** The sets that answer for a name: its own, or those of a wildcard; undefined if other records decide. */
  findSets(name: Name, type: string): OwnerSets | undefined {
    const key = nameKey(name);
    if (!this.isInside(name) || (!this.owners.has(key) && this.isInDoubt(name))) return undefined;
    const node = findNode<RRset, OwnerSets>(this, key, type);
    return node.kind === "node" ? node.sets : undefined;
  }

  /** Whether a lookup of the name gives any answer but NXDOMAIN. */
  answers(name: Name): boolean {
    if (!this.isInside(name)) return false;
    if (this.owners.has(nameKey(name)) || this.isInDoubt(name)) return true;
    return findNode<RRset, OwnerSets>(this, nameKey(name), "A").kind !== "nxdomain";
  }
}

/** Types at whose owner another zone begins to answer, or another name. */
const cutTypes = ["NS", "DNAME"];

/** The sets of one type, with the positions of their owners. */
interface SetsOfType {
  readonly sets: RRset[];
  readonly positions: number[];
}

const noSets: readonly RRset[] = [];

/** Rules look at few types, so the sets of each are listed once. */
function indexTypes(owners: IndexedZone["owners"]): ReadonlyMap<string, SetsOfType> {
  const byType = new Map<string, SetsOfType>();
  let position = 0;
  for (const types of owners.values()) {
    for (const set of types.values()) {
      const known = byType.get(set.type);
      if (!known) byType.set(set.type, { sets: [set], positions: [position] });
      else if (known.positions.at(-1) !== position) {
        known.sets.push(set);
        known.positions.push(position);
      }
    }
    position++;
  }
  return byType;
}

function mergeSets(lists: readonly SetsOfType[]): readonly RRset[] {
  return lists
    .flatMap(({ sets, positions }) => sets.map((set, index) => ({ set, position: positions[index] ?? 0 })))
    .sort((a, b) => a.position - b.position)
    .map(({ set }) => set);
}

const indexes = new WeakMap<Zone, IndexedZone>();

/** The index of a zone, which is made once. */
export function indexZone(zone: Zone): IndexedZone {
  const known = indexes.get(zone);
  if (known) return known;
  const indexed = new IndexedZone(zone);
  indexes.set(zone, indexed);
  return indexed;
}

/** A rule about a zone and the other zones of the project. */
export interface AcrossRule {
  readonly id: RuleId;
  check(zone: IndexedZone, zones: ManagedZones): Iterable<RuleFinding>;
}

/** The zones of a project by name. */
export class ManagedZones {
  readonly #zones: ReadonlyMap<NameKey, Zone>;
  readonly #partial: ReadonlySet<Zone>;

  constructor(zones: readonly Zone[], partial: readonly Zone[] = []) {
    this.#zones = new Map(zones.map((zone) => [nameKey(zone.name), zone]));
    this.#partial = new Set(partial);
  }

  /** The zone with this name, if all its records are known. */
  findByName(name: Name): IndexedZone | undefined {
    const key = nameKey(name);
    const zone = this.#zones.get(key);
    if (!zone || zone.settings.type === "slave" || this.#partial.has(zone)) return undefined;
    return indexZone(zone);
  }

  /** The nearest zone that contains the name, if all its records are known. */
  of(name: Name): IndexedZone | undefined {
    return this.#nearest(name, () => true);
  }

  /** Like `of`, among the served zones: others do not answer. */
  findServed(name: Name): IndexedZone | undefined {
    return this.#nearest(name, ({ settings }) => settings.status !== "disabled");
  }

  #nearest(name: Name, counts: (zone: Zone) => boolean): IndexedZone | undefined {
    const nearest = nearestZone(nameKey(name), (apex) => {
      const zone = this.#zones.get(apex);
      return zone && counts(zone) ? zone : undefined;
    });
    return nearest && this.findByName(nearest.name);
  }
}

/** The check of a rule whose findings the readers of files collect. */
export function reportSlips(rule: RuleId): Rule["check"] {
  return function* (zone) {
    for (const slip of zone.zone.slips ?? []) {
      if (slip.rule !== rule) continue;
      const { summary, at, source, owner, fix } = slip;
      yield { summary: `${zone.show(owner)} ${slip.type} ${summary}`, at, via: source?.via, owner, fix };
    }
  };
}

/** Turns a finding into a problem. */
export function toProblem(id: RuleId, { summary, at, about, via = [], owner, fix }: RuleFinding): Problem {
  const isRecord = at !== undefined && "type" in at;
  const name = isRecord ? at.owner : owner;
  const where = isRecord ? placeWithIncludes(at, about) : { place: at, via: via.length > 0 ? via : undefined };
  return problem(id, shownName(summary), { detail: registry[id].why, fix, ...where, owner: name });
}

/** The place of a record, or of its owner name, and the places that include its file. */
export function placeWithIncludes(record: ZoneRecord, about?: "owner"): Pick<Problem, "place" | "via"> {
  const at = (about && ownerPlace(record)) ?? placeOf(record);
  const via = record.source?.via ?? [];
  return { ...(at && { place: at }), ...(via.length > 0 && { via }) };
}

/** In a zone file a line starts with its owner, or with white space if it repeats the owner of the previous line. */
function ownerPlace({ ownerAt, source, start = 0 }: ZoneRecord): Place | undefined {
  if (ownerAt || source?.encoding !== "latin1" || /[ \t(]/.test(source.text[start - 1] ?? "")) return ownerAt;
  const word = /(?:\\.|[^\s;()])+/y;
  word.lastIndex = start;
  return word.test(source.text) ? source.place(start, word.lastIndex) : undefined;
}
