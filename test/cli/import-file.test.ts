import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import zonefile from "dns-zonefile";
import { expect, test } from "vitest";
import type { Place } from "../../src/diagnostics/problem.ts";
import { formats } from "../../src/formats/formats.ts";
import { domainName } from "../names.ts";
import { Desk, lines } from "./run.ts";

const soa = "@ SOA ns1.old.test. hostmaster 7 2h 1h 2w 5m\n@ NS ns1.old.test.\n";

/** Zones in each format that is read, and files that are not. */
const sources = {
  "old/db.example.com": `$TTL 1h\n${soa}@ MX 300 mail\nmail 60 A 192.0.2.1\nmail 90 A 192.0.2.2\n$INCLUDE hosts.inc\n_443._tcp.mail TLSA 3 1 1 abcd\n`,
  "old/hosts.inc": "$GENERATE 1-2 h$ A 192.0.2.1$\n",
  "old/octo/example.net.yaml": lines`
    www:
      - { type: A, ttl: 300, value: 192.0.2.1 }
      - { type: CF_X/RULE, values: [a, b] }
    gone: { type: TXT, value: not here, octodns: { ignored: true } }
  `,
  "old/example.org.yaml": lines`
    soa_email: dns@example.org
    tags: [shop]
    manage: listed
    records:
      www:
        lenient: [type-unsupported]
        A: 192.0.2.1
        SSHFP: 4 2 ${"cd".repeat(32)}
  `,
  "old/broken.example.zone": `$TTL 1h\n${soa}www A 192.0.2\n`,
  "old/example.edu.json": `{
\t"$origin": "example.edu.", "$ttl": 3600,
\t"soa": { "mname": "ns1", "rname": "hostmaster", "serial": "{time}", "refresh": 3600, "retry": 600, "expire": 604800, "minimum": 300 },
\t"a": [{ "ip": "192.0.2.1" }, { "name": "www", "ip": "192.0.2.300" }],
\t"mx": [{ "preference": 10, "host": "mail", "note": "old" }],
\t"txt": [{ "name": "t", "txt": "v=spf1; -all" }],
\t"tlsa": []
}
`,
  "old/notes.txt": "to do\n",
  "old/other.json": "{}\n",
};

