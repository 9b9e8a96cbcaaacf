import type { AcrossRule } from "../lookup/rule.ts";
import { nameKey } from "../name/name.ts";
import { targets, type ZoneRecord } from "../zone/zone.ts";

export const delegationDiffers: AcrossRule = {
  id: "delegation-differs",
  *check(zone, zones) {
    for (const { owner, records } of zone.sets("NS")) {
      const child = zone.isApex(owner) ? undefined : zones.findByName(owner);
      const own = child?.owners.get(owner)?.get("NS")?.records ?? [];
      if (!child || own.length === 0 || sameServers(records, own)) continue;
      yield {
        summary: `${zone.show(owner)} is delegated to ${servers(records).join(", ")}, but its own zone lists ${servers(own).join(", ")}`,
        at: records[0],
        fix: `Use the same name servers as "${child.zone.file ?? child.zone.name}".`,
      };
    }
  },
};

function sameServers(a: readonly ZoneRecord[], b: readonly ZoneRecord[]): boolean {
  return servers(a).join() === servers(b).join();
}

function servers(records: readonly ZoneRecord[]): string[] {
  return [...new Set(records.flatMap(targets).map(nameKey))].sort();
}
