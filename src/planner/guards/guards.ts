import { cutOf, indexedZone, nearestZone } from "../../dns/lookup/lookup.ts";
import type { FreedAddress } from "../../dns/name/freed-address.ts";
import {
  isInside,
  isWildcard,
  type Name,
  type NameKey,
  nameKey,
  sortKey,
  withLabel,
  withoutDot,
} from "../../dns/name/name.ts";
import type { LiveZone } from "../../dns/zone/desired-live.ts";
import { ownersOf as indexOwners, type Owners } from "../../dns/zone/owners.ts";
import { targets, type Zone } from "../../dns/zone/zone.ts";
import type { Setting, ZoneSettings } from "../../dns/zone/zone-settings.ts";
import type { Plan } from "../changes/change.ts";
import { liveDigest } from "../changes/digests.ts";
import { deletionEffect, effectDigest } from "../changes/effects.ts";
import { answeringOwners } from "../order/answerer.ts";
import { eachOf, type Work } from "../order/work.ts";
import { freedAddresses, specialAddresses } from "./addresses.ts";
import { certificates } from "./caa.ts";
import { addressesIn, apexFamily, longTtls, shortExpire, transfers, wildcardValues } from "./changes.ts";
import { runChanges, runDeletions, swaps, zoneChanges, zoneCreates, zoneDeletions } from "./counts.ts";
import { dkimKeys } from "./dkim.ts";
import { dmarcReports } from "./dmarc-reports.ts";
import {
  countAll,
  describeZoneChange,
  effectsAt,
  type Finding,
  type Guard,
  type GuardId,
  type PointerTo,
  type RunContext,
  recordsAt,
  type Thresholds,
  wideFinding,
} from "./guard.ts";
import { hidesNames } from "./hides.ts";
import { type ServedZones, ZoneAnswers } from "./lookup.ts";
import { mail, mailPrecedence, spfIncludersIn, tighterPolicies } from "./mail.ts";
import { hostedNames, proofsOfOwnership } from "./proofs.ts";
import { glue, lastAddresses, outsideAliases } from "./targets.ts";
import { mailTransport } from "./transport.ts";
import { lostWildcards } from "./wildcards.ts";

/** Changes that a guard blocks in one zone, or (zone `*`) in the run as a whole. */
export interface GuardBlock {
  readonly guard: GuardId;
  /** `*` for the run as a whole. */
  readonly zone: NameKey | "*";
  readonly findings: readonly Finding[];
  /** SHA-256 of the blocked effects and the facts behind them: an acknowledgement is bound to it. */
  readonly effectDigest: string;
}

