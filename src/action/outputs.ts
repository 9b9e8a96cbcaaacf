/** How a step ended, for conditions in a workflow. */
export const results = [
  "valid",
  "in-sync",
  "changes",
  "blocked",
  "drift",
  "applied",
  "imported",
  "published",
  "partial",
  "invalid",
  "refused",
  "locked",
  "verify-failed",
  "inconclusive",
  "failed",
  "interrupted",
] as const;
export type Result = (typeof results)[number];

/** The outputs of the action, as in action.yml. An output that a command does not set is empty. */
export const outputNames = [
  "result",
  "legacy-result",
  "effect-digest",
  "artifact-name",
  "plan-path",
  "creates",
  "changes",
  "deletes",
  "zones",
  "needs-approval",
  "report-path",
  "undo-id",
] as const;
export type OutputName = (typeof outputNames)[number];

/** The values of outputs: short strings, never text of zones. */
export type Outputs = { readonly [Name in Exclude<OutputName, "result" | "legacy-result">]?: string };

/** The result in the words of version 0.1, for workflows that compare it. */
export function legacyResult(result: Result): string {
  return result === "blocked" ? "held" : result;
}
