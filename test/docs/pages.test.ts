import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { parseDocument } from "yaml";
import { Desk } from "../cli/run.ts";
import { headingsOf, quoteCases, readPage, root, runPage, shellWords } from "./page.ts";

const pages = ["README.md", ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })]
  .filter((page) => page.endsWith(".md"))
  .map((page, index) => (index === 0 ? page : `docs/${page}`))
  .sort();

/** The blocks of commands that do not run here, by their first lines, with the reason that the page's source gives. */
const notRun: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "README.md": {
    "npm ci && npm run demo": ".ci/run runs it",
  },
  "docs/getting-started.md": {
    "git clone https://github.com/zonewright/zonewright.git":
      "needs the network; test/library and test/packaging install the packages",
    "sudo install build/zonewright /usr/local/bin/": "changes the machine",
  },
  "docs/server/run.md": {
    "sudo apt install ./build/zonewright_0.2.0_amd64.deb":
      "needs systemd; test/packaging checks the unit and installs the package",
    "npm ci && npm run build:deb": "needs Docker",
    "sudo -u zonewright zonewright server backup /var/lib/zonewright/backup.db --data /var/lib/zonewright --force":
      "test/docs/operate.test.ts runs such a backup",
  },
  "docs/server/transfers.md": {
    "$ zonewright api accept-service-transfer 0A1B2C3D-4E5F-4A6B-8C7D-9E0F1A2B3C4D --token-file receiver.token":
      "the token of a transfer is random",
  },
  "docs/ci.md": {
    "zonewright doctor --ci": "test/cli/doctor.test.ts runs it in repositories",
    "zonewright validate --report text --report junit=zonewright-junit.xml":
      "test/ci/other-services.test.ts runs these commands in a repository",
    "zonewright plan --out plan.json --detailed-exitcode || [ $? -eq 2 ]":
      "test/ci/other-services.test.ts runs these commands in a repository",
    "git fetch origin +refs/zonewright/snapshot:refs/zonewright/snapshot":
      "test/ci/other-services.test.ts runs these commands in a repository",
  },
  "docs/server/clients.md": {
    "npm run judge:clients -- lego dnscontrol --failures": "needs the programs of others",
  },
  "docs/compare.md": {
    "npm run bench -- import": "needs octoDNS and DNSControl",
    "npm run build && npm run bench -- first-steps": "needs octoDNS, DNSControl, Terraform and the network",
    "npm run build && npm run judge:updates -- files": "needs octodns-bind, DNSControl and BIND",
    "npm run build && npm run judge:updates -- peers": "needs octodns-bind and name servers",
    "npm run judge:findings": "needs the other programs; test/dns/findings.test.ts counts the cases of zonewright",
    "ZONEWRIGHT_TERRAFORM_PROVIDER=/path/to/terraform-provider-linode npm run bench -- peers # placeholder: your path":
      "needs Terraform, its provider and DNSControl; test/docs/compare.test.ts counts zonewright's own requests",
  },
  "docs/cut-over.md": {
    "$ zonewright compare @192.0.2.53 @198.51.100.53 example.com --ttl --parent 203.0.113.53":
      "needs name servers; test/docs/cut-over.test.ts runs it",
  },
  "docs/import.md": {
    "zonewright import axfr --zones-file named.conf --from 192.0.2.53 --tsig-key transfer.key":
      "needs name servers; test/docs/import.test.ts runs it with those of this page",
    "zonewright import remote --zones-file zones.txt --from ns1.example.net":
      "needs a service that reaches the name server; test/cli/import-remote.test.ts runs it",
    "tsig-keygen -a hmac-sha256 transfer > transfer.key": "test/docs/import.test.ts runs it",
    "pdnsutil import-tsig-key transfer hmac-sha256 SECRET": "test/docs/import.test.ts runs it",
  },
  "docs/migrate-from-bind.md": {
    "$ mkdir zones": "needs a name server; test/docs/migrate-from-bind.test.ts runs it",
    "$ zonewright export --to bind --out /srv/zones":
      "needs a name server; test/docs/migrate-from-bind.test.ts runs it",
    "$ sed -i 's/192.0.2.25/192.0.2.26/' zones/example.com.zone":
      "needs a name server; test/docs/migrate-from-bind.test.ts runs it",
  },
  "docs/migrate-from-dnscontrol.md": {
    "dnscontrol print-ir > print-ir.json": "needs DNSControl; test/formats/dnscontrol.test.ts reads its output",
    "dnscontrol get-zones --format=zone KEY all > zones.zone # placeholder: KEY is the name of the account in creds.json":
      "needs DNSControl; test/formats/dnscontrol.test.ts reads its output",
  },
  "docs/migrate-from-terraform.md": {
    "terraform state rm linode_domain_record.www # placeholder: the addresses of your records":
      "needs Terraform; npm run judge:clients runs it",
  },
  "docs/server/nodes.md": {
    "export LINODE_URL=http://127.0.0.1:4119 LINODE_API_VERSION=v4 LINODE_TOKEN=… LINODE_EVENT_POLL_MS=100 # placeholder: your token":
      "needs Terraform and its provider",
  },
  "docs/server/oauth.md": {
    "zonewright server user password admin": "test/docs/oauth.test.ts runs it",
    "verifier=$(openssl rand -hex 32)": "test/docs/oauth.test.ts runs it",
    "curl --silent --show-error --fail-with-body --config - http://127.0.0.1:4119/oauth/token <<END":
      "test/docs/oauth.test.ts runs it",
    "curl --silent --show-error --fail-with-body --config - http://127.0.0.1:4119/v4/domains <<END":
      "test/docs/oauth.test.ts runs it",
    "curl --silent --show-error --fail-with-body --config - http://127.0.0.1:4119/oauth/revoke <<END":
      "test/docs/oauth.test.ts runs it",
  },
  "docs/server/operate.md": {
    "for message in mail/new/*; do": "test/docs/operate.test.ts runs it",
    "zonewright server backup zones-backup.db": "test/docs/operate.test.ts runs it",
    "zonewright server backup zones-backup.db --force": "test/docs/operate.test.ts runs it",
    'pg_dump --format=custom --file=zonewright.dump "$DATABASE_URL"': "test/docs/operate.test.ts runs it",
    "rm -f .zonewright/data/zonewright.db .zonewright/data/zonewright.db-wal .zonewright/data/zonewright.db-shm":
      "test/docs/operate.test.ts runs it",
    'pg_restore --clean --if-exists --dbname="$DATABASE_URL" zonewright.dump': "test/docs/operate.test.ts runs it",
    "zonewright server copy --data .zonewright/data": "test/docs/operate.test.ts runs it",
    "curl --fail --silent --show-error http://127.0.0.1:4119/healthz": "test/docs/operate.test.ts runs it",
    "curl --fail --silent --show-error http://127.0.0.1:4119/metrics": "test/docs/operate.test.ts runs it",
  },
  "docs/name-servers.md": {
    "tsig-keygen -a hmac-sha256 office > office.key": "test/docs/name-servers.test.ts runs it",
    "$ git init --quiet": "needs a name server; test/docs/name-servers.test.ts runs it",
    "$ sed -i 's/192.0.2.25/192.0.2.26/' zones/example.com.yaml":
      "needs a name server; test/docs/name-servers.test.ts runs it",
    "$ nsupdate -k ../office.key add-by-hand": "needs a name server; test/docs/name-servers.test.ts runs it",
    "pdnsutil import-tsig-key office hmac-sha256 SECRET": "test/docs/name-servers.test.ts runs it",
    "#!/bin/sh": "needs Knot 3.5; test/docs/zone-checks.test.ts runs it with another knotc",
    "#!/bin/sh -e": "needs Cascade; test/docs/zone-checks.test.ts runs it with another server",
    "pdnsutil create-secondary-zone catalog.example 192.0.2.53": "test/targets/files/catalog-servers.test.ts runs it",
  },
  "docs/targets.md": { "$ zonewright plan": "needs two targets; test/docs/targets.test.ts runs it" },
  "docs/migrate-from-powerdns.md": {
    "$ zonewright init --from powerdns http://127.0.0.1:8081 --api-key ../keys/pdns --yes":
      "needs PowerDNS; test/docs/powerdns.test.ts runs it",
    "$ zonewright plan": "needs PowerDNS; test/docs/powerdns.test.ts runs it",
    "$ sed -i 's/192.0.2.10/192.0.2.80/' zones/example.com.yaml": "needs PowerDNS; test/docs/powerdns.test.ts runs it",
    "$ pdnsutil add-record example.com new A 300 192.0.2.99": "needs PowerDNS; test/docs/powerdns.test.ts runs it",
  },
  "docs/second-provider.md": Object.fromEntries(
    [
      "$ zonewright plan",
      "$ zonewright apply --yes --allow G04",
      "$ zonewright apply --yes --target fleet --delete-zone example.com --allow G06",
    ].map((command) => [command, "needs name servers; test/docs/second-provider.test.ts runs it"]),
  ),
  "docs/split-horizon.md": Object.fromEntries(
    [
      "$ zonewright apply --yes",
      "$ zonewright compare live:inside live:outside example.com",
      "$ sed -i 's/192.0.2.25/192.0.2.26/' templates/common.yaml",
    ].map((command) => [command, "needs a name server; test/docs/split-horizon.test.ts runs it"]),
  ),
  "docs/publish.md": {
    "$ git init --quiet --initial-branch main": "needs name servers; test/docs/publish.test.ts runs it",
    "$ zonewright init --ci github --yes": "needs name servers; test/docs/publish.test.ts runs it",
    "$ zonewright export --to named.conf --role primary > /etc/bind/zonewright.conf":
      "needs name servers; test/docs/publish.test.ts runs it",
    "$ zonewright apply --yes": "needs name servers; test/docs/publish.test.ts runs it",
    "$ zonewright verify --nameserver 192.0.2.61 --nameserver 192.0.2.62 --nameserver 192.0.2.63":
      "needs name servers; test/docs/publish.test.ts runs it",
    "$ git switch --quiet --create move-mail": "needs name servers; test/docs/publish.test.ts runs it",
    "$ git switch --quiet main && git merge --quiet move-mail": "needs name servers; test/docs/publish.test.ts runs it",
    '$ git rm --quiet zones/example.net.yaml && git commit --quiet --message "Delete example.net"':
      "needs name servers; test/docs/publish.test.ts runs it",
    "$ sed -i 's/192.0.2.10/192.0.2.11/' zones/example.com.yaml":
      "needs name servers; test/docs/publish.test.ts runs it",
    "$ sed -i '$a\\  _sip._tcp: { A: 192.0.2.60 }' zones/example.com.yaml":
      "needs name servers; test/docs/publish.test.ts runs it",
    "$ echo 'shop IN A 192.0.2.44' >> /srv/zones/example.com.zone":
      "needs name servers; test/docs/publish.test.ts runs it",
    "$ sed -i 's/192.0.2.10/192.0.2.12/' zones/example.com.yaml":
      "needs name servers; test/docs/publish.test.ts runs it",
    "$ ls /srv/zones": "needs name servers; test/docs/publish.test.ts runs it",
    "$ git clone --quiet --bare . /srv/zones.git": "needs name servers; test/docs/publish.test.ts runs it",
    "#!/bin/sh": "needs name servers; test/docs/publish.test.ts runs it",
    "#!/bin/sh -e": "needs name servers; test/docs/publish.test.ts runs it",
    "$ git remote add primary /srv/zones.git": "needs name servers; test/docs/publish.test.ts runs it",
  },
  "docs/performance.md": {
    "npm run bench -- all --json": "takes an hour, and the second command needs two results",
  },
  "docs/plan-and-apply.md": {
    "openssl genpkey -algorithm ed25519 -out key.pem": "test/cli/signed-plans.test.ts runs it",
    "$ zonewright plan --out plan.json --sign":
      "needs the keys in the environment; test/cli/signed-plans.test.ts runs it",
  },
  "docs/server/serve-at-scale.md": {
    "tsig-keygen -a hmac-sha256 transfer.example.net > keys.conf": "test/docs/serve-at-scale.test.ts runs it",
    "zonewright serve --dns 192.0.2.53:53 --tsig-key keys.conf --nameserver ns1.example.net --nameserver ns2.example.net --nameserver ns3.example.net --secondary 198.51.100.1 --secondary 198.51.100.2 --secondary 198.51.100.3":
      "test/docs/serve-at-scale.test.ts runs it",
    "zonewright serve --dns 192.0.2.53:53 --dns-catalog catalog.example --tsig-key keys.conf --nameserver ns1.example.net --secondary 198.51.100.1":
      "test/server/nameserver/catalog-secondaries.test.ts runs it with other addresses",
  },
};

