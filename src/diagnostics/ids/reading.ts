import type { Entries } from "./entry.ts";

/** Problems with reading a file. Their severity cannot be set: a value that cannot be read is never guessed. */
export const reading = {
  "address-v4": {
    why: "The address of an A record is four numbers from 0 to 255 without leading zeros (RFC 1035 §3.4.1).",
  },
  "address-v6": { why: "The address of an AAAA record is an IPv6 address in text form (RFC 4291 §2.2)." },
  class: { why: "Only records of class IN are supported (RFC 1035 §3.2.4)." },
  "control-octet": {
    why: "Control characters are invisible and usually come from copying text. In names and values they must be written as escapes (RFC 1035 §5.1).",
  },
  directive: {
    why: "The directives of a zone file are $ORIGIN, $TTL, $INCLUDE and $GENERATE, each with its arguments.",
  },
  "directive-missing": { why: "$GENERATE takes a range, an owner name, a type and RDATA (BIND 9 manual, $GENERATE)." },
  "duplicate-key": { why: "Only one of two equal keys can take effect, so the records of the other would be deleted." },
  "duplicate-set": { why: "octoDNS allows one RRset per name and type, so only one of the two can take effect." },
  encoding: { why: "YAML zone files are encoded in UTF-8 (YAML 1.2 §5.2)." },
  "entry-empty": {
    severity: "note",
    why: "A name or type without records adds none, and does not replace those of a template.",
  },
  "field-missing": { why: "A required field of the record's RDATA is missing." },
  "file-format": {
    why: "The extension of a file determines its format: .yaml and .yml are YAML, .zone and .db are BIND zone files.",
  },
  "generate-count": { why: "The $GENERATE lines of a zone can make at most 1,000,000 records." },
  "generate-format": {
    why: "A modifier in a $GENERATE line is ${offset,width,base}, where base is d, o, x, X, n or N (BIND 9 manual, $GENERATE).",
  },
  "generate-range": { why: "The range of $GENERATE is start-stop or start-stop/step (BIND 9 manual, $GENERATE)." },
  "generate-type": {
    why: "$GENERATE can make records of any type except SOA, because a zone has only one SOA record.",
  },
  "hash-comment": {
    why: 'A comment in a zone file starts with ";" (RFC 1035 §5.1). Text after "#" would become part of the record.',
  },
  "idn-converted": {
    severity: "note",
    why: "DNS stores internationalized names as xn-- labels (RFC 5890). The name in the file is converted (UTS 46).",
  },
  "include-count": { why: "A zone can include at most 10,000 files of 256 MB in total." },
  "include-depth": { why: "Included files can be nested at most 16 levels deep." },
  "include-loop": { why: "A file that includes itself, directly or through other files, would never end." },
  "include-outside": {
    why: "A zone file can include only files in the zones folder, so that it cannot read other files on the disk.",
  },
  "include-read": { why: "If an included file that cannot be read were skipped, its records would be missing." },
  "lenient-rule": {
    why: "lenient lists rules about zones whose severity can be lowered. Other names have no effect.",
  },
  "merge-conflict": {
    why: "git leaves both sides of a conflict in the file, between lines of markers.",
  },
  "name-syntax": {
    why: "A domain name consists of labels of 1 to 63 octets and has at most 255 octets in total (RFC 1035 §3.1).",
  },
  "name-unicode": {
    why: "Internationalized names are converted to xn-- labels (UTS 46, RFC 5891). Punctuation, symbols and invisible characters cannot be converted.",
  },
  "origin-needs-dot": {
    why: "A name after $ORIGIN without a final dot is relative to the current origin (RFC 1035 §5.1). Here the resulting name ends in the zone's name twice.",
  },
  "out-of-zone": {
    why: "A zone contains only its apex and names below it. Name servers ignore other names (RFC 1035 §5.2).",
  },
  "owner-differs": {
    why: "The service and protocol of an SRV record are labels of its owner name (RFC 2782), so an object that sets them must agree with it.",
  },
  "owner-missing": {
    why: "A line that starts with white space uses the owner name of the previous record (RFC 1035 §5.1), but here no record precedes it.",
  },
  "override-unused": {
    severity: "warning",
    why: "override: true replaces the records that a template gives for the name and type. Without such records it has no effect.",
  },
  parenthesis: { why: "Parentheses continue a record over several lines and must be balanced (RFC 1035 §5.1)." },
  "provider-specific": {
    severity: "warning",
    why: "The setting is specific to one octoDNS provider and has no meaning elsewhere, so it is ignored.",
  },
  quote: { why: "A quoted string must end on the line where it starts (RFC 1035 §5.1)." },
  "rdata-algorithm": {
    why: "An algorithm is a number from 0 to 255 or its mnemonic (IANA registry of DNSSEC algorithm numbers).",
  },
  "rdata-atm": {
    why: 'An ATM address is an E.164 number after "+", or pairs of hexadecimal digits (af-dans-0152).',
  },
  "rdata-base32": { why: "This field is base32 with the extended hex alphabet (RFC 4648 §7)." },
  "rdata-base64": { why: "This field is base64 (RFC 4648 §4)." },
  "rdata-eui": {
    why: "A hardware address is pairs of hexadecimal digits separated by hyphens (RFC 7043 §3, §4).",
  },
  "rdata-extra": { why: "The record has more fields than its type allows." },
  "rdata-gateway": {
    why: "The gateway type determines how the gateway is written: as nothing, an address or a name (RFC 4025 §2.5, RFC 8777 §4.2.3).",
  },
  "rdata-hex": { why: "This field is pairs of hexadecimal digits (RFC 4648 §8)." },
  "rdata-key": { why: "The flags of a KEY record determine whether a key follows (RFC 2535 §3.1.2)." },
  "rdata-length": { why: "The algorithm determines the length of a key or digest." },
  "rdata-location": {
    why: "The RDATA of a LOC record is latitude, longitude, altitude and optional precisions (RFC 1876 §3).",
  },
  "rdata-locator": { why: "A node identifier or locator is four groups of hexadecimal digits (RFC 6742 §2.1, §2.3)." },
  "rdata-number": { why: "The number is outside the range that the record type allows." },
  "rdata-parameter": {
    why: "A parameter of an SVCB or HTTPS record is key=value, and each key occurs once (RFC 9460 §2.1).",
  },
  "rdata-order": {
    why: "The fields of a record have a fixed order: the numbers of an MX or SRV record come before its name (RFC 1035 §3.3.9, RFC 2782).",
  },
  "rdata-prefix": {
    why: "An APL address prefix starts with its address family, 1 for IPv4 or 2 for IPv6 (RFC 3123 §5).",
  },
  "rdata-service": { why: "A WKS record lists a protocol and ports, by number or by name (RFC 1035 §3.4.2)." },
  "rdata-substitution": {
    why: "A NAPTR record has either a substitution expression with delimiters or a replacement name (RFC 3402 §3.2).",
  },
  "server-config-syntax": {
    why: "After a syntax error in the configuration of a name server, its zones are uncertain. The server refuses it as well.",
  },
  "rdata-syntax": { why: "Names, numbers and mnemonics are written without quotes. Only text strings are quoted." },
  "rdata-time": { why: "A time is YYYYMMDDHHMMSS or a number of seconds since 1970 (RFC 4034 §3.2)." },
  "rdata-wire": {
    why: "RDATA in the generic form is \\#, its length, and that many octets in hexadecimal, and must be valid for the type (RFC 3597 §5).",
  },
  "rdata-x25": { why: "An X.25 address has at least four digits (RFC 1183 §3.1)." },
  "records-shape": { why: "records maps owner names to record types, and record types to values." },
  "remote-addr": {
    why: "For [remote_addr] the API stores the address of the client that calls it, a value that no reviewer has seen.",
  },
  "setting-value": { why: "The setting has an invalid value." },
  "soa-differs": { why: "The SOA record and a setting of the same zone disagree." },
  "soa-owner": { why: "The owner of the SOA record is the apex of the zone (RFC 1035 §5.2)." },
  "soa-twice": { why: "A zone has only one SOA record (RFC 1035 §5.2)." },
  "template-conflict": {
    why: "Records of one name and type come from one place: the zone file or one template. Otherwise no single file shows what the zone contains.",
  },
  "template-parameter": {
    why: "A template declares its parameters with their types, and a zone that uses it must set every parameter without a default.",
  },
  "template-read": { why: "If a template that cannot be read were skipped, its records would be missing." },
  "template-syntax": { why: "A template contains parameters, zone settings and records, and uses no other template." },
  "template-unknown": { why: "If an unknown template were skipped, its records would be missing." },
  "template-unused": {
    severity: "note",
    why: "A template takes effect only in the zones that list it under `templates`.",
  },
  "text-escape": {
    why: "A backslash is followed by three digits up to 255, or by one other character (RFC 1035 §5.1).",
  },
  "node-reference": {
    why: "In place of an address, an A or AAAA record can name a node: `{ node: LABEL }`. In an A record, `private: true` means its private address.",
  },
  "text-too-long": {
    why: "A character string has at most 255 octets and the RDATA of a record at most 65,535 (RFC 1035 §3.3, §3.2.1).",
  },
  "too-many-errors": {
    why: "Reading stops after 200 errors, because later ones are mostly consequences of earlier ones.",
  },
  "ttl-missing": {
    why: "A record without a TTL uses that of the previous record, $TTL or the SOA record (RFC 2308 §4), and here all are missing.",
  },
  "ttl-syntax": {
    why: "A TTL is a number of seconds up to 2147483647, or a duration such as 30m, 1h, 2d, 1w or 1h30m (RFC 2181 §8).",
  },
  "type-meta": { why: "Types such as ANY and AXFR exist only in queries and cannot be stored (RFC 6895 §3.1)." },
  "type-missing": { why: "Every record needs a type." },
  "type-quoted": { why: "A record type is written without quotes (RFC 1035 §5.1)." },
  "unknown-data": {
    why: "RDATA of a record type that zonewright does not know must be written in the generic form, as octets (RFC 3597 §5).",
  },
  "unknown-key": { why: "An unknown key is most likely a typing error, and its value would have no effect." },
  "unknown-type": {
    why: "zonewright does not know this record type. Any type can be written as TYPE with its number (RFC 3597 §5).",
  },
  "value-missing": { why: "Every record type needs at least one value." },
  "value-shape": { why: "A value is a string, or an object with the fields of its type." },
  "value-twice": { why: "An octoDNS record has either value or values. Only one of them can take effect." },
  "yaml-alias": { why: "An alias must follow the anchor that it refers to, and be outside its value." },
  "yaml-documents": { why: "A zone file consists of one YAML document, so further documents would be lost." },
  "yaml-key": { why: "The keys of a zone file are strings." },
  "yaml-merge": { why: "The key << merges maps (YAML 1.1, merge key)." },
  "yaml-syntax": { why: "The file is not valid YAML from this place on." },
  "yaml-tag": { why: "Only the tags of YAML's own types are supported." },
  "yaml-too-large": {
    why: "Aliases may expand to at most 100,000 nodes, so that a small file cannot exhaust the memory.",
  },
  "yaml-version": {
    severity: "warning",
    why: "octoDNS reads YAML 1.1, in which on is true, 0600 is octal and 12:30 is a number of base 60. In YAML 1.2 they are not.",
  },
  "zone-empty": { why: "An empty file would plan the deletion of every record of the zone." },
  "zone-name": { why: "The name of a zone must be a valid domain name." },
} as const satisfies Entries;
