import { advise } from "../advice.ts";
import type { Entries } from "./entry.ts";

/** Limits of the API, and values that it stores differently. */
export const api = {
  "alias-alone": {
    why: "An API with open records answers an ALIAS record with A and AAAA records of its target, so a name has one ALIAS record, or addresses. Lowered to a warning, the ALIAS record stays in the file and is not sent.",
  },
  "alias-record": {
    why: "ALIAS is not a DNS record type, and this target does not support it: some DNS providers answer it with the addresses of its target. Lowered to a warning, the record stays in the file and is not sent.",
    source: "decisions/documents#records",
    example: { valid: 'records:\n  "@": { A: 192.0.2.1 }', invalid: 'records:\n  "@": { ALIAS: www.example.net. }' },
  },
  "apex-ns": {
    severity: "note",
    why: "The service manages the NS records of the apex. NS records at the apex of the file are not sent.",
    source: "decisions/service#records",
  },
  "axfr-ips-address": {
    why: "The API identifies servers by IP address, not by name.",
    source: "decisions/documents#domains",
    example: { valid: 'axfr_ips: [192.0.2.53, "2001:db8::53"]', invalid: "axfr_ips: [ns1.example.net]" },
  },
  "axfr-ips-count": {
    why: "The API accepts at most 100 addresses in axfr_ips.",
    source: "openapi.json: POST /domains",
  },
  "axfr-ips-unique": {
    why: "The API rejects axfr_ips that list an address twice, even in two spellings.",
    source: "decisions/service#domains",
    example: { valid: "axfr_ips: [192.0.2.53, 192.0.2.54]", invalid: 'axfr_ips: ["2001:db8::53", "2001:DB8:0::53"]' },
  },
  "caa-flags": {
    why: "The API stores no CAA flags: every CAA record has flags 0.",
    source: "decisions/service#records",
    example: {
      valid: 'records:\n  "@": { CAA: 0 issue "ca.example.net" }',
      invalid: 'records:\n  "@": { CAA: 128 issue "ca.example.net" }',
    },
  },
  "caa-tag": {
    why: "The API supports only the CAA tags issue, issuewild and iodef.",
    source: "decisions/documents#records",
    example: {
      valid: 'records:\n  "@": { CAA: 0 issue "ca.example.net" }',
      invalid: 'records:\n  "@": { CAA: 0 contactemail "a@example.com" }',
    },
  },
  "caa-value": {
    why: 'The value of issue and issuewild is the domain of a certificate authority, or ";" to forbid certificates; that of iodef is a mailto:, http: or https: URL (RFC 8659 §4).',
    source: "decisions/service#records",
    example: {
      valid: 'records:\n  "@": { CAA: 0 issue ";" }',
      invalid: 'records:\n  "@": { CAA: 0 issue "ca.example.net." }',
    },
  },
  "bind-refusal": {
    why: "An API with open records refuses a record with which BIND, as a secondary, would refuse the whole zone: an NSEC3 record whose owner is not a hash (RFC 5155 §3), a dohpath without the variable dns (RFC 9461 §5), a key of algorithm 253 without a name (RFC 4034 §A.1.1), a ZONEMD digest below 12 octets (RFC 8976 §2.2.4), an RRSIG record with fewer labels than its signer has (RFC 4034 §3.1.3), an RRSIG or SIG record of type 0, or a NAPTR expression with a NUL.",
  },
  "data-length": {
    why: "The API accepts at most 64,000 octets of RDATA, so that the record fits into a DNS message (RFC 1035 §4.2.2).",
  },
  "description-length": {
    why: "The API accepts descriptions of 1 to 255 characters.",
    source: "decisions/documents#domains",
    example: {
      valid: "description: shops",
      invalid:
        "description: shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops",
    },
  },
  "domain-name": {
    why: "The API accepts domains of two or more labels made of letters, digits, hyphens and underscores, with slashes allowed inside a label (RFC 2317 §4). The last label must not be a number.",
    source: "decisions/documents#domains; decisions/service#domains",
    example: { valid: "zone: example.com", invalid: "zone: localhost" },
  },
  "group-length": {
    why: "The API accepts groups of 1 to 50 characters.",
    source: "decisions/documents#domains",
    example: { valid: "group: shops", invalid: "group: shops shops shops shops shops shops shops shops shops shops" },
  },
  "master-ips": {
    why: "A secondary zone needs the addresses of the primaries to transfer from.",
    source: "decisions/service#domains",
    example: { valid: "type: slave\nmaster_ips: [192.0.2.53]", invalid: "type: slave" },
  },
  "master-ips-address": {
    why: "The API identifies servers by IP address, not by name.",
    source: "decisions/documents#domains",
    example: { valid: 'master_ips: [192.0.2.53, "2001:db8::53"]', invalid: "master_ips: [ns1.example.net]" },
  },
  "master-ips-count": {
    why: "The API accepts at most 100 addresses in master_ips.",
    source: "openapi.json: POST /domains",
  },
  "name-characters": {
    why: "The API accepts record names only in printable ASCII without spaces and escapes.",
    source: "decisions/service#records",
    example: {
      valid: "records:\n  xn--bcher-kva: { A: 192.0.2.1 }",
      invalid: "records:\n  b\\195\\188cher: { A: 192.0.2.1 }",
    },
  },
  "name-length": {
    why: "The API accepts record names of 1 to 100 characters.",
    source: "decisions/documents#records",
    example: {
      valid: "records:\n  short: { A: 192.0.2.1 }",
      invalid:
        "records:\n  aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb: { A: 192.0.2.1 }",
    },
  },
  "priority-range": {
    why: "The API accepts MX and SRV priorities from 0 to 255.",
    source: "decisions/documents#records",
    example: {
      valid: 'records:\n  "@": { MX: 10 mail.example.net. }',
      invalid: 'records:\n  "@": { MX: 300 mail.example.net. }',
    },
  },
  "node-label": {
    why: "The API accepts only labels of 3 to 64 letters, digits, dashes, underscores and periods for nodes.",
    source: "decisions/documents#nodes",
    example: { valid: "records:\n  www: { A: { node: web-1 } }", invalid: "records:\n  www: { A: { node: web--1 } }" },
  },
  "records-count": { why: "The API accepts at most 12,000 records in a domain.", source: "decisions/service#domains" },
  "root-target": {
    why: 'The API accepts the target "." only in MX and SRV records, where it means that no server offers the service.',
    source: "decisions/service#records",
    example: { valid: "records:\n  nomail: { MX: 0 . }", invalid: "records:\n  www: { CNAME: . }" },
  },
  "rrset-length": {
    why: "An API with open records accepts at most 64,012 octets of records of one name and type, because an answer has all of them in one DNS message (RFC 1035 §4.2.2, RFC 2181 §5). Other name servers do not load or transfer such a set either.",
  },
  "slave-records": {
    why: "A secondary zone transfers all its records from its primaries, so its file cannot add any.",
    source: "decisions/service#domains",
    example: {
      valid: "type: slave\nmaster_ips: [192.0.2.53]",
      invalid: "type: slave\nmaster_ips: [192.0.2.53]\nrecords:\n  www: { A: 192.0.2.1 }",
    },
  },
  "soa-email": {
    why: "A primary zone needs a contact address.",
    source: "decisions/service#domains",
    example: { valid: "soa_email: hostmaster@example.com", invalid: "soa_email: hostmaster" },
  },
  "srv-owner": {
    why: "The API composes the name of an SRV record from its service and its protocol (RFC 2782), so it stores none at another name, such as that of a DNS-SD instance (RFC 6763 §4.1).",
    source: "decisions/service#records",
    example: {
      valid: "records:\n  _sip._tcp: { SRV: 0 0 5060 sip.example.net. }",
      invalid: "records:\n  printer._ipp._tcp: { SRV: 0 0 631 printer.example.net. }",
    },
  },
  "srv-target": {
    why: 'The API appends the name of the zone to an SRV target without a dot, so it cannot store a single-label target such as "localhost.".',
    source: "decisions/service#records",
    example: {
      valid: "records:\n  _sip._tcp: { SRV: 0 0 5060 sip.example.net. }",
      invalid: "records:\n  _sip._tcp: { SRV: 0 0 5060 localhost. }",
    },
  },
  "tag-length": {
    why: "The API accepts tags of 3 to 50 characters.",
    source: "decisions/documents#tags",
    example: { valid: "tags: [production]", invalid: "tags: [eu]" },
  },
  "tags-count": { why: "The API accepts at most 100 tags on a domain.", source: "openapi.json: POST /domains" },
  "target-characters": {
    why: "The API accepts targets made of letters, digits, hyphens, underscores and slashes (for the slash see RFC 2317).",
    source: "decisions/service#records",
    example: {
      valid: "records:\n  www: { CNAME: shop.example.net. }",
      invalid: 'records:\n  www: { CNAME: "*.example.net." }',
    },
  },
  "text-resplit": {
    severity: "note",
    why: "The API stores a text as one string and splits it every 255 octets when it serves the zone, so the strings of this record change and the text stays the same.",
    source: "decisions/service#records",
  },
  "text-utf8": {
    why: "The API transports text as JSON, so it must be valid UTF-8 (RFC 8259 §8.1). The API rejects the NUL character.",
    example: { valid: "records:\n  www: { TXT: Grüße }", invalid: "records:\n  www: { TXT: { rdata: '\"\\255\"' } }" },
  },
  "ttl-rounded": {
    severity: "note",
    why: advise`The API stores only certain TTLs and times, and other values are rounded to the nearest of them. With open records, only a TTL of 0 is stored as another, because 0 means the default of the zone. With ${{ set: "strict" }} this is an error.`,
    source: "decisions/documents#domains",
    example: { valid: "ttl_sec: 1h", invalid: "ttl_sec: 10m" },
  },
  "type-unsupported": {
    why: "The API supports only A, AAAA, CAA, CNAME, MX, NS, PTR, SRV and TXT records.",
    source: "decisions/documents#records",
    example: { valid: "records:\n  www: { A: 192.0.2.1 }", invalid: "records:\n  www: { RP: admin . }" },
  },
  "wildcard-first": {
    why: 'The API accepts "*" only as the whole first label, which makes the name a wildcard (RFC 4592 §2.1.1).',
    source: "decisions/service#records",
    example: { valid: 'records:\n  "*.dev": { A: 192.0.2.1 }', invalid: 'records:\n  "dev*": { A: 192.0.2.1 }' },
  },
} as const satisfies Entries;
