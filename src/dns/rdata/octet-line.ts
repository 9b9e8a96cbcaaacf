const lineFeed = 10;
const carriageReturn = 13;
const quote = 34;
const hash = 35;
const dot = 46;
const slash = 47;
const colon = 58;
const semicolon = 59;
const atSign = 64;
const backslash = 92;

/** Octets of plain names beside dots: printable ASCII without `" $ ( ) . ; @ \`. */
const nameOctets = Uint8Array.from({ length: 256 }, (_, code) =>
  code > 32 && code < 127 && !'"$().;@\\'.includes(String.fromCharCode(code)) ? 1 : 0,
);
const hexDigits = Uint8Array.from({ length: 256 }, (_, code) => (/[\da-f]/i.test(String.fromCharCode(code)) ? 1 : 0));

/** The six bits of a letter, without its case, or of a digit; 0 for other octets. */
const wordBits = Uint8Array.from({ length: 256 }, (_, code) => {
  const character = String.fromCharCode(code);
  return /[a-z]/i.test(character) ? code & 31 : /\d/.test(character) ? code : 0;
});
export const longestWord = 5;

/** A short word of letters and digits as a number, without regard to case. */
export function wordNumber(word: string): number {
  return [...word].reduce((number, character) => number * 64 + (wordBits[character.charCodeAt(0)] ?? 0), 0);
}

const longestLabel = 63;
const longestName = 255;
const longestString = 255;
const mostStrings = 200;

/**
 * A line of a zone file that consists of words without escapes. Each `take…` skips a word that is certainly valid, and
 * creates nothing. False means unknown: the tokens of the line decide. The text must end with a line feed.
 */
export class OctetLine {
  readonly octets: Uint8Array;
  /** The offset of the next octet. */
  at = 0;
  /** The number of characters that complete relative names. */
  originLength = 0;
  /** Whether it has a quoted text, whose meaning may depend on comments around it. */
  hasText = false;

  constructor(octets: Uint8Array) {
    this.octets = octets;
  }

  /** Moves to the next word. False at a comment and at the end of the line. */
  toWord(): boolean {
    const { octets } = this;
    let at = this.at;
    while (isBlank(octets[at])) at++;
    this.at = at;
    const code = octets[at];
    return code !== lineFeed && code !== carriageReturn && code !== semicolon;
  }

  /** Skips a word of up to five letters and digits, such as a class or type, and returns its number; -1 if unknown. */
  takeWord(): number {
    const { octets } = this;
    const start = this.at;
    let number = 0;
    let at = start;
    for (let bits = wordBits[octets[at] ?? 0] ?? 0; bits > 0; bits = wordBits[octets[++at] ?? 0] ?? 0) {
      if (at - start === longestWord) return -1;
      number = number * 64 + bits;
    }
    this.at = at;
    return this.#isAtWordEnd() ? number : -1;
  }

  /** Skips a name, which need not be absolute even if it contains dots. */
  takeOwner(): boolean {
    return this.#takeLabels() >= 0;
  }

  /** Skips a name of one label or with its final dot, or the `@` of the origin. */
  takeName(): boolean {
    const { octets } = this;
    if (octets[this.at] === atSign) {
      this.at++;
      return this.#isAtWordEnd();
    }
    const dots = this.#takeLabels();
    return dots === 0 || (dots > 0 && octets[this.at - 1] === dot);
  }

