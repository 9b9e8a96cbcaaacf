import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { embeddedCatalog } from "../../src/server/catalog/embedded.ts";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { Desk } from "../cli/run.ts";
import { folder, run, serve } from "./run.ts";
import { terraform as program, provider, terraformEnv } from "./terraform.ts";

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
  const terraform = (...words: string[]) => run([program, ...words], { cwd, env });
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
    const ended = await run([program, ...words], { cwd, env });
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

/** The configuration that docs/nodes.md shows, without the second address that its catalogue does not allow. */
const [, shownConfig = ""] =
  /^```hcl\n(.*?)^```$/ms.exec(readFileSync(new URL("../../docs/nodes.md", import.meta.url), "utf8")) ?? [];

const secondAddress = `
resource "linode_instance_ip" "second" {
  linode_id = linode_instance.web.id
}
`;

/** Commands one after the other, with what is changed in the configuration before each, and the writes that it sends. */
const steps: readonly {
  readonly words: string;
  readonly changes?: Readonly<Record<string, string>>;
  readonly writes: readonly string[];
}[] = [
  {
    words: "apply",
    writes: [
      "POST domains",
      "POST domains/1/records",
      "POST linode/instances",
      "POST linode/instances/1/boot",
      "POST linode/instances/1/configs",
      "POST linode/instances/1/disks",
      "POST linode/instances/1/ips",
      "POST networking/firewalls",
      "POST volumes",
      "PUT networking/ips/198.18.0.2",
    ],
  },
  {
    words: "apply",
    changes: {
      'label  = "web-1"': 'label  = "web-2"',
      "size      = 5000": "size      = 6000",
      'label     = "boot"': 'label     = "boot"\n  comments  = "resized"',
      "size   = 20": "size   = 30",
      'ports    = "443"': 'ports    = "80, 443"',
      'rdns       = "web.example.com"': 'rdns       = "mail.example.org"',
    },
    writes: [
      "POST linode/instances/1/boot",
      "POST linode/instances/1/disks/1/resize",
      "POST linode/instances/1/reboot",
      "POST linode/instances/1/shutdown",
      "POST volumes/1/resize",
      "PUT linode/instances/1",
      "PUT linode/instances/1/configs/1",
      "PUT linode/instances/1/configs/1",
      "PUT networking/firewalls/1/rules",
      "PUT networking/ips/198.18.0.2",
    ],
  },
  {
    words: "apply",
    changes: { "g6-nanode-1": "g6-standard-1" },
    writes: [
      "POST linode/instances/1/reboot",
      "POST linode/instances/1/resize",
      "POST linode/instances/1/shutdown",
      "PUT linode/instances/1/configs/1",
    ],
  },
  {
    words: "apply -replace=linode_instance.web",
    writes: [
      "DELETE linode/instances/1",
      "DELETE linode/instances/1/configs/1",
      "DELETE linode/instances/1/disks/1",
      "DELETE linode/instances/1/ips/198.18.0.3",
      "POST linode/instances",
      "POST linode/instances/1/shutdown",
      "POST linode/instances/2/boot",
      "POST linode/instances/2/configs",
      "POST linode/instances/2/disks",
      "POST linode/instances/2/ips",
      "POST networking/firewalls/1/devices",
      "PUT domains/1/records/1",
      "PUT networking/ips/198.18.0.2",
      "PUT networking/ips/198.18.0.4",
    ],
  },
  {
    words: "destroy",
    writes: [
      "DELETE domains/1",
      "DELETE domains/1/records/1",
      "DELETE linode/instances/2",
      "DELETE linode/instances/2/configs/2",
      "DELETE linode/instances/2/disks/2",
      "DELETE linode/instances/2/ips/198.18.0.5",
      "DELETE networking/firewalls/1",
      "DELETE volumes/1",
      "POST linode/instances/2/shutdown",
      "POST volumes/1/detach",
      "PUT networking/ips/198.18.0.4",
    ],
  },
];

test("a node of docs/nodes.md is created, changed, resized, replaced and destroyed, with empty plans between", async () => {
  const catalog = { ...embeddedCatalog, extra_public_ipv4: 1 };
  const api = await serve({ clock: () => new Date(), jobDriver: simulatedDriver(0.01), catalog });
  const cwd = folder();
  const env = { ...terraformEnv(cwd, api), LINODE_EVENT_POLL_MS: "100" };
  /** The writes of a command that succeed, in alphabetical order. */
  const writesOf = async (words: string) => {
    api.writes.length = 0;
    const { code, out, talk } = await run([program, ...words.split(" ")], { cwd, env });
    expect({ code, talk }, out).toEqual({ code: 0, talk: [] });
    return api.writes
      .flatMap((write) => /^(.*) 200$/.exec(write)?.slice(1) ?? [])
      .map((write) => write.replace(" /v4/", " "))
      .sort();
  };
  let text = shownConfig + secondAddress;
  for (const { words, changes = {}, writes } of steps) {
    for (const [from, to] of Object.entries(changes)) {
      expect(text).toContain(from);
      text = text.replace(from, to);
    }
    writeFileSync(join(cwd, "main.tf"), text);
    expect(await writesOf(`${words} -auto-approve -no-color`)).toEqual(writes);
    if (!words.startsWith("destroy")) expect(await writesOf("plan -detailed-exitcode -no-color")).toEqual([]);
  }
  for (const path of ["domains", "linode/instances", "networking/firewalls", "volumes"])
    expect((await api.call("GET", `/${path}`)).body.data).toEqual([]);
});
