import * as fc from "fast-check";
import { corpus, recordCases } from "./corpus.ts";
import type { Format } from "./judge.ts";

/** A file to read. */
export interface Input {
  readonly format: Format;
  readonly bytes: Uint8Array;
}

/**
 * Files of all formats, most of them near to what people write: cases with a few changes, lines put together, random
 * octets.
 */
export function inputs(withReal: boolean): fc.Arbitrary<Input> {
  const files = corpus(withReal);
  const of = (format: Format, arbitrary: fc.Arbitrary<string>) =>
    arbitrary.map((text): Input => ({ format, bytes: Buffer.from(text, "latin1") }));
  const formats: Format[] = ["bind", "yaml", "octodns"];
  const changed = (format: Format) => of(format, mutated(fc.constantFrom(...files[format]), words[format]));
  return fc.oneof(
    { weight: 8, arbitrary: changed("bind") },
    { weight: 4, arbitrary: of("bind", mutated(masterFiles(), words.bind)) },
    { weight: 4, arbitrary: changed("yaml") },
    { weight: 3, arbitrary: changed("octodns") },
    ...formats.map((format) => ({ weight: 1, arbitrary: of(format, soup(words[format])) })),
    ...formats.map((format) => ({ weight: 1, arbitrary: of(format, octets()) })),
  );
}

/** Files of lines that stand alone: owners, TTLs and classes before the data of some case. */
function masterFiles(): fc.Arbitrary<string> {
  const owner = fc.constantFrom("@", "www", "a.b", "*.x", "example.", "other.net.", " ", "\t", "\\046", "_sip._tcp");
  const ttl = fc.constantFrom("", "300 ", "1h IN ", "IN ", "IN 5m ", "CH ", "0 ");
  const record = fc.tuple(owner, ttl, fc.constantFrom(...recordCases())).map(([a, b, c]) => `${a} ${b}${c}`);
  const directive = fc.constantFrom(
    "$TTL 1h",
    "$ORIGIN sub",
    "$ORIGIN .",
    "$GENERATE 1-5 a$ A 192.0.2.$",
    "; note",
    "",
  );
  const lines = fc.array(fc.oneof({ weight: 6, arbitrary: record }, directive), { maxLength: 30 });
  return lines.map((lines) => ["$TTL 1h", "@ SOA ns hostmaster 1 2 3 4 5", ...lines, ""].join("\n"));
}

/** Tokens that the readers treat specially, and that often break them. */
const common = [
  ...[
    "",
    " ",
    "\n",
    "\t",
    "\r\n",
    "\r",
    "\0",
    "\u00ff",
    "\u00c3\u00a9",
    "\u00ef\u00bb\u00bf",
    "\\",
    '"',
    "'",
    ".",
    "..",
    "@",
  ],
  ...[
    "0",
    "-1",
    "65536",
    "4294967296",
    "99999999999999999999",
    "1h",
    "1w2d",
    "IN",
    "A",
    "TXT",
    "x".repeat(64),
    "a.".repeat(130),
  ],
];
export const words: Readonly<Record<Format, readonly string[]>> = {
  bind: [
    ...[
      ...common,
      "(",
      ")",
      ";",
      "; note",
      "(\n",
      "\n)",
      "\\#",
      "\\# 4 0a000001",
      "\\256",
      "\\0",
      '""',
      '"a b"',
      '"a\nb"',
    ],
    ...["$ORIGIN", "$TTL", "$INCLUDE x", "$GENERATE 1-3 a$ A 192.0.2.$", "$GENERATE", "${0,3,n}", "${", "$$", "1-3/2"],
    ...[
      "SOA",
      "MX 10",
      "SVCB 1 . alpn=h2",
      "TYPE65280",
      "TYPE0",
      "TYPE65536",
      "CH",
      "\n@ ",
      "\n  ",
      ";@ tags: a",
      ";@ implicit: NS",
    ],
  ],
  yaml: [
    ...[
      ...common,
      ": ",
      "- ",
      "? ",
      "[",
      "]",
      "{",
      "}",
      ", ",
      "&a ",
      "*a",
      "<<: ",
      "!x ",
      "!!str ",
      "|\n",
      ">-\n",
      "# ",
      "---\n",
    ],
    ...[
      "...\n",
      "%YAML 1.2\n",
      "~",
      "null",
      "records:\n",
      "values: ",
      "ttl_sec: ",
      "target: ",
      "rdata: ",
      "zone: ",
      "SOA: ",
      "lenient: ",
    ],
  ],
  octodns: [
    ...[...common, ": ", "- ", "[", "]", "{", "}", ", ", "&a ", "*a", "<<: ", "!include ", "|\n", "---\n", "''", "\\;"],
    ...[
      "type: ",
      "ttl: ",
      "value: ",
      "values: ",
      "octodns: ",
      "geo: ",
      "Route53Provider/ALIAS",
      "svcparams: ",
      "lat_degrees: ",
    ],
  ],
};

