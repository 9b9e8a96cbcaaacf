import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { diffLines } from "diff";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ProblemError } from "../../src/diagnostics/problem.ts";
import type { Name } from "../../src/dns/name/name.ts";
import { copyRecord, rdataText, type Zone } from "../../src/dns/zone/zone.ts";
import { compareZones, setKey } from "../../src/formats/edit/difference.ts";
import { originOf } from "../../src/formats/files.ts";
import { formatOf } from "../../src/formats/formats.ts";
import { FolderIncluder } from "../../src/formats/include.ts";
import type { FormatName } from "../../src/formats/readers.ts";
import { domainName } from "../names.ts";
import { samples } from "../properties.ts";
import { realZones } from "../real-zones.ts";
import { type ApiFile, formats, reconcileSoa } from "./api.ts";
import { anyChanges, anyZone } from "./changes.ts";

const names = ["yaml", "bind"] as const satisfies readonly FormatName[];
const cases = resolve(import.meta.dirname, "../cases/zones/ok");

describe("every zone file of the cases", () => {
  const files = readdirSync(cases).filter((file) => formatOf(file)?.name === "yaml" || formatOf(file)?.name === "bind");

  test.each(files)("%s: writes back byte for byte", (file) => {
    const previous = fileOf(cases, file, domainName("example."));
    const { read, rewrite } = formatOfCase(file);
    expect(rewrite(read(previous).zone, previous)).toEqual(previous.bytes);
  });

  test.each(files)("%s: makes any change exactly, or refuses with the line to edit", (file) => {
    const previous = fileOf(cases, file, domainName("example."));
    const { read, rewrite } = formatOfCase(file);
    const { zone } = read(previous);
    const holdsOthers = /^\$(?:INCLUDE|GENERATE)/m.test(Buffer.from(previous.bytes).toString("latin1"));
    const property = fc.property(anyChanges, (change) => {
      const wanted = change(zone);
      try {
        const again = read({ ...previous, bytes: rewrite(wanted, previous) });
        expect(again.problems.filter(({ severity }) => severity === "error")).toEqual([]);
        expect(compareZones(again.zone, reconcileSoa(zone, wanted)).isNone).toBe(true);
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        expect(holdsOthers ? [] : error.problems).toEqual([]);
        for (const { id: rule, place: at } of error.problems)
          expect([rule, at?.line]).toEqual([
            expect.stringMatching(/^rewrite-(?:include|generate|ttl)$/),
            expect.any(Number),
          ]);
      }
    });
    fc.assert(property, samples(25));
  });
});

describe.each(names)("any zone as %s", (name) => {
  const { read, write, rewrite, endings } = formats[name];
  const fileFor = (zone: Zone): ApiFile => ({
    file: `example${endings[0]}`,
    bytes: Buffer.from(write(zone)),
    origin: domainName("example."),
  });

  test("writes back unchanged", () => {
    fc.assert(
      fc.property(anyZone, (zone) => {
        const previous = fileFor(zone);
        expect(rewrite(read(previous).zone, previous)).toEqual(previous.bytes);
      }),
    );
  });

  test("changes into any other zone with the same canonical form", () => {
    fc.assert(
      fc.property(anyZone, anyChanges, (zone, change) => {
        const previous = fileFor(zone);
        const before = read(previous).zone;
        const wanted = reconcileSoa(before, change(before));
        const again = read({ ...previous, bytes: rewrite(wanted, previous) });
        expect(compareZones(again.zone, wanted).isNone).toBe(true);
        expect(compareZones(read(fileFor(again.zone)).zone, again.zone).isNone).toBe(true);
      }),
      samples(300),
    );
  });
});

describe.each(names)(`${realZones.name} as %s`, (name) => {
  const { bind, bindFiles } = realZones;
  const { read, rewrite } = formats[name];
  const zones = bindFiles.map((file) => {
    const previous = fileOf(bind, file, originOf(file));
    if (name === "bind") return previous;
    return { ...previous, bytes: Buffer.from(formats.yaml.write(formats.bind.read(previous).zone)) };
  });

  test("writes back byte for byte", () => {
    for (const previous of zones) expect(rewrite(read(previous).zone, previous)).toEqual(previous.bytes);
  });

  test("one changed record changes only its line", () => {
    for (const previous of zones) {
      const { zone } = read(previous);
      const address = [...zone.records].findLast(({ type }) => type === "A");
      if (!address) continue;
      const data = { address: "203.0.113.77" };
      const records = zone.records.map((record) => (record === address ? copyRecord(record, { data }) : record));
      const lines = changedLines(previous, rewrite({ ...zone, records }, previous));
      expect(lines).toEqual([expect.stringMatching(/^-.*\d/), expect.stringMatching(/^\+.*203\.0\.113\.77$/)]);
      expect(lines[1]?.slice(1)).toBe(lines[0]?.slice(1).replace(rdataText(address), "203.0.113.77"));
    }
  });

  test("one removed record removes only its own lines", () => {
    for (const previous of zones) {
      const { zone } = read(previous);
      const gone = zone.records.at(-1);
      if (!gone) continue;
      const lines = changedLines(previous, rewrite({ ...zone, records: [...zone.records].slice(0, -1) }, previous));
      const isAlone = zone.records.filter((record) => setKey(record) === setKey(gone)).length === 1;
      expect(lines.filter((line) => line.startsWith("+"))).toEqual([]);
      expect(lines.length).toBeLessThanOrEqual(name === "yaml" && isAlone ? 4 : 1);
    }
  });
});

describe.each(names)(`new lenient entries of ${realZones.name} as %s`, (name) => {
  const { bind, bindFiles } = realZones;
  const { read, rewrite } = formats[name];

  test("add a line, and change no other", () => {
    for (const file of bindFiles) {
      const source = fileOf(bind, file, originOf(file));
      const previous =
        name === "bind"
          ? source
          : { ...source, bytes: Buffer.from(formats.yaml.write(formats.bind.read(source).zone)) };
      const { zone } = read(previous);
      const owner = [...zone.records].findLast(({ type }) => type === "A")?.owner;
      if (owner === undefined) continue;
      const excused = [{ owner, rule: "mx-null" }];
      const lines = changedLines(previous, rewrite({ ...zone, excused }, previous));
      expect(lines).toEqual([
        name === "yaml" ? "+    lenient: [mx-null]" : expect.stringMatching(/^\+;@ lenient \S+: mx-null$/),
      ]);
    }
  });
});

function formatOfCase(file: string) {
  return formats[formatOf(file)?.name === "yaml" ? "yaml" : "bind"];
}

function fileOf(folder: string, file: string, origin: Name): ApiFile {
  const path = join(folder, file);
  return { file, bytes: readFileSync(path), origin, includer: new FolderIncluder({ path: folder, file: "." }, path) };
}

/** The lines that differ, with their signs. */
function changedLines(previous: ApiFile, bytes: Uint8Array): string[] {
  const parts = diffLines(Buffer.from(previous.bytes).toString("latin1"), Buffer.from(bytes).toString("latin1"));
  return parts
    .filter(({ added, removed }) => added || removed)
    .flatMap(({ value, added }) =>
      value
        .trimEnd()
        .split("\n")
        .map((line) => (added ? "+" : "-") + line),
    );
}
