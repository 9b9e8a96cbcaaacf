import { createHash } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Name, nameKey, readExactName } from "../../dns/name/name.ts";
import { isLater } from "../../dns/name/serial.ts";
import { type PartFile, readRegularFile, removeParts, writePart } from "../../file-system.ts";
import { fileName, originOf } from "../../formats/files.ts";
import { largestFile } from "../../formats/kit/source.ts";
import { folderError, longNameError, unreadableError, writeError } from "./failure.ts";

const ending = ".zone";

/** The place of the last serial in BIND's journals: after 16 octets of format, the first serial and its offset. */
const journalEndAt = 24;

/** The longest name of a zone file in octets: file systems allow 255, and `.NAME.written` stands beside it. */
const longestName = 246;

/** The age at which no process writes a temporary file any more, in milliseconds. */
const oldPartMs = 600_000;

/**
 * The zone files of a folder, named as `export` names them. Beside a file that the server may not have loaded yet
 * stands `.example.com.zone.loaded`: a line with the digests of the file before and after the change, then the octets
 * that the server has loaded, none for a new zone. It counts for a file with one of these digests, and not for one that
 * someone else has written. `.example.com.zone.written` has the serial of the file that was written last and its
 * digest, or of a deleted one the serials that servers may still have.
 */
export class ZoneFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** @throws {FilesError} */
  names(): Name[] {
    try {
      const files = readdirSync(this.path).filter((file) => file.endsWith(ending) && !file.startsWith("."));
      // Other files, such as those that name their zone in another way, are not ours.
      const names = files.map((file) => readExactName(originOf(file)));
      return names.filter((name) => files.includes(nameOf(name)) && Buffer.byteLength(nameOf(name)) <= longestName);
    } catch (error) {
      throw folderError(this.path, error);
    }
  }

  /** @throws {FilesError} for a name that is too long for a file and those beside it */
  pathOf(zone: Name): string {
    const name = nameOf(zone);
    const length = Buffer.byteLength(name);
    if (length > longestName) throw longNameError(zone, [length, longestName]);
    return join(this.path, name);
  }

  /** The file of a zone; undefined if it has none. @throws {FilesError} */
  read(zone: Name): Buffer | undefined {
    return this.#read(this.pathOf(zone));
  }

  /** The octets that the server has loaded, unless it may have loaded those of the file. @throws {FilesError} */
  readLoaded(zone: Name, bytes: Uint8Array): Buffer | undefined {
    const kept = this.#read(this.#loadedPath(zone));
    if (kept === undefined) return undefined;
    const head = kept.subarray(0, kept.indexOf("\n") + 1);
    const loaded = kept.subarray(head.length);
    return head.includes(digestOf(bytes)) && !loaded.equals(bytes) ? loaded : undefined;
  }

  /** Whether `readLoaded` may have something of a zone. */
  hasLoaded(zone: Name): boolean {
    return statSync(this.#loadedPath(zone), { throwIfNoEntry: false }) !== undefined;
  }

  /** Keeps what the server has loaded, until it has loaded the new octets. @throws {FilesError} */
  keepLoaded(zone: Name, loaded: Uint8Array, files: readonly Uint8Array[]): void {
    const head = `; ${files.map(digestOf).join(" ")}\n`;
    this.replace(zone, this.prepare(zone, this.#loadedPath(zone), Buffer.concat([Buffer.from(head), loaded])));
  }

  /** Notes that the server has loaded the file, unless another run has replaced it since. @throws {FilesError} */
  forgetLoaded(zone: Name, file: Uint8Array): void {
    if (this.read(zone)?.equals(file) !== true) return;
    this.#write(zone, this.#loadedPath(zone), () => rmSync(this.#loadedPath(zone), { force: true }));
  }

  /** The same, by someone who reads the zone, and may not be allowed to write. */
  tidyLoaded(zone: Name): void {
    try {
      rmSync(this.#loadedPath(zone), { force: true });
    } catch {
      // The server shows the next time again that it has loaded the file.
    }
  }

  /** Writes a temporary file beside the destination, on the disk when this returns. @throws {FilesError} */
  prepare(zone: Name, path: string, bytes: Uint8Array): PartFile {
    if (!statSync(this.path, { throwIfNoEntry: false })) throw folderError(this.path, new MissingError());
    return this.#write(zone, path, () => writePart(path, bytes, true, this.pathOf(zone)));
  }

  /** Gives temporary files their names, one after the other. @throws {FilesError} */
  replace(zone: Name, ...parts: readonly PartFile[]): void {
    for (const { part, path } of parts) this.#write(zone, path, () => renameSync(part, path));
    this.#write(zone, this.pathOf(zone), () => this.#flush());
  }

  /** Removes the file of a zone, and keeps its serials for one that is created later. @throws {FilesError} */
  remove(zone: Name, serials: readonly number[]): void {
    this.replace(zone, this.prepareSerials(zone, serials, this.read(zone)));
    this.#write(zone, this.#loadedPath(zone), () => rmSync(this.#loadedPath(zone), { force: true }));
    this.#write(zone, this.pathOf(zone), () => {
      rmSync(this.pathOf(zone), { force: true });
      this.#flush();
    });
  }

  /**
   * The serial of the file that was written last, or those that servers may have of a deleted one. `isOwn`: whether it
   * has these octets. @throws {FilesError}
   */
  lastSerials(zone: Name): { readonly serials: readonly number[]; readonly isOwn: (bytes: Uint8Array) => boolean } {
    const words = this.#read(this.#writtenPath(zone))?.toString("latin1").trim().split(" ") ?? [];
    const serials = words.filter((word) => /^\d{1,10}$/.test(word)).map(Number);
    return { serials: serials.filter((one) => one < 2 ** 32), isOwn: (bytes) => words.includes(digestOf(bytes)) };
  }

  /** A temporary file with the serial of a file, or with those of one that is deleted. @throws {FilesError} */
  prepareSerials(zone: Name, serials: readonly number[], bytes?: Uint8Array): PartFile {
    const line = [...serials, ...(bytes ? [digestOf(bytes)] : [])].join(" ");
    const part = this.prepare(zone, this.#writtenPath(zone), Buffer.from(`${line}\n`));
    this.#clean(part);
    return part;
  }

  /**
   * Removes BIND's journal of a zone (`ixfr-from-differences`) that ends with a serial, or before it: it only has
   * differences up to this version, and BIND loads no file with a serial that is not in it when it starts. Returns
   * whether one is left: it may have dynamic updates. @throws {FilesError}
   */
  dropJournal(zone: Name, serial: number | undefined): "none" | "dropped" | "left" {
    const path = this.journalOf(zone);
    if (!statSync(path, { throwIfNoEntry: false })) return "none";
    const last = this.journalSerial(zone);
    if (last === undefined || serial === undefined || isLater(last, serial)) return "left";
    this.#write(zone, path, () => rmSync(path));
    return "dropped";
  }

  /** The last serial in BIND's journal of a zone; undefined if there is none, or this user may not read it. */
  journalSerial(zone: Name): number | undefined {
    const head = this.#readHead(this.journalOf(zone));
    return head?.toString("latin1").startsWith(";BIND LOG") ? head.readUInt32BE(journalEndAt) : undefined;
  }

  journalOf(zone: Name): string {
    return `${this.pathOf(zone)}.jnl`;
  }

  /** Removes temporary files that a killed process left, by the clock of the file system, which wrote this one now. */
  #clean({ part }: PartFile): void {
    removeParts(this.path, statSync(part).mtimeMs - oldPartMs);
  }

  #read(path: string): Buffer | undefined {
    let isThere: boolean;
    try {
      statSync(this.path);
      isThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
    } catch (error) {
      throw folderError(this.path, error);
    }
    if (!isThere && lstatSync(path, { throwIfNoEntry: false }))
      throw unreadableError(path, new Error("it is a link to a missing file"));
    if (!isThere) return undefined;
    try {
      return readRegularFile(path, largestFile);
    } catch (error) {
      throw unreadableError(path, error);
    }
  }

  /** The first octets of a journal; undefined if there is none, or this user may not read it. */
  #readHead(path: string): Buffer | undefined {
    const head = Buffer.alloc(journalEndAt + 4);
    try {
      const file = openSync(path, "r");
      try {
        return readSync(file, head) === head.length ? head : undefined;
      } finally {
        closeSync(file);
      }
    } catch {
      return undefined;
    }
  }

  #write<T>(zone: Name, path: string, write: () => T): T {
    try {
      return write();
    } catch (error) {
      throw writeError(zone, path, error);
    }
  }

  #loadedPath(zone: Name): string {
    return besides(this.pathOf(zone), "loaded");
  }

  #writtenPath(zone: Name): string {
    return besides(this.pathOf(zone), "written");
  }

  /** A rename is durable once the folder is synced, which some file systems and mounts do not support. */
  #flush(): void {
    const folder = openSync(this.path, "r");
    try {
      fsyncSync(folder);
    } catch (error) {
      if (!/^(?:EINVAL|ENOTSUP|EOPNOTSUPP|ENOSYS)$/.test(String((error as NodeJS.ErrnoException).code))) throw error;
    } finally {
      closeSync(folder);
    }
  }
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

class MissingError extends Error {
  readonly code = "ENOENT";
}

/** A file with something about another one, whose name begins with a dot, so that no server loads it. */
function besides(path: string, what: "loaded" | "written"): string {
  return join(dirname(path), `.${basename(path)}.${what}`);
}

function nameOf(zone: Name): string {
  return `${fileName(nameKey(zone))}${ending}`;
}
