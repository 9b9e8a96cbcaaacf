import { type NameKey, nameKey } from "../../dns/name/name.ts";
import type { DesiredRecord, LiveRecord } from "../../dns/zone/desired-live.ts";
import { recordKeyOf, setKeyOf, type ZoneRecord } from "../../dns/zone/zone.ts";
import { addToList, groupBy } from "../../group-by.ts";
import { type RecordChange, subject } from "../../planner/changes/change.ts";
import type { Capabilities, ExpectedSet } from "../../targets/target.ts";
import type { ChangedSet } from "../journal/apply-problems.ts";

/** The RRsets of a zone as a run read them and changed them since. */
export class KnownSets {
  readonly #sets: Map<string, readonly DesiredRecord[]>;

  /** Whether a record is stored once at most. */
  readonly #isUnique: boolean;

  constructor({ ids }: Pick<Capabilities, "ids">, records: readonly LiveRecord[] = []) {
    this.#isUnique = ids === "content";
    const sets = new Map<string, DesiredRecord[]>();
    for (const record of records) addToList(sets, setKeyOf(record), record);
    this.#sets = sets;
  }

  /** The stored sets that changes require. */
  expectedBy(changes: readonly RecordChange[], lock: Capabilities["lock"]): readonly ExpectedSet[] | undefined {
    if (lock === "none") return undefined;
    const taken = changes.flatMap((change) => (change.kind === "create" ? [] : [change.before]));
    if (lock === "record") return taken.map((record) => ({ ...setOf(record), records: [record] }));
    return this.#touchedBy(changes).map((set) => ({ ...set, records: this.#sets.get(setKeyOf(set)) ?? [] }));
  }

  /** Notes that changes took effect. */
  note(changes: readonly RecordChange[]): void {
    for (const [key, records] of this.#after(changes)) this.#sets.set(key, records);
  }

  /**
   * Whether stored records, of whole sets, are those from before changes that took effect together, or from after them,
   * and whether some sets are neither, because someone else changed them since.
   */
  compare(stored: readonly LiveRecord[], changes: readonly RecordChange[], isSame: CompareRecords): SetComparison {
    const now = groupBy(stored, setKeyOf);
    const states = new Map<string, "before" | "after" | "changed">();
    for (const [key, after] of this.#after(changes)) {
      const isAs = (records: readonly DesiredRecord[] = []) => isSameSet(records, now.get(key) ?? [], isSame);
      states.set(key, isAs(after) ? "after" : isAs(this.#sets.get(key)) ? "before" : "changed");
    }
    const [state, ...others] = new Set([...states.values()].filter((one) => one !== "changed"));
    const isPartly = [...states.values()].includes("changed");
    return { state: others.length === 0 ? state : undefined, isPartly };
  }

  /** The sets at the names of changes that are not as they are known; the SOA record changes all the time. */
  changedSets(
    stored: readonly LiveRecord[],
    changes: readonly RecordChange[],
    isSame: CompareRecords,
  ): readonly ChangedSet[] {
    const names = new Set<NameKey>(changes.map((change) => nameKey(subject(change).owner)));
    const isThere = ({ owner, type }: ZoneRecord) => type !== "SOA" && names.has(nameKey(owner));
    const now = groupBy(stored.filter(isThere), setKeyOf);
    const known = [...this.#sets.values()].flat().filter(isThere);
    const sets = new Map([...known, ...[...now.values()].flat()].map((record) => [setKeyOf(record), setOf(record)]));
    return [...sets].flatMap(([key, set]) => {
      const [before, after] = [this.#sets.get(key) ?? [], now.get(key) ?? []];
      return isSameSet(before, after, isSame) ? [] : [{ ...set, before, now: after }];
    });
  }

  #touchedBy(changes: readonly RecordChange[]): SetName[] {
    return [...new Map(changes.map((change) => [setKeyOf(subject(change)), setOf(subject(change))])).values()];
  }

  #after(changes: readonly RecordChange[]): Map<string, DesiredRecord[]> {
    const after = new Map(
      this.#touchedBy(changes).map((set) => [setKeyOf(set), [...(this.#sets.get(setKeyOf(set)) ?? [])]]),
    );
    const remove = (record: ZoneRecord) => {
      const set = after.get(setKeyOf(record)) ?? [];
      const index = set.findIndex((one) => recordKeyOf(one) === recordKeyOf(record));
      if (index >= 0) set.splice(index, 1);
    };
    for (const change of changes) if (change.kind !== "create") remove(change.before);
    for (const change of changes) {
      if (change.kind === "delete") continue;
      if (this.#isUnique) remove(change.after);
      addToList(after, setKeyOf(change.after), change.after);
    }
    return after;
  }
}

interface SetComparison {
  /** Undefined if no set tells, or some sets are from before and others from after. */
  readonly state: "before" | "after" | undefined;
  /** Whether some sets are neither. */
  readonly isPartly: boolean;
}

/** Whether a stored record of the same content is the wanted one, with its TTL. */
type CompareRecords = (wanted: DesiredRecord, stored: ZoneRecord) => boolean;

function isSameSet(wanted: readonly DesiredRecord[], stored: readonly LiveRecord[], isSame: CompareRecords): boolean {
  const byKey = new Map(stored.map((record) => [recordKeyOf(record), record]));
  const isThere = (record: DesiredRecord) => {
    const one = byKey.get(recordKeyOf(record));
    return one !== undefined && isSame(record, one);
  };
  return wanted.length === stored.length && wanted.every(isThere);
}

type SetName = Pick<ExpectedSet, "owner" | "type">;

function setOf({ owner, type }: ZoneRecord): SetName {
  return { owner, type };
}
