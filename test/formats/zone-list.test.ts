import { expect, test } from "vitest";
import { readZoneList } from "../../src/formats/server-config/zone-list.ts";

/** Files of a configuration, and what is read: `name file:line`, or the reason why it is skipped. */
const cases: readonly [title: string, files: Readonly<Record<string, string>>, expected: readonly string[]][] = [
  [
    "one name per line",
    { main: "# mine\nexample.com\n\nexample.net. ; moved\n  xn--bcher-kva.example\n" },
    ["example.com main:2", "example.net. main:4", "xn--bcher-kva.example main:5"],
  ],
  ["a configuration of BIND that has only comments", { main: "//\n// zones\n//\n# here\n" }, []],
  [
    "NSD: a configuration without indents, and settings on one line",
    {
      main: 'zone:\nname: "a.example"\nzone: name: b.example zonefile: b\n',
    },
    ["a.example main:2", "b.example main:3"],
  ],
  [
    "BIND: statements, classes, comments, nested blocks and views",
    {
      main: `// the zones
options { directory "/var"; zone-statistics yes; };
zone "example.com" { type primary; file "zone"; allow-transfer { key "zone"; }; };
zone example.net IN { type slave; masters { 192.0.2.1; }; };
/* zone "not.example" { type primary; }; */
view "inside" { match-clients { any; };
  zone "inside.example" { type master; };
};
zone "." { type hint; file "root"; };
zone "forwarded.example" { type forward; forwarders { }; };
zone "localhost" { type master; };
zone "127.in-addr.arpa" { type master; };
`,
    },
    [
      "example.com main:3",
      "example.net main:4",
      "inside.example main:7",
      ". skipped: it is of type hint",
      "forwarded.example skipped: it is of type forward",
      "localhost skipped: every name server has this local zone itself",
      "127.in-addr.arpa skipped: every name server has this local zone itself",
    ],
  ],
  [
    "names that look like words of a configuration",
    { main: "zone.example ; moved\nkey.example; mine\ninclude.example\nserver.example # there\nzone\n" },
    ["zone.example main:1", "key.example main:2", "include.example main:3", "server.example main:4", "zone main:5"],
  ],
  [
    "BIND: catalog zones, policy zones and other classes",
    {
      main: `options {
  catalog-zones { zone "catalog.example" default-primaries { 192.0.2.1; } in-memory no; };
  response-policy { zone "rpz.example" policy given; };
};
zone "after.example" { type primary; };
zone "bind" CH { type primary; };
zone "Catalog.example." { type secondary; primaries { 192.0.2.1; }; };
`,
    },
    [
      "catalog.example skipped: it is a catalog zone; its members are transferred with --catalog",
      "after.example main:5",
      "Catalog.example. skipped: it is a catalog zone; its members are transferred with --catalog",
    ],
  ],
  [
    "BIND: keywords in any case, escaped quotes, and views of other classes",
    {
      main: `View "_bind" chaos { zone "version.test" { type primary; file "x"; }; };
VIEW "usual" { Zone "a.example" { Type PRIMARY; file "a\\"};b"; }; zone "b.example" { type Forward; }; };
zone "c\\".example" { type primary; file "/c\\\\"; };
zone "d.example" { type primary; };
`,
    },
    ["a.example main:2", "b.example skipped: it is of type forward", 'c".example main:3', "d.example main:4"],
  ],
  [
    "NSD: sections with an indent",
    {
      main: "server:\n zonesdir: x\n zone:\n  name: a.example\n key:\n  name: k\n pattern:\n  name: p\n zone:\n  name: b.example\n",
    },
    ["a.example main:4", "b.example main:10"],
  ],
  ["BIND: braces on lines of their own", { main: 'zone "a.example"\n{\n  type primary;\n};\n' }, ["a.example main:1"]],
  [
    "BIND: includes",
    {
      main: 'include "more.conf";\nzone "b.example" { type primary; };',
      "more.conf": 'zone "a.example" { type primary; };',
    },
    ["a.example more.conf:1", "b.example main:2"],
  ],
  [
    "Knot: items, templates, quotes and a catalog",
    {
      main: `server:
    listen: 127.0.0.1@53
remote:
  - id: primary
    address: 192.0.2.1
template:
  - id: default
    storage: /var/lib/knot
zone:
  - domain: example.com # mine
    file: "zone"
    acl: [transfers]
  - domain: "example.net."
    master: primary
  - domain: catalog.example
    catalog-role: interpret
include: more.conf
`,
      "more.conf": "zone:\n  - domain: a.example\n",
    },
    [
      "example.com main:10",
      "example.net. main:13",
      "catalog.example skipped: it is a catalog zone; its members are transferred with --catalog",
      "a.example more.conf:2",
    ],
  ],
  [
    "NSD: clauses, patterns and includes",
    {
      main: `server:
  ip-address: 127.0.0.1
key:
  name: transfer
  secret: "c2VjcmV0"
pattern:
  name: shared
  zonefile: %s.zone
zone:
  name: "example.com"
  zonefile: example.com.zone
zone:
	name: example.net
	include-pattern: shared
include: "more.conf"
`,
      "more.conf": "zone:\n  name: a.example\n",
    },
    ["example.com main:10", "example.net main:13", "a.example more.conf:2"],
  ],
];

test.each(cases)("%s", (_, files, expected) => {
  const open = (file: string) => [{ file, text: files[file] ?? "" }];
  const zones = readZoneList({ file: "main", text: files.main ?? "" }, open);
  expect(
    zones.map(
      ({ name, place, skipped }) =>
        `${name} ${skipped === undefined ? `${place.file}:${place.line}` : `skipped: ${skipped}`}`,
    ),
  ).toEqual(expected);
});

test("a configuration that includes itself is an error", () => {
  const loop = { file: "main", text: 'include "main";' };
  expect(() => readZoneList(loop, () => [loop])).toThrow("it includes main in a loop");
});

test("files that are included without end are an error, and a file is read once", () => {
  let opened = 0;
  const text = 'include "*";\n';
  const open = () => [{ file: `file-${++opened}`, text }];
  expect(() => readZoneList({ file: "main", text }, open)).toThrow("files are included more than 16 levels deep");
  const deeper = (level: number) => `include "${level}";\n`.repeat(10);
  opened = 0;
  const zones = readZoneList({ file: "main", text: deeper(1) }, (path) => {
    opened++;
    return [{ file: path, text: path === "9" ? 'zone "example.com" { type primary; };' : deeper(Number(path) + 1) }];
  });
  expect([zones.length, opened]).toEqual([1, 90]);
});

test("a configuration of many zones, or of unfinished comments, is read in linear time", () => {
  const many = Array.from({ length: 20_000 }, (_, index) => `zone "z${index}.example" { type primary; };\n`).join("");
  const open = () => [];
  expect(readZoneList({ file: "main", text: many }, open)).toHaveLength(20_000);
  expect(readZoneList({ file: "main", text: `options { };\n${"/* ".repeat(500_000)}` }, open)).toEqual([]);
});
