import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pMap from "p-map";
import { expect, test } from "vitest";
import { Desk } from "../cli/run.ts";
import { compileText } from "../formats/named.ts";
import { realZones } from "../real-zones.ts";
import { fixedHost } from "./fixed-host.ts";
import { clientProgram } from "./judge/suite.ts";
import { folder, run, serve } from "./run.ts";

// `npm run judge:clients`: not part of `npm test`.
const dnscontrol = clientProgram("dnscontrol");

/** A record of each type that DNSControl has in common with the API and with the zone files of BIND. */
const everyType = `
$TTL 1h
@ SOA ns1 hostmaster 7 7200 3600 1209600 600
@ NS ns1
@ CAA 128 issue "letsencrypt.org; a=b"
@ HTTPS 1 . alpn=h2,h3 ipv4hint=192.0.2.1
@ MX 10 mail
_443._tcp TLSA 3 1 1 a87f1b687ac0e57d2a081a2f282672334d90ed316d2b818ca9580ea384d92401
_sip._tcp 300 SRV 1 2 5060 mail
*.dev CNAME mail
child DS 2371 13 2 a87f1b687ac0e57d2a081a2f282672334d90ed316d2b818ca9580ea384d92401
child NS ns.child
loc LOC 52 22 23.000 N 4 53 32.000 E -2.00m 1m 10000m 10m
mail 60 A 192.0.2.25
mail AAAA 2001:db8::25
mail SSHFP 4 2 a87f1b687ac0e57d2a081a2f282672334d90ed316d2b818ca9580ea384d92401
naptr NAPTR 100 10 "u" "sip+E2U" "!^.*$!sip:info@example.com!" .
ns.child A 192.0.2.53
ns1 A 192.0.2.53
ptr PTR mail
text TXT "v=spf1 -all" "; \\"quoted\\" \\\\ back"
text TXT "${"x".repeat(255)}" "${"y".repeat(255)}"
`;

test(`DNSControl's BIND provider finds all records of ${realZones.name} and of every type in exported files`, async () => {
  const sources = Object.fromEntries(
    realZones.bindFiles.map((file) => [`source/${file}`, readFileSync(join(realZones.bind, file), "utf8")]),
  );
  const desk = new Desk({ ...sources, "source/example.com.zone": everyType });
  // Texts of real zones break rules, which an export reports and keeps.
  expect((await desk.run("export --zones source --to bind --out zones")).code).toBe(0);
  writeFileSync(join(desk.folder, "creds.json"), JSON.stringify({ bind: { TYPE: "BIND", directory: "zones" } }));

  const names = readdirSync(join(desk.folder, "source")).map((file) => file.replace(/\.zone$/, ""));
  const words = [dnscontrol, "get-zones", "--format=tsv", "--out=records.tsv", "bind", ...names];
  const read = await run(words, { cwd: desk.folder, env: {} });
  expect([read.code, read.talk.filter((line) => line.startsWith("ERROR"))]).toEqual([0, []]);
  const found = desk.read("records.tsv").split("\n").filter(Boolean).map(zoneLine).join("");

  // Each zone begins with its SOA record.
  const zones = new Map(found.split(/^(?=\S+ \d+ IN SOA )/m).map((text) => [text.split(". ")[0] ?? "", text]));
  // BIND spells both, so that only differences of records are left.
  const compile = (textOf: (name: string) => string | undefined) =>
    pMap(names, async (name) => [name, recordLines(await compileText(name, textOf(name) ?? ""))], { concurrency: 2 });
  expect(await compile((name) => zones.get(name))).toEqual(
    await compile((name) => sources[`source/${name}.zone`] ?? everyType),
  );
});

test("its provider LINODE pushes records of every type of the API, changes and deletes them", async () => {
  const api = await serve();
  const cwd = folder();
  const { REQUESTS_CA_BUNDLE = "", ...proxy } = await fixedHost(api.url, cwd);
  const env = { ...proxy, SSL_CERT_FILE: REQUESTS_CA_BUNDLE };
  writeFileSync(
    join(cwd, "creds.json"),
    JSON.stringify({ linode: { TYPE: "LINODE", token: api.token }, none: { TYPE: "NONE" } }),
  );
  const push = async (...records: string[]) => {
    const words = ['"example.com"', 'NewRegistrar("none")', 'DnsProvider(NewDnsProvider("linode"))', "DefaultTTL(300)"];
    writeFileSync(join(cwd, "dnsconfig.js"), `D(${[...words, ...records].join(", ")});\n`);
    const { code, out, talk } = await run([dnscontrol, "push"], { cwd, env });
    expect({ code, talk }, out).toEqual({ code: 0, talk: [] });
  };
  await api.domain("example.com");
  const mail = 'A("mail", "192.0.2.25")';
  await push(
    mail,
    'AAAA("mail", "2001:db8::25")',
    'CNAME("www", "mail.example.com.")',
    'MX("@", 10, "mail.example.com.")',
    'TXT("@", "v=spf1 -all")',
    'CAA("@", "issue", "letsencrypt.org")',
    'SRV("_sip._tcp", 1, 2, 5060, "mail.example.com.")',
  );
  const found = async () =>
    (await api.records(1)).map((record) => Object.values({ ...record, id: undefined, ttl_sec: undefined }).join(" "));
  const types = async () => (await found()).map((line) => line.trim().split(" ")[0]).sort();
  expect(await types()).toEqual(["A", "AAAA", "CAA", "CNAME", "MX", "SRV", "TXT"]);
  await push(mail.replace("192.0.2.25", "192.0.2.26"), 'CNAME("www", "mail.example.net.")');
  expect(await types()).toEqual(["A", "CNAME"]);
});

/** A line of `get-zones --format=tsv` as a line of a zone file. Texts are without quotes there, and joined. */
function zoneLine(line: string): string {
  const [name, , ttl, , type, data = ""] = line.split("\t");
  const strings = data.match(/.{1,255}/gs) ?? [""];
  const quoted = strings.map((string) => `"${string.replaceAll(/["\\]/g, "\\$&")}"`).join(" ");
  return `${name}. ${ttl} IN ${type} ${type === "TXT" ? quoted : data}\n`;
}

/**
 * The lines of named-compilezone, sorted, with texts joined, and owners in lower case, as DNSControl writes them. The
 * SOA record of an exported file is the service's.
 */
function recordLines(text: string): string[] {
  const lines = text.split("\n").filter((line) => line !== "" && !/\sIN SOA\s/.test(line));
  const spelled = lines.map((line) => line.replace(/^\S+/, (owner) => owner.toLowerCase()).replace(/\s+/g, " "));
  return spelled.map((line) => line.replaceAll('" "', "")).sort();
}
