import { type Splice, spliced } from "./splice.ts";

/** A comment: its text as octets without its mark, and the offset at which it stands. */
export interface Remark {
  readonly text: string;
  readonly at: number;
}

/** Something on a line that a comment can be about. `rank` 1 is the outermost: a name, then its types, then records. */
export interface Spot {
  readonly key: string;
  readonly rank: number;
  readonly at: number;
}

/** A zone file as its comments see it. */
export interface Sheet {
  readonly text: string;
  readonly spots: readonly Spot[];
  readonly remarks: readonly Remark[];
  /** Comments inside of a record that goes over several lines: behind which word of its data. */
  readonly inner: readonly { readonly key: string; readonly word: number; readonly remark: Remark }[];
}

/** The comments of a file by what they are about. */
export interface Remarks {
  /** What stands before everything, and behind it; undefined is an empty line. */
  readonly head: readonly (Remark | undefined)[];
  readonly tail: readonly (Remark | undefined)[];
  readonly above: ReadonlyMap<string, readonly Remark[]>;
  readonly behind: ReadonlyMap<string, readonly Remark[]>;
  readonly inner: ReadonlyMap<string, ReadonlyMap<number, readonly Remark[]>>;
  /** Those about nothing in particular, such as a title over a part of the file: in another order they would be wrong. */
  readonly homeless: readonly Remark[];
}

/**
 * What each comment of a file is about: the one at the end of a line about what starts there, lines of comments about
 * what starts in the line right below, those before everything and behind it about the file.
 */
export function gather({ text, spots, remarks, inner }: Sheet): Remarks {
  const head: (Remark | undefined)[] = [];
  const above = new Map<string, Remark[]>();
  const behind = new Map<string, Remark[]>();
  const homeless: Remark[] = [];
  const loose: (Remark | undefined)[] = [];
  let block: Remark[] = [];
  let isBody = false;
  const bySpot = byLine(text, spots);
  const byRemark = byLine(text, remarks);
  for (const { start, end } of linesOf(text)) {
    const [remark, ...others] = byRemark.get(start) ?? [];
    const here = bySpot.get(start) ?? [];
    const isOwn = remark !== undefined && text.slice(start, remark.at).trim() === "";
    if (isOwn && here.length === 0) block.push(remark);
    else if (text.slice(start, end).trim() === "") {
      (isBody ? loose : head).push(...block, ...(block.length > 0 ? [undefined] : []));
      block = [];
    } else if (isBody || here.length > 0) {
      homeless.push(...loose.flatMap((remark) => remark ?? []));
      loose.length = 0;
      const [first] = here;
      if (!isBody) head.push(...block);
      else if (first) put(above, first.key, block);
      else homeless.push(...block);
      block = [];
      isBody = true;
      const about = aboutLine(here);
      if (remark && about) put(behind, about.key, [remark, ...others]);
      else if (remark) homeless.push(remark, ...others);
    } else head.push(...block.splice(0), ...(remark ? [remark] : [])); // marks of the document
  }
  const rest = [...loose, ...block];
  while (rest.length > 0 && rest.at(-1) === undefined) rest.pop();
  return {
    head: isBody ? head : [],
    tail: isBody ? rest : [...head, ...rest],
    above,
    behind,
    inner: innerByKey(inner),
    homeless,
  };
}

/** How comments are written into a file. */
export interface Hand {
  readonly mark: ";" | "#";
  /** The outermost rank whose lines can have a comment at their end. */
  readonly behindFrom: number;
}

