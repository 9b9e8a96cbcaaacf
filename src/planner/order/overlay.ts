import type { LookupZone } from "../../dns/lookup/lookup.ts";
import { ancestors, type NameKey, nameKey, root } from "../../dns/name/name.ts";
import { targets, type ZoneRecord } from "../../dns/zone/zone.ts";
import { isServed, isServedAtOnce, type PlanCapabilities, type RecordChange, subject } from "../changes/change.ts";
import type { NameChange, PlannedStep, ZoneDraft } from "./draft.ts";

/**
 * An event while a plan is applied: all of some steps are done, or the first of them is; or a swap, whose writes are
 * done one after the other.
 */
export interface Milestone {
  readonly kind: "all" | "some" | "swap";
  readonly drafts: ReadonlySet<PlannedStep>;
}

/** Whether a milestone, or the write of a swap with this index, is done. */
export type Phase = (milestone: Milestone, index: number) => boolean;

/** The number of writes that are checked separately: all writes of a swap, otherwise one. */
export function countSeparateWrites({ kind, drafts }: Milestone): number {
  const [first] = drafts;
  return kind === "swap" ? (first?.writes.length ?? 1) : 1;
}

/** The zones before the first write and after the last one. */
export const beforeAll: Phase = () => false;
export const afterAll: Phase = () => true;

/** The position of a write in its step. */
interface Place {
  readonly draft: PlannedStep;
  readonly index: number;
}

/** The condition for a set or name to exist: records that stay, are deleted or are created. */
class Presence {
  stays = false;
  readonly #deletes: Place[] = [];
  readonly #creates: Place[] = [];
  #parts: { swaps: Milestone[]; deletes: Milestone | undefined; creates: Milestone | undefined } | undefined;

  delete(place: Place): void {
    this.#deletes.push(place);
  }

  create(place: Place): void {
    this.#creates.push(place);
  }

