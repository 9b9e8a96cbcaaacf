import { isInside, type Name } from "../zone/name.ts";
import { targets, type ZoneRecord } from "../zone/zone.ts";
import { type RecordChange, subject } from "./change.ts";
import { type Answer, has, type Moment, type PlayedName, type PlayedNames, type PlayedZone } from "./played-names.ts";

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

  /** Parts of zones that a wildcard answers for, with the names that come there or go. */
  readonly #parts = new Map<string, { readonly node: object; readonly lead: object; readonly names: PlayedName[] }>();

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

  /** To be told of a name that comes (`before` it is not there) or goes, and of what answers for it then. */
  cover(name: PlayedName, answer: Answer, moment: "before" | "after"): void {
    const [later, sooner] = moment === "before" ? [answer.by, name] : [name, answer.by];
    this.#wait(node(later), node(sooner));
    if (answer.part === undefined) return;
    const part = this.#part(name.zone, answer.part, moment);
    const wait = (one: object, other: object) =>
      moment === "before" ? this.#wait(one, other) : this.#wait(other, one);
    wait(node(name), part.node);
    // Each hides the others from the wildcard, but the part's own name can come first and go last.
    if (name.owner === answer.part) wait(part.lead, node(name));
    else wait(node(name), part.lead);
    part.names.push(name);
    if (part.names.length < 2) return;
    for (const each of part.names.length === 2 ? part.names : [name])
      if (each.owner !== answer.part) wait(part.node, node(each));
  }

  /** Notes that a change is done, and gives what dangles for that; nothing while its zone is not served. */
  *played(change: RecordChange): Generator<string> {
    const { comes = [], goes = [] } = this.#ofChange.get(change) ?? {};
    for (const pointer of goes) pointer.isThere = false;
    for (const pointer of comes) {
      pointer.isThere = true;
      yield* this.#faults(pointer);
      if (pointer.type === "CNAME" && this.#isLost(pointer.owner) && !this.waitsForItself(pointer.owner))
        yield `${pointer.owner.owner} is an alias of itself`;
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

  #part(zone: PlayedZone, part: Name, moment: "before" | "after") {
    const key = `${moment} ${zone.name} ${part}`;
    const known = this.#parts.get(key) ?? { node: {}, lead: {}, names: [] };
    this.#parts.set(key, known);
    return known;
  }

  #wait(one: object, other: object): void {
    this.#waits.set(one, (this.#waits.get(one) ?? new Set()).add(other));
  }

  #register(owner: PlayedName, type: string, target: Name, end: Pointer["end"]): Pointer {
    const pointer = { zone: owner.zone, owner, type, target, end, isThere: end === "before" };
    const list = this.#ofZone.get(owner.zone) ?? [];
    if (list.push(pointer) === 1) this.#ofZone.set(owner.zone, list);
    for (const moment of ["before", "after"] as const) {
      for (const name of this.#leadsTo(pointer, moment)) {
        this.#towards.set(name, (this.#towards.get(name) ?? new Set()).add(pointer));
        if (moment !== end) continue;
        if (end === "after") this.#wait(node(owner), node(name));
        else this.#wait(node(name), node(owner));
      }
    }
    for (const hub of this.#hubs(pointer)) {
      if (end === "after") this.#wait(node(owner), hub);
      else this.#wait(hub, node(owner));
    }
    return pointer;
  }

  /**
   * What stands for many names at the end of a pointer: a new zone takes over what the zone around it said of its names;
   * a wildcard answers once all names of a part are gone, and until the first one comes.
   */
  #hubs({ target, end }: Pointer): object[] {
    const later = this.#names.zone(target, "after");
    const answer = this.#names.answer(target, end);
    return [
      ...(end === "before" && later && !later.served.before ? [later] : []),
      ...(typeof answer === "object" && answer.part !== undefined
        ? [this.#part(answer.by.zone, answer.part, end).node]
        : []),
    ];
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
    const others = [...this.#leadsTo(pointer, end).map(node), ...this.#hubs(pointer)];
    const isExcused = others.some((other) => this.#leads(other, node(owner)) && this.#leads(node(owner), other));
    if (!isExcused) yield `${owner.owner} ${type} leads to ${target}, which is not there`;
  }

  #dangles(pointer: Pointer, moment: Moment): boolean {
    if (isGlue(pointer)) return !has(pointer.zone.names.get(pointer.target), addresses, moment);
    const answer = this.#names.answer(pointer.target, moment);
    if (answer === undefined || answer === "elsewhere") return answer === undefined;
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
