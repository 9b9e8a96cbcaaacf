import { type Place, type Problem, problem } from "../../diagnostics/problem.ts";
import { Fault } from "../../dns/name/fault.ts";
import { isInside, type Name, readName } from "../../dns/name/name.ts";
import { fromOctets } from "../../dns/name/text.ts";
import { quoted } from "../../dns/rdata/token-table.ts";
import { RecordTable } from "../../dns/zone/record-table.ts";
import type { Ignore, Scope } from "../../dns/zone/scope.ts";
import type { DotlessTarget, Excuse, Slip, TargetOfZone, Zone, ZoneRecord } from "../../dns/zone/zone.ts";
import type { Setting, SettingValue } from "../../dns/zone/zone-settings.ts";
import { convertedNote } from "../kit/converted.ts";
import { headline, type ProblemSubject } from "../kit/headline.ts";
import type { LooseText } from "../kit/loose-text.ts";
import { findForeignContent } from "../kit/other-format.ts";
import { ScanFault } from "../kit/scan.ts";
import { parseIgnore, readTargets } from "../kit/scope.ts";
import type { Includer, ZoneFileBytes } from "../kit/source.ts";
import { readDirectiveComment } from "./directive-comment.ts";
import { type FileToOpen, OpenFile } from "./open-file.ts";
import { ProblemList, problemAt } from "./problem-list.ts";
import { type EntryPart, TreeBuilder } from "./tree.ts";
import { Ttls } from "./ttls.ts";

const at = 64;

/** An entry with an error. */
interface FailedEntry {
  /** Number of problems before it. */
  readonly errorsBefore: number;
  /**
   * Whether it may be the rest of the previous entry: it starts with white space or a quoted string, without a type.
   */
  readonly isRecoverable: boolean;
  /** Whether it lacks a type and is not a directive: then it may be a rest even if it starts with a possible owner. */
  readonly isTypeless: boolean;
  /** Whether it lacks RDATA, so that a rest may follow. */
  readonly lacksData: boolean;
  /** Whether the error concerns its last word, which a rest may complete. */
  readonly endsInError: boolean;
}

/** State of reading a zone from its files. */
export class Reading {
  readonly includer: Includer | undefined;
  readonly records = new RecordTable();
  readonly dotless: DotlessTarget[] = [];
  readonly slips: Slip[] = [];
  readonly ttls: Ttls;
  /** From directive comments. */
  readonly settings: Record<string, SettingValue> = {};
  readonly places: Record<string, Place> = {};
  readonly first: OpenFile;
  readonly problems: ProblemList;
  /** The file that is being read. */
  open: OpenFile;
  name: Name;
  /** The owner of the current entry, if known. */
  entryOwner: Name | undefined;
  /** Type of the current entry for messages; an owner where it differs from `entryOwner`. */
  entry: ProblemSubject = {};
  /** Successive entries with errors. */
  readonly failures: FailedEntry[] = [];
  soa: ZoneRecord<"SOA"> | undefined;
  /** Types of records that only name servers need, because the service creates its own. */
  implicit: readonly string[] = [];
  isEmpty = true;
  /** Whether an owner may be outside the zone. */
  mayBeOutside = false;
  /** Origins of relative names. */
  readonly origins: Name[] = [];
  /** Counters for the limits. */
  generated = 0;
  generatedOctets = 0;
  includes = 0;
  includedBytes = 0;
  readonly #converted = new Set<string>();
  readonly #hashes: { at: Place; via: readonly Place[] }[] = [];
  readonly #ignore: Ignore[] = [];
  #manage: Scope["manage"];
  #targets: readonly TargetOfZone[] | undefined;
  readonly #lenient: { owner: string; excuses: readonly Omit<Excuse, "owner">[]; at: Place }[] = [];

  /** The settings that the file may have. */
  readonly known: readonly Setting[];
  /** Whether the entries of each file are collected. */
  readonly #hasTree: boolean;

  constructor(
    { file, bytes, origin, settings, includer, defaultTtl }: ZoneFileBytes,
    { hasTree }: { readonly hasTree: boolean },
  ) {
    this.#hasTree = hasTree;
    this.known = settings;
    this.includer = includer;
    this.ttls = new Ttls(defaultTtl);
    this.name = origin;
    const identity = includer?.identity ?? file;
    this.open = this.first = this.#opened({ file, bytes, origin, identity, via: [], outer: undefined });
    this.problems = new ProblemList(this.first.source);
  }

