import { isWildcard } from "../../dns/name/name.ts";
import { canonical } from "../../dns/zone/zone.ts";
import { effectsAt, type Finding, type Guard, noLimit, recordsAt } from "../risk/guard.ts";

export const wildcardChanged: Guard = {
  guard: "G23",
  title: "wildcard changed",
  about: "changes the records of a wildcard",
  counts: `Compares the records of each wildcard and type before and after the plan. ${noLimit}`,
  examples: {
    valid: ["  * A 192.0.2.1", "- www A 192.0.2.1", "+ www A 192.0.2.2"],
    invalid: {
      lines: ["- * A 192.0.2.1", "+ * A 192.0.2.2"],
      finding: "*.example.com A: A of every name that does not exist changes",
    },
  },
  *check(zone) {
    for (const name of zone.changedNames) {
      if (!isWildcard(name)) continue;
      for (const type of new Set(effectsAt(zone, name).map((effect) => effect.type))) {
        const [were, are] = [zone.before, zone.after].map((owners) =>
          recordsAt(owners, name, type)
            .map((record) => canonical(record))
            .sort(),
        );
        if (!were?.length || !are?.length || were.join("\n") === are.join("\n")) continue;
        const text = `${type} of every name that does not exist changes`;
        yield { text, effects: effectsAt(zone, name, type) } satisfies Finding;
      }
    }
  },
};
