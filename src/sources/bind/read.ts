import type { Diagnostic, Place } from "../../diagnostics/diagnostic.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import { SourceText } from "../../diagnostics/source-text.ts";
import { readDuration } from "../../zone/duration.ts";
import { Fault } from "../../zone/fault.ts";
import { isInside, type Name, readName } from "../../zone/name.ts";
import { checkRdata, parseRdata } from "../../zone/record-type.ts";
import { soaSettings } from "../../zone/soa-settings.ts";
import { fromOctets } from "../../zone/text.ts";
import {
  canonical,
  type DotlessTarget,
  placeOf,
  type SettingName,
  type Zone,
  type ZoneRecord,
  type ZoneSettings,
} from "../../zone/zone.ts";
import { withSetTtls } from "../rrset-ttl.ts";
import { soaDiffers } from "../setting.ts";
import type { ReadResult, ZoneFile } from "../source.ts";
import { readDirectiveComment } from "./directive-comment.ts";
import { FileRecord, Surroundings } from "./file-record.ts";
import { readHead } from "./head.ts";
import { ScanFault, Scanner } from "./scan.ts";
import { Ttls } from "./ttls.ts";

const mostFaults = 200;

/**
 * Reads a master file (RFC 1035 §5, `$TTL` of RFC 2308 §4) as BIND reads it. After a fault it goes on with the next
 * entry, so one run reports them all.
 */
export function readBind({ file, bytes, origin }: ZoneFile): ReadResult {
  return new BindReader(
    file,
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1"),
    origin,
  ).read();
}

class BindReader {
  readonly #source: SourceText;
  readonly #scanner: Scanner;
  readonly #diagnostics: Diagnostic[] = [];
  readonly #records: ZoneRecord[] = [];
  readonly #dotless: DotlessTarget[] = [];
  readonly #settings: Record<string, unknown> = {};
  readonly #ttls = new Ttls();
  readonly #places: Partial<Record<SettingName | "zone", Place>> = {};
  /** Types whose lines name servers need but the zone does not hold: the service has its own. */
  #implicit: readonly string[] = [];
  #name: Name;
  #surroundings: Surroundings;
  /** How the file spells the owner before. */
  #ownerText = "";
  #owner: Name | undefined;
  #isOwnerGiven = false;
  #soa: ZoneRecord | undefined;

  constructor(file: string, text: string, origin: Name) {
    this.#source = new SourceText(file, text, "latin1");
    this.#scanner = new Scanner(text);
    this.#scanner.onDirectiveComment = (start, end) => this.#directiveComment(start, end);
    this.#name = origin;
    this.#surroundings = new Surroundings(this.#source, origin);
  }

