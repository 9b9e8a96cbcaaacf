/** A replacement of the text from `start` up to `end`. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies all changes, in order if they are at the same place. They must not overlap. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let out = "";
  let at = 0;
  for (const splice of [...splices].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (splice.start < at) throw new Error(`two changes overlap at offset ${splice.start}`);
    out += text.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  return out + text.slice(at);
}
