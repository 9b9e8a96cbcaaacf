import type { Entries } from "./entry.ts";

/** Rules of good practice. */
export const practice = {
  "assigned-number": {
    severity: "warning",
    why: "The number is not in the registry of its field (IANA: DS digest types, SSHFP, TLSA), so clients do not understand the record.",
    example: {
      valid: "records:\n  www: { A: 192.0.2.1 }",
      invalid: "records:\n  _443._tcp.www: { TLSA: 3 2 0 00 }",
    },
  },
  "bimi-syntax": {
    severity: "warning",
    why: "Mail clients ignore an invalid BIMI record and show no logo (draft-brand-indicators-for-message-identification §4.2).",
    example: {
      valid: "records:\n  default._bimi: { TXT: v=BIMI1; l=https://example.com/logo.svg }",
      invalid: "records:\n  default._bimi: { TXT: v=BIMI1; l=http://example.com/logo.svg }",
    },
  },
  "caa-syntax": {
    severity: "warning",
    why: "A certification authority compares the value with its own domain, and issues nothing under parameters that it does not understand (RFC 8659 §4.2, RFC 8657).",
    example: {
      valid: 'records:\n  "@": { CAA: 0 issue "letsencrypt.org; validationmethods=dns-01" }',
      invalid: 'records:\n  "@": { CAA: 0 issue "letsencrypt.org; validationmethods=dns" }',
    },
  },
  "cname-chain": {
    severity: "note",
    why: "Each CNAME in a chain can cost resolvers a further lookup (RFC 1034 §3.6.2). Chains of three and more are reported.",
    example: {
      valid: "records:\n  www: { CNAME: shop }\n  shop: { CNAME: shop.example.net. }",
      invalid: "records:\n  www: { CNAME: shop }\n  shop: { CNAME: web }\n  web: { CNAME: shop.example.net. }",
    },
  },
  "dangling-address": {
    severity: "warning",
    why: "Once a node has lost an address, the service can give it to another customer, who then gets the traffic of the name and can have certificates issued for it.",
  },
  "digest-length": {
    severity: "warning",
    why: "The algorithm determines the length of a digest or fingerprint. One of another length matches nothing, and BIND does not load a zone with such a DS, SSHFP or ZONEMD record.",
    example: {
      valid: "records:\n  www: { A: 192.0.2.1 }",
      invalid: "records:\n  host: { SSHFP: 4 2 A87F1B687AC0E57D2A081A2F28267233 }",
    },
  },
  "dkim-ignored": {
    severity: "warning",
    why: "Receivers ignore this part of the DKIM key (RFC 6376 §3.6.1).",
    example: {
      valid: "records:\n  old._domainkey: { TXT: v=DKIM1; p= }",
      invalid: "records:\n  old._domainkey: { TXT: v=DKIM1; t=yes; p= }",
    },
  },
  "dkim-syntax": {
    why: "When a DKIM key record is invalid, all signatures of its selector fail (RFC 6376 §3.6.1, RFC 8301, RFC 8463).",
    example: {
      valid: "records:\n  old._domainkey: { TXT: v=DKIM1; p= }",
      invalid: "records:\n  mail._domainkey: { TXT: v=DKIM1; k=rsa; q=MIGf }",
    },
  },
  "dmarc-ignored": {
    severity: "warning",
    why: "Receivers ignore this part of the DMARC record, or use a default for it (RFC 9989 §4.7).",
    example: {
      valid: "records:\n  _dmarc: { TXT: v=DMARC1; p=reject; adkim=s }",
      invalid: "records:\n  _dmarc: { TXT: v=DMARC1; p=reject; adkim=strict }",
    },
  },
  "dmarc-report-elsewhere": {
    severity: "warning",
    why: "Receivers send reports to another domain only if that one publishes a record by which it accepts them (RFC 9990 §4). It is a zone of this project without such a record.",
  },
  "dmarc-syntax": {
    why: "Receivers act as if an invalid DMARC record did not exist (RFC 9989 §4.10.1), or as if it asked for nothing.",
    example: {
      valid: "records:\n  _dmarc: { TXT: v=DMARC1; p=reject; rua=mailto:reports@example.com }",
      invalid: "records:\n  _dmarc: { TXT: v=DMARC1; p=rejct }",
    },
  },
  "documentation-address": {
    severity: "note",
    why: "Addresses of examples belong to no host (RFC 5737, RFC 3849, RFC 9637).",
    example: {
      valid: "records:\n  www: { A: 192.0.2.1 }",
      invalid: "zone: shop.dev\nrecords:\n  www: { A: 192.0.2.1 }",
    },
  },
  "hash-owner": {
    severity: "warning",
    why: 'A comment in a zone file starts with ";" (RFC 1035 §5.1). A line that starts with "#" is a record like any other.',
    example: { format: "bind", valid: "$TTL 1h\n; old A 192.0.2.1", invalid: "$TTL 1h\n#old A 192.0.2.1" },
  },
  "host-hyphen": {
    severity: "warning",
    why: "The labels of host names and mail domains start and end with a letter or digit, and many programs reject others (RFC 952, RFC 1123 §2.1).",
    example: { valid: "records:\n  my-shop: { A: 192.0.2.1 }", invalid: "records:\n  -shop: { A: 192.0.2.1 }" },
  },
  "hosted-target": {
    severity: "note",
    why: "When a name at this service is released while the record still exists, anyone can claim it and serve content under your name (subdomain takeover).",
    example: {
      valid: "records:\n  www: { CNAME: www.example.net. }",
      invalid: "records:\n  www: { CNAME: my-shop.github.io. }",
    },
  },
  "mta-sts-host": {
    severity: "warning",
    why: "Senders fetch the policy from the host mta-sts of the domain (RFC 8461 §3.3). Without it they deliver without the policy.",
    example: {
      valid: "records:\n  _mta-sts: { TXT: v=STSv1; id=20270131 }\n  mta-sts: { A: 192.0.2.1 }",
      invalid: "records:\n  _mta-sts: { TXT: v=STSv1; id=20270131 }",
    },
  },
  "mta-sts-syntax": {
    severity: "warning",
    why: "Senders ignore an invalid MTA-STS record and deliver without the policy (RFC 8461 §3.1).",
    example: {
      valid: "records:\n  _mta-sts: { TXT: v=STSv1; id=20270131 }\n  mta-sts: { A: 192.0.2.1 }",
      invalid: "records:\n  _mta-sts: { TXT: v=STSv1; id=2027-01-31 }\n  mta-sts: { A: 192.0.2.1 }",
    },
  },
  "owner-elsewhere": {
    severity: "warning",
    why: "An owner name without a final dot is relative to the zone (RFC 1035 §5.1), but this one looks like a name of another zone of this project.",
  },
  "owner-of-other-domain": {
    severity: "warning",
    why: "An owner name without a final dot is relative to the zone (RFC 1035 §5.1), but this one looks like a name of another domain.",
    example: { valid: "records:\n  www: { A: 192.0.2.1 }", invalid: "records:\n  www.example.net: { A: 192.0.2.1 }" },
  },
  "policy-unread": {
    severity: "warning",
    why: "Receivers look for each policy at its own name, in a text that begins with its version (RFC 7208 §4.5, RFC 9989 §4.7, RFC 6376 §3.6.2, RFC 8461 §3.1, RFC 8460 §3). They do not see this one.",
    example: {
      valid: "records:\n  _dmarc: { TXT: v=DMARC1; p=reject }",
      invalid: "records:\n  dmarc: { TXT: v=DMARC1; p=reject }",
    },
  },
  "private-address": {
    severity: "warning",
    why: "Private, loopback, multicast and other special-purpose addresses are unreachable from the internet, and private ones reveal internal hosts (RFC 6890 and the IANA registries).",
    example: { valid: "records:\n  www: { A: 192.0.2.1 }", invalid: "records:\n  intranet: { A: 10.0.0.1 }" },
  },
  "single-name-server": {
    severity: "warning",
    why: "A delegation needs at least two name servers (RFC 1034 §4.1, RFC 2182 §5). With one, the zone is unreachable whenever that server is down.",
    example: {
      valid: "records:\n  sub: { NS: [ns1.example.net., ns2.example.org.] }",
      invalid: "records:\n  sub: { NS: ns1.example.net. }",
    },
  },
  "single-policy": {
    why: "Receivers use neither record when a name has two SPF, DMARC, MTA-STS, TLSRPT or BIMI records, and any one of two DKIM keys (RFC 7208 §3.2, RFC 9989 §4.10.1, RFC 6376 §3.6.2.2).",
    example: {
      valid: 'records:\n  "@": { TXT: v=spf1 mx include:_spf.example.net -all }',
      invalid: 'records:\n  "@": { TXT: [v=spf1 mx -all, v=spf1 include:_spf.example.net -all] }',
    },
  },
  "soa-times": {
    severity: "warning",
    why: "A secondary checks the primary every refresh, retries every retry while that fails, and stops answering after expire (RFC 1912 §2.2). The service replaces 0 by its own default.",
    example: {
      valid: "refresh_sec: 4h\nretry_sec: 1h\nexpire_sec: 2w",
      invalid: "refresh_sec: 4h\nretry_sec: 1d\nexpire_sec: 2w",
    },
  },
  "spf-ignored": {
    severity: "warning",
    why: "Receivers ignore terms after all, and a redirect beside it (RFC 7208 §5.1, §6.1).",
    example: {
      valid: 'records:\n  "@": { TXT: v=spf1 mx -all }',
      invalid: 'records:\n  "@": { TXT: v=spf1 -all mx }',
    },
  },
  "spf-include": {
    why: "Receivers fail the whole SPF check if they cannot follow an include or a redirect to an SPF record (RFC 7208 §5.2, §6.1).",
    example: {
      valid: 'records:\n  "@": { TXT: v=spf1 include:_spf.example.com -all }\n  _spf: { TXT: v=spf1 mx -all }',
      invalid: 'records:\n  "@": { TXT: v=spf1 include:_spf.example.com -all }\n  _spf: { TXT: ip4 networks }',
    },
  },
  "spf-include-elsewhere": {
    why: "Receivers fail the whole SPF check if they cannot follow an include or a redirect to an SPF record (RFC 7208 §5.2, §6.1). The name is in another zone of this project.",
  },
  "spf-lookups": {
    why: "Receivers fail an SPF check that needs more than 10 DNS lookups (RFC 7208 §4.6.4). Each include, a, mx, ptr, exists and redirect counts as one, also in included records.",
    example: {
      valid: 'records:\n  "@": { TXT: v=spf1 a mx include:_spf.example.net -all }',
      invalid:
        'records:\n  "@": { TXT: v=spf1 include:spf0.example.net include:spf1.example.net include:spf2.example.net include:spf3.example.net include:spf4.example.net include:spf5.example.net include:spf6.example.net include:spf7.example.net include:spf8.example.net include:spf9.example.net include:spf10.example.net -all }',
    },
  },
  "spf-lookups-elsewhere": {
    why: "Receivers fail an SPF check that needs more than 10 DNS lookups (RFC 7208 §4.6.4). SPF records in other zones of this project, which this one includes, exceed the limit.",
  },
  "spf-open": {
    severity: "warning",
    why: "+all and networks of nearly all addresses allow every host to send mail as the domain, and ptr is slow, unreliable and deprecated (RFC 7208 §5.5, §11.1).",
    example: { valid: 'records:\n  "@": { TXT: v=spf1 mx -all }', invalid: 'records:\n  "@": { TXT: v=spf1 mx +all }' },
  },
  "spf-syntax": {
    why: "A single invalid term makes receivers fail the whole SPF check (RFC 7208 §4.6).",
    example: {
      valid: 'records:\n  "@": { TXT: "v=spf1 mx include:_spf.example.net -all" }',
      invalid: 'records:\n  "@": { TXT: "v=spf1 mx inclde:_spf.example.net -all" }',
    },
  },
  "spf-void-lookup": {
    severity: "note",
    why: "The lookup finds nothing, so the term matches no host. Receivers fail an SPF check with more than two such lookups (RFC 7208 §4.6.4).",
    example: {
      valid: 'records:\n  "@": { TXT: v=spf1 a:mail.example.com -all }\n  mail: { A: 192.0.2.25 }',
      invalid: 'records:\n  "@": { TXT: v=spf1 a:mail.example.com -all }',
    },
  },
  "srv-port": {
    severity: "warning",
    why: 'Port 0 is reserved, so no service can listen on it (RFC 6335 §6). A service that is not available has the target "." (RFC 2782).',
    example: {
      valid: "records:\n  _sip._tcp: { SRV: 0 0 5060 sip.example.net. }\n  _pop3._tcp: { SRV: 0 0 0 . }",
      invalid: "records:\n  _sip._tcp: { SRV: 0 0 0 sip.example.net. }",
    },
  },
  "text-quoting": {
    severity: "warning",
    why: "Quotes around a text and backslashes before semicolons are syntax of other file formats. In this record they become part of the text, and its readers do not expect them.",
    example: {
      valid: 'records:\n  "@": { TXT: v=spf1 mx -all }',
      invalid: 'records:\n  "@": { TXT: \'"v=spf1 mx -all"\' }',
    },
  },
  "text-typography": {
    severity: "warning",
    why: "Word processors and messengers replace quotes, spaces, hyphens and signs with typographic characters. Receivers compare octets, so they do not recognise a policy that contains them.",
    example: {
      valid: 'records:\n  "@": { TXT: v=spf1 mx -all }',
      invalid: 'records:\n  "@": { TXT: \u201cv=spf1 mx \u2013all\u201d }',
    },
  },
  "tlsrpt-syntax": {
    severity: "warning",
    why: "Senders ignore an invalid TLSRPT record and send no reports (RFC 8460 §3).",
    example: {
      valid: "records:\n  _smtp._tls: { TXT: v=TLSRPTv1; rua=mailto:reports@example.com }",
      invalid: "records:\n  _smtp._tls: { TXT: v=TLSRPTv1; rua=reports@example.com }",
    },
  },
  "underscore-host": {
    severity: "warning",
    why: "Host names and mail domains consist of letters, digits and hyphens, and many programs reject an underscore (RFC 1123 §2.1).",
    example: { valid: "records:\n  my-shop: { A: 192.0.2.1 }", invalid: "records:\n  my_shop: { A: 192.0.2.1 }" },
  },
  "uri-syntax": {
    severity: "warning",
    why: "The target of a URI record is an absolute URI and cannot be empty (RFC 7553 §4.4).",
    example: {
      valid: "records:\n  www: { A: 192.0.2.1 }",
      invalid: 'records:\n  _http._tcp: { URI: 10 1 "" }',
    },
  },
  "zone-name-differs": {
    severity: "warning",
    why: "A zone file is normally named after its zone. When the file sets a different name, that name is used, and no zone with the name of the file is managed.",
  },
  "zone-name-twice": {
    why: "An owner name without a final dot is relative to the zone (RFC 1035 §5.1), so one that already ends in the name of the zone gets it twice.",
    example: {
      valid: "records:\n  www.example.com.: { A: 192.0.2.1 }",
      invalid: "records:\n  www.example.com: { A: 192.0.2.1 }",
    },
  },
} as const satisfies Entries;
