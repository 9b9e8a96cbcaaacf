import { effectsAt, type Finding, type Guard } from "../risk/guard.ts";
import { type Exchanger, exchangersOf } from "../risk/mail.ts";

/** Mail that is delivered to another server first. */
export const mxPrecedence: Guard = {
  guard: "G16",
  title: "MX precedence",
  about: "creates an MX that takes precedence over all existing ones",
  of: { types: ["MX"] },
  counts: `Compares the preference of new MX records with the lowest of those that remain. An equal one is fine.`,
  examples: {
    valid: ["  @ MX 10 a.example.net.", "+ @ MX 10 b.example.net."],
    invalid: {
      lines: ["  @ MX 10 a.example.net.", "+ @ MX 5 b.example.net."],
      finding: "example.com MX: mail is delivered to b.example.net (5) before a.example.net (10)",
    },
  },
  *check(zone) {
    for (const name of zone.changedNames) {
      const effects = effectsAt(zone, name, "MX");
      if (effects.length === 0) continue;
      const [were, are] = [exchangersOf(zone, name, "before"), exchangersOf(zone, name, "after")];
      const known = new Set(were.map(({ exchange }) => exchange));
      const stay = are.filter(({ exchange }) => known.has(exchange)).sort((a, b) => a.preference - b.preference);
      const [first] = stay;
      const ahead = are.filter(
        ({ exchange, preference }) => !known.has(exchange) && first && preference < first.preference,
      );
      if (first === undefined || ahead.length === 0) continue;
      const [added] = ahead.sort((a, b) => a.preference - b.preference);
      const text = `mail is delivered to ${exchangerText(added)} before ${exchangerText(first)}`;
      yield {
        text,
        effects,
        facts: stay.map((one) => `${name} MX ${one.preference} ${one.exchange}`),
      } satisfies Finding;
    }
  },
};

function exchangerText(exchanger: Exchanger | undefined): string {
  return exchanger === undefined ? "" : `${exchanger.exchange.slice(0, -1)} (${exchanger.preference})`;
}