test("a folder with files of every format is imported; a bad file does not stop the others", async () => {
  const desk = new Desk(sources);
  const { code, out, talk } = await desk.run("import file old/octo old");
  expect(`${code}\n${out}${talk}`).toMatchInlineSnapshot(`
    "5
    wrote zones/example.net.yaml: 4 records (1 exact, 3 lost)
      lost        www CF_X/RULE a: only its provider has this type
      lost        www CF_X/RULE b: only its provider has this type
      lost        gone TXT not here: octoDNS ignores it
    wrote zones/example.org.yaml: 2 records (1 exact, 1 unsupported)
      unsupported www SSHFP 4 2 CDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCD: the API does not support records of this type [type-unsupported]
    failed broken.example
    wrote zones/example.com.yaml: 8 records (2 exact, 2 normalised, 2 left to the service, 2 unsupported)
      unsupported @ MX 300 mail.example.com.: has priority 300; the limit is 255 [priority-range]
      normalised  mail A 192.0.2.1: TTL 60 becomes 300 [ttl-rounded]
      normalised  mail A 192.0.2.2: TTL 90 becomes 300 [rrset-ttl]
      unsupported _443._tcp.mail TLSA 3 1 1 ABCD: the API does not support records of this type [type-unsupported]
    wrote zones/example.edu.yaml: 5 records (3 exact, 1 left to the service, 1 lost)
      lost        www A 192.0.2.300: its data is invalid: not an IPv4 address

    5 zones: 4 written, 0 unchanged, 0 kept, 1 failed
    19 records (7 exact, 2 normalised, 3 left to the service, 3 unsupported, 4 lost)
    normalised: stored in another form, such as with a rounded TTL
    left to the service: the service makes its own SOA record, and NS records at the apex
    unsupported: kept in the zone file, and not sent
    lost: not in the zone file, or not answered by the service
    skipped old/notes.txt: it is not a zone file
    skipped old/other.json: it is JSON, not a zone file
    warning[provider-specific] record sets of provider-specific types are skipped: CF_X/RULE
      old/octo/example.net.yaml:3:13
        3 |   - { type: CF_X/RULE, values: [a, b] }
          |             ^^^^^^^^^
      Write records of standard types, such as A, AAAA or CNAME, in their place.

    warning[provider-specific] record sets that octoDNS ignores are skipped: octodns: ignored: true
      old/octo/example.net.yaml:4:37
        4 | gone: { type: TXT, value: not here, octodns: { ignored: true } }
          |                                     ^^^^^^^
      Remove \`ignored\` from those that zonewright is to manage.

    warning[import-contact] the source has no contact address; the file has the usual one instead, hostmaster@ and the zone (RFC 2142)
      Make sure that someone reads this mail, or write another address as soa_email.
    warning[rrset-ttl] mail.example.com. A: TTL 90 is replaced by 60, the TTL of its RRset
      old/db.example.com:6:1
        6 | mail 90 A 192.0.2.2
          | ^^^^^^^^^^^^^^^^^^^
      Give all of them the same TTL.
    warning[foreign-omitted] "note" of @ MX is not imported: dns-zonefile has no such key
      old/example.edu.json:5:45
        5 |  "mx": [{ "preference": 10, "host": "mail", "note": "old" }],
          |                                             ^^^^^^

    warning[foreign-omitted] "tlsa" is not imported: dns-zonefile has no such key
      old/example.edu.json:7:2
        7 |  "tlsa": []
          |  ^^^^^^
    error[address-v4] broken.example: www A "192.0.2": not an IPv4 address
      old/broken.example.zone:4:7
        4 | www A 192.0.2
          |       ^^^^^^^
      Write an IPv4 address such as "192.0.2.1".
    "
  `);
  const files = Object.entries(desk.files()).filter(([file]) => file.startsWith("zones/"));
  expect(files.map(([file, text]) => `${file}\n${text}`).join("")).toMatchInlineSnapshot(`
    "zones/example.com.yaml
    # Imported from old/db.example.com, serial 7
    zone: example.com
    soa_email: hostmaster@example.com
    ttl_sec: 1h
    refresh_sec: 2h
    retry_sec: 1h
    expire_sec: 2w
    records:
      "@":
        lenient: [priority-range]
        MX: 300 mail
      h1:
        A: 192.0.2.11
      h2:
        A: 192.0.2.12
      mail:
        A:
          ttl_sec: 1m
          values:
            - 192.0.2.1
            - 192.0.2.2
      _443._tcp.mail:
        lenient: [type-unsupported]
        TLSA: 3 1 1 ABCD
    zones/example.edu.yaml
    # Imported from old/example.edu.json, serial 0
    zone: example.edu
    soa_email: hostmaster@example.edu
    ttl_sec: 1h
    refresh_sec: 1h
    retry_sec: 10m
    expire_sec: 1w
    records:
      "@":
        lenient: [mx-without-address]
        A: 192.0.2.1
        MX: 10 mail
      t:
        TXT: v=spf1; -all
    zones/example.net.yaml
    # Imported from old/octo/example.net.yaml
    zone: example.net
    soa_email: hostmaster@example.net
    ttl_sec: 5m
    records:
      www:
        A: 192.0.2.1
    zones/example.org.yaml
    # Imported from old/example.org.yaml
    zone: example.org
    soa_email: dns@example.org
    ttl_sec: 1d
    tags: [shop]
    manage: listed
    records:
      www:
        lenient: [type-unsupported]
        A: 192.0.2.1
        SSHFP: 4 2 CDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCD
    "
  `);
  const again = (await desk.run("import file old/octo old")).out;
  expect(again.match(/(?<=^unchanged )[^\s:]+/gm)?.sort()).toEqual(files.map(([file]) => file));
});

