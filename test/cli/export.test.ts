import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { apiDesk, Desk, lines } from "./run.ts";

const zone = lines`
  soa_email: hostmaster@example.com
  ttl_sec: 1h
  tags: [shop]
  records:
    "@":
      MX: 10 mail
      TXT: v=spf1 mx -all
    mail:
      A: { ttl_sec: 5m, values: [192.0.2.25, 192.0.2.26] }
    www:
      CNAME: "@"
`;
const files = { "zones/example.com.yaml": zone };

const master = lines`
  $TTL 1h
  @    SOA ns1.example.net. hostmaster.example.com. 7 4h 1h 2w 1h
       NS  ns1.example.net.
       MX  10 Mail ; where it goes
  mail 300 A ( 192.0.2.25 )
`;

const records = lines`
  example.com. 3600 IN MX 10 mail.example.com.
  example.com. 3600 IN TXT "v=spf1 mx -all"
  mail.example.com. 300 IN A 192.0.2.25
  mail.example.com. 300 IN A 192.0.2.26
  www.example.com. 3600 IN CNAME example.com.
`;

const bind = lines`
  ;@ implicit: SOA, NS
  ;@ soa_email: hostmaster@example.com
  ;@ tags: shop
  $ORIGIN example.com.
  $TTL 1h
  @        IN SOA   ns1.zonewright.invalid. hostmaster 1 14400 14400 1209600 3600
  @        IN NS    ns1.zonewright.invalid.
  @        IN NS    ns2.zonewright.invalid.
  @        IN MX    10 mail
  @        IN TXT   "v=spf1 mx -all"
  mail 300 IN A     192.0.2.25
  mail 300 IN A     192.0.2.26
  www      IN CNAME @
`;

const yaml = lines`
  zone: example.com
  soa_email: hostmaster@example.com
  ttl_sec: 1h
  tags: [shop]
  records:
    "@":
      MX: 10 mail
      TXT: v=spf1 mx -all
    mail:
      A:
        ttl_sec: 5m
        values:
          - 192.0.2.25
          - 192.0.2.26
    www:
      CNAME: "@"
`;

test("exports a zone by name in each format", async () => {
  const desk = new Desk(files);
  expect(await desk.run("export example.com --to records")).toEqual({ code: 0, out: records, talk: "" });
  expect(await desk.run("export example.com --to bind")).toEqual({ code: 0, out: bind, talk: "" });
  expect(await desk.run("export example.com --to yaml")).toEqual({ code: 0, out: yaml, talk: "" });
});

test("exports a single file without a project", async () => {
  const desk = new Desk({ "db.example.com": master, other: master });
  const out = lines`
    example.com. 3600 IN MX 10 mail.example.com.
    example.com. 3600 IN NS ns1.example.net.
    example.com. 3600 IN SOA ns1.example.net. hostmaster.example.com. 7 14400 3600 1209600 3600
    mail.example.com. 300 IN A 192.0.2.25
  `;
  expect(await desk.run("export db.example.com --to records")).toEqual({ code: 0, out, talk: "" });
  expect(await desk.run("export other --origin example.com --to records")).toEqual({ code: 0, out, talk: "" });
  expect(await desk.run("export other --origin Example.COM. --to records")).toEqual({ code: 0, out, talk: "" });
  expect(await desk.run("export other --origin a..b --to records")).toEqual({
    code: 3,
    out: "",
    talk: 'error[zone-name] "a..b" is not a valid name: the name has an empty label\n  Remove the double or leading dot.\n',
  });
});

test("sorts the records of several zones as one list", async () => {
  const desk = new Desk({
    ...files,
    "zones/a.example.yaml": "records:\n  zz:\n    A: 192.0.2.1\n  aa:\n    A: 192.0.2.2\n",
  });
  expect((await desk.run("export --to records")).out).toBe(
    `aa.a.example. 86400 IN A 192.0.2.2\n${records}zz.a.example. 86400 IN A 192.0.2.1\n`,
  );
});

