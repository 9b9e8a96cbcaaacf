import { readFileSync } from "node:fs";
import { join } from "node:path";
import { diffLines } from "diff";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withLabel } from "../../src/dns/name/name.ts";
import type { RdataByType } from "../../src/dns/types/index.ts";
import { byOwner } from "../../src/dns/zone/owners.ts";
import { copyRecord, distinct, rdataText, type Zone, type ZoneRecord } from "../../src/dns/zone/zone.ts";
import { compareZones, setKey } from "../../src/formats/edit/difference.ts";
import { originOf } from "../../src/formats/files.ts";
import type { FormatName } from "../../src/formats/readers.ts";
import { zone } from "../dns/arbitrary.ts";
import { domainName } from "../names.ts";
import { samples } from "../properties.ts";
import { type RealZones, realZones } from "../real-zones.ts";
import { type ApiFile, formats, readOctodns } from "./api.ts";

const names = ["yaml", "bind"] as const satisfies readonly FormatName[];
const real = readReal(realZones);

/** A file in canonical form, and the zone that reading it gives, with places. */
function fileOf(format: FormatName, given: Zone): { file: ApiFile; held: Zone } {
  const text = formats[format].write(given, { nameservers: [domainName("ns1.example.net.")] });
  const file = { file: `zone${formats[format].endings[0]}`, bytes: Buffer.from(text), origin: given.name };
  return { file, held: formats[format].read(file).zone };
}

describe.each(names)("%s: changes of one record in the lines of a file", (format) => {
  const { rewrite } = formats[format];
  const diffOf = (file: ApiFile, wanted: Zone) => linesOfDiff(file.bytes, rewrite(wanted, file));

  const changes: Record<string, (given: Zone, at: number) => void> = {
    "removed: lines that hold nothing else go": (given, at) => {
      const { file, held } = fileOf(format, {
        ...given,
        records: [...byOwner(given.records).values()].flatMap((types) =>
          [...types.values()].flatMap(({ records }) => distinct(records)),
        ),
      });
      const gone = pick(held, at);
      if (!gone || held.records.length === 1) return; // without any, YAML says records: {}
      const { removed, added } = diffOf(file, { ...held, records: held.records.filter((record) => record !== gone) });
      const isAlone = held.records.filter((record) => setKey(record) === setKey(gone)).length === 1;
      const [first, last] = linesOfRecord(gone);
      const isOwn = (line: number) => line >= (isAlone && gone.ownerAt ? gone.ownerAt.line : first) && line <= last;
      expect({ added, foreign: removed.filter((line) => !isOwn(line)) }).toEqual({ added: [], foreign: [] });
      expect(removed).toContain(last);
    },
    "changed: its lines, and as many as before": (given, at) => {
      const { file, held } = fileOf(format, given);
      const one = pick({ ...held, records: held.records.filter(({ type }) => type === "A") }, at);
      if (!one) return;
      const data = { address: rdataText(one) === "203.0.113.77" ? "203.0.113.78" : "203.0.113.77" };
      const records = held.records.map((record) => (record === one ? copyRecord(record, { data }) : record));
      const { removed, added } = diffOf(file, { ...held, records });
      const [first, last] = linesOfRecord(one);
      expect([removed, added.length]).toEqual([[first], 1]);
      expect(first).toBe(last);
    },
    "added: its lines, and no other": (given) => {
      const { file, held } = fileOf(format, given);
      if (held.records.length === 0) return;
      const owner = withLabel("new-one", held.name);
      const fresh: ZoneRecord = {
        owner,
        type: "A",
        ttl: undefined,
        data: { address: "203.0.113.77" } satisfies RdataByType["A"],
      };
      const { removed, added } = diffOf(file, { ...held, records: [...held.records, fresh] });
      expect(removed).toEqual([]);
      expect(added.map((line) => line.trim().replaceAll(/\s+/g, " "))).toEqual(
        format === "yaml"
          ? ["new-one:", "A: 203.0.113.77"]
          : [expect.stringMatching(/^new-one (?:IN )?A 203\.0\.113\.77$/)],
      );
    },
  };

  test.each(Object.entries(changes))("generated zones: %s", (_, check) => {
    fc.assert(fc.property(zone, fc.nat(), check), samples(60));
  });

  test.each(Object.entries(changes))(`${realZones.name} of octoDNS: %s`, (_, check) => {
    for (const [index, given] of real.entries()) if (index % 3 === 0) check(given, index * 7);
  });
});

describe(`${realZones.name}, in octoDNS form`, () => {
  test("converts from yaml to bind to yaml unchanged, and writes back byte for byte", () => {
    expect(real.length).toBe(realZones.count);
    for (const given of real) {
      const yaml = fileOf("yaml", given);
      const bind = fileOf("bind", yaml.held);
      expect(compareZones(yaml.held, given).isNone && compareZones(bind.held, given).isNone).toBe(true);
      expect(String(fileOf("yaml", bind.held).file.bytes)).toBe(String(yaml.file.bytes));
      for (const [format, { file, held }] of Object.entries({ yaml, bind }))
        expect(formats[format as FormatName].rewrite(held, file)).toEqual(file.bytes);
    }
  });
});

function readReal({ octodns, octodnsFiles }: RealZones): Zone[] {
  return octodnsFiles.map(
    (file) => readOctodns({ file, bytes: readFileSync(join(octodns, file)), origin: originOf(file) }).zone,
  );
}

/** Any record but the SOA, which a file cannot lack. */
function pick({ records }: Zone, at: number): ZoneRecord | undefined {
  const others = records.filter(({ type }) => type !== "SOA");
  return others[at % others.length];
}

/** Its first and its last line, counted from 1. */
function linesOfRecord({ source, start = 0, end = 0 }: ZoneRecord): readonly [first: number, last: number] {
  return [source?.place(start).line ?? 0, source?.place(Math.max(start, end - 1)).line ?? 0];
}

/** The numbers of the lines that go, and the lines that come. */
function linesOfDiff(before: Uint8Array, after: Uint8Array): { removed: number[]; added: string[] } {
  const found = { removed: [] as number[], added: [] as string[] };
  let line = 1;
  for (const part of diffLines(Buffer.from(before).toString("latin1"), Buffer.from(after).toString("latin1"))) {
    const lines = part.value.replace(/\n$/, "").split("\n");
    if (part.added) found.added.push(...lines);
    else if (part.removed) found.removed.push(...lines.map((_, index) => line + index));
    if (!part.added) line += lines.length;
  }
  return found;
}
