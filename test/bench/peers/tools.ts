import { existsSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { programWords } from "../../cli/process.ts";
import { fixedHost } from "../../clients/fixed-host.ts";
import { provider, terraformEnv } from "../../clients/terraform.ts";
import { cleanEnv, runProgram } from "../../run-program.ts";

/** Records of example.com by their owner names: a type and its value. */
export type Records = ReadonlyMap<string, readonly [type: "A" | "CNAME", value: string]>;

export interface Api {
  readonly url: string;
  readonly token: string;
}

/** A tool in a folder of its own, connected to the API. */
export interface Tool {
  readonly name: string;
  /** Writes the tool's files for these records. */
  write(records: Records): void;
  plan(): Promise<Ended>;
  apply(): Promise<Ended>;
  /** The command line of `apply`, for a test that kills it. */
  readonly applyCommand: { words: string[]; env: Record<string, string>; cwd: string };
}

export interface Ended {
  readonly code: number | string | null | undefined;
  readonly text: string;
}

type Connect = (api: Api, folder: string) => Promise<Tool>;

/** The tools that are installed. octoDNS is missing because it has no provider for this API. */
export const tools: Record<string, { connect: Connect; lacks: string | undefined }> = {
  zonewright: { connect: zonewright, lacks: undefined },
  Terraform: { connect: terraform, lacks: lackOfTerraform() },
  DNSControl: { connect: dnscontrol, lacks: lackOf("dnscontrol") },
};

async function zonewright(api: Api, cwd: string): Promise<Tool> {
  const env = { ZONEWRIGHT_API_URL: api.url, ZONEWRIGHT_TOKEN: api.token };
  const command = (...words: string[]) => ({ words: [...programWords, ...words], env, cwd });
  const write = (records: Records) => {
    const lines = [...records].map(([name, [type, value]]) => `  ${name}: { ${type}: ${value} }`);
    const text = `soa_email: hostmaster@example.com\nttl_sec: 1h\nrecords:\n${lines.join("\n")}\n`;
    writeFileSync(join(cwd, "example.com.yaml"), records.size === 0 ? text.replace("records:\n", "records: {}") : text);
  };
  // Guards block a change of every record of a zone; here it is intended.
  const apply = command("apply", "--zones", ".", "--yes", "--allow", "G01,G02,G13,G14,G33,G34,G03");
  return toolOf("zonewright", write, command("plan", "--zones", "."), apply);
}

async function terraform(api: Api, cwd: string): Promise<Tool> {
  const env = terraformEnv(cwd, api);
  const head = `terraform {
  required_providers {
    linode = { source = "linode/linode" }
  }
}

data "linode_domain" "example" {
  domain = "example.com"
}
`;
  const write = (records: Records) => {
    const blocks = [...records].map(
      ([name, [type, value]]) => `
resource "linode_domain_record" "${name}" {
  domain_id   = data.linode_domain.example.id
  record_type = "${type}"
  name        = "${name}"
  target      = "${value.replace(/\.$/, "")}"
}
`,
    );
    writeFileSync(join(cwd, "main.tf"), head + blocks.join(""));
  };
  const command = (...words: string[]) => ({ words: ["terraform", ...words, "-no-color"], env, cwd });
  return toolOf("Terraform", write, command("plan"), command("apply", "-auto-approve"));
}

async function dnscontrol(api: Api, cwd: string): Promise<Tool> {
  const { REQUESTS_CA_BUNDLE: certificate = "", ...proxy } = await fixedHost(api.url, cwd);
  const env = { ...proxy, SSL_CERT_FILE: certificate };
  writeFileSync(join(cwd, "creds.json"), JSON.stringify({ api: { TYPE: "LINODE", token: api.token } }));
  const write = (records: Records) => {
    const lines = [...records].map(([name, [type, value]]) => `  ${type}("${name}", "${value}"),\n`);
    // 0: leaves the name servers at the apex alone, which the API adds by itself.
    const head = `D("example.com", NewRegistrar("none"), DnsProvider(NewDnsProvider("api"), 0), DefaultTTL(3600),\n`;
    writeFileSync(join(cwd, "dnsconfig.js"), `${head}${lines.join("")}END);\n`);
  };
  const command = (...words: string[]) => ({ words: ["dnscontrol", ...words], env, cwd });
  return toolOf("DNSControl", write, command("preview"), command("push"));
}

function toolOf(name: string, write: Tool["write"], plan: Tool["applyCommand"], apply: Tool["applyCommand"]): Tool {
  return { name, write, plan: () => run(plan), apply: () => run(apply), applyCommand: apply };
}

function lackOf(program: string): string | undefined {
  const folders = process.env.PATH?.split(delimiter) ?? [];
  return folders.some((folder) => existsSync(join(folder, program))) ? undefined : `${program} is not on PATH`;
}

function lackOfTerraform(): string | undefined {
  if (!existsSync(provider)) return "ZONEWRIGHT_TERRAFORM_PROVIDER does not name the program terraform-provider-linode";
  return lackOf("terraform");
}

async function run({ words, env, cwd }: Tool["applyCommand"]): Promise<Ended> {
  const { code, out, talk } = await runProgram(words, { cwd, env: { ...cleanEnv(cwd), ...env } });
  return { code, text: out + talk };
}
