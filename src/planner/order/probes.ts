import { ancestors, isWildcard, type NameKey, nameKey, parent, wildcardBelow, withLabel } from "../../dns/name/name.ts";
import { targets } from "../../dns/zone/zone.ts";
import { addToList } from "../../group-by.ts";
import { subject } from "../changes/change.ts";
import { type Answers, defaultTypes, leadingOn } from "./answers.ts";
import type { NameChange } from "./draft.ts";
import { afterAll, beforeAll, type OverlayZone } from "./overlay.ts";
import { eachOf, type Work } from "./work.ts";

/** A name and type whose answer a plan may change. */
export interface Probe {
  readonly name: NameKey;
  readonly type: string;
  /** The name for display: `*.` before a name means any other name directly below it. */
  readonly shown: NameKey;
}

/** The names and types that are answered before and after a plan, and whose answers it may affect. */
export function* probesOf(answers: Answers): Work<Probe[]> {
  const names = new TouchedNames(answers.zones);
  yield* names.find();
  const probes = yield* eachOf(["looking up names", "name"], [...names.all()], ([name, shown]) =>
    typesAnswered(answers, name, shown).map((type): Probe => ({ name, type, shown })),
  );
  return probes.flat();
}

/** The types of a name that are answered before and after a plan. */
export function typesAnswered(answers: Answers, name: NameKey, shown: NameKey): string[] {
  const types = answers.typesOf(name, beforeAll);
  if (types.size === 0) return [];
  for (const type of answers.typesOf(name, afterAll)) types.add(type);
  return [...types].filter((type) => {
    const before = answers.end(name, type, beforeAll);
    const after = before && answers.end(name, type, afterAll);
    if (!before || !after) return false;
    // Unmanaged servers may have any further type.
    return before === "data" || after === "data" || defaultTypes.includes(type) || isOwn(answers, shown, type);
  });
}

/** The cost of a gap by record type: addresses have the highest. */
export function gapCost({ type, shown }: Probe): number {
  const cost = gapCosts[type] ?? 10;
  return isWildcard(shown) ? cost / 2 : cost;
}

const gapCosts: Readonly<Record<string, number>> = { A: 100, AAAA: 90, CNAME: 80, NS: 60, MX: 50, SRV: 40 };

/** Whether the name itself has this type. */
function isOwn({ zones }: Answers, name: NameKey, type: string): boolean {
  for (const apex of ancestors(name)) if (zones.get(apex)?.typesAt(name).has(type)) return true;
  return false;
}

/** A label that no zone uses: the probe for any other name below a wildcard or an empty non-terminal. */
export const anyLabel = "\\000any";

interface Source {
  readonly owner: NameKey;
  /** Whether it also affects the names below its owner. */
  readonly isCut: boolean;
}

class TouchedNames {
  readonly #zones: ReadonlyMap<NameKey, OverlayZone>;
  readonly #touched = new Set<NameKey>();
  /** Cuts and apexes that affect the names below them. */
  readonly #cuts = new Set<NameKey>();
  readonly #anyBelow = new Set<NameKey>();
  readonly #toExact = new Map<NameKey, Source[]>();
  #toBelow: Map<NameKey, Source[]> | undefined;

  constructor(zones: ReadonlyMap<NameKey, OverlayZone>) {
    this.#zones = zones;
  }