  /** Continues with an included file, unless it is not a zone file; `close` returns from it. */
  include(opening: FileToOpen): void {
    this.problems.setVia(opening.file, opening.via);
    const opened = this.#opened(opening);
    const foreign = findForeignContent(opened.source);
    if (foreign) this.problems.add(foreign, opening.via);
    else this.open = opened;
  }

  /** Returns to the including file. False at the end of the first file. */
  close(): boolean {
    const { outer, tree } = this.open;
    if (outer === undefined) return false;
    this.failures.length = 0;
    this.open = outer;
    const inner = tree?.entries ?? [];
    this.addEntry(
      { kind: "include", inner },
      inner.reduce((sum, { count }) => sum + count, 0),
    );
    return true;
  }

  /** Adds the current entry, which made `count` records, to the tree of its file. */
  addEntry(entry: EntryPart, count = 0): void {
    const { tree, surroundings } = this.open;
    if (!tree) return;
    const { origin } = surroundings;
    tree.add(entry, { origin, ttlAfter: this.ttls.after, first: this.records.length - count, count });
  }

  setOrigin(origin: Name): void {
    this.origins.push(origin);
    this.open.setOrigin(origin);
  }

  noteOwner(owner: Name): void {
    if (!isInside(owner, this.name)) this.mayBeOutside = true;
  }

  /** Adds a slip in the current entry. */
  addSlip({ rule, summary, fix, first, last }: LooseText, { owner, type }: Pick<ZoneRecord, "owner" | "type">): void {
    const { source, scanner } = this.open;
    const at = source.place(scanner.table.startOf(first), scanner.table.endOf(last));
    this.slips.push({ rule, summary, fix, at, source, owner, type });
  }

  /** Notes, once for each spelling, that a name was converted from another script. */
  noteConversion(token: number, name: Name): void {
    const { source, scanner } = this.open;
    const { starts, ends } = scanner.table;
    const written = fromOctets(source.text.slice(starts[token], ends[token]));
    if (this.#converted.has(written)) return;
    this.#converted.add(written);
    this.report(convertedNote(written, name, this.open.surroundings.origin, this.open.place(token)));
  }

  /** Counts a supposed comment that starts with `#` or `//` at the token. */
  addHashComment(token: number): void {
    this.#hashes.push({ at: this.open.place(token), via: this.open.via });
  }

  /** Reports all of them as one error. */
  reportHashes(): void {
    const [first, ...others] = this.#hashes;
    if (!first) return;
    const count = others.length > 0 ? `, here and in ${others.length} other place${others.length > 1 ? "s" : ""}` : "";
    const summary = `a comment starts with "#" or "//" instead of ";"${count}`;
    const fix = 'Write ";" instead. If a text starts with "#", put it in quotes; in a name, write "\\035".';
    this.problems.add(problem("hash-comment", summary, { fix, place: first.at }), first.via);
  }

  report(found: Problem): void {
    this.problems.add(found, this.open.via);
  }

  /** Reports a fault of the current entry; other errors are thrown again. */
  reportFault(error: unknown): void {
    if (!(error instanceof Fault)) throw error;
    if (error instanceof ScanFault && error.problem.id === "parenthesis") this.#dropConsequences(error);
    // This may have been $TTL: do not report missing TTLs after it.
    if (error.problem.id === "directive" || error.problem.id === "type-missing") this.ttls.ignoreMissing();
    const failed = this.#failed(error);
    const isRest = failed.isRecoverable && isOfNumbers(error) && this.failures.at(-1)?.lacksData === true;
    this.failures.push(isRest ? { ...failed, lacksData: true } : failed);
    if (isRest) return;
    const owner = error instanceof ScanFault ? undefined : this.entryOwner;
    const summary = headline(error.message, this.name, this.#about(error));
    this.report({ ...problemAt(error, this.open.placeOf(error)), summary, ...(owner !== undefined && { owner }) });
  }

  #about(fault: Fault): ProblemSubject {
    const { open } = this;
    if (!(fault instanceof ScanFault)) {
      const value = open.isOfWhole(fault) ? undefined : open.source.textAt(open.placeOf(fault));
      return { owner: this.entryOwner, ...this.entry, value };
    }
    // An unclosed string starts with the intended text.
    const rest = fault.problem.id === "quote" ? /.*/y : undefined;
    if (rest) rest.lastIndex = fault.start + 1;
    return { ...open.begun, value: fromOctets(rest?.exec(open.source.text)?.[0] ?? "") };
  }

  #failed(error: Fault): FailedEntry {
    const { table, startsBlank } = this.open.scanner;
    const start = table.starts[0] ?? 0;
    const isQuoted = ((table.kinds[0] ?? 0) & quoted) !== 0;
    const isControl = !startsBlank && !isQuoted && table.text[start] === "$";
    const isRead = !(error instanceof ScanFault) && !isControl;
    const isTypeless = isRead && this.entry.type === undefined;
    const isRecord = isRead && !isTypeless;
    return {
      errorsBefore: this.problems.all.length,
      isRecoverable: isTypeless && (startsBlank || isQuoted),
      isTypeless,
      lacksData: isRecord && error.problem.id === "field-missing",
      endsInError: isRecord && table.isAtEnd,
    };
  }

