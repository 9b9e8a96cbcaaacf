import { advise, type Fix } from "../../diagnostics/advice.ts";
import { type Place, type ProblemError, problemError } from "../../diagnostics/problem.ts";

/** A zone that a file lists. */
export interface ListedZone {
  readonly name: string;
  readonly place: Place;
  /** Why it is not transferred. */
  readonly skipped?: Fix;
  /** Its part of the configuration of a name server. */
  readonly configured?: ConfiguredZone;
}

/** A zone in the configuration of a name server. */
export interface ConfiguredZone {
  readonly server: "BIND" | "Knot" | "NSD";
  /** The type in BIND's words, such as `primary`. */
  readonly type: string;
  /** The path of its zone file; relative to the folder where the server starts. Absent if it has none. */
  readonly file?: string;
  /**
   * The folder that the paths of `$INCLUDE` are relative to, itself relative as `file` is; absent if that is the folder
   * of the including file.
   */
  readonly directory?: string;
  /** The TTL of records that have none before any `$TTL`, in seconds; absent if the rules of BIND apply. */
  readonly defaultTtl?: number;
  /** The view that it is in. */
  readonly view?: string;
  /** Its statements, such as `allow-transfer`, with their words. */
  readonly statements: ReadonlyMap<string, readonly string[]>;
}

export const catalogReason = advise`it is a catalog zone; its members are transferred with ${{ set: "catalog" }}`;

/** Name servers answer these themselves (RFC 6303, RFC 6761); BIND's packages list them as zones. */
export function localReason(name: string): string | undefined {
  const isLocal = /^(?:|localhost|(?:0|127|255|0\.0\.127|1\.0\.0\.127)\.in-addr\.arpa|[01]\.(?:0\.){31}ip6\.arpa)\.?$/i;
  return isLocal.test(name) ? "every name server has this local zone itself" : undefined;
}

export function placeAt(file: string, line: number, column = 1, length = 1): Place {
  return { file, line, column, length };
}

/** A syntax error in the configuration of a name server. */
export function configFault(summary: string, place: Place, fix: string): ProblemError {
  return problemError("server-config-syntax", summary, { place, fix });
}
