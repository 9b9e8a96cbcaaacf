import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rdataText } from "../../src/dns/zone/zone.ts";
import { compareZones } from "../../src/formats/edit/difference.ts";
import { originOf } from "../../src/formats/files.ts";
import { formatOf } from "../../src/formats/formats.ts";
import { FolderIncluder } from "../../src/formats/include.ts";
import { zone } from "../dns/arbitrary.ts";
import { domainName } from "../names.ts";
import { realZones } from "../real-zones.ts";
import { formatCanonical, formatFile, formats } from "./api.ts";
import { lines } from "./lines.ts";

const cases = resolve(import.meta.dirname, "../cases/zones/ok");
const sources = [
  {
    name: "the cases",
    forms: ["bind", "yaml"],
    files: readdirSync(cases).map((file) => ({ folder: cases, file, origin: domainName("example.") })),
  },
  {
    name: realZones.name,
    forms: ["bind"],
    files: realZones.bindFiles.map((file) => ({ folder: realZones.bind, file, origin: originOf(file) })),
  },
];
const ways = [
  { from: "bind", to: "bind" },
  { from: "bind", to: "yaml" },
  { from: "yaml", to: "bind" },
  { from: "yaml", to: "yaml" },
] as const;

const bind = lines`
  ; The shop.
  ; Its keeper is Ann.

  $TTL 1h ; short
  @ IN SOA ns1.example.net. hostmaster (
          1  ; serial
          4h ; refresh
          1h 2w 1h ) ; absence
  ;@ tags: production
  ; where people look
  www A 192.0.2.2 ; the second
      A 192.0.2.1
  ; by six
      AAAA 2001:db8::1
  ; old
  ;ftp A 192.0.2.9
  mail MX 10 mx.example.net. ; theirs

  ; The end.
`;

const yaml = lines`
  # yaml-language-server: $schema=../schemas/zone.schema.json
  # The shop.
  tags: [production] # for now
  # an hour
  ttl_sec: 3600
  records: # all of them
    # where people look
    www: # here
      AAAA: # by six
        # the first
        - 2001:db8::1 # one
        - 2001:db8::2
      A: { ttl_sec: 300, values: 192.0.2.1 } # short
    mail:
      lenient: [private-address] # a lab
      # theirs
      MX: 10 mx.example.net. # until spring
      A:
        ttl_sec: 5m # short as well
        values: 10.0.0.1 # inside
  # The end.
`;

const rows: { what: string; from: "bind" | "yaml"; to: "bind" | "yaml"; before: string; after: string }[] = [
  {
    what: "a master file",
    from: "bind",
    to: "bind",
    before: bind,
    after: lines`
      ; The shop.
      ; Its keeper is Ann.

      ;@ implicit: NS
      ;@ tags: production
      $ORIGIN example.
      ; short
      $TTL 1h
      @    IN SOA  ns1.example.net. hostmaster ( 1 ; serial
              14400 ; refresh
              3600 1209600 3600 ) ; absence
      ; old
      ;ftp A 192.0.2.9
      mail IN MX   10 mx.example.net. ; theirs
      ; where people look
      www  IN A    192.0.2.1
      www  IN A    192.0.2.2 ; the second
      ; by six
      www  IN AAAA 2001:db8::1

      ; The end.
    `,
  },
  {
    what: "a master file as YAML",
    from: "bind",
    to: "yaml",
    before: bind,
    after: lines`
      # yaml-language-server: $schema=../schemas/zone.schema.json

      # The shop.
      # Its keeper is Ann.

      zone: example
      ttl_sec: 1h # short
      tags: [production]
      records:
        "@":
          # serial
          # refresh
          SOA: ns1.example.net. hostmaster 1 14400 3600 1209600 3600 # absence
        # old
        #ftp A 192.0.2.9
        mail:
          MX: 10 mx.example.net. # theirs
        # where people look
        www:
          A:
            - 192.0.2.1
            - 192.0.2.2 # the second
          # by six
          AAAA: 2001:db8::1

      # The end.
    `,
  },
  {
    what: "YAML",
    from: "yaml",
    to: "yaml",
    before: yaml,
    after: lines`
      # yaml-language-server: $schema=../schemas/zone.schema.json
      # The shop.
      zone: example
      # an hour
      ttl_sec: 1h
      tags: [production] # for now
      records: # all of them
        mail:
          lenient: [private-address] # a lab
          A:
            ttl_sec: 5m # short as well
            values: 10.0.0.1 # inside
          # theirs
          MX: 10 mx.example.net. # until spring
        # where people look
        www: # here
          A:
            ttl_sec: 5m
            values: 192.0.2.1 # short
          AAAA: # by six
            # the first
            - 2001:db8::1 # one
            - 2001:db8::2

      # The end.
    `,
  },
  {
    what: "YAML as a master file",
    from: "yaml",
    to: "bind",
    before: yaml,
    after: lines`
      ; The shop.
      ; all of them
      ;@ implicit: SOA, NS
      ; for now
      ;@ tags: production
      ; a lab
      ;@ lenient mail: private-address
      $ORIGIN example.
      ; an hour
      $TTL 1h
      @        IN SOA  ns1 hostmaster 1 14400 14400 1209600 3600
      ; short as well
      mail 300 IN A    10.0.0.1 ; inside
      ; theirs
      mail     IN MX   10 mx.example.net. ; until spring
      ; where people look
      ; here
      www  300 IN A    192.0.2.1 ; short
      ; by six
      ; the first
      www      IN AAAA 2001:db8::1 ; one
      www      IN AAAA 2001:db8::2

      ; The end.
    `,
  },
];

