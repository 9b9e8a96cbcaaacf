import { createColors } from "picocolors";
import type { Door } from "../../diagnostics/advice.ts";

/** Colours and symbols of a terminal. Colour never carries meaning alone; symbols fall back to ASCII. */
export interface Style {
  readonly color: boolean;
  readonly unicode: boolean;
  /** The door whose words texts use; the command line by default. */
  readonly door?: Door;
}

/**
 * Colours from the 16 that terminals adapt to their background. Good is blue and bad is red, because colour-blind
 * people can tell these apart, unlike green and red.
 */
export interface Palette {
  readonly blue: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly red: (text: string) => string;
  readonly cyan: (text: string) => string;
  readonly magenta: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
  readonly arrow: string;
  readonly dot: string;
  readonly swap: string;
  readonly ellipsis: string;
  readonly door: Door;
}

export function palette({ color, unicode, door = "cli" }: Style): Palette {
  const { blue, yellow, red, cyan, magenta, dim, bold } = createColors(color);
  const symbols = unicode
    ? { arrow: "→", dot: "·", swap: "⇄", ellipsis: "…" }
    : { arrow: "->", dot: "-", swap: "<>", ellipsis: "..." };
  return { blue, yellow, red, cyan, magenta, dim, bold, door, ...symbols };
}
