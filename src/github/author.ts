import * as z from "zod";
import type { GitHub } from "./client.ts";
import { GitHubError } from "./github-error.ts";

/** The id of `github-actions[bot]`, which writes with the token of a workflow. */
export const actionsBot = 41_898_282;

/**
 * The id of the user that the token writes as. Tokens of workflows and of GitHub Apps may not ask for it; they are
 * taken for that of a workflow.
 */
export async function findAuthor(github: GitHub): Promise<number> {
  try {
    const user = z.object({ id: z.int() });
    return (await github.call({ method: "GET", path: ["user"], reply: user, needs: "metadata: read" })).id;
  } catch (error) {
    if (error instanceof GitHubError && error.problem.id === "github/permission") return actionsBot;
    throw error;
  }
}
