var REG_NONE = NewRegistrar("none");
var REG_SHOP = NewRegistrar("thirdparty", "NONE");
var DSP_HOSTED = NewDnsProvider("hosted", "LINODE");
var DSP_CLOUDFLARE = NewDnsProvider("cloudflare");
var DSP_BIND = NewDnsProvider("bind", "BIND");
var DSP_SPARE = NewDnsProvider("spare", "BIND");

D("example.com", REG_NONE, DnsProvider(DSP_HOSTED), DefaultTTL("1h"),
  A("@", "192.0.2.10"),
  A("www", "192.0.2.10", TTL("5m")),
  A("www", "192.0.2.11", TTL("5m")),
  AAAA("www", "2001:db8::10"),
  CNAME("shop", "www"),
  CNAME("docs", "docs.example.net."),
  MX("@", 10, "mail"),
  MX("@", 20, "mx.example.net."),
  TXT("@", "v=spf1 mx -all"),
  TXT("long", "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"),
  TXT("quotes", "a \"quoted\" word; a \\ and ü"),
  SRV("_sip._tcp", 10, 5, 5060, "mail"),
  CAA("@", "issue", "ca.example.net"),
  CAA("@", "iodef", "mailto:security@example.com", CAA_CRITICAL),
  A("mail", "192.0.2.25"),
  NS("lab", "ns1.lab.example.com."),
  A("ns1.lab", "192.0.2.53"),
  IGNORE("_acme-challenge*", "TXT"),
  IGNORE("vpn", "A,AAAA"),
  IGNORE("*", "CNAME", "*.cdn.example.net."),
  IGNORE("*", "MX", "*.spare.example.net."),
  IGNORE("dhcp-[0-9]", "A"),
  IGNORE("*", "*", "192.0.2.99")
);

D("example.net", REG_SHOP, DnsProvider(DSP_BIND), DnsProvider(DSP_SPARE), NO_PURGE, AUTODNSSEC_ON,
  NAMESERVER("ns1.example.org."),
  NAMESERVER("ns2.example.org."),
  A("www", "192.0.2.20"),
  A("old", "192.0.2.21", ENSURE_ABSENT_REC()),
  A("bücher", "192.0.2.22"),
  DS("secure", 2371, 13, 2, "1F987CC6583E92DF0890718C42B5E7B9F5A3B4C8F0B8F0E2B94F6B5C3D2E1F00"),
  NAPTR("naptr", 100, 10, "u", "E2U+sip", "!^.*$!sip:info@example.net!", "."),
  SSHFP("host", 4, 2, "123456789abcdef67890123456789abcdef67890123456789abcdef123456789"),
  TLSA("_443._tcp.www", 3, 1, 1, "0d6fce3320d2b9c0a52a2e4b7c9d12f0c1d8c0d3a2b6f1e2d3c4b5a697887766"),
  SMIMEA("_smimecert", 3, 0, 0, "abcdef0123"),
  HTTPS("@", 1, ".", "alpn=h3,h2 ipv4hint=192.0.2.20"),
  SVCB("_8443._foo", 2, "svc.example.net.", "port=8443"),
  LOC("@", 51, 30, 12.748, "N", 0, 7, 39.611, "W", 0, 0, 0, 0),
  DNSKEY("key", 257, 3, 13, "AABBCCDD"),
  RP("rp", "admin.example.net.", "txt.example.net."),
  OPENPGPKEY("pgp._openpgpkey", "0a0b0c0d"),
  DHCID("dhcp", "AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA="),
  DNAME("legacy", "example.org.")
);

D("example.org", REG_NONE, DnsProvider(DSP_CLOUDFLARE),
  A("www", "192.0.2.30", CF_PROXY_ON),
  ALIAS("@", "lb.example.net."),
  CF_SINGLE_REDIRECT("old shop", 301, "http.host eq \"shop.example.org\"", "concat(\"https://www.example.org\", http.request.uri.path)")
);
D_EXTEND("sub.example.org", A("@", "192.0.2.31"), A("api", "192.0.2.32"), MX("@", 10, "mail"));

D("example.edu!inside", REG_NONE, DnsProvider(DSP_HOSTED), A("www", "10.0.0.1"));
D("example.edu!outside", REG_NONE, DnsProvider(DSP_HOSTED), A("www", "192.0.2.40"));
D("bücher.example", REG_NONE, DnsProvider(DSP_HOSTED), CNAME("www", "bücher.example."));