  /** Skips the plain labels of a name and returns the number of dots, -1 if unknown. */
  #takeLabels(): number {
    const { octets } = this;
    const start = this.at;
    // In other formats, these start comments.
    if (octets[start] === hash || octets[start] === slash) return -1;
    let at = start;
    let label = start;
    let dots = 0;
    for (; ; at++) {
      const code = octets[at] ?? 0;
      if (nameOctets[code] === 1) continue;
      if (code !== dot) break;
      if (at === label || at - label > longestLabel) return -1;
      label = at + 1;
      dots++;
    }
    this.at = at;
    const isLong = at - label > longestLabel || at - start + this.originLength + 2 > longestName;
    return at === start || isLong || !this.#isAtWordEnd() ? -1 : dots;
  }

  /** Skips a word that is the same as the one from `start` up to `end`, if there is one. */
  takeSame(start: number, end: number): boolean {
    const { octets } = this;
    const first = octets[start];
    if (start === end || first === hash || first === slash) return false;
    let at = this.at;
    for (let other = start; other < end; other++) if (octets[at++] !== octets[other]) return false;
    if (!isBlank(octets[at])) return false;
    this.at = at;
    return true;
  }

  get isAtDigit(): boolean {
    return isDigit(this.octets[this.at]);
  }

  /** Skips a decimal number up to `max`, which is at most 2³² - 1. */
  takeNumber(max: number): boolean {
    const value = this.#takeDigits();
    return value >= 0 && value <= max && this.#isAtWordEnd();
  }

  /** Skips up to ten digits and returns their value, -1 if unknown. */
  #takeDigits(): number {
    const { octets } = this;
    const start = this.at;
    let at = start;
    let value = 0;
    for (; isDigit(octets[at]); at++) value = value * 10 + (octets[at] ?? 0) - 48;
    this.at = at;
    return at === start || at - start > 10 ? -1 : value;
  }

  /** Skips a TTL in seconds and returns it, -1 if unknown. */
  takeTtl(): number {
    const seconds = this.#takeDigits();
    return seconds < 2 ** 31 && this.#isAtWordEnd() ? seconds : -1;
  }

  /** Skips an IPv4 address: four numbers up to 255 without leading zeros. */
  takeAddress4(): boolean {
    const { octets } = this;
    for (let part = 0; part < 4; part++) {
      if (part > 0 && octets[this.at++] !== dot) return false;
      const start = this.at;
      const value = this.#takeDigits();
      if (value < 0 || value > 255 || (octets[start] === 48 && this.at - start > 1)) return false;
    }
    return this.#isAtWordEnd();
  }

  /** Skips an IPv6 address without a dotted part (RFC 4291 §2.2). */
  takeAddress6(): boolean {
    const { octets } = this;
    let at = this.at;
    let groups = 0;
    let hasGap = false;
    if (octets[at] === colon) {
      if (octets[at + 1] !== colon) return false;
      hasGap = true;
      at += 2;
    }
    while (isHexDigit(octets[at])) {
      const start = at;
      while (isHexDigit(octets[at])) at++;
      if (at - start > 4) return false;
      groups++;
      if (octets[at] !== colon) break;
      at++;
      if (octets[at] === colon) {
        if (hasGap) return false;
        hasGap = true;
        at++;
      } else if (!isHexDigit(octets[at])) return false;
    }
    this.at = at;
    return (hasGap ? groups < 8 : groups === 8) && this.#isAtWordEnd();
  }

  /** Skips quoted strings of up to 255 octets, up to the end of the line. */
  takeStrings(): boolean {
    this.hasText = true;
    for (let count = 0; this.toWord(); count++) if (count === mostStrings || !this.#takeString()) return false;
    return true;
  }

  #takeString(): boolean {
    const { octets } = this;
    if (octets[this.at] !== quote) return false;
    const start = this.at + 1;
    let at = start;
    for (; octets[at] !== quote; at++) if (octets[at] === lineFeed || octets[at] === backslash) return false;
    this.at = at + 1;
    return at - start <= longestString;
  }

  /** Moves to the next line, after a comment. False if anything else is left. */
  takeEnd(): boolean {
    if (this.toWord()) return false;
    const { octets } = this;
    const code = octets[this.at];
    if (code === semicolon) {
      // The rest of an unquoted text is a comment, and comments below a text may be parts of it.
      if (this.hasText) return false;
      this.skipLine();
      return true;
    }
    if (code === carriageReturn && octets[this.at + 1] !== lineFeed) return false;
    this.at += code === carriageReturn ? 2 : 1;
    return !this.hasText || this.#isBeforeWords();
  }

  /** Moves to the start of the next line. */
  skipLine(): void {
    const { octets } = this;
    let at = this.at;
    while (octets[at] !== lineFeed) at++;
    this.at = at + 1;
  }

  /** Whether the next line is neither empty nor a comment. */
  #isBeforeWords(): boolean {
    const { octets } = this;
    let at = this.at;
    while (isBlank(octets[at])) at++;
    const code = octets[at];
    return code !== lineFeed && code !== carriageReturn && code !== semicolon;
  }

  #isAtWordEnd(): boolean {
    const code = this.octets[this.at];
    return isBlank(code) || code === lineFeed || code === carriageReturn || code === semicolon;
  }
}

function isBlank(code: number | undefined): boolean {
  return code === 32 || code === 9;
}

function isDigit(code: number | undefined): boolean {
  return code !== undefined && code >= 48 && code <= 57;
}

function isHexDigit(code: number | undefined): boolean {
  return hexDigits[code ?? 0] === 1;
}