test("--out writes a file per zone that reads back the same", async () => {
  const desk = new Desk({ ...files, "zones/a.example.yaml": "records: {}\n" });
  expect(await desk.run("export --to bind --out deep/out")).toEqual({
    code: 0,
    out: "",
    talk: "2 files in deep/out\n",
  });
  expect(Object.keys(desk.files())).toEqual([
    "deep/out/a.example.zone",
    "deep/out/example.com.zone",
    "zones/a.example.yaml",
    "zones/example.com.yaml",
  ]);
  expect(desk.read("deep/out/example.com.zone")).toBe(bind);
  expect((await desk.run("export --zones deep/out --to records")).out).toBe(records);
  expect(await desk.run("export example.com --to yaml --out yaml")).toEqual({
    code: 0,
    out: "",
    talk: "1 file in yaml\n",
  });
  expect((await desk.run("export --zones yaml --to records")).out).toBe(records);
  await desk.run("export --to records --out out");
  expect(desk.read("out/example.com.records")).toBe(records);
});

test("writes the config's name servers into master files", async () => {
  const desk = new Desk({ ...files, "zonewright.yaml": "nameservers: [ns1.example.org, ns2.example.org]\n" });
  const { out } = await desk.run("export example.com --to bind");
  expect(out.match(/^.*(SOA|NS) .*/gm)).toEqual([
    "@        IN SOA   ns1.example.org. hostmaster 1 14400 14400 1209600 3600",
    "@        IN NS    ns1.example.org.",
    "@        IN NS    ns2.example.org.",
  ]);
});

test("exports live records and the zone as rendered by the service", async () => {
  const desk = await apiDesk(files);
  await desk.run("apply --yes");
  await desk.call("POST", "/domains/1/records", { type: "A", name: "API", target: "192.0.2.80" });
  const live = records.replace(
    "example.com. 3600 IN MX",
    "api.example.com. 3600 IN A 192.0.2.80\nexample.com. 3600 IN MX",
  );
  expect(await desk.run("export --live --to records")).toEqual({ code: 0, out: live, talk: "" });
  expect(await desk.run("export example.com --live --to records")).toEqual({ code: 0, out: live, talk: "" });
  expect(await desk.run("export --live --to yaml --out live")).toEqual({ code: 0, out: "", talk: "1 file in live\n" });
  // The folder of the zone files is refused, also by another path, unless it has none yet.
  const before = desk.files();
  for (const folder of ["zones", "./zones/", "zones/sub", "live/../zones"]) {
    const { code, talk } = await desk.run(`export --live --to yaml --out ${folder}`);
    expect([code, talk]).toEqual([
      64,
      expect.stringContaining("with the zone files of the project: name another folder."),
    ]);
  }
  expect(desk.files()).toEqual(before);
  rmSync(join(desk.folder, "zones"), { recursive: true });
  expect((await desk.run("export --live --to yaml --out zones")).code).toBe(0);
  expect((await desk.run("export --zones live --to records")).out).toBe(live);
  expect(await desk.run("export --rendered --to bind")).toEqual({
    code: 0,
    out: lines`
      ; example.com [1]
      $TTL 3600
      @  IN  SOA  ns1.zonewright.invalid. hostmaster.example.com. 2026000001 14400 14400 1209600 3600
      @ NS ns1.zonewright.invalid.
      @ NS ns2.zonewright.invalid.
      @ TXT "v=spf1 mx -all"
      mail 300 A 192.0.2.25
      mail 300 A 192.0.2.26
      @ MX 10 mail.example.com.
      www CNAME example.com.
      API A 192.0.2.80
    `,
    talk: "",
  });
  await desk.run("export --rendered --to bind --out rendered");
  expect((await desk.run("export --zones rendered --to records")).out.replaceAll(/.* IN (SOA|NS) .*\n/g, "")).toBe(
    live,
  );
});

test("reports records that the service does not render, and refuses where they were requested", async () => {
  const desk = await apiDesk(files);
  await desk.run("apply --yes");
  await desk.call("POST", "/domains", {
    domain: "off.example",
    type: "master",
    soa_email: "a@b.example",
    status: "disabled",
  });
  expect(await desk.run("export --rendered --to bind --out out")).toEqual({
    code: 0,
    out: "",
    talk: "off.example is skipped: the service does not render it\n1 file in out\n",
  });
  expect(await desk.run("export off.example --rendered --to bind")).toEqual({
    code: 1,
    out: "",
    talk: "error[not-rendered] the service has not rendered off.example\n  Try again in a moment; a disabled zone is not rendered.\n",
  });
});

