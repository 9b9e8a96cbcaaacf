import { type Diagnostic, Refusal } from "../../diagnostics/diagnostic.ts";
import { formatDuration } from "../../zone/duration.ts";
import { type Name, relativeTo } from "../../zone/name.ts";
import type { Rdata } from "../../zone/record-type.ts";
import { canonical, placeOf, type Zone, type ZoneRecord } from "../../zone/zone.ts";
import { withSettings } from "../agreed.ts";
import { setKey } from "../difference.ts";
import { rewriting, type Task } from "../rewriting.ts";
import type { ZoneFile } from "../source.ts";
import { type Splice, spliced } from "../splice.ts";
import { dataSplices, ownerSplice, ttlSplices } from "./edit.ts";
import { type Entry, type Layout, type RecordEntry, readLayout, ttlOf } from "./layout.ts";
import { modelAt, newLine } from "./new-line.ts";
import { Places } from "./place.ts";
import { readBind } from "./read.ts";
import { Ttls } from "./ttls.ts";
import { type SettingLines, settingLines, ttlLineSplice } from "./write-settings.ts";

/**
 * A zone written into the master file that held it before: what did not change stays as it is, octet for octet.
 * @throws {Refusal} for a file with errors, and where a change cannot be made without a person: `rewrite-include`,
 * `rewrite-generate`, `rewrite-ttl`, `rewrite-inexact`.
 */
export function rewriteBind(zone: Zone, previous: ZoneFile): Uint8Array {
  return rewriting(readBind, zone, previous, (task) => {
    const layout = readLayout(task.previous);
    const text = new Rewrite(task, layout, false).text() ?? new Rewrite(task, layout, true).text();
    return Buffer.from(text ?? layout.text, "latin1");
  });
}

/** What becomes of an entry that stays. */
interface Fate {
  readonly before: Rdata | undefined;
  readonly after: Rdata | undefined;
  /** Undefined where whatever the place gives is right. */
  readonly ttl: { readonly wanted: number | undefined } | undefined;
}

