import { expect, test } from "vitest";
import { parse } from "yaml";
import { readAcks } from "../../src/config/acks.ts";
import { readPlainSettings } from "../../src/config/plain-settings.ts";
import { type Problem, ProblemError } from "../../src/diagnostics/problem.ts";
import { SourceText } from "../../src/diagnostics/source-text.ts";
import { readConfig } from "../formats/api.ts";
import { titled } from "../titles.ts";

const guards = {
  zone_deletes_least: 3,
  zone_deletes_percent: 10,
  zone_deletes_most: 50,
  zone_creates_least: 25,
  zone_creates_percent: 50,
  zone_creates_most: 200,
  run_deletes: 25,
  run_zones: 5,
  expire_sec_least: 86_400,
};
const base = {
  zones: "zones",
  templates: "templates",
  defaults: {},
  policy: { strict: false },
  rules: {},
  nameservers: [],
};
const defaults = { ...base, manage: "all", ignore: [], guards };

const good: [what: string, text: string, config: object][] = [
  ["nothing", "", defaults],
  ["a comment", "# later\n", defaults],
  ["an address", "api_url: https://api.example.com\n", { ...defaults, api_url: "https://api.example.com" }],
  ["words", "api_words: live\n", { ...defaults, api_words: "live" }],
  ["open records", "api_records: open\n", { ...defaults, api_records: "open" }],
  ["a folder", "zones: dns\n", { ...defaults, zones: "dns" }],
  ["folders", "zones: [dns, lab]\n", { ...defaults, zones: ["dns", "lab"] }],
  [
    "a folder of octoDNS",
    "zones: [dns, { path: octo, format: octodns }]\n",
    { ...defaults, zones: ["dns", { path: "octo", format: "octodns" }] },
  ],
  [
    "a folder of octoDNS alone",
    "zones: { path: o, format: octodns }\n",
    { ...defaults, zones: { path: "o", format: "octodns" } },
  ],
  [
    "times as numbers and texts",
    "defaults: { ttl_sec: 300, retry_sec: 1h30m, expire_sec: '1209600' }\n",
    {
      ...defaults,
      defaults: { ttl_sec: 300, retry_sec: "1h30m", expire_sec: "1209600" },
    },
  ],
  ["a policy", "policy: { strict: true }\n", { ...defaults, policy: { strict: true } }],
  [
    "name servers",
    "nameservers: [ns1.example.net, ns2.example.net.]\n",
    {
      ...defaults,
      nameservers: ["ns1.example.net", "ns2.example.net."],
    },
  ],
  ["a threshold", "guards: { run_zones: 0 }\n", { ...defaults, guards: { ...guards, run_zones: 0 } }],
  [
    "a scope",
    "manage: listed\nignore: [{ name: '*.dyn', type: A, reason: leases, until: 2027-01-31 }]\n",
    {
      ...defaults,
      manage: "listed",
      ignore: [{ name: "*.dyn", type: "A", reason: "leases", until: "2027-01-31" }],
    },
  ],
  [
    "anchors",
    "defaults: { ttl_sec: &time 1h, retry_sec: *time }\n",
    {
      ...defaults,
      defaults: { ttl_sec: "1h", retry_sec: "1h" },
    },
  ],
];

test.each(good)("reads %s", (_, text, config) => {
  expect(readConfig("zonewright.yaml", text).config).toEqual(config);
});

