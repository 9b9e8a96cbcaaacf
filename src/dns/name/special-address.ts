import { addressWords } from "./address.ts";

/** A block of special-purpose addresses: apart from exceptions, no host on the internet has one. */
export interface SpecialBlock {
  readonly block: string;
  /** As in "the … address". */
  readonly purpose: string;
  readonly source: string;
}

/**
 * IANA IPv4 Special-Purpose Address Registry, entries that are not globally reachable or no longer in use, and the
 * multicast and reserved blocks of the IANA IPv4 Address Space registry. The documentation blocks (RFC 5737) are not
 * listed: examples and tests use them, but networks do not.
 */
const blocks4: readonly SpecialBlock[] = [
  { block: "0.0.0.0/8", purpose: "this-network", source: "RFC 791" },
  { block: "10.0.0.0/8", purpose: "private", source: "RFC 1918" },
  { block: "100.64.0.0/10", purpose: "carrier-grade NAT", source: "RFC 6598" },
  { block: "127.0.0.0/8", purpose: "loopback", source: "RFC 1122" },
  { block: "169.254.0.0/16", purpose: "link-local", source: "RFC 3927" },
  { block: "172.16.0.0/12", purpose: "private", source: "RFC 1918" },
  { block: "192.0.0.0/24", purpose: "protocol-assignment", source: "RFC 6890" },
  { block: "192.88.99.0/24", purpose: "former 6to4 relay", source: "RFC 7526" },
  { block: "192.168.0.0/16", purpose: "private", source: "RFC 1918" },
  { block: "198.18.0.0/15", purpose: "benchmarking", source: "RFC 2544" },
  { block: "224.0.0.0/4", purpose: "multicast", source: "RFC 5771" },
  { block: "240.0.0.0/4", purpose: "reserved", source: "RFC 1112" },
];

/** Globally reachable entries of the same registry inside these blocks: port control and TURN anycast. */
const exceptions4 = ["192.0.0.9/32", "192.0.0.10/32"];

/**
 * IANA IPv6 Special-Purpose Address Registry, likewise; multicast, site-local and IPv4-compatible addresses by RFC 4291
 * and RFC 3879; and the blocks of the IANA IPv6 Address Space registry that are not global unicast, of which the first
 * match is used. Without the documentation blocks 2001:db8::/32 (RFC 3849) and 3fff::/20 (RFC 9637).
 */
const blocks6: readonly SpecialBlock[] = [
  { block: "::/128", purpose: "unspecified", source: "RFC 4291" },
  { block: "::1/128", purpose: "loopback", source: "RFC 4291" },
  { block: "::/96", purpose: "IPv4-compatible", source: "RFC 4291" },
  { block: "::ffff:0:0/96", purpose: "IPv4-mapped", source: "RFC 4291" },
  { block: "::ffff:0:0:0/96", purpose: "IPv4-translated", source: "RFC 2765" },
  { block: "64:ff9b:1::/48", purpose: "local translation", source: "RFC 8215" },
  { block: "100::/64", purpose: "discard-only", source: "RFC 6666" },
  { block: "100:0:0:1::/64", purpose: "dummy", source: "RFC 9780" },
  { block: "2001::/32", purpose: "Teredo", source: "RFC 4380" },
  { block: "2001:2::/48", purpose: "benchmarking", source: "RFC 5180" },
  { block: "2001::/23", purpose: "protocol-assignment", source: "RFC 2928" },
  { block: "5f00::/16", purpose: "segment routing", source: "RFC 9602" },
  { block: "fc00::/7", purpose: "unique local", source: "RFC 4193" },
  { block: "fe80::/10", purpose: "link-local", source: "RFC 4291" },
  { block: "fec0::/10", purpose: "site-local", source: "RFC 3879" },
  { block: "ff00::/8", purpose: "multicast", source: "RFC 4291" },
  // The rest outside 2000::/3, by the IANA IPv6 Address Space registry.
  { block: "::/8", purpose: "reserved", source: "RFC 4291" },
  { block: "100::/8", purpose: "reserved", source: "RFC 4291" },
  { block: "200::/7", purpose: "reserved", source: "RFC 4048" },
  { block: "400::/6", purpose: "reserved", source: "RFC 4291" },
  { block: "800::/5", purpose: "reserved", source: "RFC 4291" },
  { block: "1000::/4", purpose: "reserved", source: "RFC 4291" },
  { block: "4000::/3", purpose: "reserved", source: "RFC 4291" },
  { block: "6000::/3", purpose: "reserved", source: "RFC 4291" },
  { block: "8000::/3", purpose: "reserved", source: "RFC 4291" },
  { block: "a000::/3", purpose: "reserved", source: "RFC 4291" },
  { block: "c000::/3", purpose: "reserved", source: "RFC 4291" },
  { block: "e000::/4", purpose: "reserved", source: "RFC 4291" },
  { block: "f000::/5", purpose: "reserved", source: "RFC 4291" },
  { block: "f800::/6", purpose: "reserved", source: "RFC 4291" },
  { block: "fe00::/9", purpose: "reserved", source: "RFC 4291" },
];

