import type { Diagnostic, Place } from "../../diagnostics/diagnostic.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import { SourceText } from "../../diagnostics/source-text.ts";
import { readDuration } from "../../zone/duration.ts";
import { Fault } from "../../zone/fault.ts";
import { isInside, type Name, readName } from "../../zone/name.ts";
import { checkRdata, parseRdata } from "../../zone/record-type.ts";
import type { Ignore, Scope } from "../../zone/scope.ts";
import { soaSettings } from "../../zone/soa-settings.ts";
import { fromOctets } from "../../zone/text.ts";
import type { TokenTable } from "../../zone/token-table.ts";
import {
  canonical,
  type DotlessTarget,
  type Excuse,
  placeOf,
  type SettingName,
  type Zone,
  type ZoneRecord,
  type ZoneSettings,
} from "../../zone/zone.ts";
import { withSetTtls } from "../rrset-ttl.ts";
import { parseIgnore } from "../scope.ts";
import { soaDiffers } from "../setting.ts";
import { type Includer, largestFile, type ReadResult, type ZoneFile } from "../source.ts";
import { readDirectiveComment } from "./directive-comment.ts";
import { FileRecord, Surroundings } from "./file-record.ts";
import { countOf, fill, generatedData, mostGenerated, mostGeneratedOctets, readRange } from "./generate.ts";
import { readHead } from "./head.ts";
import { ScanFault, Scanner } from "./scan.ts";
import { Ttls } from "./ttls.ts";

const mostFaults = 200;
const deepestInclude = 16;
/** A few files that include each other can ask for any number of readings. */
const mostIncludes = 10_000;

/**
 * Reads a master file (RFC 1035 §5, `$TTL` of RFC 2308 §4) as BIND reads it. After a fault it goes on with the next
 * entry, so one run reports them all.
 */
export function readBind(file: ZoneFile): ReadResult {
  return new BindReader(file).read();
}

/** One file while it is read. An included one has its own, so that neither origin nor owner leak out of it. */
interface OpenFile {
  readonly source: SourceText;
  readonly scanner: Scanner;
  /** What must not be included again below this file. */
  readonly identities: readonly string[];
  /** The `$INCLUDE`s that led here, the nearest first. */
  readonly via: readonly Place[];
  surroundings: Surroundings;
  owner: Name | undefined;
  /** How the file spells the owner. */
  ownerText: string;
  isOwnerGiven: boolean;
}

class BindReader {
  readonly #includer: Includer | undefined;
  readonly #diagnostics: Diagnostic[] = [];
  readonly #records: ZoneRecord[] = [];
  readonly #dotless: DotlessTarget[] = [];
  #manage: Scope["manage"];
  readonly #ignore: Ignore[] = [];
  readonly #lenient: { owner: string; rule: string; at: Place }[] = [];
  readonly #settings: Record<string, unknown> = {};
  readonly #ttls = new Ttls();
  readonly #places: Partial<Record<SettingName | "zone", Place>> = {};
  readonly #first: OpenFile;
  /** Types whose lines name servers need but the zone does not hold: the service has its own. */
  #implicit: readonly string[] = [];
  #name: Name;
  #open: OpenFile;
  #soa: ZoneRecord | undefined;
  #generated = 0;
  #isEmpty = true;
  #generatedOctets = 0;
  #includes = 0;
  #includedBytes = 0;
  /** Through which `$INCLUDE`s each included file was reached last. */
  readonly #vias = new Map<string, readonly Place[]>();
  /** What relative owners were completed with, and whether there were others. */
  readonly #origins: Name[] = [];
  #hasAbsoluteOwners = false;

  constructor({ file, bytes, origin, includer }: ZoneFile) {
    this.#includer = includer;
    this.#name = origin;
    this.#open = this.#first = this.#opened(file, bytes, origin, [includer?.identity ?? file], []);
  }