test.each(pages)("%s: the commands run and print the output shown", async (page) => {
  const { shown, unrun } = await runPage(quoteCases(readPage(page)));
  await expect(shown).toMatchFileSnapshot(join(root, page));
  expect(unrun).toEqual(notRun[page] ?? {});
});

test.each(pages)("%s: the links lead to files and headings", (page) => {
  const broken = [...readPage(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].filter(
    ([, file = "", heading]) => {
      const target = file === "" ? page : join(dirname(page), file);
      if (!existsSync(join(root, target))) return true;
      return heading !== undefined && !headingsOf(readPage(target)).includes(heading);
    },
  );
  expect(broken.map(([link]) => link)).toEqual([]);
});

test("every script, bench and long run in the pages exists", () => {
  const { scripts } = JSON.parse(readPage("package.json")) as { scripts: Record<string, string> };
  const lists: Readonly<Record<string, string>> = { bench: "test/bench/main.ts", fuzz: "test/fuzz/main.ts" };
  const lost = [...pages, "CONTRIBUTING.md"].flatMap((page) =>
    [...readPage(page).matchAll(/npm run ([\w:]+)(?: -- ([\w]+))?/g)]
      .filter(([, script = "", word = ""]) => {
        const list = word === "" || word === "NAME" ? undefined : lists[script];
        return !(script in scripts) || (list !== undefined && !new RegExp(`\\b${word}\\b`).test(readPage(list)));
      })
      .map(([text]) => `${page}: ${text}`),
  );
  expect(lost).toEqual([]);
});

test("docs/performance.md: each ratio stands in the lab book, and a bench prints it", () => {
  const [, section = ""] = readPage("docs/performance.md").split("\n## What to expect\n");
  const ratios = [...section.matchAll(/^\| [^|]+ \| (\d+(?:\.\d+)?) \|/gm)].map(([, ratio = ""]) => ratio);
  const numbers: readonly string[] = readPage("docs/decisions/performance.md").match(/\d+\.\d+/g) ?? [];
  expect(ratios.length).toBeGreaterThan(8);
  expect(ratios.filter((ratio) => !numbers.includes(ratio))).toEqual([]);
  expect(section).toMatch(/^\| [^|]+ \| [\d.]+ \| [^|]+ \| `npm run bench -- plan` \|$/m);
});

test("every page is linked from the README, or from the index of its folder", () => {
  const indexes = ["README.md", "docs/server/README.md", "docs/decisions/README.md"];
  const linked = indexes.flatMap((index) =>
    [...readPage(index).matchAll(/\]\(([^)#\s:]*\.md)/g)].map(([, file = ""]) => join(dirname(index), file)),
  );
  expect(pages.filter((page) => !linked.includes(page) && !indexes.includes(page))).toEqual([]);
});

test.each([
  ["api list-domains  --all", ["api", "list-domains", "--all"]],
  ["--filter 'created>=2026-03-01' --set a='b c'", ["--filter", "created>=2026-03-01", "--set", "a=b c"]],
  [`--set "name=it's"`, ["--set", "name=it's"]],
])("the words of %s", (command, words) => {
  expect(shellWords(command)).toEqual(words);
});

test.each([
  "--filter created>=2026-03-01",
  "--filter id<5",
  "validate | head",
  "validate; plan",
  "--data $HOME",
  "--set a=b*",
  "--set a='b",
])("a command of a page that a shell does not take literally is refused: %s", (command) => {
  expect(() => shellWords(command)).toThrow(`a shell does not take this literally: ${command}`);
});

test("the YAML of the pages is valid", () => {
  const blocks = pages.flatMap((page) => [...readPage(page).matchAll(/^```yaml\n(.*?)^```$/gms)]);
  expect(blocks.flatMap(([, text = ""]) => parseDocument(text).errors)).toEqual([]);
});

test("the pages name the package file of this version", () => {
  const { version } = JSON.parse(readPage("package.json")) as { version: string };
  const named = pages.flatMap((page) => readPage(page).match(/zonewright-\d[\d.]*\d/g) ?? []);
  expect([...new Set(named)]).toEqual([`zonewright-${version}`]);
});

test("docs/troubleshooting.md quotes the messages of twenty mistakes", () => {
  const page = readPage("docs/troubleshooting.md");
  expect(page.match(/^<!-- case: .* -->$/gm)?.length).toBeGreaterThanOrEqual(20);
  expect(quoteCases(page)).not.toContain("no case ");
});

test("every command and option in the pages exists", async () => {
  const helps = new Map<string, string>();
  const help = async (command: string) => {
    const known = helps.get(command) ?? (await new Desk().run(`${command} --help`)).out;
    helps.set(command, known);
    return known;
  };
  const unknown: string[] = [];
  for (const page of pages)
    for (const [, line = ""] of codeOf(readPage(page)).matchAll(
      /(?<![\w/-])zonewright (?!zonewright )([a-z][^\n`|;&]*)/g,
    )) {
      const words = line.split(/[\s)\\]+/);
      const depth = { operator: 4, backup: 2 }[words[1] ?? ""] ?? { server: 3, import: 2, api: 2 }[words[0] ?? ""] ?? 1;
      const command = words
        .slice(0, depth)
        .filter((word) => /^[a-z]/.test(word))
        .join(" ");
      if (command === "help") continue;
      const text = await help(command);
      const flags = [...line.replace(/ #.*/, "").matchAll(/(?<=\s)--[a-z-]+/g)].map(([flag]) => flag);
      if (!text.includes(`Usage: zonewright ${command}`)) unknown.push(`${page}: zonewright ${line}`);
      else unknown.push(...flags.filter((flag) => !text.includes(flag)).map((flag) => `${page}: ${command} ${flag}`));
    }
  expect(unknown).toEqual([]);
});

/** Code of a page: its blocks, and the words in backticks. */
function codeOf(text: string): string {
  const blocks = [...text.matchAll(/^```(?:sh|console)\n(.*?)^```$/gms)].map(([, body = ""]) => body);
  const words = [...text.replaceAll(/^```.*?^```$/gms, "").matchAll(/`([^`\n]+)`/g)].map(([, word = ""]) => word);
  return [...blocks.flatMap((block) => block.split("\n")), ...words].join("\n");
}
