import { isInside, type NameKey } from "../../dns/name/name.ts";
import { canonical } from "../../dns/zone/zone.ts";
import { addressTypes } from "../risk/addresses.ts";
import { effectsAt, type Finding, type Guard, listNames, noLimit, recordsAt, type ZoneChange } from "../risk/guard.ts";

/**
 * Resolvers reach a name server inside its own zone by the addresses in the zone above (RFC 1034 §4.2.1), which must
 * stay equal to those in the zone. First addresses, and the last ones (G08, G28), are no change of glue; an alias in
 * their place is one, because it cannot be glue (RFC 2181 §10.3).
 */
export const glueGuard: Guard = {
  guard: "G30",
  title: "glue",
  about: "changes the addresses of a name server whose zone or delegation needs them as glue",
  counts: `Compares the A and AAAA records of name servers in the zones that they serve, or beside their delegation. The first address of a name is fine; an alias in place of addresses is not. ${noLimit}`,
  examples: {
    valid: ["  sub NS ns.sub", "  ns.sub A 192.0.2.1", "- www A 192.0.2.1", "+ www A 192.0.2.2"],
    invalid: {
      lines: ["  sub NS ns.sub", "- ns.sub A 192.0.2.1", "+ ns.sub A 192.0.2.2"],
      finding: "ns.sub.example.com A: changes the glue of sub.example.com",
    },
  },
  *check(zone, context) {
    const own = context.serversOf(zone.plan.zone);
    for (const name of zone.changedNames) {
      const effects = effectsAt(zone, name, ...addressTypes);
      if (effects.length === 0) continue;
      const [were, are] = [addressesAt(zone, name, "before"), addressesAt(zone, name, "after")];
      if (were === "" || were === are || (are === "" && !isAlias(zone, name))) continue;
      const isGlue = (owner: NameKey) => isInside(name, owner) || recordsAt(zone.after, owner, "NS").length > 0;
      const delegated = context.delegationsTo(name).filter(isGlue);
      const served = own.has(name) ? [zone.zone] : [];
      const zones = [...new Set([...served, ...delegated])];
      if (zones.length === 0) continue;
      const isAbove = zones.includes(zone.zone);
      const text = isAbove
        ? `changes the addresses of a name server of ${listNames(zones)}: the glue in the zone above must change, too`
        : `changes the glue of ${listNames(zones)}`;
      yield { text, effects, facts: zones.map((owner) => `${owner} NS ${name}`) } satisfies Finding;
    }
  },
};

function isAlias({ after }: ZoneChange, name: NameKey): boolean {
  return ["ALIAS", "CNAME"].some((type) => recordsAt(after, name, type).length > 0);
}

function addressesAt(zone: ZoneChange, name: NameKey, side: "before" | "after"): string {
  return addressTypes
    .flatMap((type) => recordsAt(zone[side], name, type).map((record) => canonical(record)))
    .sort()
    .join();
}