test.each(rows)("comments follow their subject: $what", ({ from, to, before, after }) => {
  const file = { file: "example", bytes: Buffer.from(before), origin: domainName("example.") };
  const schema = "../schemas/zone.schema.json";
  const { bytes, lost, unrolled } = formatCanonical(file, from, to, { nameservers: [], schema });
  expect({ lost, unrolled }).toEqual({ lost: [], unrolled: [] });
  expect(Buffer.from(bytes).toString()).toBe(after);
});

const homeless: { what: string; form: "bind" | "yaml"; text: string; lost: number[]; unrolled: number[] }[] = [
  {
    what: "a title over records",
    form: "bind",
    text: "$TTL 1\na A 1.1.1.1\n\n; Mail\n\nb A 1.1.1.1\n",
    lost: [4],
    unrolled: [],
  },
  {
    what: "a second $ORIGIN",
    form: "bind",
    text: "$TTL 1\n$ORIGIN example.\n$ORIGIN a.example. ; A\na A 1.1.1.1\n",
    lost: [3],
    unrolled: [],
  },
  { what: "a $GENERATE", form: "bind", text: "$TTL 1\n$GENERATE 1-2 a$ A 1.1.1.$\n", lost: [], unrolled: [2] },
  {
    what: "a title over owners",
    form: "yaml",
    text: "records:\n  a: { A: 1.1.1.1 }\n\n  # Mail\n\n  b: { A: 1.1.1.1 }\n",
    lost: [4],
    unrolled: [],
  },
  {
    what: "a field",
    form: "yaml",
    text: "records:\n  a:\n    MX:\n      target: b.\n      priority: 10 # few\n",
    lost: [5],
    unrolled: [],
  },
  {
    what: "an item in brackets",
    form: "yaml",
    text: "records:\n  a:\n    A: [\n      1.1.1.1, # a\n      2.2.2.2 ] # b\n",
    lost: [],
    unrolled: [],
  },
  {
    what: "an alias and a merge",
    form: "yaml",
    text: "records:\n  a: &a { A: 1.1.1.1 }\n  b: *a\n  c: { <<: *a }\n",
    lost: [],
    unrolled: [3, 4],
  },
];

test.each(homeless)("comments without a place in the canonical form: $what", ({ form, text, lost, unrolled }) => {
  const file = { file: "example", bytes: Buffer.from(text), origin: domainName("example.") };
  const result = formatCanonical(file, form, form, {});
  expect({ lost: result.lost, unrolled: result.unrolled }).toEqual({ lost, unrolled });
});

const waysOfSources = sources.flatMap((source) =>
  ways.filter(({ from }) => source.forms.includes(from)).map((way) => ({ ...source, ...way })),
);

describe.each(waysOfSources)("$from to $to, every file of $name", ({ from, to, files }) => {
  test("keeps the zone and is idempotent", () => {
    for (const { folder, file, origin } of files.filter(({ file }) => formatOf(file)?.name === from)) {
      const path = join(folder, file);
      const previous = {
        file,
        bytes: readFileSync(path),
        origin,
        includer: new FolderIncluder({ path: folder, file: "." }, path),
      };
      const { bytes } = formatCanonical(previous, from, to, {});
      const result = { file: `zone.${to}`, bytes, origin };
      expect([file, compareZones(formats[from].read(previous).zone, formats[to].read(result).zone)]).toEqual([
        file,
        expect.objectContaining({ settings: [], added: [] }),
      ]);
      expect([file, Buffer.from(formatCanonical(result, to, to, {}).bytes).toString("latin1")]).toEqual([
        file,
        Buffer.from(bytes).toString("latin1"),
      ]);
    }
  });
});

