import { type LookupZone, nearestZone } from "../dns/lookup.ts";
import { type NameKey, nameKey } from "../dns/name.ts";
import { type OwnerSets, type RRset, targets } from "../dns/zone.ts";
import { answeringOwners } from "./answerer.ts";
import { subject } from "./change.ts";
import type { Covers } from "./cover.ts";
import { afterOf, beforeOf, type Draft, isAddress, need, type Site, type ZoneDraft } from "./draft.ts";
import type { Strength } from "./in-order.ts";
import { answering, coming, going, isTarget, ownerOf, type Pointer, pointersOf, retargets } from "./pointer.ts";

/** A zone among the others, with the names at which it changes. */
export interface Field {
  readonly zone: ZoneDraft;
  readonly sites: ReadonlyMap<NameKey, Site>;
  readonly before: LookupZone<RRset, OwnerSets>;
  readonly after: LookupZone<RRset, OwnerSets>;
  /** Names that come out of wildcards, and that go under them. */
  readonly leaving: Covers;
  readonly entering: Covers;
  readonly isServed: Readonly<Record<"before" | "after", boolean>>;
  /** Done when the zone, which nobody is served from now, is served. */
  readonly served: Draft | undefined;
  /** Done when the zone is not served any more. */
  readonly ceased: Draft | undefined;
}

/** Adds needs between pointers and their targets, across zones. */
export class Pointers {
  /** The zones of the plan by name. */
  readonly #fields: ReadonlyMap<NameKey, Field>;

  constructor(fields: ReadonlyMap<NameKey, Field>) {
    this.#fields = fields;
  }

  needAt(field: Field, site: Site): void {
    for (const draft of site.drafts) {
      const before = pointersOf(draft, beforeOf);
      const after = pointersOf(draft, afterOf);
      if (field.isServed.after)
        for (const [key, pointer] of after) if (!before.has(key)) this.#comes(field, draft, pointer);
      for (const [key, pointer] of before) if (!after.has(key)) this.#goes(field, field.ceased ?? draft, pointer);
    }
    this.#leavesCover(field, site);
    this.#entersCover(field, site);
    // The first name server of a delegation takes the names below from this zone, the last one gives them back.
    const child = this.#fields.get(site.owner);
    for (const draft of child ? site.drafts.filter(delegates) : []) {
      if (site.comes.has("NS")) need(draft, child?.served, "preferred");
      if (site.goes.has("NS")) need(child?.ceased, draft, "preferred");
    }
  }

  /**
   * What stands at the target comes before its pointer; if it can be, also what an alias that stays leads on to, and of a
   * wildcard's alias any alias: as long as a name further on is not there, it leads back to the wildcard.
   */
  #comes(from: Field, draft: Draft, pointer: Pointer, aliases = 0): void {
    const asFar = (strength: Strength) => (aliases > 0 ? "vague-hint" : strength);
    const field = this.#zoneOf(pointer.target, "after");
    const earlier = this.#zoneOf(pointer.target, "before");
    // What a zone that ceases says of its names hides what the zone around it says.
    if (field && earlier !== from && earlier?.ceased) need(draft, earlier.ceased, asFar("preferred"));
    if (!field) return;
    const names = answering(field.after, pointer);
    if (field !== from && field.served) {
      const isApex = pointer.target === nameKey(field.zone.zone.name);
      if (names.length > 0 || isApex) need(draft, field.served, asFar("preferred"));
      return;
    }
    for (const name of names) {
      const site = field.sites.get(name);
      if (site) {
        // Mail and services find no address as long as the aliases lead to none.
        const isNeeded = pointer.record.type !== "CNAME" && (site.before === undefined || this.#isLost(pointer));
        const isGate = (one: Draft, strength: Strength) => isNeeded && (strength === "preferred" || retargets(one));
        for (const [one, strength] of coming(site, pointer))
          need(draft, one, isGate(one, strength) ? "preferred" : asFar(strength));
      }
      const isOver = aliases === mostAliases;
      const alias = isOver ? undefined : field.zone.after.get(name)?.get("CNAME");
      for (const target of alias?.records.flatMap(targets) ?? [])
        this.#comes(from, draft, { ...pointer, target: nameKey(target) }, aliases + 1);
    }
    // An alias that goes, with nothing in its place, may lead back to the pointer as long as it is there.
    if (names.length === 0) need(draft, field.sites.get(pointer.target)?.goes.get("CNAME"), "vague-hint");
    // What a wildcard says of itself does not count: it comes before what it takes over from goes, and goes after it.
    if (names.includes(ownerOf(pointer))) return;
    for (const site of field.entering.group(pointer.target))
      if (!isTarget(site, pointer, site.goes)) for (const gone of site.drafts) need(draft, gone, asFar("preferred"));
  }

