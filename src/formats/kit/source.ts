import type { Problem } from "../../diagnostics/problem.ts";
import type { Name } from "../../dns/name.ts";
import type { Zone } from "../../dns/zone.ts";
import type { Setting } from "../../dns/zone-settings.ts";

/** A zone file to read. */
export interface ZoneFile {
  /** As the user named it, for messages. */
  readonly file: string;
  readonly bytes: Uint8Array;
  /** The zone's name unless the file says otherwise: from the file's name, or given by the user. */
  readonly origin: Name;
  /** Those that the file may have. */
  readonly settings: readonly Setting[];
  /** Without it nothing can be included. */
  readonly includer?: Includer;
  /** For formats whose files leave it to a config: the TTL of records that say none, in seconds. */
  readonly defaultTtl?: number;
}

/** A file that another one includes. */
export interface IncludedFile {
  readonly file: string;
  readonly bytes: Uint8Array;
  /** The same for the same file, however it is called. */
  readonly identity: string;
}

export interface Includer {
  /** The identity of the zone file itself. */
  readonly identity: string;
  /**
   * Opens a file by the name that an `$INCLUDE` in the file `from` writes.
   * @throws {Fault} when it may not or cannot be read.
   */
  open(written: string, from: string): IncludedFile;
}

/** Hears of what a writer changes in the data: a file has one TTL for each set. */
export type Report = (found: Problem) => void;

/** The zone as far as it could be read, and every problem. Reading throws nothing. */
export interface ReadResult {
  readonly zone: Zone;
  readonly problems: readonly Problem[];
}

/** A format of zone files. A new one is one folder and one line in `formats.ts`. */
export interface Source {
  readonly name: string;
  /** File name endings, with their dot. */
  readonly endings: readonly string[];
  read(file: ZoneFile): ReadResult;
  /** The zone in canonical form. */
  write(zone: Zone, options: WriteOptions): string;
  /**
   * The zone in the text of a file that held it before; what did not change stays, octet for octet. Absent where a
   * format is only read.
   * @throws {ProblemError} for a file with errors, and where a change cannot be made without a person.
   */
  rewrite?(zone: Zone, previous: ZoneFile, report?: Report): Uint8Array;
}

export interface WriteOptions {
  /** Those of the target, in the order in which files have them. */
  readonly settings: readonly Setting[];
  /** Names of the service's name servers: what a master file needs at its apex and an API zone does not hold. */
  readonly nameservers?: readonly Name[] | undefined;
  /**
   * Where the JSON Schema is that editors check a YAML file with, as seen from the file; absent where there is none.
   */
  readonly schema?: string | undefined;
}

/** Zone files are read whole; larger ones are refused. */
export const largestFile = 256 * 1024 * 1024;
