import type { LookupZone } from "../../dns/lookup/lookup.ts";
import { ancestors, isWildcard, type NameKey } from "../../dns/name/name.ts";
import type { OwnerSets } from "../../dns/zone/owners.ts";
import type { RRset } from "../../dns/zone/zone.ts";
import { partBelowWildcard } from "./answerer.ts";
import { addNeed, isAddressType, type NameChange, type PlannedStep } from "./draft.ts";

/**
 * Names that a wildcard matches before or after the plan, grouped by their ancestor directly below the wildcard's
 * parent. With the first record of a group, the wildcard no longer matches any of its names (RFC 4592 §3.3.1), and with
 * the removal of the last one it matches all of them again. Therefore the ancestor itself, and wildcards inside the
 * group, are created first and deleted last. The other names have no answer until they are written: a gap that no order
 * avoids.
 */
export class WildcardCover {
  readonly #nameChanges: Iterable<NameChange>;
  readonly #side: "before" | "after";
  readonly #zone: LookupZone<RRset, OwnerSets>;
  #groups: Map<NameKey, NameChange[]> | undefined;

  /** `side` is when the wildcards answer: `before` for created names, `after` for deleted ones. */
  constructor(nameChanges: Iterable<NameChange>, side: "before" | "after", zone: LookupZone<RRset, OwnerSets>) {
    this.#nameChanges = nameChanges;
    this.#side = side;
    this.#zone = zone;
  }

  /** The names that are created in, or deleted from, the group that contains the target. */
  group(target: NameKey): readonly NameChange[] {
    const under = partBelowWildcard(this.#zone, target);
    if (under === undefined) return [];
    this.#groups ??= this.#groupNames();
    return this.#groups.get(under) ?? [];
  }

  /** Adds the dependencies between the names of a group. */
  needAt(nameChange: NameChange): void {
    if (nameChange[this.#side] !== undefined) return; // a name that exists is matched by no wildcard
    const under = partBelowWildcard(this.#zone, nameChange.owner);
    if (under === undefined) return;
    const group = this.group(nameChange.owner);
    const rank = ({ owner }: NameChange) => (owner === under ? 0 : isWildcard(owner) ? 1 : 2);
    for (const leader of group.filter((other) => rank(other) < rank(nameChange))) {
      for (const one of nameChange.drafts) {
        if (this.#side === "before") addNeed(one, first(leader.createByType), "hint");
        else addNeed(first(leader.deleteByType), one, "hint");
      }
    }
    this.#addressesOutermost(nameChange);
  }

  /** Addresses, the most common type of wildcards, are created first and deleted last. */
  #addressesOutermost({ drafts, createByType, deleteByType }: NameChange): void {
    const types = this.#side === "before" ? createByType : deleteByType;
    const outer = [...types].flatMap(([type, one]) => (isAddressType(type) ? [one] : []));
    for (const one of outer) {
      for (const other of drafts) {
        if (
          outer.includes(other) ||
          other.writes.some((change) => isAddressType((change.kind === "delete" ? change.before : change.after).type))
        )
          continue;
        if (this.#side === "before") addNeed(other, one, "preferred");
        else addNeed(one, other, "preferred");
      }
    }
  }

  #groupNames(): Map<NameKey, NameChange[]> {
    const groups = new Map<NameKey, NameChange[]>();
    for (const nameChange of this.#nameChanges) {
      if (nameChange[this.#side] !== undefined) continue;
      for (const above of ancestors(nameChange.owner, this.#zone.apex)) {
        const group = groups.get(above);
        if (group) group.push(nameChange);
        else groups.set(above, [nameChange]);
      }
    }
    return groups;
  }
}

function first(drafts: ReadonlyMap<string, PlannedStep>): PlannedStep | undefined {
  return [...drafts].find(([type]) => isAddressType(type))?.[1] ?? [...drafts.values()][0];
}
