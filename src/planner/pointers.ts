import { type LookupZone, nearestZone } from "../dns/lookup.ts";
import { type NameKey, nameKey } from "../dns/name.ts";
import { type OwnerSets, type RRset, targets } from "../dns/zone.ts";
import { answeringOwners } from "./answerer.ts";
import { subject } from "./change.ts";
import type { Covers } from "./cover.ts";
import { afterOf, beforeOf, type Draft, isAddress, type NameChange, need, type ZoneDraft } from "./draft.ts";
import type { Strength } from "./in-order.ts";
import { answering, coming, going, isTarget, ownerOf, type Pointer, pointersOf, points, retargets } from "./pointer.ts";

/** A zone of the plan, with its changed names. */
export interface ZoneNode {
  readonly zone: ZoneDraft;
  readonly nameChanges: ReadonlyMap<NameKey, NameChange>;
  readonly before: LookupZone<RRset, OwnerSets>;
  readonly after: LookupZone<RRset, OwnerSets>;
  /** Names that stop or start being matched by wildcards. */
  readonly leaving: Covers;
  readonly entering: Covers;
  readonly isServed: Readonly<Record<"before" | "after", boolean>>;
  /** Done when the zone starts being served. */
  readonly activation: Draft | undefined;
  /** Done when the zone stops being served. */
  readonly deactivation: Draft | undefined;
}

/** Adds dependencies between pointers and their targets, across zones. */
export class Pointers {
  /** The zones of the plan by name. */
  readonly #nodes: ReadonlyMap<NameKey, ZoneNode>;

  constructor(nodes: ReadonlyMap<NameKey, ZoneNode>) {
    this.#nodes = nodes;
  }

  needAt(node: ZoneNode, nameChange: NameChange): void {
    for (const draft of nameChange.drafts.filter(points)) {
      const before = pointersOf(draft, beforeOf);
      const after = pointersOf(draft, afterOf);
      if (node.isServed.after)
        for (const [key, pointer] of after) if (!before.has(key)) this.#comes(node, draft, pointer);
      for (const [key, pointer] of before) if (!after.has(key)) this.#goes(node, node.deactivation ?? draft, pointer);
    }
    this.#leavesCover(node, nameChange);
    this.#entersCover(node, nameChange);
    // The first name server of a delegation removes the names below from this zone, the last one returns them.
    const child = this.#nodes.get(nameChange.owner);
    for (const draft of child ? nameChange.drafts.filter(delegates) : []) {
      if (nameChange.comes.has("NS")) need(draft, child?.activation, "preferred");
      if (nameChange.goes.has("NS")) need(child?.deactivation, draft, "preferred");
    }
  }

  /**
   * The records at the target are created before the pointer; if possible, also those that an unchanged alias leads to,
   * and for a wildcard's alias any alias: as long as a further name does not exist, it leads back to the wildcard.
   */
  #comes(from: ZoneNode, draft: Draft, pointer: Pointer, aliases = 0): void {
    const asFar = (strength: Strength) => (aliases > 0 ? "weak-hint" : strength);
    const node = this.#zoneOf(pointer.target, "after");
    const earlier = this.#zoneOf(pointer.target, "before");
    // The answers of a removed zone hide those of its parent zone.
    if (node && earlier !== from && earlier?.deactivation) need(draft, earlier.deactivation, asFar("preferred"));
    if (!node) return;
    const names = answering(node.after, pointer);
    if (node !== from && node.activation) {
      const isApex = pointer.target === nameKey(node.zone.zone.name);
      if (names.length > 0 || isApex) need(draft, node.activation, asFar("preferred"));
      return;
    }
    for (const name of names) {
      const nameChange = node.nameChanges.get(name);
      if (nameChange) {
        // Mail and services have no address as long as the aliases lead to none.
        const isNeeded = pointer.record.type !== "CNAME" && (nameChange.before === undefined || this.#isLost(pointer));
        const isGate = (one: Draft, strength: Strength) => isNeeded && (strength === "preferred" || retargets(one));
        for (const [one, strength] of coming(nameChange, pointer))
          need(draft, one, isGate(one, strength) ? "preferred" : asFar(strength));
      }
      const isOver = aliases === mostAliases;
      const alias = isOver ? undefined : node.zone.after.get(name)?.get("CNAME");
      for (const target of alias?.records.flatMap(targets) ?? [])
        this.#comes(from, draft, { ...pointer, target: nameKey(target) }, aliases + 1);
    }
    // A deleted alias without a replacement may lead back to the pointer as long as it exists.
    if (names.length === 0) need(draft, node.nameChanges.get(pointer.target)?.goes.get("CNAME"), "weak-hint");
    // A wildcard itself is ignored: it is created before, and deleted after, the records that it replaces.
    if (names.includes(ownerOf(pointer))) return;
    for (const nameChange of node.entering.group(pointer.target))
      if (!isTarget(nameChange, pointer, nameChange.goes))
        for (const gone of nameChange.drafts) need(draft, gone, asFar("preferred"));
  }

