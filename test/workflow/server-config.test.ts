import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { summaryText } from "../../src/diagnostics/problem.ts";
import { apiSettings } from "../../src/targets/api/settings.ts";
import { readServerConfig } from "../../src/workflow/import/server-config.ts";
import { transferZones } from "../dns/transfer/dig.ts";
import { useNameServer } from "../dns/transfer/use-name-server.ts";
import { linesOf } from "../formats/foreign.ts";
import { isMissing } from "../judges.ts";

const zone = (address: string) =>
  `$TTL 300\n@ SOA ns1.example.info. hostmaster.example.info. 7 7200 3600 1209600 300\n@ NS ns1.example.info.\nwww A ${address}\n`;

/** A folder with these files, as long as the test. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-named-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), text.replaceAll("FOLDER", folder));
  }
  return folder;
}

function read(files: Readonly<Record<string, string>>) {
  const cwd = folderWith(files);
  const found = readServerConfig({ cwd, settings: apiSettings }, "named.conf");
  const { zones, problems } = found;
  return {
    lines: [
      ...zones.flatMap(linesOf),
      ...problems.map((one) => `${one.severity}[${one.id}] ${summaryText(one, "cli")}`),
    ]
      .filter((line) => !/ (?:SOA|NS) |^(?:soa_email|ttl_sec|refresh_sec|retry_sec|expire_sec): /.test(line))
      .map((line) => line.replaceAll(cwd, "FOLDER")),
    cwd,
  };
}

const whole = {
  "named.conf": `// the zones of the office
options { directory "FOLDER/data"; listen-on { none; }; };
acl friends { 192.0.2.0/24; };
include "FOLDER/zones.conf";
zone "example.com" IN {
  type primary;
  file "example.com.zone";
  allow-transfer { 192.0.2.53; 2001:db8::53; };
  also-notify { 192.0.2.53; };
};
zone "example.org" { type master; file "FOLDER/data/sub/db.org"; allow-transfer { friends; }; update-policy local; };
zone "example.edu" { type secondary; primaries { 192.0.2.1; }; file "example.edu.zone"; };
zone "." { type hint; file "root.hints"; };
zone "localhost" { type primary; file "local.zone"; };
`,
  "zones.conf": 'zone "example.net" { file "example.net.zone"; type primary; notify no; allow-transfer { none; }; };\n',
  "data/example.com.zone": `${zone("192.0.2.1")}$INCLUDE more.inc\n`,
  "data/more.inc": "mail A 192.0.2.25\n",
  "data/example.net.zone": zone("192.0.2.2"),
  "data/sub/db.org": zone("192.0.2.3"),
  "data/local.zone": zone("127.0.0.1"),
  "data/root.hints": ". 3600000 NS a.root-servers.net.\na.root-servers.net. 3600000 A 198.41.0.4\n",
};

test("reads the files of primary zones, in included files as well", () => {
  expect(read({ ...whole, "data/example.com.zone": zone("192.0.2.1") })).toMatchObject({
    lines: [
      "zone example.net.",
      "www.example.net. - A 192.0.2.2",
      "zone example.com.",
      "axfr_ips: 192.0.2.53,2001:db8::53",
      "www.example.com. - A 192.0.2.1",
      "zone example.org.",
      "www.example.org. - A 192.0.2.3",
      "warning[foreign-omitted] the statement allow-transfer is not imported: `axfr_ips` has only addresses, not friends",
      "warning[foreign-omitted] the statement update-policy is not imported: if clients change the zone, its file may be old: run `rndc sync` before the import",
      "warning[foreign-omitted] the zone example.edu is not imported: it is of type secondary; `zonewright import axfr` transfers it",
      "note[foreign-omitted] the zone . is not imported: it is of type hint",
      "note[foreign-omitted] the zone localhost is not imported: every name server has this local zone itself",
    ],
  });
});

test.skipIf(isMissing("named-checkconf"))("BIND loads the same primary zones", () => {
  const cwd = folderWith(whole);
  const { zones } = readServerConfig({ cwd, settings: apiSettings }, "named.conf");
  const out = execFileSync("named-checkconf", ["-z", join(cwd, "named.conf")], {
    encoding: "utf8",
    cwd: join(cwd, "data"),
  });
  const loaded = [...out.matchAll(/^zone (\S+)\/IN: loaded serial 7$/gm)].map(([, name]) => `${name}.`);
  expect(zones.map(({ name }) => name).sort()).toEqual(loaded.filter((name) => name !== "localhost.").sort());
  const mail = zones.flatMap(linesOf).filter((line) => line.startsWith("mail."));
  expect(mail).toEqual(["mail.example.com. - A 192.0.2.25"]);
});

test("finds the zone files of another machine in a copy beside the configuration", () => {
  const { lines } = read({
    "named.conf":
      'options { directory "/var/nowhere"; };\nzone "a.example" { type primary; file "a.zone"; };\nzone "b.example" { type primary; file "/etc/nowhere/b.zone"; };\nzone "c.example" { type primary; file "c.zone"; };\n',
    "a.zone": zone("192.0.2.1"),
    "etc/nowhere/b.zone": zone("192.0.2.2"),
  });
  expect(lines).toEqual([
    "zone a.example.",
    "www.a.example. - A 192.0.2.1",
    "zone b.example.",
    "www.b.example. - A 192.0.2.2",
    "zone c.example.",
    "error[file-read] /var/nowhere/c.zone, the file of c.example., does not exist",
  ]);
});

test.each<[string, string, string[]]>([
  [
    "views",
    'view "in" { zone "example.com" { type primary; file "x"; }; };\nview "out" { zone "example.com" { type primary; file "x"; }; };',
    ["zone example.com.", "error[zone-twice] the configuration has several versions of example.com.: in, out"],
  ],
  [
    "one view",
    'view "in" { zone "example.com" { type primary; file "x.zone"; }; };',
    ["zone example.com.", "www.example.com. - A 192.0.2.1"],
  ],
  [
    "a binary file",
    'zone "example.com" { type primary; masterfile-format raw; file "x"; };',
    ["zone example.com.", "error[value-shape] the file of example.com. has the format raw"],
  ],
  [
    "no file",
    'zone "example.com" { type primary; };',
    ["zone example.com.", "error[file-read] the zone example.com. has no file"],
  ],
  [
    "an invalid name",
    'zone "a..b" { type primary; file "x.zone"; };',
    ['error[zone-name] "a..b" is not a valid name: the name has an empty label'],
  ],
  [
    "signing",
    'zone "example.com" { type primary; file "x.zone"; dnssec-policy default; max-zone-ttl 1d; };',
    [
      "zone example.com.",
      "www.example.com. - A 192.0.2.1",
      "warning[foreign-omitted] the statement dnssec-policy is not imported: the service does not sign zones",
      "warning[foreign-omitted] the statement max-zone-ttl is not imported: a zone file has no such setting",
    ],
  ],
])("%s", (_, config, lines) => {
  expect(read({ "named.conf": config, "x.zone": zone("192.0.2.1") }).lines).toEqual(lines);
});

test("a configuration without zones has none", () => {
  const cwd = folderWith({
    "named.conf": 'key "x" { algorithm hmac-sha256; secret "c2VjcmV0"; };\n',
    "knot.conf": "server:\n    listen: 127.0.0.1\ninclude: no*\n",
  });
  const readConf = (file: string) => readServerConfig({ cwd, settings: apiSettings }, file);
  const none = { zones: [], problems: [] };
  expect([readConf("named.conf"), readConf("knot.conf")]).toEqual([none, none]);
});

test.each([
  ["beside it", ["conf.d/.keep"], []],
  ["beside the file that includes it", ["etc/conf.d/.keep"], []],
  ["beside it, with others beside the file that includes it", ["conf.d/.keep", "etc/conf.d/b.conf"], ["b.test"]],
  ["beside the file that includes it, with others beside it", ["etc/conf.d/.keep", "conf.d/b.conf"], ["b.test"]],
])("a pattern that means no file in the folder %s is none, if the server's folder is elsewhere", (_, there, more) => {
  const config = (name: string) => `zone "${name}" { type primary; file "${name}.zone"; };\n`;
  const cwd = folderWith({
    "named.conf": `options { directory "/nonexistent/named"; };\ninclude "etc/more.conf";\n${config("a.test")}`,
    "etc/more.conf": 'include "conf.d/*.conf";\n',
    ...Object.fromEntries(there.map((file) => [file, file.endsWith(".conf") ? config("b.test") : ""])),
    "a.test.zone": zone("192.0.2.1"),
    "b.test.zone": zone("192.0.2.2"),
  });
  const { zones, problems } = readServerConfig({ cwd, settings: apiSettings }, "named.conf");
  expect([zones.map(({ name }) => name), problems]).toEqual([[...more, "a.test"].map((name) => `${name}.`), []]);
});

test("a pattern without any folder is an error", () => {
  const cwd = folderWith({ "named.conf": 'options { directory "/nonexistent"; };\ninclude "conf.d/*.conf";\n' });
  expect(() => readServerConfig({ cwd, settings: apiSettings }, "named.conf")).toThrow(
    "the folder /nonexistent/conf.d cannot be read",
  );
});

test("reads the primary zones of Knot, with the secondaries of each", () => {
  const { lines } = read({
    "named.conf": `remote:
  - id: ns2
    address: [192.0.2.2@5300, 2001:db8::2]
  - id: primary
    address: 192.0.2.9
acl:
  - id: transfers
    address: [192.0.2.3, 192.0.2.128/25]
    action: [notify, transfer]
  - id: refused
    address: 192.0.2.4
    action: transfer
    deny: on
template:
  - id: signed
    storage: "FOLDER/data"
    dnssec-signing: on
zone:
  - domain: a.example # first
    template: signed
    acl: [transfers, refused]
    notify: ns2
    zonefile-sync: -1
    max-timeout: 1h
  - domain: b.example
    master: primary
  - domain: catalog.example
    catalog-role: interpret
`,
    "data/a.example.zone": zone("192.0.2.1"),
  });
  expect(lines).toEqual([
    "zone a.example.",
    "axfr_ips: 192.0.2.2,192.0.2.3,2001:db8::2",
    "www.a.example. - A 192.0.2.1",
    "warning[foreign-omitted] the statement dnssec-signing is not imported: the service does not sign zones",
    "warning[foreign-omitted] the statement acl is not imported: `axfr_ips` has only addresses, not 192.0.2.128/25 refused",
    "warning[foreign-omitted] the statement max-timeout is not imported: a zone file has no such setting",
    "warning[foreign-omitted] the zone b.example is not imported: it is of type secondary; `zonewright import axfr` transfers it",
    "note[foreign-omitted] the zone catalog.example is not imported: it is a catalog zone; its members are transferred with --catalog",
  ]);
});

test("reads a reverse zone of less than 256 addresses where Knot does (RFC 2317)", () => {
  const { lines } = read({
    "named.conf": 'zone:\n  - domain: 0/25.2.0.192.in-addr.arpa\n    storage: FOLDER/data\n    file: "sub/%s.zone"\n',
    "data/sub/0_25.2.0.192.in-addr.arpa.zone": zone("192.0.2.1"),
  });
  expect(lines).toEqual(["zone 0/25.2.0.192.in-addr.arpa.", "www.0/25.2.0.192.in-addr.arpa. - A 192.0.2.1"]);
});

test("a zone of another view is named as such", () => {
  const views = ["inside", "outside"].map(
    (view, index) =>
      `view "${view}" { zone "a.example" { ${index === 0 ? 'type primary; file "a.zone"' : 'in-view "inside"'}; }; };\n`,
  );
  const { lines } = read({ "named.conf": views.join(""), "a.zone": zone("192.0.2.1") });
  expect(lines).toEqual([
    "zone a.example.",
    "www.a.example. - A 192.0.2.1",
    "note[foreign-omitted] the zone a.example is not imported: the view inside has it",
  ]);
});

test("reads the primary zones of NSD, with the secondaries of each", () => {
  const { lines } = read({
    "named.conf": `server:
  zonesdir: "FOLDER/data"
pattern:
  name: "ours"
  zonefile: "%s.zone"
  provide-xfr: 192.0.2.3 key.example
  provide-xfr: 192.0.2.4 BLOCKED
pattern:
  name: "theirs"
  request-xfr: 192.0.2.9 NOKEY
zone:
  name: a.example
  include-pattern: "ours"
  notify: 2001:db8::2 NOKEY
  provide-xfr: 192.0.2.128/25 NOKEY
  max-refresh-time: 60
zone:
  name: b.example
  include-pattern: "theirs"
zone:
  name: c.example
`,
    "data/a.example.zone": zone("192.0.2.1"),
  });
  expect(lines).toEqual([
    "zone a.example.",
    "axfr_ips: 192.0.2.3,2001:db8::2",
    "www.a.example. - A 192.0.2.1",
    "warning[foreign-omitted] the statement provide-xfr is not imported: `axfr_ips` has only addresses, not 192.0.2.128/25",
    "warning[foreign-omitted] the statement max-refresh-time is not imported: a zone file has no such setting",
    "zone c.example.",
    "error[file-read] the zone c.example. has no file",
    "warning[foreign-omitted] the zone b.example is not imported: it is of type secondary; `zonewright import axfr` transfers it",
  ]);
});

test.each<[string, Readonly<Record<string, string>>]>([
  ["of the whole disk", { "var/bind/sub/a.zone": "", "var/bind/inc/www.inc": "192.0.2.1", "inc/www.inc": "192.0.2.2" }],
  ["of its folder", { "sub/a.zone": "", "inc/www.inc": "192.0.2.1", "sub/inc/www.inc": "192.0.2.2" }],
  ["of single files", { "a.zone": "", "www.inc": "192.0.2.1", "inc/www.inc": "192.0.2.2" }],
])("in a copy %s, included files are those of the copy", (_, files) => {
  const contents = Object.entries(files).map(([file, address]) => [
    file,
    address === "" ? `${zone("192.0.2.9").replace(/^www.*\n/m, "")}$INCLUDE inc/www.inc\n` : `www A ${address}\n`,
  ]);
  const { lines } = read({
    "named.conf": 'options { directory "/var/bind"; };\nzone "a.example" { type primary; file "sub/a.zone"; };\n',
    ...Object.fromEntries(contents),
  });
  expect(lines).toEqual(["zone a.example.", "www.a.example. - A 192.0.2.1"]);
});

test("an included file that is missing is named as the server names it", () => {
  const folder = folderWith({
    "named.conf": 'options { directory "data"; };\nzone "a.example" { type primary; file "a.zone"; };\n',
    "data/a.zone": `${zone("192.0.2.1")}$INCLUDE sub/www.inc\n$INCLUDE .git/config\n`,
    "data/.git/config": "www A 192.0.2.2\n",
  });
  const found = readServerConfig({ cwd: folder, settings: apiSettings }, "named.conf");
  expect(
    found?.zones.flatMap(({ problems }) =>
      problems.map(({ id, summary, place, fix }) => `${id} ${place?.file}:${place?.line} ${summary} ${fix}`),
    ),
  ).toEqual([
    `include-read data/a.zone:5 "sub/www.inc" does not exist BIND reads it as ${folder}/data/sub/www.inc.`,
    'include-outside data/a.zone:6 ".git/config" is a file of git Move it to another folder.',
  ]);
});

test("the command that converts a binary file is safe to paste", () => {
  const text = `zone "$(id).example" { type primary; masterfile-format raw; file "it's $(id)"; };`;
  const found = readServerConfig({ cwd: folderWith({ "named.conf": text }), settings: apiSettings }, "named.conf");
  const fixes = found?.zones.flatMap(({ problems }) => problems.map(({ fix }) => fix));
  expect(fixes).toEqual([
    "Convert it with `named-compilezone -f raw -F text -o FILE '\\$\\(id\\).example.' 'it'\\''s $(id)'`.",
  ]);
});

const bare =
  "@ 300 SOA ns1 hostmaster 7 7200 3600 1209600 300\n@ NS ns1\nx 60 A 192.0.2.1\ny A 192.0.2.2\n$TTL 77\nz A 192.0.2.3\n";

/** The TTLs of records, as Knot and NSD answer them: only a TTL of their own or `$TTL` replaces the default. */
test.each([
  ["Knot", "zone:\n  - domain: a.test\n    storage: .\n    file: x.zone\n", "300 3600 60 3600 77"],
  [
    "Knot, zone",
    "zone:\n  - domain: a.test\n    file: ./x.zone\n    storage: .\n    default-ttl: 2h\n",
    "300 7200 60 7200 77",
  ],
  [
    "Knot, template",
    "template:\n  - id: default\n    default-ttl: 900\n    storage: .\nzone:\n  - domain: a.test\n    file: x.zone\n",
    "300 900 60 900 77",
  ],
  ["NSD", "zone:\n  name: a.test\n  zonefile: x.zone\n", "300 3600 60 3600 77"],
  ["BIND", 'zone "a.test" { type primary; file "x.zone"; };\n', "300 300 60 60 77"],
])("the TTL of records without one is that of %s", (_, config, ttls) => {
  const cwd = folderWith({ "named.conf": config, "x.zone": bare });
  const { zones } = readServerConfig({ cwd, settings: apiSettings }, "named.conf");
  const [{ settings, records } = { settings: {}, records: [] }] = zones;
  expect(records.map(({ ttl }) => ttl ?? settings.ttl_sec).join(" ")).toBe(ttls);
});

test.skipIf(isMissing("knotd") || isMissing("nsd")).each(["knot", "nsd"] as const)(
  "%s answers with its default TTL for records without one",
  async (program) => {
    const server = await useNameServer(program, { zones: { "a.test": bare } });
    const text = (await transferZones(server, ["a.test."])).get("a.test.") ?? "";
    const ttls = new Map(
      [...text.matchAll(/^(\S+)\s+(\d+)\s+IN\s+(\S+)/gm)].map(([, name, ttl, type]) => [`${name} ${type}`, ttl]),
    );
    const keys = ["a.test. SOA", "a.test. NS", "x.a.test. A", "y.a.test. A", "z.a.test. A"];
    expect(keys.map((key) => ttls.get(key)).join(" ")).toBe("300 3600 60 3600 77");
  },
);
