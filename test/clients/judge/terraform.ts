import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { runGoTests } from "./go-tests.ts";
import { ownTests } from "./own-tests.ts";
import {
  clientProgram,
  clientsFolder,
  findMissingFiles,
  type Reason,
  type Records,
  readVersion,
  recordsOptions,
  type Suite,
  testsOf,
  versionOf,
} from "./suite.ts";

const tests = "terraform-provider/tests";
const source = "terraform-provider/source";

const providerFile = "terraform-provider/terraform-provider-linode";

const rounds: Reason = {
  found: /^--- FAIL: TestAccResourceDomain\w*_rounded/m,
  reason: "the test expects rounded TTLs and times, and open records keep them as they are sent",
};

/**
 * The acceptance tests of the provider, a program for each of its packages, with Terraform or OpenTofu, which is told
 * whose registry it names.
 */
function acceptance(
  client: string,
  program: string,
  host: string,
  packages: RegExp,
  what: string,
  records: Records = "documented",
): Suite {
  const file = clientProgram(program);
  return {
    client: `${client}, provider linode`,
    tests: testsOf(records, "the provider's acceptance tests", ` of ${what}`),
    missing: () => findMissingFiles(tests, source) ?? (existsSync(file) ? undefined : file),
    version: () => versions(file),
    reasons: records === "open" ? [rounds] : [],
    run: () =>
      runGoTests(
        readdirSync(join(clientsFolder, tests))
          .filter((name) => packages.test(name))
          .map((name) => `${tests}/${name}`),
        ({ url, token }) => ({
          TF_ACC: "1",
          TF_ACC_TERRAFORM_PATH: file,
          TF_ACC_PROVIDER_HOST: host,
          CHECKPOINT_DISABLE: "1",
          LINODE_URL: url,
          LINODE_API_VERSION: "v4beta",
          LINODE_TOKEN: token,
          LINODE_EVENT_POLL_MS: "100",
          // Its Makefile sets them to the addresses of the host, for rules of firewalls.
          TF_VAR_ipv4_addr: "192.0.2.1",
          TF_VAR_ipv6_addr: "2001:db8::1",
        }),
        {
          cwdOf: (file) => join(clientsFolder, source, "linode", basename(file, ".test")),
          options: recordsOptions(records),
        },
      ),
  };
}

const versions = async (file: string) =>
  `${await versionOf([file, "version"], clientsFolder)}, ${readVersion("terraform-provider")}`;

/** Our own tests of the provider, with Terraform or OpenTofu. */
function own(client: string, program: string): Suite {
  const file = clientProgram(program);
  const missing = () => findMissingFiles(providerFile) ?? (existsSync(file) ? undefined : file);
  const suite = ownTests(`${client}, provider linode`, "test/clients/terraform.judge.ts", [], missing, {
    ZONEWRIGHT_TERRAFORM: file,
  });
  return { ...suite, version: () => versions(file) };
}

const all = "domains, records, zone files, regions, kernels, nodes, types, images, volumes, firewalls and addresses";

export const terraform = [
  own("Terraform", "terraform"),
  acceptance("Terraform", "terraform", "registry.terraform.io", /\.test$/, all),
  acceptance("Terraform", "terraform", "registry.terraform.io", /^domain.*\.test$/, "", "open"),
];

export const openTofu = [
  own("OpenTofu", "tofu"),
  acceptance(
    "OpenTofu",
    "tofu",
    "registry.opentofu.org",
    /^(?:domain.*|regions?|kernels?|volumes?|rdns)\.test$/,
    "domains, records, zone files, regions, kernels, volumes and rDNS",
  ),
];
