import type { Palette } from "./palette.ts";

export type LineKind = "create" | "change" | "swap" | "delete";

/** One change of a plan, as text without colour or control characters. */
export interface Line {
  /** Number of its step. */
  readonly step: number;
  readonly kind: LineKind;
  readonly owner: string;
  /** Of a record; a zone, a setting and a swap have it in their values. */
  readonly typeAndTtl?: readonly [type: string, ttl: string];
  readonly values: readonly Value[];
  /** Consequences. */
  readonly comments: readonly string[];
  /** Its place in a zone file, such as `zones/example.com.yaml:4`; empty without one. */
  readonly place: string;
}

/** A value, and how it follows the one before: `→ 192.0.2.7`. */
export interface Value {
  readonly text: string;
  readonly joint?: string;
  /** Words rather than a value: it may be broken at spaces instead of being shortened. */
  readonly isProse?: true;
}

/** The symbols that the lines are written with. */
export type Symbols = Pick<Palette, "arrow" | "dot" | "ellipsis">;