/** A rule, its place as line:column+length, and its text. */
const bad: [text: string, ...said: string[]][] = [
  [
    "api_url: api.example.com",
    "config-value 1:10+15 api_url must be a URL such as https://api.example.com | Write `api_url: https://api.example.com`.",
  ],
  [
    "api_url: ftp://api.example.com",
    "config-value 1:10+21 api_url must be a URL such as https://api.example.com | Write `api_url: https://api.example.com`.",
  ],
  [
    "api_url: 5",
    "config-value 1:10+1 api_url must be a URL such as https://api.example.com | Write `api_url: https://api.example.com`.",
  ],
  ["api_words: hosted", "config-value 1:12+6 api_words must be documented or live | Write `api_words: documented`."],
  ["api_records: all", "config-value 1:14+3 api_records must be documented or open | Write `api_records: documented`."],
  ["manage: some", "config-value 1:9+4 manage must be all or listed | Write `manage: all`."],
  [
    "guards: { run_zones: -1 }",
    "config-value 1:22+2 guards.run_zones must be a whole number from 0 to 1000000 | Write `run_zones: 5`.",
  ],
  [
    "guards: { zone_deletes: 3 }",
    'unknown-key 1:11+12 "guards.zone_deletes" is not a setting | Did you mean "zone_deletes_least"?',
  ],
  [
    "ignore: [{ reason: all }]",
    "config-value 1:10+15 ignore entry 1 needs a name, a type or a value | Write `ignore: [{ name: _acme-challenge, type: TXT, reason: the ACME client writes it }]`.",
  ],
  ["ignore: [{ type: A }]", "config-value 1:10+11 ignore entry 1: reason must be a string"],
  [
    "ignore: [{ type: A, reason: r, until: 2027-02-30 }]",
    "config-value 1:39+10 ignore entry 1: until must be a day such as 2027-01-31",
  ],
  [
    "ignore: [{ type: A, reason: r, owner: www }]",
    'unknown-key 1:32+5 ignore entry 1: "owner" is not a setting | Known keys: name, type, value, reason, until.',
  ],
  [
    "zones: 3",
    "config-value 1:8+1 zones must be a folder, { path, targets, format: octodns, default_ttl, split_extension }, or a list of them | Write `zones: zones`.",
  ],
  [
    "zones: [1]",
    "config-value 1:8+3 zones must be a folder, { path, targets, format: octodns, default_ttl, split_extension }, or a list of them | Write `zones: zones`.",
  ],
  [
    "zones: []",
    "config-value 1:8+2 zones must be a folder, { path, targets, format: octodns, default_ttl, split_extension }, or a list of them | Write `zones: zones`.",
  ],
  [
    "zones: { path: dns, format: bind }",
    "config-value 1:8+27 zones must be a folder, { path, targets, format: octodns, default_ttl, split_extension }, or a list of them | Write `zones: zones`.",
  ],
  [
    "zones: [{ format: octodns }]",
    "config-value 1:8+21 zones must be a folder, { path, targets, format: octodns, default_ttl, split_extension }, or a list of them | Write `zones: zones`.",
  ],
  ["defaults: 1h", "config-value 1:11+2 defaults must be a map of settings such as ttl_sec"],
  [
    "defaults: { ttl_sec: soon }",
    "config-value 1:22+4 defaults.ttl_sec must be a time such as 3600 or 1h | Write `ttl_sec: 1h`.",
  ],
  [
    "defaults: { ttl_sec: -1 }",
    "config-value 1:22+2 defaults.ttl_sec must be a time such as 3600 or 1h | Write `ttl_sec: 1h`.",
  ],
  [
    "defaults: { ttl_sec: 1.5 }",
    "config-value 1:22+3 defaults.ttl_sec must be a time such as 3600 or 1h | Write `ttl_sec: 1h`.",
  ],
  [
    "defaults: { ttl_sec: 3000000000 }",
    "config-value 1:22+10 defaults.ttl_sec must be a time such as 3600 or 1h | Write `ttl_sec: 1h`.",
  ],
  ["defaults: { soa_email: 3 }", "config-value 1:24+1 defaults.soa_email must be a string"],
  ["defaults: { tags: shop }", "config-value 1:19+4 defaults.tags must be a list of strings"],
  ["defaults: { tags: [1] }", "config-value 1:20+1 defaults.tags entry 1 must be a string"],
  ["defaults: { ttl: 1h }", 'unknown-key 1:13+3 "defaults.ttl" is not a setting | Did you mean "ttl_sec"?'],
  ["policy: [strict]", "config-value 1:9+8 policy must be a map of settings such as strict"],
  ["policy: { strict: yes }", "config-value 1:19+3 policy.strict must be true or false | Write `strict: true`."],
  [
    "nameservers: ns1.example.net",
    "config-value 1:14+15 nameservers must be a list of names such as ns1.example.com | Write `nameservers: [ns1.example.com, ns2.example.com]`.",
  ],
  [
    "nameservers: [a..b]",
    "config-value 1:15+4 nameservers entry 1 must be a list of names such as ns1.example.com | Write `nameservers: [ns1.example.com, ns2.example.com]`.",
  ],
  ["- zones", "config-value 1:1+7 the file must be a map of settings such as zones"],
  [
    "zonse: dns\napi_rul: https://api.example.com",
    'unknown-key 1:1+5 "zonse" is not a setting | Did you mean "zones"?',
    'unknown-key 2:1+7 "api_rul" is not a setting | Did you mean "api_url"?',
  ],
  [
    "colour: red",
    'unknown-key 1:1+6 "colour" is not a setting | Known keys: api_url, api_words, api_records, targets, zones, templates, defaults, policy, rules, manage, ignore, guards, nameservers.',
  ],
  [
    "api_token: abc",
    'unknown-key 1:1+9 "api_token" is not a setting | Set ZONEWRIGHT_TOKEN, or ZONEWRIGHT_TOKEN_FILE to a file that contains it. Do not keep secrets in the config.',
  ],
  [
    "zones: a\n# two\nzones: b",
    'duplicate-key 3:1+5 the key "zones" is already set in line 1 | Merge the two, or remove one.',
  ],
  [
    "defaults:\n  ttl_sec: 1h\n  ttl_sec: 2h",
    'duplicate-key 3:3+7 the key "ttl_sec" is already set in line 2 | Merge the two, or remove one.',
  ],
  ["zones: *dns", "yaml-alias 1:8+4 the anchor &dns is not defined before this alias | Write the value itself."],
  [
    "zones: 'a\ntemplates: b\n",
    "config-syntax 1:8+1 invalid YAML: this quote is not closed | Add the quote at the end of the value.",
  ],
  ["zones: [a", "config-syntax 1:8+1 invalid YAML: this [ is not closed | Add the ] that closes it."],
  ["zones: a\n---\nzones: b", "config-syntax 2:1+3 the file contains more than one YAML document | Keep one."],
  [
    `a: &a [x,x,x,x,x,x,x,x,x]\n${[..."bcdefg"].map((key, index) => `${key}: &${key} [${Array(9).fill(`*${"abcdef"[index]}`)}]`).join("\n")}`,
    "config-syntax 1:1+1 invalid YAML: Excessive alias count indicates a resource exhaustion attack | Write the values themselves instead of aliases.",
  ],
];

