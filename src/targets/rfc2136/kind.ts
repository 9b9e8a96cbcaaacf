import { type Problem, problem } from "../../diagnostics/problem.ts";
import { placeWithIncludes } from "../../dns/lookup/rule.ts";
import { type Name, type NameKey, nameKey, relativeTo } from "../../dns/name/name.ts";
import { typeCode } from "../../dns/rdata/type-codes.ts";
import { recordTypes } from "../../dns/types/index.ts";
import type { DesiredRecord } from "../../dns/zone/desired-live.ts";
import { recordOctets } from "../../dns/zone/record-octets.ts";
import { setKeyOf, type Zone } from "../../dns/zone/zone.ts";
import { acceptPlain } from "../accept-plain.ts";
import { storeWithoutAlias } from "../alias-record.ts";
import { isServerType, serverTypeProblem } from "../server-types.ts";
import type { Capabilities, TargetKind } from "../target.ts";
import { defaultTtl, ttlSetting } from "../usual-ttl.ts";

/** The types of RRsets that a name can have beside a CNAME, as far as they are known. */
export const typesOfNames: readonly string[] = recordTypes
  .map(({ type }) => type)
  .filter((type) => type !== "SOA" && typeCode(type) !== undefined && !isServerType(type));

/**
 * 65,535 without the header, the zone, its SOA record and the signature, with the longest names
 * (decisions/dynamic-updates#sizes).
 */
const maxChangeOctets = 64_300;

export const capabilities: Capabilities = {
  settings: [],
  ids: "content",
  changeSets: "zone",
  maxChangeOctets,
  conditionsPerAlias: typesOfNames.length,
  lock: "rrset",
  zones: "neither",
  apex: "ours",
  serial: "service",
  events: false,
  recordsPerRead: Number.POSITIVE_INFINITY,
};

/** A name server that takes dynamic updates (RFC 2136), for commands that do not call it. */
export const rfc2136Kind: TargetKind = {
  name: "name server",
  ttlLimit: "`max-zone-ttl` in BIND",
  capabilities,
  fileSettings: [ttlSetting],
  isOwnType: isServerType,
  accept(zone) {
    const plain = acceptPlain(zone, capabilities, { defaultTtl, store: (record) => storeRecord(zone, record) });
    return { ...plain, problems: [...plain.problems, ...tooLargeSets(zone.name, plain.desired.records)] };
  },
  recordLimits: new Set(["server-type", "alias-record"]),
  strictRules: new Set(["cname-alone", "cname-at-apex"]),
};

function storeRecord(zone: Zone, record: DesiredRecord) {
  if (!isServerType(record.type)) return storeWithoutAlias(zone, record);
  const why = "an update with it is refused, or breaks the signatures of the zone";
  return { record: undefined, problem: serverTypeProblem(zone, record, why) };
}

/** RRsets of several records for which no update has room, and no answer. */
function tooLargeSets(zone: Name, records: readonly DesiredRecord[]): Problem[] {
  const counts = new Map<NameKey, number>();
  for (const { owner } of records) counts.set(nameKey(owner), (counts.get(nameKey(owner)) ?? 0) + 1);
  const sizes = new Map<string, { octets: number; readonly first: DesiredRecord }>();
  for (const record of records) {
    if (counts.get(nameKey(record.owner)) === 1) continue; // most names of large zones
    const key = setKeyOf(record);
    const size = sizes.get(key);
    if (size === undefined) sizes.set(key, { octets: recordOctets(zone, record), first: record });
    else size.octets += recordOctets(zone, record);
  }
  return [...sizes.values()].flatMap(({ octets, first }) => {
    if (octets <= maxChangeOctets) return [];
    const summary = `${relativeTo(first.owner, zone)} ${first.type}: the RRset has ${octets.toLocaleString("en")} octets, more than an update has room for (64,300)`;
    const fix = "Remove records of it, or shorten them: no server can answer with the RRset, or take it in an update.";
    return [problem("rrset-size", summary, { fix, owner: first.owner, ...placeWithIncludes(first) })];
  });
}