interface Row {
  readonly class: string;
  readonly owner: string;
  readonly ttl: number;
  readonly type: string;
  readonly place: Place;
}

test("every entry of the JSON report has the place of its record", async () => {
  const desk = new Desk({ "db.example.com": sources["old/db.example.com"], "hosts.inc": sources["old/hosts.inc"] });
  const { zones } = JSON.parse((await desk.run("import file db.example.com --report json")).out);
  const rows = zones[0].ledger.entries.map(
    ({ class: of, owner, ttl, type, place: { file, line, column } }: Row) =>
      `${of} ${owner} ${ttl} ${type} ${file}:${line}:${column}`,
  );
  expect(rows).toEqual([
    "left-to-the-service @ 3600 SOA db.example.com:2:1",
    "left-to-the-service @ 3600 NS db.example.com:3:1",
    "unsupported @ 3600 MX db.example.com:4:1",
    "normalised mail 60 A db.example.com:5:1",
    "normalised mail 90 A db.example.com:6:1",
    "exact h1 3600 A hosts.inc:1:1",
    "exact h2 3600 A hosts.inc:1:1",
    "unsupported _443._tcp.mail 3600 TLSA db.example.com:8:1",
  ]);
});

test("the records of dns-zonefile's JSON are those of the zone file that the package writes", async () => {
  const desk = new Desk();
  const zone: Parameters<typeof zonefile.generate>[0] = {
    $origin: "example.com.",
    $ttl: 3600,
    soa: { name: "@", mname: "ns1", rname: "h", serial: 7, refresh: 3600, retry: 600, expire: 604800, minimum: 300 },
    ns: [
      { name: "@", host: "ns1" },
      { name: "sub", host: "ns.example.net.", ttl: 300 },
    ],
    a: [
      { name: "@", ip: "192.0.2.1" },
      { name: "www", ip: "192.0.2.2", ttl: 600 },
    ],
    aaaa: [{ name: "@", ip: "2001:db8::1" }],
    cname: [{ name: "alias", alias: "www" }],
    mx: [{ name: "@", preference: 10, host: "mail" }],
    ptr: [{ name: "p", fullname: "p.example.com.", host: "host.example.net." }],
    txt: [{ name: "t", txt: '"two" "strings"' }],
    srv: [{ name: "_sip._tcp", target: "sip", priority: 1, weight: 2, port: 5060 }],
    spf: [{ name: "@", data: '"v=spf1 -all"' }],
    caa: [{ name: "@", flags: 0, tag: "issue", value: '"ca.test"' }],
    ds: [{ name: "sub", key_tag: "1", algorithm: "13", digest_type: "2", digest: "ab".repeat(32) }],
  };
  desk.write("any.json", JSON.stringify(zone));
  const { zones } = JSON.parse((await desk.run("import file any.json --report json")).out);
  const imported = zones[0].ledger.entries.map(
    ({ owner, ttl, type, rdata }: Record<string, string>) => `${owner} ${ttl} ${type} ${rdata}`,
  );
  // Another reader of the zone file: the BIND format's, whose judge is BIND.
  const read = formats.bind.read({
    file: "judge.zone",
    bytes: Buffer.from(zonefile.generate(zone)),
    origin: domainName("example.com."),
    settings: [],
  });
  desk.write("judge.zone", formats.bind.write(read.zone, { settings: [] }));
  const judged = JSON.parse(
    (await desk.run("import file judge.zone --origin example.com --zones judged --report json")).out,
  );
  expect(imported.sort()).toEqual(
    judged.zones[0].ledger.entries
      .map(({ owner, ttl, type, rdata }: Record<string, string>) => `${owner} ${ttl} ${type} ${rdata}`)
      .sort(),
  );
});