/** The guards: changes that are blocked until someone approves them. No setting switches all of them off. */
export const guards: readonly Guard[] = [
  zoneDeletions,
  runDeletions,
  {
    guard: "G03",
    title: "last records",
    about: "all records of a zone, or the last address of its apex or www, are deleted",
    *check(zone) {
      if (countAll(zone.before) > 0 && countAll(zone.after) === 0) {
        yield wideFinding(
          "deletes all records of the zone",
          zone.effects.filter(({ kind }) => kind === "delete"),
        );
        return;
      }
      for (const name of [zone.zone, withLabel("www", zone.zone)]) {
        if (!hasAddress(zone.before, name) || hasAddress(zone.after, name)) continue;
        yield { text: "deletes the last address", effects: effectsAt(zone, name, "A", "AAAA", "CNAME") };
      }
    },
  },
  {
    guard: "G04",
    title: "delegation",
    about: "a delegation is created, changed or deleted (NS, DS)",
    *check({ before, after, effects }) {
      for (const effect of effects.filter(({ type, kind }) => /^(?:NS|DS)$/.test(type) && kind !== "setting")) {
        const [was, is] = [before, after].map((owners) => recordsAt(owners, effect.name, effect.type).length > 0);
        const verb = was && is ? "changes" : is ? "creates" : "deletes";
        yield { text: `${verb} the delegation`, effects: [effect] };
      }
    },
  },
  mail,
  {
    guard: "G06",
    title: "domain",
    about: "a domain is deleted, disabled, enabled, or changed from primary to secondary or back",
    *check({ effects, plan }) {
      for (const effect of effects.filter(({ kind }) => kind === "setting")) {
        if (effect.type === "status" && effect.after === '"disabled"')
          yield { text: "disables the zone", effects: [effect] };
        if (effect.type === "type" && effect.after === '"slave"')
          yield { text: "replaces the records of the zone with those of its masters", effects: [effect] };
        if (effect.type === "type" && effect.after === '"master"')
          yield { text: "replaces the records that the zone transfers with its own", effects: [effect] };
        // The activation of a zone that a run left disabled was reviewed with that run.
        if (effect.type === "status" && effect.after === '"active"' && !plan.zone.isUnactivated)
          yield { text: "serves the zone again", effects: [effect] };
      }
    },
    *checkDeletion(zone) {
      const { length } = zone.records;
      const what = length === 1 ? "its record" : `its ${length} records`;
      yield {
        text: length === 0 ? "deletes the domain" : `deletes the domain and ${what}`,
        effects: [deletionEffect(zone)],
        facts: [`${nameKey(zone.name)} ${liveDigest(zone)}`],
      };
    },
  },
  {
    guard: "G08",
    title: "still referenced",
    about: "a name is deleted that records still point to",
    *check(zone, { pointersTo, hasRecords }) {
      const after = indexedZone(zone.zone, zone.after);
      for (const name of zone.before.keys()) {
        if (answeringOwners(after, name).length > 0 || hasRecords(name)) continue;
        const pointers = pointersTo(name);
        const from = pointingOwners(pointers);
        if (from.length === 0) continue;
        const more = from.length > 3 ? ` and ${from.length - 3} more` : "";
        const [names, verb] = [from.slice(0, 3).map(withoutDot).join(", "), from.length === 1 ? "points" : "point"];
        const text = `${names}${more} ${verb} here`;
        yield { text, effects: effectsAt(zone, name), facts: pointers.map((pointer) => pointerText(pointer, name)) };
      }
    },
    *checkDeletion(zone, { pointersTo, hasRecords }) {
      for (const name of new Set([zone.name, ...zone.records.map(({ owner }) => owner)].map(nameKey))) {
        const pointers = hasRecords(name) ? [] : pointersTo(name);
        const [first, ...more] = pointingOwners(pointers);
        if (first === undefined) continue;
        const from =
          more.length === 0 ? `${withoutDot(first)} points` : `${withoutDot(first)} and ${more.length} more point`;
        const facts = pointers.map((pointer) => pointerText(pointer, name));
        yield { text: `${from} to ${withoutDot(name)}`, effects: [deletionEffect(zone)], facts };
      }
    },
  },
  {
    guard: "G09",
    title: "wildcard added or removed",
    about: "a wildcard is added or removed",
    ofNew: true,
    *check(zone) {
      // Below the apex of a new zone, a wildcard answers for every name that the migration missed.
      const isIntended = (name: NameKey) => zone.plan.domainId !== undefined || name === `*.${zone.zone}`;
      const names = [...zone.before.keys(), ...zone.after.keys()].filter(
        (name) => isWildcard(name) && isIntended(name),
      );
      for (const name of new Set(names)) {
        const isThere = (owners: Owners, type: string) => recordsAt(owners, name, type).length > 0;
        const types = new Set(effectsAt(zone, name).map((effect) => effect.type));
        const turned = [...types].filter((type) => isThere(zone.before, type) !== isThere(zone.after, type));
        if (turned.length === 0) continue;
        const was = zone.before.has(name);
        const text =
          was && zone.after.has(name)
            ? "names that do not exist get a different answer"
            : was
              ? "names that do not exist stop resolving"
              : "answers for every name that does not exist";
        yield { text, effects: effectsAt(zone, name, ...turned) };
      }
    },
  },
  {
    guard: "G10",
    title: "unproved order",
    about: "the order of the writes could not be proved safe",
    ofNew: true,
    *checkRun({ zones, unproved }) {
      if (unproved.length === 0) return;
      const more = unproved.length > 3 ? `; and ${unproved.length - 3} more` : "";
      const text = `the order of the writes could not be proved safe: ${unproved.slice(0, 3).join("; ")}${more}`;
      yield {
        ...wideFinding(
          text,
          zones.flatMap(({ effects }) => effects),
        ),
        facts: unproved,
      };
    },
  },
  hidesNames,
  specialAddresses,
  zoneChanges,
  runChanges,
  apexFamily,
  mailPrecedence,
  tighterPolicies,
  dkimKeys,
  certificates,
  mailTransport,
  longTtls,
  transfers,
  wildcardValues,
  freedAddresses,
  proofsOfOwnership,
  hostedNames,
  lostWildcards,
  lastAddresses,
  shortExpire,
  glue,
  dmarcReports,
  outsideAliases,
  zoneCreates,
  swaps,
];

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
  const all = new Map<NameKey, Owners>([...live].map(([name, { records }]) => [name, indexOwners(records)]));
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
        zone.isWhole || !isWhole ? [[nameKey(zone.name), indexOwners([...zone.records])] as const] : [],
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
  const contextOf = (zone?: NameKey): RunContext => {
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

function hasAddress(owners: Owners, name: NameKey): boolean {
  return ["A", "AAAA", "CNAME"].some((type) => recordsAt(owners, name, type).length > 0);
}

/** Whether the nearest zone of a name has records there, without a delegation at or above the name. */
function hasOwnRecords(zones: ReadonlyMap<NameKey, Owners>, name: NameKey): boolean {
  const zone = nearestZone(name, (apex) => {
    const owners = zones.get(apex);
    return owners && { apex, owners };
  });
  if (zone?.owners.has(name) !== true) return false;
  return cutOf(zone.apex, name, (at) => zone.owners.get(at)?.has("NS") === true) === undefined;
}

/** The records that point to each name, in no particular order. */
function pointersIn(zones: Iterable<Owners>): Map<NameKey, PointerTo[]> {
  const found = new Map<NameKey, PointerTo[]>();
  for (const owners of zones) {
    for (const [owner, sets] of owners) {
      for (const { type, records } of sets.values()) {
        for (const record of records) {
          for (const target of targets(record)) {
            const name = nameKey(target);
            const known = found.get(name);
            if (known) known.push({ owner, type });
            else found.set(name, [{ owner, type }]);
          }
        }
      }
    }
  }
  return found;
}

/** The delegations by the names of their servers. */
function delegationsIn(zones: Iterable<Owners>): Map<NameKey, NameKey[]> {
  const found = new Map<NameKey, NameKey[]>();
  for (const owners of zones) {
    for (const [owner, sets] of owners) {
      for (const server of sets.get("NS")?.records.flatMap(targets) ?? [])
        found.set(nameKey(server), [...(found.get(nameKey(server)) ?? []), owner]);
    }
  }
  return found;
}

/** Distinct pointers by owner. */
function sortPointers(pointers: readonly PointerTo[]): PointerTo[] {
  return [...new Map(pointers.map((pointer) => [`${pointer.owner} ${pointer.type}`, pointer])).values()]
    .map((pointer) => ({ pointer, key: sortKey(pointer.owner) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ pointer }) => pointer);
}

function pointingOwners(pointers: readonly PointerTo[]): NameKey[] {
  return [...new Set(pointers.map(({ owner }) => owner))];
}

function pointerText({ owner, type }: PointerTo, target: NameKey): string {
  return `${owner} ${type} ${target}`;
}
