import { findExposedIn, hostedTypes, indexProofs, type ProofIndex, proofToAdd } from "../lookup/hosted-services.ts";
import type { Rule } from "../lookup/rule.ts";

export const hostedTarget: Rule = {
  id: "hosted-target",
  types: hostedTypes,
  *check(zone) {
    let known: ProofIndex | undefined;
    const proofs = () => {
      known ??= indexProofs(zone.owners);
      return known;
    };
    for (const set of zone.sets(...hostedTypes)) {
      for (const { service, records, text } of findExposedIn(set, zone.apex, proofs)) {
        const proof = proofToAdd(service, set.owner, zone.apex);
        const verify = proof && `Verify the name at the service with the TXT record "${zone.show(proof)}", or remove`;
        const those = records.length > 1 ? "these records" : "this record";
        yield {
          summary: `${zone.show(set.owner)} ${set.type} points to ${text}`,
          at: records[0],
          fix: `${verify ?? "Remove"} ${those} before you release the name at the service.`,
        };
      }
    }
  },
};
