import { Fault } from "./fault.ts";

/**
 * An IPv4 address in its one spelling.
 * @throws {Fault} `address-v4` for anything but four numbers 0..255 without leading zeros.
 */
export function readAddress4(text: string): string {
  const octets = text.split(".");
  if (octets.length === 4 && octets.every((octet) => /^(?:0|[1-9]\d{0,2})$/.test(octet) && Number(octet) < 256))
    return text;
  throw new Fault("address-v4", "not an IPv4 address", "An A record holds four numbers such as 192.0.2.1.");
}

/**
 * An IPv6 address in its shortest spelling (RFC 5952; the last 32 bits in dots where `inet_ntop` writes them so).
 * @throws {Fault} `address-v6`
 */
export function readAddress6(text: string): string {
  const words = readWords(text);
  if (words === undefined)
    throw new Fault("address-v6", "not an IPv6 address", "An AAAA record holds an address such as 2001:db8::1.");
  return formatAddress6(words);
}

function readWords(text: string): number[] | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half, index) => readGroups(half, index === halves.length - 1));
  if (head === undefined) return undefined;
  if (halves.length === 1) return head.length === 8 ? head : undefined;
  if (tail === undefined || head.length + tail.length > 7) return undefined;
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

function readGroups(text: string, isLast: boolean): number[] | undefined {
  if (text === "") return [];
  const words: number[] = [];
  const groups = text.split(":");
  for (const [index, group] of groups.entries()) {
    if (isLast && index === groups.length - 1 && group.includes(".")) {
      const quad = readQuad(group);
      if (quad === undefined) return undefined;
      words.push(...quad);
    } else if (/^[0-9a-fA-F]{1,4}$/.test(group)) words.push(Number.parseInt(group, 16));
    else return undefined;
  }
  return words;
}

function readQuad(text: string): [number, number] | undefined {
  try {
    const [a = 0, b = 0, c = 0, d = 0] = readAddress4(text).split(".").map(Number);
    return [a * 256 + b, c * 256 + d];
  } catch {
    return undefined;
  }
}

/** The shortest spelling of eight words of 16 bits. */
export function formatAddress6(words: readonly number[]): string {
  const gap = longestZeros(words);
  const dotted = gap.start === 0 && (gap.length === 6 || (gap.length === 5 && words[5] === 0xffff));
  const groups = words.slice(0, dotted ? 6 : 8).map((word) => word.toString(16));
  if (dotted)
    groups.push(
      words
        .slice(6)
        .map((word) => `${word >> 8}.${word & 255}`)
        .join("."),
    );
  if (gap.length < 2) return groups.join(":");
  return `${groups.slice(0, gap.start).join(":")}::${groups.slice(gap.start + gap.length).join(":")}`;
}

function longestZeros(words: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (words[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  return best;
}

/** Private, loopback and other addresses that mean nothing in a public zone (RFC 6890). Takes the spelling read here. */
export function isPrivate(address: string): boolean {
  return address.includes(":")
    ? /^(?:::1?$|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:|::ffff:)/.test(address)
    : /^(?:0|10|127)\.|^169\.254\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./.test(
        address,
      );
}
