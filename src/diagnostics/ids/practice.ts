import type { Entries } from "./entry.ts";

/** Rules of good practice. */
export const practice = {
  "bimi-syntax": {
    severity: "warning",
    why: "Mail programs show no logo for a BIMI record that they cannot read (draft-brand-indicators-for-message-identification §4.2).",
    example: {
      ok: "records:\n  default._bimi: { TXT: v=BIMI1; l=https://example.com/logo.svg }",
      ko: "records:\n  default._bimi: { TXT: v=BIMI1; l=http://example.com/logo.svg }",
    },
  },
  "cname-chain": {
    severity: "note",
    why: "An alias of an alias costs resolvers a further lookup; aliases point to the name with the records (RFC 1034 §3.6.2).",
    example: {
      ok: "records:\n  www: { CNAME: shop }\n  shop: { A: 192.0.2.1 }",
      ko: "records:\n  www: { CNAME: shop }\n  shop: { CNAME: shop.example.net. }",
    },
  },
  "dkim-syntax": {
    severity: "warning",
    why: "With a DKIM key record that verifiers cannot read, every signature of its selector fails (RFC 6376 §3.6.1, RFC 8301, RFC 8463).",
    example: {
      ok: "records:\n  old._domainkey: { TXT: v=DKIM1; p= }",
      ko: "records:\n  mail._domainkey: { TXT: v=DKIM1; k=rsa; q=MIGf }",
    },
  },
  "dmarc-syntax": {
    severity: "warning",
    why: "Receivers ignore a DMARC record that they cannot read (RFC 7489 §6.3, §6.6.3).",
    example: {
      ok: "records:\n  _dmarc: { TXT: v=DMARC1; p=reject; rua=mailto:reports@example.com }",
      ko: "records:\n  _dmarc: { TXT: v=DMARC1; p=rejct }",
    },
  },
  "hash-owner": {
    severity: "warning",
    why: 'A comment in a master file starts with ";" (RFC 1035 §5.1); a line that starts with "#" is a record like any other.',
    example: { format: "bind", ok: "$TTL 1h\n; old A 192.0.2.1", ko: "$TTL 1h\n#old A 192.0.2.1" },
  },
  "host-hyphen": {
    severity: "warning",
    why: "The labels of hosts and mail names begin and end with a letter or digit; many programs refuse others (RFC 952, RFC 1123 §2.1).",
    example: { ok: "records:\n  my-shop: { A: 192.0.2.1 }", ko: "records:\n  -shop: { A: 192.0.2.1 }" },
  },
  "hosted-target": {
    severity: "note",
    why: "Anybody may claim a name at this service once its owner gave it up, and then answers under yours (subdomain takeover).",
    example: {
      ok: "records:\n  www: { CNAME: www.example.net. }",
      ko: "records:\n  www: { CNAME: my-shop.github.io. }",
    },
  },
  "mta-sts-syntax": {
    severity: "warning",
    why: "Senders ignore a malformed MTA-STS record and deliver without the policy (RFC 8461 §3.1).",
    example: {
      ok: "records:\n  _mta-sts: { TXT: v=STSv1; id=20270131 }",
      ko: "records:\n  _mta-sts: { TXT: v=STSv1; id=2027-01-31 }",
    },
  },
  "owner-elsewhere": {
    severity: "warning",
    why: "An owner without a final dot is completed with the zone (RFC 1035 §5.1); this one is a name of another zone of this project.",
  },
  "owner-of-other-domain": {
    severity: "warning",
    why: "An owner without a final dot is completed with the zone (RFC 1035 §5.1); this one reads like a name of another domain.",
    example: { ok: "records:\n  www: { A: 192.0.2.1 }", ko: "records:\n  www.example.net: { A: 192.0.2.1 }" },
  },
  "private-address": {
    severity: "warning",
    why: "Private, loopback, multicast and other special-purpose addresses cannot be reached from the internet, and private ones reveal internal hosts (RFC 6890 and the IANA registries).",
    example: { ok: "records:\n  www: { A: 192.0.2.1 }", ko: "records:\n  intranet: { A: 10.0.0.1 }" },
  },
  "single-name-server": {
    severity: "warning",
    why: "A delegation has at least two name servers (RFC 1034 §4.1, RFC 2182 §5): with one, the zone is gone when that server is.",
    example: {
      ok: "records:\n  sub: { NS: [ns1.example.net., ns2.example.org.] }",
      ko: "records:\n  sub: { NS: ns1.example.net. }",
    },
  },
  "single-policy": {
    severity: "warning",
    why: "A second SPF, DMARC, MTA-STS, TLSRPT or BIMI text at a name makes receivers ignore both (RFC 7208 §3.2, RFC 7489 §6.6.3).",
    example: {
      ok: 'records:\n  "@": { TXT: v=spf1 mx include:_spf.example.net -all }',
      ko: 'records:\n  "@": { TXT: [v=spf1 mx -all, v=spf1 include:_spf.example.net -all] }',
    },
  },
  "soa-times": {
    severity: "warning",
    why: "A secondary checks the zone after refresh, checks again after retry while that fails, and stops answering after expire (RFC 1912 §2.2).",
    example: {
      ok: "refresh_sec: 4h\nretry_sec: 1h\nexpire_sec: 2w",
      ko: "refresh_sec: 4h\nretry_sec: 1d\nexpire_sec: 2w",
    },
  },
  "spf-lookups": {
    severity: "warning",
    why: "Receivers treat an SPF record that causes more than 10 lookups as an error (RFC 7208 §4.6.4): each include, a, mx, ptr, exists and redirect is one, and those of included records count too.",
    example: {
      ok: 'records:\n  "@": { TXT: v=spf1 a mx include:_spf.example.net -all }',
      ko: 'records:\n  "@": { TXT: v=spf1 include:spf0.example.net include:spf1.example.net include:spf2.example.net include:spf3.example.net include:spf4.example.net include:spf5.example.net include:spf6.example.net include:spf7.example.net include:spf8.example.net include:spf9.example.net include:spf10.example.net -all }',
    },
  },
  "spf-lookups-elsewhere": {
    severity: "warning",
    why: "Receivers treat an SPF record that causes more than 10 lookups as an error (RFC 7208 §4.6.4); here those of records in other zones of this project make it too many.",
  },
  "spf-open": {
    severity: "warning",
    why: "With +all everybody may send mail in the name of the domain; ptr is slow, unreliable and not to be used (RFC 7208 §5.5, §11.1).",
    example: { ok: 'records:\n  "@": { TXT: v=spf1 mx -all }', ko: 'records:\n  "@": { TXT: v=spf1 mx +all }' },
  },
  "spf-syntax": {
    severity: "warning",
    why: "Receivers treat an SPF record with a malformed term as an error, whatever else it says (RFC 7208 §4.6), and ignore what stands behind all (§5.1).",
    example: {
      ok: 'records:\n  "@": { TXT: "v=spf1 mx include:_spf.example.net -all" }',
      ko: 'records:\n  "@": { TXT: "v=spf1 mx inclde:_spf.example.net -all" }',
    },
  },
  "srv-port": {
    severity: "warning",
    why: "Port 0 is reserved, so no service listens there (RFC 6335 §6); a service that is not offered has the target . (RFC 2782).",
    example: {
      ok: "records:\n  _sip._tcp: { SRV: 0 0 5060 sip.example.net. }\n  _pop3._tcp: { SRV: 0 0 0 . }",
      ko: "records:\n  _sip._tcp: { SRV: 0 0 0 sip.example.net. }",
    },
  },
  "text-quoting": {
    severity: "warning",
    why: "Quotes around a text and backslashes before semicolons are how other files write it; here they become part of it, and who reads it does not expect them.",
    example: { ok: 'records:\n  "@": { TXT: v=spf1 mx -all }', ko: 'records:\n  "@": { TXT: \'"v=spf1 mx -all"\' }' },
  },
  "tlsrpt-syntax": {
    severity: "warning",
    why: "Senders ignore a malformed TLSRPT record and send no reports (RFC 8460 §3).",
    example: {
      ok: "records:\n  _smtp._tls: { TXT: v=TLSRPTv1; rua=mailto:reports@example.com }",
      ko: "records:\n  _smtp._tls: { TXT: v=TLSRPTv1; rua=reports@example.com }",
    },
  },
  "underscore-host": {
    severity: "warning",
    why: "Hosts and mail names have letters, digits and hyphens; many programs refuse an underscore there (RFC 1123 §2.1).",
    example: { ok: "records:\n  my-shop: { A: 192.0.2.1 }", ko: "records:\n  my_shop: { A: 192.0.2.1 }" },
  },
  "zone-name-differs": {
    severity: "warning",
    why: "A zone file is named after its zone; where the file says another name, that name counts and the zone of the file's name is not managed.",
  },
  "zone-name-twice": {
    why: "An owner without a final dot is completed with the zone (RFC 1035 §5.1); one that ends in the zone's name already has it twice.",
    example: {
      ok: "records:\n  www.example.com.: { A: 192.0.2.1 }",
      ko: "records:\n  www.example.com: { A: 192.0.2.1 }",
    },
  },
} as const satisfies Entries;
