import * as z from "zod";
import type { GitHub } from "./client.ts";
import { GitHubError } from "./github-error.ts";
import { type Repository, repositoryApiPath } from "./repository.ts";

/** A pull request to open, from one branch of a repository into another. */
export interface PullRequestDraft {
  readonly repository: Repository;
  /** The branch with the changes, which was pushed before. */
  readonly branch: string;
  /** The branch to merge into; the default branch of the repository if absent. */
  readonly base?: string | undefined;
  /** One line; longer ones are cut off at 256 characters. */
  readonly title: string;
  /** Markdown of at most 65,536 characters. */
  readonly body: string;
  /** Names the kind of pull request, such as `drift`: one without this mark is left alone. */
  readonly mark: string;
}

/**
 * The outcome for a pull request. `left`: the branch has an open pull request of another kind, which was left alone.
 */
export interface OpenedPullRequest {
  readonly outcome: "created" | "edited" | "unchanged" | "left";
  readonly number: number;
  readonly url: string;
}

const pull = z.object({
  number: z.int(),
  html_url: z.string(),
  title: z.string(),
  body: z.string().nullable(),
  base: z.object({ ref: z.string() }),
});

type Pull = z.output<typeof pull>;

const writePulls = "pull-requests: write";
const longestTitle = 256;

/**
 * Opens a pull request, or edits the open one of the same branch if it has the same mark. @throws {GitHubError}
 */
export async function openPullRequest(github: GitHub, draft: PullRequestDraft): Promise<OpenedPullRequest> {
  const title = Array.from(draft.title.replace(/\s+/g, " ").trim()).slice(0, longestTitle).join("");
  const body = `${startOf(draft)}${draft.body}`;
  const existing = await findOpen(github, draft);
  if (existing !== undefined) return edit(github, draft, existing, { title, body });
  const base = draft.base ?? (await findDefaultBranch(github, draft.repository));
  const path = repositoryApiPath(draft.repository, "pulls");
  const content = { title, body, head: draft.branch, base, maintainer_can_modify: false };
  try {
    const made = await github.call({ method: "POST", path, body: content, reply: pull, needs: writePulls });
    return { outcome: "created", ...placeOf(made) };
  } catch (error) {
    // Another run may have opened it, or the reply was lost.
    const isOpen = error instanceof GitHubError && (error.isAmbiguous || error.status === 422);
    const opened = isOpen ? await findOpen(github, draft) : undefined;
    if (opened === undefined) throw error;
    return edit(github, draft, opened, { title, body });
  }
}

/** The beginning of the body, which Markdown does not show. */
function startOf({ mark }: PullRequestDraft): string {
  return `<!-- zonewright:${mark} -->\n`;
}

function placeOf({ number, html_url: url }: Pull) {
  return { number, url };
}

async function findOpen(github: GitHub, { repository, branch, base }: PullRequestDraft): Promise<Pull | undefined> {
  const query = { state: "open", head: `${repository.owner}:${branch}`, ...(base !== undefined && { base }) };
  const list = {
    path: repositoryApiPath(repository, "pulls"),
    query,
    reply: z.array(pull),
    needs: "pull-requests: read",
  };
  for await (const [first] of github.pages(list, 1)) return first;
  return undefined;
}

async function findDefaultBranch(github: GitHub, repository: Repository): Promise<string> {
  const reply = z.object({ default_branch: z.string() });
  const call = { method: "GET", path: repositoryApiPath(repository), reply, needs: "metadata: read" } as const;
  return (await github.call(call)).default_branch;
}

async function edit(
  github: GitHub,
  draft: PullRequestDraft,
  existing: Pull,
  content: { readonly title: string; readonly body: string },
): Promise<OpenedPullRequest> {
  if (!existing.body?.startsWith(startOf(draft))) return { outcome: "left", ...placeOf(existing) };
  // GitHub may store other line ends.
  const isSame = existing.title === content.title && existing.body.replaceAll("\r\n", "\n") === content.body;
  if (isSame) return { outcome: "unchanged", ...placeOf(existing) };
  const path = repositoryApiPath(draft.repository, "pulls", existing.number);
  const edited = await github.call({ method: "PATCH", path, body: content, reply: pull, needs: writePulls });
  return { outcome: "edited", ...placeOf(edited) };
}
