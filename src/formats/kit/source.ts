import type { Fix } from "../../diagnostics/advice.ts";
import type { Place, Problem } from "../../diagnostics/problem.ts";
import type { RuleId } from "../../diagnostics/registry.ts";
import type { Name } from "../../dns/name/name.ts";
import type { AddressOf } from "../../dns/zone/node-reference.ts";
import type { Zone } from "../../dns/zone/zone.ts";
import type { Setting } from "../../dns/zone/zone-settings.ts";

/** A zone file to read. */
export interface ZoneFileBytes {
  /** As the user named it, for messages. */
  readonly file: string;
  readonly bytes: Uint8Array;
  /** The zone's name unless the file sets one: from the file's name, or from the user. */
  readonly origin: Name;
  /** The settings that the file may have. */
  readonly settings: readonly Setting[];
  /** Without it nothing can be included. */
  readonly includer?: Includer;
  /** The TTL of records without one, in seconds, for formats that leave it to a config. */
  readonly defaultTtl?: number;
  /** The addresses of nodes, once they are known, for formats that refer to them. */
  readonly addressOf?: AddressOf;
}

/** A file that another one includes. */
export interface IncludedFile {
  readonly file: string;
  readonly bytes: Uint8Array;
  /** Identifies the file, independent of its path. */
  readonly identity: string;
}

export interface Includer {
  /** The identity of the zone file itself. */
  readonly identity: string;
  /** Opens the file of an `$INCLUDE` in the file `from`. @throws {Fault} if that is forbidden or fails. */
  open(written: string, from: string): IncludedFile;
}

/** Called for each value that a writer changes: a file has one TTL for each set. */
export type Report = (found: Problem) => void;

/** The readable part of a zone, and every problem. Reading never throws. */
export interface ReadResult {
  readonly zone: Zone;
  readonly problems: readonly Problem[];
  /** Records of the file that are not in the zone although they are no errors, such as those that octoDNS ignores. */
  readonly omitted?: readonly UnreadEntry[];
}

/** A record that could not be read. */
export interface UnreadEntry {
  readonly owner: Name;
  /** As it is written, such as `A` or `CLOUDFLAREAPI_SINGLE_REDIRECT`. */
  readonly type: string;
  /** In seconds. */
  readonly ttl?: number | undefined;
  /** Its data as it is written, on one line. */
  readonly rdata?: string;
  /** A clause after a colon, such as `its data is invalid: a port is a number up to 65535`. */
  readonly reason: string;
  readonly rule?: RuleId;
  /** The fix, in sentences. */
  readonly fix?: Fix;
  readonly place?: Place | undefined;
}

/** A format of zone files. A new one is one folder, one line in `readers.ts` and one in `formats.ts`. */
export interface Source {
  readonly name: string;
  /** File extensions, with their dot. */
  readonly endings: readonly string[];
  read(file: ZoneFileBytes): ReadResult;
  /** The zone in canonical form. */
  write(zone: Zone, options: WriteOptions): string;
  /**
   * Writes the zone into its existing file; unchanged parts stay the same, octet for octet. Absent for read-only
   * formats. @throws {ProblemError} for a file with errors, and for changes that must be made by hand.
   */
  rewrite?(zone: Zone, previous: ZoneFileBytes, report?: Report): Uint8Array;
}

export interface WriteOptions {
  /** The settings of the target, in the order in which files have them. */
  readonly settings: readonly Setting[];
  /** Names of the service's name servers, which a BIND zone file needs at its apex and an API zone does not contain. */
  readonly nameservers?: readonly Name[] | undefined;
  /** The path of the JSON Schema for editors, relative to the file, if any. */
  readonly schema?: string | undefined;
}

/** The maximum size of a zone file in bytes: files are read into memory. */
export const largestFile = 256 * 1024 * 1024;
