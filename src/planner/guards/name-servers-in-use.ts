import { nameKey } from "../../dns/name/name.ts";
import { deletionEffect } from "../changes/effects.ts";
import { type Guard, noLimit } from "../risk/guard.ts";

export const nameServersInUse: Guard = {
  guard: "G35",
  title: "name servers in use",
  about: "deletes a zone on one of its targets while resolvers may still ask the servers of that target",
  counts: `Asks the parent zone and all name servers of the zone for its NS records, and waits for the largest TTL of these after none names a server of the target. ${noLimit}`,
  examples: {
    valid: ["+ zone lab.example.net", "+ www A 192.0.2.1"],
    invalid: {
      lines: ["- zone lab.example.net", "- www A 192.0.2.1"],
      finding: "lab.example.net: ns1.example.net still answers with NS ns2.example.net",
      zone: "lab.example.net",
      also: ["G06"],
    },
  },
  *checkDeletion(zone, { inUse }) {
    for (const text of inUse.get(nameKey(zone.name)) ?? [])
      yield { text, effects: [deletionEffect(zone)], facts: [text] };
  },
};