  /** Removes the problems of lines before an unmatched ")": they are consequences of the missing "(". */
  #dropConsequences({ start }: ScanFault): void {
    const { open, failures } = this;
    if (open.source.text[start] !== ")" || open.begun.type !== undefined) return;
    const { count } = open.scanner.table;
    const rests = failures.length - 1 - failures.findLastIndex(({ isTypeless }) => !isTypeless);
    const first = failures.at(-1 - rests);
    if ((first?.lacksData || first?.endsInError) && rests + count > 0) this.problems.truncate(first.errorsBefore);
    else if (open.scanner.startsBlank || count === 0) {
      const next = failures[1 + failures.findLastIndex(({ isRecoverable }) => !isRecoverable)];
      if (next) this.problems.truncate(next.errorsBefore);
    }
  }

  scope(): Pick<Zone, "scope" | "targets"> {
    const targets = this.#targets && { targets: this.#targets };
    if (this.#manage === undefined && this.#ignore.length === 0) return { ...targets };
    return { scope: { ...(this.#manage && { manage: this.#manage }), ignore: this.#ignore }, ...targets };
  }

  /** Read at the end: names are relative to the zone, whose name the SOA record may give later. */
  excused(): Excuse[] {
    return this.#lenient.flatMap(({ owner: text, excuses, at }) => {
      try {
        const owner = readName(text, this.name);
        return excuses.map((excuse) => ({ owner, ...excuse }));
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        this.report(problemAt(error, at));
        return [];
      }
    });
  }

  #opened(opening: FileToOpen): OpenFile {
    const opened = new OpenFile(opening, this.records.owners);
    if (this.#hasTree) opened.tree = new TreeBuilder(opened.source.text, opened.scanner);
    opened.scanner.onComment = (start, end) => this.#readComment(start, end);
    this.origins.push(opening.origin);
    return opened;
  }

  #readComment(start: number, end: number): void {
    const { source, tree } = this.open;
    const isDirective = source.text.charCodeAt(start + 1) === at && source.isLineStart(start);
    const setting = isDirective ? this.#applyDirective(start, end) : undefined;
    tree?.comments.push({ start, end, setting });
  }

  /** The key of the comment; undefined where it sets nothing. */
  #applyDirective(start: number, end: number): string | undefined {
    this.isEmpty = false;
    const { source } = this.open;
    const place = source.place(start, end);
    try {
      const comment = readDirectiveComment(source.text.slice(start + 2, end), this.known, place);
      if (comment === undefined) return undefined;
      if ("types" in comment) this.implicit = comment.types;
      else if ("targets" in comment) this.#targets = readTargets(comment.targets, place);
      else if ("manage" in comment) this.#manage = comment.manage;
      else if ("pattern" in comment) this.#ignore.push(parseIgnore(comment.pattern, place));
      else if ("excuses" in comment) this.#lenient.push({ ...comment, at: place });
      else {
        this.settings[comment.key] = comment.value;
        this.places[comment.key] = place;
      }
      return comment.key;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.report(problemAt(error, place));
      return undefined;
    }
  }
}

/** Whether an entry without a type may be numbers or strings rather than a record with a misspelled type. */
function isOfNumbers({ problem: { id } }: Fault): boolean {
  return id === "type-missing" || id === "type-quoted" || id === "ttl-syntax";
}
