import { readFileSync } from "node:fs";
import { join } from "node:path";
import pMap from "p-map";
import { describe, expect, test } from "vitest";
import type { Name } from "../../src/dns/name/name.ts";
import { canonical, type Zone } from "../../src/dns/zone/zone.ts";
import { originOf } from "../../src/formats/files.ts";
import type { FormatName } from "../../src/formats/readers.ts";
import { isMissing } from "../judges.ts";
import { realZones } from "../real-zones.ts";
import { formats, recordsText } from "./api.ts";
import { compileZone, loadZones } from "./named.ts";

const atOnce = { concurrency: 4 };

describe(realZones.name, () => {
  const { bind, bindFiles, count } = realZones;
  const zones = bindFiles.map((file) => ({ file, ...read("bind", readFileSync(join(bind, file)), originOf(file)) }));

  test("reads all without problems", () => {
    expect(zones.length).toBe(count);
    expect(zones.flatMap(({ problems }) => problems)).toEqual([]);
  });

  test.each(Object.keys(formats) as FormatName[])("writes each as %s and reads the same zone", (format) => {
    for (const { file, zone } of zones) {
      const again = read(format, write(format, zone), zone.name);
      expect({ file, ...essence(again.zone), said: again.problems }).toEqual({ file, ...essence(zone), said: [] });
    }
  });

  test("converts each from bind to yaml to bind unchanged", () => {
    for (const { file, zone } of zones) {
      const yaml = read("yaml", write("yaml", zone), zone.name).zone;
      expect({ file, text: String(write("bind", yaml)) }).toEqual({ file, text: String(write("bind", zone)) });
    }
  });

  test.skipIf(isMissing("named-compilezone"))("named-compilezone reads the same records", async () => {
    const wrong = await pMap(
      zones,
      async ({ file, zone }) => {
        const { records, messages } = await compileZone(zone.name, readFileSync(join(bind, file)));
        return records === recordsText([zone]) ? [] : [{ file, records, messages }];
      },
      atOnce,
    );
    expect(wrong.flat()).toEqual([]);
  });

  test.skipIf(isMissing("named-checkconf"))("named-checkconf loads each written file", async () => {
    const said = await loadZones(new Map(zones.map(({ zone }) => [zone.name, String(write("bind", zone))])));
    expect(said.filter((line) => !/: loaded serial \d+$/.test(line))).toEqual([]);
    expect(said.length).toBe(count);
  });
});

function read(format: FormatName, bytes: Uint8Array, origin: Name) {
  return formats[format].read({ file: `zone${formats[format].endings[0]}`, bytes, origin });
}

function write(format: FormatName, zone: Zone): Buffer {
  return Buffer.from(formats[format].write(zone, { nameservers: [] }));
}

/** A zone without places and order, to compare two readings. */
function essence({ name, settings, records }: Zone) {
  const lines = records.map((record) => `${record.owner} ${record.ttl} ${record.type} ${canonical(record)}`);
  return { name, settings, records: lines.sort() };
}
