import { type NameKey, nameKey } from "../../dns/name/name.ts";
import type { LiveZone } from "../../dns/zone/desired-live.ts";
import type { Plan } from "../changes/change.ts";
import { digestEffects } from "../changes/effects.ts";
import { eachOf, type Work } from "../order/work.ts";
import {
  concerns,
  describeZoneChange,
  type Finding,
  type Guard,
  type GuardId,
  type Thresholds,
} from "../risk/guard.ts";
import { GuardContexts, type GuardOptions } from "./contexts.ts";
import { guards } from "./guards.ts";

/** Changes that a guard blocks in one zone, or (zone `*`) in the run as a whole. */
export interface GuardBlock {
  readonly guard: GuardId;
  /** `*` for the run as a whole. */
  readonly zone: NameKey | "*";
  readonly findings: readonly Finding[];
  /** SHA-256 of the blocked effects and the facts behind them: an acknowledgement is bound to it. */
  readonly effectDigest: string;
}

/** Changes of a plan that the guards block; `live` are its live zones. */
export function* findGuardBlocks(
  plan: Plan,
  live: ReadonlyMap<NameKey, LiveZone>,
  thresholds: Thresholds,
  options: GuardOptions,
): Work<GuardBlock[]> {
  const zones = yield* eachOf(["listing effects", "zone"], plan.zones, (zone) =>
    describeZoneChange(zone, live.get(nameKey(zone.zone.name))),
  );
  const contexts = new GuardContexts({ plan, zones, live, thresholds }, options);
  const context = contexts.ofRun;
  const ofRun = guards.flatMap(({ guard, checkRun }) => blockOf(guard, "*", checkRun?.(context)) ?? []);
  const ofZones = yield* eachOf(["checking guards", "zone"], zones, (zone) => {
    const around = contexts.of(zone.zone);
    const blocks: GuardBlock[] = [];
    for (const one of guards) {
      const { guard, check, ofNew } = one;
      if ((!ofNew && zone.plan.domainId === undefined) || !concerns(one, zone)) continue;
      const block = blockOf(guard, zone.zone, check?.(zone, around));
      if (block) blocks.push(block);
    }
    return blocks;
  });
  return [
    ...ofRun,
    ...ofZones.flat(),
    ...plan.deletions.flatMap((zone) =>
      guards.flatMap(
        ({ guard, checkDeletion }) => blockOf(guard, nameKey(zone.name), checkDeletion?.(zone, context)) ?? [],
      ),
    ),
  ];
}

function blockOf(
  guard: Guard["guard"],
  zone: GuardBlock["zone"],
  found: Iterable<Finding> = noFindings,
): GuardBlock | undefined {
  let findings: Finding[] | undefined;
  for (const finding of found) {
    findings ??= [];
    findings.push(finding);
  }
  if (!findings) return undefined;
  const effects = new Set(findings.flatMap((finding) => finding.effects));
  const facts = findings.flatMap((finding) => finding.facts ?? []);
  return { guard, zone, findings, effectDigest: digestEffects([...effects], facts) };
}

const noFindings: readonly Finding[] = [];