test.each<[string, Record<string, string>, string, number, string]>([
  [
    "a file of the project itself",
    { "zones/example.com.zone": `$TTL 1h\n${soa}` },
    "import file zones/example.com.zone",
    1,
    "zones/example.com.zone is in a folder of zone files of this project",
  ],
  ["a path that does not exist", {}, "import file nothing.zone", 1, "nothing.zone does not exist"],
  [
    "two files of one zone",
    { "a/db.example.com": `$TTL 1h\n${soa}`, "b/example.com.zone": `$TTL 1h\n${soa}` },
    "import file a b",
    1,
    "the same zone is in several of the files: a/db.example.com, b/example.com.zone",
  ],
  [
    "a file that uses templates",
    { "old/example.com.yaml": "templates: [mail]\nrecords: {}\n" },
    "import file old",
    1,
    "old/example.com.yaml uses templates of its project",
  ],
  [
    "an unknown format",
    { "x.json": "[]\n" },
    "import file x.json",
    1,
    "x.json has none of the formats that can be imported",
  ],
  ["no path", {}, "import file", 64, "no files are given. Name files, or folders with files."],
  ["--origin for several", {}, "import file a b --origin example.com", 64, "--origin names the zone of one file."],
])("%s is refused", async (_, files, command, code, message) => {
  const desk = new Desk(files);
  const before = Object.keys(desk.files()).filter((file) => file.startsWith("zones/"));
  const result = await desk.run(command);
  expect([result.code, `${result.out}${result.talk}`]).toEqual([code, expect.stringContaining(message)]);
  expect(Object.keys(desk.files()).filter((file) => file.startsWith("zones/"))).toEqual(before);
});

test("--origin names the zone of a file, and --max-loss and failures both have their exit code", async () => {
  const desk = new Desk({ "zone.txt": `$TTL 1h\n${soa}@ DNSKEY 256 3 13 abcd\n`, "bad.zone": "x\n" });
  expect((await desk.run("import file zone.txt --origin example.com --to bind")).code).toBe(0);
  expect(Object.keys(desk.files())).toContain("zones/example.com.zone");
  const lossy = await desk.run("import file zone.txt --origin example.com --max-loss 0");
  expect([lossy.code, lossy.talk]).toEqual([
    3,
    expect.stringContaining(
      "the service will not answer with 1 record (0 unsupported, 1 lost), more than --max-loss 0\n",
    ),
  ]);
  const named = { "example.com.zone": `$TTL 1h\n${soa}@ DNSKEY 256 3 13 abcd\n`, "bad.zone": "x\n" };
  const both = await new Desk(named).run("import file example.com.zone bad.zone --max-loss 0");
  expect([both.code, both.talk]).toEqual([
    5,
    expect.stringContaining(
      "the service will not answer with 1 record (0 unsupported, 1 lost), more than --max-loss 0\n",
    ),
  ]);
});

test("a file of the project that cannot be read fails only the zone that it is named after", async () => {
  const desk = new Desk({ "old/db.example.com": `$TTL 1h\n${soa}`, "old/db.example.net": `$TTL 1h\n${soa}` });
  mkdirSync(join(desk.folder, "zones"));
  symlinkSync("missing", join(desk.folder, "zones/example.net.zone"));
  symlinkSync("missing", join(desk.folder, "zones/other.zone"));
  const { code, out, talk } = await desk.run("import file old");
  expect([code, out.match(/^(?:wrote|failed) .*/gm), talk.match(/^(?:warning|error).*/gm)]).toEqual([
    5,
    ["wrote zones/example.com.yaml: 2 records (2 left to the service)", "failed example.net"],
    [
      "warning[file-read] zones/other.zone cannot be read: it is a link to a file that does not exist",
      "error[file-read] example.net: zones/example.net.zone cannot be read: it is a link to a file that does not exist",
    ],
  ]);
});

