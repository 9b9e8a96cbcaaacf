import type { Guard } from "../risk/guard.ts";
import { wideFinding } from "../risk/guard.ts";

export const unprovedOrder: Guard = {
  guard: "G10",
  title: "unproved order",
  about: "needs an order of writes that could not be proved safe",
  ofNew: true,
  counts:
    "Simulates every plan before it is shown. A plan is blocked if its steps would break a rule of DNS or not end at the desired zones. That is a bug in zonewright: please report the plan.",
  *checkRun({ zones, unproved }) {
    if (unproved.length === 0) return;
    const more = unproved.length > 3 ? `; and ${unproved.length - 3} more` : "";
    const text = `the order of the writes could not be proved safe: ${unproved.slice(0, 3).join("; ")}${more}`;
    yield {
      ...wideFinding(
        text,
        zones.flatMap(({ effects }) => effects),
      ),
      facts: unproved,
    };
  },
};
