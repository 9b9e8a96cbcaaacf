import type { Rule } from "../zone/rule.ts";
import { recordLimits } from "./record-limits.ts";
import { settingLimits } from "./setting-limits.ts";

/** What the API cannot hold or refuses. Each limit names its source in `why`. */
export const limits: readonly Rule[] = [...recordLimits, ...settingLimits];
