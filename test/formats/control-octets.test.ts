import { describe, expect, test } from "vitest";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";
import { readBind, readYaml, recordsText } from "./api.ts";
import { compileZone } from "./named.ts";

const head = "$TTL 1h\n@ SOA ns1.example.net. hostmaster 1 4h 1h 2w 1h\n@ NS ns1.example.net.\n";
const octets = [0, 1, 7, 8, 11, 12, 14, 26, 27, 31, 127];
const places: [what: string, line: string, column: number][] = [
  ["in an owner name", "a?b A 192.0.2.1\n", 2],
  ["at the start of an owner name", "?b A 192.0.2.1\n", 1],
  ["in a name of RDATA", "a MX 10 ma?il\n", 11],
  ["at the end of a name", "a CNAME target?\n", 15],
  ["in unquoted text", "a TXT one t?wo\n", 12],
  ["inside parentheses", "a TXT ( one\n  t?wo ; comment\n )\n", 4],
];

describe.each(octets)("control byte %d", (code) => {
  const raw = String.fromCharCode(code);
  const spelling = `\\${String(code).padStart(3, "0")}`;

  test.each(places)("rejects %s at its place, and reads its escape", (_, template, column) => {
    const text = head + template.replace("?", raw);
    const { problems } = read(text);
    const line = text.slice(0, text.indexOf(raw)).split("\n").length;
    expect(problems).toEqual([
      expect.objectContaining({
        id: "control-octet",
        place: { file: "example.zone", line, column, length: 1 },
        fix: `Remove it, or write "${spelling}" if you mean it.`,
      }),
    ]);
    expect(read(head + template.replace("?", spelling)).problems).toEqual([]);
  });

  test("rejects it after a backslash too", () => {
    expect(read(`${head}a\\${raw}b A 192.0.2.1\n`).problems.map(({ id }) => id)).toEqual(["control-octet"]);
  });
});

test.skipIf(isMissing("named-compilezone")).each(places)("BIND reads escapes %s the same", async (_, template) => {
  const lines = octets.map((code) =>
    template.replace("?", `\\${String(code).padStart(3, "0")}`).replace(/^a /, `a${code} `),
  );
  const text = head + lines.join("");
  const { records, messages } = await compileZone("example.", Buffer.from(text));
  expect(records, messages).toBe(recordsText([read(text).zone]));
});

test("YAML: rejects an owner name with a control byte, and reads its escape", () => {
  const zone = (key: string) => Buffer.from(`records: { ${key}: { A: 192.0.2.1 } }\n`);
  const readZone = (bytes: Buffer) => readYaml({ file: "example.yaml", bytes, origin: domainName("example.") });
  expect(readZone(zone('"a\\x01b"')).problems).toEqual([
    expect.objectContaining({ id: "control-octet", fix: 'Remove it, or write "\\001" if you mean it.' }),
  ]);
  const { zone: read, problems } = readZone(zone('"a\\\\001b"'));
  expect(problems).toEqual([]);
  expect(read.records.map(({ owner }) => owner)).toEqual(["a\\001b.example."]);
});

function read(text: string) {
  return readBind({ file: "example.zone", bytes: Buffer.from(text, "latin1"), origin: domainName("example.") });
}
