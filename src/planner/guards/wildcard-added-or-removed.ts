import { isWildcard, type NameKey } from "../../dns/name/name.ts";
import type { Owners } from "../../dns/zone/owners.ts";
import { effectsAt, type Guard, noLimit, recordsAt } from "../risk/guard.ts";

export const wildcardAddedOrRemoved: Guard = {
  guard: "G09",
  title: "wildcard added or removed",
  about: "adds or removes a wildcard",
  ofNew: true,
  counts: `Looks for wildcards that get or lose a record type. ${noLimit}`,
  examples: {
    valid: ["+ www A 192.0.2.1", "  * A 192.0.2.2"],
    invalid: { lines: ["+ * A 192.0.2.1"], finding: "*.example.com A: answers for every name that does not exist" },
  },
  *check(zone) {
    // Below the apex of a new zone, a wildcard answers for every name that the migration missed.
    const isIntended = (name: NameKey) => zone.plan.domainId !== undefined || name === `*.${zone.zone}`;
    const names = [...zone.before.keys(), ...zone.after.keys()].filter((name) => isWildcard(name) && isIntended(name));
    for (const name of new Set(names)) {
      const isThere = (owners: Owners, type: string) => recordsAt(owners, name, type).length > 0;
      const types = new Set(effectsAt(zone, name).map((effect) => effect.type));
      const turned = [...types].filter((type) => isThere(zone.before, type) !== isThere(zone.after, type));
      if (turned.length === 0) continue;
      const was = zone.before.has(name);
      const text =
        was && zone.after.has(name)
          ? "names that do not exist get a different answer"
          : was
            ? "names that do not exist stop resolving"
            : "answers for every name that does not exist";
      yield { text, effects: effectsAt(zone, name, ...turned) };
    }
  },
};
