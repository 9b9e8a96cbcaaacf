import type { Entries } from "./entry.ts";

/** Rules of DNS itself. */
export const dns = {
  "below-delegation": {
    severity: "warning",
    why: "Of what stands at or below a delegated name only the addresses of name servers are given out (RFC 1034 §4.2.1).",
    example: {
      ok: "records:\n  sub: { NS: [ns.sub, ns1.example.net.] }\n  ns.sub: { A: 192.0.2.53 }",
      ko: "records:\n  sub: { NS: [ns1.example.net., ns2.example.net.] }\n  www.sub: { A: 192.0.2.1 }",
    },
  },
  "cname-alone": {
    why: "A name with a CNAME holds nothing else (RFC 1034 §3.6.2).",
    example: {
      ok: "records:\n  www: { CNAME: shop.example.net. }",
      ko: "records:\n  www: { CNAME: shop.example.net., A: 192.0.2.1 }",
    },
  },
  "cname-at-apex": {
    why: "The zone's own name holds SOA and NS, so it cannot be an alias (RFC 1912 §2.4).",
    example: { ok: 'records:\n  "@": { A: 192.0.2.1 }', ko: 'records:\n  "@": { CNAME: shop.example.net. }' },
  },
  "cname-loop": {
    why: "Aliases that lead back to themselves never come to an answer (RFC 1034 §3.6.2).",
    example: {
      ok: "records:\n  www: { CNAME: shop }\n  shop: { A: 192.0.2.1 }",
      ko: "records:\n  www: { CNAME: shop }\n  shop: { CNAME: www }",
    },
  },
  "delegation-differs": {
    severity: "warning",
    why: "A zone and the one above it name the same servers (RFC 1034 §4.2.2); otherwise some who ask find none, or an old one.",
  },
  "duplicate-record": {
    severity: "warning",
    why: "A set holds each value once (RFC 2181 §5); it will be stored once.",
    example: {
      ok: "records:\n  www: { A: [192.0.2.1, 192.0.2.2] }",
      ko: "records:\n  www: { A: [192.0.2.1, 192.0.2.1] }",
    },
  },
  glue: {
    why: "A delegation to a server inside the delegated zone cannot be followed without its address (RFC 1034 §4.2.1).",
    example: {
      ok: "records:\n  sub: { NS: [ns.sub, ns1.example.net.] }\n  ns.sub: { A: 192.0.2.53 }",
      ko: "records:\n  sub: { NS: [ns.sub, ns1.example.net.] }",
    },
  },
  "hidden-by-zone": {
    severity: "warning",
    why: "The deeper of two zones answers for a name (RFC 1034 §4.3.2), so resolvers never see this record: the zone below has no records of this name and type.",
  },
  "null-mx-alone": {
    why: 'An MX to "." says that the name takes no mail; it stands alone (RFC 7505 §3).',
    example: { ok: 'records:\n  "@": { MX: 0 . }', ko: 'records:\n  "@": { MX: [0 ., 10 mail.example.net.] }' },
  },
  "owner-spelling": {
    severity: "note",
    why: "Letter case makes no other name (RFC 4343), and where the records of a name stand together, as in YAML, one spelling is left.",
    example: {
      format: "bind",
      ok: "$TTL 1h\n;@ soa_email: a@example.com\nwww A 192.0.2.1\nwww AAAA 2001:db8::1",
      ko: "$TTL 1h\n;@ soa_email: a@example.com\nWWW A 192.0.2.1\nwww AAAA 2001:db8::1",
    },
  },
  "ptr-is-address": {
    severity: "warning",
    why: "A PTR record stands at the name of an address in a reverse zone and points to the name of the host (RFC 1035 §3.5), not the other way round.",
    example: { ok: "records:\n  host: { A: 192.0.2.4 }", ko: "records:\n  host: { PTR: 192.0.2.4 }" },
  },
  "rrset-ttl": {
    severity: "warning",
    why: "The records of one name and type have one TTL (RFC 2181 §5.2).",
    example: {
      format: "bind",
      ok: "$TTL 1h\nwww 5m A 192.0.2.1\nwww 5m A 192.0.2.2",
      ko: "$TTL 1h\nwww 5m A 192.0.2.1\nwww 1h A 192.0.2.2",
    },
  },
  "srv-owner": {
    why: "Clients ask for an SRV record under _service._protocol (RFC 2782).",
    example: {
      ok: "records:\n  _sip._tcp: { SRV: 0 0 5060 sip.example.net. }",
      ko: "records:\n  sip: { SRV: 0 0 5060 sip.example.net. }",
    },
  },
  "target-elsewhere": {
    severity: "warning",
    why: "The record points into another zone of this project, which has no such name, so who follows it gets no answer.",
  },
  "target-exists": {
    severity: "warning",
    why: "The target does not exist in this zone, so lookups of it fail.",
    example: {
      ok: "records:\n  www: { CNAME: shop }\n  shop: { A: 192.0.2.1 }",
      ko: "records:\n  www: { CNAME: shop }",
    },
  },
  "target-is-address": {
    why: "CNAME, MX, NS and SRV point to a name, never to an address (RFC 1035 §3.3, RFC 2782).",
    example: {
      ok: 'records:\n  "@": { MX: 10 mail }\n  mail: { A: 192.0.2.25 }',
      ko: 'records:\n  "@": { MX: 10 192.0.2.25 }',
    },
  },
  "target-is-cname": {
    severity: "warning",
    why: "MX, NS and SRV point to a name with addresses, not to an alias (RFC 2181 §10.3, RFC 2782).",
    example: {
      ok: 'records:\n  "@": { MX: 10 mail.example.net. }',
      ko: 'records:\n  "@": { MX: 10 mail }\n  mail: { CNAME: mail.example.net. }',
    },
  },
  "target-needs-dot": {
    why: "A name without a final dot is completed with the zone (RFC 1035 §5.1), and the result is not in this zone.",
    example: {
      ok: "records:\n  www: { CNAME: shop.example.net. }",
      ko: "records:\n  www: { CNAME: shop.example.net }",
    },
  },
  "target-one-label": {
    why: "A name with a final dot is complete (RFC 1035 §5.1), so a single label with one is a top-level domain, which hosts nothing (RFC 7085).",
    example: {
      ok: 'records:\n  "@": { MX: 10 mail }\n  mail: { A: 192.0.2.25 }',
      ko: 'records:\n  "@": { MX: 10 mail. }\n  mail: { A: 192.0.2.25 }',
    },
  },
  "text-unquoted": {
    why: "In a master file a semicolon outside of quotes begins a comment, and words without quotes are strings of their own, which readers join without spaces (RFC 1035 §5.1, RFC 7208 §3.3).",
    example: {
      format: "bind",
      ok: '$TTL 1h\n@ TXT "v=spf1 mx -all"',
      ko: "$TTL 1h\n@ TXT v=spf1 mx -all\nmail._domainkey TXT v=DKIM1; k=rsa; p=",
    },
  },
  "wildcard-ns": {
    why: "A wildcard cannot be delegated: servers disagree on what it means (RFC 4592 §4.2).",
    example: {
      ok: "records:\n  sub: { NS: [ns1.example.net., ns2.example.net.] }",
      ko: 'records:\n  "*.sub": { NS: [ns1.example.net., ns2.example.net.] }',
    },
  },
} as const satisfies Entries;
