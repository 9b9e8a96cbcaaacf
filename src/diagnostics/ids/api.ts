import type { Entries } from "./entry.ts";

/** Limits of the API, and what it stores differently. */
export const api = {
  "alias-record": {
    why: "ALIAS is no type of DNS: some providers answer with the addresses of its target. The API does not hold it (specification: Domain record, type); as a warning, the record stays in the file and is not sent.",
    example: { ok: 'records:\n  "@": { A: 192.0.2.1 }', ko: 'records:\n  "@": { ALIAS: www.example.net. }' },
  },
  "apex-ns": {
    severity: "note",
    why: "The NS set at the zone's own name is the service's (service: Records, NS); what the file says there is not sent.",
  },
  "axfr-ips-address": {
    why: "Servers are named by address (specification: Domain).",
    example: { ok: 'axfr_ips: [192.0.2.53, "2001:db8::53"]', ko: "axfr_ips: [ns1.example.net]" },
  },
  "axfr-ips-count": { why: "A domain has at most 100 axfr_ips (openapi.json: POST /domains)." },
  "axfr-ips-unique": {
    why: "The service refuses an address of axfr_ips that another one says already, in whatever spelling (service: Domains).",
    example: { ok: "axfr_ips: [192.0.2.53, 192.0.2.54]", ko: 'axfr_ips: ["2001:db8::53", "2001:DB8:0::53"]' },
  },
  "caa-flags": {
    why: "The API holds no flags (service: Records, CAA).",
    example: {
      ok: 'records:\n  "@": { CAA: 0 issue "ca.example.net" }',
      ko: 'records:\n  "@": { CAA: 128 issue "ca.example.net" }',
    },
  },
  "caa-tag": {
    why: "The API holds the tags issue, issuewild, iodef (specification: Domain record, tag).",
    example: {
      ok: 'records:\n  "@": { CAA: 0 issue "ca.example.net" }',
      ko: 'records:\n  "@": { CAA: 0 contactemail "a@example.com" }',
    },
  },
  "caa-value": {
    why: "issue and issuewild name a domain or, with a semicolon, nobody; iodef a mailto: or http(s) URL (service: Records, CAA; RFC 8659 §4).",
    example: { ok: 'records:\n  "@": { CAA: 0 issue ";" }', ko: 'records:\n  "@": { CAA: 0 issue "ca.example.net." }' },
  },
  "data-length": {
    why: "The API holds data of at most 64,000 octets: so many fit into a DNS message (RFC 1035 §4.2.2).",
  },
  "description-length": {
    why: "description has 1 to 255 characters (specification: Domain).",
    example: {
      ok: "description: shops",
      ko: "description: shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops shops",
    },
  },
  "domain-name": {
    why: "A domain has two labels or more of letters, digits, - and _, in between also / (RFC 2317 §4), the last one no number (specification: Domain, domain; service: Domains).",
    example: { ok: "zone: example.com", ko: "zone: localhost" },
  },
  "group-length": {
    why: "group has 1 to 50 characters (specification: Domain).",
    example: { ok: "group: shops", ko: "group: shops shops shops shops shops shops shops shops shops shops" },
  },
  "master-ips": {
    why: "Type slave needs the addresses to transfer from (service: Domains, POST).",
    example: { ok: "type: slave\nmaster_ips: [192.0.2.53]", ko: "type: slave" },
  },
  "master-ips-address": {
    why: "Servers are named by address (specification: Domain).",
    example: { ok: 'master_ips: [192.0.2.53, "2001:db8::53"]', ko: "master_ips: [ns1.example.net]" },
  },
  "master-ips-count": { why: "A domain has at most 100 master_ips (openapi.json: POST /domains)." },
  "name-characters": {
    why: "The API holds names as plain text (service: Records, all).",
    example: { ok: "records:\n  xn--bcher-kva: { A: 192.0.2.1 }", ko: "records:\n  b\\195\\188cher: { A: 192.0.2.1 }" },
  },
  "name-length": {
    why: "The API holds names of 1 to 100 characters (specification: Domain record, name).",
    example: {
      ok: "records:\n  short: { A: 192.0.2.1 }",
      ko: "records:\n  aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb: { A: 192.0.2.1 }",
    },
  },
  "priority-range": {
    why: "The API holds priorities from 0 to 255 (specification: Domain record, priority).",
    example: {
      ok: 'records:\n  "@": { MX: 10 mail.example.net. }',
      ko: 'records:\n  "@": { MX: 300 mail.example.net. }',
    },
  },
  "records-count": { why: "A domain holds 12,000 records (service: Domains)." },
  "root-target": {
    why: "The API holds the target . only where it says that there is no server: MX and SRV (service: Records).",
    example: { ok: "records:\n  nomail: { MX: 0 . }", ko: "records:\n  www: { CNAME: . }" },
  },
  "slave-records": {
    why: "A slave zone transfers its records (service: Domains).",
    example: {
      ok: "type: slave\nmaster_ips: [192.0.2.53]",
      ko: "type: slave\nmaster_ips: [192.0.2.53]\nrecords:\n  www: { A: 192.0.2.1 }",
    },
  },
  "soa-email": {
    why: "A primary zone needs a contact address (service: Domains, POST).",
    example: { ok: "soa_email: hostmaster@example.com", ko: "soa_email: hostmaster" },
  },
  "srv-target": {
    why: "The API completes an SRV target without dots with the zone (service: Records, SRV).",
    example: {
      ok: "records:\n  _sip._tcp: { SRV: 0 0 5060 sip.example.net. }",
      ko: "records:\n  _sip._tcp: { SRV: 0 0 5060 localhost. }",
    },
  },
  "tag-length": {
    why: "A tag has 3 to 50 characters (specification: Tag).",
    example: { ok: "tags: [production]", ko: "tags: [eu]" },
  },
  "tags-count": { why: "A domain has at most 100 tags (openapi.json: POST /domains)." },
  "target-characters": {
    why: "The API holds targets of letters, digits, - _ and / (service: Records; RFC 2317 for the slash).",
    example: {
      ok: "records:\n  www: { CNAME: shop.example.net. }",
      ko: 'records:\n  www: { CNAME: "*.example.net." }',
    },
  },
  "text-resplit": {
    severity: "note",
    why: "The API holds a text as a whole; it is split at 255 octets when it is rendered (service: Records, TXT).",
  },
  "text-utf8": {
    why: "The API carries text as JSON, so its octets are UTF-8 (RFC 8259 §8.1), and it refuses the character NUL.",
    example: { ok: "records:\n  www: { TXT: Grüße }", ko: "records:\n  www: { TXT: { rdata: '\"\\255\"' } }" },
  },
  "ttl-rounded": {
    severity: "note",
    why: "The API stores times from a list of its own (specification: Domain, ttl_sec); --strict makes another one an error.",
    example: { ok: "ttl_sec: 1h", ko: "ttl_sec: 10m" },
  },
  "type-not-held": {
    why: "The API holds A, AAAA, NS, MX, CNAME, TXT, SRV, PTR, CAA records (specification: Domain record, type).",
    example: { ok: "records:\n  www: { A: 192.0.2.1 }", ko: "records:\n  www: { RP: admin . }" },
  },
  "wildcard-first": {
    why: "The API holds * only as the whole first label, where alone it is a wildcard (service: Records, all; RFC 4592 §2.1.1).",
    example: { ok: 'records:\n  "*.dev": { A: 192.0.2.1 }', ko: 'records:\n  "dev*": { A: 192.0.2.1 }' },
  },
} as const satisfies Entries;
