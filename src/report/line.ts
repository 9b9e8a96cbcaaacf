import type { Palette } from "./palette.ts";

export type LineKind = "create" | "change" | "swap" | "delete";

/** One effect of a plan, as text without colour in which nothing is hostile. */
export interface Line {
  readonly kind: LineKind;
  readonly owner: string;
  /** Type, TTL and value of a record; or one text, where that does not fit. */
  readonly cells: readonly [type: string, ttl: string, value: string] | readonly [text: string];
  /** The consequence, and where it is written. */
  readonly comment: string;
}

/** The symbols that the lines are written with. */
export type Symbols = Pick<Palette, "arrow" | "dot" | "ellipsis">;
