import { escapeControl } from "../../diagnostics/escape.ts";
import type { Problem } from "../../diagnostics/problem.ts";
import { summaryText } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { withoutDot } from "../../dns/name/name.ts";
import { findStatedName } from "../../formats/stated-name.ts";
import type { PlanReport } from "../../workflow/plan/plan-report.ts";
import type { InvalidZone } from "../../workflow/zones/invalid-zones.ts";
import type { NoPlanError } from "../../workflow/zones/skip-invalid.ts";
import type { TestCase } from "../format/junit.ts";
import { nameText } from "../text/name-text.ts";

type Skipped = Pick<PlanReport, "skipped">;

/** The end of a verdict; empty if no zone is left out. */
export function skippedTexts({ skipped = [] }: Skipped): string[] {
  return skipped.length === 0 ? [] : [`${count(skipped.length, "zone")} left out`];
}

/** The errors of the zones that a plan leaves out. */
export function skippedErrors({ skipped = [] }: Skipped): Problem[] {
  return skipped.flatMap(({ errors }) => errors);
}

/** Invalid zones that one line names. */
const mostZones = 5;

/** The line that says which zones stopped a plan; `way` is how to plan the others. Empty if no zone is valid. */
export function noPlanText({ cause: { invalid, valid, canSkip } }: NoPlanError, way: string): string {
  if (valid === 0) return "";
  const nameOf = ({ read }: InvalidZone) => {
    const name = findStatedName(read);
    return name === undefined
      ? escapeControl(read.file)
      : `${escapeControl(withoutDot(name))} (${escapeControl(read.file)})`;
  };
  const zones = [...new Set(invalid.map(nameOf))];
  const more = zones.length > mostZones ? ` and ${count(zones.length - mostZones, "other")}` : "";
  const these = zones.length === 1 ? "it" : "them";
  const others =
    valid === 1
      ? `the other zone, unless it depends on ${these}`
      : `those of the other ${valid} zones that do not depend on ${these}`;
  const next = canSkip ? ` To take ${others}, ${way}.` : "";
  return `no plan: ${zones.slice(0, mostZones).join(", ")}${more} ${zones.length === 1 ? "is" : "are"} invalid.${next}\n`;
}

/** A failing test case for each zone that a plan leaves out. */
export function skippedCases({ skipped = [] }: Skipped): TestCase[] {
  return skipped.map(({ name, file, reason, errors }) => ({
    className: nameText(name),
    name: "left out",
    file,
    failure: {
      message: `left out: ${escapeControl(reason)}`,
      text: errors.map((error) => `- error[${error.id}] ${escapeControl(summaryText(error, "cli"))}`).join("\n"),
    },
  }));
}
