import { isInside, type Name, parent } from "../zone/name.ts";
import { targets, type ZoneRecord } from "../zone/zone.ts";
import type { Answerers } from "./answerer.ts";
import { subject } from "./change.ts";
import type { Covers } from "./cover.ts";
import { afterOf, beforeOf, type Draft, gapOf, isAddress, need, type Site, type ZoneDraft } from "./draft.ts";
import type { Strength } from "./in-order.ts";

/** A zone among the others, with the names at which it changes. */
export interface Field {
  readonly zone: ZoneDraft;
  readonly sites: ReadonlyMap<Name, Site>;
  readonly before: Answerers;
  readonly after: Answerers;
  /** Names that come out of wildcards, and that go under them. */
  readonly leaving: Covers;
  readonly entering: Covers;
  /** Done when the zone, which nobody is served from now, is served. */
  readonly served: Draft | undefined;
}

/** What the steps of several zones need of what they point to, and what goes of what points to it. */
export class Pointers {
  /** The zones of the plan by name in lower case; undefined for one in which nothing changes. */
  readonly #fields: ReadonlyMap<Name, Field | undefined>;

  constructor(fields: ReadonlyMap<Name, Field | undefined>) {
    this.#fields = fields;
  }

  needAt(field: Field, site: Site): void {
    for (const draft of site.drafts) {
      const before = pointersOf(draft, beforeOf);
      const after = pointersOf(draft, afterOf);
      for (const [key, pointer] of after) if (!before.has(key)) this.#comes(field, draft, pointer);
      for (const [key, pointer] of before) if (!after.has(key)) this.#goes(field, draft, pointer);
    }
    this.#leavesCover(field, site);
    this.#entersCover(field, site);
    // The first name server of a delegation takes the names below from this zone, so each waits for a new zone there.
    const child = site.comes.has("NS") ? this.#fields.get(site.owner)?.served : undefined;
    for (const draft of child ? site.drafts : []) if (delegates(draft)) need(draft, child, "soft");
  }

  /**
   * What stands at the target comes before its pointer; if it can be, also what an alias that stays leads on to, and of a
   * wildcard's alias any alias: as long as a name further on is not there, it leads back to the wildcard.
   */
  #comes(from: Field, draft: Draft, pointer: Pointer, aliases = 0): void {
    const asFar = (strength: Strength) => (aliases > 0 ? "faint" : strength);
    const field = this.#zoneOf(pointer.target, "after");
    if (!field) return;
    const names = answering(field.after, pointer);
    if (field !== from && field.served) {
      if (names.length > 0) need(draft, field.served, asFar("soft"));
      return;
    }
    for (const name of names) {
      const site = field.sites.get(name);
      if (site) for (const [one, strength] of coming(site, pointer)) need(draft, one, asFar(strength));
      const isOver = aliases === mostAliases || (site && !ownerOf(pointer).startsWith("*."));
      const alias = isOver ? undefined : field.zone.after.get(name)?.get("CNAME");
      for (const target of alias?.records.flatMap(targets) ?? [])
        this.#comes(from, draft, { ...pointer, target: target.toLowerCase() }, aliases + 1);
    }
    // An alias that goes, with nothing in its place, may lead back to the pointer as long as it is there.
    if (names.length === 0) need(draft, field.sites.get(pointer.target)?.goes.get("CNAME"), "faint");
    // What a wildcard says of itself does not count: it comes before what it takes over from goes, and goes after it.
    if (names.includes(ownerOf(pointer))) return;
    for (const site of field.entering.group(pointer.target))
      if (!isTarget(site, pointer, site.goes)) for (const gone of site.drafts) need(draft, gone, asFar("soft"));
  }

  /** A pointer goes before what stands at its target. */
  #goes(from: Field, draft: Draft, pointer: Pointer): void {
    const field = this.#zoneOf(pointer.target, "before");
    const later = this.#zoneOf(pointer.target, "after");
    // A new zone takes over what the zone around it said of its names.
    if (later !== from && later?.served) need(later.served, draft, "soft");
    if (!field || (field !== from && field.served)) return;
    const names = answering(field.before, pointer);
    for (const name of names) {
      const site = field.sites.get(name);
      if (site) for (const one of going(site, pointer)) need(one, draft, "soft");
    }
    if (names.includes(ownerOf(pointer))) return;
    for (const site of field.leaving.group(pointer.target))
      if (!isTarget(site, pointer, site.comes)) for (const one of site.drafts) need(one, draft, "soft");
  }

  /** Where a wildcard or a delegation answered for what comes, they go after it has come. */
  #leavesCover(field: Field, site: Site): void {
    if (field.leaving.needAt(site).isDark) for (const one of site.comes.values()) one.gapSeconds ??= gapOf(one.zone);
    for (const name of field.before.of(site.owner)) {
      const cover = name === site.owner ? undefined : field.sites.get(name);
      for (const [type, gone] of cover?.goes ?? [])
        for (const [coming, one] of site.comes)
          if (cover?.after === undefined || isSameAnswer(type, coming)) need(gone, one, "soft");
    }
  }

  /** Where a wildcard, a delegation or a new zone will answer for what goes, they come first. */
  #entersCover(from: Field, site: Site): void {
    if (from.entering.needAt(site).isDark) for (const gone of site.goes.values()) gone.gapSeconds ??= gapOf(gone.zone);
    const field = this.#zoneOf(site.owner, "after");
    if (!field) return;
    for (const gone of site.goes.values()) {
      for (const name of field.after.of(site.owner)) {
        if (field !== from && field.served) need(gone, field.served, "soft");
        else if (name !== site.owner)
          for (const one of field.sites.get(name)?.comes.values() ?? []) need(gone, one, "soft");
      }
    }
  }

  /** The nearest zone that a name is in; those that are not served yet were not there before. */
  #zoneOf(name: Name, side: "before" | "after"): Field | undefined {
    for (let at = name; at !== "."; at = parent(at)) {
      const field = this.#fields.get(at);
      if (this.#fields.has(at) && (side === "after" || !field?.served)) return field;
    }
    return undefined;
  }
}

