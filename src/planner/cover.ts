import type { LookupZone } from "../dns/lookup.ts";
import { ancestors, isWildcard, type NameKey } from "../dns/name.ts";
import type { OwnerSets, RRset } from "../dns/zone.ts";
import { partBelowWildcard } from "./answerer.ts";
import { type Draft, isAddress, type NameChange, need } from "./draft.ts";

/**
 * Names that come out of a wildcard, or go under one: in groups, by the part of the name below the wildcard's own
 * parent. With the first record of a group the wildcard answers for none of its names any more (RFC 4592 §3.3.1), and
 * with the last one that goes for all of them again. So that part itself, and wildcards inside it, come first and go
 * last; of the others, one waits for the next without an answer: a gap that no order avoids.
 */
export class Covers {
  readonly #nameChanges: Iterable<NameChange>;
  readonly #side: "before" | "after";
  readonly #zone: LookupZone<RRset, OwnerSets>;
  #groups: Map<NameKey, NameChange[]> | undefined;

  /** `side` is when the wildcards answer: before for names that come, after for names that go. */
  constructor(nameChanges: Iterable<NameChange>, side: "before" | "after", zone: LookupZone<RRset, OwnerSets>) {
    this.#nameChanges = nameChanges;
    this.#side = side;
    this.#zone = zone;
  }

  /** The names that come into, or go from, the part of the zone at which a wildcard answers for the target. */
  group(target: NameKey): readonly NameChange[] {
    const under = partBelowWildcard(this.#zone, target);
    if (under === undefined) return [];
    this.#groups ??= this.#groupNames();
    return this.#groups.get(under) ?? [];
  }

  /** Has the steps of a name of a group wait for the others. */
  needAt(nameChange: NameChange): void {
    const under = partBelowWildcard(this.#zone, nameChange.owner);
    if (under === undefined) return;
    const group = this.group(nameChange.owner);
    const rank = ({ owner }: NameChange) => (owner === under ? 0 : isWildcard(owner) ? 1 : 2);
    for (const leader of group.filter((other) => rank(other) < rank(nameChange))) {
      for (const one of nameChange.drafts) {
        if (this.#side === "before") need(one, first(leader.comes), "hint");
        else need(first(leader.goes), one, "hint");
      }
    }
    this.#addressesOutermost(nameChange);
  }

  /** Addresses, which a wildcard most often says, come first to a name that leaves it, and go last. */
  #addressesOutermost({ drafts, comes, goes }: NameChange): void {
    const types = this.#side === "before" ? comes : goes;
    const outer = [...types].flatMap(([type, one]) => (isAddress(type) ? [one] : []));
    for (const one of outer) {
      for (const other of drafts) {
        if (
          outer.includes(other) ||
          other.writes.some((change) => isAddress((change.kind === "delete" ? change.before : change.after).type))
        )
          continue;
        if (this.#side === "before") need(other, one, "preferred");
        else need(one, other, "preferred");
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

function first(drafts: ReadonlyMap<string, Draft>): Draft | undefined {
  return [...drafts].find(([type]) => isAddress(type))?.[1] ?? [...drafts.values()][0];
}
