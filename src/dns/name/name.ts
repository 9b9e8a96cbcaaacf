import { Fault } from "./fault.ts";
import { isInternational, toAsciiName } from "./idn.ts";
import { fromOctets, isUtf8 } from "./text.ts";

declare const absolute: unique symbol;
declare const lowerCase: unique symbol;

/**
 * An absolute domain name with the final dot, in zone file syntax (RFC 1035 §5.1). Octets outside printable ASCII are
 * `\DDD`; `" ( ) . ; @ $ \` inside a label have a backslash; case is kept. Only the readers in this file and the wire
 * reader create one.
 */
export type Name = string & { readonly [absolute]: true };

/** A name in canonical spelling (RFC 4343), for maps, sets and `===`. */
export type NameKey = Name & { readonly [lowerCase]: true };

export const root = "." as NameKey;

export function isRoot(name: Name): boolean {
  return name === root;
}

export function nameKey(name: Name): NameKey {
  return name.toLowerCase() as NameKey;
}

/** Compares names without regard to case (RFC 4343). */
export function isSameName(name: Name, other: Name): boolean {
  return name === other || nameKey(name) === nameKey(other);
}

/**
 * Casts a text that is known to be a valid name: one that was validated before it was stored, a part of such a name, or
 * a constant.
 */
export function asName(spelling: string): Name {
  return spelling as Name;
}

/** The name directly below another one. `label` is spelled as in names, in lower case if the result is a key. */
export function withLabel<N extends Name>(label: string, name: N): N {
  return (isRoot(name) ? `${label}.` : `${label}.${name}`) as N;
}

/** The wildcard directly below a name (RFC 4592 §2.1.1). */
export function wildcardBelow<N extends Name>(name: N): N {
  return withLabel("*", name);
}

export function isWildcard(name: Name): boolean {
  return name.startsWith("*.");
}

const longestLabel = 63;
const longestName = 255;

/**
 * Reads a name in zone file syntax: relative to `origin` unless it ends in a dot, `@` for the origin itself. `text`
 * consists of octets (one character for each). An unquoted `@` is the origin only if it is the whole name.
 * Internationalized labels are converted to `xn--` labels.
 * @throws {Fault} `name-syntax`: an empty or too long label, a name over 255 octets, a bad escape; `name-unicode`
 */
export function readName(text: string, origin: Name = root): Name {
  return (
    plainName(text, 0, text.length, origin) ?? readAnyName(isInternational(text) ? toAsciiName(text) : text, origin)
  );
}

/** Like `readName`, for names from programs: octets outside ASCII are kept. */
export function readExactName(text: string, origin: Name = root): Name {
  return plainName(text, 0, text.length, origin) ?? readAnyName(text, origin);
}

/**
 * The name from `start` up to `end` of a text if it is plain: without escapes, and within the length limits even when
 * completed with the origin. Otherwise undefined; `readName` then reads it or throws.
 */
export function plainName(text: string, start: number, end: number, origin: Name): Name | undefined {
  let label = start;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 46) {
      if (at === label || at - label > longestLabel) return undefined;
      label = at + 1;
    } else if (code <= 32 || code >= 127 || isSpecial(code)) return undefined;
  }
  if (start === end || end - label > longestLabel || end - start + origin.length + 2 > longestName) return undefined;
  const name = text.slice(start, end);
  if (text.charCodeAt(end - 1) === 46) return name as Name;
  return (origin === root ? `${name}.` : `${name}.${origin}`) as Name;
}

function readAnyName(text: string, origin: Name): Name {
  if (text === "@") return origin;
  if (text === ".") return root;
  if (text === "") throw new Fault("name-syntax", "the name is empty", 'Write "@" for the apex of the zone.');
  const clean = isPlain(text) ? text : canonicalSpelling(text);
  const name = (endsInDot(clean) ? clean : origin === root ? `${clean}.` : `${clean}.${origin}`) as Name;
  check(name);
  return name;
}

/** The name as written inside a zone: `@` for the apex, relative below it, absolute elsewhere. */
export function relativeTo(name: Name, origin: Name): string {
  if (!isInside(name, origin)) return name;
  if (name.length === origin.length) return "@";
  return origin === root ? name : name.slice(0, -origin.length - 1);
}

/** A name without its final dot, which the root keeps. */
export function withoutDot(name: Name): string {
  return name === root ? name : name.slice(0, -1);
}

/** A name, or a text that contains names, for display: UTF-8 octets as characters. */
export function shownName(name: string): string {
  return name.replace(/(?:\\(?:1[3-9]\d|12[89]|2[0-4]\d|25[0-5]))+/g, (spelled) => {
    const text = octets(spelled);
    return isUtf8(text) ? fromOctets(text) : spelled;
  });
}

/**
 * The name as written to a zone file: relative if reading it gives back the same spelling, absolute if it is outside
 * the origin or spells the origin in a different case.
 */
export function spellName(name: Name, origin: Name): string {
  return isInside(name, origin) && name.endsWith(origin) ? relativeTo(name, origin) : name;
}

/** Whether a written name is relative but has several labels, like an absolute one without its final dot. */
export function looksAbsolute(written: string): boolean {
  return !endsInDot(written) && written.includes(".") && labels(`${written}.`).length > 1;
}

/** Whether `name` is the origin or below it, without regard to case. */
export function isInside(name: Name, origin: Name): boolean {
  if (origin === root) return true;
  if (name.length <= origin.length) return name.length === origin.length && isSameName(name, origin);
  const cut = name.length - origin.length;
  if (name[cut - 1] !== "." || isEscaped(name, cut - 1)) return false;
  return isSameName(asName(name.slice(cut)), origin);
}

