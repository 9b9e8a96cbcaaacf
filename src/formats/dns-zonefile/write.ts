import { escapeQuoted } from "../../diagnostics/escape.ts";
import { type Name, spellName } from "../../dns/name/name.ts";
import type { SpellName } from "../../dns/rdata/field.ts";
import { readField } from "../../dns/rdata/record-type.ts";
import { typeOf } from "../../dns/types/index.ts";
import { soaSettings } from "../../dns/zone/soa-settings.ts";
import { isType, type Zone, type ZoneRecord } from "../../dns/zone/zone.ts";
import { defaultTimes, type ZoneSettings } from "../../dns/zone/zone-settings.ts";
import { sortSets } from "../edit/order.ts";
import { Losses, type WrittenZone } from "../edit/written-zone.ts";
import { apexServers, implicitServers, implicitSoa } from "../kit/implicit-records.ts";
import type { WriteOptions } from "../kit/source.ts";
import { setSpeller, targetSpeller } from "../kit/target-speller.ts";

type Json = Readonly<Record<string, string | number>>;

/** The names of fields, in the order of the RDATA, by type. A text has the quotes and escapes of zone files. */
const fields: Readonly<Record<string, readonly string[]>> = {
  NS: ["host"],
  MX: ["preference", "host"],
  A: ["ip"],
  AAAA: ["ip"],
  CNAME: ["alias"],
  PTR: ["host"],
  TXT: ["txt"],
  SRV: ["priority", "weight", "port", "target"],
  SPF: ["data"],
  CAA: ["flags", "tag", "value"],
  DS: ["key_tag", "algorithm", "digest_type", "digest"],
};

/**
 * Writes a zone as the JSON of the npm package dns-zonefile. Its `generate` makes a zone file of it, so a zone without
 * SOA and NS records at the apex gets those of the service.
 */
export function writeDnsZonefile(
  zone: Zone,
  { settings, nameservers: ofService }: Pick<WriteOptions, "settings" | "nameservers">,
): WrittenZone {
  const nameservers = implicitServers(zone, ofService);
  const losses = new Losses("dns-zonefile", zone.name);
  // A name whose only records are lost would look like one without its final dot.
  const isWritten = ({ type }: ZoneRecord) => type === "SOA" || type in fields;
  const spellIn = setSpeller(zone, zone.records.filter(isWritten));
  const soa = zone.records.find((record) => isType(record, "SOA")) ?? implicitSoa(zone, nameservers, settings);
  const implied: Partial<ZoneSettings> = soaSettings(soa, settings);
  losses.omitSettings(
    zone,
    settings.filter(({ name }) => name !== "ttl_sec" && implied[name] !== zone.settings[name]),
  );
  const byType = new Map(Object.keys(fields).map((type) => [type, [] as Json[]]));
  if (apexServers(zone).length === 0)
    byType
      .get("NS")
      ?.push(...nameservers.map((host) => ({ name: "@", host: escapeTemplate(targetSpeller(zone)(host)) })));
  for (const { records } of sortSets(zone.records)) {
    for (const record of records) {
      if (record.type === "SOA") continue;
      const { type, owner } = record;
      const list = byType.get(type);
      if (list === undefined) losses.lose(record, `has no ${type} records`);
      else
        list.push({
          name: escapeTemplate(spellName(owner, zone.name)),
          ...(type === "PTR" && { fullname: escapeTemplate(owner) }),
          ...dataOf(record, spellIn(record)),
          ...ttlOf(record),
        });
    }
  }
  const json = {
    $origin: escapeTemplate(zone.name),
    $ttl: zone.settings.ttl_sec || defaultTimes(settings).ttl_sec,
    soa: { name: "@", ...ttlOf(soa), ...dataOf(soa, spellIn(soa)) },
    ...Object.fromEntries(
      [...byType].filter(([, list]) => list.length > 0).map(([type, list]) => [type.toLowerCase(), list]),
    ),
  };
  return {
    text: `${escapeQuoted(JSON.stringify(json, undefined, 2))}\n`,
    problems: losses.problems,
    omitted: losses.omitted,
  };
}

/** A TTL of 0 is a text, because the package leaves out the number. */
function ttlOf({ ttl }: Pick<ZoneRecord, "ttl">): { ttl?: string | number } {
  return ttl === undefined ? {} : { ttl: ttl === 0 ? "0" : ttl };
}

function dataOf({ type, data }: ZoneRecord, spellTarget: SpellName): Json {
  const spell = (name: Name) => escapeTemplate(spellTarget(name));
  return Object.fromEntries(
    typeOf(type).fields.map(({ name, kind }, index) => {
      const value: unknown = readField(data, { name });
      const text = kind.format(value, spell);
      // The package has the numbers of DS as texts.
      const shown =
        typeof value === "number" && type !== "DS" ? value : kind.json.startsWith("text") ? escapeTemplate(text) : text;
      return [fields[type]?.[index] ?? name, shown];
    }),
  );
}

/**
 * Spells `$` and `{` as `\036` and `\123`: the package puts texts into a template, where `$&` and `{txt}` have a
 * meaning.
 */
function escapeTemplate(text: string): string {
  return text.replace(/\\(?:\d{3}|.)|[${]/gs, (part) => {
    const character = part.at(-1);
    return part.length > 2 || (character !== "$" && character !== "{") ? part : character === "$" ? "\\036" : "\\123";
  });
}
