import fc from "fast-check";
import { readDuration } from "../../src/dns/name/duration.ts";
import { readName, withLabel } from "../../src/dns/name/name.ts";
import type { Rdata } from "../../src/dns/rdata/record-type.ts";
import type { KnownType, RdataByType } from "../../src/dns/types/index.ts";
import { canonical, copyRecord, type Zone, type ZoneRecord } from "../../src/dns/zone/zone.ts";
import { findSetting, type SettingValue } from "../../src/dns/zone/zone-settings.ts";
import { setKey } from "../../src/formats/edit/difference.ts";
import { readSetting } from "../../src/formats/kit/setting.ts";
import { apiSettings } from "../../src/targets/api/settings.ts";
import { domainName } from "../names.ts";
import { formats } from "./api.ts";

/**
 * A zone with changes made, a line each: `+ www 300 A 192.0.2.1` adds a record, `- www A 192.0.2.1` removes one, both
 * together change one, `~ www A 60` gives a set another TTL, `~ www A` none, `tags = a, b` sets a setting, `tags =`
 * none, `lenient www: rule, other for target` adds rules.
 */
export function withChanges(zone: Zone, lines: string): Zone {
  let { settings, excused } = zone;
  let records = [...zone.records];
  for (const line of lines
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)) {
    const [, sign, owner = "", type = "", rest = ""] = /^([-~]) (\S+) (\S+) ?(.*)$/.exec(line) ?? [];
    const [, name = "", value = ""] = /^(\w+) = ?(.*)$/.exec(line) ?? [];
    const [, lenient, rules] = /^lenient (\S+): (.*)$/.exec(line) ?? [];
    if (lenient && rules) {
      const added = rules.split(", ").map((entry) => {
        const [rule = "", targets] = entry.split(" for ");
        const names = targets?.split(" ").map((name) => ({ name }));
        return { owner: readName(lenient, zone.name), rule, ...(names && { targets: names }) };
      });
      excused = [...(excused ?? []), ...added];
    } else if (line.startsWith("+ ")) records = [...records, recordOf(line.slice(2), zone)];
    else if (sign === "-") {
      const gone = recordOf(`${owner} ${type} ${rest}`, zone);
      const index = records.findIndex(
        (record) => setKey(record) === setKey(gone) && canonical(record) === canonical(gone),
      );
      if (index === -1) throw new Error(`nothing to remove: ${line}`);
      records = records.filter((_, other) => other !== index);
    } else if (sign === "~") {
      const key = `${owner === "@" ? zone.name : `${owner}.${zone.name}`} ${type}`.toLowerCase();
      const ttl = rest === "" ? undefined : readDuration(rest);
      records = records.map((record) => (setKey(record).toLowerCase() === key ? copyRecord(record, { ttl }) : record));
    } else {
      const setting = findSetting(apiSettings, name);
      if (!setting) throw new Error(`no change: ${line}`);
      const { [name]: _, ...others } = settings;
      settings = value === "" ? others : { ...others, [name]: readSetting(setting, value) };
    }
  }
  return { ...zone, records, settings, ...(excused && { excused }) };
}

/** A line of a master file; without a TTL it has the zone's default. */
function recordOf(line: string, { name }: Zone): ZoneRecord {
  const bytes = Buffer.from(`$ORIGIN ${name}\n$TTL 1\n${line}\n`);
  const { zone } = formats.bind.read({ file: "change.zone", bytes, origin: name });
  const [record] = zone.records;
  if (!record) throw new Error(`no record: ${line}`);
  const { owner, type, ttl, data } = record;
  return { owner, type, ttl, data };
}

/** One change of any zone: `at` chooses a record. */
type Change = (zone: Zone, at: number) => Zone;

const ttl = fc.constantFrom(undefined, 0, 60, 300, 3600, 86400);
const owner = fc.constantFrom("@", "www", "mail", "new", "*.dev", "a\\.b", "_sip._tcp", "In", "300");
const text = fc.constantFrom(
  "v=spf1 -all",
  'a "b" \\ ; ( ) # , : [x] {y}',
  "",
  "\u00e9\n",
  "x".repeat(300),
  "true",
  "- a",
);
const of = <T extends KnownType>(type: T, data: fc.Arbitrary<RdataByType[T]>) =>
  data.map((data): [string, Rdata] => [type, data]);
