import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Desk } from "../cli/run.ts";
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

test("import file takes the zones over: the plan is empty, and Terraform forgets them without destroying", async () => {
  const api = await serve();
  const cwd = folder();
  const env = terraformEnv(cwd, api);
  const terraform = async (...words: string[]) => {
    const ended = await run(["terraform", ...words], { cwd, env });
    expect(ended.talk).toEqual([]);
    return ended;
  };
  writeFileSync(join(cwd, "main.tf"), config(300).replace(/data "linode_domain_zonefile"[\s\S]*/, ""));
  expect((await terraform("apply", "-auto-approve", "-no-color")).code).toBe(0);
  const before = await api.records(1);

  const desk = new Desk({
    "terraform.tfstate": readFileSync(join(cwd, "terraform.tfstate"), "utf8"),
    "show.json": (await terraform("show", "-json")).out,
  });
  Object.assign(desk.env, { ZONEWRIGHT_API_URL: api.url, ZONEWRIGHT_TOKEN: api.token });
  for (const file of ["terraform.tfstate", "show.json"]) {
    expect((await desk.run(`import file ${file} --yes`)).code).toBe(0);
    expect((await desk.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
  }

  const records = ["linode_domain_record.sip", "linode_domain_record.www"];
  for (const address of [...records, "linode_domain.example"])
    expect((await terraform("state", "rm", address)).code).toBe(0);
  writeFileSync(join(cwd, "main.tf"), config(300).replace(/resource[\s\S]*/, ""));
  expect((await terraform("apply", "-auto-approve", "-no-color")).code).toBe(0);
  expect(await api.records(1)).toEqual(before);
});
