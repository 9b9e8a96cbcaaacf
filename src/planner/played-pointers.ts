import { isInside, type Name } from "../zone/name.ts";
import { targets, type ZoneRecord } from "../zone/zone.ts";
import { type RecordChange, subject } from "./change.ts";
import { has, type Moment, type PlayedName, type PlayedNames, type PlayedZone } from "./played-names.ts";

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
  isThere: boolean;
}

/** The pointers that a plan brings or takes away, and whether they dangle. */
export class PlayedPointers {
  readonly #names: PlayedNames;
  readonly #ofChange = new Map<RecordChange, { comes: Pointer[]; goes: Pointer[] }>();
  readonly #ofZone = new Map<PlayedZone, Pointer[]>();
  readonly #towards = new Map<PlayedName, Set<Pointer>>();
  /** What waits for what: a pointer for what it leads to; what goes for the pointers that lead to it. */
  readonly #waits = new Map<object, Set<object>>();

  constructor(names: PlayedNames) {
    this.#names = names;
  }

  /** To be told of each change before the first is played. */
  expect(owner: PlayedName, change: RecordChange): void {
    if (!pointing.includes(subject(change).type)) return;
    const before = change.kind === "create" ? [] : targetsOf(change.before);
    const after = change.kind === "delete" ? [] : targetsOf(change.after);
    const pointer = (end: Pointer["end"]) => (target: Name) => this.#register(owner, subject(change).type, target, end);
    this.#ofChange.set(change, {
      goes: before.filter((target) => !after.includes(target)).map(pointer("before")),
      comes: after.filter((target) => !before.includes(target)).map(pointer("after")),
    });
  }

  /** One waits for another: both names change, and one answers for the other before or after. */
  wait(one: PlayedName, other: PlayedName): void {
    const from = node(one);
    this.#waits.set(from, (this.#waits.get(from) ?? new Set()).add(node(other)));
  }

  /** Notes that a change is done, and gives what dangles for that; nothing while its zone is not served. */
  *played(change: RecordChange): Generator<string> {
    const { comes = [], goes = [] } = this.#ofChange.get(change) ?? {};
    for (const pointer of goes) pointer.isThere = false;
    for (const pointer of comes) {
      pointer.isThere = true;
      yield* this.#faults(pointer);
      if (pointer.type === "CNAME" && this.#circles(pointer, "now") && !this.#circles(pointer, "after"))
        if (!this.waitsForItself(pointer.owner)) yield "aliases lead back to it";
    }
  }

  /** What dangles because something changed at a name. */
  *changedAt(name: PlayedName): Generator<string> {
    for (const pointer of this.#towards.get(name) ?? []) yield* this.#faults(pointer);
  }

  /** What dangles in a zone that is served from now. */
  *servedNow(zone: PlayedZone): Generator<string> {
    for (const pointer of this.#ofZone.get(zone) ?? []) yield* this.#faults(pointer);
  }

  /** Does a name wait for itself, by way of others? */
  waitsForItself(name: PlayedName): boolean {
    return [...(this.#waits.get(node(name)) ?? [])].some((next) => this.#leads(next, node(name)));
  }

  #register(owner: PlayedName, type: string, target: Name, end: Pointer["end"]): Pointer {
    const pointer = { zone: owner.zone, owner, type, target, end, isThere: end === "before" };
    const list = this.#ofZone.get(owner.zone) ?? [];
    if (list.push(pointer) === 1) this.#ofZone.set(owner.zone, list);
    for (const moment of ["before", "after"] as const) {
      for (const name of this.#leadsTo(pointer, moment)) {
        this.#towards.set(name, (this.#towards.get(name) ?? new Set()).add(pointer));
        if (moment !== end) continue;
        if (end === "after") this.wait(owner, name);
        else this.wait(name, owner);
      }
    }
    return pointer;
  }

  #leadsTo(pointer: Pointer, moment: Moment): PlayedName[] {
    const answer = this.#names.answer(pointer.target, moment);
    const glue = isGlue(pointer) ? pointer.zone.names.get(pointer.target) : undefined;
    return [...(typeof answer === "object" ? [answer.by] : []), ...(glue ? [glue] : [])];
  }

  *#faults(pointer: Pointer): Generator<string> {
    const { isThere, zone, end, owner, type, target } = pointer;
    if (!isThere || !zone.served.now || !this.#dangles(pointer, "now") || this.#dangles(pointer, end)) return;
    const isExcused = this.#leadsTo(pointer, end).some(
      (name) => this.#leads(node(name), node(owner)) && this.#leads(node(owner), node(name)),
    );
    if (!isExcused) yield `${owner.owner} ${type} leads to ${target}, which is not there`;
  }

  #dangles(pointer: Pointer, moment: Moment): boolean {
    if (isGlue(pointer)) return !has(pointer.zone.names.get(pointer.target), addresses, moment);
    const answer = this.#names.answer(pointer.target, moment);
    if (answer === undefined || answer === "elsewhere") return answer === undefined;
    return !answer.isReferral && pointer.type !== "CNAME" && !has(answer.by, [...addresses, "CNAME"], moment);
  }

  #circles({ owner, target }: Pointer, moment: Moment): boolean {
    let at: Name | undefined = target;
    for (let hops = 0; at !== undefined && hops < mostAliases; hops++) {
      const answer = this.#names.answer(at, moment);
      if (typeof answer !== "object" || !has(answer.by, ["CNAME"], moment)) return false;
      if (answer.by === owner) return true;
      at = answer.by.alias[moment];
    }
    return false;
  }

  #leads(from: object, to: object): boolean {
    const seen = new Set<object>([from]);
    for (const at of seen) {
      if (at === to) return true;
      for (const next of this.#waits.get(at) ?? []) seen.add(next);
    }
    return false;
  }
}

/** All names of a zone that is served at once wait at once. */
function node(name: PlayedName): object {
  return name.zone.served.before ? name : name.zone;
}

/** Is it a server inside its own delegation, whose address nobody else can tell (RFC 1034 §4.2.1)? */
function isGlue({ type, target, owner, zone }: Pointer): boolean {
  return type === "NS" && owner.owner !== zone.name && isInside(target, owner.owner);
}

function targetsOf(record: ZoneRecord): Name[] {
  return targets(record).map((target) => target.toLowerCase());
}
