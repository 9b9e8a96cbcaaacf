import { addressOctets } from "../../dns/name/address.ts";
import { isType, rdataText, type ZoneRecord } from "../../dns/zone/zone.ts";
import { hasStrings } from "./spelling.ts";

/** The part of a value that the API of PowerDNS has no spelling for; undefined if it has one (4.7, 2026-11). */
export function whyUnstorable(record: ZoneRecord): string | undefined {
  if (isType(record, "NS")) return ofHost(record.data.nsdname);
  if (isType(record, "MX")) return record.data.exchange === "." ? undefined : ofHost(record.data.exchange);
  if (isType(record, "SRV")) return record.data.target === "." ? undefined : ofHost(record.data.target);
  if (isType(record, "APL")) return ofPrefixes(record);
  if (isType(record, "KEY")) return record.data.public_key === "" ? "a KEY record without a key" : undefined;
  return ofText(record.type, rdataText(record));
}

function ofText(type: string, text: string): string | undefined {
  switch (type) {
    case "SVCB":
    case "HTTPS":
      if (/^0 \S+ /.test(text)) return "parameters in AliasMode (priority 0)";
      return text.includes(";") ? "a semicolon" : undefined;
    case "IPSECKEY":
      return /^\d+ 0 0 \. /.test(text) ? "a key without an algorithm" : undefined;
    case "LOC":
      return ofMetres(text);
    default: {
      // It has a spelling for these names, which no master file has.
      const [, found] = hasStrings(text) ? [] : (/\\([();"])/.exec(text) ?? []);
      return found && `the character ${found} in a name`;
    }
  }
}

/** Labels of letters, digits and inner hyphens (RFC 952, RFC 1123 §2.1). */
const hostName = /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+$/i;

function ofHost(name: string): string | undefined {
  return hostName.test(name) ? undefined : `"${name}", which is no host name`;
}

/** The most metres above the reference of RFC 1876, and the largest size: PowerDNS counts centimetres in 32 bits. */
const mostMetres = 21_374_836.47;
const largestMetres = 42_949_672.95;

function ofMetres(text: string): string | undefined {
  const [altitude = 0, ...sizes] = [...text.matchAll(/(-?[\d.]+)m/g)].map(([, metres]) => Number(metres));
  if (altitude > mostMetres) return `an altitude of ${altitude} m`;
  const size = sizes.find((metres) => metres > largestMetres);
  return size === undefined ? undefined : `a size of ${size} m`;
}

function ofPrefixes({ data: { prefixes } }: ZoneRecord<"APL">): string | undefined {
  for (const { family, address, length } of prefixes) {
    if (family !== 1 && family !== 2) return `the address family ${family}`;
    const bits = [...Buffer.from(addressOctets(address), "latin1")].map((octet) => octet.toString(2).padStart(8, "0"));
    if (bits.join("").includes("1", length)) return `bits of ${address} after the prefix of ${length}`;
  }
  return undefined;
}
