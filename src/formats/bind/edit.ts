import { formatDuration } from "../../dns/duration.ts";
import { isInside, type Name, nameKey, readName, relativeTo, spellName } from "../../dns/name.ts";
import type { Rdata } from "../../dns/rdata/record-type.ts";
import { rdataText } from "../../dns/zone.ts";
import { Scanner } from "../scan.ts";
import type { Splice } from "../splice.ts";
import type { Entry, RecordEntry, Span } from "./layout.ts";

/** An entry that holds a record, in the text that it stands in. */
export interface Spot {
  readonly text: string;
  readonly entry: Entry;
  readonly record: RecordEntry;
}

/** Other data in the place of what an entry has: only the tokens that differ, so that comments and parentheses stay. */
export function dataSplices({ text, entry, record }: Spot, before: Rdata, after: Rdata): Splice[] {
  const { type, typeAt } = record;
  const places = entry.tokens.slice(typeAt + 1);
  const written = places.map(({ start, end }) => text.slice(start, end));
  const spell = speller(entry.origin, isAbsolute(written, entry.origin));
  const lower = (name: Name) => nameKey(name);
  const fresh = words(rdataText({ type, data: after }, spell));
  const old = words(rdataText({ type, data: before }, lower));
  const wanted = words(rdataText({ type, data: after }, lower));
  if (old.length !== places.length || wanted.length !== fresh.length || written[0] === "\\#") {
    return replaced(text, places, fresh.join(" "));
  }
  if (type === "SOA")
    fresh.forEach((word, index) => {
      if (/^\d+[a-z]/i.test(written[index] ?? "")) fresh[index] = formatDuration(Number(word));
    });
  const first = old.findIndex((word, index) => word !== wanted[index]);
  const start = first === -1 ? old.length : first;
  if (old.length === wanted.length) {
    return places.flatMap(({ start, end }, index) =>
      old[index] === wanted[index] ? [] : [{ start, end, text: fresh[index] ?? "" }],
    );
  }
  let same = 0;
  const most = Math.min(old.length, wanted.length) - start;
  while (same < most && old[old.length - 1 - same] === wanted[wanted.length - 1 - same]) same++;
  const middle = fresh.slice(start, fresh.length - same).join(" ");
  const gone = places.slice(start, places.length - same);
  if (gone.length > 0) return replaced(text, gone, middle);
  const next = places[start];
  if (next) return [{ start: next.start, end: next.start, text: `${middle} ` }];
  const end = places.at(-1)?.end ?? entry.tokens.at(-1)?.end ?? entry.from;
  return [{ start: end, end, text: ` ${middle}` }];
}

/** Another TTL of its own for an entry, or none. Columns stay where they are as far as there is room. */
export function ttlSplices({ text, entry, record }: Spot, ttl: number | undefined): Splice[] {
  const own = entry.tokens[record.ttlAt];
  if (own && ttl !== undefined) {
    const fresh = ttlText(ttl, text.slice(own.start, own.end));
    const room = blanks(text, own.end);
    const grown = fresh.length - (own.end - own.start);
    const isSpaced = room > 1 && !text.slice(own.end, own.end + room).includes("\t");
    if (!isSpaced) return [{ ...own, text: fresh }];
    const eaten = Math.max(0, Math.min(grown, room - 1));
    return [{ start: own.start, end: own.end + eaten, text: fresh.padEnd(own.end - own.start) }];
  }
  if (own) {
    const room = blanks(text, own.end);
    return room > 1 && !text.slice(own.end, own.end + room).includes("\t")
      ? [{ ...own, text: " ".repeat(own.end - own.start) }]
      : [{ start: own.start, end: own.end + room, text: "" }];
  }
  if (ttl === undefined) return [];
  const head = entry.tokens[record.classAt === -1 ? record.typeAt : Math.min(record.classAt, record.typeAt)];
  const at = head?.start ?? entry.from;
  const fresh = `${ttl} `;
  const gap = /(?<= )( *)$/.exec(text.slice(entry.from, at))?.[1]?.length ?? 0;
  const isColumn = gap >= fresh.length && entry.tokens[0] !== head;
  return [{ start: isColumn ? at - gap : at, end: at, text: isColumn ? fresh.padEnd(gap) : fresh }];
}

/** The owner, written out in an entry that had it from the one before. */
export function ownerSplice({ text, entry, record }: Spot): Splice {
  const owner = relativeTo(record.owner, entry.origin);
  const spaces = /^ */.exec(text.slice(entry.from))?.[0].length ?? 0;
  const isColumn = spaces > owner.length;
  return { start: entry.from, end: entry.from + (isColumn ? owner.length : 0), text: owner };
}

/** Seconds, with a unit where the text in its place had one. */
export function ttlText(seconds: number, like: string): string {
  return /[a-z]/i.test(like) ? formatDuration(seconds) : String(seconds);
}

/** How names are spelled in one place: absolute, or relative where they are inside. */
export function speller(origin: Name, absolute: boolean): (name: Name) => string {
  return (name) => (absolute ? name : spellName(name, origin));
}

/** Is there a name among the words that could be relative and is not? */
export function isAbsolute(words: readonly string[], origin: Name): boolean {
  return words.some((word) => {
    if (origin === "." || word.startsWith('"') || !word.endsWith(".") || word.length < 2) return false;
    try {
      return isInside(readName(word, origin), origin);
    } catch {
      return false;
    }
  });
}

/** The words of RDATA in its canonical spelling. */
export function words(rdata: string): string[] {
  const scanner = new Scanner(rdata);
  scanner.next();
  const { table } = scanner;
  return Array.from({ length: table.count }, (_, token) => rdata.slice(table.startOf(token), table.endOf(token)));
}

/** The first of the tokens becomes the text, the others go; what stands between them stays. */
function replaced(text: string, places: readonly Span[], fresh: string): Splice[] {
  return places.map(({ start, end }, index) => {
    if (index === 0 && fresh !== "") return { start, end, text: fresh };
    let from = start;
    while (text[from - 1] === " " || text[from - 1] === "\t") from--;
    return { start: from, end, text: "" };
  });
}

function blanks(text: string, at: number): number {
  return /^[ \t]*/.exec(text.slice(at, at + 200))?.[0].length ?? 0;
}
