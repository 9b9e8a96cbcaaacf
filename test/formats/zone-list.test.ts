import { expect, test } from "vitest";
import { adviceText } from "../../src/diagnostics/advice.ts";
import { ProblemError } from "../../src/diagnostics/problem.ts";
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
        `${name} ${skipped === undefined ? `${place.file}:${place.line}` : `skipped: ${adviceText(skipped, "cli")}`}`,
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
  for (const unfinished of ["/* ", '\\"', "view x {", "zone:\n- ", "options { } "])
    expect(() => readZoneList({ file: "main", text: `options { };\n${unfinished.repeat(100_000)}` }, open)).toThrow();
});

const good = 'zone "a.test" { type primary; file "a"; };';
const nsd = "server:\n  zonesdir: x\nzone:\n  name: a.test\n  zonefile: a\n";
const knot = "zone:\n  - domain: a.test\n";

/** Configurations that named-checkconf, nsd-checkconf or `knotc conf-check` refuses, and the error. */
const broken: readonly (readonly [text: string, error: string])[] = [
  [`${good}\n/* b\n${good}\n`, "2:1 the comment is not closed"],
  ['zone "a.test" { type primary;', "1:15 the block is not closed"],
  ['zone "a.test" { type primary; file "a" };', '1:40 ";" is missing before "}"'],
  [`zone "a.test" { type primary; }\n${good}`, '2:1 ";" is missing before "zone"'],
  ['zone "a.test" { type primary\nfile "a"; };', '2:1 ";" is missing before "file"'],
  ['zone "a.test" { type primary; allow-query { any; } file "a"; };', '1:52 ";" is missing before "file"'],
  ['zone "a.test" { type primary; file "a\n; };', "1:36 the string is not closed"],
  ['zone "a.test" { typ primary; file "a"; };', '1:1 the zone "a.test" has no type'],
  ['zone "a.test" { type ; file "a"; };', '1:22 "type" has no value'],
  [`${good};`, '1:43 the statement before ";" is empty'],
  [`${good}\n}`, '2:1 the "}" closes no block'],
  [`${good}\nzon "b.test" { type primary; };`, '2:1 named.conf has no statement "zon"'],
  [`${good}\nzone "b.test";`, "2:14 the zone has no block"],
  [`options { };\ninclude "x"\n${good}`, '2:9 ";" is missing before "zone"'],
  [`${nsd}zone\n  name: b.test\n`, '6:1 "zone" is not a setting'],
  [`${nsd}  notify: 192.0.2.1 NOKEY\nzone\n  name: b.test\n`, '7:1 "zone" is not a setting'],
  [`${nsd}zones:\n  name: b.test\n`, '6:1 Knot and NSD have no section "zones"'],
  [`${nsd}  zones:\n  name: b.test\n`, '6:3 "zones" has no value'],
  [`${nsd}zone:\n  name b.test\n`, '7:3 "name" is not a setting'],
  [`${nsd}zone:\n  name: b.test extra\n`, '7:16 "extra" is one value too many'],
  [`${nsd}zone:\n  zonefile: b\n`, "6:1 the zone has no name"],
  [`${nsd}zone:\n  name: "b.test\n`, "7:9 the string is not closed"],
  ["zone:\n  - domain: [b.test, c.test]\n", '2:22 "c.test" is one value too many'],
  [`${knot}zone\n  - domain: c.test\n`, '3:1 "zone" is not a setting'],
  [`${knot}    file b\n`, '3:5 "file" is not a setting'],
  [`${knot}    acl: [a\n`, "3:5 the list is not closed"],
  [`${knot}zones:\n  - domain: c.test\n`, '3:1 Knot and NSD have no section "zones"'],
  [`${knot}    domain: b.test\n`, "3:5 the zone does not start a list item"],
  [`${knot}    default-ttl: soon\n`, '2:5 the default-ttl "soon" is not a time'],
];

test.each(broken)("the broken configuration %j is an error", (text, error) => {
  try {
    expect(readZoneList({ file: "main", text }, () => [])).toBe("an error");
  } catch (caught) {
    if (!(caught instanceof ProblemError)) throw caught;
    expect(caught.problems.map(({ place, summary }) => `${place?.line}:${place?.column} ${summary}`)).toEqual([error]);
  }
});

/** Unusual configurations that the server accepts. */
const accepted: readonly (readonly [text: string, names: string])[] = [
  ['zone "a.test" { type primary; file "a\nb"; };', "a.test"],
  ['zone "a.test" { in-view "x"; };', "a.test"],
  [`acl x { !{ 192.0.2.1; }; { any; }; };controls { inet 127.0.0.1 allow { any; } keys { k; }; };${good}`, "a.test"],
  [`options { response-policy { zone "r" policy given; } qname-wait-recurse no; };${good}`, "a.test"],
  ["server:\n  zonesdir: x\nzone:\n  name:\n    a.test\n  notify:\n  192.0.2.1 NOKEY\n  zonefile: a\n", "a.test"],
  [`${nsd}  name: b.test\n`, "b.test"],
  ["zone:\n- domain: a.test\n  file:\n", "a.test"],
];

test.each(accepted)("the configuration %j is read", (text, names) => {
  const zones = readZoneList({ file: "main", text }, () => []);
  expect(zones.map(({ name }) => name).join(" ")).toBe(names);
});
