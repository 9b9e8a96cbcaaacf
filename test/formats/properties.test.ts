import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasErrors, type Problem } from "../../src/diagnostics/problem.ts";
import { checkZone } from "../../src/dns/check.ts";
import { indexZone } from "../../src/dns/lookup/rule.ts";
import { findDoubtful } from "../../src/dns/lookup/target-dot.ts";
import type { Name } from "../../src/dns/name/name.ts";
import { rdataText, type Zone } from "../../src/dns/zone/zone.ts";
import type { FormatName } from "../../src/formats/readers.ts";
import { zone } from "../dns/arbitrary.ts";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";
import { samples } from "../properties.ts";
import { formats, recordsText } from "./api.ts";
import { changed } from "./changed-files.ts";
import { compileZone, withoutImplicit } from "./named.ts";

const nameservers = ["ns1.host.example.net.", "ns2.host.example.net."].map(domainName);
const names = Object.keys(formats) as FormatName[];

describe.each(names)("%s", (format) => {
  test("written text reads as the same zone without problems, and has no probable mistakes", () => {
    fc.assert(
      fc.property(zone, (zone) => {
        const { zone: again, problems } = read(format, write(format, zone), zone.name);
        const said = [...problems, ...(again.slips ?? []), ...findDoubtful(indexZone(again))];
        expect({ ...essence(again), said }).toEqual({ ...essence(zone), said: [] });
      }),
      samples(500),
    );
  });

  test("reading and writing again is byte for byte the same", () => {
    fc.assert(
      fc.property(zone, (zone) => {
        const bytes = write(format, zone);
        expect(String(write(format, read(format, bytes, zone.name).zone))).toBe(String(bytes));
      }),
    );
  });

  test("the order of records does not affect the output", () => {
    fc.assert(
      fc.property(
        zone.chain((zone) =>
          fc.tuple(fc.constant(zone), fc.shuffledSubarray([...zone.records], { minLength: zone.records.length })),
        ),
        ([zone, records]) => {
          expect(String(write(format, { ...zone, records }))).toBe(String(write(format, zone)));
        },
      ),
    );
  });

  test("reads random bytes without throwing, and places each problem in the file", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => placesAreInside(format, bytes)),
      samples(400),
    );
  });

  test("reads mutated files without throwing, and places each problem in the file", () => {
    fc.assert(
      fc.property(changed(format), (text) => placesAreInside(format, Buffer.from(text, "latin1"))),
      samples(400),
    );
  });

  test("writes every mutated file that was read without errors", () => {
    fc.assert(
      fc.property(changed(format), (text) => {
        const { zone, problems } = read(format, Buffer.from(text, "latin1"), domainName("example."));
        if (problems.length > 0) return;
        for (const other of names) {
          const again = read(other, write(other, zone), zone.name);
          expect({ text, ...meaning(again.zone), said: again.problems }).toEqual({
            text,
            ...meaning(zone),
            said: [],
          });
        }
      }),
      samples(400),
    );
  });
});

test("converts from yaml to bind to yaml and from bind to yaml to bind unchanged", () => {
  fc.assert(
    fc.property(zone, (zone) => {
      for (const [one, other] of [
        ["yaml", "bind"],
        ["bind", "yaml"],
      ] as const) {
        const between = read(other, write(other, read(one, write(one, zone), zone.name).zone), zone.name).zone;
        expect(String(write(one, between))).toBe(String(write(one, zone)));
      }
    }),
  );
});

test.skipIf(isMissing("named-compilezone"))("named-compilezone reads the same records from written files", async () => {
  await fc.assert(
    fc.asyncProperty(zone, async (zone) => {
      const { records, messages } = await compileZone(zone.name, write("bind", zone));
      expect(withoutImplicit(zone, records ?? messages)).toBe(recordsText([zone]));
    }),
    samples(60),
  );
});

test.skipIf(isMissing("named-compilezone"))("BIND reads mutated files without errors the same", async () => {
  await fc.assert(
    fc.asyncProperty(changed("bind"), async (text) => {
      const { zone, problems } = read("bind", Buffer.from(text, "latin1"), domainName("example."));
      if (hasErrors(problems) || zone.name.toLowerCase() !== "example.") return;
      const { records, messages } = await compileZone("example.", Buffer.from(text, "latin1"));
      if (!isOfZones(messages))
        expect({ text, records: records ?? messages }).toEqual({ text, records: recordsText([zone]) });
    }),
    samples(100),
  );
});

/**
 * Whether BIND rejects the content of the zone and not its notation: readers do not apply the rules of zones.
 */
function isOfZones(messages: string): boolean {
  return /CNAME and other data|has no address records|has no NS records|has 0 SOA|is a CNAME/.test(messages);
}

function read(format: FormatName, bytes: Uint8Array, origin: Name) {
  return formats[format].read({ file: `zone${formats[format].endings[0]}`, bytes, origin });
}

function write(format: FormatName, zone: Zone): Buffer {
  return Buffer.from(formats[format].write(zone, { nameservers }));
}

/** A zone without places and order, to compare two readings. */
function essence({ name, settings, records }: Zone) {
  const lines = records.map((record) => `${record.owner} ${record.ttl} ${record.type} ${rdataText(record)}`);
  return { name, settings, records: lines.sort() };
}

/** A zone with its names in lower case; a file may spell one name in two ways. */
function meaning(zone: Zone) {
  return { name: zone.name.toLowerCase(), settings: zone.settings, records: recordsText([zone]) };
}

function placesAreInside(format: FormatName, bytes: Uint8Array): void {
  const { zone, problems } = read(format, bytes, domainName("example."));
  const lines = Buffer.from(bytes)
    .toString()
    .replace(/^\ufeff/, "")
    .split("\n")
    .map((line) => line.replace(/\r$/, ""));
  const outside = [...problems, ...checkZone(zone)].filter((said) => !isInside(said, lines));
  expect(outside).toEqual([]);
}

function isInside({ place: at }: Problem, lines: readonly string[]): boolean {
  const line = lines[(at?.line ?? 0) - 1];
  if (at === undefined || line === undefined) return false;
  const end = at.column - 1 + at.length;
  return at.column >= 1 && at.length >= 1 && at.column <= line.length + 1 && end <= Math.max(line.length, at.column);
}