/** A file with comments in it, and those that found no place. */
export function decorated(
  { text, spots }: Sheet,
  remarks: Remarks,
  { mark, behindFrom }: Hand,
): { text: string; lost: Remark[] } {
  const splices: Splice[] = [];
  const { above: wantedAbove, behind: wantedBehind } = adapted(remarks, spots);
  const open = new Set([...wantedAbove.keys(), ...wantedBehind.keys()]);
  const bySpot = byLine(text, spots);
  for (const { start, end } of linesOf(text)) {
    const here = bySpot.get(start) ?? [];
    const lines: Remark[] = [];
    let last: readonly Remark[] = [];
    for (const { key, rank } of here) {
      open.delete(key);
      lines.push(...(wantedAbove.get(key) ?? []));
      const fresh = wantedBehind.get(key) ?? [];
      if (fresh.length === 0) continue;
      const isBehind = rank >= behindFrom && aboutLine(here.filter((spot) => spot.rank <= rank)) !== undefined;
      if (!isBehind) lines.push(...fresh);
      else {
        lines.push(...last);
        last = fresh;
      }
    }
    const indent = /^ */.exec(text.slice(start, end))?.[0] ?? "";
    const [tail, ...others] = last;
    const above = [...lines, ...others].map((remark) => `${indent}${shown(remark, mark)}\n`).join("");
    if (above !== "") splices.push({ start, end: start, text: above });
    if (tail) splices.push({ start: end, end, text: ` ${shown(tail, mark)}` });
  }
  const lost = [...open].flatMap((key) => [...(wantedAbove.get(key) ?? []), ...(wantedBehind.get(key) ?? [])]);
  const head = remarks.head.map((remark) => `${remark ? shown(remark, mark) : ""}\n`).join("");
  const tail = remarks.tail.map((remark) => `${remark ? shown(remark, mark) : ""}\n`).join("");
  return { text: head + spliced(text, splices) + (tail === "" ? "" : `\n${tail}`), lost };
}

/** What the other format has no line for moves to what holds it: a set's TTL to the set, the records to what comes first. */
function adapted({ above, behind }: Remarks, spots: readonly Spot[]): Pick<Remarks, "above" | "behind"> {
  const known = new Set(spots.map(({ key }) => key));
  const moved = new Map<string, Remark[]>();
  const rest = new Map<string, Remark[]>();
  const home = (key: string) =>
    known.has(key) ? key : key === "setting records" ? (spots[0]?.key ?? key) : key.replace(/^(?:ttl|values) /, "set ");
  for (const [key, remarks] of above) put(moved, home(key), remarks);
  for (const [key, remarks] of behind) put(home(key) === key ? rest : moved, home(key), remarks);
  return { above: moved, behind: rest };
}

/** The texts of all comments: what must be the same before and after. */
export function allTexts({ remarks, inner }: Sheet): string[] {
  return [...remarks, ...inner.map(({ remark }) => remark)].map(({ text }) => text.trim());
}

/** A key for each of several things that are called the same. */
export function numbered(): (key: string) => string {
  const counts = new Map<string, number>();
  return (key) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count === 1 ? key : `${key} #${count}`;
  };
}

function shown({ text }: Remark, mark: string): string {
  // In column one ;@ would be a directive.
  if (mark === ";" && text.startsWith("@")) return `; ${text}`.trimEnd();
  return `${mark}${text}`.trimEnd();
}

/** What a comment at the end of a line is about: the innermost of what starts there, unless several of that kind do. */
function aboutLine(spots: readonly Spot[]): Spot | undefined {
  for (let rank = 4; rank > 0; rank--) {
    const [first, second] = spots.filter((spot) => spot.rank === rank);
    if (first && !second) return first;
  }
  return undefined;
}

function innerByKey(inner: Sheet["inner"]): Map<string, Map<number, Remark[]>> {
  const keys = new Map<string, Map<number, Remark[]>>();
  for (const { key, word, remark } of inner) {
    const words = keys.get(key) ?? new Map<number, Remark[]>();
    keys.set(key, words);
    words.set(word, [...(words.get(word) ?? []), remark]);
  }
  return keys;
}

function put(map: Map<string, Remark[]>, key: string, remarks: readonly Remark[]): void {
  if (remarks.length > 0) map.set(key, [...(map.get(key) ?? []), ...remarks]);
}

function* linesOf(text: string): Generator<{ start: number; end: number }> {
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const next = found === -1 ? text.length : found;
    yield { start, end: text[next - 1] === "\r" ? next - 1 : next };
    start = next + 1;
  }
}

/** Things by the start of the line that they stand in. */
function byLine<T extends { readonly at: number }>(text: string, things: readonly T[]): Map<number, T[]> {
  const lines = new Map<number, T[]>();
  for (const thing of things) {
    const start = text.lastIndexOf("\n", thing.at - 1) + 1;
    const known = lines.get(start);
    if (known) known.push(thing);
    else lines.set(start, [thing]);
  }
  return lines;
}
