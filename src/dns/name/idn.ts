import { domainToASCII } from "node:url";
import { Fault } from "./fault.ts";
import { typographic } from "./straight-text.ts";
import { fromOctets, isUtf8, toOctets } from "./text.ts";

/** Typographic characters in names. Joiners belong to some scripts. */
const unusable: readonly (readonly [characters: RegExp, what: string, fix: string])[] = [
  [typographic.quotationMark, "a typographic quotation mark", "Remove it. Names are written without quotes."],
  [typographic.dash, "a typographic dash", 'Write a plain hyphen ("-").'],
  [
    /[\u00a0\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff]/,
    "a special or invisible space",
    "Remove it, or type a plain space instead.",
  ],
];

const rightToLeft = /[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u;
const startsRightToLeft = new RegExp(`^${rightToLeft.source}`, "u");

/**
 * Letters, marks, digits and the other characters of the tables (RFC 5892 B.1): two Sindhi signs, the Tibetan tsheg,
 * and in context the joiners, the middle dots and the signs of Greek and Hebrew numbers and abbreviations.
 */
const admitted = /^(?:[\p{L}\p{M}\p{N}\u00b7\u0375\u05f3\u05f4\u06fd\u06fe\u0f0b\u30fb-]|\u200c|\u200d)+$/u;

/** RFC 5892 A.3 to A.7: between two l, before Greek, after Hebrew, and next to Japanese. */
const outOfContext =
  /(?<!l)\u00b7|\u00b7(?!l)|\u0375(?!\p{sc=Greek})|(?<!\p{sc=Hebrew})[\u05f3\u05f4]|^(?!.*[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]).*\u30fb/iu;

/** Whether a name, given as octets, has non-ASCII characters in UTF-8, which `readName` converts. */
export function isInternational(octets: string): boolean {
  for (let at = 0; at < octets.length; at++) if (octets.charCodeAt(at) > 127) return isUtf8(octets);
  return false;
}

/**
 * The name with its internationalised labels as `xn--` labels (UTS 46, nontransitional; RFC 5891). Argument and result
 * are octets in zone file syntax; labels with escapes are unchanged.
 * @throws {Fault} `name-unicode` for a label that no domain can have.
 */
export function toAsciiName(octets: string): string {
  // UTS 46 §2.3 treats these as dots, too.
  const text = fromOctets(octets).replace(/[\u3002\uff0e\uff61]/g, ".");
  return text
    .split(/(?<=(?:^|[^\\])(?:\\\\)*)\./)
    .map((label) => (/[^\0-\x7f]/.test(label) && !label.includes("\\") ? toAsciiLabel(label) : toOctets(label)))
    .join(".");
}

function toAsciiLabel(label: string): string {
  const [, what, fix] = unusable.find(([characters]) => label.search(characters) !== -1) ?? [];
  if (what !== undefined) throw new Fault("name-unicode", `the name "${label}" contains ${what}`, fix);
  // Registries accept only letters, marks and digits (RFC 5892), and other characters can have a meaning in URLs.
  const isLabel = admitted.test(label) && !/^-|-$|^..--/u.test(label);
  // A label in a right-to-left script starts with a character of that script (RFC 5893 §2).
  const isInOrder = !outOfContext.test(label) && (!rightToLeft.test(label) || startsRightToLeft.test(label));
  // The last label of a host must not be a number; ".a" keeps a label of digits from being read as an address.
  const ascii = isLabel && isInOrder ? domainToASCII(`${label}.a`) : "";
  if (ascii.endsWith(".a") && !ascii.slice(0, -2).includes(".")) return ascii.slice(0, -2);
  const summary = `the label "${label}" cannot be converted to ASCII (UTS 46)`;
  throw new Fault("name-unicode", summary, "Use letters, digits and hyphens, or write its xn-- form yourself.");
}
