import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { Desk, lines } from "./run.ts";

const messy = lines`
  # The shop.
  soa_email: hostmaster@example.com
  records:
    www: { A: [192.0.2.2, 192.0.2.1] } # here
    "@": { A: 192.0.2.3 }
`;

const clean = lines`
  # The shop.
  zone: example.com
  soa_email: hostmaster@example.com
  records:
    "@":
      A: 192.0.2.3
    www:
      A: # here
        - 192.0.2.1
        - 192.0.2.2
`;

test("--sort --check shows the difference, writes nothing and exits 3; --sort writes it; then --check exits 0", async () => {
  const desk = new Desk({ "zones/example.com.yaml": messy });
  expect(await desk.run("fmt --sort --check")).toEqual({
    code: 3,
    out: lines`
      --- zones/example.com.yaml
      +++ zones/example.com.yaml
      @@ -1,5 +1,10 @@
       # The shop.
      +zone: example.com
       soa_email: hostmaster@example.com
       records:
      -  www: { A: [192.0.2.2, 192.0.2.1] } # here
      -  "@": { A: 192.0.2.3 }
      +  "@":
      +    A: 192.0.2.3
      +  www:
      +    A: # here
      +      - 192.0.2.1
      +      - 192.0.2.2
    `,
    talk: "1 file would change\n",
  });
  expect(desk.read("zones/example.com.yaml")).toBe(messy);
  expect(await desk.run("fmt --sort")).toEqual({
    code: 0,
    out: "",
    talk: "wrote zones/example.com.yaml\n1 file written, 0 left as they were\n",
  });
  expect(desk.read("zones/example.com.yaml")).toBe(clean);
  expect(await desk.run("fmt --sort --check")).toEqual({ code: 0, out: "", talk: "0 files would change\n" });
  expect((await desk.run("fmt --sort")).talk).toBe("0 files written, 1 left as they were\n");
});

test("formats only the named files and zones", async () => {
  const desk = new Desk({
    "zones/a.example.yaml": messy,
    "zones/b.example.yaml": messy,
    "zones/c.example.yaml": messy,
  });
  expect((await desk.run("fmt --sort b.example zones/c.example.yaml")).code).toBe(0);
  expect(Object.entries(desk.files()).map(([file, text]) => [file, text === messy])).toEqual([
    ["zones/a.example.yaml", true],
    ["zones/b.example.yaml", false],
    ["zones/c.example.yaml", false],
  ]);
});

test("does not write config defaults into zone files", async () => {
  const desk = new Desk({
    "zonewright.yaml": "defaults: { soa_email: a@example.com, tags: [all] }\n",
    "zones/example.com.yaml": "records: {}\n",
  });
  await desk.run("fmt --sort");
  expect(desk.read("zones/example.com.yaml")).not.toMatch(/soa_email|tags/);
});

const kept: { what: string; file: string; text: string; talk: string }[] = [
  {
    what: "a comment over a part of the file",
    file: "zones/example.com.yaml",
    text: "records:\n  b: { A: 192.0.2.1 }\n\n  # Mail\n\n  a: { A: 192.0.2.1 }\n",
    talk: lines`
      warning[fmt-skipped] zones/example.com.yaml is skipped: in another order, this comment would refer to other records
        zones/example.com.yaml:4:1
          4 |   # Mail
            | ^
      0 files written, 1 left as they were
    `,
  },
  {
    what: "a $GENERATE",
    file: "zones/example.com.zone",
    text: "$TTL 1h\n@ SOA ns1 a 1 2 3 4 5\n$GENERATE 1-9 a$ A 192.0.2.$\n",
    talk: lines`
      warning[fmt-skipped] zones/example.com.zone is skipped: this line would be expanded
        zones/example.com.zone:3:1
          3 | $GENERATE 1-9 a$ A 192.0.2.$
            | ^
      0 files written, 1 left as they were
    `,
  },
];

test.each(kept)("--sort, $what: leaves the file unchanged and reports it", async ({ file, text, talk }) => {
  const desk = new Desk({ [file]: text });
  expect(await desk.run("fmt --sort")).toEqual({ code: 0, out: "", talk });
  expect(desk.read(file)).toBe(text);
  expect((await desk.run("fmt --sort --check")).code).toBe(0);
});

