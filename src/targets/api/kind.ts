import { largestPage, mostRecords } from "../../contract/bounds.ts";
import type { TargetKind } from "../target.ts";
import { accept } from "./accept.ts";
import { recordLimitIds, strictRules } from "./limits.ts";
import { apiSettings } from "./settings.ts";

/** The API for commands that do not call it. */
export const apiKind: TargetKind = {
  name: "API",
  capabilities: {
    settings: apiSettings,
    ids: "stored",
    changeSets: "none",
    lock: "none",
    zones: "create and delete",
    apex: "service",
    serial: "service",
    events: true,
    recordsPerRead: largestPage,
    recordsPerZone: mostRecords,
  },
  accept,
  recordLimits: recordLimitIds,
  strictRules,
};
