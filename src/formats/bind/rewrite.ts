import { defaultTimes } from "../../contract/ttl.ts";
import { type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { formatDuration } from "../../dns/duration.ts";
import { isSameName, type Name, relativeTo } from "../../dns/name.ts";
import type { Zone, ZoneRecord } from "../../dns/zone.ts";
import { rewriteFile, type Task } from "../rewrite-file.ts";
import type { Report, ZoneFile } from "../source.ts";
import { applySplices, type Splice } from "../splice.ts";
import { dataSplices, ownerSplice, ttlSplices } from "./edit.ts";
import { type Fate, fatesOf } from "./fates.ts";
import { type Entry, type Layout, type RecordEntry, readLayout, ttlOf } from "./layout.ts";
import { modelAt, newLine } from "./new-line.ts";
import { Places } from "./place.ts";
import { readBind } from "./read.ts";
import { Ttls } from "./ttls.ts";
import { type SettingLines, settingLines, ttlLineSplice } from "./write-settings.ts";

/**
 * A zone written into the master file that held it before: what did not change stays as it is, octet for octet.
 * @throws {ProblemError} for a file with errors, and where a change cannot be made without a person: `rewrite-include`,
 * `rewrite-generate`, `rewrite-ttl`, `rewrite-inexact`.
 */
export function rewriteBind(zone: Zone, previous: ZoneFile, report?: Report): Uint8Array {
  return rewriteFile(readBind, { zone, previous, report }, (task) => {
    const layout = readLayout(task.previous);
    const text = new Rewrite(task, layout, false).text() ?? new Rewrite(task, layout, true).text();
    const whole = text ?? layout.text;
    return Buffer.from(layout.isOpen ? whole.slice(0, -layout.lineEnd.length) : whole, "latin1");
  });
}

class Rewrite {
  readonly #task: Task;
  readonly #layout: Layout;
  readonly #refused: Problem[] = [];
  readonly #splices: Splice[] = [];
  readonly #fates: ReadonlyMap<Entry, Fate>;
  readonly #added: readonly ZoneRecord[];
  readonly #ttls = new Ttls();
  /** Is a `$TTL` written that is not the zone's? */
  readonly #hasImplicitTtl: boolean;
  #needsImplicitTtl = false;
  #zoneTtl: number | undefined;
  #owner: Name | undefined;

  constructor(task: Task, layout: Layout, hasImplicitTtl: boolean) {
    this.#task = task;
    this.#layout = layout;
    this.#hasImplicitTtl = hasImplicitTtl;
    const { fates, added, refused } = fatesOf(task, layout);
    this.#fates = fates;
    this.#added = added;
    this.#refused.push(...refused);
  }

  /** Undefined where it can only be written with an implicit `$TTL`. */
  text(): string | undefined {
    const { text, entries } = this.#layout;
    const places = new Places(this.#layout);
    const settings = settingLines(this.#task, this.#layout, this.#hasImplicitTtl);
    this.#zoneTtl = settings.zoneTtl;
    this.#splices.push(...settings.splices);
    const added = new Map<number, ZoneRecord[]>();
    for (const record of this.#added) {
      const index = places.of(record);
      added.set(index, [...(added.get(index) ?? []), record]);
    }
    this.#head(settings, added.get(-1) ?? []);
    entries.forEach((entry, index) => {
      const ttl = settings.ttls.get(index);
      if (ttl !== undefined) this.#splices.push(...ttlLineSplice(this.#layout, index, ttl));
      this.#follow(entry, ttl);
      const lines = added.get(index);
      if (lines) this.#insert(index, entry.to, lines);
    });
    if (this.#refused.length > 0) throw new ProblemError(this.#refused);
    if (settings.zoneTtl === undefined && this.#ttls.zone !== undefined) this.#needsImplicitTtl = true;
    if (this.#needsImplicitTtl && !this.#hasImplicitTtl) return undefined;
    return applySplices(text, this.#splices);
  }

  /** One entry in the order of the new text: with the owner and the TTL that it must have there. */
  #follow(entry: Entry, newTtl: number | undefined): void {
    const fate = this.#fates.get(entry);
    if (entry.kind === "ttl") this.#ttls.set(newTtl ?? entry.seconds ?? 0);
    else if (entry.kind === "include") this.#include(entry, entry.inner ?? []);
    else if (!fate && entry.kind !== "origin") this.#splices.push({ start: entry.from, end: entry.to, text: "" });
    else if (entry.kind === "generate" && entry.record) this.#checkTtl(entry.record, entry, fate?.ttl);
    else if (entry.kind === "record" && entry.record && fate) this.#record(entry, entry.record, fate);
  }

  #record(entry: Entry, record: RecordEntry, { before, after, ttl }: Fate): void {
    const spot = { text: this.#layout.text, entry, record };
    const minimum = record.soa && Number((after ?? record.soa).minimum);
    const wanted = ttl ? ttl.wanted : record.ttl;
    const usual = this.#ttls.default;
    const isMissing = !this.#hasDefault(record.ownTtl, wanted, minimum);
    // A line of its own goes in before anything that is put at the start of this one.
    if (isMissing) this.#write(entry.from, [this.#defaultTtl()]);
    if (record.inheritsOwner && this.#owner !== record.owner) this.#splices.push(ownerSplice(spot));
    this.#owner = record.owner;
    if (before && after) this.#splices.push(...dataSplices(spot, before, after));
    const own = this.#ownTtl(record.ownTtl, wanted, minimum);
    if (own !== record.ownTtl && record.role !== "implicit") this.#splices.push(...ttlSplices(spot, own));
    ttlOf(this.#ttls, own, minimum);
    if (isMissing) this.#write(entry.to, this.#defaultAgain(usual));
  }

  /** What a record says so that it has a TTL: what it says already if that will do, else as little as it can. */
  #ownTtl(own: number | undefined, wanted: number | undefined, minimum?: number): number | undefined {
    return ttlOf(this.#ttls.copy(), own, minimum) === wanted ? own : wanted;
  }

  /** Can a record here have that TTL? The zone's own needs a `$TTL` that says it. */
  #hasDefault(own: number | undefined, wanted: number | undefined, minimum?: number): boolean {
    if (wanted !== undefined || ttlOf(this.#ttls.copy(), own, minimum) === undefined) return true;
    return ttlOf(this.#ttls.copy(), undefined, minimum) === undefined;
  }

  /** A `$TTL` for records that have the zone's default where the lines before say something else, or nothing. */
  #defaultTtl(): string {
    if (this.#zoneTtl === undefined) this.#needsImplicitTtl = true;
    const seconds = this.#zoneTtl ?? defaultTimes.ttl_sec;
    this.#zoneTtl = seconds;
    this.#ttls.set(seconds);
    return `$TTL ${formatDuration(seconds)}`;
  }

  /** And back to what the lines behind it had; those that had nothing get a TTL of their own. */
  #defaultAgain(seconds: number | undefined): string[] {
    if (seconds === undefined) return [];
    this.#ttls.set(seconds);
    return [`$TTL ${formatDuration(seconds)}`];
  }

  /** An included file that starts with white space goes on with the owner before it. */
  #include(entry: Entry, inner: readonly Entry[]): void {
    const first = inner.find(({ kind }) => kind === "record")?.record;
    if (first?.inheritsOwner && first.owner !== this.#owner) {
      const summary = `${first.owner} ${first.type} has its owner from the line before this $INCLUDE`;
      this.#addProblem(entry, "rewrite-include", summary, "Write its owner into the included file.");
    }
    this.#check(inner, entry);
  }

  #check(inner: readonly Entry[], include: Entry): void {
    for (const entry of inner) {
      if (entry.kind === "ttl") this.#ttls.set(entry.seconds ?? 0);
      else if (entry.inner) this.#check(entry.inner, include);
      else if (entry.record) this.#checkTtl(entry.record, include, undefined);
    }
  }

  #checkTtl(record: RecordEntry, entry: Entry, ttl: Fate["ttl"]): void {
    const found = ttlOf(this.#ttls, record.ownTtl, record.soa && Number(record.soa.minimum));
    if (found !== (ttl ? ttl.wanted : record.ttl)) this.#refuseTtl(entry, record);
  }

  #head({ head }: SettingLines, records: readonly ZoneRecord[]): void {
    const { entries, text, directives } = this.#layout;
    const first = entries.find(({ kind }) => kind !== "origin");
    const last = directives.findLast(({ end }) => end < (first?.from ?? text.length));
    const at = last ? Math.min(last.end + 1, text.length) : (first?.from ?? text.length);
    const comments = head.filter((line) => line.startsWith(";"));
    const rest = head.filter((line) => !line.startsWith(";"));
    this.#write(at, comments);
    this.#write(first?.from ?? text.length, rest);
    for (const line of rest) if (line.startsWith("$TTL")) this.#ttls.set(this.#task.after.settings.ttl_sec ?? 0);
    if (records.length > 0) this.#insert(-1, entries[0]?.from ?? text.length, records);
  }

  #insert(index: number, at: number, records: readonly ZoneRecord[]): void {
    const { entries } = this.#layout;
    const origin = entries[index]?.origin ?? this.#task.previous.origin;
    const model = modelAt(this.#layout, index);
    const lines: string[] = [];
    for (const record of records) {
      const usual = this.#ttls.default;
      const isMissing = !this.#hasDefault(undefined, record.ttl);
      if (isMissing) lines.push(this.#defaultTtl());
      const { owner, text, inherits } = this.#ownerAt(record, index, origin);
      const own = (model?.entry.record?.ownTtl !== undefined && record.ttl) || this.#ownTtl(undefined, record.ttl);
      ttlOf(this.#ttls, own, undefined);
      const isSilent = inherits && this.#owner === owner;
      this.#owner = owner;
      lines.push(newLine({ record, owner: isSilent ? undefined : text, ttl: own, origin }, model));
      if (isMissing) lines.push(...this.#defaultAgain(usual));
    }
    this.#write(at, lines);
  }

  /** The owner in the spelling of the file, and whether its neighbours leave it out where it stands before. */
  #ownerAt({ owner }: ZoneRecord, index: number, origin: Name): { owner: Name; text: string; inherits: boolean } {
    const { entries, text } = this.#layout;
    const last = entries[index];
    const name = last?.record && isSameName(last.record.owner, owner) ? last.record.owner : owner;
    const near = entries.slice(Math.max(0, index - 20), index + 20).filter(({ kind }) => kind === "record");
    const given = near.filter(({ record }) => record?.inheritsOwner === false);
    const isAbsolute = given.length > 0 && given.every(({ tokens: [first] }) => first && text[first.end - 1] === ".");
    return {
      owner: name,
      text: isAbsolute ? name : relativeTo(name, origin),
      inherits: last?.record?.inheritsOwner === true || (near.length > given.length && last?.record?.owner === name),
    };
  }

  #write(at: number, lines: readonly string[]): void {
    if (lines.length === 0) return;
    const { lineEnd } = this.#layout;
    this.#splices.push({ start: at, end: at, text: lines.join(lineEnd) + lineEnd });
  }

  #refuseTtl(entry: Entry, { owner, type }: RecordEntry): void {
    const summary = `${owner || "$GENERATE"} ${type} would get another TTL from the lines before it`;
    this.#addProblem(entry, "rewrite-ttl", summary, "Write its TTL by hand.");
  }

  #addProblem(entry: Entry, id: ProblemId, summary: string, fix: string): void {
    const line = this.#layout.text.slice(0, entry.from).split("\n").length;
    const at = { file: this.#task.previous.file, line, column: 1, length: 1 };
    this.#refused.push(problem(id, summary, { place: at, fix }));
  }
}
