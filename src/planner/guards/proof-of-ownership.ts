import { indexProofs, isProofOwner, proofsOf } from "../../dns/lookup/hosted-services.ts";
import type { NameKey } from "../../dns/name/name.ts";
import { effectsAt, type Guard, noLimit, recordsAt, type ZoneChange } from "../risk/guard.ts";
import { findExposedAt } from "../risk/hosted.ts";

/** A record whose name others could claim at a service after the plan. */
interface Exposed {
  readonly name: NameKey;
  readonly service: string;
}

export const proofOfOwnership: Guard = {
  guard: "G25",
  title: "proof of ownership",
  about:
    "deletes a TXT record that keeps others from claiming a name at a hosted service, to which the name still points",
  of: { kinds: ["change", "delete"], types: ["TXT"] },
  counts: `Looks for deleted TXT records that prove the ownership of a name at a hosted service. ${noLimit}`,
  examples: {
    valid: ["- asuid.www TXT 5f2a", "- www CNAME shop.azurewebsites.net.", "+ www A 192.0.2.1"],
    invalid: {
      lines: ["- asuid.www TXT 5f2a", "  www CNAME shop.azurewebsites.net."],
      finding:
        "asuid.www.example.com TXT: www.example.com still points to Azure App Service, where anyone can then claim it",
    },
  },
  *check(zone) {
    const deleted = zone.changedNames.filter(
      (name) =>
        isProofOwner(name) &&
        recordsAt(zone.before, name, "TXT").length > 0 &&
        recordsAt(zone.after, name, "TXT").length === 0,
    );
    if (deleted.length === 0) return;
    const exposed = findExposed(zone);
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
function findExposed(zone: ZoneChange): Map<NameKey, Exposed[]> {
  const exposed = new Map<NameKey, Exposed[]>();
  const [had, has] = [indexProofs(zone.before), indexProofs(zone.after)];
  for (const name of zone.after.keys()) {
    for (const service of new Set(findExposedAt(zone, name, has).map(({ service }) => service)))
      for (const proof of proofsOf(service, name, had))
        exposed.set(proof, [...(exposed.get(proof) ?? []), { name, service: service.name }]);
  }
  return exposed;
}
