import type { Problem } from "../diagnostics/problem.ts";
import type { RuleId } from "../diagnostics/registry.ts";
import { delegationDiffers } from "./across/delegation-differs.ts";
import { hiddenByZone } from "./across/hidden-by-zone.ts";
import { ownerElsewhere } from "./across/owner-elsewhere.ts";
import { spfLookupsElsewhere } from "./across/spf-lookups-elsewhere.ts";
import { targetElsewhere } from "./across/target-elsewhere.ts";
import { type Name, type NameKey, nameKey, parent } from "./name.ts";
import { type Finding, IndexedZone, toProblem } from "./rule.ts";
import type { Zone } from "./zone.ts";

/** A rule about a zone beside the others of a project. */
export interface AcrossRule {
  readonly id: RuleId;
  check(zone: IndexedZone, zones: ManagedZones): Iterable<Finding>;
}

/** Every rule across zones. A new one is one file and one line here. */
export const acrossRules: readonly AcrossRule[] = [
  delegationDiffers,
  hiddenByZone,
  ownerElsewhere,
  spfLookupsElsewhere,
  targetElsewhere,
];

/** The zones of a project by name; a zone is indexed when something asks for it. */
class ManagedZones {
  readonly #zones: ReadonlyMap<NameKey, Zone>;
  readonly #partial: ReadonlySet<Zone>;
  readonly #indexed = new Map<NameKey, IndexedZone>();

  constructor(zones: readonly Zone[], partial: readonly Zone[] = []) {
    this.#zones = new Map(zones.map((zone) => [nameKey(zone.name), zone]));
    this.#partial = new Set(partial);
  }

  /** The zone of this name, when all its records are known. */
  named(name: Name): IndexedZone | undefined {
    const key = nameKey(name);
    const zone = this.#zones.get(key);
    if (!zone || zone.settings.type === "slave" || this.#partial.has(zone)) return undefined;
    const indexed = this.#indexed.get(key) ?? new IndexedZone(zone);
    this.#indexed.set(key, indexed);
    return indexed;
  }

  /** The nearest zone that the name is in; undefined also where its records are not all known. */
  of(name: Name): IndexedZone | undefined {
    return this.#nearest(name, () => true);
  }

  /** As `of`, among the zones that are served: only these answer in place of others. */
  servedOf(name: Name): IndexedZone | undefined {
    return this.#nearest(name, ({ settings }) => settings.status !== "disabled");
  }

  #nearest(name: Name, counts: (zone: Zone) => boolean): IndexedZone | undefined {
    for (let at = nameKey(name); at !== "."; at = parent(at)) {
      const zone = this.#zones.get(at);
      if (zone && counts(zone)) return this.named(at);
    }
    return undefined;
  }
}

/**
 * What the rules across zones say, by zone, in the order of the zones. Of the `partial` ones not everything could be
 * read, so nothing is said of them or what points there.
 */
export function checkAcross(zones: readonly Zone[], partial: readonly Zone[] = []): Problem[][] {
  const managed = new ManagedZones(zones, partial);
  return zones.map(({ name }) => {
    const zone = zones.length > 1 ? managed.named(name) : undefined;
    if (!zone) return [];
    return acrossRules.flatMap((rule) => [...rule.check(zone, managed)].map((found) => toProblem(rule.id, found)));
  });
}
