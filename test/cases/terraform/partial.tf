terraform {
  required_providers {
    linode = { source = "linode/linode" }
  }
}

data "linode_domain" "shared" {
  domain = "example.com"
}

resource "linode_domain_record" "www" {
  domain_id   = data.linode_domain.shared.id
  record_type = "A"
  name        = "www"
  target      = "192.0.2.10"
}

resource "linode_domain" "secret" {
  domain    = "example.net"
  type      = "master"
  soa_email = "hostmaster@example.net"
}

resource "linode_domain_record" "verification" {
  domain_id   = linode_domain.secret.id
  record_type = "TXT"
  target      = sensitive("verification=9f2c")
}
