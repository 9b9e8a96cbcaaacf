import { expect, test } from "vitest";
import { type Problem, problem } from "../../src/diagnostics/problem.ts";
import { isUnresolved, type ReferringRecord } from "../../src/dns/zone/node-reference.ts";
import { rdataText } from "../../src/dns/zone/zone.ts";
import { applyTemplate, readTemplate } from "../../src/formats/yaml/template.ts";
import { apiSettings } from "../../src/targets/api/settings.ts";
import { lines } from "../cli/run.ts";
import { domainName } from "../names.ts";
import { type ApiFile, formatCanonical, formatFile, readOctodns, readYaml, rewriteYaml, writeYaml } from "./api.ts";

const origin = domainName("example.com.");
const fileOf = (text: string): ApiFile => ({ file: "zone.yaml", bytes: Buffer.from(text), origin });

/** The records of a text below `records:`, each as its owner, type, TTL and data; a reference as `→` and its label. */
function recordsOf(text: string): string[] {
  const { zone, problems } = readYaml(fileOf(`records:\n${text}`));
  expect(problems).toEqual([]);
  return zone.records.map((record) => {
    const { owner, type, ttl, node } = record;
    expect(isUnresolved(record)).toBe(node !== undefined);
    const data = node ? `→ ${node.label}${node.isPrivate ? " private" : ""}` : rdataText(record);
    return `${owner.replace(".example.com.", "")} ${type} ${ttl ?? "-"} ${data}`;
  });
}

test.each<[form: string, text: string, records: string[]]>([
  ["one node", "  a: { A: { node: web-1 } }", ["a A - → web-1"]],
  ["one node, in lines", "  a:\n    A:\n      node: web-1", ["a A - → web-1"]],
  ["its IPv6 address", "  a: { AAAA: { node: web-1 } }", ["a AAAA - → web-1"]],
  ["its private address", "  a: { A: { node: web-1, private: true } }", ["a A - → web-1 private"]],
  ["private: false", "  a: { A: { node: web-1, private: false } }", ["a A - → web-1"]],
  ["private: false for IPv6", "  a: { AAAA: { private: False, node: web-1 } }", ["a AAAA - → web-1"]],
  ["a list", "  a: { A: [ { node: web-1 }, 192.0.2.1 ] }", ["a A - → web-1", "a A - 192.0.2.1"]],
  [
    "a list in lines",
    "  a:\n    A:\n      - 192.0.2.1\n      - node: web-1\n      - { node: web-1, private: true }",
    ["a A - 192.0.2.1", "a A - → web-1", "a A - → web-1 private"],
  ],
  ["a TTL", "  a: { A: { ttl_sec: 5m, values: { node: web-1 } } }", ["a A 300 → web-1"]],
  [
    "a TTL for a list",
    "  a:\n    A:\n      ttl_sec: 300\n      values: [ { node: web-1 }, { node: web-2 } ]",
    ["a A 300 → web-1", "a A 300 → web-2"],
  ],
  [
    "beside the API's object",
    "  a: { A: [ { target: 192.0.2.1 }, { node: web-1 } ] }",
    ["a A - 192.0.2.1", "a A - → web-1"],
  ],
  ["a type in lower case", "  a: { a: { node: web-1 } }", ["a A - → web-1"]],
  ["quotes", '  a: { A: { "node": "web-1", private: "true" } }', ["a A - → web-1 private"]],
  ["a number as label", "  a: { A: { node: 0123 } }", ["a A - → 0123"]],
  ["an alias", "  a: { A: &n { node: web-1 } }\n  b: { A: *n }", ["a A - → web-1", "b A - → web-1"]],
  [
    "a merge",
    "  a: { A: &n { node: web-1 } }\n  b: { A: { <<: *n, private: true } }",
    ["a A - → web-1", "b A - → web-1 private"],
  ],
])("reads a reference to a node: %s", (_, text, records) => {
  expect(recordsOf(text)).toEqual(records);
});

const onlyAddresses =
  "Refer to the node in an A or AAAA record of the name. Records of other types name that name, not the node.";

