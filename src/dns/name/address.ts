import { Fault } from "./fault.ts";

/**
 * An IPv4 address in canonical form.
 * @throws {Fault} `address-v4` for anything but four numbers 0..255 without leading zeros.
 */
export function readAddress4(text: string): string {
  if (isAddress4(text, 0, text.length)) return text;
  if (/^\[?remote_addr\]?$/.test(text)) throw callersAddress();
  throw new Fault("address-v4", "not an IPv4 address", fixOf(text, 'Write an IPv4 address such as "192.0.2.1".'));
}

/** The fix for a value that cannot be read as an address of its family; `usual` where the cause is unknown. */
function fixOf(text: string, usual: string): string {
  const [, start = ""] = /^([\da-fA-F.:]+)(?:[/,]|(?<=\.\d+):\d+$)/.exec(text) ?? [];
  const address = start.replace(/(?<=\.\d+):\d+$/, "");
  if (isAddress6(text, 0, text.length)) return "This is an IPv6 address: use the type AAAA.";
  if (isAddress4(text, 0, text.length)) return "This is an IPv4 address: use the type A.";
  if (/^[a-z](?:[a-z\d-]*\.)+[a-z]*$/i.test(text))
    return "This is a name: use the type CNAME, or write the address of the name.";
  const isFamily = isAddress4(address, 0, address.length) || isAddress6(address, 0, address.length);
  if (!isFamily) return usual;
  if (text.includes(",")) return `Write "${address}" and the next address as two values.`;
  return text.includes("/")
    ? `Write "${address}": the value is one address, not a network.`
    : `Write "${address}": the value has no port.`;
}

/** `[remote_addr]` makes the API store the client's address; YAML reads it as a list of one word. */
function callersAddress(): Fault {
  const summary = "[remote_addr] would store the address of the client that applies the plan";
  return new Fault("remote-addr", summary, 'Write the address itself, such as "192.0.2.1" or "2001:db8::1".');
}

/** Whether the text from `start` up to `end` is four numbers 0..255 without leading zeros, separated by dots. */
export function isAddress4(text: string, start: number, end: number): boolean {
  let octets = 0;
  let digits = 0;
  let value = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 46) {
      if (digits === 0 || ++octets > 3) return false;
      digits = 0;
      value = 0;
    } else {
      const hasLeadingZero = digits > 0 && value === 0;
      value = value * 10 + code - 48;
      if (code < 48 || code > 57 || hasLeadingZero || value > 255) return false;
      digits++;
    }
  }
  return octets === 3 && digits > 0;
}

/**
 * An IPv6 address in canonical form (RFC 5952; the last 32 bits are dotted if `inet_ntop` writes them so).
 * @throws {Fault} `address-v6`
 */
export function readAddress6(text: string): string {
  if (isAddress6(text, 0, text.length)) return formatAddress6(words);
  if (/^\[?remote_addr\]?$/.test(text)) throw callersAddress();
  throw new Fault("address-v6", "not an IPv6 address", fixOf(text, 'Write an IPv6 address such as "2001:db8::1".'));
}

/**
 * The address of a peer in canonical form: `::ffff:192.0.2.1`, from a dual-stack socket, becomes 192.0.2.1, and the
 * zone id after `%` is removed (RFC 4007 §11).
 * @throws {Fault} `address-v6`
 */
export function plainAddress(address: string): string {
  const [bare = ""] = address.split("%");
  if (!bare.includes(":")) return bare;
  const spelled = readAddress6(bare);
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(spelled)?.[1] ?? spelled;
}

/** The eight words of 16 bits of an IPv6 address. The next call fills the same array. */
export function addressWords(address: string): ArrayLike<number> & Iterable<number> {
  isAddress6(address, 0, address.length);
  return words;
}

/** The 4 or 16 octets of an address, one character for each. */
export function addressOctets(address: string): string {
  if (!address.includes(":")) return String.fromCharCode(...address.split(".").map(Number));
  return [...addressWords(address)].map((word) => String.fromCharCode(word >> 8, word & 255)).join("");
}

/**
 * The words of the address that `isAddress6` read last: one array for all, since there may be millions of addresses.
 */
const words = new Uint16Array(8);

/** Whether the text from `start` up to `end` is an IPv6 address in any of its forms (RFC 4291 §2.2). */
export function isAddress6(text: string, start: number, end: number): boolean {
  let count = 0;
  let gap = -1;
  let at = start;
  if (end - at > 1 && text.charCodeAt(at) === 58 && text.charCodeAt(at + 1) === 58) {
    gap = 0;
    at += 2;
  }
  while (at < end) {
    const first = at;
    let value = 0;
    for (let digit = hexDigit(text, at, end); digit >= 0; digit = hexDigit(text, ++at, end)) value = value * 16 + digit;
    if (at < end && text.charCodeAt(at) === 46) {
      if (count > 6 || !isAddress4(text, first, end)) return false;
      const [a = 0, b = 0, c = 0, d = 0] = text.slice(first, end).split(".").map(Number);
      words[count++] = a * 256 + b;
      words[count++] = c * 256 + d;
      break;
    }
    if (at === first || at - first > 4 || count > 7) return false;
    words[count++] = value;
    if (at === end) break;
    if (text.charCodeAt(at++) !== 58 || at === end) return false;
    if (text.charCodeAt(at) === 58) {
      if (gap >= 0) return false;
      gap = count;
      at++;
    }
  }
  if (gap < 0) return count === 8;
  if (count > 7) return false;
  words.copyWithin(8 - count + gap, gap, count);
  words.fill(0, gap, 8 - count + gap);
  return true;
}

function hexDigit(text: string, at: number, end: number): number {
  if (at >= end) return -1;
  const code = text.charCodeAt(at);
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/** The canonical form of eight words of 16 bits. */
export function formatAddress6(words: ArrayLike<number>): string {
  const gap = longestZeros(words);
  const isDotted = gap.start === 0 && (gap.length === 6 || (gap.length === 5 && words[5] === 0xffff));
  const count = isDotted ? 6 : 8;
  let text = "";
  for (let index = 0; index < count; index++) {
    if (gap.length >= 2 && index === gap.start) {
      text += "::";
      index = Math.min(gap.start + gap.length, count) - 1;
    } else {
      if (text !== "" && !text.endsWith(":")) text += ":";
      text += (words[index] ?? 0).toString(16);
    }
  }
  if (!isDotted) return text;
  const [high, low] = [words[6] ?? 0, words[7] ?? 0];
  return `${text}${text.endsWith(":") ? "" : ":"}${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

function longestZeros(words: ArrayLike<number>): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (words[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  return best;
}

/** Whether a name looks like an address, in either family. */
export function isAddress(name: string): boolean {
  return /^\d+\.\d+\.\d+\.\d+$|^[0-9a-f]*:[0-9a-f]*:[0-9a-f:.]*$/i.test(name);
}

/** Whether a target, relative to some zone, can look like an address: most cannot. */
export function mayBeAddress(target: string): boolean {
  const first = target.charCodeAt(0);
  return (first >= 48 && first <= 57) || target.includes(":");
}
