import { escapeQuoted } from "../../diagnostics/escape.ts";
import { formatDuration } from "../../dns/name/duration.ts";
import { type Name, spellName } from "../../dns/name/name.ts";
import { fromOctets } from "../../dns/name/text.ts";
import type { Rdata } from "../../dns/rdata/record-type.ts";
import type { Scope } from "../../dns/zone/scope.ts";
import { soaSettings } from "../../dns/zone/soa-settings.ts";
import { isType, rdataText, type Zone, type ZoneRecord } from "../../dns/zone/zone.ts";
import { defaultTimes } from "../../dns/zone/zone-settings.ts";
import { excusesByOwner, sortSets } from "../edit/order.ts";
import { apexServers, implicitServers, implicitSoa } from "../kit/implicit-records.ts";
import { ignoreEntries, targetsKey } from "../kit/scope.ts";
import { writeSetting } from "../kit/setting.ts";
import type { WriteOptions } from "../kit/source.ts";
import { setSpeller } from "../kit/target-speller.ts";

/** Records for the service's own, where the zone has none. */
export interface ImplicitRecords extends Pick<WriteOptions, "settings" | "nameservers"> {
  readonly soa?: Rdata | undefined;
}

/**
 * Writes a zone as a BIND zone file in canonical form. `$TTL`, SOA and the apex NS set, which name servers need and the
 * zone lacks, are written under `;@ implicit:`, so that the file loads anywhere and reads back as the same zone.
 */
export function writeBind(zone: Zone, { settings, nameservers: ofService, soa: ownSoa }: ImplicitRecords): string {
  const nameservers = implicitServers(zone, ofService);
  const sets = sortSets(zone.records);
  const soa = zone.records.find((record) => isType(record, "SOA"));
  const fromSoa = soa ? soaSettings(soa, settings) : {};
  const ttl = zone.settings.ttl_sec || undefined; // 0 asks the service for its default, a name server to cache nothing
  const isNsImplicit = apexServers(zone).length === 0;
  const implicit = [...(ttl === undefined ? ["TTL"] : []), ...(soa ? [] : ["SOA"]), ...(isNsImplicit ? ["NS"] : [])];
  const { manage, ignore = [] }: Partial<Scope> = zone.scope ?? {};
  const targets = zone.targets?.map(({ name }) => name).join(", ");
  const lines = [
    ...(implicit.length > 0 ? [`;@ implicit: ${implicit.join(", ")}`] : []),
    ...settings.flatMap((setting) => {
      const { name } = setting;
      const value = zone.settings[name];
      const isImplied = name in fromSoa || (name === "ttl_sec" && ttl);
      return value === undefined || isImplied ? [] : [`;@ ${name}: ${writeSetting(setting, value)}`];
    }),
    ...(targets === undefined ? [] : [`;@ ${targetsKey}: ${targets}`]),
    ...(manage === undefined ? [] : [`;@ manage: ${manage}`]),
    ...ignore.map((pattern) => `;@ ignore: ${escapeQuoted(JSON.stringify(ignoreEntries(pattern)))}`),
    ...excusesByOwner(zone).map(
      ([owner, rules]) => `;@ lenient ${fromOctets(spell(owner, zone))}: ${rules.join(", ")}`,
    ),
    `$ORIGIN ${zone.name}`,
    `$TTL ${formatDuration(ttl ?? defaultTimes(settings).ttl_sec)}`,
  ];
  const spellIn = setSpeller(zone);
  const records: [owner: string, ttl: string, type: string, data: string][] = [];
  const add = (record: ZoneRecord) => {
    const ttl = record.ttl === undefined ? "" : String(record.ttl);
    records.push([
      ownerCell(spell(record.owner, zone)),
      ttl,
      record.type,
      fromOctets(rdataText(record, spellIn(record))),
    ]);
  };
  if (soa) add(soa);
  else if (ownSoa) add({ owner: zone.name, type: "SOA", ttl: undefined, data: ownSoa });
  else add(implicitSoa(zone, nameservers, settings));
  if (isNsImplicit)
    for (const server of nameservers) records.push(["@", "", "NS", spellIn({ owner: zone.name, type: "NS" })(server)]);
  for (const { records } of sets) for (const record of records) if (record.type !== "SOA") add(record);
  const widths = [0, 1, 2].map((column) =>
    records.reduce((widest, record) => Math.min(24, Math.max(widest, record[column]?.length ?? 0)), 0),
  );
  for (const [owner, ttl, type, data] of records) {
    const cells = [owner.padEnd(widths[0] ?? 0), ttl.padEnd(widths[1] ?? 0), "IN", type.padEnd(widths[2] ?? 0), data];
    // RDATA may be empty, after a padded type.
    lines.push(
      cells
        .filter((cell) => cell !== "")
        .join(" ")
        .trimEnd(),
    );
  }
  return `${lines.join("\n")}\n`;
}

function spell(name: Name, zone: Pick<Zone, "name">): string {
  return spellName(name, zone.name);
}

/** An owner name at the start of a line, where a reader would take a `#` for that of a comment. */
export function ownerCell(owner: string): string {
  return owner.replace(/^#/, "\\035");
}
