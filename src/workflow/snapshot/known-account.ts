import { join, relative } from "node:path";
import * as z from "zod";
import { configKinds } from "../../config/target-kinds.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, ProblemError, problem, problemError } from "../../diagnostics/problem.ts";
import type { PlanFile } from "../../planner/plan-file/plan-schema.ts";
import { findPublishedSnapshot } from "../git/git-ref.ts";
import type { ReadingConnection } from "../project/connection.ts";
import { readOctetsIfPresent, writeFiles } from "../project/files.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { stateFolder } from "../project/state-folder.ts";
import { identifyTarget } from "../project/target-identity.ts";
import { loadSnapshot } from "./snapshot.ts";

type Account = Pick<PlanFile["target"], "api" | "account">;

const accountSchema = z.object({ api: z.string(), account: z.string().nullable() });

/** The account of a target, compared with the one that it had before. */
export interface CheckedAccount {
  /** Says that none is known yet. */
  readonly notes: readonly Problem[];
  /** Keeps the account for later commands. */
  readonly keep: () => Promise<void>;
}

const unchecked: CheckedAccount = { notes: [], keep: async () => {} };

/**
 * Refuses another account than the one that the target had: with a wrong token, a plan would change the zones of
 * another account. It is known from the last apply on this machine, or else from the published snapshot. A project
 * without targets is not checked, nor a service whose zones are known by their apex.
 * @throws {ProblemError} `account-changed`
 */
export async function checkAccount(
  context: RunContext,
  project: Project,
  connection: ReadingConnection,
): Promise<CheckedAccount> {
  const { view } = project;
  if (view === undefined || project.target.capabilities.apex === "ours") return unchecked;
  const now = await identifyTarget(connection, context.signal);
  const file = relative(context.cwd, join(stateFolder(project), "account.json"));
  const kept = readKept(context.cwd, file);
  const before = kept ?? readPublished(context, project);
  if (before && isOther(before, now)) {
    const [was, is] = [before, now].map(
      (one) => `the account ${escapeControl(one.account ?? "(unknown)")} of ${one.api}`,
    );
    const source = kept ? file : "the published snapshot";
    const fix = `Check the ${configKinds[view.kind].address} and ${view.variable}. If the change is intended, remove ${kept ? file : "the snapshot and publish a new one"}.`;
    throw problemError("account-changed", `the token is for ${is}, but ${source} is of ${was}`, { fix });
  }
  const text = `${JSON.stringify({ api: now.api, account: now.account })}\n`;
  const keep = () => writeFiles(context, [{ file, text }], "Make the folder writable for this user.");
  return before ? { notes: [], keep: kept ? unchecked.keep : keep } : { notes: [firstUse], keep };
}

const firstUse = problem(
  "account-new",
  "no account is known here yet: apply keeps that of the token, and refuses another one from then on",
);

/** Accounts are compared if both are known, and otherwise the addresses of the APIs. */
function isOther(before: Account, now: Account): boolean {
  if (before.account !== null && now.account !== null) return before.account !== now.account;
  return before.api !== now.api;
}

function readKept(cwd: string, file: string): Account | undefined {
  const octets = readOctetsIfPresent(cwd, file);
  if (octets === undefined) return undefined;
  try {
    return accountSchema.parse(JSON.parse(octets.toString()));
  } catch {
    throw problemError("account-changed", `${file} is damaged, so the account cannot be compared`, {
      fix: "Remove it, after you have checked the token of the target.",
    });
  }
}

/** The account of the published snapshot; a snapshot that cannot be read is reported by the commands that need it. */
function readPublished(context: RunContext, project: Project): Account | undefined {
  const place = findPublishedSnapshot(context, project);
  if (place === undefined) return undefined;
  try {
    return loadSnapshot(context, place).target;
  } catch (error) {
    if (error instanceof ProblemError) return undefined;
    throw error;
  }
}
