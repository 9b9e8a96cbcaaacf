import type { Effect } from "../changes/effects.ts";
import { type Guard, noLimit } from "../risk/guard.ts";

/** ALIAS records that stay are only a warning of the plan: it does not make them worse. */
export const aliasWithoutAnswer: Guard = {
  guard: "G36",
  title: "ALIAS without answer",
  about: "writes an ALIAS record for which the name server gives resolvers no addresses that they accept",
  ofNew: true,
  of: { kinds: ["create", "change"], types: ["ALIAS"] },
  counts: `Asks PowerDNS for its settings \`expand-alias\` and \`resolver\`, and whether it signs the zone. A server that does not tell them, and a plan from a snapshot, is not checked. ${noLimit}`,
  examples: {
    valid: ["  zone lab.example.net", "+ www A 192.0.2.1"],
    invalid: {
      lines: ["  zone lab.example.net", "+ www ALIAS host.example.org."],
      finding: "www.lab.example.net ALIAS: PowerDNS answers ALIAS with nothing (`expand-alias=no`)",
      zone: "lab.example.net",
    },
  },
  *check({ zone, effects }, { unanswered }) {
    const reason = unanswered.get(zone);
    if (reason === undefined) return;
    const written = effects.filter(isWrittenAlias);
    yield { text: reason, effects: written, facts: [reason] };
  },
};

function isWrittenAlias({ kind, type }: Effect): boolean {
  return type === "ALIAS" && kind !== "delete";
}
