import { findNode, indexedZone, type LookupZone } from "../dns/lookup.ts";
import { type NameKey, parent } from "../dns/name.ts";
import { OwnerSets, type RRset } from "../dns/zone.ts";

/** The sets at one name, by type. */
export type Sets = OwnerSets;

/** The sets of a zone by owner, and there by type. */
export type Owners = ReadonlyMap<NameKey, Sets>;

const noSets = new OwnerSets();

/** The owners whose records answer for a name of a zone. */
export class Answerers {
  readonly #zone: LookupZone<RRset, Sets>;
  readonly #owners: Owners;

  constructor(origin: NameKey, owners: Owners) {
    this.#zone = indexedZone(origin, owners, noSets);
    this.#owners = owners;
  }

  /**
   * The name itself or the wildcard in its place; below a zone cut or a DNAME record that one's owner, behind the name where
   * it has records, such as glue. None when the name does not exist.
   */
  of(target: NameKey): NameKey[] {
    const node = findNode(this.#zone, target, "A");
    const own = this.#owners.has(target) ? [target] : [];
    if (node.kind === "nxdomain") return [];
    if (node.kind === "node") return this.#owners.has(node.owner) ? [node.owner] : [];
    const above = node.kind === "referral" ? node.cut : node.owner;
    return above === target ? [target] : [...own, above];
  }

  /**
   * Of a name that a wildcard answers for, the part below the wildcard's own parent: of `a.b.example.` and `*.example.` it
   * is `b.example.`. The first record at that part or below it ends what the wildcard says of any name there.
   */
  under(target: NameKey): NameKey | undefined {
    const node = findNode(this.#zone, target, "A");
    if (node.kind !== "node" || node.owner === target || !this.#owners.has(node.owner)) return undefined;
    const encloser = parent(node.owner);
    let under = target;
    while (parent(under) !== encloser) under = parent(under);
    return under;
  }
}
