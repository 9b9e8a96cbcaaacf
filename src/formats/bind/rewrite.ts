import { type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { formatDuration } from "../../dns/name/duration.ts";
import { isSameName, type Name, relativeTo } from "../../dns/name/name.ts";
import type { Rdata } from "../../dns/rdata/record-type.ts";
import { isType, type Zone, type ZoneRecord } from "../../dns/zone/zone.ts";
import { defaultTimes } from "../../dns/zone/zone-settings.ts";
import { groupBy } from "../../group-by.ts";
import { rewriteFile, type Task } from "../edit/rewrite-file.ts";
import { applySplices, type Splice } from "../edit/splice.ts";
import type { Report, ZoneFileBytes } from "../kit/source.ts";
import { targetSpeller } from "../kit/target-speller.ts";
import { planLenient } from "./lenient-edits.ts";
import { InsertionPoints, modelAt, newLine } from "./new-record.ts";
import { readBindFile } from "./read.ts";
import { planEdits, type RecordEdit } from "./record-edits.ts";
import { dataSplices, ownerSplice, ttlSplices } from "./record-splices.ts";
import { planSettings, ttlLineSplice } from "./setting-edits.ts";
import type { Entry, GenerateEntry, RecordEntry, Tree } from "./tree.ts";
import { Ttls, ttlOf } from "./ttls.ts";
import { ownerCell } from "./write.ts";

/**
 * Writes a zone into its existing BIND zone file: unchanged parts stay the same, octet for octet.
 * @throws {ProblemError} for a file with errors, and for changes that must be made by hand: `rewrite-include`,
 * `rewrite-generate`, `rewrite-ttl`, `rewrite-inexact`.
 */
export function rewriteBind(zone: Zone, previous: ZoneFileBytes, report?: Report): Uint8Array {
  return rewriteFile(readBindFile, { zone, previous, report }, (task, { tree }) => {
    const { text, lineEnd } = tree;
    const isOpen = !/(?:^|[\r\n]|^\u00ef\u00bb\u00bf)$/.test(text);
    // A line can be added only after a complete last line.
    const closed = isOpen ? readBindFile({ ...previous, bytes: Buffer.from(text + lineEnd, "latin1") }).tree : tree;
    const fresh = new Rewrite(task, closed, false).text() ?? new Rewrite(task, closed, true).text() ?? closed.text;
    return Buffer.from(isOpen ? fresh.slice(0, -lineEnd.length) : fresh, "latin1");
  });
}

class Rewrite {
  readonly #task: Task;
  readonly #tree: Tree;
  readonly #refused: Problem[] = [];
  readonly #splices: Splice[] = [];
  readonly #edits: ReadonlyMap<Entry, RecordEdit>;
  readonly #added: readonly ZoneRecord[];
  readonly #ttls = new Ttls();
  /** Whether the file has a `$TTL` that is not the zone's. */
  readonly #hasImplicitTtl: boolean;
  #needsImplicitTtl = false;
  #zoneTtl: number | undefined;
  #owner: Name | undefined;

  constructor(task: Task, tree: Tree, hasImplicitTtl: boolean) {
    this.#task = task;
    this.#tree = tree;
    this.#hasImplicitTtl = hasImplicitTtl;
    const { edits, added, refused } = planEdits(task, tree);
    this.#edits = edits;
    this.#added = added;
    this.#refused.push(...refused);
  }

  /** Undefined if it can only be written with an implicit `$TTL`. */
  text(): string | undefined {
    const { text, entries } = this.#tree;
    const points = new InsertionPoints(this.#tree);
    const settings = planSettings(this.#task, this.#tree, this.#hasImplicitTtl);
    this.#zoneTtl = settings.zoneTtl;
    const lenient = planLenient(this.#task, this.#tree);
    this.#splices.push(...settings.splices, ...lenient.splices);
    const added = groupBy(this.#added, (record) => points.of(record));
    this.#head([...settings.head, ...lenient.head], added.get(-1) ?? []);
    entries.forEach((entry, index) => {
      const ttl = settings.ttls.get(index);
      if (ttl !== undefined) this.#splices.push(...ttlLineSplice(this.#tree, index, ttl));
      this.#follow(entry, ttl);
      const lines = added.get(index);
      if (lines) this.#insert(index, entry.end, lines);
    });
    if (this.#refused.length > 0) throw new ProblemError(this.#refused);
    if (settings.zoneTtl === undefined && this.#ttls.zone !== undefined) this.#needsImplicitTtl = true;
    if (this.#needsImplicitTtl && !this.#hasImplicitTtl) return undefined;
    return applySplices(text, this.#splices);
  }

  /** Edits one entry in file order, so that it has its owner and TTL in the new text. */
  #follow(entry: Entry, newTtl: number | undefined): void {
    const edit = this.#edits.get(entry);
    if (entry.kind === "ttl") this.#ttls.set(newTtl ?? entry.seconds);
    else if (entry.kind === "include") this.#include(entry, entry.inner);
    else if (entry.kind === "origin") return;
    else if (!edit) this.#splices.push({ start: entry.start, end: entry.end, text: "" });
    else if (entry.kind === "generate") this.#checkTtl(entry, entry, edit.ttl);
    else this.#record(entry, edit);
  }

  #record(entry: RecordEntry, { data, ttl }: RecordEdit): void {
    const { text } = this.#tree;
    const { record, ownTtl } = entry;
    const minimum = minimumOf(entry, data?.after);
    const wanted = ttl ? ttl.wanted : record.ttl;
    const usual = this.#ttls.default;
    const isMissing = !this.#hasDefault(ownTtl, wanted, minimum);
    // A new line is inserted before any text at the start of this one.
    if (isMissing) this.#write(entry.start, [this.#defaultTtl()]);
    if (entry.inheritsOwner && this.#owner !== record.owner) this.#splices.push(ownerSplice(text, entry));
    this.#owner = record.owner;
    if (data) this.#splices.push(...dataSplices(text, entry, data, targetSpeller(this.#task.after, entry.origin)));
    const own = this.#ownTtl(ownTtl, wanted, minimum);
    if (own !== ownTtl && entry.role !== "implicit") this.#splices.push(...ttlSplices(text, entry, own));
    ttlOf(this.#ttls, own, minimum);
    if (isMissing) this.#write(entry.end, this.#restoredDefault(usual));
  }

  /** The TTL to write in a record: unchanged if that results in the desired one, or else the desired one. */
  #ownTtl(own: number | undefined, wanted: number | undefined, minimum?: number): number | undefined {
    return ttlOf(this.#ttls.copy(), own, minimum) === wanted ? own : wanted;
  }

  /** Whether a record at this place gets that TTL. The zone's default needs a matching `$TTL`. */
  #hasDefault(own: number | undefined, wanted: number | undefined, minimum?: number): boolean {
    if (wanted !== undefined || ttlOf(this.#ttls.copy(), own, minimum) === undefined) return true;
    return ttlOf(this.#ttls.copy(), undefined, minimum) === undefined;
  }

  /** A `$TTL` line for records with the zone's default, if earlier lines set another one or none. */
  #defaultTtl(): string {
    if (this.#zoneTtl === undefined) this.#needsImplicitTtl = true;
    const seconds = this.#zoneTtl ?? defaultTimes(this.#task.previous.settings).ttl_sec;
    this.#zoneTtl = seconds;
    this.#ttls.set(seconds);
    return `$TTL ${formatDuration(seconds)}`;
  }

  /** A `$TTL` line that restores the default; without one, the records that follow get TTLs of their own. */
  #restoredDefault(seconds: number | undefined): string[] {
    if (seconds === undefined) return [];
    this.#ttls.set(seconds);
    return [`$TTL ${formatDuration(seconds)}`];
  }

  /** Checks an included file that starts with white space, and so takes the previous owner. */
  #include(entry: Entry, inner: readonly Entry[]): void {
    const first = inner.find((entry) => entry.kind === "record");
    if (first?.inheritsOwner && first.record.owner !== this.#owner) {
      const summary = `${first.record.owner} ${first.record.type} takes its owner from the line before this $INCLUDE`;
      this.#addProblem(entry, "rewrite-include", summary, "Write the owner in the included file.");
    }
    this.#check(inner, entry);
  }

  #check(inner: readonly Entry[], include: Entry): void {
    for (const entry of inner) {
      if (entry.kind === "ttl") this.#ttls.set(entry.seconds);
      else if (entry.kind === "include") this.#check(entry.inner, include);
      else if (entry.kind !== "origin") this.#checkTtl(entry, include, undefined);
    }
  }

  /** Rejects a change of TTL that the entry cannot express; `place` is the entry to edit by hand. */
  #checkTtl(entry: RecordEntry | GenerateEntry, place: Entry, ttl: RecordEdit["ttl"]): void {
    const { owner, type, ttl: before } = entry.record;
    if (ttlOf(this.#ttls, entry.ownTtl, minimumOf(entry)) === (ttl ? ttl.wanted : before)) return;
    const summary = `${owner} ${type} would get a different TTL from the lines before it`;
    this.#addProblem(place, "rewrite-ttl", summary, "Write a TTL in the record by hand.");
  }

  #head(head: readonly string[], records: readonly ZoneRecord[]): void {
    const { entries, text, settings } = this.#tree;
    const first = entries.find(({ kind }) => kind !== "origin");
    const last = settings.findLast(({ end }) => end < (first?.start ?? text.length));
    const at = last ? Math.min(last.end + 1, text.length) : (first?.start ?? text.length);
    const comments = head.filter((line) => line.startsWith(";"));
    const rest = head.filter((line) => !line.startsWith(";"));
    this.#write(at, comments);
    this.#write(first?.start ?? text.length, rest);
    for (const line of rest) if (line.startsWith("$TTL")) this.#ttls.set(this.#task.after.settings.ttl_sec ?? 0);
    if (records.length > 0) this.#insert(-1, entries[0]?.start ?? text.length, records);
  }

  #insert(index: number, at: number, records: readonly ZoneRecord[]): void {
    const origin = this.#tree.entries[index]?.origin ?? this.#task.previous.origin;
    const model = modelAt(this.#tree, index);
    const lines: string[] = [];
    for (const record of records) {
      const usual = this.#ttls.default;
      const isMissing = !this.#hasDefault(undefined, record.ttl);
      if (isMissing) lines.push(this.#defaultTtl());
      const { owner, text, inherits } = this.#ownerAt(record, index, origin);
      const own = (model?.entry.ownTtl !== undefined && record.ttl) || this.#ownTtl(undefined, record.ttl);
      ttlOf(this.#ttls, own, undefined);
      const isSilent = inherits && this.#owner === owner;
      this.#owner = owner;
      const spellTarget = targetSpeller(this.#task.after, origin);
      lines.push(newLine({ record, owner: isSilent ? undefined : text, ttl: own, origin, spellTarget }, model));
      if (isMissing) lines.push(...this.#restoredDefault(usual));
    }
    this.#write(at, lines);
  }

  /** The owner in the spelling of the file, and whether the records nearby inherit their owners. */
  #ownerAt({ owner }: ZoneRecord, index: number, origin: Name): { owner: Name; text: string; inherits: boolean } {
    const { entries, text } = this.#tree;
    const entry = entries[index];
    const last = entry?.kind === "record" ? entry : undefined;
    const name = last && isSameName(last.record.owner, owner) ? last.record.owner : owner;
    const near = entries.slice(Math.max(0, index - 20), index + 20).filter((entry) => entry.kind === "record");
    const given = near.filter(({ inheritsOwner }) => !inheritsOwner);
    const isAbsolute = given.length > 0 && given.every(({ tokens: [first] }) => first && text[first.end - 1] === ".");
    return {
      owner: name,
      text: ownerCell(isAbsolute ? name : relativeTo(name, origin)),
      inherits: last?.inheritsOwner === true || (near.length > given.length && last?.record.owner === name),
    };
  }

  #write(at: number, lines: readonly string[]): void {
    if (lines.length === 0) return;
    const { lineEnd } = this.#tree;
    this.#splices.push({ start: at, end: at, text: lines.join(lineEnd) + lineEnd });
  }

  #addProblem(entry: Entry, id: ProblemId, summary: string, fix: string): void {
    const line = this.#tree.text.slice(0, entry.start).split("\n").length;
    const at = { file: this.#task.previous.file, line, column: 1, length: 1 };
    this.#refused.push(problem(id, summary, { place: at, fix }));
  }
}

/** The minimum of an SOA record, which can be the default TTL; undefined for other types. */
function minimumOf({ record }: RecordEntry | GenerateEntry, data?: Rdata): number | undefined {
  const now = { type: record.type, data: data ?? record.data };
  return isType(now, "SOA") ? now.data.minimum : undefined;
}