  read(): ReadResult {
    this.#readAll();
    this.#checkInside();
    this.#checkSoa();
    this.#checkEmpty();
    const zone: Zone = {
      name: this.#name,
      settings: this.#allSettings(),
      records: withSetTtls(this.#records, this.#ttls.zone, (diagnostic) => this.#say(diagnostic)),
      places: this.#places,
      dotlessTargets: this.#dotless,
      ...(this.#lenient.length > 0 && { excused: this.#excused() }),
      ...this.#scope(),
      file: this.#first.source.file,
    };
    return { zone, diagnostics: this.#diagnostics };
  }

  #opened(
    file: string,
    bytes: Uint8Array,
    origin: Name,
    identities: readonly string[],
    via: readonly Place[],
    outer?: OpenFile,
  ): OpenFile {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
    const source = new SourceText(file, text, "latin1");
    const scanner = new Scanner(text);
    scanner.onDirectiveComment = (start, end) => this.#directiveComment(start, end);
    const surroundings = new Surroundings(source, origin);
    this.#origins.push(origin);
    // An included file that starts with white space goes on with the owner before it.
    const { owner, isOwnerGiven = false } = outer ?? {};
    return { source, scanner, identities, via, surroundings, owner, ownerText: "", isOwnerGiven };
  }

  #readAll(): void {
    const { scanner } = this.#open;
    for (;;) {
      try {
        if (!scanner.next()) break;
        this.#isEmpty = false;
        this.#entry(scanner.table, scanner.startsBlank);
      } catch (error) {
        this.#fault(error);
        if (this.#diagnostics.length > mostFaults) break;
      }
    }
  }

  #entry(table: TokenTable, startsBlank: boolean): void {
    if (!startsBlank && table.text.charCodeAt(table.starts[0] ?? 0) === 36 && !table.isQuoted) {
      this.#control(table);
      return;
    }
    const { surroundings, scanner } = this.#open;
    const start = table.startOf(0);
    const end = table.endOf(table.count - 1);
    const owner = this.#ownerOf(table, startsBlank);
    if (owner === undefined) return;
    const { ttl, type } = readHead(table);
    table.origin = surroundings.origin;
    const skip = table.next;
    const isSoa = type.type === "SOA";
    const isSure = !isSoa && !scanner.opensFirst && checkRdata(type, table);
    table.next = isSure ? table.count : skip;
    const data = isSure ? undefined : parseRdata(type, table);
    const counting = this.#ttls.of(ttl, isSoa ? Number(data?.minimum) : undefined);
    const record = new FileRecord(owner, type.type, counting, data, surroundings, start, end, skip);
    if (isSoa && !this.#isNewSoa(record, table)) return;
    if (this.#implicit.includes(type.type) && owner === this.#name) return;
    this.#records.push(record);
    for (const { name, token } of table.dotless) this.#dotlessTarget(name, token);
  }

  /** Undefined where the owner before could not be read, which has been said. */
  #ownerOf(table: TokenTable, startsBlank: boolean): Name | undefined {
    const open = this.#open;
    if (!startsBlank) {
      const before = open.owner;
      open.owner = undefined;
      open.isOwnerGiven = true;
      const length = (table.ends[0] ?? 0) - (table.starts[0] ?? 0);
      const isSame = length === open.ownerText.length && table.text.startsWith(open.ownerText, table.starts[0]);
      const text = table.unquoted("an owner name");
      open.owner = isSame && before !== undefined ? before : readName(text, open.surroundings.origin);
      open.ownerText = text;
      if (text.charCodeAt(text.length - 1) === 46) this.#hasAbsoluteOwners = true;
    } else if (!open.isOwnerGiven) {
      throw new Fault(
        "owner-missing",
        "the first record starts with white space and has no owner",
        "Start the line with a name, or @.",
      );
    }
    return open.owner;
  }

  #control(table: TokenTable): void {
    const directive = table.raw().toUpperCase();
    const required = (what: string, example: string) => {
      if (table.isAtEnd) throw new Fault("directive", `${directive} has no ${what}`, `Write ${directive} ${example}`);
    };
    const end = () => {
      if (table.isAtEnd) return;
      table.next++;
      throw new Fault("directive", `${directive} has more parts than it takes`, "Remove the rest of the line.");
    };
    if (directive === "$ORIGIN") {
      required("name", "example.com.");
      const origin = readName(table.unquoted("an origin"), this.#open.surroundings.origin);
      end();
      this.#origins.push(origin);
      this.#open.surroundings = new Surroundings(this.#open.source, origin);
      this.#open.ownerText = "";
    } else if (directive === "$TTL") {
      this.#ttls.forgive();
      required("time", "1h.");
      this.#ttls.set(readDuration(table.unquoted("a time")));
      this.#places.ttl_sec ??= this.#tokenPlace(table.next - 1);
      end();
    } else if (directive === "$INCLUDE") {
      required("file", "hosts.zone");
      const written = table.octets();
      const { origin } = this.#open.surroundings;
      const inner = table.isAtEnd ? origin : readName(table.unquoted("an origin"), origin);
      end();
      this.#includeFile(fromOctets(written), inner);
    } else if (directive === "$GENERATE") {
      required("range", "1-10 host-$ A 192.0.2.$");
      this.#generate(table);
    } else {
      const known = nearest(directive, ["$ORIGIN", "$TTL", "$INCLUDE", "$GENERATE"]);
      throw new Fault(
        "directive",
        `${fromOctets(directive)} is not a directive that zonewright reads`,
        known && `Did you mean ${known}?`,
      );
    }
  }

  #includeFile(written: string, origin: Name): void {
    const outer = this.#open;
    if (!this.#includer)
      throw new Fault("include-read", "nothing can be included here", "Write the records themselves.");
    const { table } = outer.scanner;
    const tokens = table.next;
    table.next = 2; // what is wrong now is wrong with the file, not with the origin behind it
    const { file, bytes, identity } = this.#includer.open(written, outer.source.file);
    if (outer.identities.includes(identity)) {
      throw new Fault("include-loop", `${written} is being read already`, "Remove one of the two $INCLUDEs.");
    }
    if (outer.via.length >= deepestInclude) {
      throw new Fault(
        "include-depth",
        `files include each other more than ${deepestInclude} deep`,
        "Include less deeply.",
      );
    }
    this.#includedBytes += bytes.length;
    if (++this.#includes > mostIncludes || this.#includedBytes > largestFile) {
      const summary = `a zone includes more than ${mostIncludes} files, or more than ${largestFile} bytes`;
      throw new Fault("include-count", summary, "Include less.");
    }
    table.next = tokens;
    const via = [this.#tokenPlace(1), ...outer.via];
    this.#vias.set(file, via);
    this.#open = this.#opened(file, bytes, origin, [...outer.identities, identity], via, outer);
    try {
      this.#readAll();
    } finally {
      this.#open = outer;
    }
  }

  /** Each record of a `$GENERATE` stands where the line stands. */
  #generate(table: TokenTable): void {
    const range = readRange(table.unquoted("a range"));
    if (this.#generated + countOf(range) > mostGenerated) {
      throw new Fault(
        "generate-count",
        `a zone generates more than ${mostGenerated} records`,
        "Write a smaller range.",
      );
    }
    if (table.count - table.next < 3)
      throw new Fault(
        "directive-missing",
        "$GENERATE needs owner, type and data",
        "Write $GENERATE 1-10 host-$ A 192.0.2.$.",
      );
    const start = table.startOf(0);
    const end = table.endOf(table.count - 1);
    const owner = table.unquoted("an owner name");
    const behindOwner = table.next;
    const { ttl, type } = readHead(table);
    if (type.type === "SOA")
      throw new Fault("generate-type", "$GENERATE makes no SOA record", "Write the SOA record itself.");
    const template = table.raw();
    if (!table.isAtEnd) {
      table.next++;
      throw new Fault("rdata-extra", "$GENERATE takes its data as one part", "Put it into quotes.");
    }
    const { surroundings } = this.#open;
    const counting = this.#ttls.of(ttl, undefined);
    this.#generated += countOf(range);
    if (owner.endsWith(".")) this.#hasAbsoluteOwners = true;
    for (let iterator = range.start; iterator <= range.stop; iterator += range.step) {
      table.next = behindOwner;
      const name = readName(fill(owner, iterator), surroundings.origin);
      table.next = table.count;
      const text = fill(template.replaceAll('\\"', '"'), iterator);
      this.#generatedOctets += text.length;
      if (this.#generatedOctets > mostGeneratedOctets) {
        const summary = `a zone generates more than ${mostGeneratedOctets} octets of data`;
        throw new Fault("generate-count", summary, "Write a smaller range, or less data.");
      }
      const data = generatedData(type, text, surroundings.origin);
      this.#records.push(new FileRecord(name, type.type, counting, data, surroundings, start, end, 0));
    }
  }

  #directiveComment(start: number, end: number): void {
    this.#isEmpty = false;
    const { source } = this.#open;
    const place = source.place(start - 2, end);
    try {
      const said = readDirectiveComment(source.text.slice(start, end));
      if (said === undefined) return;
      if ("implicit" in said) this.#implicit = said.implicit;
      else if ("manage" in said) this.#manage = said.manage;
      else if ("ignore" in said) this.#ignore.push(parseIgnore(said.ignore, place));
      else if ("lenient" in said) {
        for (const rule of said.rules) this.#lenient.push({ owner: said.lenient, rule, at: place });
      } else {
        this.#settings[said.name] = said.value;
        this.#places[said.name] = place;
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#say(said(error, place));
    }
  }

  #scope(): Pick<Zone, "scope"> {
    if (this.#manage === undefined && this.#ignore.length === 0) return {};
    return { scope: { ...(this.#manage && { manage: this.#manage }), ignore: this.#ignore } };
  }

  /** Names are relative to the zone, whose name the SOA record may have told later. */
  #excused(): Excuse[] {
    return this.#lenient.flatMap(({ owner, rule, at }) => {
      try {
        return [{ owner: readName(owner, this.#name), rule, at }];
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        this.#say(said(error, at));
        return [];
      }
    });
  }

  #isNewSoa(record: ZoneRecord, table: TokenTable): boolean {
    // A zone as a transfer prints it ends with its SOA again.
    if (this.#soa?.owner === record.owner && canonical(this.#soa) === canonical(record)) return false;
    table.next = 0;
    if (this.#soa) throw new Fault("soa-twice", "the zone has a second SOA record", "Keep one.");
    this.#soa = record;
    this.#name = record.owner;
    const place = placeOf(record);
    if (place) this.#places.zone = place;
    return true;
  }

  #checkInside(): void {
    if (this.#origins.every((origin) => isInside(origin, this.#name)) && !this.#hasAbsoluteOwners) return;
    for (const record of this.#records) {
      if (isInside(record.owner, this.#name)) continue;
      const summary = `${record.owner} is not in the zone ${this.#name}`;
      this.#say(said(new Fault("out-of-zone", summary, "Check $ORIGIN and the final dot."), placeOf(record)));
    }
  }

  /** A file that lost its lines must not pass for a zone without records. */
  #checkEmpty(): void {
    if (this.#isEmpty && this.#diagnostics.length === 0) this.#say(said(emptyZone, this.#first.source.place(0)));
  }

  #checkSoa(): void {
    if (!this.#soa || this.#implicit.includes("SOA")) return;
    for (const fault of soaDiffers(soaSettings(this.#soa), this.#settings)) this.#say(said(fault, placeOf(this.#soa)));
  }

  /** Directives, then what `$TTL` and the SOA say. */
  #allSettings(): ZoneSettings {
    const settings: Record<string, unknown> = {};
    if (this.#ttls.zone !== undefined && !this.#implicit.includes("TTL")) settings.ttl_sec = this.#ttls.zone;
    if (this.#soa && !this.#implicit.includes("SOA")) Object.assign(settings, soaSettings(this.#soa));
    return { ...settings, ...this.#settings };
  }

  #dotlessTarget(name: Name, token: number): void {
    const { table } = this.#open.scanner;
    const written = table.text.slice(table.starts[token], table.ends[token]);
    this.#dotless.push({ name, written: fromOctets(written), at: this.#tokenPlace(token), owner: this.#open.owner });
  }

  #fault(error: unknown): void {
    if (!(error instanceof Fault)) throw error;
    if (error instanceof ScanFault) return this.#say(said(error, this.#open.source.place(error.start, error.end)));
    const { table } = this.#open.scanner;
    const isWhole = table.next === 0 || error.rule.includes("-needs-") || error.rule.endsWith("-missing");
    const place = isWhole
      ? this.#open.source.place(table.startOf(0), table.endOf(table.count - 1))
      : this.#tokenPlace(Math.min(table.next, table.count) - 1);
    this.#say(said(error, place));
  }

  #tokenPlace(token: number): Place {
    const { source, scanner } = this.#open;
    const { table } = scanner;
    return source.place(table.startOf(token), table.endOf(token));
  }

  #say(diagnostic: Diagnostic): void {
    const { length } = this.#diagnostics;
    const { source } = this.#first;
    const via = this.#open.via.length > 0 ? this.#open.via : (this.#vias.get(diagnostic.at?.file ?? "") ?? []);
    const end = source.place(source.text.length);
    if (length < mostFaults) this.#diagnostics.push(via.length > 0 ? { ...diagnostic, via } : diagnostic);
    else if (length === mostFaults) this.#diagnostics.push(said(tooMany, end));
  }
}

const emptyZone = new Fault("zone-empty", "the file holds no zone", "Write its SOA and records, or remove the file.");
const tooMany = new Fault("too-many-faults", `only the first ${mostFaults} faults are shown`, "Mend these first.");

function said({ rule, message, fix }: Fault, at: Place | undefined): Diagnostic {
  return { severity: "error", rule, summary: message, ...(at && { at }), ...(fix !== undefined && { fix }) };
}
