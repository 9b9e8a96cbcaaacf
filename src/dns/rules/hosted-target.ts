import { hostedServiceOf, indexProofs, type ProofIndex, proofsOf, proofToAdd } from "../hosted-services.ts";
import { nameKey } from "../name.ts";
import type { Rule } from "../rule.ts";
import { targets } from "../zone.ts";

export const hostedTarget: Rule = {
  id: "hosted-target",
  *check(zone) {
    let proofs: ProofIndex | undefined;
    for (const { owner, records } of zone.sets("CNAME")) {
      for (const record of records) {
        for (const target of targets(record)) {
          const service = hostedServiceOf(target);
          if (service === undefined || zone.isInside(target)) continue;
          proofs ??= indexProofs(zone.owners);
          if (proofsOf(service, nameKey(owner), proofs).length > 0) continue;
          const proof = proofToAdd(service, nameKey(owner));
          const verify = proof && `Verify the name at the service with the TXT record "${zone.show(proof)}", or remove`;
          yield {
            summary: `${zone.show(owner)} CNAME points to "${target}" at ${service.name}`,
            at: record,
            fix: `${verify ?? "Remove"} this record before you release the name at the service.`,
          };
        }
      }
    }
  },
};
