import type { FreedAddress } from "../../dns/name/freed-address.ts";
import { isInside, type Name, type NameKey, nameKey } from "../../dns/name/name.ts";
import type { LiveZone } from "../../dns/zone/desired-live.ts";
import { type Owners, ownersOf } from "../../dns/zone/owners.ts";
import type { Zone } from "../../dns/zone/zone.ts";
import type { Setting, ZoneSettings } from "../../dns/zone/zone-settings.ts";
import type { Plan } from "../changes/change.ts";
import { effectDigest } from "../changes/effects.ts";
import { eachOf, type Work } from "../order/work.ts";
import { addressesIn } from "../risk/addresses.ts";
import {
  describeZoneChange,
  type Finding,
  type Guard,
  type GuardContext,
  type GuardId,
  type PointerTo,
  type Thresholds,
} from "../risk/guard.ts";
import { type ServedZones, ZoneAnswers } from "../risk/lookup.ts";
import { spfIncludersIn } from "../risk/mail.ts";
import { guards } from "./guards.ts";
import { delegationsIn, hasOwnRecords, pointersIn, sortPointers } from "./pointers.ts";

/** Changes that a guard blocks in one zone, or (zone `*`) in the run as a whole. */
export interface GuardBlock {
  readonly guard: GuardId;
  /** `*` for the run as a whole. */
  readonly zone: NameKey | "*";
  readonly findings: readonly Finding[];
  /** SHA-256 of the blocked effects and the facts behind them: an acknowledgement is bound to it. */
  readonly effectDigest: string;
}

/** A zone outside the plan. */
export interface ZoneElsewhere extends Pick<Zone, "name" | "records"> {
  /** Whether the zone has no other records than these. */
  readonly isWhole: boolean;
}

/** Input of the guards in addition to the plan. */
export interface GuardOptions {
  /** The settings that the target has. */
  readonly settings: readonly Setting[];
  /** The zones outside the plan, which may point to a deleted name; read only if a guard needs them. */
  readonly elsewhere?: () => Iterable<ZoneElsewhere>;
  /** Other zones of the account. They answer for their names, but their answers are unknown. */
  readonly unseen?: readonly Name[];
  /** Addresses that a node of the account had and none has now, as far as they are known. */
  readonly freed?: readonly FreedAddress[];
  /** The name servers of the service. */
  readonly nameservers?: readonly Name[];
}

/** Changes of a plan that the guards block; `live` are its live zones. */
export function* findGuardBlocks(
  plan: Plan,
  live: ReadonlyMap<NameKey, LiveZone>,
  thresholds: Thresholds,
  { settings, elsewhere = () => [], unseen = [], freed = [], nameservers = [] }: GuardOptions,
): Work<GuardBlock[]> {
  const zones = yield* eachOf(["listing effects", "zone"], plan.zones, (zone) =>
    describeZoneChange(zone, live.get(nameKey(zone.zone.name))),
  );
  const all = new Map<NameKey, Owners>([...live].map(([name, { records }]) => [name, ownersOf(records)]));
  const before = new Map(unseen.map((name) => [nameKey(name), unseenSide]));
  for (const [name, { settings }] of live) before.set(name, { ...sideOf(settings), owners: all.get(name) });
  const after = new Map(before);
  for (const { zone, plan, after: owners } of zones) {
    all.set(zone, owners);
    after.set(zone, { ...sideOf(plan.zone.settings), owners });
  }
  for (const { name } of plan.deletions) {
    all.delete(nameKey(name));
    after.delete(nameKey(name));
  }
  let pointers: ReadonlyMap<NameKey, PointerTo[]> | undefined;
  const sorted = new Map<NameKey, readonly PointerTo[]>();
  const allPointers = () => {
    pointers ??= pointersIn([...all.values(), ...ownersElsewhere(false).values()]); // many plans need none
    return pointers;
  };
  const ownersElsewhere = (isWhole: boolean) =>
    new Map(
      [...elsewhere()].flatMap((zone) =>
        zone.isWhole || !isWhole ? [[nameKey(zone.name), ownersOf([...zone.records])] as const] : [],
      ),
    );
  let delegations: ReadonlyMap<NameKey, readonly NameKey[]> | undefined;
  const pointersTo = (name: NameKey) => {
    const known = sorted.get(name) ?? sortPointers(allPointers().get(name) ?? []);
    sorted.set(name, known);
    return known;
  };
  const transfersTo = settings.filter(({ transfers }) => transfers === "to");
  const freedByAddress = new Map(freed.map((one) => [one.address, one]));
  let secondaries: ReadonlySet<string> | undefined;
  const contextOf = (zone?: NameKey): GuardContext => {
    const answersAfter = new ZoneAnswers(zonesThatAnswer(after, zone));
    let includers: ReturnType<typeof spfIncludersIn> | undefined;
    return {
      zones,
      pointersTo,
      pointedNames: () => allPointers().keys(),
      delegationsTo: (server) => {
        delegations ??= delegationsIn(all.values());
        return delegations.get(server) ?? [];
      },
      serversOf: ({ name, apexServers = [] }) =>
        new Set([...apexServers, ...nameservers].map(nameKey).filter((server) => isInside(server, name))),
      hasRecords: (name) => hasOwnRecords(all, name),
      answersBefore: new ZoneAnswers(zonesThatAnswer(before, zone)),
      answersAfter,
      answersElsewhere: () => new ZoneAnswers(ownersElsewhere(true)),
      spfIncluders: (name) => {
        includers ??= spfIncludersIn(answersAfter);
        return includers(name);
      },
      secondaries: () => {
        secondaries ??= new Set(
          [...live.values()].flatMap((zone) => transfersTo.flatMap(({ name }) => addressesIn(zone.settings[name]))),
        );
        return secondaries;
      },
      freed: freedByAddress,
      thresholds,
      settings,
      unproved: plan.unproved,
    };
  };
  const context = contextOf();
  const isServedNow = (zone: NameKey) => before.get(zone)?.isServed !== false && after.get(zone)?.isServed !== false;
  const ofRun = guards.flatMap(({ guard, checkRun }) => blockOf(guard, "*", checkRun?.(context)) ?? []);
  const ofZones = yield* eachOf(["checking guards", "zone"], zones, (zone) => {
    const around = isServedNow(zone.zone) ? context : contextOf(zone.zone);
    const blocks: GuardBlock[] = [];
    for (const { guard, check, ofNew } of guards) {
      if (!ofNew && zone.plan.domainId === undefined) continue;
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

/** A zone before or after a run; its owners are undefined if unknown. */
interface Side {
  readonly isServed: boolean;
  readonly isKnown: boolean;
  readonly owners: Owners | undefined;
}

const unseenSide: Side = { isServed: true, isKnown: false, owners: undefined };

/** A slave's records are those of its master, so they are unknown. */
function sideOf({ status, type }: ZoneSettings): Pick<Side, "isServed" | "isKnown"> {
  return { isServed: status !== "disabled", isKnown: type !== "slave" };
}

/**
 * The zones that answer. `own` is treated as always served: otherwise a policy that is weakened while its zone is
 * disabled would be blocked neither then nor when the zone is activated.
 */
function zonesThatAnswer(sides: ReadonlyMap<NameKey, Side>, own: NameKey | undefined): ServedZones {
  const served = [...sides].filter(([name, { isServed }]) => isServed || name === own);
  return new Map(served.map(([name, { isKnown, owners }]) => [name, isKnown ? owners : undefined]));
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
  return { guard, zone, findings, effectDigest: effectDigest([...effects], facts) };
}

const noFindings: readonly Finding[] = [];
