import { createHash } from "node:crypto";
import type { Config } from "../../config/config.ts";
import { nameKey } from "../../dns/name/name.ts";
import type { DesiredZone } from "../../dns/zone/desired-live.ts";
import { isReferring } from "../../dns/zone/node-reference.ts";
import { isType, type ZoneRecord } from "../../dns/zone/zone.ts";
import type { ZoneOfFile } from "../../formats/files.ts";
import { digestDesired, digestJson } from "../../planner/changes/digests.ts";
import type { PlanFile } from "../../planner/plan-file/plan-schema.ts";

type Source = PlanFile["source"];

/** The input of a plan: each desired zone, its files with their includes and templates, and the config. */
export function sourceOf(
  zones: readonly ZoneOfFile[],
  desired: readonly DesiredZone[],
  config: Config,
): Pick<Source, "config" | "zones"> {
  const digests = new Map(desired.map((zone) => [nameKey(zone.name), digestDesired(zone)]));
  const nodesByZone = new Map(desired.map(({ name, records }) => [nameKey(name), nodesOf(records)]));
  return {
    config: configDigest(config),
    zones: zones.map(({ zone, file, bytes, included }) => {
      const name = nameKey(zone.name);
      const ofZone = digests.get(name);
      const files = [{ file, bytes }, ...included].map(({ file, bytes }) => ({ file, sha256: sha256(bytes) }));
      const nodes = nodesByZone.get(name) ?? [];
      return { zone: name, files, ...(ofZone && { desired: { ...ofZone } }), ...(nodes.length > 0 && { nodes }) };
    }),
  };
}

/** The nodes that records refer to, each once, with their addresses. */
function nodesOf(records: readonly ZoneRecord[]): NonNullable<Source["zones"][number]["nodes"]> {
  const nodes = records.flatMap((record) => {
    if (!isReferring(record) || !isType(record, "A", "AAAA")) return [];
    const { type, node, data } = record;
    return [{ label: node.label, type, ...(node.isPrivate && { private: true as const }), address: data.address }];
  });
  return [...new Map(nodes.map((node) => [JSON.stringify(node), node])).values()];
}

/**
 * A digest of the part of the config that affects zones. The API has its own check, and guards are evaluated again when
 * the plan is applied.
 */
export function configDigest({ defaults, manage, ignore, policy, rules, zones }: Config): string {
  return digestJson({ defaults, manage, ignore, policy, rules, zones });
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