test("does not export an invalid zone or a zone in two files", async () => {
  const desk = new Desk({ ...files, "zones/b.yaml": `zone: example.com\n${zone}` });
  expect((await desk.run("export --to bind --out out")).code).toBe(3);
  desk.write("zones/b.yaml", "records: { www: { A: nowhere } }\n");
  expect((await desk.run("export --to bind --out out")).code).toBe(3);
  expect(Object.keys(desk.files())).toEqual(["zones/b.yaml", "zones/example.com.yaml"]);
});

test("keeps zones with unsafe file names from overwriting others", async () => {
  const desk = new Desk({
    "zones/a.yaml": "zone: 0/25.2.0.192.in-addr.arpa\nrecords: {}\n",
    "zones/b.yaml": "zone: 0_25.2.0.192.in-addr.arpa\nrecords: {}\n",
    "zones/c.yaml": "zone: '*.example.com'\nrecords: {}\n",
  });
  await desk.run("export --to bind --out out");
  expect(Object.keys(desk.files()).filter((file) => file.startsWith("out"))).toEqual([
    "out/%2a.example.com.zone",
    "out/0%2f25.2.0.192.in-addr.arpa.zone",
    "out/0_25.2.0.192.in-addr.arpa.zone",
  ]);
  expect((await desk.run("validate --zones out")).out.split("\n").at(-2)).toMatch(/: 3 zones, /);
});

test("writes through a symbolic link to its target", async () => {
  const desk = new Desk({ ...files, "elsewhere/x.zone": "before\n", "out/notes": "" });
  symlinkSync("../elsewhere/x.zone", join(desk.folder, "out/example.com.zone"));
  await desk.run("export example.com --to bind --out out");
  expect([desk.read("out/example.com.zone"), desk.read("elsewhere/x.zone")]).toEqual([bind, bind]);
});

test("octoDNS files, with what they cannot contain, and exit code 5 if a record is not written", async () => {
  const desk = new Desk({
    ...files,
    "zones/a.example.yaml": "records:\n  a:\n    TLSA: 3 1 1 AB\n    CERT: 1 2 3 AQID\n",
  });
  expect(await desk.run("export --to octodns --out octo")).toEqual({
    code: 5,
    out: "",
    talk: lines`
      warning[export-lost] a.a.example. CERT PKIX 2 DSA AQID: not written: octoDNS has no CERT records
        zones/a.example.yaml:4:11
          4 |     CERT: 1 2 3 AQID
            |           ^^^^^^^^^^

      note[export-settings] octodns has no place for soa_email, tags (1 zone)
      2 files in octo
      not complete: octodns cannot contain what 1 warning above names
    `,
  });
  expect([desk.read("octo/a.example.yaml"), desk.read("octo/example.com.yaml")]).toEqual([
    lines`
      ---
      a:
        ttl: 86400
        type: TLSA
        value:
          certificate_association_data: AB
          certificate_usage: 3
          matching_type: 1
          selector: 1
    `,
    lines`
      ---
      "":
        - ttl: 3600
          type: MX
          value:
            exchange: mail.example.com.
            preference: 10
        - ttl: 3600
          type: TXT
          value: v=spf1 mx -all
      mail:
        ttl: 300
        type: A
        values:
          - 192.0.2.25
          - 192.0.2.26
      www:
        ttl: 3600
        type: CNAME
        value: example.com.
    `,
  ]);
  desk.write("zonewright.yaml", "zones: [{ path: octo, format: octodns }]\n");
  expect((await desk.run("export example.com --to records")).out).toBe(records);
});

test("a rendered zone in another form", async () => {
  const desk = await apiDesk(files);
  await desk.run("apply --yes");
  const { code, out } = await desk.run("export example.com --rendered --to records");
  expect([code, out.replaceAll(/.* IN (SOA|NS) .*\n/g, "")]).toEqual([0, records]);
  const json = JSON.parse((await desk.run("export example.com --rendered --to dns-zonefile")).out);
  expect(json.soa).toMatchObject({ mname: "ns1.zonewright.invalid.", serial: 2026000001 });
  expect(json.mx).toEqual([{ name: "@", preference: 10, host: "mail" }]);
});

