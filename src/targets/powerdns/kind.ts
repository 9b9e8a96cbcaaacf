import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, problem } from "../../diagnostics/problem.ts";
import { placeWithIncludes } from "../../dns/lookup/rule.ts";
import { isWildcard, parent, relativeTo } from "../../dns/name/name.ts";
import type { DesiredRecord } from "../../dns/zone/desired-live.ts";
import type { Zone } from "../../dns/zone/zone.ts";
import { acceptWithApex, apexSettings } from "../accept-apex.ts";
import { isServerType, serverTypeProblem } from "../server-types.ts";
import type { Capabilities, TargetKind } from "../target.ts";
import { findUnansweredAliases } from "./aliases.ts";
import { powerDnsSettings } from "./settings.ts";
import { whyUnstorable } from "./storable.ts";

const capabilities: Capabilities = {
  settings: powerDnsSettings,
  ids: "content",
  changeSets: "zone",
  lock: "compared",
  zones: "create and delete",
  apex: "ours",
  serial: "ours",
  events: false,
  recordsPerRead: Number.POSITIVE_INFINITY,
};

/** A PowerDNS with its HTTP API, for commands that do not call it. */
export const powerDnsKind: TargetKind = {
  name: "PowerDNS",
  capabilities,
  fileSettings: apexSettings,
  isOwnType: isServerType,
  accept(zone) {
    const { desired, problems } = acceptWithApex(zone, capabilities, { store: (record) => storeRecord(zone, record) });
    return { desired, problems: [...problems, ...findUnansweredAliases(zone)] };
  },
  recordLimits: new Set(["server-type", "powerdns/name", "powerdns/value"]),
  strictRules: new Set(["cname-alone", "cname-at-apex", "no-name-servers"]),
};

/** The characters of names that the API accepts, after `*.` of a wildcard (PowerDNS 4.7, 2026-11). */
const acceptedName = /^[\w/.-]+$/;

function storeRecord(zone: Zone, record: DesiredRecord): { record: DesiredRecord | undefined; problem?: Problem } {
  const { owner, type } = record;
  const details = { owner, ...placeWithIncludes(record) };
  const shown = `${relativeTo(owner, zone.name)} ${type}`;
  if (isServerType(type)) {
    const why = "PowerDNS signs its zones, and a stored record would contradict its own";
    return { record: undefined, problem: serverTypeProblem(zone, record, why) };
  }
  const why = whyUnstorable(record);
  if (why !== undefined) {
    const summary = `${shown}: the API of PowerDNS does not accept ${escapeControl(why)}`;
    const fix = "Change the value, or serve the zone by another target: PowerDNS refuses the whole change.";
    return { record: undefined, problem: problem("powerdns/value", summary, { fix, ...details }) };
  }
  if (acceptedName.test(isWildcard(owner) ? parent(owner) : owner)) return { record };
  const summary = `${shown}: the API of PowerDNS does not accept this name`;
  const fix = "Use only letters, digits and the characters - _ / in the name.";
  return { record: undefined, problem: problem("powerdns/name", summary, { fix, ...details }) };
}
