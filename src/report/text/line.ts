import type { ChangeKind } from "../../planner/changes/change.ts";
import type { ChangePlace } from "./change-place.ts";
import type { Palette } from "./palette.ts";

export type LineKind = ChangeKind;

/** One change of a plan as text, without colours or control characters. */
export interface Line {
  /** Number of its step. */
  readonly step: number;
  readonly kind: LineKind;
  readonly owner: string;
  /** Type and TTL of a record; part of the values for zones, settings and swaps. */
  readonly typeAndTtl?: readonly [type: string, ttl: string];
  readonly values: readonly Value[];
  /** The targets that have it, if not all targets that change the zone do: `on office`. */
  readonly on?: string;
  /** Guards that block it, or blocked it: `blocked by G05`. */
  readonly marks?: readonly string[];
  /** Names that are briefly without an answer. */
  readonly gaps?: readonly string[];
  /** The longest time that resolvers may keep an old answer, in seconds; 0 if there is none. */
  readonly settling: number;
  /** Of that, how long resolvers may keep the record as it was before. */
  readonly oldSeconds?: number;
  /** Of that, how long they may keep "no such record" from a gap. */
  readonly gapSeconds?: number;
  /** Its other consequences. */
  readonly effects: readonly string[];
  /** Its place in a zone file, such as `zones/example.com.yaml:4`; empty without one. */
  readonly place: string;
  /** The place that causes it, also of a deletion; absent if no file describes the zone. */
  readonly cause?: ChangePlace;
}

/** A value, and the symbol before it: `→ 192.0.2.7`. */
export interface Value {
  readonly text: string;
  readonly joint?: string;
  /** Whether the text is prose, which is wrapped instead of shortened. */
  readonly isProse?: true;
}

/** The symbols in lines. */
export type Symbols = Pick<Palette, "arrow" | "dot" | "ellipsis">;