/** The labels of a name from left to right, in their spelling; none for the root. */
export function labels(name: string): string[] {
  const found: string[] = [];
  let start = 0;
  for (let at = 0; at < name.length; at++) {
    if (name[at] === "\\") at += isDigit(name.charCodeAt(at + 1)) ? 3 : 1;
    else if (name[at] === ".") {
      if (at > start) found.push(name.slice(start, at));
      start = at + 1;
    }
  }
  return found;
}

/** The offset of the dot after the label that starts at `start`. */
export function labelEnd(name: Name, start: number): number {
  let end = name.indexOf(".", start);
  while (isEscaped(name, end)) end = name.indexOf(".", end + 1);
  return end;
}

/** The name without its first label; the root stays the root. */
export function parent<N extends Name>(name: N): N {
  const end = labelEnd(name, 0);
  return (end === name.length - 1 ? root : name.slice(end + 1)) as N;
}

/** The name and the names above it, nearest first, up to but without `top`. */
export function ancestors<N extends Name>(name: N, top: Name = root): N[] {
  // A list, not a generator: names have few labels, and this is the innermost loop of each lookup.
  const names: N[] = [];
  for (let at = name; at !== top && !isRoot(at); at = parent(at)) names.push(at);
  return names;
}

/**
 * A text that sorts names in canonical order (RFC 4034 §6.1): by label from the right, lower case, parents first.
 * Labels are separated by two zero octets, so that a zero octet inside a label, encoded as 0 and 1, sorts after the end
 * of a label.
 */
export function sortKey(name: Name): string {
  return labels(nameKey(name))
    .map((label) => octets(label).replaceAll("\u0000", "\u0000\u0001"))
    .reverse()
    .join("\u0000\u0000");
}

/** The octets of a spelled label or text, one character for each. */
export function octets(spelling: string): string {
  if (!spelling.includes("\\")) return spelling;
  return spelling.replace(/\\(?:(\d{3})|(.))/gs, (_, code, character) =>
    code ? String.fromCharCode(Number(code)) : character,
  );
}

/** The spelling of one label given as octets. */
export function spellLabel(label: string): string {
  return label.replace(/[^!#%-'*-\-/-:<-?A-[\]-~]/g, (character) => {
    const code = character.charCodeAt(0);
    return code > 32 && code < 127 ? `\\${character}` : `\\${String(code).padStart(3, "0")}`;
  });
}

/** Whether the text is printable ASCII without characters that names escape. */
function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code >= 127 || isSpecial(code)) return false;
  }
  return true;
}

function isSpecial(code: number): boolean {
  // " $ ( ) ; @ \
  return code === 34 || code === 36 || code === 40 || code === 41 || code === 59 || code === 64 || code === 92;
}

function canonicalSpelling(text: string): string {
  let out = "";
  let label = "";
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === ".") {
      out += `${spellLabel(label)}.`;
      label = "";
    } else if (character === "\\") {
      const code = text.slice(at + 1, at + 4);
      if (isDigit(code.charCodeAt(0))) {
        if (!/^\d{3}$/.test(code) || Number(code) > 255) {
          throw new Fault(
            "name-syntax",
            "a backslash before a digit must be followed by three digits up to 255",
            "Write \\046 for a dot.",
          );
        }
        label += String.fromCharCode(Number(code));
        at += 3;
      } else {
        if (code === "")
          throw new Fault("name-syntax", "the name ends with a backslash", "Write \\\\ for a backslash.");
        label += text[at + 1];
        at += 1;
      }
    } else label += character;
  }
  return out + spellLabel(label);
}

/** Invisible octets, which often come from copying text: they are not allowed unescaped in names and words. */
export function isControl(code: number): boolean {
  return code < 32 || code === 127;
}

/** An unescaped control octet. Names in the API may contain them, but in a file they are a mistake. */
export function controlFault(code: number): Fault {
  const spelling = `\\${String(code).padStart(3, "0")}`;
  const summary = `unquoted text contains a control character instead of ${spelling}`;
  return new Fault("control-octet", summary, `Remove it, or write "${spelling}" if you mean it.`);
}

/** @throws {Fault} `control-octet` */
export function refuseControl(text: string): string {
  for (let at = 0; at < text.length; at++) if (isControl(text.charCodeAt(at))) throw controlFault(text.charCodeAt(at));
  return text;
}

function endsInDot(name: string): boolean {
  return name.charCodeAt(name.length - 1) === 46 && !isEscaped(name, name.length - 1);
}

function isEscaped(name: string, at: number): boolean {
  let backslashes = 0;
  while (name.charCodeAt(at - 1 - backslashes) === 92) backslashes++;
  return backslashes % 2 === 1;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/**
 * Checks label and name lengths in octets on the wire (RFC 1035 §3.1): each label has a length octet, and the root is
 * one octet.
 */
function check(name: Name): void {
  let label = 0;
  let total = 1;
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    if (code === 46) {
      if (label === 0)
        throw new Fault("name-syntax", "the name has an empty label", "Remove the double or leading dot.");
      if (label > longestLabel)
        throw new Fault("name-syntax", `a label is ${label} octets long; the limit is ${longestLabel}`, "Shorten it.");
      total += label + 1;
      label = 0;
    } else {
      if (code === 92) at += isDigit(name.charCodeAt(at + 1)) ? 3 : 1;
      label++;
    }
  }
  if (total > longestName)
    throw new Fault("name-syntax", `the name is ${total} octets long; the limit is ${longestName}`, "Shorten it.");
}
