import type { DesiredRecord, LiveRecord } from "../../dns/zone/desired-live.ts";
import { recordKeyOf, setKeyOf, type ZoneRecord } from "../../dns/zone/zone.ts";
import { addToList, groupBy } from "../../group-by.ts";
import { type RecordChange, subject } from "../../planner/changes/change.ts";
import type { Capabilities, ExpectedSet } from "../../targets/target.ts";

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
   * and the keys of sets that are neither, because someone else changed them since. `isSame` compares a wanted record
   * with a stored one of the same content.
   */
  compare(
    stored: readonly LiveRecord[],
    changes: readonly RecordChange[],
    isSame: (wanted: DesiredRecord, stored: ZoneRecord) => boolean,
  ): SetComparison {
    const now = groupBy(stored, setKeyOf);
    const after = this.#after(changes);
    const states = new Map<string, "before" | "after" | "changed">();
    for (const [key, wanted] of after) {
      const found = new Map((now.get(key) ?? []).map((record) => [recordKeyOf(record), record]));
      const isAs = (records: readonly DesiredRecord[]) =>
        records.length === (now.get(key)?.length ?? 0) &&
        records.every((record) => {
          const one = found.get(recordKeyOf(record));
          return one !== undefined && isSame(record, one);
        });
      states.set(key, isAs(wanted) ? "after" : isAs(this.#sets.get(key) ?? []) ? "before" : "changed");
    }
    const [state, ...others] = new Set([...states.values()].filter((one) => one !== "changed"));
    const changed = new Set([...states].filter(([, one]) => one === "changed").map(([key]) => key));
    return { state: others.length === 0 ? state : undefined, changed };
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
  readonly changed: ReadonlySet<string>;
}

type SetName = Pick<ExpectedSet, "owner" | "type">;

function setOf({ owner, type }: ZoneRecord): SetName {
  return { owner, type };
}
