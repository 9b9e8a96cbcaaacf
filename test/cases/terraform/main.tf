terraform {
  required_providers {
    linode = { source = "linode/linode" }
  }
}

resource "linode_domain" "example" {
  domain    = "example.com"
  type      = "master"
  soa_email = "hostmaster@example.com"
  ttl_sec   = 3600
  axfr_ips  = ["192.0.2.53", "2001:db8::53"]
  tags      = ["prod", "shop"]
}

resource "linode_domain_record" "web" {
  for_each    = { a = "192.0.2.10", b = "192.0.2.11" }
  domain_id   = linode_domain.example.id
  record_type = "A"
  name        = "www"
  target      = each.value
  ttl_sec     = 300
}

resource "linode_domain_record" "mail" {
  count       = 2
  domain_id   = linode_domain.example.id
  record_type = "MX"
  target      = "mx${count.index + 1}.example.net"
  priority    = 10 * (count.index + 1)
}

resource "linode_domain_record" "sip" {
  domain_id   = linode_domain.example.id
  record_type = "SRV"
  service     = "sip"
  protocol    = "tcp"
  target      = "sip.example.com"
  priority    = 10
  weight      = 5
  port        = 5060
}

resource "linode_domain_record" "caa" {
  domain_id   = linode_domain.example.id
  record_type = "CAA"
  tag         = "issue"
  target      = "ca.example.net"
}

resource "linode_domain_record" "spf" {
  domain_id   = linode_domain.example.id
  record_type = "TXT"
  target      = "v=spf1 mx -all"
}

resource "linode_domain_record" "whole" {
  domain_id   = linode_domain.example.id
  record_type = "AAAA"
  name        = "ipv6.example.com"
  target      = "2001:db8::10"
}

resource "linode_domain_record" "docs" {
  domain_id   = linode_domain.example.id
  record_type = "CNAME"
  name        = "docs"
  target      = "docs.example.net"
}

resource "linode_domain_record" "lab" {
  domain_id   = linode_domain.example.id
  record_type = "NS"
  name        = "lab"
  target      = "ns1.example.net"
}

module "zone" {
  source   = "./zone"
  for_each = toset(["example.net", "example.org"])
  domain   = each.key
}

data "linode_domain" "lookup" {
  domain     = "example.net"
  depends_on = [module.zone]
}

resource "terraform_data" "password" {
  input = sensitive("correct horse battery staple")
}
