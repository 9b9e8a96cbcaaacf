import { advise, type Fix } from "../../diagnostics/advice.ts";
import { type Place, type Problem, problem } from "../../diagnostics/problem.ts";
import type { Name } from "../../dns/name/name.ts";
import type { Scope } from "../../dns/zone/scope.ts";
import type { ZoneRecord } from "../../dns/zone/zone.ts";
import type { ZoneSettings } from "../../dns/zone/zone-settings.ts";
import type { UnreadEntry, ZoneFileBytes } from "../kit/source.ts";
import type { ForeignEnding } from "./endings.ts";

/**
 * A file of another tool that may describe many zones, which `import file` reads and nothing writes. A new one is a
 * file in this folder and one line in `foreignFormats` of `formats.ts`. `readTree` of `yaml/tree.ts` reads JSON with
 * places.
 *
 * Nothing is left out in silence. Each record of the file is in `records`, or in `unread` with the reason; every other
 * part that a zone file cannot contain is a problem with its place. Reading never throws, and does no I/O.
 */
export interface ForeignFormat {
  /** For messages, such as "Terraform state". */
  readonly name: string;
  /** The endings of its files, with the dot. Files with another ending are read if they are named as arguments. */
  readonly endings: readonly ForeignEnding[];
  /** Whether the contents have this format. The first format that recognises a file reads it, so this is strict. */
  readonly recognises: (file: ForeignFile) => boolean;
  readonly read: (file: ForeignFile) => ForeignResult;
}

/**
 * A file to read. `origin` is the zone of a file that does not name one: from the file's name or from the user; the
 * root if neither is a name. `settings` are those that a zone can have.
 */
export type ForeignFile = Pick<ZoneFileBytes, "file" | "bytes" | "origin" | "settings">;

export interface ForeignResult {
  readonly zones: readonly ForeignZone[];
  /** Problems of the file as a whole. After an error none of its zones is imported. */
  readonly problems: readonly Problem[];
}

/** A zone as another tool describes it. */
export interface ForeignZone {
  readonly name: Name;
  /** The settings that the file has, as far as they are among those of the target. */
  readonly settings: ZoneSettings;
  /**
   * The records, the SOA and the apex NS records included if the file has them. An undefined TTL is `settings.ttl_sec`.
   * With `source`, `start` and `end` the ledger shows the place of a record.
   */
  readonly records: readonly ZoneRecord[];
  /** The identity of each record in the other tool, such as the address of a resource and its id. */
  readonly origins?: readonly string[];
  /** Records that DNS has no type for, and those with invalid data. The ledger has them as lost. */
  readonly unread: readonly UnreadEntry[];
  /** The live records that the other tool leaves alone, as far as patterns of zonewright have the same meaning. */
  readonly scope?: Scope;
  /**
   * Other parts that are not imported, such as settings and provider options: one `omitted` for each. An error makes
   * the import of this zone fail.
   */
  readonly problems: readonly Problem[];
}

/** The problem of a part that a zone file cannot contain. `why` continues the sentence after a colon. */
export function omittedProblem(part: string, why: Fix, place: Place | undefined): Problem {
  return problem(
    "foreign-omitted",
    typeof why === "string" ? `${part} is not imported: ${why}` : advise`${part} is not imported: ${why}`,
    { place },
  );
}