test("the ending of another program is not part of the zone's name, and files that are skipped say what they are", async () => {
  const desk = new Desk({
    "old/example.com.txt": `$TTL 1h\n${soa}`,
    "old/example.net.dns": `$TTL 1h\n${soa}`,
    "old/a.csv": "name,type\n",
    "old/a.YAML": "records: {}\n",
    "old/a.txt": "hello\n",
  });
  const { code, out, talk } = await desk.run("import file old");
  expect([code, out.match(/^wrote [^:]*/gm), talk]).toEqual([
    0,
    ["wrote zones/example.com.yaml", "wrote zones/example.net.yaml"],
    lines`
      skipped old/a.YAML: it has its ending in capitals (.YAML)
      skipped old/a.csv: it is a table, not a zone file
      skipped old/a.txt: it is not a zone file
    `,
  ]);
});

test("a link to a missing file in a folder fails alone", async () => {
  const desk = new Desk({ "old/db.example.com": `$TTL 1h\n${soa}` });
  mkdirSync(join(desk.folder, "old"), { recursive: true });
  symlinkSync("missing", join(desk.folder, "old/example.net.zone"));
  const { code, out } = await desk.run("import file old");
  expect([code, out.match(/^(?:wrote|failed) .*/gm)]).toEqual([
    5,
    ["failed old/example.net.zone", "wrote zones/example.com.yaml: 2 records (2 left to the service)"],
  ]);
});

test.each([
  ["knot.conf", "# mine\nserver:\n    listen: 192.0.2.53@53\nzone:\n  - domain: example.com\n    storage: .\n"],
  ["nsd.conf", 'zone:\n  name: "example.com"\n  zonefile: example.com.zone\n'],
])("the zones of %s are read from their files", async (file, text) => {
  const desk = new Desk({ [file]: text, "example.com.zone": `$TTL 1h\n${soa}` });
  const { code, out } = await desk.run(`import file ${file}`);
  expect([code, out.match(/^wrote .*/gm)]).toEqual([
    0,
    ["wrote zones/example.com.yaml: 2 records (2 left to the service)"],
  ]);
});

test.each([
  ["knot.conf", "server:\n    listen: 192.0.2.53@53\n"],
  ["zones.zone", "server:\n    listen: 192.0.2.53@53\nremote:\n  - id: 1\n"],
])("%s contains no zones", async (file, text) => {
  const { code, talk } = await new Desk({ [file]: text }).run(`import file ${file}`);
  expect([code, talk.split("\n").filter((line) => /^(?:\S| {2}[A-Z])/.test(line))]).toEqual([
    1,
    [`error[zones-empty] ${file} contains no zones`],
  ]);
});

test("targets of several labels are written so that validate accepts them, and are exact", async () => {
  const text = `$TTL 1h\n${soa}www CNAME ingress.k8s.l1.test.\n@ MX 10 mx.dc1.l1.test.\n`;
  const desk = new Desk({ "old/l1.test.zone": text });
  const { code, out, talk } = await desk.run("import file old --max-loss 0");
  expect([code, out.match(/^wrote.*/gm), talk]).toEqual([
    0,
    ["wrote zones/l1.test.yaml: 4 records (2 exact, 2 left to the service)"],
    "",
  ]);
  expect(desk.read("zones/l1.test.yaml")).toContain(lines`
    records:
      "@":
        lenient: [mx-without-address]
        MX: 10 mx.dc1.l1.test.
      www:
        CNAME: ingress.k8s.l1.test.
  `);
  expect((await desk.run("validate")).code).toBe(0);
});

test("a name that may lack its final dot in the source is reported there, although the new file is clear", async () => {
  const text = `$TTL 1h\n${soa}www CNAME shop.example.net\nt TXT one two\n`;
  const desk = new Desk({ "old/example.com.zone": text });
  const { code, talk } = await desk.run("import file old");
  expect([code, talk.match(/^(?:error|warning).*\n.*/gm)]).toEqual([
    0,
    [
      'warning[target-needs-dot] "shop.example.net" has no final dot and becomes "shop.example.net.example.com."\n  old/example.com.zone:4:11',
      "warning[text-unquoted] t TXT has text without quotes, so each word becomes a separate string and the spaces between them are lost\n  old/example.com.zone:5:7",
    ],
  ]);
  expect(desk.read("zones/example.com.yaml")).toContain("CNAME: shop.example.net.example.com.\n");
});