/** Globally reachable entries inside 2001::/23: anycast services, AMT, AS112, ORCHIDv2 and drone remote ids. */
const exceptions6 = [
  "2001:1::1/128",
  "2001:1::2/128",
  "2001:1::3/128",
  "2001:3::/32",
  "2001:4:112::/48",
  "2001:20::/28",
  "2001:30::/28",
];

/** IPv6 prefixes that embed an IPv4 address, which is checked instead: translation (RFC 6052) and 6to4 (RFC 3056). */
const carriers = [
  { block: "64:ff9b::/96", word: 6 },
  { block: "2002::/16", word: 1 },
];

/** Blocks of addresses in documentation (RFC 5737, RFC 3849, RFC 9637). */
const documentation = ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20"];

/** Whether an address belongs to examples and tests. */
export function isDocumentationAddress(address: string): boolean {
  const words = address.includes(":") ? [...addressWords(address)] : words4(address);
  return compiledDocumentation.some((block) => block.words.length === words.length && isIn(words, block));
}

/** The special-purpose block of an IPv4 or IPv6 address; undefined for addresses of hosts on the internet. */
export function specialBlock(address: string): SpecialBlock | undefined {
  return address.includes(":") ? special6([...addressWords(address)]) : special4(words4(address));
}

function special4(words: readonly number[]): SpecialBlock | undefined {
  // Most first octets are in no block.
  if (!firstOctets4.has((words[0] ?? 0) >> 8)) return undefined;
  if (compiled4.exceptions.some((block) => isIn(words, block))) return undefined;
  return compiled4.blocks.find((block) => isIn(words, block))?.special;
}

function special6(words: readonly number[]): SpecialBlock | undefined {
  if (compiled6.exceptions.some((block) => isIn(words, block))) return undefined;
  const carrier = compiled6.carriers.find((block) => isIn(words, block));
  if (carrier === undefined) return compiled6.blocks.find((block) => isIn(words, block))?.special;
  const inner = special4(words.slice(carrier.word, carrier.word + 2));
  return inner && { ...inner, block: `${inner.block} in ${carrier.block}` };
}

/** A block as words of 16 bits, with the number of bits to compare. */
interface Prefix {
  readonly words: readonly number[];
  readonly bits: number;
}

function isIn(words: readonly number[], { words: first, bits }: Prefix): boolean {
  const whole = bits >> 4;
  for (let at = 0; at < whole; at++) if (words[at] !== first[at]) return false;
  const rest = bits & 15;
  return rest === 0 || (words[whole] ?? 0) >> (16 - rest) === (first[whole] ?? 0) >> (16 - rest);
}

function prefixOf(block: string): Prefix {
  const [address = "", bits] = block.split("/");
  const words = address.includes(":") ? [...addressWords(address)] : words4(address);
  return { words, bits: Number(bits) };
}

function words4(address: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  return [a * 256 + b, c * 256 + d];
}

const compileBlocks = (blocks: readonly SpecialBlock[]) =>
  blocks.map((special) => ({ special, ...prefixOf(special.block) }));
/** The first octets of the addresses in the IPv4 blocks. */
const firstOctets4 = new Set(
  blocks4.flatMap(({ block }) => {
    const { words, bits } = prefixOf(block);
    const first = (words[0] ?? 0) >> 8;
    return Array.from({ length: 2 ** Math.max(0, 8 - bits) }, (_, index) => first + index);
  }),
);
const compiledDocumentation = documentation.map(prefixOf);
const compiled4 = { blocks: compileBlocks(blocks4), exceptions: exceptions4.map(prefixOf) };
const compiled6 = {
  blocks: compileBlocks(blocks6),
  exceptions: exceptions6.map(prefixOf),
  carriers: carriers.map((carrier) => ({ ...carrier, ...prefixOf(carrier.block) })),
};
