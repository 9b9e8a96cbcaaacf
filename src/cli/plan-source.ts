import { createHash } from "node:crypto";
import type { Config } from "../config/config.ts";
import { jsonDigest } from "../planner/canonical-json.ts";
import type { PlanFile } from "../planner/plan-schema.ts";
import type { ReadZone } from "../sources/files.ts";

type Source = PlanFile["source"];

/** What a plan is made of: each zone file with what it includes, and what the config says. */
export function sourceOf(zones: readonly ReadZone[], config: Config): Pick<Source, "config" | "zones"> {
  return {
    config: configDigest(config),
    zones: zones.map(({ zone, file, bytes, included }) => ({
      zone: zone.name.toLowerCase(),
      files: [{ file, bytes }, ...included].map(({ file, bytes }) => ({ file, sha256: sha256(bytes) })),
    })),
  };
}

/**
 * The part of the config that zones are made of. Where the API is has its own check, and guards look again when the plan
 * is applied.
 */
export function configDigest({ defaults, manage, ignore, policy, rules, zones }: Config): string {
  return jsonDigest({ defaults, manage, ignore, policy, rules, zones });
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
