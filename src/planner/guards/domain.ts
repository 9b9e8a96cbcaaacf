import { nameKey } from "../../dns/name/name.ts";
import { digestLive } from "../changes/digests.ts";
import { deletionEffect } from "../changes/effects.ts";
import { lossesOf, lossesText } from "../changes/zone-losses.ts";
import { type Guard, noLimit } from "../risk/guard.ts";

export const domainGuard: Guard = {
  guard: "G06",
  title: "domain",
  about: "deletes, disables or enables a domain, or changes it from primary to secondary or back",
  of: { kinds: ["setting"] },
  counts: `Looks for deleted domains, and for changes of \`status\` and \`type\`. ${noLimit}`,
  examples: {
    valid: ["+ zone lab.example.com", "+ www A 192.0.2.1"],
    invalid: {
      lines: ["- zone lab.example.com", "- www A 192.0.2.1"],
      finding: "lab.example.com: deletes the domain and its record",
      zone: "lab.example.com",
    },
  },
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
    const losses = lossesText(lossesOf(zone));
    const text = length === 0 ? "deletes the domain" : `deletes the domain and ${what}`;
    yield {
      text: losses === "" ? text : `${text}, and beyond undo ${losses}`,
      effects: [deletionEffect(zone)],
      facts: [`${nameKey(zone.name)} ${digestLive(zone)}`, ...(losses === "" ? [] : [losses])],
    };
  },
};
