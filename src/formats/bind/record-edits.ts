import { type Problem, problem } from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { nameKey } from "../../dns/name/name.ts";
import type { Rdata } from "../../dns/rdata/record-type.ts";
import { canonical, placeOf, type ZoneRecord } from "../../dns/zone/zone.ts";
import { setKey } from "../edit/difference.ts";
import { isSoaSetting, withSettings } from "../edit/reconcile-soa.ts";
import type { Task } from "../edit/rewrite-file.ts";
import type { Entry, Tree } from "./tree.ts";

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
  const { before, after, difference } = task;
  const records = [...before.records];
  const edits = new Map<Entry, RecordEdit>();
  const added = [...difference.added];
  const refused: Problem[] = [];
  const refuse = (id: ProblemId, holder: string, record: ZoneRecord | undefined) => {
    const at = record && placeOf(record);
    if (refused.some((other) => other.id === id && other.place?.line === at?.line && other.place?.file === at?.file))
      return;
    const summary = `${record?.owner} ${record?.type} changes, but it is in ${holder}`;
    refused.push(problem(id, summary, { place: at, fix: at && `Edit ${at.file}:${at.line} by hand.` }));
  };
  const changedIn = ({ first, count }: Entry) =>
    records.slice(first, first + count).filter((record, index) => {
      const replacement = difference.replacements[first + index];
      return !replacement || record.ttl !== replacement.ttl || !isSameData(record, replacement);
    });
  /** The implicit SOA record becomes one of the zone, or follows the settings. */
  const implicitSoa = (data: Rdata): RecordEdit => {
    const at = added.findIndex(({ type }) => type === "SOA");
    const [record] = at === -1 ? [] : added.splice(at, 1);
    const named = difference.settings.filter(isSoaSetting);
    const settings = Object.fromEntries(named.map((name) => [name, after.settings[name]]));
    return {
      data: { before: data, after: record?.data ?? withSettings(data, settings) },
      ttl: record && { wanted: record.ttl },
    };
  };
  const soa = records.find(({ type }) => type === "SOA");
  const wantsNs = added.some(({ owner, type }) => type === "NS" && nameKey(owner) === nameKey(before.name));
  for (const entry of entries) {
    const record = records[entry.first];
    const replacement = difference.replacements[entry.first];
    const ttl = difference.touched.has(setKey(record)) && replacement ? { wanted: replacement.ttl } : undefined;
    if (entry.kind === "include") {
      for (const changed of changedIn(entry)) refuse("rewrite-include", "an included file", changed);
    } else if (entry.kind === "generate") {
      const isKept = difference.replacements.slice(entry.first, entry.first + entry.count).some(Boolean);
      if (!isKept) continue;
      edits.set(entry, { ttl });
      const [changed] = changedIn(entry);
      if (changed) refuse("rewrite-generate", "a $GENERATE line", changed);
    } else if (entry.kind !== "record") edits.set(entry, unchanged);
    else if (entry.role === "record") {
      if (!record || !replacement) continue;
      // A set has one TTL: if it does not come from the entry, it must stay the same under a new default.
      const isOther = record.ttl !== entry.record.ttl && difference.settings.includes("ttl_sec");
      const isSame = isSameData(record, replacement);
      edits.set(entry, {
        data: isSame ? undefined : { before: record.data, after: replacement.data },
        ttl: isOther ? { wanted: replacement.ttl } : ttl,
      });
    } else if (entry.role === "repeat") {
      const replaced = soa && difference.replacements[records.indexOf(soa)];
      if (!soa) edits.set(entry, unchanged);
      else if (replaced) edits.set(entry, { data: { before: soa.data, after: replaced.data } });
    } else if (entry.record.type === "SOA") edits.set(entry, implicitSoa(entry.record.data));
    else if (entry.record.type !== "NS" || !wantsNs) edits.set(entry, unchanged);
  }
  // A file without an SOA record does not load, so the record is kept as an implicit one.
  if (!after.records.some(({ type }) => type === "SOA"))
    for (const entry of entries) {
      const isSoa = entry.kind === "record" && entry.role === "record" && entry.record.type === "SOA";
      if (isSoa && !edits.has(entry)) edits.set(entry, unchanged);
    }
  return { edits, added, refused };
}

function isSameData(a: ZoneRecord, b: ZoneRecord): boolean {
  return canonical(a) === canonical(b);
}