  read(): ReadResult {
    for (;;) {
      try {
        if (!this.#scanner.next()) break;
        this.#entry();
      } catch (error) {
        this.#fault(error);
        if (this.#diagnostics.length > mostFaults) break;
      }
    }
    this.#checkInside();
    this.#checkSoa();
    const zone: Zone = {
      name: this.#name,
      settings: this.#allSettings(),
      records: withSetTtls(this.#records, this.#ttls.zone, (diagnostic) => this.#say(diagnostic)),
      places: this.#places,
      dotlessTargets: this.#dotless,
      file: this.#source.file,
    };
    return { zone, diagnostics: this.#diagnostics };
  }

  #entry(): void {
    const { table, startsBlank } = this.#scanner;
    if (!startsBlank && table.text.charCodeAt(table.starts[0] ?? 0) === 36 && !table.isQuoted) {
      this.#control();
      return;
    }
    const start = table.startOf(0);
    const end = table.endOf(table.count - 1);
    const owner = this.#ownerOf(startsBlank);
    if (owner === undefined) return;
    const { ttl, type } = readHead(table);
    table.origin = this.#surroundings.origin;
    const skip = table.next;
    const isSoa = type.type === "SOA";
    const isSure = !isSoa && !this.#scanner.opensFirst && checkRdata(type, table);
    table.next = isSure ? table.count : skip;
    const data = isSure ? undefined : parseRdata(type, table);
    const counting = this.#ttls.of(ttl, isSoa ? Number(data?.minimum) : undefined);
    const record = new FileRecord(owner, type.type, counting, data, this.#surroundings, start, end, skip);
    if (isSoa && !this.#isNewSoa(record)) return;
    if (this.#implicit.includes(type.type) && owner === this.#name) return;
    this.#records.push(record);
    for (const { name, token } of table.dotless) this.#dotlessTarget(name, token);
  }

  /** Undefined where the owner before could not be read, which has been said. */
  #ownerOf(startsBlank: boolean): Name | undefined {
    if (!startsBlank) {
      const { table } = this.#scanner;
      const before = this.#owner;
      this.#owner = undefined;
      this.#isOwnerGiven = true;
      const length = (table.ends[0] ?? 0) - (table.starts[0] ?? 0);
      const isSame = length === this.#ownerText.length && table.text.startsWith(this.#ownerText, table.starts[0]);
      const text = table.unquoted("an owner name");
      this.#owner = isSame && before !== undefined ? before : readName(text, this.#surroundings.origin);
      this.#ownerText = text;
    } else if (!this.#isOwnerGiven) {
      throw new Fault(
        "owner-missing",
        "the first record starts with white space and has no owner",
        "Start the line with a name, or @.",
      );
    }
    return this.#owner;
  }

  #control(): void {
    const { table } = this.#scanner;
    const directive = table.raw().toUpperCase();
    const required = (what: string, example: string) => {
      if (table.isAtEnd) throw new Fault("directive", `${directive} has no ${what}`, `Write ${directive} ${example}`);
    };
    if (directive === "$ORIGIN") {
      required("name", "example.com.");
      const origin = readName(table.unquoted("an origin"), this.#surroundings.origin);
      this.#surroundings = new Surroundings(this.#source, origin);
      this.#ownerText = "";
    } else if (directive === "$TTL") {
      this.#ttls.forgive();
      required("time", "1h.");
      this.#ttls.set(readDuration(table.unquoted("a time")));
      this.#places.ttl_sec ??= this.#tokenPlace(table.next - 1);
    } else {
      const known = nearest(directive, ["$ORIGIN", "$TTL"]);
      throw new Fault(
        "directive",
        `${fromOctets(directive)} is not a directive that zonewright reads`,
        known && `Did you mean ${known}?`,
      );
    }
    if (!table.isAtEnd) {
      table.next++;
      throw new Fault("directive", `${directive} has more parts than it takes`, "Remove the rest of the line.");
    }
  }

  #directiveComment(start: number, end: number): void {
    const place = this.#source.place(start - 2, end);
    try {
      const said = readDirectiveComment(this.#source.text.slice(start, end));
      if (said === undefined) return;
      if ("implicit" in said) this.#implicit = said.implicit;
      else {
        this.#settings[said.name] = said.value;
        this.#places[said.name] = place;
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#say(said(error, place));
    }
  }

  #isNewSoa(record: ZoneRecord): boolean {
    // A zone as a transfer prints it ends with its SOA again.
    if (this.#soa?.owner === record.owner && canonical(this.#soa) === canonical(record)) return false;
    this.#scanner.table.next = 0;
    if (this.#soa) throw new Fault("soa-twice", "the zone has a second SOA record", "Keep one.");
    this.#soa = record;
    this.#name = record.owner;
    const place = placeOf(record);
    if (place) this.#places.zone = place;
    return true;
  }

  #checkInside(): void {
    for (const record of this.#records) {
      if (isInside(record.owner, this.#name)) continue;
      const summary = `${record.owner} is not in the zone ${this.#name}`;
      this.#say(said(new Fault("out-of-zone", summary, "Check $ORIGIN and the final dot."), placeOf(record)));
    }
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
    const { table } = this.#scanner;
    const written = table.text.slice(table.starts[token], table.ends[token]);
    this.#dotless.push({ name, written: fromOctets(written), at: this.#tokenPlace(token) });
  }

  #fault(error: unknown): void {
    if (!(error instanceof Fault)) throw error;
    if (error instanceof ScanFault) return this.#say(said(error, this.#source.place(error.start, error.end)));
    const { table } = this.#scanner;
    const isWhole = table.next === 0 || error.rule.includes("-needs-") || error.rule.endsWith("-missing");
    const place = isWhole
      ? this.#source.place(table.startOf(0), table.endOf(table.count - 1))
      : this.#tokenPlace(Math.min(table.next, table.count) - 1);
    this.#say(said(error, place));
  }

  #tokenPlace(token: number): Place {
    const { table } = this.#scanner;
    return this.#source.place(table.startOf(token), table.endOf(token));
  }

  #say(diagnostic: Diagnostic): void {
    const { length } = this.#diagnostics;
    const end = this.#source.place(this.#source.text.length);
    if (length < mostFaults) this.#diagnostics.push(diagnostic);
    else if (length === mostFaults) this.#diagnostics.push(said(tooMany, end));
  }
}

const tooMany = new Fault("too-many-faults", `only the first ${mostFaults} faults are shown`, "Mend these first.");

function said({ rule, message, fix }: Fault, at: Place | undefined): Diagnostic {
  return { severity: "error", rule, summary: message, ...(at && { at }), ...(fix !== undefined && { fix }) };
}
