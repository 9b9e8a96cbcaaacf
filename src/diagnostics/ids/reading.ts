import type { Entries } from "./entry.ts";

/** Why a file cannot be read as it stands. What cannot be read is never guessed, so nobody can switch these. */
export const reading = {
  "address-v4": { why: "An A record holds four numbers from 0 to 255 without leading zeros (RFC 1035 §3.4.1)." },
  "address-v6": { why: "An AAAA record holds an IPv6 address in one of its spellings (RFC 4291 §2.2)." },
  class: { why: "Zones here are of class IN; others would be lost without a word (RFC 1035 §3.2.4)." },
  "control-octet": {
    why: "Control octets show nothing and often come from copying; names and words hold them as escapes (RFC 1035 §5.1).",
  },
  directive: {
    why: "A line that starts with $ is $ORIGIN, $TTL, $INCLUDE or $GENERATE, with the parts that it takes.",
  },
  "directive-missing": { why: "$GENERATE takes a range, an owner, a type and data (BIND 9 manual, $GENERATE)." },
  "duplicate-key": { why: "Of two equal keys only one could count, and the records of the other would be deleted." },
  "duplicate-set": { why: "octoDNS takes one set of a type at a name; of a second one only one could count." },
  encoding: { why: "Zone files in YAML are UTF-8 (YAML 1.2 §5.2)." },
  "field-missing": { why: "A record lacks a part of its data." },
  "file-format": {
    why: "The ending of a file's name says its format: .yaml and .yml are YAML, .zone and .db master files.",
  },
  "generate-count": { why: "All $GENERATE lines of a zone together make at most 1,000,000 records." },
  "generate-format": {
    why: "A modifier of $GENERATE is ${offset,width,base}, with base d, o, x, X, n or N (BIND 9 manual, $GENERATE).",
  },
  "generate-range": { why: "The range of $GENERATE is start-stop or start-stop/step (BIND 9 manual, $GENERATE)." },
  "generate-type": { why: "$GENERATE makes records of any type but SOA, of which a zone has one." },
  "hash-comment": {
    why: 'A comment in a master file starts with ";" (RFC 1035 §5.1); "#" would begin a name, a text or a part of the data.',
  },
  "idn-converted": {
    severity: "note",
    why: "DNS holds names of other scripts as xn-- labels (RFC 5890); what is written in the file is converted (UTS 46).",
  },
  "include-count": { why: "A zone includes at most 10,000 files, and 256 MB in all." },
  "include-depth": { why: "Files include each other at most 16 deep." },
  "include-loop": { why: "A file that includes itself, also by way of others, would never end." },
  "include-outside": {
    why: "What a zone file includes lies in the folder of the zones: nothing else on the disk is opened.",
  },
  "include-read": { why: "An included file that cannot be read would leave its records out." },
  "lenient-rule": {
    why: "lenient names rules about zones that can be made milder; a name that is none would excuse nothing.",
  },
  "name-syntax": { why: "A name is labels of 1 to 63 octets, 255 octets in all (RFC 1035 §3.1)." },
  "name-unicode": {
    why: "A name in another script is converted to xn-- labels (UTS 46, RFC 5891); punctuation, symbols and invisible characters have none.",
  },
  "origin-needs-dot": {
    why: "A name behind $ORIGIN without a final dot is completed with the origin before (RFC 1035 §5.1), here to a name that ends in the zone's name twice.",
  },
  "out-of-zone": { why: "A zone holds its own name and names below it; servers ignore others (RFC 1035 §5.2)." },
  "owner-differs": {
    why: "service and protocol of an SRV record are labels of its owner (RFC 2782); what an object says of them agrees.",
  },
  "owner-missing": {
    why: "A line that starts with white space takes the owner of the line before, and there is none (RFC 1035 §5.1).",
  },
  parenthesis: { why: "Parentheses join lines and come in pairs (RFC 1035 §5.1)." },
  "provider-specific": {
    severity: "warning",
    why: "What only one provider of octoDNS knows means nothing elsewhere, and is left out.",
  },
  quote: { why: "A quoted string ends with its quote on the same line (RFC 1035 §5.1)." },
  "rdata-algorithm": {
    why: "An algorithm is a number from 0 to 255 or its mnemonic (IANA, DNS security algorithm numbers).",
  },
  "rdata-atm": {
    why: "An ATM address is the digits of E.164 behind +, or pairs of hexadecimal digits (af-dans-0152).",
  },
  "rdata-base32": { why: "The data is base 32 with the extended hex alphabet (RFC 4648 §7)." },
  "rdata-base64": { why: "The data is base 64 (RFC 4648 §4)." },
  "rdata-eui": {
    why: "A hardware address is pairs of hexadecimal digits with hyphens between them (RFC 7043 §3, §4).",
  },
  "rdata-extra": { why: "What stands behind the last part of a record's data would be lost." },
  "rdata-gateway": {
    why: "The type of a gateway says how it is written: none, an address or a name (RFC 4025 §2.5, RFC 8777 §4.2.3).",
  },
  "rdata-hex": { why: "The data is pairs of hexadecimal digits (RFC 4648 §8)." },
  "rdata-key": { why: "The flags of a KEY record say whether a key follows (RFC 2535 §3.1.2)." },
  "rdata-length": { why: "The data of a key or digest has the length that its algorithm gives it." },
  "rdata-location": { why: "A LOC record is a place in the one way to write it (RFC 1876 §3)." },
  "rdata-locator": { why: "A node identifier or locator is four groups of hexadecimal digits (RFC 6742 §2.1, §2.3)." },
  "rdata-number": { why: "The number fits the octets that the record type has for it." },
  "rdata-parameter": { why: "A parameter of SVCB and HTTPS is key=value, each key once (RFC 9460 §2.1)." },
  "rdata-prefix": { why: "An address prefix names its family: 1 for IPv4, 2 for IPv6 (RFC 3123 §5)." },
  "rdata-service": { why: "A WKS record names a protocol and its ports, by number or by name (RFC 1035 §3.4.2)." },
  "rdata-substitution": {
    why: "A NAPTR record has a substitution or a replacement, in the form of a delimited expression (RFC 3402 §3.2).",
  },
  "rdata-syntax": { why: "Names, numbers and mnemonics are written without quotes, and only texts with them." },
  "rdata-time": { why: "A time is YYYYMMDDHHMMSS or seconds since 1970 (RFC 4034 §3.2)." },
  "rdata-wire": { why: "Data after \\# is its length and as many octets, and fits its type (RFC 3597 §5)." },
  "rdata-x25": { why: "An X25 address has at least four digits (RFC 1183 §3.1)." },
  "records-shape": { why: "records is a map from owner name to record types, and these to values." },
  "remote-addr": {
    why: "[remote_addr] makes the API store the address of whoever calls it, which no review has seen.",
  },
  "setting-value": { why: "The value does not fit the setting." },
  "soa-differs": { why: "The SOA record and the setting say two things of one zone." },
  "soa-owner": { why: "The SOA record stands at the zone's own name (RFC 1035 §5.2)." },
  "soa-twice": { why: "A zone has one SOA record (RFC 1035 §5.2)." },
  "text-escape": {
    why: "A backslash stands before three digits up to 255, or before one other character (RFC 1035 §5.1).",
  },
  "text-too-long": {
    why: "A text string has at most 255 octets, the data of a record at most 65,535 (RFC 1035 §3.3, §3.2.1).",
  },
  "too-many-faults": { why: "Behind 200 faults the next ones mostly follow from them." },
  "ttl-missing": {
    why: "A record without a TTL takes the one before it, $TTL or the SOA's, and there is none (RFC 2308 §4).",
  },
  "ttl-syntax": { why: "A time is seconds up to 2147483647, or 30m, 1h, 2d, 1w, 1h30m (RFC 2181 §8)." },
  "type-meta": { why: "Types such as ANY and AXFR are asked for, never stored (RFC 6895 §3.1)." },
  "type-missing": { why: "A record has a type." },
  "type-quoted": { why: "The type is a word without quotes (RFC 1035 §5.1)." },
  "unknown-data": { why: "The data of a type that zonewright does not know is written as octets (RFC 3597 §5)." },
  "unknown-key": { why: "A key that means nothing is most often a slip, and what it says would be lost." },
  "unknown-type": {
    why: "The type is none that zonewright knows; any can be written as TYPE and its number (RFC 3597 §5).",
  },
  "value-missing": { why: "A record type without a value would be no record." },
  "value-shape": { why: "A value is a text, or an object with the fields of its type." },
  "value-twice": { why: "A set of octoDNS has value or values; with both, only one could count." },
  "yaml-alias": { why: "An alias stands for the value with its anchor, which comes before it." },
  "yaml-documents": { why: "A zone file is one YAML document; the others would be lost." },
  "yaml-key": { why: "Keys of a zone file are texts." },
  "yaml-merge": { why: "<< merges maps (YAML 1.1, merge key)." },
  "yaml-syntax": { why: "The file is not YAML from this place on." },
  "yaml-tag": { why: "A tag asks for more than YAML's own types, and nobody here would follow it." },
  "yaml-too-large": { why: "Aliases expand to at most 100,000 nodes, so that a small file cannot fill the memory." },
  "zone-empty": { why: "A file without a zone would plan to delete every record." },
  "zone-name": { why: "The name of a zone is a domain name." },
} as const satisfies Entries;