const data: fc.Arbitrary<[string, Rdata]> = fc.oneof(
  of(
    "A",
    fc.nat(255).map((last) => ({ address: `192.0.2.${last}` })),
  ),
  of(
    "MX",
    fc.nat(9).map((preference) => ({ preference, exchange: domainName(`mail${preference}.example.net.`) })),
  ),
  of(
    "TXT",
    fc.array(text, { minLength: 1, maxLength: 2 }).map((texts) => ({ strings: texts.map(octets) })),
  ),
  of(
    "SRV",
    fc.nat(9).map((port) => ({ priority: 0, weight: 1, port, target: domainName("sip.example.") })),
  ),
  of(
    "CAA",
    fc.constantFrom("issue", "iodef").map((tag) => ({ flags: 0, tag, value: "ca.example.net" })),
  ),
);

/** A record; of a set that the zone has it takes the TTL. */
const record = fc.tuple(owner, data, ttl);

const add: fc.Arbitrary<Change> = record.map(([owner, [type, data], ttl]) => (zone) => {
  const name = owner === "@" ? zone.name : withLabel(owner, zone.name);
  const set = zone.records.find((other) => setKey(other) === setKey({ owner: name, type, data }));
  return { ...zone, records: [...zone.records, { owner: name, type, ttl: set ? set.ttl : ttl, data }] };
});

const remove: fc.Arbitrary<Change> = fc.constant((zone, at) => {
  const gone = zone.records.at(at);
  return gone?.type === "SOA" ? zone : { ...zone, records: zone.records.filter((record) => record !== gone) };
});

const replace: fc.Arbitrary<Change> = data.map(([type, data]) => (zone, at) => {
  const records = zone.records.map((record, index) =>
    index === at && record.type === type ? copyRecord(record, { data }) : record,
  );
  return { ...zone, records };
});

const retime: fc.Arbitrary<Change> = ttl.map((ttl) => (zone, at) => {
  const key = setKey(zone.records.at(at));
  return {
    ...zone,
    records: zone.records.map((record) => (setKey(record) === key ? copyRecord(record, { ttl }) : record)),
  };
});

const serial: fc.Arbitrary<Change> = fc.nat(9).map((serial) => (zone) => {
  const records = zone.records.map((record) =>
    record.type === "SOA" ? copyRecord(record, { data: { ...record.data, serial } }) : record,
  );
  return { ...zone, records };
});

const set: fc.Arbitrary<Change> = fc
  .constantFrom<readonly [string, SettingValue | undefined]>(
    ["ttl_sec", 3600],
    ["ttl_sec", 60],
    ["ttl_sec", 0],
    ["ttl_sec", undefined],
    ["tags", ["a", "b c"]],
    ["tags", []],
    ["tags", undefined],
    ["description", "one: two # three"],
    ["soa_email", "dns.admin@example.org"],
    ["refresh_sec", 7200],
  )
  .map(([name, value]) => (zone) => {
    const { [name as "tags"]: _, ...others } = zone.settings;
    return { ...zone, settings: { ...others, ...(value !== undefined && { [name]: value }) } };
  });

const excuse: fc.Arbitrary<Change> = fc
  .tuple(fc.subarray(["private-address", "target-one-label", "mx-null"]), fc.subarray(["office", "public"]))
  .map(([rules, names]) => (zone, at) => {
    const owner = zone.records.at(at)?.owner;
    const targets = names.length > 0 && { targets: names.map((name) => ({ name })) };
    const added = owner === undefined ? [] : rules.map((rule) => ({ owner, rule, ...targets }));
    return added.length === 0 ? zone : { ...zone, excused: [...(zone.excused ?? []), ...added] };
  });

const place = fc.nat(1_000_000);

/** Changes of any zone, made one after the other; rules become lenient at names that then have records. */
export const anyChanges: fc.Arbitrary<(zone: Zone) => Zone> = fc
  .tuple(
    fc.array(fc.tuple(fc.oneof(add, remove, replace, retime, serial, set), place), { minLength: 1, maxLength: 4 }),
    fc.array(fc.tuple(excuse, place), { maxLength: 2 }),
  )
  .map(
    ([changes, excuses]) =>
      (zone) =>
        [...changes, ...excuses].reduce(
          (zone, [change, at]) => change(zone, zone.records.length && at % zone.records.length),
          zone,
        ),
  );

/** A zone that was never in a file. */
export const anyZone: fc.Arbitrary<Zone> = fc.array(fc.oneof(add, set), { maxLength: 12 }).map((changes) =>
  changes.reduce((zone, change) => change(zone, 0), {
    name: domainName("example."),
    settings: {},
    records: [],
    places: {},
    dotlessTargets: [],
  } as Zone),
);

function octets(text: string): string {
  return Buffer.from(text).toString("latin1").slice(0, 255);
}