test.each([
  [
    ".",
    {},
    "hostmaster@a.example",
    'warning[import-contact] the contact "." of a.example is not an e-mail address; the file has hostmaster@a.example instead, the usual one (RFC 2142)',
  ],
  [
    "invalid.",
    { "zonewright.yaml": "defaults: { soa_email: dns@example.com }\n" },
    undefined,
    'note[import-contact] the contact "invalid." of a.example is not an e-mail address; dns@example.com is used instead',
  ],
  [
    "nobody.",
    { "zones/a.example.yaml": "soa_email: ops@example.com # reads it\nrecords: {}\n" },
    "ops@example.com # reads it",
    'note[import-contact] the contact "nobody." of a.example is not an e-mail address; ops@example.com is used instead',
  ],
  [
    "user@host.example.",
    {},
    "user@host.example",
    'note[import-contact] the contact "user\\@host.example." of a.example is read as user@host.example',
  ],
  ["john\\.doe.example.net.", {}, "john.doe@example.net", undefined],
])(
  "the contact %s of an SOA record gives a valid file, and the ledger says what became of it",
  async (contact, files, email, said) => {
    const text = `$TTL 1h\n@ SOA ns1.old.test. ${contact} 7 2h 1h 2w 5m\n@ NS ns1.old.test.\nwww A 192.0.2.1\n`;
    const desk = new Desk({ "old/a.example.zone": text, ...files });
    const { code, out, talk } = await desk.run("import file old --yes --report json");
    expect([code, talk.match(/^(?:note|warning|error).*/gm)]).toEqual([0, said === undefined ? null : [said]]);
    expect(/^soa_email: (.*)/m.exec(desk.read("zones/a.example.yaml"))?.[1]).toBe(email);
    expect((await desk.run("validate")).code).toBe(0);
    const [entry] = JSON.parse(out).zones[0].ledger.entries;
    const becomes = /; the contact (\S+) becomes (\S+)$/.exec(entry.reason)?.slice(1);
    const used = email?.replace(/ .*/, "") ?? "dns@example.com";
    expect(becomes).toEqual(said === undefined ? undefined : [contact.replace("@", "\\@"), used]);
  },
);

test("a relative include in a zone of named.conf is a file of the server's folder", async () => {
  const desk = new Desk({
    "named.conf": 'options { directory "."; };\nzone "example.com" { type master; file "sub/db.example.com"; };\n',
    "sub/db.example.com": `$TTL 1h\n${soa}$INCLUDE sub/common.inc\n`,
    "sub/common.inc": "w A 192.0.2.2\n$INCLUDE sub/deep.inc\n",
    "sub/deep.inc": "q A 192.0.2.3\n",
    "sub/sub/common.inc": "w A 198.51.100.99\n",
  });
  const { code, out } = await desk.run("import file named.conf --yes");
  expect([code, out.match(/^wrote .*/gm)]).toEqual([
    0,
    ["wrote zones/example.com.yaml: 4 records (2 exact, 2 left to the service)"],
  ]);
  expect(desk.read("zones/example.com.yaml")).toMatch(/ q:\n {4}A: 192\.0\.2\.3\n {2}w:\n {4}A: 192\.0\.2\.2\n/);
});

