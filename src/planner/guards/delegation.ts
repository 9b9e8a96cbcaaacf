import { type Guard, noLimit, recordsAt } from "../risk/guard.ts";

export const delegation: Guard = {
  guard: "G04",
  title: "delegation",
  about: "creates, changes or deletes a delegation (NS, DS)",
  of: { types: ["NS", "DS"] },
  counts: `Looks for NS and DS records that are created, changed or deleted. ${noLimit}`,
  examples: {
    valid: ["  sub NS ns.example.net.", "+ www A 192.0.2.1"],
    invalid: { lines: ["+ sub NS ns.example.net."], finding: "sub.example.com NS: creates the delegation" },
  },
  *check({ before, after, effects }) {
    for (const effect of effects.filter(({ type, kind }) => /^(?:NS|DS)$/.test(type) && kind !== "setting")) {
      const [was, is] = [before, after].map((owners) => recordsAt(owners, effect.name, effect.type).length > 0);
      const verb = was && is ? "changes" : is ? "creates" : "deletes";
      yield { text: `${verb} the delegation`, effects: [effect] };
    }
  },
};
