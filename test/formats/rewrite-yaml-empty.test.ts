import { expect, test } from "vitest";
import { domainName } from "../names.ts";
import { formats } from "./api.ts";
import { withChanges } from "./changes.ts";
import { lines } from "./lines.ts";
import { testRows } from "./rewrite-rows.ts";

const { read, rewrite } = formats.yaml;

function fileOf(text: string) {
  return { file: "example.yaml", bytes: Buffer.from(text), origin: domainName("example.") };
}

/** Entries without records, each with its comments. */
const entries = {
  "override in braces": "  _x._tcp: { SRV: { override: true, values: [] } } # until May\n",
  "override in a block":
    "  _x._tcp: # moved\n    # no service here\n    SRV: # until May\n      override: true\n      values: [] # none\n",
  "empty list": "  a: { A: [] } # later\n",
  "empty list in a block": "  a:\n    A: [] # later\n    AAAA: { ttl_sec: 1m, values: [] }\n",
  "name without types": "  a: {} # reserved\n",
  "anchor, alias and merge":
    "  a: &none { A: [], MX: { override: true, values: [] } } # none\n  b: *none # as a\n  c: { <<: *none } # as b\n",
};

const changes = {
  "a new name": "+ new A 192.0.2.9",
  "a new type": "+ www TXT new",
  "a deleted name": "- www A 192.0.2.1",
  "a changed value": "- www A 192.0.2.1\n+ www A 192.0.2.9",
  "a TTL": "~ www A 60",
  "a setting": "tags = a",
  "a rule": "lenient www: private-address",
  "a changed anchor": "- first MX 10 mail.example.net.\n+ first MX 20 mail.example.net.",
  "a deleted anchor": "- first MX 10 mail.example.net.",
};

const above = lines`
  templates: [svc]
  records:
    first: { MX: &mail 10 mail.example.net. }
    second: { MX: *mail }
`;

const rows = Object.keys(entries).flatMap((entry) => Object.keys(changes).map((change) => [entry, change] as const));

test.each(rows)("%s: %s leaves the entry as it is", (entry, change) => {
  const written = entries[entry as keyof typeof entries];
  const around = (inside: string) =>
    `${above}  # about the next name\n${inside}  www:\n    A: 192.0.2.1\n  # the end\n`;
  const rewritten = (text: string) => {
    const previous = fileOf(text);
    return String(rewrite(withChanges(read(previous).zone, changes[change as keyof typeof changes]), previous));
  };
  const after = rewritten(around(written));
  expect(after.replace(written, "")).toBe(rewritten(around("")));
  expect(after).toContain(`  # about the next name\n${written}`);
});

testRows("yaml", [
  {
    what: "types without records stay when the others of their name are deleted",
    before: lines`
      records:
        a: # about a
          A: [] # none
          MX: 10 mail.example.net.
        b: { MX: 10 mail.example.net., A: { override: true, values: [] } } # about b
    `,
    change: lines`
      - a MX 10 mail.example.net.
      - b MX 10 mail.example.net.
    `,
    after: lines`
      records:
        a: # about a
          A: [] # none
        b: { A: { override: true, values: [] } } # about b
    `,
  },
  {
    what: "an override whose records are all deleted becomes empty in its place",
    before: lines`
      templates: [svc]
      records:
        a: { A: { override: true, values: [192.0.2.1, 192.0.2.2] } } # about a
        b:
          MX:
            override: true # not theirs
            values: # ours
              preference: 10
              exchange: mail.example.net.
            # end of b
        c:
          TXT:
            values: &text # ours
              # above
              - |
                text
              # below
            override: true
          A: 192.0.2.7
        d: { TXT: { override: true, ttl_sec: 60, values: *text } }
        e:
          TXT:
            override: true
            values: >
              folded
              text
        f:
          TXT: [{ override: true, ttl_sec: 1m, values: a }, { ttl_sec: 1m, values: b }]
        g: { TXT: { "override": true, "values": "x" } }
        h: &h { TXT: { override: true, values: x }, A: 192.0.2.1 }
        i: { <<: *h, AAAA: 2001:db8::1 }
    `,
    change: lines`
      - a A 192.0.2.1
      - a A 192.0.2.2
      - b MX 10 mail.example.net.
      - c TXT "text\010"
      - d TXT "text\010"
      - e TXT "folded text\010"
      - f TXT "a"
      - f TXT "b"
      - g TXT "x"
      - i TXT "x"
    `,
    after: lines`
      templates: [svc]
      records:
        a: { A: { override: true, values: [] } } # about a
        b:
          MX:
            override: true # not theirs
            values: # ours
              []
            # end of b
        c:
          TXT:
            values: &text [] # ours
              # above
              # below
            override: true
          A: 192.0.2.7
        d: { TXT: { override: true, ttl_sec: 60, values: [] } }
        e:
          TXT:
            override: true
            values: []
        f:
          TXT:
            override: true
            values: []
        g: { TXT: { "override": true, "values": [] } }
        h: &h { TXT: { override: true, values: x }, A: 192.0.2.1 }
        i: { <<: *h, AAAA: 2001:db8::1, TXT: {override: true, values: []} }
    `,
  },
  {
    what: "an alias with a boolean is expanded with a boolean",
    before: lines`
      templates: [svc]
      records:
        a: &a { A: { override: true, values: 192.0.2.1 }, MX: 10 mail.example.net. }
        b: *a
    `,
    change: "- a MX 10 mail.example.net.",
    after: lines`
      templates: [svc]
      records:
        a: &a { A: { override: true, values: 192.0.2.1 } }
        b: {A: {override: true, values: 192.0.2.1}, MX: 10 mail.example.net.}
    `,
  },
]);

test.each([
  ["a: { A: [] }", "a A: the list of values is empty"],
  ["a: { A: { values: [] } }", "a A: the list of values is empty"],
  ["a: { A: { ttl_sec: 1m, override: false, values: [] } }", "a A: the list of values is empty"],
  ["a: { TXT: [{ ttl_sec: 1m, values: [] }, { ttl_sec: 1m, values: x }] }", "a TXT: the list of values is empty"],
  ["a: {}", "a: the name has no record types"],
])("%s gets a note", (written, summary) => {
  const { problems } = read(fileOf(`records:\n  ${written}\n`));
  expect(problems).toMatchObject([{ id: "entry-empty", severity: "note", summary, place: { line: 2 } }]);
});

test.each(["a: { A: { override: true, values: [] } }", "a: { lenient: [private-address] }"])(
  "%s gets no note",
  (written) => {
    expect(read(fileOf(`templates: [svc]\nrecords:\n  ${written}\n`)).problems).toEqual([]);
  },
);