test.each([
  ["old/a.example.zone", "$TTL 1h\nwww A 192.0.2.1\n"],
  ["old/a.example.yaml", "---\nwww: { type: A, ttl: 300, value: 192.0.2.1 }\n"],
  ["old/any.json", '{ "$origin": "a.example.", "$ttl": 3600, "a": [{ "name": "www", "ip": "192.0.2.1" }] }'],
])("%s, which has no SOA record, gets the usual contact, and the new file is valid", async (file, text) => {
  const desk = new Desk({ [file]: text });
  const { code, talk } = await desk.run(`import file ${file}`);
  expect([code, talk.match(/^(?:note|warning|error).*/gm)]).toEqual([
    0,
    [
      "warning[import-contact] the source has no contact address; the file has the usual one instead, hostmaster@ and the zone (RFC 2142)",
    ],
  ]);
  expect(desk.read("zones/a.example.yaml")).toContain("soa_email: hostmaster@a.example\n");
  expect((await desk.run("validate")).code).toBe(0);
});

test.each([
  ["no SOA record", "$TTL 1h\nwww A 192.0.2.1\n"],
  ["an SOA record at @", `$TTL 1h\n${soa}www A 192.0.2.1\n`],
])("a file whose name cannot be a domain, with %s, fails until --origin names its zone", async (_, text) => {
  const desk = new Desk({ "old/backup.zone": text });
  const { code, talk } = await desk.run("import file old/backup.zone");
  expect([code, talk]).toEqual([1, expect.stringContaining("old/backup.zone does not name its zone")]);
  expect(talk).toContain("Name the zone with --origin");
  expect(Object.keys(desk.files()).filter((path) => path.startsWith("zones/"))).toEqual([]);
  expect((await desk.run("import file old/backup.zone --origin example.com")).code).toBe(0);
});

test("a zone of one label that its file names is imported: named.conf and files say localhost", async () => {
  const desk = new Desk({ "localhost.zone": `$TTL 1h\n${soa.replace("@", "localhost.")}` });
  expect((await desk.run("import file localhost.zone")).code).toBe(0);
});

test.each([
  ["named.conf", 'zone "example.com" { type primary; file "example.com.zone"; };\n/* open\n', "2:1"],
  ["nsd.conf", "zone:\n  name: example.com\n  zonefile: example.com.zone\nzone\n  name: b.test\n", "4:1"],
  ["knot.conf", "zone:\n  - domain: example.com\n    storage: .\nzone\n", "4:1"],
])("nothing of a %s with a syntax error is imported", async (file, text, at) => {
  const desk = new Desk({ [file]: text, "example.com.zone": `$TTL 1h\n${soa}` });
  const { code, talk } = await desk.run(`import file ${file}`);
  expect([code, talk]).toEqual([1, expect.stringContaining(`\n  ${file}:${at}\n`)]);
  expect(Object.keys(desk.files()).filter((path) => path.startsWith("zones/"))).toEqual([]);
});

test.each(["bind", "yaml"])("a project of a folder of zone files keeps the SOA record, to %s", async (format) => {
  const desk = new Desk({
    "zonewright.yaml": "targets: { fleet: { kind: files, folder: srv, serial: unixtime } }\n",
    "old/db.example.com": `$TTL 1h\n${soa}@ A 192.0.2.1\n`,
  });
  mkdirSync(join(desk.folder, "srv"));
  const imported = await desk.run(`import file old --to ${format}`);
  await expect(`${imported.out}${imported.talk}`).toMatchFileSnapshot(`../cases/import-soa/${format}.txt`);
  const name = `zones/example.com.${format === "bind" ? "zone" : "yaml"}`;
  await expect(desk.read(name)).toMatchFileSnapshot(`../cases/import-soa/example.com.${format}`);
  expect((await desk.run(`import file old --to ${format}`)).out).toContain(`1 zone: 0 written, 1 unchanged`);
  expect((await desk.run("apply --yes --allow G04")).code).toBe(0);
  const [, serial = ""] =
    /SOA\s+ns1\.old\.test\. hostmaster\S* (\d+) 7200 3600/.exec(desk.read("srv/example.com.zone")) ?? [];
  expect(Number(serial)).toBeGreaterThan(7);
});
