import { existsSync } from "node:fs";
import { join } from "node:path";
import { describeJudge, findPython, isMissing, type Judge, judgesFolder } from "../../judges.ts";
import { ansible } from "./ansible.ts";
import { linodego } from "./linodego.ts";
import { ownTests } from "./own-tests.ts";
import { linodeApi4 } from "./pytest.ts";
import { clientProgram, clientsFolder, type Suite, versionOf } from "./suite.ts";
import { openTofu, terraform } from "./terraform.ts";

const find =
  (...judges: Judge[]) =>
  () => {
    const missing = judges.filter((judge) => isMissing(judge)).map(describeJudge);
    return missing.length === 0 ? undefined : missing.join(", ");
  };
const findClient = (name: string) => () => (existsSync(clientProgram(name)) ? undefined : clientProgram(name));
const versionIn = (python: string, distribution: string) => [
  python,
  "-c",
  `import importlib.metadata as m; print(m.version("${distribution}"))`,
];
const debian = (module: string) => findPython(module) ?? "python3";
const pip = join(judgesFolder, "venv/bin/python");

/** CI makes clients with them from the server's OpenAPI documents. */
const generators: Suite = {
  ...ownTests(
    "clients made by openapi-typescript with openapi-fetch, openapi-generator (typescript-fetch) and openapi-python-client",
    "test/openapi/generators.test.ts",
    [],
    find("openapi-typescript", "openapi-generator-cli", "openapi-python-client"),
  ),
  version: async () => {
    const npm = (name: string) => [
      "node",
      "-p",
      "require(process.argv[1]).version",
      join(judgesFolder, `node_modules/${name}/package.json`),
    ];
    const commands = [
      npm("openapi-typescript"),
      npm("openapi-fetch"),
      versionIn(pip, "openapi-generator-cli"),
      versionIn(pip, "openapi-python-client"),
    ];
    return (await Promise.all(commands.map((command) => versionOf(command, clientsFolder)))).join(", ");
  },
};

/** All suites, in the order of the table. */
export const suites: readonly Suite[] = [
  ownTests(
    "@linode/api-v4",
    "test/server/linode-client.test.ts",
    [
      "node",
      "-p",
      "require(process.argv[1]).version",
      join(judgesFolder, "../node_modules/@linode/api-v4/package.json"),
    ],
    () => undefined,
  ),
  ownTests(
    "Apache Libcloud",
    "test/clients/libcloud.test.ts",
    versionIn(debian("libcloud"), "apache-libcloud"),
    find("libcloud"),
  ),
  ownTests(
    "Apache Libcloud, compute driver",
    "test/clients/libcloud-compute.test.ts",
    versionIn(debian("libcloud"), "apache-libcloud"),
    find("libcloud"),
  ),
  ownTests("lexicon", "test/clients/lexicon.test.ts", ["lexicon", "--version"], find("lexicon", "openssl")),
  ownTests(
    "certbot, plugin dns-linode",
    "test/clients/certbot.test.ts",
    ["certbot", "--version"],
    find("certbot", "certbot-dns-linode", "pebble", "openssl"),
  ),
  ownTests(
    "lego, provider linode",
    "test/clients/lego.judge.ts",
    [clientProgram("lego"), "--version"],
    findClient("lego"),
  ),
  ownTests(
    "libdns, provider linode",
    "test/clients/libdns.judge.ts",
    [clientProgram("libdns"), "version"],
    findClient("libdns"),
  ),
  ownTests("linode-cli", "test/clients/linode-cli.test.ts", versionIn(pip, "linode-cli"), find("linode-cli")),
  ownTests("linode_api4", "test/clients/linode-api4.test.ts", versionIn(pip, "linode_api4"), find("linode-cli")),
  ...linodeApi4,
  ...linodego,
  ansible,
  ...terraform,
  ...openTofu,
  ownTests(
    "DNSControl",
    "test/clients/dnscontrol.judge.ts",
    [clientProgram("dnscontrol"), "version"],
    findClient("dnscontrol"),
  ),
  {
    ...ownTests(
      "external-dns, provider linode",
      "test/clients/external-dns.judge.ts",
      [clientProgram("external-dns"), "--version"],
      findClient("external-dns"),
    ),
    reasons: [
      {
        found: /Name contains invalid characters" .*record="\w+-\*"/,
        reason: "external-dns names the ownership record of a wildcard `a-*`, which the API refuses",
      },
      {
        found: /CNAMES must be unique/,
        reason:
          "external-dns creates the new record before it deletes the old one, and the API refuses a CNAME record beside another",
      },
    ],
  },
  generators,
];
