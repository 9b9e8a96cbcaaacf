import { problem } from "../../diagnostics/problem.ts";
import { placeWithIncludes } from "../../dns/lookup/rule.ts";
import { relativeTo } from "../../dns/name/name.ts";
import type { DesiredRecord } from "../../dns/zone/desired-live.ts";
import type { Zone } from "../../dns/zone/zone.ts";
import type { Setting } from "../../dns/zone/zone-settings.ts";
import { acceptPlain } from "../accept-plain.ts";
import type { Capabilities, TargetKind } from "../target.ts";
import { isServerType } from "./server-types.ts";

/** The TTL of records without one in a file without `ttl_sec`, in seconds: that of the examples of RFC 1912 §2.2. */
const defaultTtl = 3600;

export const capabilities: Capabilities = {
  settings: [],
  ids: "content",
  changeSets: "zone",
  // 65,535 without the header, the zone, its SOA record and the signature, with the longest names.
  maxChangeOctets: 64_300,
  lock: "rrset",
  zones: "neither",
  apex: "ours",
  events: false,
  recordsPerRead: Number.POSITIVE_INFINITY,
};

const ttlSetting: Setting = {
  name: "ttl_sec",
  kind: "duration",
  default: defaultTtl,
  about: "TTL of records without one",
  example: "1h",
};

/** A name server that takes dynamic updates (RFC 2136), for commands that do not call it. */
export const rfc2136Kind: TargetKind = {
  name: "name server",
  capabilities,
  fileSettings: [ttlSetting],
  isOwnType: isServerType,
  accept: (zone) => acceptPlain(zone, capabilities, { defaultTtl, store: (record) => storeRecord(zone, record) }),
  recordLimits: new Set(["server-type"]),
  strictRules: new Set(["cname-alone", "cname-at-apex"]),
};

function storeRecord({ name }: Zone, record: DesiredRecord) {
  const { owner, type } = record;
  if (!isServerType(type)) return { record };
  const summary = `${relativeTo(owner, name)} ${type}: the name server makes records of this type itself`;
  const fix = "Remove it: an update with it is refused, or breaks the signatures of the zone.";
  return { record: undefined, problem: problem("server-type", summary, { fix, owner, ...placeWithIncludes(record) }) };
}
