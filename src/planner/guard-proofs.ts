import { hostedServiceOf, indexProofs, isProofOwner, proofsOf } from "../dns/hosted-services.ts";
import type { NameKey } from "../dns/name.ts";
import { targets } from "../dns/zone.ts";
import { effectsAt, type Guard, recordsAt, type ZoneChange } from "./guard.ts";

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

/** The names that lose their last proof, by the names of their proofs. */
function exposedBy({ before, after }: ZoneChange): Map<NameKey, Exposed[]> {
  const exposed = new Map<NameKey, Exposed[]>();
  const [had, has] = [indexProofs(before), indexProofs(after)];
  for (const [name, sets] of after) {
    for (const target of (sets.get("CNAME")?.records ?? []).flatMap(targets)) {
      const service = hostedServiceOf(target);
      if (!service?.proof || proofsOf(service, name, has).length > 0) continue;
      for (const proof of proofsOf(service, name, had))
        exposed.set(proof, [...(exposed.get(proof) ?? []), { name, service: service.name }]);
    }
  }
  return exposed;
}
