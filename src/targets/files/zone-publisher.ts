import { rmSync } from "node:fs";
import { basename } from "node:path";
import type { SerialPolicy } from "../../config/target-kinds.ts";
import type { Problem } from "../../diagnostics/problem.ts";
import { type Name, type NameKey, nameKey } from "../../dns/name/name.ts";
import { isLater } from "../../dns/name/serial.ts";
import type { Message, MessageQuestion } from "../../dns/transfer/message.ts";
import { TransferError } from "../../dns/transfer/transfer-error.ts";
import type { LiveRecord, RecordChange } from "../../dns/zone/desired-live.ts";
import { copyRecord } from "../../dns/zone/zone.ts";
import { ask, askSoa, hasSignedSoa } from "../../dns-client/ask.ts";
import type { ServerAddress } from "../../dns-client/server-address.ts";
import type { PartFile } from "../../file-system.ts";
import { contentId } from "../content-id.ts";
import { otherSets } from "../other-sets.ts";
import type { ExpectedSet, ReadOptions } from "../target.ts";
import { changedRecords } from "./changed-records.ts";
import {
  aheadNote,
  blankNote,
  changedError,
  checkError,
  existsError,
  FilesError,
  invalidFileError,
  missingZoneError,
  noSerialError,
  notLoadedError,
  notLoadedNote,
  notRaisedNote,
  optionError,
  reloadError,
  signedContentError,
  signedSerialError,
  silentServerError,
  statedNote,
} from "./failure.ts";
import {
  looksLikeOption,
  type ProgramEnd,
  type ProgramOptions,
  type RunProgram,
  runWithLimit,
  wordsFor,
} from "./program.ts";
import { chooseSerial, hasAbove, withStated } from "./serial.ts";
import { ZoneFolder } from "./zone-folder.ts";
import {
  isSameContent,
  masterText,
  type ReadText,
  readZoneText,
  render,
  withoutMark,
  withoutOwnComments,
  withSerial,
  type ZoneText,
} from "./zone-text.ts";

/** The settings of a folder of zone files, and its surroundings. */
export interface FilesOptions {
  /** The absolute path of the folder. */
  readonly folder: string;
  readonly serial: SerialPolicy;
  /** The program that checks a new file, with its arguments. */
  readonly check?: readonly string[] | undefined;
  /** The program that makes the server load a new file, with its arguments. */
  readonly reload?: readonly string[] | undefined;
  /** A server that loads the files. */
  readonly verifyAt?: ServerAddress | undefined;
  /** The file of the project that a zone is from; undefined without one. */
  readonly sourceOf: (zone: Name) => Promise<ZoneSource | undefined>;
  /** The working folder of the programs, and their environment. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly endGroup?: ProgramOptions["endGroup"];
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly run?: RunProgram;
}

/** The file of the project that a zone is from. */
export interface ZoneSource {
  /** The BIND zone file, to be published octet for octet; undefined for a file of another format. */
  readonly text: ZoneText | undefined;
  /** The serial that it states, in an SOA record. */
  readonly serial: number | undefined;
}

/** Time limits of a program in milliseconds: the default, and the one after a first timeout. */
const usualLimitMs = 60_000;
const shortLimitMs = 5_000;

/** Waits for a server that loads a file later than its reload ends, in milliseconds. */
const loadWaits = [0, 20, 50, 100, 200, 400, 800, 1_600, 3_200];

/** The number of these waits for each zone, once the server was silent after all of them. */
const shortWaits = 4;

/** Limits of one SOA query; the next poll repeats it. */
const askBounds = { connectMs: 1_000, idleMs: 1_000, totalMs: 2_000, timeoutMs: 500, attempts: 2 };

/** Those of a query to a server that did not reply to the last one. */
const silentBounds = { ...askBounds, timeoutMs: 250, attempts: 1 };

/** Attempts to publish a file that others edit meanwhile. */
const mostTries = 3;

/** A zone that has a file. */
interface StoredZone {
  readonly bytes: Buffer;
  readonly file: ReadText;
  /** The zone that the server has loaded, unless it may have loaded the file; the file itself if that is unknown. */
  readonly loaded: { readonly bytes: Buffer; readonly text: ReadText } | undefined;
  /** A serial of the server that the file cannot have given it, because it is above that of the file. */
  readonly ahead?: number | undefined;
  /** The serial of the file that was written last, if someone has replaced it by one whose serial is not above it. */
  readonly notRaised: number | undefined;
}

/** Reads the zone files of a folder, and replaces them. */
export class ZonePublisher {
  /** The number of files that were read, and of questions to the server. */
  requests = 0;
  readonly folder: ZoneFolder;
  readonly #options: FilesOptions;
  #limitMs = usualLimitMs;
  /** Whether the server did not reply to the last query. */
  isSilent = false;
  #waits = loadWaits;
  /** Zones created without records; their first records write the file. */
  readonly #created = new Map<NameKey, Name>();
  readonly #notes = new Map<NameKey, Problem>();

