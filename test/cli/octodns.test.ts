import { expect, test } from "vitest";
import { apiDesk, Desk, lines } from "./run.ts";

const files = {
  "zonewright.yaml": lines`
    zones: [zones, { path: octo, format: octodns }]
    defaults: { soa_email: hostmaster@example.com }
  `,
  "zones/example.net.yaml": lines`
    records:
      www:
        A: 192.0.2.20
  `,
  "octo/example.com.yaml": lines`
    ---
    www:
      value: 192.0.2.10
      type: A
      ttl: 300
    '':
      - type: MX
        ttl: 3600
        values:
          - {preference: 10, exchange: mail.example.org}
      - type: TXT
        value: v=spf1 mx -all
      - type: Route53Provider/ALIAS
        value: www
  `,
  "octo/README.md": "How we keep them.\n",
};

test("plans and applies an octoDNS folder beside a native one", async () => {
  const desk = await apiDesk(files);
  expect(await desk.run("plan")).toEqual({
    code: 0,
    out: lines`
      example.com                               +4 create
        1 + create  (zone)  master; soa_email hostmaster@example.com  disabled until its records are written
        2 + create  @       TXT  3600  "v=spf1 mx -all"               octo/example.com.yaml:12
        3 + create  www     A    300   192.0.2.10                     octo/example.com.yaml:3
        4 + create  @       MX   3600  10 mail.example.org.           octo/example.com.yaml:10
      example.net                               +2 create
        5 + create  (zone)  master; soa_email hostmaster@example.com  disabled until its records are written
        6 + create  www     A  86400  192.0.2.20                      zones/example.net.yaml:3
      warning  record sets of provider-specific types are skipped: Route53Provider/ALIAS  octo/example.com.yaml:13
      plan: 6 changes in 2 of 2 zones · effects 93dc2e02 · 1 read
      apply sends 8 writes and 11 reads (no rate limit)
    `,
    talk: "",
  });
  expect((await desk.run("apply --yes")).code).toBe(0);
  expect(await desk.run("plan")).toEqual({ code: 0, out: "in sync: 2 zones, nothing to do\n", talk: "" });
});

test("import api keeps octoDNS files unchanged", async () => {
  const desk = await apiDesk(files);
  expect((await desk.run("apply --yes")).code).toBe(0);
  await desk.call("POST", "/domains/1/records", { type: "A", name: "new", target: "192.0.2.99" });
  const before = desk.files();
  const { code, talk } = await desk.run("import api example.com --yes");
  expect([code, talk]).toEqual([
    5,
    "octo/example.com.yaml is kept: it differs from the live zone, and zonewright does not write octodns files\n0 zones written, 0 unchanged, 1 skipped\n",
  ]);
  expect(desk.files()).toEqual(before);
});

test.each(["", " octo/example.com.yaml zones/example.net.yaml", " example.com example.net"])(
  "validate%s: warns at the place of provider-specific keys",
  async (args) => {
    expect(await new Desk(files).run(`validate${args}`)).toEqual({
      code: 0,
      out: lines`
        warning[provider-specific] record sets of provider-specific types are skipped: Route53Provider/ALIAS
          octo/example.com.yaml:13:11
           13 |   - type: Route53Provider/ALIAS
              |           ^^^^^^^^^^^^^^^^^^^^^
          Write records of standard types, such as A, AAAA or CNAME, in their place.

        valid: 2 zones, 4 records, 1 warning
      `,
      talk: "",
    });
  },
);

test("the config, not the files, decides the folder's format", async () => {
  const desk = new Desk({ ...files, "octo/example.org.yaml": "records: { type: A, vlue: 192.0.2.1 }\n" });
  expect(await desk.run("validate example.org")).toEqual({
    code: 3,
    out: lines`
      error[unknown-key] records: "vlue" is not a key of a record set
        octo/example.org.yaml:1:21
          1 | records: { type: A, vlue: 192.0.2.1 }
            |                     ^^^^
        Did you mean "value"?

      not valid: 1 zone, 0 records, 1 error
    `,
    talk: "",
  });
});