test("refuses a file with errors and writes no other file", async () => {
  const files = { "zones/a.example.yaml": messy, "zones/b.example.zone": "$TTL 1h\nwww A 192.0.2.256\n" };
  const desk = new Desk(files);
  expect(await desk.run("fmt")).toEqual({
    code: 3,
    out: "",
    talk: lines`
      error[address-v4] www A "192.0.2.256": not an IPv4 address
        zones/b.example.zone:2:7
          2 | www A 192.0.2.256
            |       ^^^^^^^^^^^
        Write an IPv4 address such as "192.0.2.1".
    `,
  });
  expect(desk.files()).toEqual(files);
});

const zone = lines`
  ; The shop.
  ;@ tags: production
  $ORIGIN example.com.
  $TTL 1h
  @   IN SOA ns1.example.net. hostmaster 1 14400 3600 1209600 3600
  @   IN NS  ns1.example.net.
  ; where people look
  www IN A   192.0.2.1 ; here
`;

test("--to yaml and back loses nothing and deletes the old file", async () => {
  const desk = new Desk({ "zones/example.com.zone": zone });
  expect(await desk.run("fmt --to yaml")).toEqual({
    code: 0,
    out: "",
    talk: "wrote zones/example.com.yaml, removed zones/example.com.zone\n1 file written, 0 left as they were\n",
  });
  expect(desk.files()).toEqual({
    "zones/example.com.yaml": lines`
      # The shop.
      zone: example.com
      ttl_sec: 1h
      tags: [production]
      records:
        "@":
          SOA: ns1.example.net. hostmaster 1 14400 3600 1209600 3600
          NS: ns1.example.net.
        # where people look
        www:
          A: 192.0.2.1 # here
    `,
  });
  await desk.run("fmt --to bind");
  expect(desk.files()).toEqual({ "zones/example.com.zone": zone });
});

test("--to yaml keeps the old file if part of it cannot be converted", async () => {
  const before = zone.replace("; where", "; Web\n\n; where");
  const desk = new Desk({ "zones/example.com.zone": before });
  expect((await desk.run("fmt --to yaml")).talk).toBe(
    "wrote zones/example.com.yaml; zones/example.com.zone is kept: line 7 could not be converted fully. Compare, then remove it\n1 file written, 0 left as they were\n",
  );
  expect(Object.keys(desk.files())).toEqual(["zones/example.com.yaml", "zones/example.com.zone"]);
});

test("--to yaml --check writes nothing, and refuses an existing destination", async () => {
  const desk = new Desk({ "zones/example.com.zone": zone });
  const { code, out } = await desk.run("fmt --to yaml --check");
  expect([code, out.split("\n").slice(0, 2)]).toEqual([
    3,
    ["--- zones/example.com.zone", "+++ zones/example.com.yaml"],
  ]);
  expect(desk.files()).toEqual({ "zones/example.com.zone": zone });
  desk.write("zones/example.com.yaml", messy);
  expect(await desk.run("fmt --to yaml zones/example.com.zone")).toEqual({
    code: 3,
    out: "",
    talk: lines`
      error[file-exists] zones/example.com.yaml exists already
        Remove it, or zones/example.com.zone: both contain the zone.
    `,
  });
});

test("keeps the author's order, headings and sections unless --sort is given", async () => {
  const sections = lines`
    $TTL 3600
    @	SOA	ns1.example.net. hostmaster (
    		2026010101 ; serial
    		4h ; refresh
    		1h 2w 1h ) ; absence

    ; --- Web ---


    www	300 A 192.0.2.1 ; front
        AAAA 2001:DB8::1
    ; --- Mail ---
    @ MX 10 mail.example.com.
    mail A 192.0.2.25
    $generate 1-50000 host-$  a 10.0.0.1
  `;
  const desk = new Desk({ "zones/example.com.zone": sections });
  await desk.run("fmt");
  expect(desk.read("zones/example.com.zone")).toBe(lines`
    $TTL 3600
    @        SOA  ns1.example.net. hostmaster (
            2026010101 ; serial
            4h         ; refresh
            1h 2w 1h ) ; absence

    ; --- Web ---

    www  300 A    192.0.2.1 ; front
             AAAA 2001:db8::1
    ; --- Mail ---
    @        MX   10 mail.example.com.
    mail     A    192.0.2.25
    $GENERATE 1-50000 host-$ A 10.0.0.1
  `);
  expect(await desk.run("fmt --check")).toEqual({ code: 0, out: "", talk: "0 files would change\n" });
});