test.each<[fault: string, value: string, at: string, summary: string, fix: string, id?: "unknown-key"]>([
  [
    "no label",
    "A: { node: }",
    "node",
    "a A: the reference names no node",
    "Write its label, for example `A: { node: web-1 }`.",
  ],
  [
    "only private",
    "A: { private: true }",
    "{ private: true }",
    "a A: the reference names no node",
    "Write its label, for example `A: { node: web-1, private: true }`.",
  ],
  [
    "an unknown key",
    "A: { node: web-1, privat: true }",
    "privat",
    'a A: "privat" is not a key of a reference to a node',
    'Did you mean "private"?',
    "unknown-key",
  ],
  [
    "an address, too",
    "A: { node: web-1, target: 192.0.2.1 }",
    "target",
    'a A: "target" is not a key of a reference to a node',
    "Known keys: node, private.",
    "unknown-key",
  ],
  [
    "a misspelled key",
    "A: { nodes: web-1 }",
    "nodes",
    'a: "nodes" is not a field of A',
    'Did you mean "node"?',
    "unknown-key",
  ],
  [
    "a private IPv6 address",
    "AAAA: { node: web-1, private: true }",
    "private",
    "a AAAA: a node has no private IPv6 address",
    "Remove `private`, or refer to the private IPv4 address in an A record.",
  ],
  [
    "private: yes",
    "A: { node: web-1, private: yes }",
    "yes",
    'a A "yes": `private` must be true or false',
    "Write `private: true`.",
  ],
  [
    "several labels",
    "A: { node: [web-1, web-2] }",
    "[web-1, web-2]",
    "a A: `node` must be the label of one node",
    "Write a reference for each label: `A: [ { node: web-1 }, { node: web-2 } ]`.",
  ],
  [
    "a TTL beside the label",
    "A: { node: web-1, ttl_sec: 5m }",
    "node",
    "a A: `ttl_sec` cannot stand in a reference to a node",
    "Write the reference as a value: `values: { node: web-1 }`.",
  ],
  ["a CNAME record", "CNAME: { node: web-1 }", "node", "a: CNAME records cannot refer to a node", onlyAddresses],
  ["an MX record", "MX: [ { node: web-1 } ]", "node", "a: MX records cannot refer to a node", onlyAddresses],
  ["a TXT record", "TXT: { node: web-1 }", "node", "a: TXT records cannot refer to a node", onlyAddresses],
  [
    "an unknown type",
    "TYPE65280: { node: web-1 }",
    "node",
    "a: TYPE65280 records cannot refer to a node",
    onlyAddresses,
  ],
])("rejects a reference to a node with its place and fix: %s", (_, value, at, summary, fix, id) => {
  const text = `records:\n  a: { ${value} }\n`;
  const { problems } = readYaml(fileOf(text));
  const line = `  a: { ${value} }`;
  const place = { file: "zone.yaml", line: 2, column: line.indexOf(at) + 1, length: at.length };
  const expected: Problem = problem(id ?? "node-reference", summary, { place, fix, owner: "a.example.com." });
  expect(problems).toEqual([expected]);
});

test("octoDNS files have no references to nodes", () => {
  const text = "a:\n  type: A\n  value: { node: web-1 }\n";
  expect(readOctodns(fileOf(text)).problems.map(({ id, summary }) => [id, summary])).toEqual([
    ["value-shape", "a: a value of A must be a single string"],
  ]);
});

test("parameters of a template can be labels; a list repeats the reference for each", () => {
  const text = lines`
    parameters: { host: hostname, others: list of hostname }
    records:
      "@": { A: { node: $(host) }, AAAA: [ { node: web-$(others) } ] }
  `;
  const template = readTemplate("web", { file: "templates/web.yaml", bytes: Buffer.from(text) }, apiSettings);
  const parameters = [
    { name: "host", texts: ["front"], isList: false },
    { name: "others", texts: ["1", "2"], isList: true },
  ];
  const { zone, problems } = applyTemplate(template, { name: "web", parameters }, origin);
  expect(problems).toEqual([]);
  expect(zone.records.map(({ type, node }) => [type, node?.label, node?.at.line])).toEqual([
    ["A", "front", 3],
    ["AAAA", "web-1", 3],
    ["AAAA", "web-2", 3],
  ]);
});

