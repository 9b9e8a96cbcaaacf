import { type Name, parent } from "../zone/name.ts";
import type { RRset } from "../zone/zone.ts";

/** The sets at one name, by type. */
export type Sets = ReadonlyMap<string, RRset>;

/** The sets of a zone by owner (lower case), and there by type. */
export type Owners = ReadonlyMap<Name, Sets>;

/**
 * The owners whose records answer for a name of a zone: the highest delegation above it; the name itself, which below a
 * delegation is glue; where there is neither, the wildcard next to the closest name above that exists (RFC 4592 §3.3.1).
 * None when the name does not exist. All names in lower case.
 */
export class Answerers {
  readonly #origin: Name;
  readonly #owners: Owners;
  #existing: ReadonlySet<Name> | undefined;

  constructor(origin: Name, owners: Owners) {
    this.#origin = origin;
    this.#owners = owners;
  }

  of(target: Name): Name[] {
    const found = this.#owners.has(target) ? [target] : [];
    let delegation: Name | undefined;
    for (let above = target; above !== this.#origin && above !== "."; above = parent(above))
      if (above !== target && this.#owners.get(above)?.has("NS")) delegation = above;
    if (delegation !== undefined) found.push(delegation);
    return found.length > 0 ? found : this.#wildcard(target);
  }

  #wildcard(target: Name): Name[] {
    this.#existing ??= existing(this.#origin, this.#owners);
    if (this.#existing.size === 0) return [];
    let closest = target;
    while (closest !== this.#origin && !this.#existing.has(closest)) closest = parent(closest);
    const wildcard = `*.${closest}`;
    return closest !== target && this.#owners.has(wildcard) ? [wildcard] : [];
  }
}

/** Every name that exists, also those that only have names below them; none where there is no wildcard to cover others. */
function existing(origin: Name, owners: Owners): ReadonlySet<Name> {
  const names = new Set<Name>();
  if (![...owners.keys()].some((owner) => owner.startsWith("*."))) return names;
  names.add(origin);
  for (const owner of owners.keys())
    for (let name = owner; !names.has(name) && name !== "."; name = parent(name)) names.add(name);
  return names;
}
