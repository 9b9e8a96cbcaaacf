import { formatDuration } from "../../dns/name/duration.ts";
import { isInside, type Name, nameKey, readName, relativeTo } from "../../dns/name/name.ts";
import type { SpellName } from "../../dns/rdata/field.ts";
import type { Rdata } from "../../dns/rdata/record-type.ts";
import { rdataText } from "../../dns/zone/zone.ts";
import type { Splice } from "../edit/splice.ts";
import { splitRdata } from "../kit/rdata-words.ts";
import type { Range } from "./token-columns.ts";
import { headIndexes, type RecordEntry } from "./tree.ts";
import { ownerCell } from "./write.ts";

/** RDATA and its replacement. */
interface DataChange {
  readonly before: Rdata;
  readonly after: Rdata;
}

/** Replaces only the changed tokens of an entry's RDATA, so that comments and parentheses stay. */
export function dataSplices(
  text: string,
  entry: RecordEntry,
  { before, after }: DataChange,
  spellTarget: SpellName,
): Splice[] {
  const { typeAt } = entry;
  const { type } = entry.record;
  const places = entry.tokens.slice(typeAt + 1);
  const written = places.map(({ start, end }) => text.slice(start, end));
  const spell = hasAbsoluteName(written, entry.origin) ? keepAbsolute : spellTarget;
  const lowerCase = (name: Name) => nameKey(name);
  const fresh = splitRdata(rdataText({ type, data: after }, spell));
  const old = splitRdata(rdataText({ type, data: before }, lowerCase));
  const wanted = splitRdata(rdataText({ type, data: after }, lowerCase));
  if (old.length !== places.length || wanted.length !== fresh.length || written[0] === "\\#") {
    return replaceTokens(text, places, fresh.join(" "));
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
  if (gone.length > 0) return replaceTokens(text, gone, middle);
  const next = places[start];
  if (next) return [{ start: next.start, end: next.start, text: `${middle} ` }];
  const end = places.at(-1)?.end ?? entry.tokens.at(-1)?.end ?? entry.start;
  return [{ start: end, end, text: ` ${middle}` }];
}

/** Writes, replaces or removes the TTL of an entry. Columns stay aligned if there is room. */
export function ttlSplices(text: string, entry: RecordEntry, ttl: number | undefined): Splice[] {
  const { tokens } = entry;
  const { ttlAt, classAt } = headIndexes(text, entry, tokens);
  const own = tokens[ttlAt];
  if (own && ttl !== undefined) {
    const fresh = ttlText(ttl, text.slice(own.start, own.end));
    const room = blankLength(text, own.end);
    const grown = fresh.length - (own.end - own.start);
    const isSpaced = room > 1 && !text.slice(own.end, own.end + room).includes("\t");
    if (!isSpaced) return [{ ...own, text: fresh }];
    const eaten = Math.max(0, Math.min(grown, room - 1));
    return [{ start: own.start, end: own.end + eaten, text: fresh.padEnd(own.end - own.start) }];
  }
  if (own) {
    const room = blankLength(text, own.end);
    return room > 1 && !text.slice(own.end, own.end + room).includes("\t")
      ? [{ ...own, text: " ".repeat(own.end - own.start) }]
      : [{ start: own.start, end: own.end + room, text: "" }];
  }
  if (ttl === undefined) return [];
  const head = tokens[classAt === -1 ? entry.typeAt : classAt];
  const at = head?.start ?? entry.start;
  const fresh = `${ttl} `;
  const gap = /(?<= )( *)$/.exec(text.slice(entry.start, at))?.[1]?.length ?? 0;
  const isColumn = gap >= fresh.length && tokens[0] !== head;
  return [{ start: isColumn ? at - gap : at, end: at, text: isColumn ? fresh.padEnd(gap) : fresh }];
}

/** Writes the owner of an entry that inherited it. */
export function ownerSplice(text: string, entry: RecordEntry): Splice {
  const owner = ownerCell(relativeTo(entry.record.owner, entry.origin));
  const spaces = /^ */.exec(text.slice(entry.start))?.[0].length ?? 0;
  const isColumn = spaces > owner.length;
  return { start: entry.start, end: entry.start + (isColumn ? owner.length : 0), text: owner };
}

/** Seconds, with a unit if the replaced text had one. */
export function ttlText(seconds: number, like: string): string {
  return /[a-z]/i.test(like) ? formatDuration(seconds) : String(seconds);
}

/** Spells all names absolute, as the author of the file does. */
export function keepAbsolute(name: Name): string {
  return name;
}

/** Whether one of the words is an absolute name that could be relative. */
export function hasAbsoluteName(words: readonly string[], origin: Name): boolean {
  return words.some((word) => {
    if (origin === "." || word.startsWith('"') || !word.endsWith(".") || word.length < 2) return false;
    try {
      return isInside(readName(word, origin), origin);
    } catch {
      return false;
    }
  });
}

/** Replaces the first token by the text and deletes the others; comments between them stay. */
function replaceTokens(text: string, places: readonly Range[], fresh: string): Splice[] {
  return places.map(({ start, end }, index) => {
    if (index === 0 && fresh !== "") return { start, end, text: fresh };
    let from = start;
    while (text[from - 1] === " " || text[from - 1] === "\t") from--;
    return { start: from, end, text: "" };
  });
}

function blankLength(text: string, at: number): number {
  return /^[ \t]*/.exec(text.slice(at, at + 200))?.[0].length ?? 0;
}
