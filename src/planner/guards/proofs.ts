import {
  type ExposedRecords,
  exposedIn,
  hostedTypes,
  indexProofs,
  isProofOwner,
  type ProofIndex,
  proofsOf,
  proofToAdd,
} from "../../dns/lookup/hosted-services.ts";
import type { NameKey } from "../../dns/name/name.ts";
import type { ZoneRecord } from "../../dns/zone/zone.ts";
import type { Effect } from "../changes/effects.ts";
import { effectsAt, excusedNames, type Guard, newRecords, recordsAt, type ZoneChange } from "./guard.ts";

/** A record whose name others could claim at a service after the plan. */
interface Exposed {
  readonly name: NameKey;
  readonly service: string;
}

export const proofsOfOwnership: Guard = {
  guard: "G25",
  title: "proof of ownership",
  about:
    "a TXT record is deleted that keeps others from claiming a name at a hosted service, to which the name still points",
  *check(zone) {
    const deleted = zone.changedNames.filter(
      (name) =>
        isProofOwner(name) &&
        recordsAt(zone.before, name, "TXT").length > 0 &&
        recordsAt(zone.after, name, "TXT").length === 0,
    );
    if (deleted.length === 0) return;
    const exposed = exposedBy(zone);
    for (const name of deleted) {
      const found = exposed.get(name) ?? [];
      const [first] = found;
      if (!first) continue;
      const more = found.length > 1 ? ` and ${found.length - 1} more` : "";
      const verb = found.length > 1 ? "point" : "points";
      const facts = found.map((one) => `${one.name} ${one.service}`);
      const text = `${first.name.slice(0, -1)}${more} still ${verb} to ${first.service}, where anyone can then claim it`;
      yield { text, effects: effectsAt(zone, name, "TXT"), facts };
    }
  },
};

/**
 * Its approval in a zone file is `lenient` for the rule, as for special-purpose addresses. The records of a new zone
 * are mostly those of a zone that moves: they exist already, and are warnings of the rule.
 */
export const hostedNames: Guard = {
  guard: "G26",
  title: "hosted service",
  about:
    "a record is pointed to a hosted service where others can claim names, without a proof of ownership in the zone, and its name is not `lenient` for the rule `hosted-target`",
  *check(zone) {
    const excused = excusedNames(zone, "hosted-target");
    const added = [...newRecords(zone, ...hostedTypes)].filter(({ effect }) => !excused.has(effect.name));
    if (added.length === 0) return;
    const effects = new Map<ZoneRecord, Effect>(added.map(({ effect, record }) => [record, effect]));
    const proofs = indexProofs(zone.after);
    for (const name of new Set(added.map(({ effect }) => effect.name))) {
      for (const { service, records, text } of exposedAt(zone, name, proofs)) {
        const ofPlan = records.flatMap((record) => effects.get(record) ?? []);
        if (ofPlan.length === 0) continue;
        const proof = proofToAdd(service, name, zone.zone);
        const missing = proof ? ` without the TXT record "${proof.slice(0, -1)}" there` : "";
        yield { text: `points to ${text}, where others can claim such names${missing}`, effects: ofPlan };
      }
    }
  },
};

/** The records of a name after a plan that point to services at which others could claim it. */
function exposedAt({ zone, after }: ZoneChange, name: NameKey, proofs: ProofIndex): ExposedRecords[] {
  const sets = hostedTypes.flatMap((type) => after.get(name)?.get(type) ?? []);
  return sets.flatMap((set) => exposedIn(set, zone, () => proofs));
}

/** The names that lose their last proof, by the names of their proofs. */
function exposedBy(zone: ZoneChange): Map<NameKey, Exposed[]> {
  const exposed = new Map<NameKey, Exposed[]>();
  const [had, has] = [indexProofs(zone.before), indexProofs(zone.after)];
  for (const name of zone.after.keys()) {
    for (const service of new Set(exposedAt(zone, name, has).map(({ service }) => service)))
      for (const proof of proofsOf(service, name, had))
        exposed.set(proof, [...(exposed.get(proof) ?? []), { name, service: service.name }]);
  }
  return exposed;
}