/** A file, and the addresses of its nodes: web-1 has 198.18.0.7, others 198.18.0.8; private ones are 192.168.128.7. */
const addressOf = ({ type, node: { label, isPrivate } }: ReferringRecord): string => {
  if (type === "AAAA") return "2001:db8::7";
  return isPrivate ? "192.168.128.7" : label.toLowerCase() === "web-1" ? "198.18.0.7" : "198.18.0.8";
};

const text = lines`
  # ours
  records:
    www:
      A: { node: web-1 } # the front
      AAAA: {node: WEB-1}
    int:
      A:
        - { node: web-1, private: true } # inside
        - 192.0.2.1
    api: { A: { ttl_sec: 5m, values: [ { node: web-1 }, { node: web-2 } ] } }
`;

test("the written form of a zone keeps its references", () => {
  const { zone } = readYaml(fileOf(text));
  expect(writeYaml(zone)).toBe(lines`
    zone: example.com
    records:
      api:
        A:
          ttl_sec: 5m
          values:
            - node: web-1
            - node: web-2
      int:
        A:
          - 192.0.2.1
          - node: web-1
            private: true
      www:
        A:
          node: web-1
        AAAA:
          node: WEB-1
  `);
});

test("formatting keeps references, in the order of the author and in canonical order", () => {
  expect(Buffer.from(formatFile(fileOf(text), "yaml")).toString()).toBe(text);
  expect(Buffer.from(formatCanonical(fileOf(text), "yaml", "yaml", {}).bytes).toString()).toBe(lines`
    # ours
    zone: example.com
    records:
      api:
        A:
          ttl_sec: 5m
          values:
            - node: web-1
            - node: web-2
      int:
        A:
          - 192.0.2.1
          - node: web-1 # inside
            private: true
      www:
        A:
          node: web-1 # the front
        AAAA:
          node: WEB-1
  `);
});

type Change = readonly [owner: string, type: string, from: string | undefined, to: string | undefined, ttl?: number];

test.each<[what: string, change: Change, written: string]>([
  ["nothing", ["www", "A", "198.18.0.7", "198.18.0.7"], text],
  ["another value of the RRset", ["int", "A", "192.0.2.1", "192.0.2.9"], text.replace("- 192.0.2.1", "- 192.0.2.9")],
  [
    "the reference itself",
    ["www", "A", "198.18.0.7", "203.0.113.9"],
    text.replace("{ node: web-1 } # the front", "203.0.113.9 # the front"),
  ],
  [
    "one reference of several",
    ["api", "A", "198.18.0.8", "203.0.113.9"],
    text.replace("{ node: web-2 }", "203.0.113.9"),
  ],
  [
    "the deletion of one reference",
    ["api", "A", "198.18.0.7", undefined],
    text.replace("{ node: web-1 }, { node: web-2 }", "{ node: web-2 }"),
  ],
  [
    "an address more",
    ["www", "A", undefined, "203.0.113.9"],
    text.replace("A: { node: web-1 } # the front", "A: [{ node: web-1 }, 203.0.113.9] # the front"),
  ],
  [
    "a TTL",
    ["www", "AAAA", "2001:db8::7", "2001:db8::7", 600],
    text.replace("AAAA: {node: WEB-1}", "AAAA: { ttl_sec: 10m, values: {node: WEB-1} }"),
  ],
])("writing into a file keeps the references whose address stays: %s", (_, [owner, type, from, to, ttl], written) => {
  const previous = { ...fileOf(text), addressOf };
  const { zone } = readYaml(previous);
  // As the service has them: with addresses only.
  const live = zone.records.map(({ node: _node, ...record }) => record);
  const isIt = (record: (typeof live)[number]) =>
    record.owner === `${owner}.example.com.` && record.type === type && rdataText(record) === from;
  const changed = live.flatMap((record) => {
    if (!isIt(record)) return [record];
    return to === undefined ? [] : [{ ...record, data: { address: to }, ttl: ttl ?? record.ttl }];
  });
  const sample = live.find((record) => record.owner === `${owner}.example.com.` && record.type === type);
  const added = from === undefined && sample ? [{ ...sample, data: { address: to } }] : [];
  const bytes = rewriteYaml({ ...zone, records: [...changed, ...added] }, previous);
  expect(Buffer.from(bytes).toString()).toBe(written);
});