const disabled = "status: disabled\nrecords: {}\n";

test("configurations of secondaries", async () => {
  const desk = new Desk({
    ...files,
    "zones/off.example.yaml": disabled,
    "zonewright.yaml": "nameservers: [127.0.0.1]\n",
  });
  const all = await desk.run("export --to knot.conf --primary 192.0.2.53 --primary [2001:db8::53]:5300 --tsig-name k");
  expect(all).toEqual({
    code: 0,
    out: lines`
      # Secondary zones, written by ${"`zonewright export`"}.
      # The TSIG key "k" is defined elsewhere, before this file is included.
      remote:
        - id: zonewright-1
          address: 192.0.2.53@53
          key: "k"
        - id: zonewright-2
          address: 2001:db8::53@5300
          key: "k"
      acl:
        - id: zonewright
          address: [192.0.2.53, 2001:db8::53]
          action: notify
        - id: zonewright-signed
          address: [192.0.2.53, 2001:db8::53]
          key: "k"
          action: notify
      zone:
        - domain: "example.com"
          master: [zonewright-1, zonewright-2]
          acl: [zonewright, zonewright-signed]
          file: "example.com.zone"
    `,
    talk: "skipped off.example: it is disabled\n",
  });
  expect(await desk.run("export example.com --to nsd.conf --out conf")).toEqual({
    code: 0,
    out: "",
    talk: "1 zone in conf/nsd.conf\n",
  });
  expect(desk.read("conf/nsd.conf")).toBe(lines`
    # Secondary zones, written by ${"`zonewright export`"}.
    pattern:
      name: "zonewright"
      request-xfr: 127.0.0.1@53 NOKEY
      allow-notify: 127.0.0.1 NOKEY
    zone:
      name: "example.com"
      zonefile: "example.com.zone"
      include-pattern: "zonewright"
  `);
});

test("the zones of the account as secondaries", async () => {
  const desk = await apiDesk(files);
  await desk.run("apply --yes");
  expect(await desk.run("export --live --to named.conf --primary localhost:5300")).toEqual({
    code: 0,
    out: expect.stringMatching(/^zone "example.com" \{\n {2}type secondary;$/m),
    talk: "",
  });
});

test.each([
  [
    "export --to named.conf",
    "the secondaries need a server to transfer from. Name it with --primary, or set `nameservers` in the config.",
  ],
  [
    "export --to named.conf --rendered --primary ::1",
    "--to named.conf lists zones without their records: use it without --rendered.",
  ],
  [
    "export --to bind --primary ::1",
    "--role, --primary, --secondary and --tsig-name belong to --to named.conf, knot.conf, nsd.conf.",
  ],
  ["export --to named.conf --primary ::1 --secondary ::1", "--secondary belongs to --role primary."],
  [
    "export --to named.conf --role primary --primary ::1",
    "--role primary lists the zone files of a target: use it without --live, --rendered, --origin and --primary.",
  ],
  [
    "export --to named.conf --role primary",
    "--role primary lists the zone files of a target: name one of the kind files.",
  ],
  [
    "export --to named.conf --primary no.such.invalid",
    "no.such.invalid has no address here, and a configuration needs one. Name it with --primary ADDRESS.",
  ],
  ["export --to bind --live --rendered", "--live and --rendered name different things to export: use one of them."],
  [
    'export --to named.conf --primary ::1 --tsig-name a"b',
    "--tsig-name needs the name of a key: letters, digits, dots, hyphens and underscores.",
  ],
  [
    "export --to named.conf --primary no-such.invalid",
    "no-such.invalid has no address here, and a configuration needs one. Name it with --primary ADDRESS.",
  ],
])("%s is refused", async (command, message) => {
  const { code, talk } = await new Desk(files).run(command);
  expect([code, talk.split("\n")[0]]).toEqual([64, `error: ${message}`]);
});
