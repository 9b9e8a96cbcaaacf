import { join, relative } from "node:path";
import * as z from "zod";
import { configKinds } from "../../config/target-kinds.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, ProblemError, problem, problemError } from "../../diagnostics/problem.ts";
import type { PlanFile } from "../../planner/plan-file/plan-schema.ts";
import type { ReadingConnection } from "../connect/connection.ts";
import { identifyTarget } from "../connect/target-identity.ts";
import { findPublishedSnapshot } from "../git/git-ref.ts";
import { readOctetsIfPresent, writeFiles } from "../project/files.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { stateFolder } from "../project/state-folder.ts";
import type { ConfiguredTarget } from "../project/targets.ts";
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
 * without targets is not checked.
 * @throws {ProblemError} `account-changed`
 */
export async function checkAccount(
  context: RunContext,
  project: Project,
  connection: ReadingConnection,
): Promise<CheckedAccount> {
  const { view } = project;
  if (view === undefined) return unchecked;
  // Name servers and their files have no accounts: their addresses are compared.
  const hasAccounts = view.target.capabilities.apex !== "ours";
  const now = await identifyTarget(connection, context.signal);
  const file = relative(context.cwd, join(stateFolder(project), "account.json"));
  const kept = readKept(context.cwd, file);
  const before = kept ?? readPublished(context, project);
  if (before && isOther(before, now)) {
    if (!hasAccounts) throw addressError(view, { before, now, source: kept ? file : "the published snapshot" });
    const [was, is] = [before, now].map(
      (one) => `the account ${escapeControl(one.account ?? "(unknown)")} of ${one.api}`,
    );
    const source = kept ? file : "the published snapshot";
    const fix = `Check the ${configKinds[view.kind].address} and ${view.variable}. If the change is intended, remove ${kept ? file : "the snapshot and publish a new one"}.`;
    throw problemError("account-changed", `the token is for ${is}, but ${source} is of ${was}`, { fix });
  }
  const text = `${JSON.stringify({ api: now.api, account: now.account })}\n`;
  const keep = () => writeFiles(context, [{ file, text }], "Make the folder writable for this user.");
  if (before) return { notes: [], keep: kept ? unchecked.keep : keep };
  return { notes: hasAccounts ? [firstUse] : [], keep };
}

/** The error of a target that is at another address than before. */
function addressError(
  { name, kind }: ConfiguredTarget,
  { before, now, source }: { readonly before: Account; readonly now: Account; readonly source: string },
): ProblemError {
  const summary = `the target ${name} is at ${now.api}, but ${source} is of ${before.api}`;
  const fix = `Check the ${configKinds[kind].address}. If the change is intended, remove ${source}.`;
  return problemError("account-changed", summary, { fix });
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