  constructor(options: FilesOptions) {
    this.#options = options;
    this.folder = new ZoneFolder(options.folder);
  }

  /** The zones with a file. One that no server has loaded yet is none: it is created again. */
  async names(): Promise<readonly Name[]> {
    this.requests++;
    const names: Name[] = [];
    for (const zone of this.folder.names()) {
      if (!(await this.#isBlank(zone))) names.push(zone);
      else this.#note(zone, blankNote(zone, this.folder.pathOf(zone)));
    }
    return [...names, ...this.#created.values()];
  }

  /** Whether no server has loaded anything of a zone. A file that cannot be read fails the read of its records. */
  async #isBlank(zone: Name): Promise<boolean> {
    if (!this.folder.hasLoaded(zone)) return false;
    try {
      const stored = await this.#read(zone);
      return stored !== undefined && isBlank(stored);
    } catch (error) {
      if (error instanceof FilesError) return false;
      throw error;
    }
  }

  /** Undefined without a file. `isBlank`: a zone of which no server has loaded anything. @throws {FilesError} */
  async find(zone: Name): Promise<{ readonly isBlank: boolean } | undefined> {
    const stored = await this.#read(zone);
    if (stored) return { isBlank: isBlank(stored) };
    return this.#created.has(nameKey(zone)) ? { isBlank: true } : undefined;
  }

  /** A zone without a file, until its first records come: a server loads no zone without name servers. */
  async create(zone: Name): Promise<void> {
    const stored = await this.#read(zone);
    if (this.#created.has(nameKey(zone)) || (stored && !isBlank(stored)))
      throw existsError(zone, this.folder.pathOf(zone));
    this.#created.set(nameKey(zone), zone);
  }

  /** @throws {FilesError} */
  async remove(zone: Name): Promise<void> {
    const isCreated = this.#created.delete(nameKey(zone));
    const stored = await this.#read(zone);
    if (!stored && !isCreated) throw missingZoneError(zone);
    if (!stored) return;
    const serials = this.#knownSerials(zone, stored, await this.servedSerial(zone));
    this.folder.dropJournal(zone, (stored.loaded?.text ?? stored.file).serial);
    this.folder.remove(zone, serials);
  }

  /**
   * The records that the server has loaded, as far as known; otherwise those of the file. Where the server has not
   * loaded the file, someone has edited it without a higher serial, or the project states a higher one, the SOA record
   * keeps its serial, so that the zone differs from every desired one and the next apply writes and loads it.
   * @throws {FilesError}
   */
  async records(zone: Name): Promise<readonly LiveRecord[]> {
    const stored = await this.#read(zone);
    if (!stored) {
      if (this.#created.has(nameKey(zone))) return [];
      throw missingZoneError(zone);
    }
    const { file, loaded, notRaised } = stored;
    const stated = loaded ? undefined : await this.#statedAbove(zone, file.serial);
    const path = this.folder.pathOf(zone);
    if (stored.ahead !== undefined) this.#note(zone, aheadNote(zone, path, { ...stored, written: file.serial }));
    else if (loaded && !isBlank(stored)) this.#note(zone, notLoadedNote(zone, path, file.serial));
    else if (notRaised !== undefined) this.#note(zone, notRaisedNote(zone, path, [file.serial, notRaised]));
    else if (stated !== undefined) this.#note(zone, statedNote(zone, stated, file.serial));
    else this.#notes.delete(nameKey(zone));
    if (!loaded && notRaised === undefined && stated === undefined) return file.records;
    const { records, serial } = loaded?.text ?? file;
    return records.map((record) => (record.type === "SOA" ? withGivenSerial(record, serial || 1) : record));
  }

  /** The serial that the project states for a zone, if it is above that of its file. */
  async #statedAbove(zone: Name, serial: number | undefined): Promise<number | undefined> {
    if (serial === undefined) return undefined;
    const stated = (await this.#options.sourceOf(zone))?.serial;
    return withStated([serial], stated).length > 1 ? stated : undefined;
  }

  /** Notes on the zones that were read last. */
  get notes(): ReadonlyMap<NameKey, Problem> {
    return this.#notes;
  }

  #note(zone: Name, note: Problem): void {
    this.#notes.set(nameKey(zone), note);
  }

  /** The serial in the file of a zone. @throws {FilesError} */
  fileSerial(zone: Name): number | undefined {
    const bytes = this.folder.read(zone);
    return bytes && this.#parse(zone, bytes).serial;
  }

  /** The text of the file of a zone; empty without one. */
  text(zone: Name): string {
    this.requests++;
    const bytes = this.folder.read(zone);
    return bytes === undefined ? "" : masterText(withoutOwnComments(bytes));
  }

  /**
   * Changes records of a zone, if its RRsets are as `expected`: writes the file, and has the server load it. An edit of
   * the file elsewhere is kept. The last comparison is right before the file is replaced.
   * @throws {FilesError}
   */
  async change(
    zone: Name,
    changes: readonly RecordChange[],
    expected: readonly ExpectedSet[] | undefined,
  ): Promise<void> {
    const { check = [], reload = [] } = this.#options;
    if (looksLikeOption(check, zone) || looksLikeOption(reload, zone)) throw optionError(zone);
    let file: Buffer | undefined;
    for (let tries = 1; file === undefined; tries++) {
      if (tries > mostTries) throw changedError(zone, this.folder.pathOf(zone));
      const stored = await this.#read(zone);
      const records = await this.records(zone);
      if (expected && otherSets(records, expected).length > 0) throw changedError(zone, this.folder.pathOf(zone));
      file = await this.#publish(zone, stored, changedRecords(zone, records, changes));
    }
    this.#created.delete(nameKey(zone));
    await this.#load(zone, file);
  }

  /** Asks a server that loads the files. @throws {TransferError} without a response */
  ask(server: ServerAddress, question: MessageQuestion, { signal }: ReadOptions = {}): Promise<Message> {
    this.requests++;
    return ask(server, { question }, { bounds: askBounds, ...(signal && { signal }) });
  }

  /** The serial that the server has; undefined if it does not have the zone, or cannot be asked. */
  async servedSerial(zone: Name): Promise<number | undefined> {
    return (await this.#askSerial(zone)).serial;
  }

  /** The serial that the server has, or why it has none: it does not know the zone, has not loaded it, or is silent. */
  async #askSerial(zone: Name): Promise<{ readonly serial?: number; readonly error?: TransferError }> {
    const { verifyAt } = this.#options;
    if (!verifyAt) return {};
    this.requests++;
    try {
      const { data } = await askSoa(verifyAt, zone, { bounds: this.isSilent ? silentBounds : askBounds });
      this.isSilent = false;
      return { serial: data.serial };
    } catch (error) {
      if (!(error instanceof TransferError)) throw error;
      this.isSilent = !isReply(error);
      return { error };
    }
  }

  async #read(zone: Name): Promise<StoredZone | undefined> {
    this.requests++;
    const bytes = this.folder.read(zone);
    if (bytes === undefined) return undefined;
    const file = this.#parse(zone, bytes);
    const loaded = this.folder.readLoaded(zone, bytes);
    const notRaised = this.#notRaised(zone, bytes, file.serial);
    const isAsked = loaded !== undefined || !this.isSilent;
    const { serial, error } = isAsked ? await this.#askSerial(zone) : {};
    if (await this.#hasReached(zone, file, serial)) {
      if (loaded) this.folder.tidyLoaded(zone);
      return { bytes, file, loaded: undefined, notRaised };
    }
    const ahead = isAbove(serial, file.serial) ? serial : undefined;
    // Another run may have replaced the file, and had it loaded, since it was read.
    if (ahead !== undefined && this.folder.read(zone)?.equals(bytes) !== true) return this.#read(zone);
    const isBehind = this.#options.reload !== undefined && (serial !== undefined || (error && isReply(error)));
    const kept = { bytes, text: file };
    const stored = { bytes, file, ahead, notRaised };
    if (loaded === undefined) return { ...stored, loaded: isBehind || ahead !== undefined ? kept : undefined };
    const text = loaded.length === 0 ? blank : this.#parse(zone, loaded);
    return { ...stored, loaded: { bytes: loaded, text } };
  }

  /** Secondaries take a zone only with a serial above the last one (RFC 1982 §3.2). */
  #notRaised(zone: Name, bytes: Buffer, serial: number | undefined): number | undefined {
    const { serials, isOwn } = this.folder.lastSerials(zone);
    if (serial === undefined || serials.every((last) => isLater(serial, last)) || isOwn(bytes)) return undefined;
    return serials.find((last) => !isLater(serial, last));
  }

  /**
   * Whether a server with a serial has loaded a file: it has the same one, or it signs the zone and has one above it,
   * because it counts on when it signs again.
   */
  async #hasReached(zone: Name, file: ReadText, served: number | undefined): Promise<boolean> {
    const { verifyAt } = this.#options;
    if (served === undefined || file.serial === undefined || verifyAt === undefined) return false;
    if (served === file.serial) return true;
    if (!isLater(served, file.serial) || file.records.some(coversSerial)) return false;
    this.requests++;
    try {
      return await hasSignedSoa(verifyAt, zone, { bounds: askBounds });
    } catch (error) {
      // Without a reply nothing tells that the server has another zone.
      if (error instanceof TransferError) return true;
      throw error;
    }
  }

