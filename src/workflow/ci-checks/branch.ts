import { advise } from "../../diagnostics/advice.ts";
import type { GitHub } from "../../github/client.ts";
import { findDefaultBranch, findProtection } from "../../github/protection.ts";
import type { Repository } from "../../github/repository.ts";
import type { Examination } from "../start/doctor.ts";
import { docs, notChecked } from "./not-checked.ts";

/** The protection of the branch that is applied. */
export async function examineBranch(
  github: GitHub,
  repository: Repository,
  { branch, checks }: { readonly branch: string; readonly checks: readonly string[] },
): Promise<Examination[]> {
  const subject = "branch";
  const usual = await findDefaultBranch(github, repository);
  const protection = await findProtection(github, repository, branch);
  const missing = checks.filter((check) => !protection.checks.includes(check));
  const rows: readonly [isMet: boolean, rule: string, without: string][] = [
    [protection.needsPull, "a pull request", "require a pull request"],
    [protection.approvals > 0, "a review", "require an approval"],
    [
      protection.dismissesStale,
      "no stale approval",
      "dismiss stale pull request approvals when new commits are pushed",
    ],
    [protection.needsLastPushApproval, "an approval of the last push", "require approval of the most recent push"],
    [missing.length === 0, `the checks ${checks.join(" and ")}`, `require the status check ${missing.join(" and ")}`],
    [protection.isUpToDate, "an up-to-date branch", "require branches to be up to date"],
  ];
  const met = rows.filter(([isMet]) => isMet).map(([, rule]) => rule);
  const unmet = rows.filter(([isMet]) => !isMet).map(([, , without]) => without);
  const found: Examination[] = [];
  if (usual !== branch) {
    const next = `Name ${usual} in the apply workflow, or make ${branch} the default branch.`;
    found.push({ subject, state: "fail", text: `apply runs for ${branch}, but the default branch is ${usual}`, next });
  }
  if (met.length > 0) found.push({ subject, state: "ok", text: `${branch} requires ${met.join(", ")}` });
  if (protection.isPartial && unmet.length > 0) {
    const next = "Use a token of an administrator (`administration: read`), or look at the settings.";
    return [...found, notChecked(subject, `whether the rules of ${branch} ${unmet.join("; ")}`, next)];
  }
  for (const without of unmet) {
    const state = protection.needsPull ? "warn" : "fail";
    found.push({ subject, state, text: `${branch} does not ${without}`, next: advise`Turn it on; ${docs}` });
  }
  return found;
}
