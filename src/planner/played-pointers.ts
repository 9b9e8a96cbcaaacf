import { isInside, type Name } from "../zone/name.ts";
import { targets, type ZoneRecord } from "../zone/zone.ts";
import { type RecordChange, subject } from "./change.ts";
import { has, type Moment, type PlayedName, type PlayedNames, type PlayedZone } from "./played-names.ts";
import type { PlayedWaits, Side } from "./played-waits.ts";

const pointing: readonly string[] = ["CNAME", "MX", "NS", "SRV"];
const addresses = ["A", "AAAA"];
const mostAliases = 32;

/** A pointer that a plan brings or takes away. Names in lower case. */
interface Pointer {
  readonly zone: PlayedZone;
  readonly owner: PlayedName;
  readonly type: string;
  readonly target: Name;
  /** The moment at which it must not dangle, or dangles without fault. */
  readonly end: "before" | "after";
  /** How it comes or goes. */
  readonly side: Side;
  isThere: boolean;
}

/** The pointers that a plan brings or takes away, and whether they dangle. */
export class PlayedPointers {
  readonly #names: PlayedNames;
  readonly #ofChange = new Map<RecordChange, { comes: Pointer[]; goes: Pointer[] }>();
  readonly #ofZone = new Map<PlayedZone, Pointer[]>();
  readonly #intoZone = new Map<PlayedZone, Pointer[]>();
  readonly #towards = new Map<PlayedName, Set<Pointer>>();
  readonly #waits: PlayedWaits;

  constructor(names: PlayedNames, waits: PlayedWaits) {
    this.#names = names;
    this.#waits = waits;
  }