  *find(): Work<void> {
    const zones = [...this.#zones.values()];
    yield* eachOf(["indexing pointers", "zone"], zones, (zone) => this.#indexPointers(zone));
    yield* eachOf(["collecting names", "zone"], zones, (zone) => this.#touchZone(zone));
    for (const [name] of this.#below(this.#cuts)) this.#touch(name, false);
    this.#touchHidden();
  }

  /** The names to probe, for queries and for display. */
  *all(): Generator<readonly [NameKey, NameKey]> {
    for (const name of this.#touched) yield [name, name];
    const below = new Set(this.#anyBelow);
    for (const name of this.#cuts) below.add(name);
    for (const [name, changes] of this.#below(this.#cuts)) if (changes) below.add(name);
    for (const name of below)
      if (!isWildcard(name) && !this.#touched.has(wildcardBelow(name)))
        yield [withLabel(anyLabel, name), wildcardBelow(name)];
  }

  #touchZone(zone: OverlayZone): void {
    if (zone.activation) this.#touch(zone.apex, true);
    for (const nameChange of zone.nameChanges.values()) {
      if (isAlwaysTheSame(nameChange)) continue;
      const isCut = [...nameChange.createByType.keys(), ...nameChange.deleteByType.keys()].some(
        (type) => type === "NS" || type === "DNAME",
      );
      const changesServers = nameChange.drafts.some(({ writes }) =>
        writes.some((write) => subject(write).type === "NS"),
      );
      this.#touch(nameChange.owner, (isCut || changesServers) && nameChange.owner !== zone.apex);
      for (const name of ancestors(nameChange.owner, zone.apex)) {
        if (!zone.isTransient(name)) break;
        this.#touch(name, false);
        this.#anyBelow.add(name);
        for (const source of this.#pointersBelow(name)) this.#touch(source.owner, source.isCut);
      }
    }
  }

  /** Names hidden by a zone below get the answers of its wildcards. */
  #touchHidden(): void {
    if (this.#zones.size < 2) return;
    const hidden = this.#hiddenNames();
    for (let size = -1; size !== this.#touched.size; ) {
      size = this.#touched.size;
      for (const [name, changes] of hidden) {
        for (const at of ancestors(parent(name))) {
          if (!this.#anyBelow.has(at)) continue;
          this.#touch(name, false);
          if (changes) this.#anyBelow.add(name);
        }
      }
    }
  }

  /** Names with records at or below an apex, then empty non-terminals, and whether other names below each change. */
  #hiddenNames(): Map<NameKey, boolean> {
    const names = new Map<NameKey, boolean>();
    for (const zone of this.#zones.values()) {
      for (const owner of ownersOf(zone))
        if (ancestors(owner, zone.apex).some((at) => this.#zones.has(at)))
          names.set(owner, names.get(owner) === true || changesAt(zone, owner));
    }
    for (const owner of [...names.keys()])
      for (const at of ancestors(parent(owner))) {
        if (this.#zones.has(at)) break;
        if (!names.has(at)) names.set(at, true);
      }
    return names;
  }

  /** Marks a name and all names that lead to it. */
  #touch(name: NameKey, isCut: boolean): void {
    const queue: Source[] = [{ owner: name, isCut }];
    for (const one of queue) for (const source of this.#touchOne(one)) queue.push(source);
  }

  /** Marks one name and yields the names that lead to it. */
  *#touchOne({ owner, isCut }: Source): Generator<Source> {
    const isNew = !this.#touched.has(owner);
    const isNewCut = isCut && !this.#cuts.has(owner);
    if (!isNew && !isNewCut) return;
    this.#touched.add(owner);
    if (isNewCut) this.#cuts.add(owner);
    if (isNew) yield* this.#toExact.get(owner) ?? [];
    const around = isWildcard(owner) ? parent(owner) : isNewCut ? owner : undefined;
    if (isWildcard(owner)) this.#anyBelow.add(parent(owner));
    if (around !== undefined) yield* this.#pointersBelow(around);
  }

  #indexPointers(zone: OverlayZone): void {
    for (const owners of [zone.draft?.before, zone.draft?.after]) {
      for (const [owner, sets] of owners ?? []) {
        for (const { type, records } of sets.values()) {
          if (!leadingOn.has(type)) continue;
          const source = { owner, isCut: (type === "NS" && owner !== zone.apex) || type === "DNAME" };
          for (const target of records.flatMap(targets)) addToList(this.#toExact, nameKey(target), source);
        }
      }
      if (zone.draft?.before === zone.draft?.after) break;
    }
  }

  /** The pointers to names below this one. Few plans change a wildcard, a cut or an empty non-terminal. */
  #pointersBelow(name: NameKey): readonly Source[] {
    if (!this.#toBelow) {
      this.#toBelow = new Map();
      for (const [target, sources] of this.#toExact)
        for (const at of ancestors(target)) for (const source of sources) addToList(this.#toBelow, parent(at), source);
    }
    return this.#toBelow.get(name) ?? [];
  }

  /** Names below the given ones, including empty non-terminals, and whether other names below each must be probed. */
  *#below(cuts: ReadonlySet<NameKey>): Generator<readonly [NameKey, boolean]> {
    if (cuts.size === 0) return;
    const isBelow = (name: NameKey) => {
      for (const at of ancestors(name)) if (cuts.has(at)) return true;
      return false;
    };
    for (const zone of this.#zones.values()) {
      let isTouched = false;
      for (const owner of ownersOf(zone)) {
        if (!isBelow(owner)) continue;
        isTouched = true;
        yield [owner, changesAt(zone, owner)];
      }
      // An empty non-terminal is below a cut only if a name with records is.
      if (isTouched) for (const name of zone.emptyNames()) if (isBelow(name)) yield [name, true];
    }
  }
}

/** The names with records before or after the plan. */
function* ownersOf({ draft }: OverlayZone): Generator<NameKey> {
  yield* draft?.before.keys() ?? [];
  for (const owner of draft?.after.keys() ?? []) if (!draft?.before.has(owner)) yield owner;
}

/** Whether the name is written to, or created or deleted with its zone. */
function changesAt({ draft, nameChanges }: OverlayZone, owner: NameKey): boolean {
  return nameChanges.has(owner) || draft?.before.has(owner) !== draft?.after.has(owner);
}

/** Whether the changed sets only get other values that are not pointers. */
function isAlwaysTheSame({ createByType, deleteByType, drafts }: NameChange): boolean {
  if (createByType.size > 0 || deleteByType.size > 0) return false;
  return drafts.every(
    ({ kind, writes }) => kind === "write" && writes.every((write) => !leadingOn.has(subject(write).type)),
  );
}
