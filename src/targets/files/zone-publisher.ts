import { rmSync } from "node:fs";
import { basename } from "node:path";
import type { SerialPolicy } from "../../config/target-kinds.ts";
import { type Name, type NameKey, nameKey } from "../../dns/name/name.ts";
import { isLater } from "../../dns/name/serial.ts";
import type { Message, MessageQuestion } from "../../dns/transfer/message.ts";
import { TransferError } from "../../dns/transfer/transfer-error.ts";
import type { LiveRecord, RecordChange } from "../../dns/zone/desired-live.ts";
import { copyRecord, setType } from "../../dns/zone/zone.ts";
import { ask, askSoa } from "../../dns-client/ask.ts";
import type { ServerAddress } from "../../dns-client/server-address.ts";
import { groupBy } from "../../group-by.ts";
import { soaOf } from "../accept-apex.ts";
import { contentId } from "../content-id.ts";
import { otherSets } from "../other-sets.ts";
import type { ExpectedSet, ReadOptions } from "../target.ts";
import { withoutSerial } from "../without-serial.ts";
import {
  changedError,
  checkError,
  crowdedNameError,
  existsError,
  invalidFileError,
  missingZoneError,
  noSerialError,
  notLoadedError,
  optionError,
  reloadError,
  signedContentError,
  signedSerialError,
} from "./failure.ts";
import { looksLikeOption, type ProgramEnd, type RunProgram, runWithLimit, wordsFor } from "./program.ts";
import { chooseSerial } from "./serial.ts";
import { ZoneFolder } from "./zone-folder.ts";
import {
  isSameContent,
  type ReadText,
  readZoneText,
  render,
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
  /** The BIND zone file that a zone is from, to be published octet for octet; undefined for one of another format. */
  readonly sourceOf: (zone: Name) => Promise<ZoneText | undefined>;
  /** The working folder of the programs, and their environment. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly run?: RunProgram;
}

/** Time limits of a program, in milliseconds: usually, and once one did not end in this time. */
const usualLimitMs = 60_000;
const shortLimitMs = 5_000;

/** Waits for a server that loads a file later than its reload ends, in milliseconds. */
const loadWaits = [0, 20, 50, 100, 200, 400, 800, 1_600, 3_200];

/** A reply that is late is none: the next look asks again. */
const askBounds = { connectMs: 1_000, idleMs: 1_000, totalMs: 2_000, timeoutMs: 500, attempts: 2 };

/** The number of times that a file is read again because someone else changed it. */
const mostTries = 3;

/** A zone that has a file. */
interface StoredZone {
  readonly bytes: Buffer;
  readonly file: ReadText;
  /** The zone that the server has loaded, unless it may have loaded the file. */
  readonly loaded: { readonly bytes: Buffer; readonly text: ReadText } | undefined;
}

/** Reads the zone files of a folder, and replaces them. */
export class ZonePublisher {
  /** The number of files that were read, and of questions to the server. */
  requests = 0;
  readonly folder: ZoneFolder;
  readonly #options: FilesOptions;
  #limitMs = usualLimitMs;
  /** Zones that were created, and whose first records make their file. */
  readonly #created = new Map<NameKey, Name>();

  constructor(options: FilesOptions) {
    this.#options = options;
    this.folder = new ZoneFolder(options.folder);
  }

  names(): readonly Name[] {
    this.requests++;
    return [...this.folder.names(), ...this.#created.values()];
  }

  /** Undefined without a file. `isBlank`: a zone of which no server has loaded anything. @throws {FilesError} */
  async find(zone: Name): Promise<{ readonly isBlank: boolean } | undefined> {
    const stored = await this.#read(zone);
    if (stored) return { isBlank: stored.loaded?.bytes.length === 0 };
    return this.#created.has(nameKey(zone)) ? { isBlank: true } : undefined;
  }

  /** A zone without a file, until its first records come: a server loads no zone without name servers. */
  async create(zone: Name): Promise<void> {
    const isThere = this.#created.has(nameKey(zone)) || (await this.#read(zone)) !== undefined;
    if (isThere) throw existsError(zone, this.folder.pathOf(zone));
    this.#created.set(nameKey(zone), zone);
  }

  /** @throws {FilesError} */
  async remove(zone: Name): Promise<void> {
    const isCreated = this.#created.delete(nameKey(zone));
    const stored = await this.#read(zone);
    if (!stored && !isCreated) throw missingZoneError(zone);
    if (stored) this.folder.dropJournal(zone, (stored.loaded?.text ?? stored.file).serial);
    this.folder.remove(zone);
  }

  /**
   * The records that the server has loaded, as far as known; otherwise those of the file. Where the server has not
   * loaded the file, the SOA record keeps its serial, so that the zone differs from every desired one and the next
   * apply loads it.
   * @throws {FilesError}
   */
  async records(zone: Name): Promise<readonly LiveRecord[]> {
    const stored = await this.#read(zone);
    if (!stored) {
      if (this.#created.has(nameKey(zone))) return [];
      throw missingZoneError(zone);
    }
    if (!stored.loaded) return stored.file.records;
    const { records, serial } = stored.loaded.text;
    return records.map((record) => (record.type === "SOA" ? withGivenSerial(record, serial || 1) : record));
  }

  /** The serial in the file of a zone. @throws {FilesError} */
  fileSerial(zone: Name): number | undefined {
    const bytes = this.folder.read(zone);
    return bytes && this.#parse(zone, bytes).serial;
  }

  /** The octets of the file of a zone; empty without one. */
  text(zone: Name): string {
    this.requests++;
    const bytes = this.folder.read(zone);
    return bytes === undefined ? "" : withoutOwnComments(bytes).toString("utf8");
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
    for (let tries = 1; ; tries++) {
      const stored = await this.#read(zone);
      const records = await this.records(zone);
      if (expected && otherSets(records, expected).length > 0) throw changedError(zone, this.folder.pathOf(zone));
      if (await this.#publish(zone, stored, changedRecords(zone, records, changes))) break;
      if (tries === mostTries) throw changedError(zone, this.folder.pathOf(zone));
    }
    this.#created.delete(nameKey(zone));
    await this.#load(zone);
  }

  /** Asks a server that loads the files. @throws {TransferError} without a response */
  ask(server: ServerAddress, question: MessageQuestion, { signal }: ReadOptions = {}): Promise<Message> {
    this.requests++;
    return ask(server, { question }, { bounds: askBounds, ...(signal && { signal }) });
  }

  /** The serial that the server has; undefined if it does not have the zone, or cannot be asked. */
  async servedSerial(zone: Name): Promise<number | undefined> {
    const { verifyAt } = this.#options;
    if (!verifyAt) return undefined;
    this.requests++;
    try {
      return (await askSoa(verifyAt, zone, { bounds: askBounds })).data.serial;
    } catch (error) {
      if (error instanceof TransferError) return undefined;
      throw error;
    }
  }

  async #read(zone: Name): Promise<StoredZone | undefined> {
    this.requests++;
    const bytes = this.folder.read(zone);
    if (bytes === undefined) return undefined;
    const file = this.#parse(zone, bytes);
    const loaded = this.folder.readLoaded(zone, bytes);
    if (loaded === undefined || (await this.#hasLoaded(zone, file.serial))) return { bytes, file, loaded: undefined };
    const text = loaded.length === 0 ? blank : this.#parse(zone, loaded);
    return { bytes, file, loaded: { bytes: loaded, text } };
  }

  async #hasLoaded(zone: Name, serial: number | undefined): Promise<boolean> {
    const served = await this.servedSerial(zone);
    return served !== undefined && serial !== undefined && !isLater(serial, served);
  }

  #parse(zone: Name, bytes: Buffer): ReadText {
    const path = this.folder.pathOf(zone);
    const read = readZoneText(zone, { file: path, bytes, folder: this.folder.path, path });
    if (read.errors.length > 0) throw invalidFileError(zone, path, read.errors);
    return read;
  }

  /** False if someone else changed the file meanwhile. */
  async #publish(zone: Name, stored: StoredZone | undefined, wanted: readonly LiveRecord[]): Promise<boolean> {
    const served = await this.servedSerial(zone);
    const { serial } = stored?.file ?? {};
    const isAbove = served === undefined || (serial !== undefined && !isLater(served, serial));
    if (stored && isAbove && isSameContent(stored.file.records, wanted)) return true;
    const others = [serial, stored?.loaded?.text.serial, served].filter((one) => one !== undefined);
    const bytes = await this.#compose(zone, wanted, [...new Set(others)]);
    const part = this.folder.prepare(zone, this.folder.pathOf(zone), bytes);
    try {
      this.folder.clean(part);
      await this.#check(zone, part.part);
      if (this.#options.reload) {
        const before = stored ? [stored.bytes] : [];
        const loaded = stored?.loaded?.bytes ?? stored?.bytes ?? Buffer.alloc(0);
        this.folder.keepLoaded(zone, loaded, [...before, bytes]);
      }
      const now = this.folder.read(zone);
      const isSame = stored ? now?.equals(stored.bytes) === true : now === undefined;
      if (isSame) this.folder.replace(zone, part);
      return isSame;
    } finally {
      rmSync(part.part, { force: true });
    }
  }

  /** The new file: the source with a serial of ours, if it has the wanted records, or else one of our own. */
  async #compose(zone: Name, wanted: readonly LiveRecord[], others: readonly number[]): Promise<Buffer> {
    const source = await this.#options.sourceOf(zone);
    if (wanted.some(({ type }) => type === "RRSIG")) return signedSource(zone, source, { wanted, others });
    const serial = chooseSerial(this.#options.serial, this.#options.now(), others);
    if (serial === undefined) throw noSerialError(zone, others);
    const own = source && withSerial(zone, source, serial);
    if (own && hasContent(zone, own, wanted)) return own;
    const rendered = render(zone, wanted, serial);
    if (!hasContent(zone, rendered, wanted)) throw new Error("a zone file is not read as it was written");
    return rendered;
  }

  async #check(zone: Name, file: string): Promise<void> {
    const { check } = this.#options;
    if (!check) return;
    const end = await this.run(wordsFor(check, { zone, file }));
    if (end.state === "done") return;
    // The new file has a temporary name, and is removed.
    const reason = end.reason.replaceAll(file, basename(this.folder.pathOf(zone)));
    throw checkError(zone, check[0] ?? "", { ...end, reason });
  }

  /** Has the server load the file, and waits until it has. */
  async #load(zone: Name): Promise<void> {
    const { reload, verifyAt, sleep } = this.#options;
    if (!reload) return;
    const words = wordsFor(reload, { zone, file: this.folder.pathOf(zone) });
    let end = await this.run(words);
    const journal = end.state === "failed" ? await this.#dropJournal(zone) : "none";
    if (journal === "dropped") end = await this.run(words);
    const left = journal === "left" ? this.folder.journalOf(zone) : undefined;
    if (end.state !== "done") throw reloadError(zone, reload[0] ?? "", end, left);
    const serial = this.fileSerial(zone);
    for (const wait of verifyAt && serial !== undefined ? loadWaits : []) {
      await sleep(wait);
      if (await this.#hasLoaded(zone, serial)) return this.folder.forgetLoaded(zone);
    }
    if (verifyAt && serial !== undefined) throw notLoadedError(zone, verifyAt, [serial, await this.servedSerial(zone)]);
    this.folder.forgetLoaded(zone);
  }

  /** Removes BIND's journal if it ends with the version that BIND has loaded last. */
  async #dropJournal(zone: Name): Promise<ReturnType<ZoneFolder["dropJournal"]>> {
    const loaded = (await this.#read(zone))?.loaded;
    return this.folder.dropJournal(zone, loaded?.text.serial);
  }

  /** Runs a program in the folder and environment of the target. After one that did not end, others get less time. */
  async run(words: readonly string[]): Promise<ProgramEnd> {
    const { cwd, env, run = runWithLimit } = this.#options;
    const end = await run(words, { cwd, env, limitMs: this.#limitMs });
    if (end.state === "late") this.#limitMs = Math.min(this.#limitMs, shortLimitMs);
    return end;
  }
}

const blank: ReadText = { records: [], serial: undefined, errors: [] };

function withGivenSerial(record: LiveRecord, serial: number): LiveRecord {
  const data = { ...record.data, serial };
  return copyRecord(record, { data, id: contentId({ ...record, data }) });
}

/** The records of a zone after changes, with an SOA record. @throws {FilesError} */
function changedRecords(
  zone: Name,
  records: readonly LiveRecord[],
  changes: readonly RecordChange[],
): readonly LiveRecord[] {
  const wanted = new Map(records.map((record) => [record.id, record]));
  for (const change of changes)
    if (change.kind !== "create" && !wanted.delete(change.before.id)) throw missingZoneError(zone);
  const add = (after: LiveRecord | Exclude<RecordChange, { kind: "delete" }>["after"]) => {
    const plain = withoutSerial(after);
    const id = contentId(plain);
    wanted.set(id, copyRecord(plain, { id }));
  };
  for (const change of changes) if (change.kind !== "delete") add(change.after);
  const soa = [...wanted.values()].find(({ type }) => type === "SOA");
  if (soa) wanted.delete(soa.id);
  add(soa ?? soaOf({ name: zone, settings: {}, records: [...wanted.values()] }));
  const all = [...wanted.values()];
  const crowded = crowdedName(all);
  if (crowded !== undefined) throw crowdedNameError(zone, crowded);
  return all;
}

/** A name with a CNAME and other records; signatures and NSEC records do not count (RFC 4035 §2.5). */
function crowdedName(records: readonly LiveRecord[]): Name | undefined {
  const aliases = records.filter(({ type }) => type === "CNAME");
  const ofAliases = new Set(aliases.map(({ owner }) => nameKey(owner)));
  const isCounted = (record: LiveRecord) =>
    ofAliases.has(nameKey(record.owner)) && !/^(?:RRSIG|NSEC|KEY)/.test(setType(record));
  const names = groupBy(records.filter(isCounted), ({ owner }) => nameKey(owner));
  return aliases.find(({ owner }) => (names.get(nameKey(owner))?.length ?? 0) > 1)?.owner;
}

/** A signed zone is published as it is, because its signatures cover the serial. @throws {FilesError} */
function signedSource(
  zone: Name,
  source: ZoneText | undefined,
  { wanted, others }: { readonly wanted: readonly LiveRecord[]; readonly others: readonly number[] },
): Buffer {
  const bytes = source && Buffer.from(source.bytes);
  if (!bytes || !hasContent(zone, bytes, wanted)) throw signedContentError(zone);
  const { serial } = readZoneText(zone, { file: source.file, bytes });
  if (serial === undefined || !others.every((other) => isLater(serial, other)))
    throw signedSerialError(zone, serial, others);
  return bytes;
}

function hasContent(zone: Name, bytes: Buffer, wanted: readonly LiveRecord[]): boolean {
  const { records, errors } = readZoneText(zone, { file: "the new file", bytes });
  return errors.length === 0 && isSameContent(records, wanted);
}
