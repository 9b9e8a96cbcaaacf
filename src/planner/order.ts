import { sortKey } from "../zone/name.ts";
import { targets } from "../zone/zone.ts";
import { type RecordChange, type Step, subject } from "./change.ts";

/** The changes of one name, and the types that it held and will hold. */
export interface OwnerChanges {
  readonly changes: readonly RecordChange[];
  readonly before: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
}

/**
 * Puts the changes of a zone in an order in which no name goes dark and no pointer dangles: what is added (targets before
 * what points to them), what changes in place, swaps, what is removed (pointers before their targets). A set that lives on
 * is never empty, because its additions and changes come before its removals. `gapSeconds` is how long a resolver may
 * remember that a name has no answer.
 */
export function order(owners: Iterable<OwnerChanges>, gapSeconds: number): Step[] {
  const creates: RecordChange[] = [];
  const updates: RecordChange[] = [];
  const deletes: RecordChange[] = [];
  const swaps: Step[] = [];
  const joined: Step[] = [];
  for (const owner of owners) {
    const nullMx = owner.changes.filter(isNullMxTurn(owner.changes));
    if (isSwap(owner)) {
      swaps.push({
        kind: "swap",
        writes: [...kind(owner.changes, "delete"), ...kind(owner.changes, "update"), ...kind(owner.changes, "create")],
        gapSeconds,
      });
      continue;
    }
    if (nullMx.length > 0) joined.push(nullMxTurn(nullMx, gapSeconds));
    const rest = owner.changes.filter((change) => !nullMx.includes(change));
    creates.push(...kind(rest, "create"));
    updates.push(...kind(rest, "update"));
    deletes.push(...kind(rest, "delete"));
  }
  const single = (change: RecordChange): Step => ({ kind: "write", writes: [change] });
  return [
    ...targetsFirst(creates).map(single),
    ...byName(updates).map(single),
    ...joined,
    ...swaps,
    ...targetsFirst(deletes).reverse().map(single),
  ];
}

/** A CNAME takes the place of other records, or the other way round (RFC 1034 §3.6.2: they cannot stand together). */
function isSwap({ before, after }: OwnerChanges): boolean {
  return before.size > 0 && after.size > 0 && before.has("CNAME") !== after.has("CNAME");
}

/** Changes of an MX set between "no mail" and mail servers, which cannot stand together either (RFC 7505 §3). */
function isNullMxTurn(changes: readonly RecordChange[]): (change: RecordChange) => boolean {
  const mx = changes.filter((change) => subject(change).type === "MX");
  const isNull = (change: RecordChange) =>
    (change.kind !== "create" && change.before.data.target === ".") ||
    (change.kind !== "delete" && change.after.data.target === ".");
  return mx.some(isNull) ? (change) => mx.includes(change) : () => false;
}

/** To mail servers: change the null MX, then add. To "no mail": remove all but one, then change that one. */
function nullMxTurn(changes: readonly RecordChange[], gapSeconds: number): Step {
  const updates = kind(changes, "update");
  const writes = [...kind(changes, "delete"), ...updates, ...kind(changes, "create")];
  return updates.length > 0 ? { kind: "write", writes } : { kind: "swap", writes, gapSeconds };
}

function kind(changes: readonly RecordChange[], wanted: RecordChange["kind"]): RecordChange[] {
  return changes.filter(({ kind }) => kind === wanted);
}

function byName(changes: RecordChange[]): RecordChange[] {
  return changes
    .map((change) => ({ change, key: sortKey(subject(change).owner) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ change }) => change);
}

/** By name, but what a record points to before the record. A loop of pointers is cut where it is found. */
function targetsFirst(changes: RecordChange[]): RecordChange[] {
  const sorted = byName(changes);
  const byOwner = new Map<string, RecordChange[]>();
  for (const change of sorted) {
    const owner = subject(change).owner.toLowerCase();
    const list = byOwner.get(owner);
    if (list) list.push(change);
    else byOwner.set(owner, [change]);
  }
  const done = new Set<RecordChange>();
  const result: RecordChange[] = [];
  for (const root of sorted) {
    const path: { change: RecordChange; waiting: RecordChange[] }[] = [];
    const enter = (change: RecordChange) => {
      if (done.has(change)) return;
      done.add(change);
      path.push({
        change,
        waiting: targets(subject(change)).flatMap((target) => byOwner.get(target.toLowerCase()) ?? []),
      });
    };
    enter(root);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const next = top.waiting.pop();
      if (next) enter(next);
      else {
        result.push(top.change);
        path.pop();
      }
    }
  }
  return result;
}
