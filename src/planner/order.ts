import { type Name, parent } from "../zone/name.ts";
import { type RRset, targets } from "../zone/zone.ts";
import { type Step as Numbered, type RecordChange, subject } from "./change.ts";

/** A step before it has its number. */
type Step = Omit<Numbered, "id" | "needs">;

/** The sets of a zone by owner (lower case), and there by type. */
export type Owners = ReadonlyMap<Name, ReadonlyMap<string, RRset>>;

/** What changes at one name. `owner` in lower case. */
export interface OwnerChanges {
  readonly owner: Name;
  readonly changes: readonly RecordChange[];
}

/**
 * Puts the changes of a zone, which come by name, in an order in which no name goes dark and no pointer dangles:
 *
 * | phase | what depends on what |
 * |---|---|
 * | creates, changes in place, CNAMEs that give way to records | what stands at the target, then its pointer |
 * | records that give way to CNAMEs, deletes of pointers, other deletes | the pointer, then what stood at its target |
 *
 * What depends on nothing keeps the order of this table, and of the names. A set that lives on is never empty, because
 * deletes come last. Where pointers lead in a circle, one of them comes before its target. `before` and `after` are the
 * whole zone; `gapSeconds` is how long a resolver may remember that a name has no answer.
 */
export function order(changed: Iterable<OwnerChanges>, before: Owners, after: Owners, gapSeconds: number): Numbered[] {
  const single: Record<RecordChange["kind"], Step[]> = { create: [], update: [], delete: [] };
  const turns: Step[] = [];
  const swaps: Record<"fromCname" | "toCname", Step[]> = { fromCname: [], toCname: [] };
  for (const { owner, changes } of changed) {
    const swap = swapOf(before.get(owner), after.get(owner));
    if (swap !== undefined) {
      swaps[swap].push({ kind: "swap", writes: makingRoom(changes), gapSeconds });
      continue;
    }
    const turn = nullMxTurn(changes);
    if (turn.length > 0) turns.push({ kind: "write", writes: makingRoom(turn) });
    for (const change of changes) {
      if (turn.length === 0 || subject(change).type !== "MX")
        single[change.kind].push({ kind: "write", writes: [change] });
    }
  }
  const additions = [...pointersLast(single.create), ...single.update, ...turns, ...swaps.fromCname];
  const removals = [...pointersLast(single.delete), ...swaps.toCname];
  const ordered = [
    ...targetsFirst(additions, ({ kind }) => kind !== "delete", after),
    ...targetsFirst(removals, ({ kind }) => kind === "delete", before).reverse(),
  ];
  return ordered.map((step, index) => ({ ...step, id: index + 1, needs: index > 0 ? [index] : [] }));
}

type Sets = ReadonlyMap<string, RRset> | undefined;

/** A CNAME and other records take each other's place (RFC 1034 §3.6.2: they cannot stand together). */
function swapOf(before: Sets, after: Sets): "fromCname" | "toCname" | undefined {
  if (before === undefined || after === undefined || before.has("CNAME") === after.has("CNAME")) return undefined;
  return before.has("CNAME") ? "fromCname" : "toCname";
}

/**
 * The changes of an MX set that goes between "no mail" and mail servers, which cannot stand together either (RFC 7505
 * §3); none when one write does it.
 */
function nullMxTurn(changes: readonly RecordChange[]): RecordChange[] {
  const mx = changes.filter((change) => subject(change).type === "MX");
  const isTurn = mx.some(
    (change) =>
      (change.kind !== "create" && change.before.data.target === ".") ||
      (change.kind !== "delete" && change.after.data.target === "."),
  );
  return isTurn && mx.length > 1 ? mx : [];
}

/** What goes makes room for what comes. */
function makingRoom(changes: readonly RecordChange[]): RecordChange[] {
  return (["delete", "update", "create"] as const).flatMap((kind) => changes.filter((change) => change.kind === kind));
}

function pointersLast(steps: readonly Step[]): Step[] {
  const points = ({ writes }: Step) => writes.some((change) => targets(subject(change)).length > 0);
  return [...steps.filter((step) => !points(step)), ...steps.filter(points)];
}

/**
 * The steps in the order given, but what is at the names that a step points to before the step. Of a step those writes
 * count that are on one `side`: before or after. A circle is cut where it is found.
 */
function targetsFirst(steps: readonly Step[], side: (change: RecordChange) => boolean, owners: Owners): Step[] {
  const byOwner = new Map<Name, Step[]>();
  for (const step of steps) {
    const owner = ownerOf(step);
    const list = byOwner.get(owner);
    if (list) list.push(step);
    else byOwner.set(owner, [step]);
  }
  // A walk over steps and names: a step waits for names, a name for its steps. So many pointers to one name stay cheap.
  const waitsFor = (node: Step | Name) =>
    typeof node === "string" ? (byOwner.get(node) ?? []) : answerers(node.writes.filter(side), owners);
  const result: Step[] = [];
  const seen = new Set<Step | Name>();
  for (const root of steps) {
    const path: { node: Step | Name; waiting: Iterator<Step | Name> }[] = [];
    const enter = (node: Step | Name) => {
      if (!seen.has(node)) path.push({ node, waiting: waitsFor(node)[Symbol.iterator]() });
      seen.add(node);
    };
    enter(root);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const next = top.waiting.next();
      if (!next.done) enter(next.value);
      else {
        path.pop();
        if (typeof top.node !== "string") result.push(top.node);
      }
    }
  }
  return result;
}

function ownerOf({ writes: [change] }: Step): Name {
  return change ? subject(change).owner.toLowerCase() : ".";
}

/** The names whose records answer for what the changed records point to. */
function answerers(changes: readonly RecordChange[], owners: Owners): Name[] {
  return changes
    .flatMap((change) => targets(subject(change)))
    .flatMap((target) => answerer(target.toLowerCase(), owners) ?? []);
}

/** The name itself where it has records, else the delegation above it or the wildcard that covers it. */
function answerer(target: Name, owners: Owners): Name | undefined {
  if (owners.has(target)) return target;
  for (let above = parent(target); above !== "."; above = parent(above)) {
    if (owners.get(above)?.has("NS")) return above;
    if (owners.has(`*.${above}`)) return `*.${above}`;
  }
  return undefined;
}