  /** Whether the server has the serial of a file that it has loaded. @throws {FilesError} */
  async isLoaded(zone: Name, served: number): Promise<boolean> {
    const bytes = this.folder.read(zone);
    return bytes !== undefined && this.#hasReached(zone, this.#parse(zone, bytes), served);
  }

  #parse(zone: Name, bytes: Buffer): ReadText {
    const path = this.folder.pathOf(zone);
    const read = readZoneText(zone, { file: path, bytes, folder: this.folder.path, path });
    if (read.errors.length > 0) throw invalidFileError(zone, path, read.errors, this.#options.verifyAt);
    return read;
  }

  /** The octets of the file; undefined if someone else changed it meanwhile. */
  async #publish(
    zone: Name,
    stored: StoredZone | undefined,
    wanted: readonly LiveRecord[],
  ): Promise<Buffer | undefined> {
    const { serial: served, error } = await this.#askSerial(zone);
    if (!stored && error && !isReply(error)) throw silentServerError(zone, this.#options.verifyAt, error);
    const { serial } = stored?.file ?? {};
    const isServed = served === undefined || (serial !== undefined && !isAbove(served, serial));
    const isKept = isServed && stored?.notRaised === undefined && (await this.#statedAbove(zone, serial)) === undefined;
    if (stored && isKept && isSameContent(stored.file.records, wanted)) {
      // The file may be one that someone else has written.
      if (serial !== undefined) this.folder.replace(zone, this.folder.prepareSerials(zone, [serial], stored.bytes));
      return stored.bytes;
    }
    const known = this.#knownSerials(zone, stored, served);
    const { bytes, serial: chosen } = await this.#compose(zone, wanted, known);
    const parts: PartFile[] = [];
    try {
      const part = this.folder.prepare(zone, this.folder.pathOf(zone), bytes);
      // The serial first, so that one that servers may have is known whenever a run is killed.
      parts.push(part);
      parts.unshift(this.folder.prepareSerials(zone, [chosen], bytes));
      await this.#check(zone, part.part, stored === undefined);
      if (this.#options.reload || this.#options.verifyAt) {
        const before = stored ? [stored.bytes] : [];
        const loaded = stored?.loaded?.bytes ?? stored?.bytes ?? Buffer.alloc(0);
        this.folder.keepLoaded(zone, loaded, [...before, bytes]);
      }
      const now = this.folder.read(zone);
      const isSame = stored ? now?.equals(stored.bytes) === true : now === undefined;
      if (!isSame) return undefined;
      this.folder.replace(zone, ...parts);
      return bytes;
    } finally {
      for (const { part } of parts) rmSync(part, { force: true });
    }
  }

  /** The serials that a server or a secondary may have of a zone, also of one that was deleted. @throws {FilesError} */
  #knownSerials(zone: Name, stored: StoredZone | undefined, served: number | undefined): number[] {
    const ofFiles = [stored?.file.serial, stored?.loaded?.text.serial, served, this.folder.journalSerial(zone)];
    const known = [...new Set(ofFiles.filter((serial) => serial !== undefined))];
    const withLast = [...new Set([...known, ...this.folder.lastSerials(zone).serials])];
    // Should no serial be above all, someone has written that of the server into the file, as `noSerialError` advises.
    return hasAbove(withLast) ? withLast : known;
  }

  /** The new file: the source with a serial of ours, if it has the wanted records, or else one of our own. */
  async #compose(
    zone: Name,
    wanted: readonly LiveRecord[],
    others: readonly number[],
  ): Promise<{ readonly bytes: Buffer; readonly serial: number }> {
    const source = await this.#options.sourceOf(zone);
    if (wanted.some(coversSerial)) {
      const { serials, isOwn } = this.folder.lastSerials(zone);
      // A run may have been killed before it replaced the file, or someone has put an old one in its place.
      const isLast = source?.text !== undefined && isOwn(withoutMark(source.text.bytes));
      const below = isLast ? others.filter((other) => !serials.includes(other)) : others;
      return signedSource(zone, source?.text, { wanted, others: below });
    }
    const serial = chooseSerial(this.#options.serial, this.#options.now(), withStated(others, source?.serial));
    if (serial === undefined) throw noSerialError(zone, others);
    const own = source?.text && withSerial(zone, source.text, serial);
    if (own && hasContent(zone, own, wanted)) return { bytes: own, serial };
    const rendered = render(zone, wanted, serial);
    if (!hasContent(zone, rendered, wanted)) throw new Error("a zone file is not read as it was written");
    return { bytes: rendered, serial };
  }

  async #check(zone: Name, file: string, isNew: boolean): Promise<void> {
    const { check } = this.#options;
    if (!check) return;
    const end = await this.run(wordsFor(check, { zone, file }));
    if (end.state === "done") return;
    // The new file has a temporary name, and is removed.
    const name = basename(this.folder.pathOf(zone));
    const reason = withoutPartOf(file, end.reason.replaceAll(file, name), name);
    throw checkError(zone, check[0] ?? "", { ...end, reason }, isNew);
  }

