import { createColors } from "picocolors";

/** Colours and symbols of a terminal. Colour never carries meaning alone; symbols fall back to ASCII. */
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
  /** Not where it would have to be spelled in characters that values have too. */
  readonly ellipsis: string | undefined;
}

export function palette({ color, unicode }: Style): Palette {
  const { green, yellow, red, cyan, dim, bold } = createColors(color);
  const symbols = unicode
    ? { arrow: "→", dot: "·", swap: "⇄", approximately: "≈", ellipsis: "…" }
    : { arrow: "->", dot: "-", swap: "<>", approximately: "about", ellipsis: undefined };
  return { green, yellow, red, cyan, dim, bold, ...symbols };
}
