import { describe, expect, test } from "vitest";
import type { Problem } from "../../../src/diagnostics/problem.ts";
import { canonical, type Zone } from "../../../src/dns/zone/zone.ts";
import { accept } from "../../../src/targets/api/accept.ts";
import { apiTimes } from "../../../src/targets/api/settings.ts";
import { readBind, readYaml } from "../../formats/api.ts";
import { domainName } from "../../names.ts";

/**
 * Stored times, by hand from decisions/documents#records and decisions/service#times (300 3600 7200 14400 28800 57600
 * 86400 172800 345600 604800 1209600 2419200, the nearest, a tie goes up; the live one stores 30 and 120 too, and
 * rounds up, to at most the largest).
 */
const rounded: [seconds: number, nearest: number, up: number][] = [
  [1, 300, 30],
  [30, 300, 30],
  [31, 300, 120],
  [120, 300, 120],
  [121, 300, 300],
  [299, 300, 300],
  [300, 300, 300],
  [301, 300, 3600],
  [1949, 300, 3600],
  [1950, 3600, 3600],
  [1951, 3600, 3600],
  [3600, 3600, 3600],
  [5399, 3600, 7200],
  [5400, 7200, 7200],
  [10799, 7200, 14400],
  [10800, 14400, 14400],
  [21599, 14400, 28800],
  [21600, 28800, 28800],
  [43199, 28800, 57600],
  [43200, 57600, 57600],
  [71999, 57600, 86400],
  [72000, 86400, 86400],
  [86400, 86400, 86400],
  [129599, 86400, 172800],
  [129600, 172800, 172800],
  [259199, 172800, 345600],
  [259200, 345600, 345600],
  [475199, 345600, 604800],
  [475200, 604800, 604800],
  [907199, 604800, 1209600],
  [907200, 1209600, 1209600],
  [1814399, 1209600, 2419200],
  [1814400, 2419200, 2419200],
  [2419200, 2419200, 2419200],
  [2419201, 2419200, 2419200],
  [2147483647, 2419200, 2419200],
];

describe("times", () => {
  test.each(rounded)("stores a record's TTL %i as %i, or %i where a service rounds up", (seconds, nearest, up) => {
    const { desired } = accept(yaml(`records: { a: { A: { ttl_sec: ${seconds}, values: 192.0.2.1 } } }`));
    expect(desired.records.map(({ ttl, otherTtl }) => ({ ttl, otherTtl }))).toEqual([
      { ttl: nearest, otherTtl: up === nearest ? undefined : up },
    ]);
  });

  test.each(rounded)("stores a zone's times %i as %i, or %i where a service rounds up", (seconds, nearest, up) => {
    const names = ["ttl_sec", "refresh_sec", "retry_sec", "expire_sec"];
    const { desired } = accept(yaml(names.map((name) => `${name}: ${seconds}`).join("\n")));
    const each = (value: number) => Object.fromEntries(names.map((name) => [name, value]));
    expect(desired.settings).toEqual({ type: "master", ...each(nearest) });
    expect(desired.otherTimes).toEqual(up === nearest ? {} : each(up));
  });

  test("a zone's 0 requests the default and stays; a record's 0 becomes the shortest TTL", () => {
    const { desired, problems } = accept(yaml("ttl_sec: 0\nrecords: { a: { A: { ttl_sec: 0, values: 192.0.2.1 } } }"));
    expect(desired.settings.ttl_sec).toBe(0);
    expect(desired.records.map(({ ttl, otherTtl }) => ({ ttl, otherTtl }))).toEqual([{ ttl: 300, otherTtl: 30 }]);
    expect(notes(problems)).toEqual(["note[ttl-rounded] example.com a A: ttl_sec 0 is stored as 300"]);
  });

  test("keeps omitted fields omitted", () => {
    const { desired, problems } = accept(yaml("ttl_sec: 1h\nrecords: { a: { A: 192.0.2.1 } }"));
    expect(desired.records.map(({ ttl, otherTtl }) => ({ ttl, otherTtl }))).toEqual([
      { ttl: undefined, otherTtl: undefined },
    ]);
    expect(notes(problems)).toEqual([]);
  });
});

