import { durationInWords } from "../../diagnostics/quantities.ts";
import type { Finding, Guard } from "../risk/guard.ts";

/** A zone of a secondary expires there; a secondary zone of the account has the time of its primary. */
export const soaExpire: Guard = {
  guard: "G29",
  title: "SOA expire",
  about: "lowers the time after which secondaries stop answering (expire_sec) below a day",
  ofNew: true,
  of: { kinds: ["setting"], types: ["expire_sec"] },
  counts:
    "Compares `expire_sec` before and after the plan. The limit is `expire_sec_least`; a time that is raised is fine.",
  thresholds: ["expire_sec_least"],
  examples: {
    valid: ["- ;@ expire_sec: 1209600", "+ ;@ expire_sec: 86400"],
    invalid: {
      lines: ["- ;@ expire_sec: 1209600", "+ ;@ expire_sec: 3600"],
      finding:
        "example.com: secondaries stop answering after 1 hour without a refresh (expire_sec); the limit is 1 day",
    },
  },
  *check({ effects, plan }, { thresholds: { expire_sec_least: least } }) {
    if (plan.zone.settings.type === "slave") return;
    for (const effect of effects) {
      if (effect.kind !== "setting" || effect.type !== "expire_sec") continue;
      const [was, is] = [effect.before, effect.after].map((text) =>
        Number(text === null ? Infinity : JSON.parse(text)),
      );
      if (was === undefined || is === undefined || is >= least || is >= was) continue;
      const text = `secondaries stop answering after ${durationInWords(is)} without a refresh (expire_sec); the limit is ${durationInWords(least)}`;
      yield { text, effects: [effect] } satisfies Finding;
    }
  },
};
