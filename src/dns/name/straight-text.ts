/** Characters that word processors and messengers substitute for plain ones. */
export const typographic = {
  quotationMark: /[\u2018-\u201f\u2032-\u2037\u2039\u203a\u00ab\u00bb\u00b4\u2e42\u301d-\u301f]/gu,
  dash: /[\u02d7\u2010-\u2015\u2043\u207b\u2212\u2e3a\u2e3b\ufe31\ufe32\ufe58\ufe63]/gu,
} as const;

const specialSpace = /(?! )\p{Z}/gu;
const invisible = /\p{Cf}|\p{VS}/gu;
/** Full-width and small forms, and characters that look like those of ASCII. */
const otherForm = /[\u02dc\u037e\u061b\u2024\u2044\u2215\u2236\u223c\u3002\u301c\ufe50-\ufe6b\uff01-\uff5e\uff61]/gu;

const kinds: readonly (readonly [characters: RegExp, what: string])[] = [
  [typographic.quotationMark, "a typographic quotation mark"],
  [typographic.dash, "a typographic dash"],
  [specialSpace, "a special space"],
  [invisible, "an invisible character"],
  [otherForm, "a full-width or look-alike character"],
];

/** The first of these characters in a text, as messages name it; undefined if it has none. */
export function findTypography(text: string): string | undefined {
  for (const [character] of text.matchAll(/[^\0-\x7f]/gu)) {
    const what = kinds.find(([characters]) => character.search(characters) === 0)?.[1];
    const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
    if (what !== undefined) return `${what} (U+${code})`;
  }
  return undefined;
}

/** A text with plain characters in the place of these, and without quotation marks; apostrophes within words stay. */
export function straighten(text: string): string {
  if (findTypography(text) === undefined) return text;
  const bare = text.replace(typographic.quotationMark, (mark, at) => (isInWord(text, at) ? mark : ""));
  return replaceTypography(bare).replace(/^[\s'"]+|[\s'"]+$/g, "");
}

function isInWord(text: string, at: number): boolean {
  return /^\p{L}.\p{L}$/su.test(text.slice(at - 1, at + 2));
}

/** A text with plain characters in the place of these. */
export function replaceTypography(text: string): string {
  return text
    .replace(softQualifier, "-")
    .replace(invisible, "")
    .replace(specialSpace, " ")
    .replace(typographic.dash, "-")
    .replace(otherForm, (character) => lookAlikes[character] ?? character.normalize("NFKC"))
    .replace(/[\u2018-\u201b\u2032\u2035\u2039\u203a\u00b4]/g, "'")
    .replace(typographic.quotationMark, '"');
}

/** A soft hyphen in the place of the qualifier of an SPF mechanism: without it, `-all` would be `all`, its opposite. */
const softQualifier = /(?<!\S)\u00ad(?=(?:all|a|mx|ptr)(?:[\s:/]|$)|(?:include|ip4|ip6|exists):)/giu;

const lookAlikes: Readonly<Record<string, string>> = {
  "\u02dc": "~",
  "\u061b": ";",
  "\u2044": "/",
  "\u2215": "/",
  "\u2236": ":",
  "\u223c": "~",
  "\u3002": ".",
  "\u301c": "~",
  "\uff61": ".",
};