describe("each note appears once", () => {
  const zone = `ttl_sec: 1000
refresh_sec: 2h
expire_sec: 30w
records:
  a: { A: { ttl_sec: 60, values: [192.0.2.1, 192.0.2.2] }, AAAA: { ttl_sec: 60, values: "2001:db8::1" } }
  b: { A: { ttl_sec: 60, values: 192.0.2.1 } }
  c: { A: { ttl_sec: 60, values: 192.0.2.1 } }
  d: { A: { ttl_sec: 61, values: 192.0.2.1 } }
  e: { A: { ttl_sec: 300, values: 192.0.2.1 } }
`;
  const summaries = [
    "example.com a A, a AAAA and 2 more: ttl_sec 60 is stored as 300",
    "example.com d A: ttl_sec 61 is stored as 300",
    "example.com: ttl_sec 1000 is stored as 300",
    "example.com: expire_sec 18144000 is stored as 2419200",
  ];

  test("about rounded times", () => {
    expect(notes(accept(yaml(zone)).problems)).toEqual(summaries.map((text) => `note[ttl-rounded] ${text}`));
  });

  test("are errors in strict mode", () => {
    expect(notes(accept(yaml(zone), { strict: true }).problems)).toEqual(
      summaries.map((text) => `error[ttl-rounded] ${text}`),
    );
  });

  test("stand at the first place, with the value to write", () => {
    const [first, , third] = accept(yaml(zone)).problems.filter(({ id }) => id === "ttl-rounded");
    expect([first, third]).toEqual([
      {
        id: "ttl-rounded",
        kind: "input",
        severity: "note",
        summary: "example.com a A, a AAAA and 2 more: ttl_sec 60 is stored as 300",
        place: { file: "zone", line: 5, column: 35, length: 9 },
        fix: "Write 300.",
      },
      {
        id: "ttl-rounded",
        kind: "input",
        severity: "note",
        summary: "example.com: ttl_sec 1000 is stored as 300",
        place: { file: "zone", line: 1, column: 10, length: 4 },
        fix: "Write 300.",
      },
    ]);
  });

  test("about three names, listing all", () => {
    const text =
      "records: { a: { A: { ttl_sec: 60, values: 192.0.2.1 } }, b: { A: { ttl_sec: 60, values: 192.0.2.1 } }, c: { TXT: { ttl_sec: 60, values: x } } }";
    expect(notes(accept(yaml(text)).problems)).toEqual([
      "note[ttl-rounded] example.com a A, b A, c TXT: ttl_sec 60 is stored as 300",
    ]);
  });

  test("about the NS set of the apex", () => {
    const { desired, problems } = accept(
      bind("@ SOA ns1 hostmaster 1 4h 4h 2w 1h\n@ NS ns1\n@ NS ns2\nsub NS ns.example.net.\n@ A 192.0.2.1"),
    );
    expect(stored(desired)).toEqual(["sub.example.com. NS ns.example.net.", "example.com. A 192.0.2.1"]);
    expect(notes(problems)).toEqual([
      "note[apex-ns] example.com: the service manages the NS records of the apex; 2 NS records in the file are not sent",
    ]);
  });

  test("about re-split texts", () => {
    const { desired, problems } = accept(
      bind(`a TXT "ab" "cd"\nb TXT "x" ""\nc TXT "one"\nd TXT "${"x".repeat(255)}" "y"`),
    );
    expect(stored(desired)).toEqual([
      'a.example.com. TXT "abcd"',
      'b.example.com. TXT "x"',
      'c.example.com. TXT "one"',
      `d.example.com. TXT "${"x".repeat(255)}" "y"`,
    ]);
    expect(notes(problems)).toEqual([
      "note[text-resplit] example.com a TXT, b TXT: the strings are joined and split every 255 octets",
    ]);
  });
});

