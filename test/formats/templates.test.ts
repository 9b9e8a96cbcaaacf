import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { Problem } from "../../src/diagnostics/problem.ts";
import { placeOf, type Zone, type ZoneRecord } from "../../src/dns/zone/zone.ts";
import { TemplateFolder } from "../../src/formats/templates.ts";
import { digestDesired } from "../../src/planner/changes/digests.ts";
import { accept } from "../../src/targets/api/accept.ts";
import { apiSettings } from "../../src/targets/api/settings.ts";
import { domainName } from "../names.ts";
import { titled } from "../titles.ts";
import { formats, recordsText } from "./api.ts";

const folder = mkdtempSync(join(tmpdir(), "zonewright-templates-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const origin = domainName("example.com.");
let count = 0;

/** A zone file with templates, read and expanded. */
function expand(text: string, templates: Readonly<Record<string, string>>) {
  const path = join(folder, String(count++));
  mkdirSync(path);
  for (const [name, text] of Object.entries(templates)) writeFileSync(join(path, `${name}.yaml`), text);
  const { zone, problems } = formats.yaml.read({ file: "zones/example.com.yaml", bytes: Buffer.from(text), origin });
  const expanded = new TemplateFolder({ path, file: "templates" }, apiSettings).expand(zone);
  return { ...expanded, problems: [...problems, ...expanded.problems] };
}

/** The records of a zone, each on a line, sorted. */
function recordsOf(zone: Zone): string[] {
  return recordsText([zone]).trimEnd().split("\n").sort();
}

function shown({ id, summary, fix, place, via = [] }: Problem): string {
  const places = [place, ...via].map((one) => `${one?.file}:${one?.line}:${one?.column}`);
  return `${id} ${places.join(" ")} ${summary} | ${fix}`;
}

const mail = `parameters:
  host: { type: hostname, default: mx1 }
  addresses: list of ipv4
  priority: { type: integer, default: 10 }
  ttl: { type: ttl, default: 5m }
  spf: { type: text, default: "v=spf1 mx -all" }
  texts: { type: list of text, default: [] }
records:
  "@":
    MX: $(priority) $(host)
    TXT: [$(spf), $(texts)]
  $(host):
    A: { ttl_sec: $(ttl), values: $(addresses) }
  _dmarc: { TXT: "v=DMARC1; p=none; rua=mailto:dmarc@$(zone)" }
`;

test("parameters take their types, defaults and lists", () => {
  const text = "templates: { mail: { addresses: [192.0.2.1, 192.0.2.2], texts: one, ttl: 1h } }";
  const { zone, problems } = expand(text, { mail });
  expect(problems.map(shown)).toEqual([]);
  expect(recordsOf(zone)).toEqual([
    '_dmarc.example.com. 86400 IN TXT "v=DMARC1; p=none; rua=mailto:dmarc@example.com"',
    "example.com. 86400 IN MX 10 mx1.example.com.",
    'example.com. 86400 IN TXT "one"',
    'example.com. 86400 IN TXT "v=spf1 mx -all"',
    "mx1.example.com. 3600 IN A 192.0.2.1",
    "mx1.example.com. 3600 IN A 192.0.2.2",
  ]);
});

test.each([
  ["$$(host)", "$(host)"],
  ["$$(host", "$(host"],
  ["$$$(host)", "$$(host)"],
  ["$$($(host))", "$(mx1)"],
  ["$(host)$$(", "mx1$("],
  ["$5 $ ( $other {other}", "$5 $ ( $other {other}"],
])("in a template %s is the text %s", (written, text) => {
  const t = `parameters: { host: { type: hostname, default: mx1 } }\nrecords: { a: { TXT: ${JSON.stringify(written)} } }`;
  const { zone, problems } = expand("templates: [t]", { t });
  expect(problems.map(shown)).toEqual([]);
  expect(recordsOf(zone)).toEqual([`a.example.com. 86400 IN TXT "${text}"`]);
});

test("a record of a template has two places: in the template and where the template is used", () => {
  const text = "ttl_sec: 1h\ntemplates:\n  - mail: { addresses: 192.0.2.1 }\nrecords: { www: { A: 192.0.2.7 } }\n";
  const { zone, files } = expand(text, { mail });
  const shownPlace = (record: ZoneRecord) =>
    [placeOf(record), ...(record.source?.via ?? [])].map((at) => `${at?.file}:${at?.line}:${at?.column}`).join(" ");
  expect(zone.records.map((record) => `${record.owner} ${record.type} ${shownPlace(record)}`)).toEqual([
    "www.example.com. A zones/example.com.yaml:4:22",
    "example.com. MX templates/mail.yaml:10:9 zones/example.com.yaml:3:5",
    "example.com. TXT templates/mail.yaml:11:11 zones/example.com.yaml:3:5",
    "mx1.example.com. A templates/mail.yaml:13:35 zones/example.com.yaml:3:5",
    "_dmarc.example.com. TXT templates/mail.yaml:14:18 zones/example.com.yaml:3:5",
  ]);
  expect(files.map(({ file }) => file)).toEqual(["templates/mail.yaml"]);
});

const web = "ttl_sec: 1h\ntags: [web]\nrecords:\n  www: { A: 192.0.2.1 }\n  cdn: { CNAME: www }\n";
const other = "ttl_sec: 2h\nrecords: { www: { A: 192.0.2.2 }, old: { TXT: x } }\n";

/** Zone files beside the templates web, other and mail; the records and settings that come out. */
const good: [what: string, text: string, records: string[], settings?: object][] = [
  ["a list of names", "templates: [web]", ["cdn CNAME", "www A 192.0.2.1"], { ttl_sec: 3600, tags: ["web"] }],
  ["a name", "templates: web", ["cdn CNAME", "www A 192.0.2.1"]],
  ["nothing", "templates:\nrecords: { a: { A: 192.0.2.9 } }", ["a A 192.0.2.9"]],
  ["a map without parameters", "templates: { web: }", ["cdn CNAME", "www A 192.0.2.1"]],
  [
    "a setting of the zone",
    "templates: [web]\nttl_sec: 3h",
    ["cdn CNAME", "www A 192.0.2.1"],
    { ttl_sec: 10800, tags: ["web"] },
  ],
  [
    "settings that differ, and that of the zone",
    "templates: [web, other]\nttl_sec: 3h\nrecords: { www: { A: { override: true, values: 192.0.2.9 } } }",
    ["cdn CNAME", "old TXT", "www A 192.0.2.9"],
  ],
  [
    "an override",
    "templates: [web]\nrecords: { WWW: { A: { override: true, values: 192.0.2.9 } } }",
    ["cdn CNAME", "www A 192.0.2.9"],
  ],
  [
    "an override with nothing",
    "templates: [web]\nrecords: { www: { A: { override: true, values: [] } } }",
    ["cdn CNAME"],
  ],
  [
    "a CNAME that overrides",
    "templates: [web]\nrecords: { www: { CNAME: { override: true, values: cdn } } }",
    ["cdn CNAME", "www CNAME"],
  ],
  [
    "an address that overrides a CNAME",
    "templates: [web]\nrecords: { cdn: { A: { override: true, values: 192.0.2.9 } } }",
    ["cdn A 192.0.2.9", "www A 192.0.2.1"],
  ],
  [
    "other types at a name",
    "templates: [web]\nrecords: { www: { TXT: x } }",
    ["cdn CNAME", "www A 192.0.2.1", "www TXT"],
  ],
  [
    "a template twice",
    "templates: [{ mail: { addresses: [] } }, { mail: { host: mx2, addresses: 192.0.2.2 } }]\nrecords: { '@': { MX: { override: true, values: [10 mx1, 20 mx2] }, TXT: { override: true, values: x } }, _dmarc: { TXT: { override: true, values: [] } } }",
    ["@ MX", "@ MX", "@ TXT", "mx2 A 192.0.2.2"],
  ],
];

test.each(good)("expands %s", (_, text, records, settings) => {
  const { zone, problems } = expand(text, { web, other, mail });
  expect(problems.map(shown)).toEqual([]);
  const line = (record: string) => {
    const [owner = "", , , type = "", data = ""] = record.split(" ");
    const name = owner === "example.com." ? "@" : owner.replace(".example.com.", "");
    return type === "A" ? `${name} ${type} ${data}` : `${name} ${type}`;
  };
  expect(recordsOf(zone).map(line).sort()).toEqual(records);
  if (settings) expect(zone.settings).toEqual(settings);
});

/** Zone files with faults, and every problem in full. */
const bad: [text: string, templates: Readonly<Record<string, string>>, problems: string[]][] = [
  [
    "templates: [wep]",
    { web },
    [
      'template-unknown zones/example.com.yaml:1:13 there is no template "wep" (templates/wep.yaml) | Did you mean "web"?',
    ],
  ],
  [
    "templates: [x]",
    {},
    [
      'template-unknown zones/example.com.yaml:1:13 there is no template "x" (templates/x.yaml) | Create templates/x.yaml.',
    ],
  ],
  [
    "templates: [../web]",
    { web },
    ['template-unknown zones/example.com.yaml:1:13 "../web" cannot be the name of a template | Did you mean "web"?'],
  ],
  [
    "templates: [[web]]",
    { web },
    [
      "setting-value zones/example.com.yaml:1:13 `templates` contains a list within the list | Write `templates: [no-mail, { mail: { host: mx1 } }]`.",
    ],
  ],
  [
    "templates: { web: [x] }",
    { web },
    [
      'setting-value zones/example.com.yaml:1:19 the parameters of "web" must be a map | Write `templates: [no-mail, { mail: { host: mx1 } }]`.',
    ],
  ],
  [
    "templates: [mail]",
    { mail },
    [
      'template-parameter zones/example.com.yaml:1:13 the template "mail" needs the parameter "addresses" | Write `{ mail: { addresses: … } }` under `templates`, with a list, each an IPv4 address.',
    ],
  ],
  [
    "templates: { mail: { adresses: 192.0.2.1 } }",
    { mail },
    [
      'template-parameter zones/example.com.yaml:1:32 the template "mail" has no parameter "adresses" | Did you mean "addresses"?',
      'template-parameter zones/example.com.yaml:1:14 the template "mail" needs the parameter "addresses" | Write `{ mail: { addresses: … } }` under `templates`, with a list, each an IPv4 address.',
    ],
  ],
  [
    "templates: { mail: { addresses: [], host: mx 1, priority: -1, ttl: soon, spf: [a] } }",
    { mail },
    [
      'template-parameter zones/example.com.yaml:1:43 the parameter "host" of the template "mail" is "mx 1", which is not a host name such as "mx1" or "mx1.example.net." | Write `{ mail: { host: … } }` under `templates`, with a host name such as "mx1" or "mx1.example.net.".',
      'template-parameter zones/example.com.yaml:1:59 the parameter "priority" of the template "mail" is "-1", which is not a whole number from 0 to 4294967295 | Write `{ mail: { priority: … } }` under `templates`, with a whole number from 0 to 4294967295.',
      'template-parameter zones/example.com.yaml:1:68 the parameter "ttl" of the template "mail" is "soon", which is not a time such as 300 or 1h | Write `{ mail: { ttl: … } }` under `templates`, with a time such as 300 or 1h.',
      'template-parameter zones/example.com.yaml:1:74 the parameter "spf" of the template "mail" must be one value: a text | Write `{ mail: { spf: … } }` under `templates`, with a text.',
    ],
  ],
  [
    "templates: { mail: { addresses: { a: b } } }",
    { mail },
    [
      'template-parameter zones/example.com.yaml:1:22 the parameter "addresses" of the template "mail" must be a value or a list of values | Write a value, or a list of values. An empty string is `""`.',
    ],
  ],
  [
    "templates: [web]\nrecords: { www: { A: 192.0.2.9 } }",
    { web },
    [
      'template-conflict zones/example.com.yaml:2:22 www A is in the zone file (zones/example.com.yaml:2:22) and in the template "web" (templates/web.yaml:4:13) | Remove one of them, or let the zone file replace what templates give: `A: { override: true, values: … }`.',
    ],
  ],
  [
    "templates: [web]\nrecords: { www: { CNAME: cdn } }",
    { web },
    [
      'template-conflict zones/example.com.yaml:2:26 www: CNAME in the zone file (zones/example.com.yaml:2:26) and A in the template "web" (templates/web.yaml:4:13) cannot coexist | Remove one of them, or let the zone file replace what templates give: `CNAME: { override: true, values: … }`.',
    ],
  ],
  [
    "templates: [web, other]\nttl_sec: 1h",
    { web, other },
    [
      'template-conflict templates/other.yaml:2:22 zones/example.com.yaml:1:18 www A is in the template "web" (templates/web.yaml:4:13) and in the template "other" (templates/other.yaml:2:22) | Remove one of them, or let the zone file replace what templates give: `A: { override: true, values: … }`.',
    ],
  ],
  [
    "templates: [web, other]\nrecords: { www: { A: { override: true, values: [] } } }",
    { web, other },
    [
      'template-conflict templates/other.yaml:1:10 zones/example.com.yaml:1:18 ttl_sec: the templates "web" (templates/web.yaml:1:10) and "other" (templates/other.yaml:1:10) give different values | Write ttl_sec in the zone file, which takes precedence, or in one of the templates.',
    ],
  ],
  [
    "records: { www: { A: { override: true, values: 192.0.2.9 } } }",
    {},
    [
      "override-unused zones/example.com.yaml:1:24 www A: no template gives records that this would override | Remove `override`.",
    ],
  ],
  [
    "records: { www: { A: { override: yes, values: 192.0.2.9 } } }",
    {},
    ["value-shape zones/example.com.yaml:1:34 www A: `override` must be true or false | Write `override: true`."],
  ],
  [
    "templates: [t]",
    { t: "templates: [web]\nrecords: {}" },
    [
      "template-syntax templates/t.yaml:1:1 zones/example.com.yaml:1:13 a template cannot use templates | List both in the zones that need them.",
    ],
  ],
  [
    "templates: [t]",
    { t: "[a]" },
    [
      "template-syntax templates/t.yaml:1:1 zones/example.com.yaml:1:13 the template has no records | Write `records:`, with names and types as in a zone file.",
    ],
  ],
  [
    "templates: [t]",
    { t: "zone: example.com" },
    [
      'unknown-key templates/t.yaml:1:1 zones/example.com.yaml:1:13 "zone" is not a key of a template | Write it in the zone files that use the template.',
    ],
  ],
  [
    "templates: [t]",
    { t: "parameters: { zone: text }" },
    [
      'template-syntax templates/t.yaml:1:15 zones/example.com.yaml:1:13 "zone" cannot be the name of a parameter | `$(zone)` is the name of the zone that uses the template.',
    ],
  ],
  [
    "templates: [t]",
    { t: "parameters: { a: host }" },
    [
      'template-syntax templates/t.yaml:1:18 zones/example.com.yaml:1:13 "host" is not a type of parameters | Did you mean "hostname"?',
    ],
  ],
  [
    "templates: [t]",
    { t: "parameters: { a: { default: b } }" },
    [
      'template-syntax templates/t.yaml:1:15 zones/example.com.yaml:1:13 the parameter "a" has no type | Write `parameters: { host: { type: hostname, default: mx1 } }`.',
    ],
  ],
  [
    "templates: [t]",
    { t: "parameters: { a: { type: ipv4, default: b } }" },
    [
      'template-syntax templates/t.yaml:1:41 zones/example.com.yaml:1:13 the default of "a" is "b", which is not an IPv4 address | Write `default:` with an IPv4 address.',
    ],
  ],
  [
    "templates: [t]",
    { t: "parameters: { a: { type: text, default: $(b) } }" },
    [
      'template-syntax templates/t.yaml:1:41 zones/example.com.yaml:1:13 the default of "a" contains $(b) | A default can use only $(zone).',
    ],
  ],
  [
    "templates: [t]",
    { t: "records: { www: { A: $(adress) } }\nparameters: { address: { type: ipv4, default: 192.0.2.1 } }" },
    [
      'template-parameter templates/t.yaml:1:22 zones/example.com.yaml:1:13 the template has no parameter "adress" | Did you mean "$(address)"?',
    ],
  ],
  [
    "templates: [t]",
    { t: "records: { $(x): { CNAME: $(x) } }\nparameters: { x: { type: text, default: a } }" },
    [
      'template-parameter templates/t.yaml:1:12 zones/example.com.yaml:1:13 the text parameter "x" is used where its value could be read as several words | Give it the type `hostname`.',
      'template-parameter templates/t.yaml:1:27 zones/example.com.yaml:1:13 the text parameter "x" is used where its value could be read as several words | Give it the type `hostname`.',
    ],
  ],
  [
    "templates: [t]",
    {
      t: "records: { $(x): { TXT: $(x) $(y) } }\nparameters: { x: { type: list of hostname, default: a }, y: { type: list of text, default: b } }",
    },
    [
      'template-parameter templates/t.yaml:1:12 zones/example.com.yaml:1:13 the list parameter "x" is used where one value is needed | Use a list in the values of an RRset, or in a setting that is a list.',
      'template-parameter templates/t.yaml:1:25 zones/example.com.yaml:1:13 "$(x)" and "$(y)" are both lists | Use one list in a value.',
    ],
  ],
  [
    "templates: [t]",
    { t: "records: { www: { A: { override: true, values: 192.0.2.1 } } }" },
    [
      "template-syntax templates/t.yaml:1:24 zones/example.com.yaml:1:13 a template cannot override records | Remove `override` here. Only a zone file can override records.",
    ],
  ],
  [
    "templates: [t]",
    { t: 'records: { "@": { SOA: ns1 a 1 1h 1h 1w 1h } }' },
    [
      "template-syntax templates/t.yaml:1:24 zones/example.com.yaml:1:13 a template cannot have an SOA record | Write settings such as `soa_email` instead.",
    ],
  ],
  [
    "templates: [t]",
    { t: "records: { www: { MX: 10 } }" },
    [
      "field-missing templates/t.yaml:1:23 zones/example.com.yaml:1:13 www: MX record has no exchange | An MX record is `preference exchange`, for example `10 mail.example.net.`.",
    ],
  ],
  [
    "templates: [t]",
    { t: "records: { www: { A: [192.0.2.1 }" },
    [
      "yaml-syntax templates/t.yaml:1:22 zones/example.com.yaml:1:13 invalid YAML: this [ is not closed | Add the ] that closes it.",
    ],
  ],
];

/** Shapes of `templates:` and of the template t, with every problem in short. */
const shapes: [text: string, template: string, problems: string[]][] = [
  ["templates: [{}]", web, ["1:13 `templates` contains an empty item"]],
  ["templates: [~, t]", web, ["1:13 `templates` contains an empty item"]],
  ["templates: [t, { t: }]", web, ['1:18 the template "t" is listed twice with the same parameters']],
  [
    "templates: [{ t: { a: [] } }, { t: { a: x.a } }]",
    "parameters: { a: list of hostname }\nrecords: { b: { TXT: x } }",
    [
      't:2:22 b TXT comes twice from the template "t" (templates/t.yaml:2:22): it is used at zones/example.com.yaml:1:15 and zones/example.com.yaml:1:33',
    ],
  ],
  ["templates: t, web", web, ['1:12 "t, web" cannot be the name of a template']],
  ["templates: t t", web, ['1:12 "t t" cannot be the name of a template']],
  ["templates: [t.yaml]", web, ['1:13 there is no template "t.yaml" (templates/t.yaml.yaml)']],
  ["templates: [__proto__]", web, ['1:13 there is no template "__proto__" (templates/__proto__.yaml)']],
  [
    "templates: [{ name: t, parameters: { a: b } }]",
    web,
    ["1:13 `templates` names a template by its key, not by `name`"],
  ],
  ["templates: &t [*t]", web, ['1:16 the alias "*t" is inside the value of its own anchor']],
  ["templates: [t]\noverride: true", web, ['2:1 "override" is not a zone setting']],
  [
    "templates: [t]\nrecords: { www: { A: { override: [true], values: 192.0.2.1 } } }",
    web,
    ["2:34 www A: `override` must be true or false"],
  ],
  ["templates: [t]", "{}", ["t:1:1 the template has no records"]],
  ["templates: [t]", "www A 192.0.2.1\n", ["t:1:1 the template is a BIND zone file, not YAML"]],
  ["templates: [t]", "\0\0\0\0\0", ["t:1:1 the file contains binary data"]],
  ["templates: [t]", "www: { A: 192.0.2.1 }\nmail: { A: 192.0.2.2 }", ['t:1:1 "www" is not a key of a template']],
  [
    "templates: [t]",
    "parameters: { a: { type: text, default: [{}] } }",
    ['t:1:41 the default of "a" must be a value or a list of values'],
  ],
  [
    "templates: [t]",
    "parameters: { a: { type: text, default: b, description: [] } }",
    ['t:1:57 the description of "a" must be a text'],
  ],
  ["templates: [t]", "parameters: { __proto__: text }", ['t:1:15 "__proto__" cannot be the name of a parameter']],
  ["templates: [t]", "records: { www: { TXT: $(zone } }", ['t:1:24 "$(zone" is not closed']],
  ["templates: [t]", "records: { www: { $(zone): a } }", ['t:1:19 www: "$(zone)" is not a record type']],
  ["templates: [t]", "records: &r { a: *r }", ['t:1:18 the alias "*r" is inside the value of its own anchor']],
];

test.each(shapes)("refuses %j with the template %j", (text, t, expected) => {
  const { problems } = expand(text, { t });
  expect(problems.filter(({ fix }) => !fix)).toEqual([]);
  const short = ({ summary, place }: Problem) =>
    `${place?.file === "templates/t.yaml" ? "t:" : ""}${place?.line}:${place?.column} ${summary}`;
  expect(problems.map(short)).toEqual(expected);
});

/** A value with the text parameter x where a word is needed, the value of x, the fix, and the template once fixed. */
const misplacedTexts: [set: string, value: string, fix: string, fixed: string][] = [
  ["A: $(x)", "192.0.2.1", "Give it the type `ipv4`.", "ipv4 A: $(x)"],
  [
    "A: [192.0.2.9, $(x)]",
    "[192.0.2.1, 192.0.2.2]",
    "Give it the type `list of ipv4`.",
    "list of ipv4 A: [192.0.2.9, $(x)]",
  ],
  ["AAAA: { ttl_sec: 1h, values: $(x) }", "2001:db8::1", "Give it the type `ipv6`.", "ipv6 AAAA: $(x)"],
  [
    "A: { ttl_sec: $(x), values: 192.0.2.1 }",
    "5m",
    "Give it the type `ttl`.",
    "ttl A: { ttl_sec: $(x), values: 192.0.2.1 }",
  ],
  ["CNAME: $(x)", "a.test.", "Give it the type `hostname`.", "hostname CNAME: $(x)"],
  ["MX: $(x) a.test.", "10", "Give it the type `integer`.", "integer MX: $(x) a.test."],
  ["MX: { preference: 10, exchange: $(x) }", "a.test.", "Give it the type `hostname`.", "hostname MX: 10 $(x)"],
  [
    "MX: $(x)",
    "10 a.test.",
    "Use a parameter of another type for each word of its value.",
    "hostname=a.test. MX: 10 $(x)",
  ],
  ["CAA: $(x) issue a.test", "0", "Give it the type `integer`.", "integer CAA: $(x) issue a.test"],
  [
    "CAA: 0 issue $(x)",
    "a.test",
    "Give it the type `hostname`, or write the value as an object with its fields.",
    "hostname CAA: 0 issue $(x)",
  ],
  [
    "CAA: 0 issue $(x)",
    "a.test",
    "Give it the type `hostname`, or write the value as an object with its fields.",
    "text CAA: { flags: 0, tag: issue, value: $(x) }",
  ],
  [
    "CAA: 0 issue $(x)",
    "a.test; policy=ev",
    "Write the value as an object with its fields.",
    "text CAA: { flags: 0, tag: issue, value: $(x) }",
  ],
];

test.each(misplacedTexts)("the fix for the text parameter in %j with %j is valid: %s %s", (set, value, fix, fixed) => {
  const problemsOf = (type: string, set: string, value: string) => {
    const isList = value.startsWith("[") && !type.startsWith("list of ");
    const t = `parameters: { x: ${isList ? "list of " : ""}${type} }\nrecords: { a: { ${set} } }`;
    return expand(`templates: { t: { x: ${value} } }`, { t }).problems;
  };
  expect(problemsOf("text", set, value).map((found) => found.fix)).toEqual([fix]);
  const [, type = "", given = value, fixedSet = ""] = /^([a-z0-9 ]+)(?:=(\S+))? ([A-Z]+: .*)$/.exec(fixed) ?? [];
  expect(problemsOf(type, fixedSet, given)).toEqual([]);
});

test("a text parameter can be the label of a node", () => {
  const t =
    "parameters: { host: text, inner: { type: text, default: TRUE }, more: list of text }\n" +
    "records: { a: { A: [ { node: $(host), private: $(inner) }, { node: $(more) } ], AAAA: { node: $(host)-2 } } }";
  const { zone, problems } = expand("templates: { t: { host: web-1, more: [web-3, web-4] } }", { t });
  expect(problems).toEqual([]);
  expect(zone.records.map(({ type, node }) => [type, node?.label, node?.isPrivate])).toEqual([
    ["A", "web-1", true],
    ["A", "web-3", false],
    ["A", "web-4", false],
    ["AAAA", "web-1-2", false],
  ]);
});

test("parameters may have the names of keywords", () => {
  const t =
    "parameters: { constructor: text, records: text, type: text }\nrecords: { a: { TXT: $(constructor)$(records)$(type) } }";
  const { zone, problems } = expand("templates: { t: { constructor: x, records: y, type: z } }", { t });
  expect(problems).toEqual([]);
  expect(recordsOf(zone)).toEqual(['a.example.com. 86400 IN TXT "xyz"']);
});

test("refuses templates outside the folder, templates that are not files, and long lists of them", () => {
  const path = join(folder, "linked");
  mkdirSync(path);
  writeFileSync(join(folder, "outside.yaml"), web);
  symlinkSync(join(folder, "outside.yaml"), join(path, "web.yaml"));
  // Also covers a named pipe, on which a reader would wait.
  mkdirSync(join(path, "pipe.yaml"));
  const text = "templates: [web, pipe]";
  const { zone } = formats.yaml.read({ file: "zones/example.com.yaml", bytes: Buffer.from(text), origin });
  const expanded = new TemplateFolder({ path, file: "templates" }, apiSettings).expand(zone);
  expect(expanded.problems.map(({ summary }) => summary)).toEqual([
    "the template templates/web.yaml cannot be read: it is a link out of its folder",
    "the template templates/pipe.yaml cannot be read: it is a folder",
  ]);
  expect(expanded.zone.records).toEqual([]);
  const list = Array.from({ length: 1001 }, () => "192.0.2.1").join(", ");
  expect(
    expand(`templates: { mail: { addresses: [${list}] } }`, { mail }).problems.map(({ summary }) => summary),
  ).toEqual(['the parameter "addresses" of the template "mail" has 1001 values; the limit is 1000']);
});

test.each(titled(bad, ([text, templates]) => `reports ${JSON.stringify(text)} with ${JSON.stringify(templates)}`))(
  "%s",
  (_, text, templates, problems) => {
    expect(expand(text, templates).problems.map(shown)).toEqual(problems);
  },
);

/** A value of a generated RRset: as a zone file has it, and as a template has it with a parameter. */
interface Written {
  readonly plain: string;
  readonly inTemplate: string;
  readonly parameter?: { readonly type: string; readonly value: unknown };
}

const address = fc.integer({ min: 1, max: 254 }).map((last) => `192.0.2.${last}`);
const host = fc.constantFrom("mx1", "www", "a.b", "other.example.net.", "@");
const anyText = fc.string({ unit: "binary", minLength: 1, maxLength: 40 });
const quote = (text: string) =>
  JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\ufeff]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

function written(type: string, value: fc.Arbitrary<unknown>, wrap = (text: string) => text): fc.Arbitrary<Written> {
  return fc.tuple(value, fc.boolean()).map(([value, isParameter]) => {
    const text = String(value);
    const escaped = text.replaceAll("$(", "$$$$(");
    if (!isParameter) return { plain: quote(wrap(text)), inTemplate: quote(wrap(escaped)) };
    return { plain: quote(wrap(text)), inTemplate: quote(wrap("$(NAME)")), parameter: { type, value } };
  });
}

const valuesOf: Readonly<Record<string, fc.Arbitrary<Written>>> = {
  A: written("ipv4", address),
  MX: fc.oneof(
    written("hostname", host, (text) => `10 ${text}`),
    written("integer", fc.nat(65535), (text) => `${text} mx1`),
  ),
  TXT: written("text", anyText),
  CNAME: written("hostname", host),
};

/** RRsets of one zone, each in the zone file (0) or in one of two templates. */
const world = fc
  .uniqueArray(
    fc.record({
      owner: fc.constantFrom("@", "www", "mx1", "a.b", "*.dev"),
      type: fc.constantFrom("A", "MX", "TXT"),
      source: fc.nat(2),
      ttl: fc.option(fc.constantFrom("5m", "1h"), { nil: undefined }),
      isList: fc.boolean(),
    }),
    { selector: ({ owner, type }) => `${owner} ${type}`, maxLength: 8 },
  )
  .chain((sets) =>
    fc.tuple(
      ...sets.map((set) =>
        fc
          .array(valuesOf[set.type] as fc.Arbitrary<Written>, { minLength: 1, maxLength: set.type === "A" ? 1 : 3 })
          .map((values) => ({ ...set, values })),
      ),
    ),
  );

type Sets = typeof world extends fc.Arbitrary<infer S> ? S : never;

/** A file with these RRsets; `write` gives the text of each value. */
function fileOf(sets: Sets, head: string, write: (value: Written) => string): string {
  const owners = [...new Set(sets.map(({ owner }) => owner))];
  const lines = owners.flatMap((owner) => [
    `  "${owner}":`,
    ...sets
      .filter((set) => set.owner === owner)
      .map(({ type, ttl, values }) => {
        const list = `[${values.map(write).join(", ")}]`;
        return `    ${type}: ${ttl === undefined ? list : `{ ttl_sec: ${ttl}, values: ${list} }`}`;
      }),
  ]);
  return `${head}\nrecords:${lines.length === 0 ? " {}" : `\n${lines.join("\n")}`}\n`;
}

/** The same zone twice: with templates, and written out by hand. */
function filesOf(sets: Sets) {
  const uses: string[] = [];
  const templates = Object.fromEntries(
    [1, 2].map((source) => {
      const declared: string[] = [];
      const given: string[] = [];
      const inTemplate = ({ inTemplate, parameter }: Written) => {
        if (!parameter) return inTemplate;
        const name = `p${declared.length}`;
        declared.push(`${name}: ${parameter.type}`);
        given.push(`${name}: ${typeof parameter.value === "string" ? quote(parameter.value) : parameter.value}`);
        return inTemplate.replace("NAME", name);
      };
      const ofSource = sets.filter((set) => set.source === source);
      const text = fileOf(ofSource, "", inTemplate);
      uses.push(`t${source}: { ${given.join(", ")} }`);
      return [`t${source}`, `parameters: { ${declared.join(", ")} }${text}`];
    }),
  );
  const own = sets.filter(({ source }) => source === 0);
  const zone = fileOf(own, `ttl_sec: 2h\ntemplates: { ${uses.join(", ")} }`, ({ plain }) => plain);
  return { zone, templates, byHand: fileOf(sets, "ttl_sec: 2h", ({ plain }) => plain) };
}

describe("properties", () => {
  test("an expanded zone equals one written by hand, each record with its place in its own file", () => {
    fc.assert(
      fc.property(world, (sets) => {
        const { zone, templates, byHand } = filesOf(sets);
        const expanded = expand(zone, templates);
        const { zone: expected, problems } = expand(byHand, {});
        const ids = (list: readonly Problem[]) => list.map(({ id }) => id).sort();
        expect(ids(expanded.problems)).toEqual(ids(problems));
        expect(recordsOf(expanded.zone)).toEqual(recordsOf(expected));
        expect(expanded.zone.settings).toEqual(expected.settings);
        for (const { owner, type, source } of expanded.zone.records) {
          const set = sets.find(
            (set) =>
              set.type === type && domainName(`${set.owner === "@" ? "" : `${set.owner}.`}example.com.`) === owner,
          );
          expect(source?.file).toBe(set?.source === 0 ? "zones/example.com.yaml" : `templates/t${set?.source}.yaml`);
          expect(source?.via.map(({ file, line }) => `${file}:${line}`)).toEqual(
            set?.source === 0 ? [] : ["zones/example.com.yaml:2"],
          );
        }
      }),
    );
  });

  test("the expansion, written as YAML or as a master file, reads as a zone with the same plan", () => {
    fc.assert(
      fc.property(world, (sets) => {
        const { zone, templates } = filesOf(sets);
        const expanded = expand(zone, templates).zone;
        const planned = ({ zone }: { zone: Zone }) => digestDesired(accept(zone).desired);
        for (const { name, endings, write, read } of Object.values(formats)) {
          const bytes = Buffer.from(write(expanded), name === "bind" ? "latin1" : "utf8");
          expect(planned(read({ file: `example.com${endings[0]}`, bytes, origin }))).toEqual(
            planned({ zone: expanded }),
          );
        }
      }),
    );
  });

  test("an RRset that comes from two places is a conflict with both places, unless the zone overrides it", () => {
    fc.assert(
      fc.property(world, fc.boolean(), (sets, isOverride) => {
        const ofTemplate = sets.map((set) => ({ ...set, source: 1 }));
        // One RRset for each owner that is in the zone file, too.
        const twice = sets.filter((set, index) => sets.findIndex(({ owner }) => owner === set.owner) === index);
        const lines = twice.map(({ owner, type, values: [first] }) => {
          return `"${owner}": { ${type}: { override: ${isOverride}, values: ${first?.plain} } }`;
        });
        const { zone, templates } = filesOf(ofTemplate);
        const { problems } = expand(zone.replace("records: {}", `records: { ${lines.join(", ")} }`), templates);
        const conflicts = problems.filter(({ id }) => id === "template-conflict").map(({ summary }) => summary);
        const of = ({ owner, type }: Sets[number]) => `${owner} ${type} is in the zone file (zones/example.com.yaml:`;
        const expected = isOverride ? [] : twice.map(of);
        expect(conflicts.map((summary) => expected.findIndex((start) => summary.startsWith(start))).sort()).toEqual(
          expected.map((_, index) => index),
        );
        for (const summary of conflicts)
          expect(summary).toMatch(/ and in the template "t1" \(templates\/t1\.yaml:\d+:\d+\)$/);
        expect(problems.filter(({ id }) => id === "override-unused")).toEqual([]);
      }),
    );
  });

  const guarded = `parameters: { hostname: { type: hostname, default: h }, ipv4: { type: ipv4, default: 192.0.2.1 }, ipv6: { type: ipv6, default: "::1" }, integer: { type: integer, default: 7 }, ttl: { type: ttl, default: 1h }, text: { type: text, default: t } }
records:
  "@":
    MX: $(integer) $(hostname).example.net.
    CAA: { tag: iodef, value: $(text) }
    TXT: [$(text), [a, $(text)], "v=spf1 a:$(hostname) $(text)"]
    HTTPS: 1 . ipv4hint=$(ipv4) ipv6hint=$(ipv6)
  x-$(hostname)-$(integer): { A: { ttl_sec: $(ttl), values: $(ipv4) }, AAAA: $(ipv6), TXT: "$(hostname)" }
`;
  const shapeOf = ({ records }: Zone) => records.map(({ type }) => type);
  const shape = shapeOf(expand("templates: [guarded]", { guarded }).zone);
  const hostile = fc.oneof(
    anyText,
    fc.constantFrom(
      "a b",
      '"',
      '" "',
      "a\n  b: c",
      "a\nrecords: {}",
      "x, y",
      "]",
      "}",
      "\\",
      "\\032",
      ";",
      "(",
      "@",
      ".",
      "$(text)",
      "$$(text)",
      "*",
      "&a",
      "<<",
      "a: b",
      "- a",
      "# a",
      "!!str a",
      "::",
      "1h",
      "1e3",
      "0x10",
      "a.",
      "a..b",
      "192.0.2.1 192.0.2.2",
      "\u3002",
      "ａ",
    ),
  );

  test("no value of a parameter changes other records", () => {
    expect(shape).toEqual(["MX", "CAA", "TXT", "TXT", "TXT", "HTTPS", "A", "AAAA", "TXT"]);
    fc.assert(
      fc.property(fc.constantFrom("hostname", "ipv4", "ipv6", "integer", "ttl", "text"), hostile, (name, value) => {
        const { zone, problems } = expand(`templates: { guarded: { ${name}: ${quote(value)} } }`, { guarded });
        const errors = problems.filter(({ severity }) => severity === "error");
        if (errors.length === 0) expect(shapeOf(zone)).toEqual(shape);
        else if (errors.some(({ id }) => id === "template-parameter")) expect(zone.records).toEqual([]);
        else expect(new Set(errors.map(({ id }) => id))).toEqual(new Set(["name-syntax"])); // too long with the rest of the name
      }),
      { numRuns: 300 },
    );
  });
});