test.each([
  ["fmt", "0 files written, 1 left as they were"],
  ["fmt --check", "0 files would change"],
  ["fmt --to bind", "0 files written, 1 left as they were"],
])("%s keeps octoDNS files unchanged and reports each once", async (command, last) => {
  const desk = new Desk(files);
  const before = desk.files();
  expect(await desk.run(`${command} example.com`)).toEqual({
    code: 0,
    out: "",
    talk: lines`
      note[fmt-skipped] octo/example.com.yaml is skipped: zonewright does not write octodns files
        To convert the zone: ${"`"}zonewright export --to yaml${"`"}, or --to bind.
      ${last}
    `,
  });
  expect(desk.files()).toEqual(before);
});

test("supports default_ttl, octoDNS's own configuration and ALIAS records", async () => {
  const desk = new Desk({
    "zonewright.yaml":
      "zones: { path: octo, format: octodns, default_ttl: 2h }\ndefaults: { soa_email: a@example.com }\n",
    "octo/production.yaml":
      "providers:\n  config: { class: octodns.provider.yaml.YamlProvider, directory: . }\nzones:\n  example.com.: {}\n",
    "octo/example.com.yaml": "www: { type: A, value: 192.0.2.1 }\n",
    "octo/example.org.yaml": "'': { type: ALIAS, value: www.example.net. }\n",
  });
  expect((await desk.run("export example.com --to records")).out).toBe("www.example.com. 7200 IN A 192.0.2.1\n");
  expect(await desk.run("validate")).toEqual({
    code: 3,
    out: lines`
      error[alias-record] @ ALIAS points to "www.example.net."
        octo/example.org.yaml:1:27
          1 | '': { type: ALIAS, value: www.example.net. }
            |                           ^^^^^^^^^^^^^^^^
        ALIAS is not a DNS record type, and this target does not support it: some DNS providers answer it with the addresses of its target. Lowered to a warning, the record stays in the file and is not sent. Write the A and AAAA records of "www.example.net." here, and update them when its addresses change.

      note[file-skipped] octo/production.yaml is skipped: it is the configuration of octoDNS

      not valid: 2 zones, 2 records, 1 error, 1 note
    `,
    talk: "",
  });
  desk.write(
    "zonewright.yaml",
    "zones: { path: octo, format: octodns }\ndefaults: { soa_email: a@example.com }\nrules: { alias-record: warning }\n",
  );
  expect((await desk.run("validate")).code).toBe(0);
  for (const [format, text] of Object.entries({
    records: "example.org. 3600 IN ALIAS www.example.net.\n",
    bind: "@ 3600 IN ALIAS www.example.net.\n",
    yaml: '  "@":\n    ALIAS:\n      ttl_sec: 1h\n      values: www.example.net.\n',
  })) {
    const { out } = await desk.run(`export example.org --to ${format}`);
    expect(out).toContain(text);
    if (format === "records") continue;
    const kept = new Desk({ [`zones/example.org.${format === "bind" ? "zone" : "yaml"}`]: out });
    expect((await kept.run("fmt --check")).code).toBe(0);
    expect((await kept.run("export example.org --to records")).out).toContain("IN ALIAS www.example.net.\n");
  }
});

const splitConfig = (more = "") =>
  `zones: { path: octo, format: octodns, default_ttl: 2h${more} }\ndefaults: { soa_email: a@example.com }\n`;

const splitFiles = {
  "zonewright.yaml": splitConfig(", split_extension: ."),
  "octo/config.yaml": "providers:\n  config: { split_extension: . }\nzones: {}\n",
  "octo/example.com./$example.com.yaml": lines`
    '':
      - type: MX
        ttl: 600
        values:
          - {preference: 10, exchange: mail.example.org.}
      - {type: TXT, value: v=spf1 mx -all}
    '*': {type: A, value: 192.0.2.9}
  `,
  "octo/example.com./www.yaml": "www: {type: A, values: [192.0.2.10, 192.0.2.11], cloudflare: {proxied: true}}\n",
  "octo/example.com.yaml": "api: {type: CNAME, value: www.example.com.}\n",
  "octo/example.net./.yaml": "'': {type: TXT, value: hello}\n",
  "octo/example.net./*.yaml": "'*': {type: AAAA, ttl: 60, value: '2001:db8::1'}\n",
  "octo/example.net./notes.txt": "no zone\n",
  "octo/bücher.example./www.yaml": "www: {type: A, value: 192.0.2.1}\n",
  "octo/single.example.yaml": "www: {type: A, value: 192.0.2.1}\n",
};

