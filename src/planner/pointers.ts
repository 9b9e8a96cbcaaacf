import { type LookupZone, nearestZone } from "../dns/lookup.ts";
import { type NameKey, nameKey } from "../dns/name.ts";
import { type OwnerSets, type RRset, targets } from "../dns/zone.ts";
import { answeringOwners } from "./answerer.ts";
import { subject } from "./change.ts";
import type { Covers } from "./cover.ts";
import { afterOf, beforeOf, type Draft, isAddress, type NameChange, need, type ZoneDraft } from "./draft.ts";
import type { Strength } from "./in-order.ts";
import { answering, coming, going, isTarget, ownerOf, type Pointer, pointersOf, retargets } from "./pointer.ts";

/** A zone among the others, with the names at which it changes. */
export interface ZoneNode {
  readonly zone: ZoneDraft;
  readonly nameChanges: ReadonlyMap<NameKey, NameChange>;
  readonly before: LookupZone<RRset, OwnerSets>;
  readonly after: LookupZone<RRset, OwnerSets>;
  /** Names that come out of wildcards, and that go under them. */
  readonly leaving: Covers;
  readonly entering: Covers;
  readonly isServed: Readonly<Record<"before" | "after", boolean>>;
  /** Done when the zone, which nobody is served from now, is served. */
  readonly activation: Draft | undefined;
  /** Done when the zone is not served any more. */
  readonly deactivation: Draft | undefined;
}

/** Adds needs between pointers and their targets, across zones. */
export class Pointers {
  /** The zones of the plan by name. */
  readonly #nodes: ReadonlyMap<NameKey, ZoneNode>;

  constructor(nodes: ReadonlyMap<NameKey, ZoneNode>) {
    this.#nodes = nodes;
  }

  needAt(node: ZoneNode, nameChange: NameChange): void {
    for (const draft of nameChange.drafts) {
      const before = pointersOf(draft, beforeOf);
      const after = pointersOf(draft, afterOf);
      if (node.isServed.after)
        for (const [key, pointer] of after) if (!before.has(key)) this.#comes(node, draft, pointer);
      for (const [key, pointer] of before) if (!after.has(key)) this.#goes(node, node.deactivation ?? draft, pointer);
    }
    this.#leavesCover(node, nameChange);
    this.#entersCover(node, nameChange);
    // The first name server of a delegation takes the names below from this zone, the last one gives them back.
    const child = this.#nodes.get(nameChange.owner);
    for (const draft of child ? nameChange.drafts.filter(delegates) : []) {
      if (nameChange.comes.has("NS")) need(draft, child?.activation, "preferred");
      if (nameChange.goes.has("NS")) need(child?.deactivation, draft, "preferred");
    }
  }

  /**
   * What stands at the target comes before its pointer; if it can be, also what an alias that stays leads on to, and of
   * a wildcard's alias any alias: as long as a name further on is not there, it leads back to the wildcard.
   */
  #comes(from: ZoneNode, draft: Draft, pointer: Pointer, aliases = 0): void {
    const asFar = (strength: Strength) => (aliases > 0 ? "weak-hint" : strength);
    const node = this.#zoneOf(pointer.target, "after");
    const earlier = this.#zoneOf(pointer.target, "before");
    // What a zone that ceases says of its names hides what the zone around it says.
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
        // Mail and services find no address as long as the aliases lead to none.
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
    // An alias that goes, with nothing in its place, may lead back to the pointer as long as it is there.
    if (names.length === 0) need(draft, node.nameChanges.get(pointer.target)?.goes.get("CNAME"), "weak-hint");
    // What a wildcard says of itself does not count: it comes before what it takes over from goes, and goes after it.
    if (names.includes(ownerOf(pointer))) return;
    for (const nameChange of node.entering.group(pointer.target))
      if (!isTarget(nameChange, pointer, nameChange.goes))
        for (const gone of nameChange.drafts) need(draft, gone, asFar("preferred"));
  }

  /** Does the target lead to no address at first, because aliases lead to where none is, or in a circle? */
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

  /** A pointer goes before what stands at its target. */
  #goes(from: ZoneNode, draft: Draft, pointer: Pointer): void {
    const node = this.#zoneOf(pointer.target, "before");
    const later = this.#zoneOf(pointer.target, "after");
    // A new zone takes over what the zone around it said of its names. A pointer that is to lead into it rather comes
    // after it.
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
    const node = this.#zoneOf(nameChange.owner, "after");
    if (!node) return;
    const names = answeringOwners(node.after, nameChange.owner);
    for (const gone of nameChange.goes.values()) {
      // What a new zone hides goes once it is hidden: no wildcard of this zone answers there in between.
      if (node !== from && node.activation) need(gone, node.activation, names.length > 0 ? "preferred" : "hint");
      else
        for (const name of names)
          if (name !== nameChange.owner)
            for (const one of node.nameChanges.get(name)?.comes.values() ?? []) need(gone, one, "preferred");
    }
  }

  /** The nearest zone that a name is in; those that are not served then do not count. */
  #zoneOf(name: NameKey, side: "before" | "after"): ZoneNode | undefined {
    return nearestZone(name, (apex) => {
      const node = this.#nodes.get(apex);
      return node?.isServed[side] ? node : undefined;
    });
  }
}

/** Longest chain of aliases that is followed. */
const mostAliases = 8;

/** Does one type take over from the other what people ask a name for? */
function isSameAnswer(type: string, other: string): boolean {
  const leadsOn = (type: string) => isAddress(type) || type === "CNAME" || type === "NS";
  return type === "NS" || type === other || (leadsOn(type) && leadsOn(other));
}

function delegates({ writes }: Draft): boolean {
  return writes.some((change) => subject(change).type === "NS");
}
