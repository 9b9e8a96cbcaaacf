import type { RuleId } from "../../diagnostics/registry.ts";
import type { IndexedZone, Rule, RuleFinding } from "../../dns/lookup/rule.ts";
import { type Name, withoutDot } from "../../dns/name/name.ts";
import type { ZoneRecord } from "../../dns/zone/zone.ts";
import { type ApiSettings, toApiSettings } from "./settings.ts";

type Violation = Pick<RuleFinding, "summary" | "fix" | "about">;

interface Limit<Check> {
  readonly id: RuleId;
  readonly check: Check;
}

type OwnerCheck = (owner: Name, zone: IndexedZone) => Omit<Violation, "about"> | undefined;
type RecordCheck = (record: ZoneRecord, zone: IndexedZone) => Violation | undefined;
type SettingsCheck = (
  settings: ApiSettings,
  zone: IndexedZone,
) => (Violation & { setting: keyof ApiSettings | "zone"; at?: ZoneRecord | undefined }) | undefined;

/**
 * A limit on single records, or on those of some types. SOA and apex NS records are skipped, because the API creates
 * them itself.
 */
export function ofRecords({
  check,
  types,
  ...limit
}: Limit<RecordCheck> & { readonly types?: readonly string[] }): Rule {
  return {
    ...limit,
    *check(zone) {
      if (types?.every((type) => zone.sets(type).length === 0)) return;
      for (const record of zone.zone.records) {
        if ((types && !types.includes(record.type)) || isOfService(record, zone)) continue;
        const problem = check(record, zone);
        if (problem) yield { ...problem, at: record };
      }
    },
  };
}

/** A limit on owner names, which is reported at each record of a name. */
export function ofOwners({ check, ...limit }: Limit<OwnerCheck>): Rule {
  return {
    ...limit,
    *check(zone) {
      let fits: Name | undefined;
      for (const record of zone.zone.records) {
        const { owner } = record;
        if (owner === fits || isOfService(record, zone)) continue;
        const problem = check(owner, zone);
        if (problem) yield { ...problem, about: "owner", at: record };
        else fits = owner;
      }
    },
  };
}

/** Whether the API creates the record itself. */
export function isOfService({ type, owner }: ZoneRecord, zone: IndexedZone): boolean {
  return type === "SOA" || (type === "NS" && zone.isApex(owner));
}

/** A limit on the settings of a zone. */
export function ofSettings({ check, ...limit }: Limit<SettingsCheck>): Rule {
  return {
    ...limit,
    *check(zone) {
      const problem = check(toApiSettings(zone.zone.settings), zone);
      if (problem) {
        const { places, file } = zone.zone;
        const head = file === undefined ? undefined : { file, line: 1, column: 1, length: 1 };
        yield {
          summary: problem.summary,
          at: problem.at ?? places[problem.setting] ?? head,
          ...(problem.fix !== undefined && { fix: problem.fix }),
        };
      }
    },
  };
}

/**
 * A host or domain name without its final dot, as the API accepts it: letters, digits, `-`, `_` and `/`
 * (decisions/service#records).
 */
export function isApiHostname(name: string): boolean {
  return name.length <= 253 && /^[\w/-]{1,63}(?:\.[\w/-]{1,63})*$/.test(name);
}

/** Whether a zone can be a domain of the API (decisions/service#domains). */
export function isDomain(zone: Name): boolean {
  const name = withoutDot(zone);
  const labels = name.replace(/^\*\./, "").split(".");
  const fit = labels.every((label) => /^\w([\w/-]{0,61}\w)?$/.test(label));
  return fit && labels.length > 1 && name.length <= 253 && !/\.\d+$/.test(name);
}