/** As octoDNS 1.22 reads them: YamlProvider("config", "octo", default_ttl=7200, split_extension="."). */
const splitRecords = lines`
  *.example.com. 7200 IN A 192.0.2.9
  *.example.net. 60 IN AAAA 2001:db8::1
  api.example.com. 7200 IN CNAME www.example.com.
  example.com. 600 IN MX 10 mail.example.org.
  example.com. 7200 IN TXT "v=spf1 mx -all"
  example.net. 7200 IN TXT "hello"
  www.example.com. 7200 IN A 192.0.2.10
  www.example.com. 7200 IN A 192.0.2.11
  www.single.example. 7200 IN A 192.0.2.1
  www.xn--bcher-kva.example. 7200 IN A 192.0.2.1
`;

test("reads zones that octoDNS splits over folders", async () => {
  const desk = new Desk(splitFiles);
  const sorted = (text: string) => `${text.trimEnd().split("\n").sort().join("\n")}\n`;
  expect(sorted((await desk.run("export --to records")).out)).toBe(splitRecords);
  const ofOne = splitRecords.split("\n").filter((line) => line.includes("example.com. ") || line.startsWith("api."));
  for (const part of ["example.com.yaml", "example.com./www.yaml", "example.com./$example.com.yaml"])
    expect(sorted((await desk.run(`export octo/${part} --to records`)).out)).toBe(`${ofOne.join("\n")}\n`);
  expect((await desk.run("fmt --check")).code).toBe(0);
});

test("an RRset in two files of a split zone, and folders that are not read", async () => {
  const desk = new Desk({
    "zonewright.yaml": splitConfig(', split_extension: "."'),
    "octo/example.com./a.yaml": "www: {type: A, value: 192.0.2.1}\nx: {tpye: A}\n",
    "octo/example.com./b.yaml": "WWW: {type: A, value: 192.0.2.2}\n",
    "octo/example.net./README.md": "Nothing yet.\n",
  });
  expect(await desk.run("validate")).toEqual({
    code: 3,
    out: lines`
      error[duplicate-set] "WWW.example.com." has a second A set; the other is in octo/example.com./a.yaml
        octo/example.com./b.yaml:1:23
          1 | WWW: {type: A, value: 192.0.2.2}
            |                       ^^^^^^^^^
        Merge the two in one file.

      error[unknown-key] x: "tpye" is not a key of a record set
        octo/example.com./a.yaml:2:5
          2 | x: {tpye: A}
            |     ^^^^
        Did you mean "type"?

      note[file-skipped] octo/example.net. is skipped: a split zone of octoDNS needs split_extension: "." in zonewright.yaml, and .yaml files in its folder
      note[owner-spelling] "WWW" is the same name as "www"  octo/example.com./b.yaml:1

      not valid: 1 zone, 2 records, 2 errors, 2 notes
    `,
    talk: "",
  });
  desk.write("zonewright.yaml", splitConfig());
  desk.write("octo/example.org.yaml", "www: {type: A, value: 192.0.2.1}\n");
  expect((await desk.run("validate")).out).toBe(lines`
    note[file-skipped] octo/example.com. is skipped: a split zone of octoDNS needs split_extension: "." in zonewright.yaml, and .yaml files in its folder
    note[file-skipped] octo/example.net. is skipped: a split zone of octoDNS needs split_extension: "." in zonewright.yaml, and .yaml files in its folder

    valid: 1 zone, 1 record, 2 notes
  `);
});

test("a folder of octoDNS without its format is one error, with the number of its files", async () => {
  const names = ["a", "b", "c"].map((name) => `zones/${name}.example.yaml`);
  const desk = new Desk(Object.fromEntries(names.map((name) => [name, "www:\n  type: A\n  value: 192.0.2.1\n"])));
  const { code, out } = await desk.run("validate");
  expect(code).toBe(3);
  expect(out.match(/error\[/g)).toHaveLength(1);
  expect(out).toContain("zones/a.example.yaml:1:1\n");
  expect(out).toContain(
    "The same applies to 2 other files. Set `zones: [{ path: zones, format: octodns }]` in zonewright.yaml.\n",
  );
});
