import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { embeddedCatalog } from "../../src/server/catalog/embedded.ts";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { Desk } from "../cli/run.ts";
import { folder, run, serve } from "./run.ts";
import { terraform as program, terraformEnv } from "./terraform.ts";

// `npm run judge:clients`: not part of `npm test`.

const required = `
terraform {
  required_providers {
    linode = { source = "linode/linode" }
  }
}
`;

const config = (ttl: number) => `
${required}
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

test.each([
  ["documented", undefined, undefined],
  ["open", "192.0.2.1", "10 5 5060 sip.example.com."],
] as const)("creates, updates and destroys a domain and its records: %s", async (records, address, service) => {
  const api = await serve({ records });
  const cwd = folder();
  const env = terraformEnv(cwd, api);
  const terraform = (...words: string[]) => run([program, ...words], { cwd, env });
  const apply = async (ttl: number) => {
    writeFileSync(join(cwd, "main.tf"), config(ttl));
    const { code, talk } = await terraform("apply", "-auto-approve", "-no-color");
    expect({ code, talk }).toEqual({ code: 0, talk: [] });
  };
  const srv = { service: "sip", protocol: "tcp", priority: 10, weight: 5, port: 5060 };
  const www = { id: 1, type: "A", name: "www", target: "192.0.2.1", ...(address && { rdata: address }) };
  const sip = {
    id: 2,
    type: "SRV",
    name: "_sip._tcp",
    target: "sip.example.com",
    ...srv,
    ...(service && { rdata: service }),
  };

  await apply(300);
  expect(await api.records(1)).toEqual([{ ...www, ttl_sec: 300 }, sip]);
  expect((await terraform("plan", "-detailed-exitcode")).code).toBe(0); // nothing is left to change
  expect(JSON.parse((await terraform("output", "-json", "lines")).out)).toEqual(["www 300 A 192.0.2.1"]);

  await apply(3600);
  expect(await api.records(1)).toEqual([{ ...www, ttl_sec: 3600 }, sip]);

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

/** The configuration that docs/server/nodes.md shows, without the second address that its catalogue does not allow. */
const [, shownConfig = ""] =
  /^```hcl\n(.*?)^```$/ms.exec(readFileSync(new URL("../../docs/server/nodes.md", import.meta.url), "utf8")) ?? [];

const secondAddress = `
resource "linode_instance_ip" "second" {
  linode_id = linode_instance.web.id
}
`;

/** A command, with what is changed in the configuration before it, and the writes that it sends. */
interface Step {
  readonly words: string;
  readonly changes?: Readonly<Record<string, string>>;
  readonly writes: readonly string[];
}

const steps: readonly Step[] = [
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

test("a node of docs/server/nodes.md is created, changed, resized, replaced and destroyed", () =>
  follow(shownConfig + secondAddress, steps));

const fromImages = `
resource "linode_firewall" "web" {
  label           = "web"
  inbound_policy  = "DROP"
  outbound_policy = "ACCEPT"
}

resource "linode_instance" "on" {
  region          = "us-east"
  type            = "g6-nanode-1"
  image           = "linode/debian12"
  root_pass       = "correct Horse 7"
  private_ip      = true
  backups_enabled = true
  firewall_id     = linode_firewall.web.id

  interface {
    purpose = "public"
  }
  interface {
    purpose      = "vlan"
    label        = "inside"
    ipam_address = "10.0.0.1/24"
  }
}

resource "linode_instance" "off" {
  region          = "us-east"
  type            = "g6-nanode-1"
  image           = data.linode_image.debian.id
  authorized_keys = ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKm1dBjcQ6hRMWUn5qqOeOUGQVp2g8o3rNqMgX7tA2cF me@example.com"]
  booted          = false
  depends_on      = [linode_instance.on]
}

resource "linode_firewall_device" "off" {
  firewall_id = linode_firewall.web.id
  entity_id   = linode_instance.off.id
}

resource "linode_volume" "data" {
  label     = "data"
  region    = "us-east"
  linode_id = linode_instance.on.id
}

data "linode_image" "debian" {
  id = "linode/debian12"
}
data "linode_images" "all" {}
data "linode_instance_backups" "on" {
  linode_id = linode_instance.on.id
}
data "linode_instance_networking" "on" {
  linode_id = linode_instance.on.id
}
data "linode_instance_type" "nanode" {
  id = "g6-nanode-1"
}
data "linode_instance_types" "all" {}
data "linode_instances" "all" {
  depends_on = [linode_instance.off]
}
data "linode_kernel" "latest" {
  id = "linode/latest-64bit"
}
data "linode_kernels" "all" {}
data "linode_volume" "data" {
  id = linode_volume.data.id
}
`;

test("nodes from images with interfaces, backups, a firewall and a volume, and the data sources about them", () =>
  follow(required + fromImages, [
    {
      words: "apply",
      writes: [
        "POST linode/instances",
        "POST linode/instances",
        "POST networking/firewalls",
        "POST networking/firewalls/1/devices",
        "POST volumes",
      ],
    },
    {
      words: "apply",
      changes: {
        "booted          = false": "booted          = true",
        '"inside"': '"outside"',
        "= true\n  fire": "= false\n  fire",
      },
      writes: [
        "POST linode/instances/1/backups/cancel",
        "POST linode/instances/1/reboot",
        "POST linode/instances/2/boot",
        "PUT linode/instances/1/configs/1",
        "PUT linode/instances/1/configs/1",
        "PUT linode/instances/2/configs/2",
      ],
    },
    {
      words: "destroy",
      writes: [
        "DELETE linode/instances/1",
        "DELETE linode/instances/2",
        "DELETE networking/firewalls/1",
        "DELETE networking/firewalls/1/devices/2",
        "DELETE volumes/1",
        "POST volumes/1/detach",
      ],
    },
  ]));

/** Runs the commands; a plan after each apply has nothing left to do, and nothing is left after the last. */
async function follow(config: string, steps: readonly Step[]): Promise<void> {
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
  let text = config;
  for (const { words, changes = {}, writes } of steps) {
    for (const [from, to] of Object.entries(changes)) {
      expect(text).toContain(from);
      text = text.replace(from, to);
    }
    writeFileSync(join(cwd, "main.tf"), text);
    expect(await writesOf(`${words} -auto-approve -no-color`)).toEqual(writes);
    if (words.startsWith("apply")) expect(await writesOf("plan -detailed-exitcode -no-color")).toEqual([]);
  }
  for (const path of ["domains", "linode/instances", "networking/firewalls", "volumes"])
    expect((await api.call("GET", `/${path}`)).body.data).toEqual([]);
}