/** `target` in lower case. */
interface Pointer {
  readonly record: ZoneRecord;
  readonly target: Name;
}

/** How many aliases are followed. */
const mostAliases = 8;

const pointing: ReadonlySet<string> = new Set(["CNAME", "MX", "NS", "SRV"]);

function ownerOf({ record }: Pointer): Name {
  return record.owner.toLowerCase();
}

export function points({ writes }: Draft): boolean {
  return writes.some((change) => pointing.has(subject(change).type));
}

function pointersOf({ writes }: Draft, side: typeof beforeOf): Map<string, Pointer> {
  const found = new Map<string, Pointer>();
  for (const change of writes) {
    const record = side(change);
    if (!record || !pointing.has(record.type)) continue;
    for (const name of targets(record)) {
      const target = name.toLowerCase();
      found.set(`${record.type} ${target}`, { record, target });
    }
  }
  return found;
}

/**
 * The steps with which comes what a pointer needs at its target: the name itself for an alias, an address for the others.
 * More than that a pointer waits for where it can.
 */
function* coming(site: Site, pointer: Pointer): Generator<[Draft, Strength]> {
  if (isDelegation(site, pointer)) {
    const server = site.comes.get("NS");
    if (server && site.owner !== ownerOf(pointer)) yield [server, "soft"];
    return;
  }
  const others = [...site.comes].filter(([type]) => isAddress(type) || !isGlue(pointer));
  const needed = needsAddress(pointer)
    ? others.filter(([type]) => isReached(type, pointer) && !has(site.before, pointer))
    : [];
  for (const [, one] of needed) yield [one, "soft"];
  const [first] = others.filter(([, draft]) => !points(draft)).concat(others);
  if (first && site.before === undefined && needed.length === 0) yield [first[1], "soft"];
  for (const [, one] of others) yield [one, "weak"];
  for (const draft of site.drafts) if (retargets(draft)) yield [draft, "weak"];
}

/** The last steps with which goes what a pointer needs at its target. */
function going(site: Site, pointer: Pointer): Draft[] {
  if (isDelegation(site, pointer)) {
    const server = site.owner === ownerOf(pointer) ? undefined : site.goes.get("NS");
    return server ? [server] : [];
  }
  if (site.after === undefined) return [...site.goes.values()];
  if (!needsAddress(pointer) || !has(site.before, pointer) || has(site.after, pointer)) return [];
  return [...site.goes].flatMap(([type, one]) => (isReached(type, pointer) ? [one] : []));
}

/** Does the site answer for the target by sending on to other servers? The addresses of a cut's own servers are no such. */
function isDelegation({ owner, before, after }: Site, { target }: Pointer): boolean {
  return owner !== target && !owner.startsWith("*.") && (before?.has("NS") || after?.has("NS")) === true;
}

/** Who answers for the target; what lies below a delegation says something only to one who asks for name servers. */
function answering(answerers: Answerers, { record, target }: Pointer): Name[] {
  const names = answerers.of(target);
  return names.length > 1 && record.type !== "NS" ? names.filter((name) => name !== target) : names;
}

/**
 * Does the target have what the pointer needs as long as it is there, whatever a wildcard says of it before or after? Not
 * as an alias, which may lead back to the pointer.
 */
function isTarget({ owner }: Site, pointer: Pointer, types: ReadonlyMap<string, Draft>): boolean {
  if (owner !== pointer.target || types.has("CNAME")) return false;
  return needsAddress(pointer) ? [...types.keys()].some(isAddress) : types.size > 0;
}

/** Does one type take over from the other what people ask a name for? */
function isSameAnswer(type: string, other: string): boolean {
  const leadsOn = (type: string) => isAddress(type) || type === "CNAME" || type === "NS";
  return type === "NS" || type === other || (leadsOn(type) && leadsOn(other));
}

function needsAddress({ record }: Pointer): boolean {
  return record.type !== "CNAME";
}

function has(sets: Site["before"], pointer: Pointer): boolean {
  return sets !== undefined && [...sets.keys()].some((type) => isReached(type, pointer));
}

/** Does a set of this type lead to an address? */
function isReached(type: string, pointer: Pointer): boolean {
  return isAddress(type) || (!isGlue(pointer) && (type === "CNAME" || type === "NS"));
}

/** Is it a server inside its own delegation, of which nothing but its addresses counts (RFC 1034 §4.2.1)? */
function isGlue({ record, target }: Pointer): boolean {
  return record.type === "NS" && isInside(target, record.owner);
}

function delegates({ writes }: Draft): boolean {
  return writes.some((change) => change.kind === "create" && change.after.type === "NS");
}

function retargets({ writes: [change] }: Draft): boolean {
  return change?.kind === "update" && change.before.type === "CNAME";
}
