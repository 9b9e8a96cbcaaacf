import type { Entries } from "./entry.ts";

/** Rules of DNS itself. */
export const dns = {
  "below-delegation": {
    severity: "warning",
    why: "Name servers answer queries at or below a delegated name with a referral. Of the records there they use only the addresses of name servers, as glue (RFC 1034 §4.2.1).",
    example: {
      valid: "records:\n  sub: { NS: [ns.sub, ns1.example.net.] }\n  ns.sub: { A: 192.0.2.53 }",
      invalid: "records:\n  sub: { NS: [ns1.example.net., ns2.example.net.] }\n  www.sub: { A: 192.0.2.1 }",
    },
  },
  "below-dname": {
    severity: "warning",
    why: "Name servers answer queries for names below a DNAME record with the names of its target (RFC 6672 §2.4). Records there are never seen.",
    example: {
      valid: "records:\n  www: { A: 192.0.2.1 }",
      invalid: "records:\n  sub: { DNAME: example.net. }\n  www.sub: { A: 192.0.2.1 }",
    },
  },
  "cname-alone": {
    why: "A name with a CNAME record cannot have any other record (RFC 1034 §3.6.2).",
    example: {
      valid: "records:\n  www: { CNAME: shop.example.net. }",
      invalid: "records:\n  www: { CNAME: shop.example.net., A: 192.0.2.1 }",
    },
  },
  "cname-at-apex": {
    why: "The apex has SOA and NS records, so it cannot be a CNAME (RFC 1912 §2.4).",
    example: { valid: 'records:\n  "@": { A: 192.0.2.1 }', invalid: 'records:\n  "@": { CNAME: shop.example.net. }' },
  },
  "cname-loop": {
    why: "A resolver that follows a loop of CNAME records never reaches an answer (RFC 1034 §3.6.2).",
    example: {
      valid: "records:\n  www: { CNAME: shop }\n  shop: { A: 192.0.2.1 }",
      invalid: "records:\n  www: { CNAME: shop }\n  shop: { CNAME: www }",
    },
  },
  "cname-loop-elsewhere": {
    why: "A resolver that follows a loop of CNAME records never reaches an answer (RFC 1034 §3.6.2). It goes through other zones of this project.",
  },
  "delegation-differs": {
    severity: "warning",
    why: "The delegation in the parent zone and the NS records of the child zone must list the same name servers (RFC 1034 §4.2.2). Otherwise some resolvers reach no server or an outdated one.",
  },
  "ds-at-apex": {
    severity: "warning",
    why: "A DS record belongs to the delegation in the parent zone and must not be at the apex of the child zone (RFC 4035 §2.4). Resolvers ask the servers of the parent zone for it.",
    example: {
      valid: "records:\n  www: { A: 192.0.2.1 }",
      invalid: 'records:\n  "@": { DS: 60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118 }',
    },
  },
  "ds-without-ns": {
    severity: "warning",
    why: "A DS record belongs to a delegation, so its name needs NS records (RFC 4035 §2.4). Without them it has no effect.",
    example: {
      valid: "records:\n  www: { A: 192.0.2.1 }",
      invalid: "records:\n  sub: { DS: 60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118 }",
    },
  },
  "duplicate-record": {
    severity: "warning",
    why: "An RRset contains each value only once (RFC 2181 §5). The record is stored once.",
    example: {
      valid: "records:\n  www: { A: [192.0.2.1, 192.0.2.2] }",
      invalid: "records:\n  www: { A: [192.0.2.1, 192.0.2.1] }",
    },
  },
  glue: {
    why: "A resolver cannot reach a name server inside the delegated zone without its address in the parent zone (RFC 1034 §4.2.1).",
    example: {
      valid: "records:\n  sub: { NS: [ns.sub, ns1.example.net.] }\n  ns.sub: { A: 192.0.2.53 }",
      invalid: "records:\n  sub: { NS: [ns.sub, ns1.example.net.] }",
    },
  },
  "hidden-by-zone": {
    severity: "warning",
    why: "The most specific zone answers for a name (RFC 1034 §4.3.2), and the child zone has no records of this name and type. Resolvers never see this record.",
  },
  "mx-elsewhere": {
    why: "Mail servers look up the addresses of the host (RFC 5321 §5.1). This one is in another zone of this project and has none, so mail is not delivered.",
  },
  "mx-without-address": {
    why: "Mail servers look up the addresses of the host (RFC 5321 §5.1). This one has none, so mail is not delivered.",
    example: {
      valid: 'records:\n  "@": { MX: 10 mail }\n  mail: { A: 192.0.2.25 }',
      invalid: 'records:\n  "@": { MX: 10 mail }\n  mail: { TXT: mail server }',
    },
  },
  "null-mx-alone": {
    why: 'An MX record with the target "." (null MX) declares that the name accepts no mail, so it must be the only MX record (RFC 7505 §3).',
    example: { valid: 'records:\n  "@": { MX: 0 . }', invalid: 'records:\n  "@": { MX: [0 ., 10 mail.example.net.] }' },
  },
  "null-mx-preference": {
    severity: "warning",
    why: "A null MX has the preference 0 (RFC 7505 §3). Some mail servers do not recognise another one.",
    example: { valid: 'records:\n  "@": { MX: 0 . }', invalid: 'records:\n  "@": { MX: 10 . }' },
  },
  "null-srv-alone": {
    severity: "warning",
    why: 'The target "." says that the service is not available at the domain (RFC 2782), so it must be the only SRV record of its name.',
    example: {
      valid: "records:\n  _imap._tcp: { SRV: 0 0 0 . }",
      invalid: "records:\n  _imap._tcp: { SRV: [0 0 0 ., 10 0 143 mail.example.net.] }",
    },
  },
  "owner-spelling": {
    severity: "note",
    why: "Names that differ only in letter case are the same name (RFC 4343). Formats that group records by name, such as YAML, keep one spelling.",
    example: {
      format: "bind",
      valid: "$TTL 1h\n;@ soa_email: a@example.com\nwww A 192.0.2.1\nwww AAAA 2001:db8::1",
      invalid: "$TTL 1h\n;@ soa_email: a@example.com\nWWW A 192.0.2.1\nwww AAAA 2001:db8::1",
    },
  },
  "ptr-is-address": {
    severity: "warning",
    why: "The owner of a PTR record is the reverse name of an address and its target is the host name (RFC 1035 §3.5), not the other way round.",
    example: { valid: "records:\n  host: { A: 192.0.2.4 }", invalid: "records:\n  host: { PTR: 192.0.2.4 }" },
  },
  "rrset-ttl": {
    severity: "warning",
    why: "All records of an RRset must have the same TTL (RFC 2181 §5.2).",
    example: {
      format: "bind",
      valid: "$TTL 1h\nwww 5m A 192.0.2.1\nwww 5m A 192.0.2.2",
      invalid: "$TTL 1h\nwww 5m A 192.0.2.1\nwww 1h A 192.0.2.2",
    },
  },
  "reverse-owner": {
    severity: "warning",
    why: "The name of an IPv4 address in reverse has four numbers from 0 to 255 (RFC 1035 §3.5). Nothing looks for this one.",
    example: {
      valid: "zone: 2.0.192.in-addr.arpa\nrecords: { 10: { PTR: www.example.com. } }",
      invalid: "zone: 2.0.192.in-addr.arpa\nrecords: { 256: { PTR: www.example.com. } }",
    },
  },
  "single-dname": {
    why: "A name has at most one DNAME record (RFC 6672 §2.4).",
    example: {
      valid: "records:\n  www: { A: 192.0.2.1 }",
      invalid: "records:\n  sub: { DNAME: [example.net., example.org.] }",
    },
  },
  "srv-labels": {
    severity: "warning",
    why: "The name of an SRV record begins with the service, and the protocol follows (RFC 2782). Clients look for no other order.",
    example: {
      valid: "records:\n  _sip._tcp: { SRV: 0 0 5060 sip.example.net. }",
      invalid: "records:\n  _tcp._sip: { SRV: 0 0 5060 sip.example.net. }",
    },
  },
  "svcb-alias": {
    severity: "warning",
    why: "An SVCB or HTTPS record with the priority 0 is an alias: it stands alone, has no parameters, and names another host (RFC 9460 §2.4.2).",
    example: {
      valid: "records:\n  www: { A: 192.0.2.1 }",
      invalid: 'records:\n  "@": { HTTPS: 0 shop.example.net. alpn=h2 }',
    },
  },
  "target-elsewhere": {
    severity: "warning",
    why: "The target is in another zone of this project, but does not exist there or has no address, so lookups of it fail.",
  },
  "target-exists": {
    severity: "warning",
    why: "The target does not exist in this zone, so lookups of it fail.",
    example: {
      valid: "records:\n  www: { CNAME: shop }\n  shop: { A: 192.0.2.1 }",
      invalid: "records:\n  www: { CNAME: shop }",
    },
  },
  "target-is-address": {
    why: "The target of a CNAME, MX, NS or SRV record is a name, never an IP address (RFC 1035 §3.3, RFC 2782).",
    example: {
      valid: 'records:\n  "@": { MX: 10 mail }\n  mail: { A: 192.0.2.25 }',
      invalid: 'records:\n  "@": { MX: 10 192.0.2.25 }',
    },
  },
  "target-is-cname": {
    severity: "warning",
    why: "The target of an MX, NS or SRV record must have address records of its own and must not be a CNAME (RFC 2181 §10.3, RFC 2782).",
    example: {
      valid: 'records:\n  "@": { MX: 10 mail.example.net. }',
      invalid: 'records:\n  "@": { MX: 10 mail }\n  mail: { CNAME: mail.example.net. }',
    },
  },
  "target-is-cname-elsewhere": {
    severity: "warning",
    why: "The target of an MX, NS or SRV record must have address records of its own and must not be a CNAME (RFC 2181 §10.3, RFC 2782). It is in another zone of this project.",
  },
  "target-needs-dot": {
    why: "A name without a final dot is relative to the zone (RFC 1035 §5.1), and the resulting name does not exist in this zone, but the text is a complete name.",
    example: {
      valid: "records:\n  www: { CNAME: shop.example.net. }",
      invalid: "records:\n  www: { CNAME: shop.example.net }",
    },
  },
  "target-one-label": {
    why: "A name with a final dot is absolute (RFC 1035 §5.1), so this single label is a top-level domain, and top-level domains do not host services (RFC 7085).",
    example: {
      valid: 'records:\n  "@": { MX: 10 mail }\n  mail: { A: 192.0.2.25 }',
      invalid: 'records:\n  "@": { MX: 10 mail. }\n  mail: { A: 192.0.2.25 }',
    },
  },
  "target-without-address": {
    severity: "warning",
    why: "Clients look up the addresses of the target of an NS, SRV, SVCB or HTTPS record (RFC 1035 §3.3.11, RFC 2782, RFC 9460 §2.4), and of a host that is an alias by CNAME or ALIAS. This one has none.",
    example: {
      valid: "records:\n  _sip._tcp: { SRV: 0 0 5060 sip }\n  sip: { A: 192.0.2.5 }",
      invalid: "records:\n  _sip._tcp: { SRV: 0 0 5060 sip }\n  sip: { TXT: telephones }",
    },
  },
  "text-unquoted": {
    why: "In a zone file, an unquoted semicolon starts a comment, and unquoted words become separate strings that readers join without spaces (RFC 1035 §5.1, RFC 7208 §3.3).",
    example: {
      format: "bind",
      valid: '$TTL 1h\n@ TXT "v=spf1 mx -all"',
      invalid: "$TTL 1h\n@ TXT v=spf1 mx -all\nmail._domainkey TXT v=DKIM1; k=rsa; p=",
    },
  },
  "tlsa-owner": {
    severity: "warning",
    why: "Clients look for TLSA records at the port and protocol of the service (RFC 6698 §3), in a form such as _443._tcp.",
    example: {
      valid: "records:\n  www: { A: 192.0.2.1 }",
      invalid: "records:\n  www: { TLSA: 3 1 0 00 }",
    },
  },
  "naptr-syntax": {
    severity: "warning",
    why: "A NAPTR record has either a substitution expression or a replacement (RFC 3403 §4.1); with both, it is an error.",
    example: {
      valid: "records:\n  www: { A: 192.0.2.1 }",
      invalid: 'records:\n  "@": { NAPTR: 50 50 "u" "E2U+sip" "!^.*$!sip:info@example.com!" sip.example.net. }',
    },
  },
  "wildcard-ns": {
    why: "The meaning of NS records at a wildcard is undefined, and name servers disagree on it (RFC 4592 §4.2).",
    example: {
      valid: "records:\n  sub: { NS: [ns1.example.net., ns2.example.net.] }",
      invalid: 'records:\n  "*.sub": { NS: [ns1.example.net., ns2.example.net.] }',
    },
  },
} as const satisfies Entries;
