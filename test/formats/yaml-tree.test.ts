import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hasErrors } from "../../src/diagnostics/problem.ts";
import { nameKey } from "../../src/dns/name/name.ts";
import { isReferring, type ReferringRecord } from "../../src/dns/zone/node-reference.ts";
import { rdataText, type Zone, type ZoneRecord } from "../../src/dns/zone/zone.ts";
import { compareZones } from "../../src/formats/edit/difference.ts";
import { originOf } from "../../src/formats/files.ts";
import { domainName } from "../names.ts";
import { samples } from "../properties.ts";
import { type ApiFile, formatFile, readYaml, readYamlFile, reconcileSoa, rewriteYaml } from "./api.ts";
import { changed } from "./changed-files.ts";
import { anyChanges } from "./changes.ts";

const origin = domainName("example.");
/** The addresses of the nodes that files refer to. */
const addressOf = ({ type, node: { label, isPrivate } }: ReferringRecord) =>
  type === "AAAA" ? "2001:db8::7" : `198.18.${isPrivate ? 9 : 0}.${label.length}`;
const fileOf = (text: string): ApiFile => ({
  file: "zone.yaml",
  bytes: Buffer.from(text, "latin1"),
  origin,
  addressOf,
});

/** Owners whose anchors the others use. */
const anchors = `  defs: &o1
    A: &l1 [&x1 192.0.2.1, &x2 192.0.2.2, &x3 192.0.2.3, &n1 { node: web }]
    TXT: x # t
  b: &o2 { A: &s1 { ttl_sec: 5m, values: 192.0.2.9 }, MX: &mx 10 mail }
`;
const address = fc.nat(9).map((last) => `192.0.2.${last}`);
const scalar = fc.oneof(
  address.chain((text) => fc.constantFrom(text, `"${text}"`, `'${text}'`)),
  fc.constantFrom("*x1", "*x2", "*x3", "*n1", "{ node: web-1 }", "{node: WEB-10, private: true}"),
);
const list = fc.array(scalar, { minLength: 1, maxLength: 3 });
const addresses = fc.oneof(
  scalar,
  list.map((items) => `[${items.join(", ")}]`),
  list.map((items) => items.map((item) => `\n      - ${item} # c`).join("")),
  scalar.map((item) => `{ ttl_sec: 5m, values: ${item} }`),
  fc.tuple(scalar, scalar).map(([a, b]) => `\n      - { ttl_sec: 60, values: ${a} }\n      - ${b}`),
  fc.tuple(scalar, scalar).map(([a, b]) => `\n      ttl_sec: 90\n      values:\n      - ${a}\n      - ${b} # end`),
  fc.constantFrom("*l1", "*s1"),
);
const entry = fc.oneof(
  { weight: 5, arbitrary: addresses.map((text) => `A: ${text}`) },
  fc.constantFrom("<<: *o1", "<<: *o2", "<<: [*o1, *o2]", "MX: *mx", "mx: [{ preference: 10, exchange: a }, 20 b]"),
  fc.constantFrom("TXT: hello # hi", "TXT: [one, [two, three]]", "AAAA: 2001:DB8::1", "lenient: [x-y] # why"),
);
const owner = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .uniqueArray(entry, { minLength: 1, maxLength: 3, selector: (text) => text.split(":")[0]?.toLowerCase() })
      .map((entries) => `\n${entries.map((text) => `    ${text}`).join("\n")}`),
  },
  fc.constantFrom(" *o1", " *o2"),
  address.map((text) => ` { A: ${text}, TXT: x }`),
);
const shared = fc
  .tuple(
    fc.constantFrom("", "ttl_sec: 1h\n", "# top\n\n", "soa_email: a@b.c # mail\n"),
    fc.uniqueArray(fc.tuple(fc.constantFrom("www", "mail", '"@"', "a.b", "'*.dev'"), owner), {
      maxLength: 5,
      selector: ([key]) => key,
    }),
    fc.constantFrom("\n", "", "\n# end\n", "\n\n"),
  )
  .map(
    ([head, owners, end]) =>
      `${head}records:\n${anchors}${owners.map(([key, text]) => `  ${key}:${text}`).join("\n")}${end}`,
  );

test("YAML files with anchors, aliases and merges: each record has its node; fmt and changes are exact", () => {
  let count = 0;
  const property = fc.property(shared, anyChanges, (text, change) => {
    count += expectExact(fileOf(text), change) ? 1 : 0;
  });
  fc.assert(property, samples(80));
  expect(count).toBeGreaterThan(0);
});

test("mutated YAML files of the cases: the same", () => {
  const property = fc.property(changed("yaml"), anyChanges, (text, change) => void expectExact(fileOf(text), change));
  fc.assert(property, samples(200));
});

const folder = resolve(import.meta.dirname, "../cases/zones/ok");
const cases = readdirSync(folder).filter((file) => file.endsWith(".yaml"));

test.each(cases)("%s: each record has its node", (file) => {
  expectNodes({ file, bytes: readFileSync(join(folder, file)), origin: originOf(file) });
});

/** False for a file with errors. */
function expectExact(file: ApiFile, change: (zone: Zone) => Zone): boolean {
  const { zone, problems } = readYaml(file);
  if (hasErrors(problems)) return false;
  expectNodes(file);
  const wanted = change(zone);
  const again = readYaml({ ...file, bytes: rewriteYaml(wanted, file) });
  expect([again.problems.filter(({ severity }) => severity === "error")]).toEqual([[]]);
  expect(compareZones(again.zone, reconcileSoa(zone, wanted)).isNone).toBe(true);
  const kept = new Set(wanted.records.map(contentOf));
  const references = new Set(again.zone.records.filter(isReferring).map(contentOf));
  const lost = zone.records.filter(isReferring).filter((record) => kept.has(contentOf(record)));
  expect(lost.filter((record) => !references.has(contentOf(record)))).toEqual([]);
  const formatted = formatFile(file, "yaml");
  expect(String(formatFile({ ...file, bytes: formatted }, "yaml"))).toBe(String(formatted));
  expect(compareZones(readYaml({ ...file, bytes: formatted }).zone, zone).isNone).toBe(true);
  return true;
}

function contentOf({ owner, type, data }: ZoneRecord): string {
  return `${nameKey(owner)} ${type} ${rdataText({ type, data })}`;
}

/** The nodes of all RRsets, read each in a file of its own, are the records of the zone in their order. */
function expectNodes(file: ApiFile): void {
  const { zone, owners, text } = readYamlFile(file, { forEdits: true });
  const sets = owners.flatMap(({ sets }) => sets);
  expect(sets.flatMap(({ items }) => items).length).toBe(zone.records.length);
  let index = 0;
  for (const { type, owner, items } of sets) {
    for (const item of items) {
      const record = zone.records.at(index++);
      expect([record?.type, record?.owner, record?.start, record?.end]).toEqual([
        type,
        owner.name,
        item.start,
        item.end,
      ]);
      if (item.kind !== "text" || /[|>&]/.test(text[item.start] ?? "")) continue;
      const own = `zone: ${JSON.stringify(zone.name)}\nrecords: { "@": { ${type}: [${text.slice(item.start, item.end)}] } }`;
      const [alone] = readYaml({ ...file, bytes: Buffer.from(own) }).zone.records;
      if (alone && record) expect(rdataText(alone)).toBe(rdataText(record));
    }
  }
}
