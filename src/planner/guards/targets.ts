import { indexedZone } from "../../dns/lookup/lookup.ts";
import { isInside, type NameKey, nameKey, withLabel, withoutDot } from "../../dns/name/name.ts";
import { canonical } from "../../dns/zone/zone.ts";
import { answeringOwners } from "../order/answerer.ts";
import {
  effectsAt,
  type Finding,
  type Guard,
  listNames,
  type RunContext,
  recordsAt,
  type ZoneChange,
} from "./guard.ts";
import type { ZoneAnswers } from "./lookup.ts";
import { aliasesOf } from "./policies.ts";
import { isService } from "./wildcards.ts";

const addressTypes = ["A", "AAAA"] as const;

/** Types whose targets need an address. */
const reaching: ReadonlySet<string> = new Set(["ALIAS", "CNAME", "HTTPS", "MX", "NS", "PTR", "SRV", "SVCB"]);

/** A name that stays, but leads to no address any more. One that is deleted: G08. */
export const lastAddresses: Guard = {
  guard: "G28",
  title: "target without address",
  about: "the last address of a name is deleted to which records still point",
  *check(zone, context) {
    const after = indexedZone(zone.zone, zone.after);
    for (const name of zone.changedNames) {
      const effects = effectsAt(zone, name, "A", "AAAA", "CNAME").filter(({ before }) => before !== null);
      if (effects.length === 0 || (answeringOwners(after, name).length === 0 && !context.hasRecords(name))) continue;
      if (!hasAddress(context.answersBefore, name) || hasAddress(context.answersAfter, name)) continue;
      const pointers = context
        .pointersTo(name)
        .filter(({ owner, type }) => reaching.has(type) && !(type === "CNAME" && isService(owner)));
      const owners = [...new Set(pointers.map(({ owner }) => owner))];
      if (owners.length === 0) continue;
      const text = `deletes the last address; ${listNames(owners)} ${owners.length === 1 ? "points" : "point"} here`;
      yield { text, effects, facts: pointers.map(({ owner, type }) => `${owner} ${type} ${name}`) } satisfies Finding;
    }
  },
};

function hasAddress(answers: ZoneAnswers, name: NameKey): boolean {
  return addressTypes.some((type) => {
    const { records, isKnown } = answers.find(name, type);
    return records.length > 0 || !isKnown;
  });
}

/**
 * Resolvers reach a name server inside its own zone by the addresses in the zone above (RFC 1034 §4.2.1), which must
 * stay equal to those in the zone. First addresses, and the last ones (G08, G28), are no change of glue; an alias in
 * their place is one, because it cannot be glue (RFC 2181 §10.3).
 */
export const glue: Guard = {
  guard: "G30",
  title: "glue",
  about: "the addresses of a name server change whose zone or delegation needs them as glue",
  *check(zone, context) {
    const own = context.serversOf(zone.plan.zone);
    for (const name of zone.changedNames) {
      const effects = effectsAt(zone, name, ...addressTypes);
      if (effects.length === 0) continue;
      const [were, are] = [addressesAt(zone, name, "before"), addressesAt(zone, name, "after")];
      if (were === "" || were === are || (are === "" && recordsAt(zone.after, name, "CNAME").length === 0)) continue;
      const isGlue = (owner: NameKey) => isInside(name, owner) || recordsAt(zone.after, owner, "NS").length > 0;
      const delegated = context.delegationsTo(name).filter(isGlue);
      const served = own.has(name) ? [zone.zone] : [];
      const zones = [...new Set([...served, ...delegated])];
      if (zones.length === 0) continue;
      const isAbove = zones.includes(zone.zone);
      const text = isAbove
        ? `changes the addresses of a name server of ${listNames(zones)}: the glue in the zone above must change, too`
        : `changes the glue of ${listNames(zones)}`;
      yield { text, effects, facts: zones.map((owner) => `${owner} NS ${name}`) } satisfies Finding;
    }
  },
};

function addressesAt(zone: ZoneChange, name: NameKey, side: "before" | "after"): string {
  return addressTypes
    .flatMap((type) => recordsAt(zone[side], name, type).map((record) => canonical(record)))
    .sort()
    .join();
}

/** The names that users know, and that someone else controls from then on. */
export const outsideAliases: Guard = {
  guard: "G32",
  title: "alias to the outside",
  about: "the apex, www or mail becomes an alias of a name in no managed zone",
  *check(zone, context) {
    for (const name of zone.changedNames) {
      const effects = effectsAt(zone, name, "A", "AAAA", "CNAME");
      if (effects.length === 0 || leftTo(name, context) === undefined) continue;
      for (const one of [name, ...aliasesOf(context, name)]) {
        const around = context.answersAfter.zoneOf(one);
        const target = around !== undefined && isKnownName(one, around) ? leftTo(one, context) : undefined;
        if (target === undefined) continue;
        const text = `points ${withoutDot(one)} to ${withoutDot(target)}, which is in no managed zone`;
        yield { text, effects, facts: [`${one} ${target}`] } satisfies Finding;
      }
    }
  },
};

function isKnownName(name: NameKey, zone: NameKey): boolean {
  return name === zone || ["www", "mail"].some((label) => name === nameKey(withLabel(label, zone)));
}

/** The unmanaged name to which the aliases of a name lead, unless they led to one before or the name had no address. */
function leftTo(name: NameKey, { answersBefore, answersAfter }: RunContext): NameKey | undefined {
  const { isKnown, decidedBy } = answersAfter.find(name, "A");
  if (isKnown || decidedBy === undefined || decidedBy === name || answersAfter.isManaged(decidedBy)) return undefined;
  const wasManaged = addressTypes.some((type) => {
    const { records, decidedBy: before } = answersBefore.find(name, type);
    return records.length > 0 || (before !== undefined && answersBefore.isManaged(before));
  });
  return wasManaged ? decidedBy : undefined;
}
