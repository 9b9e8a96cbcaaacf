import { acceptWithApex, apexSettings } from "../accept-apex.ts";
import { storeWithoutAlias } from "../alias-record.ts";
import type { Capabilities, TargetKind } from "../target.ts";

const capabilities: Capabilities = {
  settings: [],
  ids: "content",
  changeSets: "zone",
  lock: "rrset",
  zones: "create and delete",
  apex: "ours",
  serial: "ours",
  events: false,
  isLocal: true,
  recordsPerRead: Number.POSITIVE_INFINITY,
};

/** A folder of zone files that a name server loads, for commands that do not read it. */
export const filesKind: TargetKind = {
  name: "folder",
  capabilities,
  fileSettings: apexSettings,
  accept: (zone) => acceptWithApex(zone, capabilities, { store: (record) => storeWithoutAlias(zone, record) }),
  recordLimits: new Set(["alias-record"]),
  strictRules: new Set(["cname-alone", "cname-at-apex", "no-name-servers"]),
};
