import { readFileSync } from "node:fs";
import * as z from "zod";

const eventSchema = z.object({
  pull_request: z
    .object({
      number: z.int().positive(),
      head: z.object({
        sha: z.string().regex(/^[0-9a-f]{40,64}$/),
        repo: z.object({ full_name: z.string() }).nullish(),
      }),
      base: z.object({ repo: z.object({ full_name: z.string() }) }),
    })
    .optional(),
});

/** The pull request that a workflow runs for. */
export interface PullRequestEvent {
  readonly number: number;
  /** The head commit, in full; what is checked out may be a merge of it. */
  readonly commit: string;
  /** Whether its branch is in another repository, whose tokens cannot write here. */
  readonly isFork: boolean;
}

/** The pull request of the event that started the workflow; undefined for other events. */
export function readPullRequest(env: Readonly<Record<string, string | undefined>>): PullRequestEvent | undefined {
  const event = eventSchema.safeParse(readEvent(env.GITHUB_EVENT_PATH)).data?.pull_request;
  if (event === undefined) return undefined;
  const { number, head, base } = event;
  return { number, commit: head.sha, isFork: head.repo?.full_name !== base.repo.full_name };
}

function readEvent(path: string | undefined): unknown {
  if (!path) return undefined;
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined; // a runner without events, or of another kind
  }
}
