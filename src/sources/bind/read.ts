import type { Diagnostic, Place } from "../../diagnostics/diagnostic.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import { SourceText } from "../../diagnostics/source-text.ts";
import { isDuration, readDuration } from "../../zone/duration.ts";
import { Fault } from "../../zone/fault.ts";
import { isInside, type Name, readName } from "../../zone/name.ts";
import { parseRdata, type Rdata, type RecordType } from "../../zone/record-type.ts";
import { soaSettings } from "../../zone/soa-settings.ts";
import { fromOctets } from "../../zone/text.ts";
import { findType, recordTypes } from "../../zone/types/index.ts";
import type { DotlessTarget, SettingName, Zone, ZoneRecord, ZoneSettings } from "../../zone/zone.ts";
import { isSettingName, readSetting, settingNames } from "../setting.ts";
import type { ReadResult, ZoneFile } from "../source.ts";
import { ScanFault, Scanner } from "./scan.ts";

const mostFaults = 200;
const classes = ["IN", "CH", "HS", "CS"];

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

interface Entry {
  owner: Name;
  ttl: number | undefined;
  type: RecordType;
}

class BindReader {
  readonly #source: SourceText;
  readonly #scanner: Scanner;
  readonly #diagnostics: Diagnostic[] = [];
  readonly #records: ZoneRecord[] = [];
  readonly #dotless: DotlessTarget[] = [];
  readonly #settings: Record<string, unknown> = {};
  readonly #places: Partial<Record<SettingName | "zone", Place>> = {};
  /** Types whose lines name servers need but the zone does not hold: the service has its own. */
  #implicit: readonly string[] = [];
  #name: Name;
  #origin: Name;
  #owner: Name | undefined;
  #defaultTtl: number | undefined;
  #zoneTtl: number | undefined;
  #lastTtl: number | undefined;
  #soa: ZoneRecord | undefined;

  constructor(file: string, text: string, origin: Name) {
    this.#source = new SourceText(file, text, "latin1");
    this.#scanner = new Scanner(text);
    this.#scanner.onDirectiveComment = (start, end) => this.#directiveComment(start, end);
    this.#name = origin;
    this.#origin = origin;
  }