const choices: readonly [notation: string, file: string, text: string][] = [
  ["absolute names", "example.com.zone", "www.example.com. CNAME shop.example.com."],
  ["relative names", "example.com.zone", "www CNAME shop"],
  ["units of a TTL", "example.com.zone", "www 1H CNAME shop"],
  ["seconds of a TTL", "example.com.zone", "www 3600 CNAME shop"],
  ["a class", "example.com.zone", "www IN CNAME shop"],
  ["absolute names in YAML", "example.com.yaml", "records:\n  www: { CNAME: shop.example.com. }"],
  ["an apex by its name in YAML", "example.com.yaml", "records:\n  www: { MX: 10 example.com. }"],
  ["units in an SOA record in YAML", "example.com.yaml", 'records:\n  "@": { SOA: ns1 a 1 4h 1h 2w 1h }'],
];

test.each(choices)("keeps the author's notation: %s", async (_, file, text) => {
  const head = file.endsWith(".zone") ? "$TTL 1d\n" : "";
  const desk = new Desk({ [`zones/${file}`]: `${head}${text}\n` });
  expect(await desk.run("fmt --check")).toEqual({ code: 0, out: "", talk: "0 files would change\n" });
});

test("README's first example passes fmt --check", async () => {
  const readme = readFileSync(resolve(import.meta.dirname, "../../README.md"), "utf8");
  const [, zone = ""] = /```yaml\n(.*?)```/s.exec(readme) ?? [];
  const desk = new Desk({ "zones/example.com.yaml": zone });
  expect(await desk.run("fmt --check")).toEqual({ code: 0, out: "", talk: "0 files would change\n" });
});

test("keeps several TTLs of one RRset; --sort reports each change", async () => {
  const text = "$TTL 1h\n@ SOA ns1 a 1 2 3 4 5\nb 300 A 192.0.2.1\nb 600 A 192.0.2.2\n";
  const desk = new Desk({ "zones/example.com.zone": text });
  await desk.run("fmt");
  expect(desk.read("zones/example.com.zone")).toMatch(/^b 300 A +192.0.2.1\nb 600 A +192.0.2.2$/m);
  const { talk } = await desk.run("fmt --sort");
  expect(talk).toMatch("warning[rrset-ttl] b.example.com. A: TTL 600 is replaced by 300, the TTL of its RRset\n");
  expect(desk.read("zones/example.com.zone")).toMatch(/^b 300 +IN A +192.0.2.1\nb 300 +IN A +192.0.2.2$/m);
});

test("a name in two spellings: --to yaml reports the one it keeps", async () => {
  const text = "$TTL 1h\n;@ soa_email: a@example.com\nWWW A 192.0.2.1\nwww AAAA 2001:db8::1\nother A 192.0.2.1\n";
  const desk = new Desk({ "zones/example.com.zone": text });
  const { talk } = await desk.run("fmt --to yaml");
  expect(talk).toMatch('note[owner-spelling] "www" is the same name as "WWW"\n  zones/example.com.zone:4:1\n');
  expect(desk.read("zones/example.com.yaml")).toMatch("  WWW:\n    A: 192.0.2.1\n    AAAA: 2001:db8::1\n");
});

const schema = "node_modules/zonewright/schemas/zone.schema.json";
const schemaLines: [what: string, files: Record<string, string>, before: string, after: string][] = [
  [
    "that is not there stays, if no other is",
    {},
    "# yaml-language-server: $schema=../schemas/zone.schema.json\n\n",
    "# yaml-language-server: $schema=../schemas/zone.schema.json\n\n",
  ],
  [
    "of the installed package takes its place",
    { [schema]: "{}" },
    "# yaml-language-server: $schema=../a.json\n",
    `# yaml-language-server: $schema=../${schema}\n`,
  ],
  [
    "that is there stays",
    { "b.json": "{}" },
    "# yaml-language-server: $schema=../b.json\n",
    "# yaml-language-server: $schema=../b.json\n",
  ],
  [
    "at a URL stays",
    {},
    "# yaml-language-server: $schema=https://example.com/b.json\n",
    "# yaml-language-server: $schema=https://example.com/b.json\n",
  ],
];

test.each(schemaLines)("a schema %s", async (_, files, before, after) => {
  const zone = "records:\n  www:\n    A: 192.0.2.1\n";
  const desk = new Desk({ ...files, "zones/example.com.yaml": before + zone });
  await desk.run("fmt");
  expect(desk.read("zones/example.com.yaml")).toBe(after + zone);
});
