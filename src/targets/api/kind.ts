import { largestPage, mostRecords } from "../../contract/bounds.ts";
import type { RecordsSetting } from "../../contract/resources/open-record.ts";
import { isOfSigner } from "../server-types.ts";
import type { Capabilities, TargetKind } from "../target.ts";
import { accept, acceptOpen } from "./accept.ts";
import { openRecordLimitIds, recordLimitIds, strictRules } from "./limits.ts";
import { apiSettings } from "./settings.ts";

const capabilities: Omit<Capabilities, "apex"> = {
  settings: apiSettings,
  ids: "stored",
  changeSets: "none",
  lock: "none",
  zones: "create and delete",
  serial: "service",
  events: true,
  recordsPerRead: largestPage,
};

/** The API for commands that do not call it. */
export const apiKind: TargetKind = {
  name: "API",
  capabilities: { ...capabilities, apex: "service", recordsPerZone: mostRecords },
  accept,
  recordLimits: recordLimitIds,
  strictRules,
};

/** A server of the API that holds records of every type, for commands that do not call it. */
const openApiKind: TargetKind = {
  name: "API",
  capabilities: { ...capabilities, apex: "servers" },
  isLeftBehind: isOfSigner,
  accept: acceptOpen,
  recordLimits: openRecordLimitIds,
  strictRules,
};

/** The API at a server with this setting. */
export function apiKindWith(records: RecordsSetting = "documented"): TargetKind {
  return records === "open" ? openApiKind : apiKind;
}