  /** Does the target lead to no address at first, because aliases lead to where none is, or in a circle? */
  #isLost({ record, target: first }: Pointer): boolean {
    for (let target = first, aliases = 0; aliases <= mostAliases; aliases++) {
      const field = this.#zoneOf(target, "before");
      if (!field || field.zone.zone.settings.type === "slave") return false;
      const sets = answering(field.before, { record, target }).flatMap((name) => field.zone.before.get(name) ?? []);
      if (sets.some((types) => types.has("A") || types.has("AAAA") || types.has("NS"))) return false;
      const [next] = sets.flatMap((types) => types.get("CNAME")?.records.flatMap(targets) ?? []);
      if (next === undefined) return true;
      target = nameKey(next);
    }
    return true;
  }

  /** A pointer goes before what stands at its target. */
  #goes(from: Field, draft: Draft, pointer: Pointer): void {
    const field = this.#zoneOf(pointer.target, "before");
    const later = this.#zoneOf(pointer.target, "after");
    // A new zone takes over what the zone around it said of its names. A pointer that is to lead into it rather comes after it.
    if (later !== from && later?.served) need(later.served, draft, "hint");
    if (field !== from) need(field?.ceased, draft, "preferred");
    if (!field || (field !== from && field.served)) return;
    const names = answering(field.before, pointer);
    for (const name of names) {
      const site = field.sites.get(name);
      if (site) for (const one of going(site, pointer)) need(one, draft, "preferred");
    }
    if (names.includes(ownerOf(pointer))) return;
    for (const site of field.leaving.group(pointer.target))
      if (!isTarget(site, pointer, site.comes)) for (const one of site.drafts) need(one, draft, "preferred");
  }

  /** A wildcard, delegation or zone that answered for new records is deleted after they are created. */
  #leavesCover(field: Field, site: Site): void {
    const earlier = this.#zoneOf(site.owner, "before");
    if (earlier !== field) for (const one of site.comes.values()) need(earlier?.ceased, one, "preferred");
    field.leaving.needAt(site);
    for (const name of answeringOwners(field.before, site.owner)) {
      const cover = name === site.owner ? undefined : field.sites.get(name);
      for (const [type, gone] of cover?.goes ?? [])
        for (const [coming, one] of site.comes)
          if (cover?.after === undefined || isSameAnswer(type, coming)) need(gone, one, "preferred");
    }
  }

  /** A wildcard, delegation or new zone that will answer for deleted records is created before they are deleted. */
  #entersCover(from: Field, site: Site): void {
    from.entering.needAt(site);
    const field = this.#zoneOf(site.owner, "after");
    if (!field) return;
    const names = answeringOwners(field.after, site.owner);
    for (const gone of site.goes.values()) {
      // What a new zone hides goes once it is hidden: no wildcard of this zone answers there in between.
      if (field !== from && field.served) need(gone, field.served, names.length > 0 ? "preferred" : "hint");
      else
        for (const name of names)
          if (name !== site.owner)
            for (const one of field.sites.get(name)?.comes.values() ?? []) need(gone, one, "preferred");
    }
  }

  /** The nearest zone that a name is in; those that are not served then do not count. */
  #zoneOf(name: NameKey, side: "before" | "after"): Field | undefined {
    return nearestZone(name, (apex) => {
      const field = this.#fields.get(apex);
      return field?.isServed[side] ? field : undefined;
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
