import { expect, test } from "vitest";
import { readZoneList } from "../../src/formats/zone-list.ts";

/** Files of a configuration, and what is read: `name file:line`, or the reason why it is skipped. */
const cases: readonly [title: string, files: Readonly<Record<string, string>>, expected: readonly string[]][] = [
  [
    "one name per line",
    { main: "# mine\nexample.com\n\nexample.net. ; moved\n  xn--bcher-kva.example\n" },
    ["example.com main:2", "example.net. main:4", "xn--bcher-kva.example main:5"],
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
  expect(() => readZoneList(loop, () => [loop])).toThrow("files are included more than 16 levels deep");
});