const formsOfSources = sources.flatMap(({ forms, ...source }) =>
  (["bind", "yaml"] as const).filter((form) => forms.includes(form)).map((form) => ({ ...source, form })),
);

describe.each(formsOfSources)("$form in the author's order, every file of $name", ({ form, files }) => {
  test("keeps records, order and comments, and is idempotent", () => {
    for (const { folder, file, origin } of files.filter(({ file }) => formatOf(file)?.name === form)) {
      const path = join(folder, file);
      const opener = new FolderIncluder({ path: folder, file: "." }, path);
      const previous = { file, bytes: readFileSync(path), origin, includer: opener };
      const bytes = formatFile(previous, form);
      const [before, after] = [previous, { ...previous, bytes }].map((file) => formats[form].read(file).zone);
      const lines = (zone = before) =>
        zone?.records.map((record) => `${record.owner} ${record.ttl} ${record.type} ${rdataText(record)}`);
      expect([file, lines(after)]).toEqual([file, lines(before)]);
      expect([file, after?.settings]).toEqual([file, before?.settings]);
      const comments = (bytes: Uint8Array) =>
        Buffer.from(bytes)
          .toString("latin1")
          .replace(/^\u00ef\u00bb\u00bf/, "")
          .match(form === "bind" ? /;[^\n"]*$/gm : /(?<=^|\s)# [^\n"]*$/gm)
          ?.map((text) => text.replace(/^[;#]\s*/, "").trimEnd());
      expect([file, comments(bytes)]).toEqual([file, comments(previous.bytes)]);
      expect([file, Buffer.from(formatFile({ ...previous, bytes }, form)).toString("latin1")]).toEqual([
        file,
        Buffer.from(bytes).toString("latin1"),
      ]);
    }
  });
});

describe.each(["bind", "yaml"] as const)("%s in the author's order", (form) => {
  test("written zones are already in that form", () => {
    fc.assert(
      fc.property(zone, (zone) => {
        const bytes = Buffer.from(formats[form].write(zone, { nameservers: [domainName("ns1.example.net.")] }));
        expect(String(formatFile({ file: `zone.${form}`, bytes, origin: zone.name }, form))).toBe(String(bytes));
      }),
    );
  });
});

test("keeps a $GENERATE as one line", () => {
  const text = "$TTL 1h\n@ IN SOA ns1 a 1 2 3 4 5\n$GENERATE 1-50000 a$ A 192.0.2.1\n";
  const bytes = formatFile({ file: "example.zone", bytes: Buffer.from(text), origin: domainName("example.") }, "bind");
  expect(String(bytes)).toBe(text);
});

test.each([
  ["bind", 'www HTTPS 1 . alpn="h2,h3" port=53'],
  ["bind", 'www HTTPS 1 svc.example. key667="a b" ; note'],
  ["bind", "www TXT caff\u00e0"],
  ["bind", "www TXT a\u00a0"],
  ["bind", "www CNAME a\\ "],
  ["bind", "www CNAME a\\  ; note"],
  ["yaml", 'records:\n  www:\n    HTTPS: 1 svc alpn="h2,h3" port=53'],
  ["yaml", 'records:\n  www:\n    HTTPS: 1 svc.example. alpn="h2,h3" port=53'],
] as const)("keeps, in %s: %s", (form, text) => {
  const whole = `${form === "bind" ? "$TTL 1h\n" : ""}${text}\n`;
  const file = { file: "example", bytes: Buffer.from(whole), origin: domainName("example.") };
  expect(String(formatFile(file, form))).toBe(whole);
});

test.each([
  ["( ; first\nwww A 192.0.2.1 ) ; last\n", "; first\nwww    A   192.0.2.1 ; last\n"],
  ["( ; first\n )\nwww A 192.0.2.1\n", "; first\nwww    A   192.0.2.1\n"],
])("keeps a comment before an entry's first word above it: %j", (entry, formatted) => {
  const head = "$TTL 1h\n@   IN SOA ns1 a 1 2 3 4 5\n";
  const file = { file: "example.zone", bytes: Buffer.from(head + entry), origin: domainName("example.") };
  expect(String(formatFile(file, "bind"))).toBe(head + formatted);
});