describe("reports each value once", () => {
  test.each<[string, string, string[]]>([
    ["the same twice", "a A 192.0.2.1\na A 192.0.2.1", ["a.example.com. A 192.0.2.1"]],
    ["in other letter case", "a CNAME b\nA CNAME B", ["a.example.com. CNAME b.example.com."]],
    ["an address in two spellings", "a AAAA 2001:db8::1\na AAAA 2001:DB8:0::1", ["a.example.com. AAAA 2001:db8::1"]],
    ["a text in two splits", 'a TXT "ab"\na TXT "a" "b"', ['a.example.com. TXT "ab"']],
    ["a text in two splits, the other way", 'a TXT "a" "b"\na TXT "ab"', ['a.example.com. TXT "ab"']],
    ["texts in other letter case are two", "a TXT x\na TXT X", ['a.example.com. TXT "x"', 'a.example.com. TXT "X"']],
  ])("%s", (_, text, expected) => {
    expect(stored(accept(bind(text)).desired)).toEqual(expected);
  });
});

test("a slave zone keeps its settings and has no records", () => {
  const { desired, problems } = accept(
    yaml("type: slave\nmaster_ips: [192.0.2.53]\ntags: [abc]\nrecords: { a: { A: 192.0.2.1 } }"),
  );
  const place = (line: number, length: number, column = 7) => ({ file: "zone", line, column, length });
  expect(desired).toEqual({
    name: "example.com.",
    file: "zone",
    places: { type: place(1, 5), master_ips: place(2, 12, 13), tags: place(3, 5) },
    settings: { type: "slave", master_ips: ["192.0.2.53"], tags: ["abc"] },
    unstated: ["status"],
    otherTimes: {},
    defaultTimes: apiTimes,
    records: [],
  });
  expect(problems.map(({ severity, id: rule }) => `${severity}[${rule}]`)).toEqual(["error[slave-records]"]);
});

test("reports records that the API does not support with the source, and does not send them", () => {
  const { desired, problems } = accept(bind(";@ soa_email: hostmaster@example.com\na MX 256 b"));
  expect(stored(desired)).toEqual([]);
  expect(problems).toEqual([
    {
      id: "priority-range",
      kind: "input",
      severity: "error",
      summary: "a MX has priority 256; the limit is 255",
      detail: "The API accepts MX and SRV priorities from 0 to 255.",
      fix: "Use smaller numbers. Only their order matters.",
      place: { file: "zone", line: 3, column: 1, length: 10 },
      owner: domainName("a.example.com."),
    },
  ]);
});

test("a text that lost its quotes is an error without a second note about joined words", () => {
  const zone = bind('@ TXT v=spf1 mx -all\na TXT "one" "two"');
  expect(zone.slips?.map(({ rule }) => rule)).toEqual(["text-unquoted"]);
  expect(notes(accept(zone).problems)).toEqual([
    "note[text-resplit] example.com a TXT: the strings are joined and split every 255 octets",
  ]);
});

function bind(text: string): Zone {
  return clean(
    readBind({ file: "zone", bytes: Buffer.from(`$TTL 1h\n${text}\n`), origin: domainName("example.com.") }),
  );
}

function yaml(text: string): Zone {
  return clean(readYaml({ file: "zone", bytes: Buffer.from(text), origin: domainName("example.com.") }));
}

function clean({ zone, problems }: ReturnType<typeof readBind>): Zone {
  expect(problems).toEqual([]);
  return zone;
}

function stored({ records }: Pick<Zone, "records">): string[] {
  return records.map((record) => `${record.owner} ${record.type} ${canonical(record)}`);
}

/** The problems besides those of limits, which have their own cases. */
function notes(problems: readonly Problem[]): string[] {
  const ours = ["ttl-rounded", "apex-ns", "text-resplit"];
  return problems
    .filter(({ id: rule }) => ours.includes(rule))
    .map(({ severity, id: rule, summary }) => `${severity}[${rule}] ${summary}`);
}