test.each(titled(bad, ([text]) => `rejects ${text}`))("%s", (_, text, ...said) => {
  expect(problems(text).map(brief)).toEqual(said);
});

test("a value that a fix says to write is valid", () => {
  const said = bad.flatMap(([text, ...messages]) =>
    messages.flatMap((message) => {
      const advice = / \| Write `(.*)`\.$/.exec(message)?.[1];
      return advice === undefined ? [] : [{ text, advice }];
    }),
  );
  expect(said.length).toBeGreaterThan(15);
  for (const { text, advice } of said) {
    const [, key = "", inner] = /^(\w+): (?:\{ (\w+): .*\})?/.exec(text) ?? [];
    expect(problems(inner !== undefined && advice.startsWith(`${inner}: `) ? `${key}: { ${advice} }` : advice)).toEqual(
      [],
    );
  }
});

test("reports the place of each setting", () => {
  const { placeOf } = readConfig("zonewright.yaml", "zones: dns\ndefaults:\n  soa_email: a@b.example\n");
  expect(placeOf("defaults", "soa_email")).toEqual({ file: "zonewright.yaml", line: 3, column: 14, length: 11 });
  expect(placeOf("defaults", "ttl_sec")).toBeUndefined();
});

function problems(text: string): readonly Problem[] {
  try {
    readConfig("zonewright.yaml", text);
  } catch (error) {
    return (error as ProblemError).problems;
  }
  return [];
}

function brief({ severity, id: rule, summary, place: at, fix }: Problem): string {
  expect([severity, at?.file]).toEqual(["error", "zonewright.yaml"]);
  return `${rule} ${at?.line}:${at?.column}+${at?.length} ${summary}${fix === undefined ? "" : ` | ${fix}`}`;
}

test.each<[string, Buffer, string]>([
  ["ISO 8859-1 in a value", Buffer.from("manage: all\ndefaults: { group: B\xfccher }\n", "latin1"), "2:21"],
  [
    "behind characters of several octets",
    Buffer.concat([Buffer.from("# Grüße 🙂 "), Buffer.from([0xc3]), Buffer.from("\n")]),
    "1:12",
  ],
  ["UTF-16", Buffer.from("\ufeffmanage: all\n", "utf16le"), "1:1"],
])("rejects invalid UTF-8 at its place: %s", (_, bytes, place) => {
  const acks = () => readAcks("acks.yaml", bytes, []);
  for (const read of [() => readConfig("zonewright.yaml", bytes), acks]) {
    const { line, column } = faults(read)[0]?.place ?? { line: 0, column: 0 };
    expect(faults(read).map(({ id }) => id)).toEqual(["encoding"]);
    expect(`${line}:${column}`).toBe(place);
  }
});

function faults(read: () => unknown): readonly Problem[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof ProblemError) return error.problems;
    throw error;
  }
}

const scalars =
  `word "word" 'word' two words 1h 2027-01-31 192.0.2.1 2001:db8::1 -a ~ null Null NULL nULL "~" true True TRUE tRUE
  false "false" yes no on 0 7 -7 +7 007 0x1f 0o17 1_000 1.5 .5 1. -.5 1e3 1E+3 .inf -.Inf .nan .NaN .x ..
  123456789012345 1234567890123456 9007199254740993 1.2.3 0b1 1-2 +x -1h`
    .split(/\s+/)
    .filter((word) => word !== "");

test.each(scalars)("the value %s without the YAML library is that of the library, or left to it", (scalar) => {
  for (const text of [`a: ${scalar}\n`, `a: [${scalar}, {b: ${scalar}}]\n`, `${scalar}: a\n`]) {
    const plain = readPlainSettings(new SourceText("f", text));
    if (plain) expect(plain.value).toEqual(parse(text));
  }
});

test("ordinary settings are read without the YAML library", () => {
  const text = "policy: {strict: true}\nguards:\n  zone_deletes_most: 50\nignore:\n  - owner: a\nnameservers: []\n";
  const { value, placeOf } = readPlainSettings(new SourceText("f", text)) ?? {};
  expect(value).toEqual(parse(text));
  expect(placeOf?.("guards", "zone_deletes_most")).toEqual({ file: "f", line: 3, column: 22, length: 2 });
  expect(placeOf?.("ignore", 0, "owner")).toEqual({ file: "f", line: 5, column: 12, length: 1 });
  expect(placeOf?.("ignore", 1)).toBeUndefined();
});
