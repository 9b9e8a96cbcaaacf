import { type Door, inWordsOf } from "../../diagnostics/advice.ts";
import { findingTexts, type JudgedBlock, remedy } from "../../planner/blocks/acks.ts";
import { guards } from "../../planner/blocks/guards.ts";
import { problemFinding, problemRule } from "../findings/sarif.ts";
import { type SarifFinding, type SarifRule, sarifLimits, sarifLog } from "../format/sarif.ts";
import { failedOf, sectionsOf } from "../text/on-targets.ts";
import { type PlacedChanges, placeChanges } from "./places.ts";
import type { Planned } from "./sections.ts";
import { skippedErrors } from "./skipped.ts";

/** The rules of changes, by the most important change of a line. */
const changeRules = {
  "planned-delete": "A record or zone that the plan deletes. Resolvers may keep a record until its TTL has passed.",
  "planned-gap": "A change that leaves a name briefly without an answer.",
  "planned-change": "A record or setting that the plan changes.",
  "planned-create": "A record or zone that the plan creates.",
} as const;

type ChangeRule = keyof typeof changeRules;

/**
 * A plan as SARIF: missing approvals as errors, the changes at the lines that cause them, and notes. If there are too
 * many for a code host, creations are left out first.
 */
export function planSarif(
  planned: Planned,
  version: string,
  folder?: string,
  limits = sarifLimits,
  door: Door = "cli",
): string {
  const sections = sectionsOf(planned).map((section) => ({ ...section, placed: placeChanges(section.report) }));
  const changes = sections.flatMap(({ placed, on }) => placed.map((one) => changeFinding(one, on)));
  const ofRule = (wanted: ChangeRule) => changes.filter(({ rule }) => rule === wanted);
  const findings = [
    ...failedOf(planned).flatMap(({ target, problems }) =>
      problems.map((found) => onTargets(problemFinding(found, door), ` on ${target}`)),
    ),
    ...sections.flatMap(({ report, on, placed }) =>
      report.guards
        .filter(({ state }) => state === "blocked")
        .map((block) => onTargets(blockFinding(block, placed, report.ackUntil, door), on)),
    ),
    ...ofRule("planned-delete"),
    ...ofRule("planned-gap"),
    ...sections.flatMap(({ report, on }) =>
      [...skippedErrors(report), ...report.notes].map((found) => onTargets(problemFinding(found, door), on)),
    ),
    ...ofRule("planned-change"),
    ...ofRule("planned-create"),
  ];
  return sarifLog({ version, findings, describe, category: "zonewright-plan", folder }, limits);
}

/** A finding that names its targets at its end; the same one for a project with at most one. */
function onTargets({ text, ...rest }: SarifFinding, on: string): SarifFinding {
  return { ...rest, text: on === "" ? text : `${text} (${on.trim()})` };
}

function changeFinding({ place, counts, hasGap, title, text }: PlacedChanges, on: string): SarifFinding {
  const isChange = counts.change + counts.swap > 0;
  const rule: ChangeRule =
    counts.delete > 0 ? "planned-delete" : hasGap ? "planned-gap" : isChange ? "planned-change" : "planned-create";
  const level = counts.delete > 0 || hasGap ? "warning" : "note";
  return { rule, level, text: `The plan ${title}${on}:\n${text}`, place, via: place?.via };
}

/** A missing approval, at the first line that causes one of the blocked changes, or at the first change of the zone. */
function blockFinding(block: JudgedBlock, placed: readonly PlacedChanges[], until: string, door: Door): SarifFinding {
  const ofZone = placed.filter(({ zone }) => zone.toLowerCase() === block.zone);
  const place = (ofZone.find(({ isBlocked }) => isBlocked) ?? ofZone[0])?.place;
  const text = [...findingTexts(block), inWordsOf(door)`To approve: ${remedy(block, until)}`].join("\n");
  return { rule: block.guard, level: "error", text, place };
}

function describe(id: string): SarifRule {
  const ofChange = Object.entries(changeRules).find(([rule]) => rule === id);
  if (ofChange) return { id, shortDescription: { text: ofChange[1] }, properties: { tags: ["plan"] } };
  const guard = guards.find((known) => known.guard === id);
  if (guard)
    return {
      id,
      shortDescription: { text: `Missing approval: the plan ${guard.about}.` },
      properties: { tags: ["guard"] },
    };
  return problemRule(id);
}
