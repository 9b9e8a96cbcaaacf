import { besideCname } from "../../dns/lookup/lookup.ts";
import { type NameKey, nameKey } from "../../dns/name/name.ts";
import { txtText } from "../../dns/policies/kind.ts";
import type { OwnerSets } from "../../dns/zone/owners.ts";
import { isType, targets, type ZoneRecord } from "../../dns/zone/zone.ts";
import { type RecordChange, type Step, stepsTogether, subject } from "../changes/change.ts";
import { afterOf, beforeOf, isAddressType, type ZoneDraft } from "./draft.ts";

/**
 * Simulates the steps of a zone in the order of their ids and describes each invalid state, apart from unresolvable
 * names, which `check` finds: a CNAME, an ALIAS or a null MX beside records that exclude it, a duplicate policy such as
 * SPF, a step before its dependency, and final records other than the desired ones.
 */
export function findInvalidStates(
  { before, after }: Pick<ZoneDraft, "before" | "after">,
  steps: readonly Step[],
): string[] {
  const faults: string[] = [];
  const names = new Map<NameKey, NameCounts>();
  for (const [id, changes] of momentsOf(steps))
    for (const owner of writeNames(changes, names, { before, after }))
      for (const fault of names.get(owner)?.findFaults() ?? []) faults.push(`step ${id}: ${owner} ${fault}`);
  for (const { id, needs } of steps)
    for (const need of needs) if (need >= id) faults.push(`step ${id}: it runs before step ${need}, which it needs`);
  faults.push(...unwrittenFaults({ before, after }, names));
  for (const [owner, name] of names)
    for (const fault of name.wrongCounts()) faults.push(`at the end ${owner} ${fault}`);
  return faults;
}

/** The changes that take effect at the same time, with the id of their step: one by one, or those of a change set. */
function* momentsOf(steps: readonly Step[]): Generator<readonly [id: number, changes: readonly RecordChange[]]> {
  for (const set of stepsTogether(steps)) {
    const [{ id, set: number }] = set;
    const changes = set.flatMap(({ writes }) => writes);
    if (number !== undefined) yield [id, changes];
    else for (const change of changes) yield [id, [change]];
  }
}

/** Carries out changes at the same time; returns their names. */
function writeNames(
  changes: readonly RecordChange[],
  names: Map<NameKey, NameCounts>,
  { before, after }: Pick<ZoneDraft, "before" | "after">,
): Set<NameKey> {
  const written = new Set<NameKey>();
  for (const change of changes) {
    const owner = nameKey(subject(change).owner);
    const name = names.get(owner) ?? new NameCounts(before.get(owner), after.get(owner));
    names.set(owner, name);
    name.write(change);
    written.add(owner);
  }
  return written;
}

/** The faults at names to which no step writes. */
function* unwrittenFaults(
  { before, after }: Pick<ZoneDraft, "before" | "after">,
  written: ReadonlyMap<NameKey, NameCounts>,
): Generator<string> {
  for (const [owner, sets] of before)
    if (!written.has(owner) && !isAlike(sets, after.get(owner)))
      yield `at the end the records of ${owner} are unchanged`;
  for (const owner of after.keys())
    if (!written.has(owner) && !before.has(owner)) yield `at the end ${owner} does not exist`;
}

interface Count {
  readonly before: number;
  readonly after: number;
  now: number;
}

/** Number of records of a name by kind: the type, null MX, and policies. */
class NameCounts {
  readonly #counts = new Map<string, Count>();

  constructor(before: OwnerSets | undefined, after: OwnerSets | undefined) {
    const [was, is] = [countsOf(before), countsOf(after)];
    for (const kind of new Set([...was.keys(), ...is.keys()])) {
      const count = was.get(kind) ?? 0;
      this.#counts.set(kind, { before: count, now: count, after: is.get(kind) ?? 0 });
    }
  }

  write(change: RecordChange): void {
    const [gone, come] = [beforeOf(change), afterOf(change)];
    for (const kind of gone ? kindsOf(gone) : []) this.#add(kind, -1);
    for (const kind of come ? kindsOf(come) : []) this.#add(kind, 1);
  }

  *findFaults(): Generator<string> {
    if (this.#isNew("CNAME", isRecordType)) yield "has a CNAME and other records";
    if (this.#isNew("ALIAS", (kind) => kind === "ALIAS" || isAddressType(kind))) yield "has an ALIAS and addresses";
    if (this.#isNew(nullMx, (kind) => kind === "MX")) yield "has a null MX and other MX records";
    for (const [kind, { before, now, after }] of this.#counts) {
      if (!kind.startsWith("v=")) continue;
      if (now > Math.max(1, before, after)) yield `has ${now} ${kind} records`;
      if (now === 0 && before > 0 && after > 0) yield `has no ${kind} record`;
    }
  }

  *wrongCounts(): Generator<string> {
    for (const [kind, { now, after }] of this.#counts)
      if (now !== after) yield `has ${now} ${kind} records instead of ${after}`;
  }

  #add(kind: string, by: number): void {
    const count = this.#counts.get(kind);
    if (count) count.now += by;
    else this.#counts.set(kind, { before: 0, now: by, after: 0 });
  }

  /** Whether records coexist that must not, and that neither did so before nor are to do so in the end. */
  #isNew(alone: string, isOther: (kind: string) => boolean): boolean {
    const count = this.#counts.get(alone);
    if (count === undefined || count.now === 0) return false;
    const others = [...this.#counts].filter(([kind]) => isOther(kind));
    const isBeside = (moment: keyof Count) =>
      count[moment] > 0 && others.reduce((all, [, other]) => all + other[moment], 0) > 1;
    return isBeside("now") && !isBeside("before") && !isBeside("after");
  }
}

/** Whether a kind is a type that cannot be beside CNAME. */
function isRecordType(kind: string): boolean {
  return kind !== nullMx && !kind.startsWith("v=") && !besideCname.has(kind);
}

const nullMx = "null MX";
const policies = ["v=spf1", "v=dmarc1", "v=stsv1", "v=tlsrptv1", "v=bimi1"];

/** The kinds under which a record is counted: its type, null MX, and policies. */
function kindsOf(record: ZoneRecord): string[] {
  const { type } = record;
  if (type === "MX" && targets(record)[0] === ".") return [type, nullMx];
  if (!isType(record, "TXT")) return [type];
  const text = txtText(record).toLowerCase();
  const policy = policies.find((start) => text.startsWith(start) && /^[\s;]|^$/.test(text.slice(start.length)));
  return policy === undefined ? [type] : [type, policy];
}

function countsOf(sets: OwnerSets | undefined): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { records } of sets?.values() ?? [])
    for (const kind of records.flatMap(kindsOf)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** Whether two names have the same number of records of each type. */
function isAlike(sets: OwnerSets, others: OwnerSets | undefined): boolean {
  const list = sets.values();
  if (others === undefined || list.length !== others.values().length) return false;
  return list.every(({ records }) => records[0] && others.of(records[0])?.records.length === records.length);
}
