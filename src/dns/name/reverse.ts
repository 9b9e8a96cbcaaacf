import { addressOctets } from "./address.ts";
import { asName, labels, type Name, type NameKey, nameKey } from "./name.ts";

/** The domain of a family's names, the bits of a label, and the labels that the addresses of a zone have in common. */
const ofFamily = {
  4: { top: ["in-addr", "arpa"], bits: 8, common: 3 },
  6: { top: ["ip6", "arpa"], bits: 4, common: 16 },
} as const;

/** The name of an address in reverse DNS, below in-addr.arpa (RFC 1035 §3.5) or ip6.arpa (RFC 3596 §2.5). */
export function reverseName(address: string): NameKey {
  return nameOf(digitsOf(address), address.includes(":") ? ofFamily[6].top : ofFamily[4].top);
}

/** The reverse zone of an address: that of its /24, for IPv6 of its /64. */
export function reverseZone(address: string): NameKey {
  const { top, common } = address.includes(":") ? ofFamily[6] : ofFamily[4];
  return nameOf(digitsOf(address).slice(0, common), top);
}

/** The first address of the /24 or /64 whose reverse zone is at or above a name. */
export function reverseNetwork(name: Name): string | undefined {
  const [last, second, ...digits] = labels(nameKey(name)).reverse();
  if (last !== "arpa") return undefined;
  if (second === "in-addr") return network4(digits.slice(0, ofFamily[4].common));
  return second === "ip6" ? network6(digits.slice(0, ofFamily[6].common)) : undefined;
}

function isOctet(digit: string): boolean {
  return /^(?:0|[1-9]\d{0,2})$/.test(digit) && Number(digit) < 256;
}

function isNibble(digit: string): boolean {
  return /^[\da-f]$/.test(digit);
}

function network4(digits: readonly string[]): string | undefined {
  if (digits.length < ofFamily[4].common || !digits.every(isOctet)) return undefined;
  return [...digits, "0"].join(".");
}

function network6(digits: readonly string[]): string | undefined {
  if (digits.length < ofFamily[6].common || !digits.every(isNibble)) return undefined;
  return `${digits.join("").replace(/.{4}/g, "$&:")}:`;
}

/** Whether a name is at or above the name of an address in this network, or below one. The network is in CIDR form. */
export function touchesNetwork(name: Name, { address, prefix }: { address: string; prefix: number }): boolean {
  const { top, bits } = address.includes(":") ? ofFamily[6] : ofFamily[4];
  const given = labels(nameKey(name)).reverse();
  if (given.slice(0, top.length).some((label, index) => label !== top.at(-index - 1))) return false;
  const digits = given.slice(top.length);
  const end = digits.findIndex((digit) => !(bits === 8 ? isOctet(digit) : isNibble(digit)));
  const isBelow = end >= 0;
  const toBits = (digits: readonly string[]) =>
    digits
      .map((digit) =>
        Number.parseInt(digit, bits === 8 ? 10 : 16)
          .toString(2)
          .padStart(bits, "0"),
      )
      .join("");
  const ofName = toBits(isBelow ? digits.slice(0, end) : digits);
  const ofNetwork = toBits(digitsOf(address)).slice(0, prefix);
  return ofName.startsWith(ofNetwork) || (!isBelow && ofNetwork.startsWith(ofName));
}

/** The labels of an address, its most significant one first. */
function digitsOf(address: string): string[] {
  const octets = [...addressOctets(address)].map((octet) => octet.charCodeAt(0));
  return octets.length === 4 ? octets.map(String) : [...Buffer.from(octets).toString("hex")];
}

function nameOf(digits: readonly string[], top: readonly string[]): NameKey {
  return nameKey(asName(`${[...digits].reverse().concat(top).join(".")}.`));
}
