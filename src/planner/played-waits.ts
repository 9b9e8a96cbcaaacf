import type { Name } from "../zone/name.ts";
import type { Answer, PlayedName, PlayedZone } from "./played-names.ts";

/** What is done at a name: records come or change, or they go. */
export type Side = "comes" | "goes";

interface Part {
  readonly node: object;
  readonly first: object;
  readonly rest: object;
  readonly names: PlayedName[];
}

/**
 * Which names wait for which: a pointer that comes waits for what comes at its target, what goes from a name for the
 * pointers there that go. Where they wait in a circle, no order does right by all of them. Coarser than any schedule can
 * be: all that comes at a name is one, all that goes is another, and all of a zone that begins or ceases to be served is
 * one.
 */
export class PlayedWaits {
  readonly #sides = new Map<PlayedName, Readonly<Record<Side, object>>>();
  readonly #edges = new Map<object, Set<object>>();
  /** Parts of zones that a wildcard answers for, with the names that come there or go. */
  readonly #parts = new Map<string, Part>();

  /** To be told of each name that changes, first of all; `isOne` when what comes and what goes there cannot be apart. */
  change(name: PlayedName, isOne: boolean): void {
    const comes = {};
    this.#sides.set(name, { comes, goes: isOne ? comes : {} });
    this.wait(this.node(name, "goes"), this.node(name, "comes"));
  }

  /** A name that does not change waits for nothing, and nothing for it. */
  node(name: PlayedName, side: Side): object | undefined {
    const { before, after } = name.zone.served;
    return before && after ? this.#sides.get(name)?.[side] : name.zone;
  }

  wait(one: object | undefined, other: object | undefined): void {
    if (one === undefined || other === undefined || one === other) return;
    const known = this.#edges.get(one) ?? new Set();
    this.#edges.set(one, known.add(other));
  }

  /** Names of this part wait together: for what points there by way of the wildcard, or as long as it waits for them. */
  part(zone: PlayedZone, part: Name, moment: "before" | "after"): Part {
    const key = `${moment} ${zone.name} ${part}`;
    const known = this.#parts.get(key) ?? { node: {}, first: {}, rest: {}, names: [] };
    this.#parts.set(key, known);
    return known;
  }

  /** A name that changes, and what answers for it before or after in its stead. */
  cover(name: PlayedName, { by, part }: Answer, moment: "before" | "after"): void {
    if (moment === "before") this.wait(this.node(by, "goes"), this.node(name, "comes"));
    else this.wait(this.node(name, "goes"), this.node(by, "comes"));
    if (part === undefined) return;
    const { node, first, rest, names } = this.part(name.zone, part, moment);
    const own = this.node(name, moment === "before" ? "comes" : "goes");
    const wait = (one?: object, other?: object) =>
      moment === "before" ? this.wait(one, other) : this.wait(other, one);
    wait(own, node);
    // Each hides the others from the wildcard, but the part's own name can come first and go last.
    if (name.owner === part) wait(first, own);
    else wait(own, first);
    names.push(name);
    if (names.length < 2) return;
    for (const each of names.length === 2 ? names : [name]) {
      if (each.owner === part) continue;
      const one = this.node(each, moment === "before" ? "comes" : "goes");
      wait(one, rest);
      wait(rest, one);
    }
  }

  /** Do they wait for each other? */
  areJoined(one: object | undefined, other: object | undefined): boolean {
    return (
      one !== undefined && other !== undefined && one !== other && this.#leads(one, other) && this.#leads(other, one)
    );
  }

  isInCircle(name: PlayedName): boolean {
    return (["comes", "goes"] as const).some((side) => {
      const node = this.node(name, side);
      return node !== undefined && [...(this.#edges.get(node) ?? [])].some((next) => this.#leads(next, node));
    });
  }

  #leads(from: object, to: object): boolean {
    const seen = new Set<object>([from]);
    for (const at of seen) {
      if (at === to) return true;
      for (const next of this.#edges.get(at) ?? []) seen.add(next);
    }
    return false;
  }
}
