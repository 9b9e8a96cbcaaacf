import { isWildcard, type NameKey, parent, wildcardBelow } from "../../src/dns/name.ts";
import type { OwnerSets } from "../../src/dns/zone.ts";

type Owners = ReadonlyMap<NameKey, OwnerSets>;

/**
 * The owners whose records answer for a name of a zone: the highest delegation above it; the name itself, which below a
 * delegation is glue; where there is neither, the wildcard next to the closest name above that exists (RFC 4592 §3.3.1).
 * None when the name does not exist.
 */
export class Answerers {
  readonly #origin: NameKey;
  readonly #owners: Owners;
  #existing: ReadonlySet<NameKey> | undefined;

  constructor(origin: NameKey, owners: Owners) {
    this.#origin = origin;
    this.#owners = owners;
  }

  of(target: NameKey): NameKey[] {
    const found = this.#owners.has(target) ? [target] : [];
    let delegation: NameKey | undefined;
    for (let above = target; above !== this.#origin && above !== "."; above = parent(above))
      if (above !== target && this.#owners.get(above)?.has("NS")) delegation = above;
    if (delegation !== undefined) found.push(delegation);
    const under = found.length === 0 ? this.under(target) : undefined;
    return under === undefined ? found : [wildcardBelow(parent(under))];
  }

  /**
   * Of a name that a wildcard answers for, the part below the wildcard's own parent: of `a.b.example.` and `*.example.` it
   * is `b.example.`. The first record at that part or below it ends what the wildcard says of any name there.
   */
  under(target: NameKey): NameKey | undefined {
    this.#existing ??= existing(this.#origin, this.#owners);
    if (this.#existing.size === 0 || this.#existing.has(target)) return undefined;
    let under = target;
    let closest = parent(target);
    for (; closest !== this.#origin && !this.#existing.has(closest); closest = parent(closest)) under = closest;
    return this.#owners.has(wildcardBelow(closest)) ? under : undefined;
  }
}

/** Every name that exists, also those that only have names below them; none where there is no wildcard to cover others. */
function existing(origin: NameKey, owners: Owners): ReadonlySet<NameKey> {
  const names = new Set<NameKey>();
  if (![...owners.keys()].some((owner) => isWildcard(owner))) return names;
  names.add(origin);
  for (const owner of owners.keys())
    for (let name = owner; !names.has(name) && name !== "."; name = parent(name)) names.add(name);
  return names;
}
