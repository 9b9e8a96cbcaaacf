/**
 * The number of columns that a text takes on a terminal (Unicode TR11): two for East Asian wide characters and emoji,
 * none for marks that combine with the character before them, and for colours. Expects text without other control
 * characters.
 */
export function columns(text: string): number {
  if (isPlain(text)) return text.length;
  return characters(text.includes("\u001b") ? text.replace(sequences, "") : text).reduce(
    (sum, character) => sum + columnsOfOne(character),
    0,
  );
}

/** The colours of a text, and the moves of the cursor before a bar. */
const sequences = /\r|\u001b\[[\d;]*[A-Za-z]/g;

function isNarrow(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/** Whether each character is narrow and stands alone: Latin letters, punctuation, arrows, lines. */
function isPlain(text: string): boolean {
  return /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u21ff\u2500-\u257f]*$/.test(text);
}

let segmenter: Intl.Segmenter | undefined; // it takes 10 ms to load

/** The characters of a text, each with its combining marks; an escape of RDATA (`\"`, `\240`) is one. */
export function characters(text: string): readonly string[] {
  if (isNarrow(text)) return text.match(/\\\d{3}|\\?./g) ?? [];
  if (isPlain(text)) return Array.from(text);
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function columnsOfOne(character: string): number {
  if (isNarrow(character)) return character.length;
  if (/^\p{Mark}*$/u.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{17000}-\u{18aff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;

/** Fills up with spaces to `width` columns. */
export function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - columns(text)));
}

/** Options of `shorten`. */
interface Shortening {
  readonly width: number;
  readonly ellipsis: string;
  /** A text that this one is compared with: the first difference stays visible. */
  readonly unlike?: string | undefined;
}

/**
 * Shortens a text to at most `width` columns: keeps its beginning and end, and puts its length in between. A text that
 * fits is returned unchanged.
 */
export function shorten(text: string, { width, ellipsis, unlike }: Shortening): string {
  if (columns(text) <= width) return text;
  const all = characters(text);
  const long = `${ellipsis}(${all.length} characters)${ellipsis}`;
  const mark = width - columns(long) >= 8 ? long : `${ellipsis}${all.length}${ellipsis}`;
  const room = Math.max(2, width - columns(mark));
  const tail = fitCharacters(all.toReversed(), Math.floor(room / 3)).reverse();
  const head = fitCharacters(all, room - columns(tail.join("")));
  const start = unlike === undefined ? 0 : firstDifference(all, characters(unlike));
  if (start < head.length - 1 || start >= all.length - tail.length || room < 3 * leastPart)
    return head.join("") + mark + tail.join("");
  // The difference is in the part that is left out: show it instead of most of the head.
  const lead = fitCharacters(all, leastPart);
  const from = Math.max(lead.length, start - 2);
  const middle = fitCharacters(
    all.slice(from, all.length - tail.length),
    room - leastPart - columns(ellipsis + tail.join("")),
  );
  return lead.join("") + ellipsis + middle.join("") + mark + tail.join("");
}

/** The fewest characters of a useful part of a text. */
const leastPart = 4;

function firstDifference(a: readonly string[], b: readonly string[]): number {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  return same;
}

/** The first characters that fit into a width. */
function fitCharacters(all: readonly string[], width: number): string[] {
  const taken: string[] = [];
  let left = width;
  for (const character of all) {
    left -= columnsOfOne(character);
    if (left < 0) break;
    taken.push(character);
  }
  return taken;
}

/**
 * Breaks a text into lines at spaces, but not inside short code in backticks; lines after the first are indented by
 * `hang` columns. A word that is wider than a line gets a separate line.
 */
export function wrap(text: string, width = Number.POSITIVE_INFINITY, hang = 0): string[] {
  if (columns(text) <= width) return [text.trimEnd()];
  const words = wordsOf(text);
  return pack(
    words.map((word, index) => (index === 0 ? word : word.slice(1))),
    " ",
    width,
    hang,
  );
}

/** The most characters of code that stay on one line. */
const shortCode = 34;

/** The words of a text, each with the spaces before it; short code in backticks is one. */
function wordsOf(text: string): string[] {
  const parts = text.split("`");
  const isOdd = parts.length % 2 === 0; // the last backtick begins no code
  const joined = parts.map((part, index) =>
    index % 2 === 1 && part.length <= shortCode && !(isOdd && index === parts.length - 1)
      ? part.replaceAll(" ", "\0")
      : part,
  );
  return (joined.join("`").match(/ *[^ ]+/g) ?? [""]).map((word) => word.replaceAll("\0", " "));
}

/** Breaks text at a width, as `wrap` does, and also words that are wider than a line. */
export function fold(text: string, width: number): string[] {
  return wrap(text, width).flatMap((line) => {
    const lines: string[] = [];
    for (let left = characters(line); left.length > 0 || lines.length === 0; ) {
      const end = Math.max(1, fitCharacters(left, width).length);
      lines.push(left.slice(0, end).join(""));
      left = left.slice(end);
    }
    return lines;
  });
}

/** Items in as few lines as possible, in their order; one that is wider than a line is broken at spaces. */
export function packItems(items: readonly string[], separator: string, width: number): string[] {
  return pack(items, separator, width).flatMap((line) => (columns(line) > width ? wrap(line, width) : [line]));
}

function pack(items: readonly string[], separator: string, width: number, hang = 0): string[] {
  const lines: string[] = [];
  let used = 0;
  for (const item of items) {
    const needed = columns(item);
    const last = lines.length - 1;
    if (last >= 0 && used + columns(separator) + needed <= width) {
      lines[last] += separator + item;
      used += columns(separator) + needed;
    } else {
      const line = last < 0 ? item : " ".repeat(hang) + item.trimStart();
      lines.push(line);
      used = columns(line);
    }
  }
  return lines;
}

/**
 * Breaks lines at spaces, so that they fit a terminal of `width` columns; in a pipe, where it is undefined, lines stay
 * whole. Further lines are indented like the first one, or below its last column. Lines of files stay whole, and a
 * command to paste continues after a backslash.
 */
export function fitLines(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  return text
    .split("\n")
    .flatMap((line) => (columns(line) <= width || sourceLine.test(line) ? [line] : fitLine(line, width)))
    .join("\n");
}

/** A line of a file below a finding, and its underlining. */
const sourceLine = /^ *\d* \| /;

/** A line that is a command without quotes, whose words can be moved to further lines. */
const commandLine = /^ *(?:\$ )?(?:export|git|npm|zonewright) [^'"]*$/;

function fitLine(line: string, width: number): string[] {
  const isCommand = commandLine.test(line);
  const hang = hangOf(line, width);
  const parts = wrap(line, isCommand ? width - 2 : width, hang);
  return parts.map((part, index) => (isCommand && index < parts.length - 1 ? `${part} \\` : part));
}

/** The indent of further lines: the start of the last column in the left half, else that of the line, or 4. */
function hangOf(line: string, width: number): number {
  const starts = [...line.matchAll(/\S {2,}(?=\S)/g)].map(({ index, 0: gap }) => columns(line.slice(0, index) + gap));
  const column = starts.filter((start) => start <= width / 2).at(-1);
  return column ?? (columns(/^ */.exec(line)?.[0] ?? "") || 4);
}