  isThere(phase: Phase, milestones: Milestones): boolean {
    if (this.stays) return true;
    this.#parts ??= this.#split(milestones);
    const { swaps, deletes, creates } = this.#parts;
    for (const swap of swaps) {
      const [draft] = swap.drafts;
      if (this.#deletes.some((place) => place.draft === draft && !phase(swap, place.index))) return true;
      if (this.#creates.some((place) => place.draft === draft && phase(swap, place.index))) return true;
    }
    return (deletes !== undefined && !phase(deletes, 0)) || (creates !== undefined && phase(creates, 0));
  }

  #split(milestones: Milestones) {
    const draftsOf = (places: readonly Place[], isSwap: boolean) => [
      ...new Set(places.flatMap(({ draft }) => ((milestones.of(draft).kind === "swap") === isSwap ? draft : []))),
    ];
    const swaps = [...new Set([...draftsOf(this.#deletes, true), ...draftsOf(this.#creates, true)])];
    const [deletes, creates] = [draftsOf(this.#deletes, false), draftsOf(this.#creates, false)];
    return {
      swaps: swaps.map((draft) => milestones.of(draft)),
      deletes: deletes.length > 0 ? milestones.all(deletes) : undefined,
      creates: creates.length > 0 ? milestones.some(creates) : undefined,
    };
  }
}

/** The distinct milestones. The steps of a change set, by `setOf`, are done at the same time. */
export class Milestones {
  readonly #ofDraft = new Map<PlannedStep, Milestone>();
  readonly #setOf: ReadonlyMap<PlannedStep, PlannedStep>;

  constructor(setOf: ReadonlyMap<PlannedStep, PlannedStep> = new Map()) {
    this.#setOf = setOf;
  }

  of(draft: PlannedStep): Milestone {
    const known = this.#ofDraft.get(draft);
    if (known) return known;
    const set = this.#setOf.get(draft);
    const made: Milestone =
      set && set !== draft
        ? this.of(set)
        : { kind: draft.kind === "swap" && !set ? "swap" : "all", drafts: new Set([draft]) };
    this.#ofDraft.set(draft, made);
    return made;
  }

  all(drafts: readonly PlannedStep[]): Milestone {
    return this.#group("all", drafts);
  }

  some(drafts: readonly PlannedStep[]): Milestone {
    return this.#group("some", drafts);
  }

  #group(kind: "all" | "some", drafts: readonly PlannedStep[]): Milestone {
    const [first] = drafts;
    if (first && drafts.length === 1) return this.of(first);
    const sets = new Set(drafts.map((draft) => this.#setOf.get(draft) ?? draft));
    const [only] = sets;
    return only && sets.size === 1 ? this.of(only) : { kind, drafts: sets };
  }
}

/** An RRset of an overlay: its unchanged and its written records. */
export interface OverlaySet {
  readonly stable: readonly ZoneRecord[];
  readonly writes: readonly (Place & { readonly before?: ZoneRecord; readonly after?: ZoneRecord })[];
}

interface ChangedSet extends OverlaySet {
  readonly writes: (Place & { readonly before?: ZoneRecord; readonly after?: ZoneRecord })[];
  readonly presence: Presence;
}

/**
 * The NS set of an apex that belongs to the service. Its servers are unmanaged and always found, whatever the name of
 * the target.
 */
const apexServers: OverlaySet = {
  stable: [{ owner: root, type: "NS", ttl: undefined, data: { nsdname: root } }],
  writes: [],
};

/** The RRsets of a name in an overlay. */
export interface OverlayNode {
  get(type: string): OverlaySet | undefined;
}

/** A zone with the changes of a plan applied step by step. */
export class OverlayZone {
  readonly apex: NameKey;
  readonly draft: ZoneDraft | undefined;
  /** Whether the records are known. Those of slaves and of unmanaged zones are not. */
  readonly isKnown: boolean;
  readonly served: Readonly<Record<"before" | "after", boolean>>;
  /** The step that starts or stops serving the zone. */
  readonly activation: PlannedStep | undefined;
  readonly nameChanges: ReadonlyMap<NameKey, NameChange>;
  /** Whether the service answers with its own name servers always, for a zone without any, or never. */
  readonly #apexOf: NonNullable<PlanCapabilities["apex"]>;
  readonly #milestones: Milestones;
  /** Names that exist all the time, including empty non-terminals. */
  #standing: Set<NameKey> | undefined;
  readonly #transient = new Map<NameKey, Presence>();
  readonly #changed = new Map<NameKey, Map<string, ChangedSet>>();

  constructor(
    apex: NameKey,
    milestones: Milestones,
    known?: {
      draft: ZoneDraft;
      nameChanges: ReadonlyMap<NameKey, NameChange>;
      activation: PlannedStep | undefined;
      isDeleted?: boolean;
      apex?: PlanCapabilities["apex"];
    },
  ) {
    this.apex = apex;
    this.#milestones = milestones;
    this.draft = known?.draft;
    this.#apexOf = known?.apex ?? "service";
    this.isKnown = known !== undefined && known.draft.zone.settings.type !== "slave";
    this.served = known?.isDeleted
      ? { before: true, after: false }
      : known
        ? isServed(known.draft)
        : { before: true, after: true };
    this.activation = known?.activation;
    this.nameChanges = known?.nameChanges ?? new Map();
  }

  isServed(phase: Phase): boolean {
    if (this.activation === undefined) return this.served.before;
    return phase(this.#milestones.of(this.activation), 0) ? this.served.after : this.served.before;
  }

  /**
   * The zone for lookups while it is served: a new zone has all records by then, unless it is served at once, and a
   * removed one keeps them until then.
   */
  view(now: Phase): LookupZone<OverlaySet, OverlayNode> {
    const isNow = this.activation === undefined || (this.draft !== undefined && isServedAtOnce(this.draft));
    const phase = isNow ? now : this.served.after ? afterAll : beforeAll;
    return { apex: this.apex, rrsets: (name) => this.#rrsets(name, phase) };
  }

  /** Whether the name exists before or after, but possibly not all the time. */
  isTransient(name: NameKey): boolean {
    this.#index();
    return this.#transient.has(name);
  }

  /** Empty non-terminals before or after that never have records. */
  *emptyNames(): Generator<NameKey> {
    for (const name of [...this.#index(), ...this.#transient.keys()])
      if (!this.draft?.before.has(name) && !this.draft?.after.has(name)) yield name;
  }

  /** The types of a name that has records before or after. */
  typesAt(name: NameKey): Set<string> {
    const own = name === this.apex && this.#apexOf !== "ours" ? ["NS"] : [];
    return new Set([
      ...own,
      ...(this.draft?.before.get(name)?.keys() ?? []),
      ...(this.draft?.after.get(name)?.keys() ?? []),
    ]);
  }

  #rrsets(name: NameKey, phase: Phase): OverlayNode | undefined {
    const isThere = this.#index().has(name) || this.#transient.get(name)?.isThere(phase, this.#milestones) === true;
    return isThere ? { get: (type) => this.#set(name, type, phase) } : undefined;
  }

  #set(name: NameKey, type: string, phase: Phase): OverlaySet | undefined {
    const isOfApex = name === this.apex && type === "NS";
    if (isOfApex && this.#apexOf === "service") return apexServers;
    const otherwise = isOfApex && this.#apexOf === "servers" ? apexServers : undefined;
    const changed = this.#changed.get(name)?.get(type);
    if (changed) return changed.presence.isThere(phase, this.#milestones) ? changed : otherwise;
    const set = this.draft?.before.get(name)?.get(type);
    return set ? { stable: set.records, writes: [] } : otherwise;
  }

  #index(): ReadonlySet<NameKey> {
    if (this.#standing) return this.#standing;
    const standing = new Set<NameKey>([this.apex]);
    this.#standing = standing;
    const passing: NameChange[] = [];
    for (const nameChange of this.nameChanges.values()) if (!this.#indexName(nameChange)) passing.push(nameChange);
    const isTransient = new Set(passing.map(({ owner }) => owner));
    for (const owner of this.draft?.before.keys() ?? [])
      if (!isTransient.has(owner)) for (const name of this.#upFrom(owner)) standing.add(name);
    for (const { owner, drafts } of passing) {
      for (const name of this.#upFrom(owner)) {
        const presence = this.#transient.get(name) ?? new Presence();
        this.#transient.set(name, presence);
        for (const draft of drafts) addWrites(presence, draft);
      }
    }
    return standing;
  }

  /** Indexes the changed sets of a name; returns whether one of its records exists all the time. */
  #indexName({ owner, before, drafts }: NameChange): boolean {
    const sets = new Map<string, ChangedSet>();
    const gone = new Set<ZoneRecord>();
    let stays = false;
    for (const draft of drafts) {
      for (const [index, change] of draft.writes.entries()) {
        const { type } = subject(change);
        const set: ChangedSet = sets.get(type) ?? { stable: [], writes: [], presence: new Presence() };
        sets.set(type, set);
        addChange(set, change, { draft, index });
        if (change.kind !== "create") gone.add(change.before);
        stays ||= change.kind === "update";
      }
    }
    for (const { type, records } of before?.values() ?? []) {
      const stable = records.filter((record) => !gone.has(record));
      stays ||= stable.length > 0;
      const set = sets.get(type);
      if (set && stable.length > 0) {
        set.presence.stays = true;
        sets.set(type, { ...set, stable });
      }
    }
    this.#changed.set(owner, sets);
    return stays;
  }

  /** The name and its ancestors that may not exist all the time. */
  *#upFrom(owner: NameKey): Generator<NameKey> {
    for (const name of ancestors(owner)) {
      if (this.#standing?.has(name)) return;
      yield name;
    }
  }
}

function addWrites(presence: Presence, draft: PlannedStep): void {
  for (const [index, { kind }] of draft.writes.entries()) {
    if (kind === "delete") presence.delete({ draft, index });
    if (kind === "create") presence.create({ draft, index });
  }
}

/** The names that a set points to in a phase, unchanged ones first. */
export function* targetsNow(set: OverlaySet, phase: Phase, milestones: Milestones): Generator<NameKey> {
  for (const record of set.stable) yield* lowerTargets(record);
  for (const { draft, index, before, after } of set.writes) {
    if (before && after && lowerTargets(before).join() === lowerTargets(after).join()) {
      yield* lowerTargets(after);
      continue;
    }
    const milestone = milestones.of(draft);
    const record = phase(milestone, milestone.kind === "swap" ? index : 0) ? after : before;
    if (record) yield* lowerTargets(record);
  }
}

function lowerTargets(record: ZoneRecord): NameKey[] {
  return targets(record).map(nameKey);
}

function addChange({ presence, writes }: ChangedSet, change: RecordChange, place: Place): void {
  if (change.kind === "create") presence.create(place);
  else if (change.kind === "delete") presence.delete(place);
  else presence.stays = true;
  writes.push({
    ...place,
    ...(change.kind !== "create" && { before: change.before }),
    ...(change.kind !== "delete" && { after: change.after }),
  });
}
