import { type Problem, problem } from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { nameKey } from "../../dns/name/name.ts";
import type { Rdata } from "../../dns/rdata/record-type.ts";
import { canonical, placeOf, type ZoneRecord } from "../../dns/zone/zone.ts";
import { setKey } from "../edit/difference.ts";
import { isSoaSetting, withSettings } from "../edit/reconcile-soa.ts";
import type { Task } from "../edit/rewrite-file.ts";
import type { Entry, RecordEntry, Tree } from "./tree.ts";

/** The edit of an entry that is kept: new RDATA, new TTL. */
export interface RecordEdit {
  readonly data?: { readonly before: Rdata; readonly after: Rdata } | undefined;
  /** Absent if the TTL is unchanged. */
  readonly ttl?: { readonly wanted: number | undefined } | undefined;
}

export interface EditPlan {
  /** Entries without an edit are deleted. */
  readonly edits: ReadonlyMap<Entry, RecordEdit>;
  /** Records that need a new entry. */
  readonly added: readonly ZoneRecord[];
  /** Changes of records that do not have a line of their own. */
  readonly refused: readonly Problem[];
}

const unchanged: RecordEdit = {};

/** Plans the edits of a file's entries that turn its zone into the desired one. */
export function planEdits(task: Task, { entries }: Tree): EditPlan {
  const plan = new EditPlanner(task);
  for (const entry of entries) plan.planEntry(entry);
  // A file without an SOA record does not load, so the record is kept as an implicit one.
  if (!task.after.records.some(isSoa))
    for (const entry of entries)
      if (entry.kind === "record" && entry.role === "record" && isSoa(entry.record) && !plan.edits.has(entry))
        plan.edits.set(entry, unchanged);
  return plan;
}

class EditPlanner implements EditPlan {
  readonly edits = new Map<Entry, RecordEdit>();
  readonly added: ZoneRecord[];
  readonly refused: Problem[] = [];
  readonly #task: Task;
  readonly #records: readonly ZoneRecord[];
  readonly #wantsNs: boolean;

  constructor(task: Task) {
    const { before, difference } = task;
    this.#task = task;
    this.#records = [...before.records];
    this.added = [...difference.added];
    this.#wantsNs = this.added.some(({ owner, type }) => type === "NS" && nameKey(owner) === nameKey(before.name));
  }

  planEntry(entry: Entry): void {
    const edit = entry.kind === "record" ? this.#editOfRecord(entry) : this.#editOfOther(entry);
    if (edit) this.edits.set(entry, edit);
  }

  /** The edit of an entry that is not one record; undefined if it is deleted, or cannot be edited. */
  #editOfOther(entry: Exclude<Entry, RecordEntry>): RecordEdit | undefined {
    if (entry.kind === "include") {
      for (const changed of this.#changedIn(entry)) this.#refuse("rewrite-include", "an included file", changed);
      return undefined;
    }
    if (entry.kind !== "generate") return unchanged;
    const { first, count } = entry;
    if (!this.#task.difference.replacements.slice(first, first + count).some(Boolean)) return undefined;
    const [changed] = this.#changedIn(entry);
    if (changed) this.#refuse("rewrite-generate", "a $GENERATE line", changed);
    return { ttl: this.#newTtl(entry) };
  }

  /** The edit of the line of a record; undefined if it is deleted. */
  #editOfRecord(entry: RecordEntry): RecordEdit | undefined {
    if (entry.role === "repeat") return this.#followSoa();
    if (entry.role === "implicit") {
      if (entry.record.type === "SOA") return this.#implicitSoa(entry.record.data);
      return entry.record.type === "NS" && this.#wantsNs ? undefined : unchanged;
    }
    const { settings, replacements } = this.#task.difference;
    const [record, replacement] = [this.#records[entry.first], replacements[entry.first]];
    if (!record || !replacement) return undefined;
    // A set has one TTL: if it does not come from the entry, it must stay the same under a new default.
    const isOther = record.ttl !== entry.record.ttl && settings.includes("ttl_sec");
    const isSame = isSameData(record, replacement);
    return {
      data: isSame ? undefined : { before: record.data, after: replacement.data },
      ttl: isOther ? { wanted: replacement.ttl } : this.#newTtl(entry),
    };
  }

  #newTtl({ first }: Entry): RecordEdit["ttl"] {
    const { touched, replacements } = this.#task.difference;
    const replacement = replacements[first];
    return replacement && touched.has(setKey(this.#records[first])) ? { wanted: replacement.ttl } : undefined;
  }

  /** The SOA record at the end of a transfer is a copy of the first one. */
  #followSoa(): RecordEdit | undefined {
    const at = this.#records.findIndex(isSoa);
    const [soa, replacement] = [this.#records[at], this.#task.difference.replacements[at]];
    if (!soa) return unchanged;
    return replacement && { data: { before: soa.data, after: replacement.data } };
  }

  /** The implicit SOA record becomes one of the zone, or follows the settings. */
  #implicitSoa(data: Rdata): RecordEdit {
    const { after, difference } = this.#task;
    const at = this.added.findIndex(isSoa);
    const [record] = at === -1 ? [] : this.added.splice(at, 1);
    const named = difference.settings.filter(isSoaSetting);
    const settings = Object.fromEntries(named.map((name) => [name, after.settings[name]]));
    return {
      data: { before: data, after: record?.data ?? withSettings(data, settings) },
      ttl: record && { wanted: record.ttl },
    };
  }

  #changedIn({ first, count }: Entry): ZoneRecord[] {
    return this.#records.slice(first, first + count).filter((record, index) => {
      const replacement = this.#task.difference.replacements[first + index];
      return !replacement || record.ttl !== replacement.ttl || !isSameData(record, replacement);
    });
  }

  #refuse(id: ProblemId, holder: string, record: ZoneRecord): void {
    const at = placeOf(record);
    if (
      this.refused.some(({ id: other, place }) => other === id && place?.line === at?.line && place?.file === at?.file)
    )
      return;
    const summary = `${record.owner} ${record.type} changes, but it is in ${holder}`;
    this.refused.push(problem(id, summary, { place: at, fix: at && `Edit ${at.file}:${at.line} by hand.` }));
  }
}

function isSoa({ type }: ZoneRecord): boolean {
  return type === "SOA";
}

function isSameData(a: ZoneRecord, b: ZoneRecord): boolean {
  return canonical(a) === canonical(b);
}