  /** To be told of each change before the first is played. */
  expect(owner: PlayedName, change: RecordChange): void {
    if (!pointing.includes(subject(change).type)) return;
    const before = change.kind === "create" ? [] : targetsOf(change.before);
    const after = change.kind === "delete" ? [] : targetsOf(change.after);
    const { type } = subject(change);
    const side = change.kind === "delete" ? "goes" : "comes";
    const pointer = (end: Pointer["end"]) => (target: Name) => {
      const registered = { zone: owner.zone, owner, type, target, end, side, isThere: end === "before" } as const;
      this.#register(registered);
      return registered;
    };
    this.#ofChange.set(change, {
      goes: before.filter((target) => !after.includes(target)).map(pointer("before")),
      comes: after.filter((target) => !before.includes(target)).map(pointer("after")),
    });
  }

  /** Notes that a change is done, and gives what dangles for that; nothing while its zone is not served. */
  *played(change: RecordChange): Generator<string> {
    const { comes = [], goes = [] } = this.#ofChange.get(change) ?? {};
    for (const pointer of goes) pointer.isThere = false;
    for (const pointer of comes) {
      pointer.isThere = true;
      yield* this.#faults(pointer);
      if (this.#isEarly(pointer)) yield `${pointer.owner.owner} is delegated to a zone that is not served yet`;
      if (pointer.type === "CNAME" && this.#isLost(pointer.owner) && !this.#waits.isInCircle(pointer.owner))
        yield `${pointer.owner.owner} is an alias of itself`;
    }
  }

  /** What dangles because something changed at a name. */
  *changedAt(name: PlayedName): Generator<string> {
    for (const pointer of this.#towards.get(name) ?? []) yield* this.#faults(pointer);
  }

  /** What dangles in a zone that begins or ceases to be served, or leads into it. */
  *turned(zone: PlayedZone): Generator<string> {
    for (const pointer of this.#ofZone.get(zone) ?? []) yield* this.#faults(pointer);
    for (const pointer of this.#intoZone.get(zone) ?? []) yield* this.#faults(pointer);
  }

  #register(pointer: Pointer): void {
    const { owner, end, zone, side, target } = pointer;
    push(this.#ofZone, zone, pointer);
    const into = this.#names.zone(target, "after");
    if (into && into !== zone && !into.served.before) push(this.#intoZone, into, pointer);
    const ceases = this.#ceasing(pointer);
    if (ceases) push(this.#intoZone, ceases, pointer);
    for (const moment of ["before", "after"] as const)
      for (const name of this.#leadsTo(pointer, moment))
        this.#towards.set(name, (this.#towards.get(name) ?? new Set()).add(pointer));
    for (const other of this.#otherEnds(pointer)) {
      if (end === "after") this.#waits.wait(this.#waits.node(owner, side), other);
      else this.#waits.wait(other, this.#waits.node(owner, side));
    }
    const child = this.#childOf(pointer);
    if (child) this.#waits.wait(this.#waits.node(owner, "comes"), child);
  }

  /** The zone that a delegation hands its names to, where that is new, or disabled until now. */
  #childOf({ owner, type }: Pointer): PlayedZone | undefined {
    const child = type === "NS" ? this.#names.zone(owner.owner, "after") : undefined;
    return child?.name === owner.owner && !child.served.before ? child : undefined;
  }

  /** Does a delegation come before its zone is served, so that what lies below has no answer? */
  #isEarly(pointer: Pointer): boolean {
    const { owner, zone } = pointer;
    const child = this.#childOf(pointer);
    if (!child || child.served.now || !zone.served.now || has(owner, ["NS"], "before")) return false;
    return !this.#waits.areJoined(this.#waits.node(owner, "comes"), child);
  }

  /**
   * What waits for a pointer, or what it waits for: names; a new zone, which takes over what the zone around it said of
   * its names, or one that ceases and gives them back; the names that must all be gone before a wildcard answers, or not
   * come before it is asked no more.
   */
  #otherEnds(pointer: Pointer): (object | undefined)[] {
    const { target, end } = pointer;
    const later = this.#names.zone(target, "after");
    const answer = this.#names.answer(target, end);
    return [
      ...this.#leadsTo(pointer, end).map((name) => this.#waits.node(name, end === "after" ? "comes" : "goes")),
      end === "before" && later && !later.served.before ? later : undefined,
      this.#ceasing(pointer),
      typeof answer === "object" && answer.part !== undefined
        ? this.#waits.part(answer.by.zone, answer.part, end).node
        : undefined,
    ];
  }

  /** The zone of others that the pointer leads into as long as that is served. */
  #ceasing({ zone, target }: Pointer): PlayedZone | undefined {
    const into = this.#names.zone(target, "before");
    return into && into !== zone && !into.served.after ? into : undefined;
  }

  #leadsTo(pointer: Pointer, moment: Moment): PlayedName[] {
    const answer = this.#names.answer(pointer.target, moment);
    const glue = isGlue(pointer) ? pointer.zone.names.get(pointer.target) : undefined;
    return [...(typeof answer === "object" ? [answer.by] : []), ...(glue ? [glue] : [])];
  }

  *#faults(pointer: Pointer): Generator<string> {
    const { isThere, zone, end, owner, type, target } = pointer;
    if (!isThere || !zone.served.now || !this.#dangles(pointer, "now") || this.#dangles(pointer, end)) return;
    // Until now it led to a zone that was not served here: only then there is something to say.
    if (this.#names.answer(target, end) === "elsewhere") return;
    const own = this.#waits.node(owner, pointer.side);
    const isExcused = this.#otherEnds(pointer).some((other) => this.#waits.areJoined(own, other));
    if (!isExcused) yield `${owner.owner} ${type} leads to ${target}, which is not there`;
  }

  #dangles(pointer: Pointer, moment: Moment): boolean {
    if (isGlue(pointer)) return !has(pointer.zone.names.get(pointer.target), addresses, moment);
    const answer = this.#names.answer(pointer.target, moment);
    if (answer === "elsewhere") return moment === "now" && this.#ceasing(pointer)?.served.now === false;
    if (answer === undefined) return true;
    return !answer.isReferral && pointer.type !== "CNAME" && !has(answer.by, [...addresses, "CNAME"], moment);
  }

  /** Do aliases lead from the name back to it now, though they led somewhere before and will? */
  #isLost(name: PlayedName): boolean {
    return (
      (["before", "after"] as const).every((moment) => this.#end(name, moment) === "end") &&
      this.#end(name, "now") === "circle"
    );
  }

  /** Where a name leads by aliases in the end. */
  #end(name: PlayedName, moment: Moment): "circle" | "end" | "nowhere" {
    let at = name.owner;
    for (let hops = 0; hops < mostAliases; hops++) {
      const answer = this.#names.answer(at, moment);
      if (typeof answer !== "object") return answer === undefined ? "nowhere" : "end";
      if (hops > 0 && answer.by === name) return "circle";
      const next = answer.by.alias[moment];
      if (answer.isReferral || !has(answer.by, ["CNAME"], moment) || next === undefined) return "end";
      at = next;
    }
    return "nowhere";
  }
}

function push<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Is it a server inside its own delegation, whose address nobody else can tell (RFC 1034 §4.2.1)? */
function isGlue({ type, target, owner, zone }: Pointer): boolean {
  return type === "NS" && owner.owner !== zone.name && isInside(target, owner.owner);
}

function targetsOf(record: ZoneRecord): Name[] {
  return targets(record).map((target) => target.toLowerCase());
}