  read(): ReadResult {
    for (;;) {
      try {
        if (!this.#scanner.next()) break;
        this.#entry();
      } catch (error) {
        this.#fault(error);
        if (this.#diagnostics.length >= mostFaults) {
          this.#report(
            "error",
            "too-many-faults",
            `only the first ${mostFaults} faults are shown`,
            this.#source.text.length,
          );
          break;
        }
      }
    }
    this.#checkInside();
    const zone: Zone = {
      name: this.#name,
      settings: this.#allSettings(),
      records: this.#unifyTtls(),
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
    const start = table.starts[0] ?? 0;
    const end = table.ends[table.count - 1] ?? start;
    const { owner, ttl, type } = this.#head(startsBlank);
    table.origin = this.#origin;
    const data = parseRdata(type, table);
    for (const { name, token } of table.dotless) this.#dotlessTarget(name, token);
    const record: ZoneRecord = {
      owner,
      type: type.type,
      ttl: this.#ttl(ttl, type, data),
      data,
      source: this.#source,
      start,
      end,
    };
    if (type.type === "SOA") this.#startOfAuthority(record);
    else if (!this.#implicit.includes(type.type) || owner !== this.#name) this.#records.push(record);
  }

  /** Owner, TTL and class in either order, type (RFC 1035 §5.1). */
  #head(startsBlank: boolean): Entry {
    const { table } = this.#scanner;
    if (!startsBlank) {
      if (table.isQuoted)
        throw new Fault("name-syntax", "an owner name is written without quotes", "Remove the quotes.");
      this.#owner = readName(table.raw(), this.#origin);
    }
    const owner = this.#owner;
    if (owner === undefined) {
      throw new Fault(
        "owner-missing",
        "the first record starts with white space and has no owner",
        "Start the line with a name, or @.",
      );
    }
    let ttl: number | undefined;
    let hasClass = false;
    while (!table.isAtEnd && !table.isQuoted) {
      const word = table.raw();
      if (ttl === undefined && /^\d/.test(word) && isDuration(word)) ttl = readDuration(word);
      else if (!hasClass && classes.includes(word.toUpperCase())) {
        hasClass = true;
        if (word.toUpperCase() !== "IN")
          throw new Fault("class", `class ${word.toUpperCase()} is not the Internet's`, "Write IN, or nothing.");
      } else {
        const type = findType(word.toUpperCase());
        if (type) return { owner, ttl, type };
        throw unknownType(word);
      }
    }
    table.next++;
    throw new Fault("type-missing", "the entry names no record type", "Write: owner [ttl] [IN] type data.");
  }

  /** The record's own TTL, else `$TTL`, else the SOA's minimum, else that of the record before (RFC 2308 §4, RFC 1035 §5.1). */
  #ttl(own: number | undefined, { type }: RecordType, data: Rdata): number | undefined {
    if (own !== undefined) {
      this.#lastTtl = own;
      return own;
    }
    if (this.#defaultTtl !== undefined) return this.#defaultTtl === this.#zoneTtl ? undefined : this.#defaultTtl;
    if (type === "SOA") {
      this.#defaultTtl = Number(data.minimum);
      this.#zoneTtl = this.#defaultTtl;
      return undefined;
    }
    if (this.#lastTtl === undefined) {
      throw new Fault(
        "ttl-missing",
        "the record has no TTL and nothing before it gives one",
        "Write $TTL 1h at the head of the file.",
      );
    }
    return this.#lastTtl;
  }

  #control(): void {
    const { table } = this.#scanner;
    const directive = table.raw().toUpperCase();
    const required = (what: string) => {
      if (table.isAtEnd) throw new Fault("directive", `${directive} has no ${what}`, `Write ${directive} ${what}.`);
    };
    if (directive === "$ORIGIN") {
      required("name");
      this.#origin = readName(table.raw(), this.#origin);
    } else if (directive === "$TTL") {
      required("time");
      this.#defaultTtl = readDuration(table.raw());
      // 0 as a setting would ask for the service's default; here it means "do not cache" and stays with the records.
      if (this.#zoneTtl === undefined && this.#defaultTtl > 0) {
        this.#zoneTtl = this.#defaultTtl;
        this.#places.ttl_sec = this.#tokenPlace(table.next - 1);
      }
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

  /** `;@ tags: production`: a setting that master files have no other place for. */
  #directiveComment(start: number, end: number): void {
    const text = fromOctets(this.#source.text.slice(start, end)).trim();
    const [, key = "", value = ""] = /^([a-z_]+)\s*:\s*(.*)$/.exec(text) ?? [];
    const place = this.#source.place(start - 2, end);
    try {
      if (key === "implicit") this.#implicit = value.split(/[\s,]+/);
      else if (isSettingName(key)) {
        this.#settings[key] = readSetting(key, value);
        this.#places[key] = place;
      } else {
        const known = nearest(key, [...settingNames, "implicit"]);
        throw new Fault("unknown-key", `${key || text} is no setting of a zone`, known && `Did you mean ${known}?`);
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#diagnostics.push(said(error, place));
    }
  }

  #startOfAuthority(record: ZoneRecord): void {
    if (this.#soa) throw new Fault("soa-twice", "the zone has a second SOA record", "Keep one.");
    this.#soa = record;
    this.#name = record.owner;
    const { source, start, end } = record;
    if (source && start !== undefined) this.#places.zone = source.place(start, end);
    if (!this.#implicit.includes("SOA")) this.#records.push(record);
  }

  #checkInside(): void {
    for (const { owner, start, end } of this.#records) {
      if (isInside(owner, this.#name)) continue;
      this.#report(
        "error",
        "out-of-zone",
        `${owner} is not in the zone ${this.#name}`,
        start,
        end,
        "Check $ORIGIN and the final dot.",
      );
    }
  }

  /** One set has one TTL (RFC 2181 §5.2); as in BIND the first record's counts. */
  #unifyTtls(): ZoneRecord[] {
    const first = new Map<string, number | undefined>();
    return this.#records.map((record) => {
      const key = `${record.owner.toLowerCase()} ${record.type}`;
      if (!first.has(key)) first.set(key, record.ttl);
      const ttl = first.get(key);
      const shown = ttl ?? this.#zoneTtl;
      if (shown === (record.ttl ?? this.#zoneTtl)) return record;
      const summary = `the ${record.type} records of ${record.owner} have several TTLs; ${shown} counts`;
      this.#report("warning", "rrset-ttl", summary, record.start, record.end, "Give all of them the same TTL.");
      return { ...record, ttl };
    });
  }

  /** Directives, then what `$TTL` and the SOA say. */
  #allSettings(): ZoneSettings {
    const settings: Record<string, unknown> = {};
    if (this.#zoneTtl !== undefined && !this.#implicit.includes("TTL")) settings.ttl_sec = this.#zoneTtl;
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
    if (error instanceof ScanFault) {
      this.#diagnostics.push(said(error, this.#source.place(error.start, error.end)));
      return;
    }
    const { table } = this.#scanner;
    const isWhole = table.next === 0 || error.rule.includes("-needs-") || error.rule.endsWith("-missing");
    const place = isWhole
      ? this.#source.place(table.starts[0] ?? 0, table.ends[table.count - 1])
      : this.#tokenPlace(Math.min(table.next, table.count) - 1);
    this.#diagnostics.push(said(error, place));
  }

  #tokenPlace(token: number): Place {
    const { starts, ends } = this.#scanner.table;
    return this.#source.place(starts[token] ?? 0, ends[token]);
  }

  #report(
    severity: Diagnostic["severity"],
    rule: string,
    summary: string,
    start = 0,
    end = start + 1,
    fix?: string,
  ): void {
    this.#diagnostics.push({
      severity,
      rule,
      summary,
      at: this.#source.place(start, end),
      ...(fix !== undefined && { fix }),
    });
  }
}

function unknownType(word: string): Fault {
  const known = nearest(word, recordTypes.map(({ type }) => type)); // biome-ignore format: one thought
  return new Fault(
    "unknown-type",
    `${fromOctets(word)} is no record type that zonewright knows`,
    known && `Did you mean ${known}?`,
  );
}

function said({ rule, message, fix }: Fault, at: Place): Diagnostic {
  return { severity: "error", rule, summary: message, at, ...(fix !== undefined && { fix }) };
}
