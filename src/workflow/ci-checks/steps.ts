import type { Fix } from "../../diagnostics/advice.ts";
import type { Examination } from "../start/doctor.ts";
import { comparePermissions } from "./permissions.ts";
import { shippedWorkflows } from "./shipped.ts";
import type { ActionStep } from "./workflow-files.ts";

/** The lines of steps with the action: what weakens the review of changes, or stops the workflows. */
export function examineSteps(steps: readonly ActionStep[]): Examination[] {
  const found: Examination[] = [];
  const shipped = [...shippedWorkflows().values()].flatMap(({ jobs }) => jobs.flatMap(({ actions }) => actions));
  for (const step of steps) {
    const { file, uses, role, inputs, environment, permissions } = step;
    const add = (subject: string, state: "ok" | "warn" | "fail", text: string, next?: Fix) =>
      found.push({ subject, state, text: `${file}: ${text}`, ...(next !== undefined && { next }) });
    if (/@0+$/.test(uses))
      add("action", "fail", `\`uses: ${uses}\` names no commit`, "Replace the zeros by the commit of a release.");
    else if (!/@[0-9a-f]{40,64}$/.test(uses))
      add("action", "warn", `\`uses: ${uses}\` can change without a commit here`, "Name a commit instead.");
    if (role.startsWith("plan") && !["guards", "changes"].includes(String(inputs["fail-on"] ?? "guards"))) {
      const text = `\`fail-on: ${inputs["fail-on"]}\` passes plans that guards block`;
      add("fail-on", "warn", text, "Set `fail-on: guards`.");
    }
    if (role === "apply") {
      if (inputs.plan !== "auto") {
        const text = "without `plan: auto`, apply does not require a reviewed plan";
        add("approval", "fail", text, "Set `plan: auto`.");
      } else if (String(inputs["two-people"]) === "true") add("two people", "ok", "`two-people: true`");
      else {
        const next = "Set `two-people: true`, unless one person works on this repository alone.";
        add("two people", "warn", "without `two-people: true`, an author can approve alone", next);
      }
      if (environment === undefined) {
        const next = "Set `environment: dns`, and let only the main branch use it.";
        add("environment", "fail", "apply has no environment, so any branch can use its token", next);
      }
    }
    const needs = shipped.find((one) => one.role === role)?.permissions;
    for (const { state, text, next } of comparePermissions(permissions, needs)) add("permissions", state, text, next);
  }
  return found;
}