  /** Has the server load a file, and waits until it has. */
  async #load(zone: Name, file: Buffer): Promise<void> {
    const { reload, verifyAt, sleep } = this.#options;
    if (!reload && !verifyAt) return;
    if (reload) await this.#reload(zone, reload);
    const serial = this.fileSerial(zone);
    let served: number | undefined;
    for (const wait of verifyAt && serial !== undefined ? this.#waits : []) {
      await sleep(wait);
      served = await this.servedSerial(zone);
      // Another run may have replaced the file since.
      if (served === undefined || !(served === serial || (await this.isLoaded(zone, served)))) continue;
      // BIND keeps its journal up to the version that it has, except for one of a backup.
      const isStale = served === serial && this.folder.journalSerial(zone) !== serial;
      if (isStale) this.folder.dropJournal(zone, serial);
      return this.folder.forgetLoaded(zone, file);
    }
    this.#waits = this.isSilent ? loadWaits.slice(0, shortWaits) : loadWaits;
    if (verifyAt && serial !== undefined)
      throw notLoadedError(zone, verifyAt, { serials: [serial, served], hasReload: reload !== undefined });
    this.folder.forgetLoaded(zone, file);
  }

  async #reload(zone: Name, reload: readonly string[]): Promise<void> {
    const words = wordsFor(reload, { zone, file: this.folder.pathOf(zone) });
    let end = await this.run(words);
    const journal = end.state === "failed" ? await this.#dropJournal(zone) : "none";
    if (journal === "dropped") end = await this.run(words);
    const left = journal === "left" ? this.folder.journalOf(zone) : undefined;
    if (end.state !== "done") throw reloadError(zone, reload, end, left);
  }

  /**
   * Removes BIND's journal if all of it is older than the version that BIND has loaded last, or, where none is known,
   * if BIND has not loaded the zone and the journal is older than the file.
   */
  async #dropJournal(zone: Name): Promise<ReturnType<ZoneFolder["dropJournal"]>> {
    const { file, loaded } = (await this.#read(zone)) ?? {};
    const isKnown = loaded !== undefined && loaded.text !== file && loaded.text !== blank;
    if (isKnown) return this.folder.dropJournal(zone, loaded.text.serial);
    const { error } = await this.#askSerial(zone);
    return this.folder.dropJournal(zone, error && isReply(error) ? file?.serial : undefined);
  }

  /** Runs a program in the folder and environment of the target. After one that did not end, others get less time. */
  async run(words: readonly string[]): Promise<ProgramEnd> {
    const { cwd, env, endGroup, run = runWithLimit } = this.#options;
    const end = await run(words, { cwd, env, endGroup, limitMs: this.#limitMs });
    if (end.state === "late") this.#limitMs = Math.min(this.#limitMs, shortLimitMs);
    return end;
  }
}

/** Whether no server has loaded anything of a zone. */
function isBlank({ loaded }: StoredZone): boolean {
  return loaded?.bytes.length === 0;
}

/** A reason with a name in the place of the end of a path, with which a long output begins after it was cut. */
function withoutPartOf(path: string, reason: string, name: string): string {
  const [, how = "", text = ""] = /^(.*?: )(.*)$/s.exec(reason) ?? [];
  const end = [...path].map((_, at) => path.slice(at + 1)).find((end) => end !== "" && text.startsWith(end));
  return end?.endsWith(".part") ? `${how}${name}${text.slice(end.length)}` : reason;
}

/** Whether the server has replied. A reply without a serial is of one that has not loaded the zone. */
function isReply({ problem: { id } }: TransferError): boolean {
  return id !== "transfer/timeout" && id !== "transfer/connect" && id !== "transfer/incomplete";
}

/** Whether a serial is not that of a file, nor one before it (RFC 1982 §3.2). */
function isAbove(served: number | undefined, serial: number | undefined): boolean {
  return served !== undefined && serial !== undefined && served !== serial && !isLater(serial, served);
}

const blank: ReadText = { records: [], serial: undefined, errors: [] };

function withGivenSerial(record: LiveRecord, serial: number): LiveRecord {
  const data = { ...record.data, serial };
  return copyRecord(record, { data, id: contentId({ ...record, data }) });
}

/** Signatures and digests of a zone cover its serial (RFC 4035 §2.2, RFC 8976 §2.2.1). */
function coversSerial({ type }: LiveRecord): boolean {
  return type === "RRSIG" || type === "ZONEMD";
}

/** A signed zone, or one with a digest, is published as it is. @throws {FilesError} */
function signedSource(
  zone: Name,
  source: ZoneText | undefined,
  { wanted, others }: { readonly wanted: readonly LiveRecord[]; readonly others: readonly number[] },
): { readonly bytes: Buffer; readonly serial: number } {
  const bytes = source && withoutMark(source.bytes);
  if (!bytes || !hasContent(zone, bytes, wanted)) throw signedContentError(zone);
  const { serial } = readZoneText(zone, { file: source.file, bytes });
  if (serial === undefined || !others.every((other) => isLater(serial, other)))
    throw signedSerialError(zone, serial, others);
  return { bytes, serial };
}

function hasContent(zone: Name, bytes: Buffer, wanted: readonly LiveRecord[]): boolean {
  const { records, errors } = readZoneText(zone, { file: "the new file", bytes });
  return errors.length === 0 && isSameContent(records, wanted);
}