/** One change of a text. Places are parts of its length, so that a change means the same in a shorter text. */
type Change = (text: string) => string;

/** Texts with up to six changes. */
export function mutated(texts: fc.Arbitrary<string>, words: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(texts, fc.array(changes(texts, words), { maxLength: 6 }))
    .map(([text, list]) => list.reduce((text, change) => change(text).slice(0, 100_000), text));
}

function changes(texts: fc.Arbitrary<string>, words: readonly string[]): fc.Arbitrary<Change> {
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  const word = fc.constantFrom(...words);
  const few = fc.integer({ min: 0, max: 12 });
  const at = (text: string, part: number) => Math.floor(part * text.length);
  const ofLines = (change: (lines: string[], first: number, second: number) => void) =>
    fc.tuple(place, place).map(
      ([a, b]): Change =>
        (text) => {
          const lines = text.split("\n");
          change(lines, Math.floor(a * (lines.length - 1)), Math.floor(b * (lines.length - 1)));
          return lines.join("\n");
        },
    );
  return fc.oneof(
    fc.tuple(place, word).map(
      ([a, b]): Change =>
        (text) =>
          text.slice(0, at(text, a)) + b + text.slice(at(text, a)),
    ),
    fc.tuple(place, few).map(
      ([a, n]): Change =>
        (text) =>
          text.slice(0, at(text, a)) + text.slice(at(text, a) + n),
    ),
    fc.tuple(place, word).map(
      ([a, b]): Change =>
        (text) =>
          wordAt(text, at(text, a), b),
    ),
    fc.tuple(place, fc.integer({ min: 0, max: 255 })).map(
      ([a, octet]): Change =>
        (text) => {
          return text.slice(0, at(text, a)) + String.fromCharCode(octet) + text.slice(at(text, a) + 1);
        },
    ),
    ofLines((lines, first) => lines.splice(first, 1)),
    ofLines((lines, first, second) => lines.splice(second, 0, lines[first] ?? "")),
    ofLines((lines, first, second) => lines.splice(first, 1, lines[second] ?? "")),
    ofLines((lines, first) => lines.splice(first, 2, `${lines[first]} ${lines[first + 1] ?? ""}`)),
    ofLines((lines, first) => lines.splice(first, 1, `  ${lines[first]}`)),
    place.map(
      (a): Change =>
        (text) =>
          text.slice(0, at(text, a)),
    ),
    fc.tuple(texts, place, place).map(([other, a, b]): Change => {
      return (text) => text.slice(0, at(text, a)) + other.slice(at(other, b));
    }),
    fc.constant<Change>((text) => text.replaceAll("\n", "\r\n")),
  );
}

/** The text with another word in place of the one around an offset. */
function wordAt(text: string, offset: number, word: string): string {
  const isBreak = (at: number) => /\s/.test(text[at] ?? " ");
  let [start, end] = [offset, offset];
  while (start > 0 && !isBreak(start - 1)) start--;
  while (end < text.length && !isBreak(end)) end++;
  return text.slice(0, start) + word + text.slice(end);
}

function soup(words: readonly string[]): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...words), { maxLength: 60 }).map((list) => list.join(""));
}

function octets(): fc.Arbitrary<string> {
  return fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString("latin1"));
}
