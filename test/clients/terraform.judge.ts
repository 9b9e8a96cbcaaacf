import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder, run, serve } from "./run.ts";
import { provider, terraformEnv } from "./terraform.ts";

// `npm run judge:terraform`: not part of `npm test`.
if (!existsSync(provider))
  throw new Error("Set ZONEWRIGHT_TERRAFORM_PROVIDER to the program terraform-provider-linode (docs/clients.md).");

const config = (ttl: number) => `
terraform {
  required_providers {
    linode = { source = "linode/linode" }
  }
}

resource "linode_domain" "example" {
  domain    = "example.com"
  type      = "master"
  soa_email = "hostmaster@example.com"
  tags      = ["prod"]
}

resource "linode_domain_record" "www" {
  domain_id   = linode_domain.example.id
  record_type = "A"
  name        = "www"
  target      = "192.0.2.1"
  ttl_sec     = ${ttl}
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
  depends_on  = [linode_domain_record.www]
}

data "linode_domain_zonefile" "example" {
  domain_id  = linode_domain.example.id
  depends_on = [linode_domain_record.sip]
}

output "lines" {
  value = [for line in data.linode_domain_zonefile.example.zone_file : line if startswith(line, "www")]
}
`;

test("creates, updates and destroys a domain and its records", async () => {
  const api = await serve();
  const cwd = folder();
  const env = terraformEnv(cwd, api);
  const terraform = (...words: string[]) => run(["terraform", ...words], { cwd, env });
  const apply = async (ttl: number) => {
    writeFileSync(join(cwd, "main.tf"), config(ttl));
    const { code, talk } = await terraform("apply", "-auto-approve", "-no-color");
    expect({ code, talk }).toEqual({ code: 0, talk: [] });
  };
  const srv = { service: "sip", protocol: "tcp", priority: 10, weight: 5, port: 5060 };
  const sip = { id: 2, type: "SRV", name: "_sip._tcp", target: "sip.example.com", ...srv };

  await apply(300);
  expect(await api.records(1)).toEqual([{ id: 1, type: "A", name: "www", target: "192.0.2.1", ttl_sec: 300 }, sip]);
  expect((await terraform("plan", "-detailed-exitcode")).code).toBe(0); // nothing is left to change
  expect(JSON.parse((await terraform("output", "-json", "lines")).out)).toEqual(["www 300 A 192.0.2.1"]);

  await apply(3600);
  expect(await api.records(1)).toEqual([{ id: 1, type: "A", name: "www", target: "192.0.2.1", ttl_sec: 3600 }, sip]);

  expect((await terraform("destroy", "-auto-approve")).code).toBe(0);
  expect((await api.call("GET", "/domains")).body.data).toEqual([]);
});
