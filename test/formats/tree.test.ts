import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { rdataText, type Zone, type ZoneRecord } from "../../src/dns/zone/zone.ts";
import type { Entry } from "../../src/formats/bind/tree.ts";
import { originOf } from "../../src/formats/files.ts";
import { FolderIncluder } from "../../src/formats/include.ts";
import { zone } from "../dns/arbitrary.ts";
import { domainName } from "../names.ts";
import { samples } from "../properties.ts";
import { type ApiFile, readBind, readBindFile, writeBind } from "./api.ts";
import { changed } from "./changed-files.ts";

const folders = ["../cases/zones/ok", "../cases/zones/ko", "../../../shared/data/real/bind"]
  .map((folder) => resolve(import.meta.dirname, folder))
  .filter(existsSync);
const files = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".zone") || name.endsWith(".db"))
    .map((name): ApiFile => {
      const path = join(folder, name);
      const opener = new FolderIncluder({ path: folder, file: folder }, path);
      return { file: path, bytes: readFileSync(path), origin: originOf(name), includer: opener };
    }),
);

test("case files and real zones: the tree covers the file byte for byte and gives the same zone as plain reading", () => {
  expect(files.length).toBeGreaterThan(100);
  for (const file of files) expectWhole(file);
});

test("generated zones: the same", () => {
  fc.assert(
    fc.property(zone, (zone) => {
      const bytes = Buffer.from(writeBind(zone));
      expectWhole({ file: "zone.zone", bytes, origin: zone.name });
    }),
  );
});

test("mutated files, errors included: the same", () => {
  fc.assert(
    fc.property(fc.oneof(changed("bind"), fc.string({ unit: unusual, maxLength: 40 })), (text) =>
      expectWhole({ file: "zone.zone", bytes: Buffer.from(text, "latin1"), origin: domainName("example.") }),
    ),
    samples(500),
  );
});

const unusual = fc.constantFrom(
  ...'\n\n\r;@()" \t$a\\',
  "\u00ef\u00bb\u00bf",
  " A 192.0.2.1",
  "$TTL 60\n",
  ";@ tags: a\n",
);

function expectWhole(file: ApiFile): void {
  const plain = readBind(file);
  const { tree, ...read } = readBindFile(file);
  const name = file.file;
  expect([name, tree.nodes.map(({ start, end }) => tree.text.slice(start, end)).join("")]).toEqual([name, tree.text]);
  expect(tree.text).toBe(Buffer.from(file.bytes).toString("latin1"));
  expect([name, summary(read.zone), read.problems]).toEqual([name, summary(plain.zone), plain.problems]);
  if (plain.problems.some(({ severity }) => severity === "error")) return;
  const all = [...read.zone.records];
  const records = tree.entries.flatMap(({ first, count }) => all.slice(first, first + count));
  expect(records.length === all.length && records.every((record, at) => record === all[at])).toBe(true);
  const wrong = tree.entries.flatMap(withInner).filter((entry) => {
    const isOfZone = "record" in entry && entry.count > 0;
    return isOfZone && dataOf(entry.record) !== dataOf(all[entry.first]);
  });
  const outside = tree.nodes.filter(({ tokens, comments, ...node }) =>
    [...tokens, ...comments].some(({ start, end }) => start < node.start || start >= end || end > node.end),
  );
  expect([name, wrong, outside]).toEqual([name, [], []]);
}

function withInner(entry: Entry): readonly Entry[] {
  return entry.kind === "include" ? entry.inner.flatMap(withInner) : [entry];
}

function summary({ records, ...rest }: Zone) {
  const lines = records.map((record) => `${record.ttl} ${dataOf(record)} ${record.start} ${record.end}`);
  return { ...rest, records: lines };
}

/** Without the TTL, which the other records of the set may change. */
function dataOf(record: ZoneRecord | undefined): string {
  return record ? `${record.owner} ${record.type} ${rdataText(record)}` : "";
}
