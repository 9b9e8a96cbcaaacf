terraform {
  required_providers {
    linode = { source = "linode/linode" }
  }
}
variable "domain" { type = string }
resource "linode_domain" "this" {
  domain    = var.domain
  type      = "master"
  soa_email = "hostmaster@${var.domain}"
}
resource "linode_domain_record" "www" {
  domain_id   = linode_domain.this.id
  record_type = "A"
  name        = "www"
  target      = "192.0.2.20"
}
