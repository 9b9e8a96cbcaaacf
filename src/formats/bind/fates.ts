import { type Problem, problem } from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { nameKey } from "../../dns/name.ts";
import type { Rdata } from "../../dns/rdata/record-type.ts";
import { canonical, placeOf, type ZoneRecord } from "../../dns/zone.ts";
import { setKey } from "../difference.ts";
import { withSettings } from "../reconcile-soa.ts";
import type { Task } from "../rewrite-file.ts";
import type { Entry, Layout } from "./layout.ts";

/** What becomes of an entry that stays: other data in the place of what it has, and the TTL that it must have. */
export interface Fate {
  readonly before: Rdata | undefined;
  readonly after: Rdata | undefined;
  /** Undefined where what it has is right. */
  readonly ttl: { readonly wanted: number | undefined } | undefined;
}

export interface Fates {
  /** Those that have none go. */
  readonly fates: ReadonlyMap<Entry, Fate>;
  /** Records that no entry becomes. */
  readonly added: readonly ZoneRecord[];
  /** Changes of records that no line of the file holds alone. */
  readonly refused: readonly Problem[];
}

/** What a difference means for the entries of a file. */
export function fatesOf(task: Task, layout: Layout): Fates {
  const decider = new Decider(task, layout);
  decider.decide();
  decider.implicit();
  return decider;
}

const stays: Fate = { before: undefined, after: undefined, ttl: undefined };

class Decider implements Fates {
  readonly fates = new Map<Entry, Fate>();
  readonly added: ZoneRecord[];
  readonly refused: Problem[] = [];
  readonly #task: Task;
  readonly #layout: Layout;

  constructor(task: Task, layout: Layout) {
    this.#task = task;
    this.#layout = layout;
    this.added = [...task.difference.added];
  }

  /** What the difference says, entry by entry; the records of the zone stand in the order of the entries. */
  decide(): void {
    const { before, difference } = this.#task;
    let index = 0;
    const next = (touch: boolean) => {
      const record = before.records[index];
      const fate = difference.replacements[index++];
      const ttl = touch && difference.touched.has(setKey(record)) && fate ? { wanted: fate.ttl } : undefined;
      return { record, fate, ttl, isSame: record && fate && record.ttl === fate.ttl && isSameData(record, fate) };
    };
    const soa = before.records.find(({ type }) => type === "SOA");
    for (const entry of this.#layout.entries) {
      if (entry.kind === "include") this.#included(entry.inner ?? [], () => next(false));
      else if (entry.kind === "generate") {
        const all = Array.from({ length: entry.count ?? 0 }, () => next(true));
        const isGone = all.every(({ fate }) => fate === undefined);
        if (!isGone) this.fates.set(entry, { before: undefined, after: undefined, ttl: all[0]?.ttl });
        const wrong = all.find(({ isSame }) => !isSame);
        if (wrong && !isGone) this.#addProblem("rewrite-generate", "a $GENERATE makes", wrong.record);
      } else if (entry.kind !== "record") this.fates.set(entry, stays);
      else if (entry.record?.role === "record") {
        const { record, fate, ...pinned } = next(true);
        if (record && fate) {
          // One TTL counts for a set: where it is not the entry's, it must go on counting under another default.
          const isOther = record.ttl !== entry.record.ttl && difference.settings.includes("ttl_sec");
          const ttl = isOther ? { wanted: fate.ttl } : pinned.ttl;
          const isSame = isSameData(record, fate);
          this.fates.set(entry, {
            before: isSame ? undefined : record.data,
            after: isSame ? undefined : fate.data,
            ttl,
          });
        }
      } else if (entry.record?.role === "repeat" && soa) {
        const fate = difference.replacements[before.records.indexOf(soa)];
        const data = { before: soa.data, after: fate?.data ?? soa.data };
        if (fate) this.fates.set(entry, { ...data, ttl: undefined });
      } else this.fates.set(entry, stays);
    }
  }

  #included(
    inner: readonly Entry[],
    next: () => { record: ZoneRecord | undefined; isSame: boolean | undefined },
  ): void {
    for (const entry of inner) {
      if (entry.inner) this.#included(entry.inner, next);
      const count = entry.kind === "generate" ? (entry.count ?? 0) : entry.record?.role === "record" ? 1 : 0;
      for (let number = 0; number < count; number++) {
        const { record, isSame } = next();
        if (!isSame) this.#addProblem("rewrite-include", "an included file holds", record);
      }
    }
  }

  /** Lines for what only name servers need become records of the zone, or follow its settings. */
  implicit(): void {
    const { before, after, difference } = this.#task;
    const soaSettings = ["soa_email", "refresh_sec", "retry_sec", "expire_sec"] as const;
    const named = soaSettings.filter((name) => difference.settings.includes(name));
    const settings = Object.fromEntries(named.map((name) => [name, after.settings[name]]));
    const apex = nameKey(before.name);
    const wantsNs = this.added.some(({ owner, type }) => type === "NS" && nameKey(owner) === apex);
    for (const entry of this.#layout.entries) {
      if (entry.record?.role !== "implicit") continue;
      const { type, soa } = entry.record;
      if (type === "SOA" && soa) {
        const at = this.added.findIndex((record) => record.type === "SOA");
        const [record] = at === -1 ? [] : this.added.splice(at, 1);
        const data = record?.data ?? withSettings(soa, settings);
        this.fates.set(entry, { before: soa, after: data, ttl: record && { wanted: record.ttl } });
      } else if (type === "NS" && wantsNs) this.fates.delete(entry);
    }
    // A file without SOA record does not load: the record stays, as one that is not the zone's.
    if (after.records.some(({ type }) => type === "SOA")) return;
    for (const entry of this.#layout.entries) {
      if (entry.record?.soa && !this.fates.has(entry) && entry.record.role === "record") this.fates.set(entry, stays);
    }
  }

  #addProblem(id: ProblemId, holder: string, record: ZoneRecord | undefined): void {
    const at = record && placeOf(record);
    if (this.refused.some((said) => said.id === id && said.place?.line === at?.line && said.place?.file === at?.file))
      return;
    const summary = `${record?.owner} ${record?.type} changes, and ${holder} it`;
    const fix = at && `Edit ${at.file}:${at.line} by hand.`;
    this.refused.push(problem(id, summary, { place: at, fix }));
  }
}

function isSameData(a: ZoneRecord, b: ZoneRecord): boolean {
  return canonical(a) === canonical(b);
}
