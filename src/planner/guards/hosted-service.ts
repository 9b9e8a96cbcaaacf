import { hostedTypes, indexProofs, proofToAdd } from "../../dns/lookup/hosted-services.ts";
import type { ZoneRecord } from "../../dns/zone/zone.ts";
import type { Effect } from "../changes/effects.ts";
import { excusedNames, type Guard, newRecords, noLimit } from "../risk/guard.ts";
import { findExposedAt } from "../risk/hosted.ts";

/**
 * Its approval in a zone file is `lenient` for the rule, as for special-purpose addresses. The records of a new zone
 * are mostly those of a zone that moves: they exist already, and are warnings of the rule.
 */
export const hostedService: Guard = {
  guard: "G26",
  title: "hosted service",
  about:
    "points a record to a hosted service where others can claim names, without a proof of ownership in the zone, if its name is not `lenient` for the rule `hosted-target`",
  of: { kinds: ["create", "change"], types: hostedTypes },
  counts: `Compares the targets of new records with a list of hosted services. ${noLimit}`,
  zoneSetting: "lenient: [hosted-target]",
  examples: {
    valid: ["+ www CNAME shop.example.net."],
    invalid: {
      lines: ["+ www CNAME shop.s3.amazonaws.com."],
      finding:
        'www.example.com CNAME: points to "shop.s3.amazonaws.com." at Amazon S3, where others can claim such names',
    },
  },
  *check(zone) {
    const excused = excusedNames(zone, "hosted-target");
    const added = [...newRecords(zone, ...hostedTypes)].filter(({ effect }) => !excused.has(effect.name));
    if (added.length === 0) return;
    const effects = new Map<ZoneRecord, Effect>(added.map(({ effect, record }) => [record, effect]));
    const proofs = indexProofs(zone.after);
    for (const name of new Set(added.map(({ effect }) => effect.name))) {
      for (const { service, records, text } of findExposedAt(zone, name, proofs)) {
        const ofPlan = records.flatMap((record) => effects.get(record) ?? []);
        if (ofPlan.length === 0) continue;
        const proof = proofToAdd(service, name, zone.zone);
        const missing = proof ? ` without the TXT record "${proof.slice(0, -1)}" there` : "";
        yield { text: `points to ${text}, where others can claim such names${missing}`, effects: ofPlan };
      }
    }
  },
};