  /** Whether the target has no address before the plan, because its aliases lead to none or form a loop. */
  #isLost({ record, target: first }: Pointer): boolean {
    for (let target = first, aliases = 0; aliases <= mostAliases; aliases++) {
      const node = this.#zoneOf(target, "before");
      if (!node || node.zone.zone.settings.type === "slave") return false;
      const sets = answering(node.before, { record, target }).flatMap((name) => node.zone.before.get(name) ?? []);
      if (sets.some((types) => types.has("A") || types.has("AAAA") || types.has("NS"))) return false;
      const [next] = sets.flatMap((types) => types.get("CNAME")?.records.flatMap(targets) ?? []);
      if (next === undefined) return true;
      target = nameKey(next);
    }
    return true;
  }

  /** A pointer is deleted before the records at its target. */
  #goes(from: ZoneNode, draft: Draft, pointer: Pointer): void {
    const node = this.#zoneOf(pointer.target, "before");
    const later = this.#zoneOf(pointer.target, "after");
    // A new zone takes over names of its parent zone. A pointer into it is preferably created after it.
    if (later !== from && later?.activation) need(later.activation, draft, "hint");
    if (node !== from) need(node?.deactivation, draft, "preferred");
    if (!node || (node !== from && node.activation)) return;
    const names = answering(node.before, pointer);
    for (const name of names) {
      const nameChange = node.nameChanges.get(name);
      if (nameChange) for (const one of going(nameChange, pointer)) need(one, draft, "preferred");
    }
    if (names.includes(ownerOf(pointer))) return;
    for (const nameChange of node.leaving.group(pointer.target))
      if (!isTarget(nameChange, pointer, nameChange.comes))
        for (const one of nameChange.drafts) need(one, draft, "preferred");
  }

  /** A wildcard, delegation or zone that answered for new records is deleted after they are created. */
  #leavesCover(node: ZoneNode, nameChange: NameChange): void {
    const earlier = this.#zoneOf(nameChange.owner, "before");
    if (earlier !== node) for (const one of nameChange.comes.values()) need(earlier?.deactivation, one, "preferred");
    node.leaving.needAt(nameChange);
    if (nameChange.comes.size === 0) return;
    for (const name of answeringOwners(node.before, nameChange.owner)) {
      const cover = name === nameChange.owner ? undefined : node.nameChanges.get(name);
      for (const [type, gone] of cover?.goes ?? [])
        for (const [coming, one] of nameChange.comes)
          if (cover?.after === undefined || isSameAnswer(type, coming)) need(gone, one, "preferred");
    }
  }

  /** A wildcard, delegation or new zone that will answer for deleted records is created before they are deleted. */
  #entersCover(from: ZoneNode, nameChange: NameChange): void {
    from.entering.needAt(nameChange);
    if (nameChange.goes.size === 0) return;
    const node = this.#zoneOf(nameChange.owner, "after");
    if (!node) return;
    const names = answeringOwners(node.after, nameChange.owner);
    for (const gone of nameChange.goes.values()) {
      // Records that a new zone hides are deleted once they are hidden, so that no wildcard of this zone answers in
      // between.
      if (node !== from && node.activation) need(gone, node.activation, names.length > 0 ? "preferred" : "hint");
      else
        for (const name of names)
          if (name !== nameChange.owner)
            for (const one of node.nameChanges.get(name)?.comes.values() ?? []) need(gone, one, "preferred");
    }
  }

  /** The nearest zone of a name that is served on this side. */
  #zoneOf(name: NameKey, side: "before" | "after"): ZoneNode | undefined {
    return nearestZone(name, (apex) => {
      const node = this.#nodes.get(apex);
      return node?.isServed[side] ? node : undefined;
    });
  }
}

/** The maximum length of a chain of aliases. */
const mostAliases = 8;

/** Whether one type can replace the other for clients. */
function isSameAnswer(type: string, other: string): boolean {
  const leadsOn = (type: string) => isAddress(type) || type === "CNAME" || type === "NS";
  return type === "NS" || type === other || (leadsOn(type) && leadsOn(other));
}

function delegates({ writes }: Draft): boolean {
  return writes.some((change) => subject(change).type === "NS");
}
