import { createColors } from "picocolors";

/** How a terminal is written to. Colour never carries meaning alone; symbols fall back to ASCII. */
export interface Style {
  readonly color: boolean;
  readonly unicode: boolean;
}

export interface Palette {
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly red: (text: string) => string;
  readonly cyan: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
  readonly arrow: string;
  readonly dot: string;
  readonly swap: string;
  readonly approximately: string;
}

export function palette({ color, unicode }: Style): Palette {
  const { green, yellow, red, cyan, dim, bold } = createColors(color);
  const symbols = unicode
    ? { arrow: "→", dot: "·", swap: "⇄", approximately: "≈" }
    : { arrow: "->", dot: "-", swap: "<>", approximately: "about" };
  return { green, yellow, red, cyan, dim, bold, ...symbols };
}
