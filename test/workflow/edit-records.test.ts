import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Name, nameKey, relativeTo } from "../../src/dns/name/name.ts";
import { rdataText, type Zone, type ZoneRecord } from "../../src/dns/zone/zone.ts";
import { recordsText } from "../../src/formats/records-text.ts";
import { apiSettings } from "../../src/targets/api/settings.ts";
import { setRecords, unsetRecords } from "../../src/workflow/edit/edit-records.ts";
import { openProject } from "../../src/workflow/project/project.ts";
import { Desk } from "../cli/run.ts";
import { formats } from "../formats/api.ts";
import { anyChanges, anyZone } from "../formats/changes.ts";
import { compileZone } from "../formats/named.ts";
import { isMissing } from "../judges.ts";
import { samples } from "../properties.ts";
import { contextOf } from "./import-context.ts";

/** An RRset of a random zone. */
interface SomeSet {
  readonly owner: Name;
  readonly type: string;
  readonly records: readonly ZoneRecord[];
}

const isOf =
  ({ owner, type }: Pick<SomeSet, "owner" | "type">) =>
  (record: Pick<ZoneRecord, "owner" | "type">) =>
    record.type === type && nameKey(record.owner) === nameKey(owner);

/** Two zones of one name, and a set of the second one. */
const zoneAndSet = fc
  .tuple(anyZone, anyChanges, anyZone, fc.nat())
  .map(([zone, change, other, at]) => {
    const records = other.records.filter(({ type }) => type !== "SOA");
    const record = records[at % Math.max(1, records.length)];
    return { zone: change(zone), set: record && setOf(record, records) };
  })
  .filter((one): one is { zone: Zone; set: SomeSet } => one.set !== undefined);

function setOf(record: ZoneRecord, records: readonly ZoneRecord[]): SomeSet {
  return { owner: record.owner, type: record.type, records: records.filter(isOf(record)) };
}

/** A project with the zone, and edits of it. */
function editor(format: keyof typeof formats, zone: Zone) {
  const file = `zones/example${formats[format].endings[0]}`;
  const desk = new Desk({ [file]: formats[format].write(zone) });
  const project = () => openProject(contextOf(desk), { config: "zonewright.yaml" });
  const wordsOf = ({ owner, type, records }: SomeSet) => ({
    name: relativeTo(owner, zone.name),
    type,
    values: records.map((record) => rdataText(record)),
  });
  return {
    desk,
    file,
    bytes: () => Buffer.from(desk.read(file)),
    read: () => formats[format].read({ file, bytes: Buffer.from(desk.read(file)), origin: zone.name }).zone,
    async set(set: SomeSet, ttl?: string) {
      const { before, after } = await setRecords(project(), { ...wordsOf(set), ttl });
      desk.write(file, after);
      return { before, after };
    },
    async unset(set: SomeSet, values: readonly string[] = []) {
      const { after } = await unsetRecords(project(), { ...wordsOf(set), values });
      desk.write(file, after);
    },
    /** Every part of the zone but one set, as text. */
    others(set: SomeSet) {
      const { records, ...rest } = this.read();
      return {
        records: recordsText([{ ...this.read(), records: records.filter((one) => !isOf(set)(one)) }], apiSettings),
        settings: rest.settings,
        excused: rest.excused?.map(({ owner, rule, targets }) => [owner, rule, targets?.map(({ name }) => name)]),
        scope: rest.scope,
      };
    },
    /** The TTLs of a set. */
    ttlsOf(set: SomeSet) {
      return [
        ...new Set(
          this.read()
            .records.filter(isOf(set))
            .map(({ ttl }) => ttl),
        ),
      ];
    },
    /** The values of a set. */
    valuesOf(set: SomeSet) {
      return [
        ...new Set(
          this.read()
            .records.filter(isOf(set))
            .map((record) => rdataText(record)),
        ),
      ].sort();
    },
  };
}

describe.each(["yaml", "bind"] as const)("any zone as %s", (format) => {
  test("set replaces one RRset, and nothing else", async () => {
    const property = fc.asyncProperty(zoneAndSet, async ({ zone, set }) => {
      const at = editor(format, zone);
      const [others, ttls] = [at.others(set), at.ttlsOf(set)];
      await at.set(set);
      if (ttls.length > 0) expect(at.ttlsOf(set)).toEqual(ttls.slice(0, 1));
      expect(at.valuesOf(set)).toEqual([...new Set(set.records.map((record) => rdataText(record)))].sort());
      expect(at.others(set)).toEqual(others);
      const { before, after } = await at.set(set);
      expect(after).toEqual(before);
    });
    await fc.assert(property, samples(300));
  });

  test("unset removes it, or one value, and nothing else", async () => {
    const property = fc.asyncProperty(zoneAndSet, async ({ zone, set }) => {
      const at = editor(format, zone);
      await at.set(set);
      const others = at.others(set);
      const values = at.valuesOf(set);
      if (values.length > 1) {
        await at.unset(set, values.slice(1));
        expect([at.valuesOf(set), at.others(set)]).toEqual([values.slice(0, 1), others]);
      }
      await at.unset(set);
      expect([at.valuesOf(set), at.others(set)]).toEqual([[], others]);
    });
    await fc.assert(property, samples(300));
  });

  test("unset of a new set gives the octets back", async () => {
    const property = fc.asyncProperty(zoneAndSet, async ({ zone, set }) => {
      const without = { ...zone, records: zone.records.filter((record) => !isOf(set)(record)) };
      const at = editor(format, without);
      const before = at.bytes();
      await at.set(set);
      await at.unset(set);
      expect(at.bytes().toString()).toBe(before.toString());
    });
    await fc.assert(property, samples(300));
  });
});

test.skipIf(isMissing("named", "named-compilezone"))("BIND reads a set in the file as it reads it alone", async () => {
  const property = fc.asyncProperty(zoneAndSet, fc.constantFrom("60", "5m", "2h"), async ({ zone, set }, ttl) => {
    const at = editor("bind", zone);
    const linesOf = async (bytes: Uint8Array) => {
      const { records, messages } = await compileZone("example.", bytes);
      if (records === undefined) throw new Error(messages);
      return records.split("\n").filter(Boolean);
    };
    const isOfSet = (line: string) => {
      const [owner, , , type] = line.split(" ");
      return owner === nameKey(set.owner) && type === set.type;
    };
    const before = await linesOf(at.bytes());
    await at.set(set, ttl);
    const alone = set.records.map((record) => `${record.owner} ${ttl} ${record.type} ${rdataText(record)}\n`);
    const head = "$TTL 1\n@ SOA a. b. 1 1 1 1 1\n@ NS ns.invalid.\n";
    const wanted = (await linesOf(Buffer.from(head + alone.join("")))).filter(isOfSet);
    const after = await linesOf(at.bytes());
    expect(after).toEqual([...before.filter((line) => !isOfSet(line)), ...wanted].sort());
  });
  await fc.assert(property, samples(60));
});