class Rewrite {
  readonly #task: Task;
  readonly #layout: Layout;
  readonly #refused: Diagnostic[] = [];
  readonly #splices: Splice[] = [];
  /** What becomes of the entries; those that have none go. */
  readonly #fates = new Map<Entry, Fate>();
  readonly #added: ZoneRecord[];
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
    this.#added = [...task.difference.added];
  }

  /** Undefined where it can only be written with an implicit `$TTL`. */
  text(): string | undefined {
    const { text, entries } = this.#layout;
    this.#decide();
    this.#implicit();
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
    if (this.#refused.length > 0) throw new Refusal(this.#refused);
    if (settings.zoneTtl === undefined && this.#ttls.zone !== undefined) this.#needsImplicitTtl = true;
    if (this.#needsImplicitTtl && !this.#hasImplicitTtl) return undefined;
    return spliced(text, this.#splices);
  }

  /** What the difference says, entry by entry; the records of the zone stand in the order of the entries. */
  #decide(): void {
    const { before, difference } = this.#task;
    let index = 0;
    const next = (touch: boolean) => {
      const record = before.records[index];
      const fate = difference.fates[index++];
      const ttl = touch && difference.touched.has(setKey(record)) && fate ? { wanted: fate.ttl } : undefined;
      return { record, fate, ttl, isSame: record && fate && record.ttl === fate.ttl && isSameData(record, fate) };
    };
    const soa = before.records.find(({ type }) => type === "SOA");
    for (const entry of this.#layout.entries) {
      if (entry.kind === "include") this.#included(entry.inner ?? [], () => next(false));
      else if (entry.kind === "generate") {
        const all = Array.from({ length: entry.count ?? 0 }, () => next(true));
        const isGone = all.every(({ fate }) => fate === undefined);
        if (!isGone) this.#fates.set(entry, { before: undefined, after: undefined, ttl: all[0]?.ttl });
        const wrong = all.find(({ isSame }) => !isSame);
        if (wrong && !isGone) this.#refuse("rewrite-generate", "a $GENERATE makes", wrong.record);
      } else if (entry.kind !== "record") this.#fates.set(entry, stays);
      else if (entry.record?.role === "record") {
        const { record, fate, ...pinned } = next(true);
        if (record && fate) {
          // One TTL counts for a set: where it is not the entry's, it must go on counting under another default.
          const isOther = record.ttl !== entry.record.ttl && difference.settings.includes("ttl_sec");
          const ttl = isOther ? { wanted: fate.ttl } : pinned.ttl;
          const isSame = isSameData(record, fate);
          this.#fates.set(entry, { before: isSame ? undefined : record.data, after: isSame ? undefined : fate.data, ttl }); // biome-ignore format: one thought
        }
      } else if (entry.record?.role === "repeat" && soa) {
        const fate = difference.fates[before.records.indexOf(soa)];
        const data = { before: soa.data, after: fate?.data ?? soa.data };
        if (fate) this.#fates.set(entry, { ...data, ttl: undefined });
      } else this.#fates.set(entry, stays);
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
        if (!isSame) this.#refuse("rewrite-include", "an included file holds", record);
      }
    }
  }

  /** Lines for what only name servers need become records of the zone, or follow its settings. */
  #implicit(): void {
    const { before, after, difference } = this.#task;
    const soaSettings = ["soa_email", "refresh_sec", "retry_sec", "expire_sec"] as const;
    const named = soaSettings.filter((name) => difference.settings.includes(name));
    const settings = Object.fromEntries(named.map((name) => [name, after.settings[name]]));
    const apex = before.name.toLowerCase();
    const wantsNs = this.#added.some(({ owner, type }) => type === "NS" && owner.toLowerCase() === apex);
    for (const entry of this.#layout.entries) {
      if (entry.record?.role !== "implicit") continue;
      const { type, soa } = entry.record;
      if (type === "SOA" && soa) {
        const at = this.#added.findIndex((record) => record.type === "SOA");
        const [record] = at === -1 ? [] : this.#added.splice(at, 1);
        const data = record?.data ?? withSettings(soa, settings);
        this.#fates.set(entry, { before: soa, after: data, ttl: record && { wanted: record.ttl } });
      } else if (type === "NS" && wantsNs) this.#fates.delete(entry);
    }
    // A file without SOA record does not load: the record stays, as one that is not the zone's.
    if (after.records.some(({ type }) => type === "SOA")) return;
    for (const entry of this.#layout.entries) {
      if (entry.record?.soa && !this.#fates.has(entry) && entry.record.role === "record") this.#fates.set(entry, stays);
    }
  }

  /** One entry in the order of the new text: with the owner and the TTL that it must have there. */
  #follow(entry: Entry, newTtl: number | undefined): void {
    const fate = this.#fates.get(entry);
    if (entry.kind === "ttl") this.#ttls.set(newTtl ?? entry.seconds ?? 0);
    else if (entry.kind === "include") this.#check(entry.inner ?? []);
    else if (!fate && entry.kind !== "origin") this.#splices.push({ start: entry.from, end: entry.to, text: "" });
    else if (entry.kind === "generate" && entry.record) this.#checkTtl(entry.record, entry, fate?.ttl);
    else if (entry.kind === "record" && entry.record && fate) this.#record(entry, entry.record, fate);
  }

  #record(entry: Entry, record: RecordEntry, { before, after, ttl }: Fate): void {
    const spot = { text: this.#layout.text, entry, record };
    if (record.inheritsOwner && this.#owner !== record.owner) this.#splices.push(ownerSplice(spot));
    this.#owner = record.owner;
    if (before && after) this.#splices.push(...dataSplices(spot, before, after));
    const minimum = record.soa && Number((after ?? record.soa).minimum);
    const wanted = ttl ? ttl.wanted : record.ttl;
    const usual = this.#ttls.default;
    const isMissing = !this.#hasDefault(record.ownTtl, wanted, minimum);
    if (isMissing) this.#write(entry.from, [this.#defaultTtl()]);
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
    const seconds = this.#zoneTtl ?? 86400;
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

  #check(inner: readonly Entry[]): void {
    for (const entry of inner) {
      if (entry.kind === "ttl") this.#ttls.set(entry.seconds ?? 0);
      else if (entry.inner) this.#check(entry.inner);
      else if (entry.record) this.#checkTtl(entry.record, entry, undefined);
    }
  }

  #checkTtl(record: RecordEntry, entry: Entry, ttl: Fate["ttl"]): void {
    const found = ttlOf(this.#ttls, record.ownTtl, record.soa && Number(record.soa.minimum));
    if (found !== (ttl ? ttl.wanted : record.ttl)) this.#refuseTtl(record, entry);
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
      const own = this.#ownTtl(undefined, record.ttl);
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
    const name = last?.record && last.record.owner.toLowerCase() === owner.toLowerCase() ? last.record.owner : owner;
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
    const { text, lineEnd } = this.#layout;
    const isOpen = at === text.length && at > 0 && !/[\r\n]$/.test(text) && text !== "\u00ef\u00bb\u00bf";
    const joined = lines.join(lineEnd);
    this.#splices.push({ start: at, end: at, text: isOpen ? lineEnd + joined : joined + lineEnd });
  }

  #refuse(rule: string, holder: string, record: ZoneRecord | undefined): void {
    const at = record && placeOf(record);
    if (this.#refused.some((said) => said.rule === rule && said.at?.line === at?.line && said.at?.file === at?.file)) return; // biome-ignore format: one thought
    const summary = `${record?.owner} ${record?.type} changes, and ${holder} it`;
    const fix = at && `Edit ${at.file}:${at.line} by hand.`;
    this.#refused.push({ severity: "error", rule, summary, ...(at && { at }), ...(fix && { fix }) });
  }

  #refuseTtl({ owner, type }: { owner: Name; type: string }, entry: Entry): void {
    const line = this.#layout.text.slice(0, entry.from).split("\n").length;
    const at = { file: this.#task.previous.file, line, column: 1, length: 1 };
    const summary = `${owner} ${type} would get another TTL from the lines before it`;
    this.#refused.push({ severity: "error", rule: "rewrite-ttl", summary, at, fix: "Write its TTL by hand." });
  }
}

const stays: Fate = { before: undefined, after: undefined, ttl: undefined };

function isSameData(a: ZoneRecord, b: ZoneRecord): boolean {
  return canonical(a) === canonical(b);
}
