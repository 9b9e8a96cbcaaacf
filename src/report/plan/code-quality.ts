import { createHash } from "node:crypto";
import { escapeControl } from "../../diagnostics/escape.ts";
import type { Place, Problem } from "../../diagnostics/problem.ts";
import type { Findings } from "../findings/findings.ts";
import { jsonText } from "../format/json-text.ts";
import { repositoryPath } from "../format/repository-path.ts";
import { configPlace } from "../format/sarif.ts";
import { failedOf, sectionsOf } from "../text/on-targets.ts";
import { problemText } from "../text/problem-text.ts";
import { type PlacedChanges, placeChanges } from "./places.ts";
import type { Planned } from "./sections.ts";
import { skippedErrors } from "./skipped.ts";

/** A finding of a Code Quality report, before its fingerprint. */
interface Issue {
  readonly description: string;
  readonly check_name: string;
  readonly severity: "info" | "minor" | "major" | "critical";
  readonly place: Place | undefined;
}

/** Findings as a Code Quality report of GitLab, which shows them in the changes of a merge request. */
export function findingsCodeQuality({ problems }: Pick<Findings, "problems">, folder?: string): string {
  return codeQuality(problems.map(problemIssue), folder);
}

/** The changes of a plan, at the lines that cause them, as a Code Quality report of GitLab. */
export function planCodeQuality(planned: Planned, folder?: string): string {
  const onTargets = (found: Problem, on: string) => {
    const { description, ...rest } = problemIssue(found);
    return { ...rest, description: on === "" ? description : `${description} (${on.trim()})` };
  };
  const issues = [
    ...failedOf(planned).flatMap(({ target, problems }) => problems.map((found) => onTargets(found, ` on ${target}`))),
    ...sectionsOf(planned).flatMap(({ report, on }) => [
      ...placeChanges(report).map((changes) => changeIssue(changes, on)),
      ...[...skippedErrors(report), ...report.notes].map((found) => onTargets(found, on)),
    ]),
  ];
  return codeQuality(issues, folder);
}

const severities: Readonly<Record<Problem["severity"], Issue["severity"]>> = {
  error: "critical",
  warning: "minor",
  note: "info",
};

function problemIssue(found: Problem): Issue {
  const { id, severity, place } = found;
  return { description: problemText(found), check_name: id, severity: severities[severity], place };
}

function changeIssue({ place, title, text, isBlocked, hasGap, counts }: PlacedChanges, on: string): Issue {
  const severity = isBlocked ? "major" : hasGap || counts.delete > 0 ? "minor" : "info";
  const description = `The plan ${title}${on}: ${text.replaceAll("\n", "; ")}`;
  return { description, check_name: "planned-changes", severity, place };
}

/** GitLab recognises a finding by its fingerprint, so it has no line number; equal findings are counted. */
function codeQuality(issues: readonly Issue[], folder: string | undefined): string {
  const numbers = new Map<string, number>();
  return jsonText(
    issues.map(({ description, check_name, severity, place = configPlace }) => {
      const path = escapeControl(repositoryPath(place.file, folder));
      const key = JSON.stringify([check_name, path, description]);
      const number = numbers.get(key) ?? 0;
      numbers.set(key, number + 1);
      const fingerprint = createHash("sha256").update(`${number} ${key}`).digest("hex");
      const location = { path, lines: { begin: place.line } };
      return { description: escapeControl(description), check_name, fingerprint, severity, location };
    }),
  );
}
