import * as z from "zod";
import { findAuthor } from "./author.ts";
import type { GitHub } from "./client.ts";
import { GitHubError, isGone } from "./github-error.ts";
import { type Marker, markerStart, readMarker } from "./marker.ts";
import { findOthers, type OtherPullRequest } from "./others.ts";
import { type Repository, repositoryApiPath } from "./repository.ts";

/**
 * Where the plan is commented. `sticky`: in one comment, which is edited. `on-change`: the same, but the first one is
 * written only for a plan with changes. `new`: in a new comment for each run.
 */
export type CommentMode = "sticky" | "on-change" | "new";

/** The comment to write. */
export interface RenderedComment {
  /** With the marker at its start. */
  readonly body: string;
  readonly isEmpty: boolean;
}

export interface CommentUpdate {
  readonly repository: Repository;
  /** The number of the pull request. */
  readonly number: number;
  /** Separates the comments of several configurations. */
  readonly key: string;
  readonly mode: CommentMode;
  /** See `Marker`. */
  readonly run: number;
  /** The id of the user that writes the comments; by default it is asked for (`findAuthor`). */
  readonly author?: number | undefined;
  /** The names of the zones with changes, to find other pull requests that change them; empty: none are looked for. */
  readonly zones: readonly string[];
  /**
   * Renders the comment after the previous one, and beside other pull requests that change the same zones. Of several
   * that are rendered, the last one is written.
   */
  render(previous: Marker | undefined, others: readonly OtherPullRequest[]): RenderedComment;
}

/** The outcome for the comment; `superseded`: a newer run has written it, so it is left alone. */
export interface UpdatedComment {
  readonly outcome: "created" | "edited" | "unchanged" | "none" | "superseded";
  readonly url?: string;
}

const comment = z.object({
  id: z.int(),
  html_url: z.string(),
  body: z.string().nullish(),
  created_at: z.string(),
  updated_at: z.string(),
  user: z.object({ id: z.int(), login: z.string(), type: z.string() }).nullable(),
});

type Comment = z.output<typeof comment>;

export interface PlanComment extends Comment {
  readonly marker: Marker;
}

/** GitHub allows 2,500 comments on a pull request. */
const mostPages = 30;
const readComments = "pull-requests: read";
const writeComments = "pull-requests: write";

/**
 * Writes the comment on a pull request. It edits a comment only if that starts with the marker of the key and was
 * written by the same user, so it never edits a stranger's, whatever it contains. Of several, the oldest is edited.
 *
 * Two runs at once end with one comment: a run that has created one looks again, and deletes its own if there is an
 * older one by then. GitHub has no conditional writes, so if two runs edit at the same time, the last write stays. A
 * run that finds the comment of a newer run leaves it alone (`run`).
 */
export async function updateComment(github: GitHub, update: CommentUpdate): Promise<UpdatedComment> {
  const author = update.author ?? (await findAuthor(github));
  const found = await findPullComments(github, update, author);
  const own = update.mode === "new" ? found.at(-1) : found.find(({ marker }) => !marker?.isFinal);
  const others = await findOthers(github, { ...update, author });
  const previous = own?.marker;
  if (own !== undefined && isNewer(previous, update)) return { outcome: "superseded", url: own.html_url };
  const rendered = update.render(previous, others);
  if (own !== undefined && update.mode !== "new") {
    const edited = await edit(github, update, own, rendered);
    if (edited !== undefined) return edited;
  } else if (update.mode === "on-change" && rendered.isEmpty) return { outcome: "none" };
  return create(github, update, { author, rendered, renderAfter: (marker) => update.render(marker, others) });
}

/** The comments of the author for this key, the oldest first. */
export async function findPullComments(
  github: GitHub,
  { repository, number, key }: Pick<CommentUpdate, "repository" | "number" | "key">,
  author: number,
): Promise<(Comment & { readonly marker: Marker | undefined })[]> {
  const path = repositoryApiPath(repository, "issues", number, "comments");
  const found: Comment[] = [];
  for await (const page of github.pages({ path, reply: z.array(comment), needs: readComments }, mostPages)) {
    found.push(...page.filter(({ user, body }) => user?.id === author && body?.startsWith(markerStart(key))));
  }
  return found.sort((a, b) => a.id - b.id).map((one) => ({ ...one, marker: readMarker(key, one.body ?? "") }));
}

/** The comments of people on a pull request that were not edited: whoever may push can edit the words of others. */
export async function findUneditedComments(github: GitHub, repository: Repository, number: number) {
  const path = repositoryApiPath(repository, "issues", number, "comments");
  const found: { readonly user: NonNullable<Comment["user"]>; readonly body: string }[] = [];
  for await (const page of github.pages({ path, reply: z.array(comment), needs: readComments }, mostPages))
    for (const { user, body, created_at, updated_at } of page)
      if (user?.type === "User" && created_at === updated_at) found.push({ user, body: body ?? "" });
  return found;
}

function isNewer(previous: Marker | undefined, { run }: CommentUpdate): boolean {
  return previous !== undefined && run > 0 && previous.run > run;
}

/** Undefined if the comment was deleted in the meantime. */
async function edit(
  github: GitHub,
  { repository }: CommentUpdate,
  { id, body, html_url: url }: Comment,
  rendered: RenderedComment,
): Promise<UpdatedComment | undefined> {
  if (body === rendered.body) return { outcome: "unchanged", url };
  const path = repositoryApiPath(repository, "issues", "comments", id);
  try {
    const call = {
      method: "PATCH",
      path,
      body: { body: rendered.body },
      reply: comment,
      needs: writeComments,
    } as const;
    return { outcome: "edited", url: (await github.call(call)).html_url };
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** A comment to create, with the user that is assumed to write it. */
interface Creation {
  readonly author: number;
  readonly rendered: RenderedComment;
  /** Renders it as the edit of a comment with this marker instead. */
  readonly renderAfter: (marker: Marker | undefined) => RenderedComment;
}

async function create(github: GitHub, update: CommentUpdate, creation: Creation): Promise<UpdatedComment> {
  const { author, rendered, renderAfter } = creation;
  const own = await post(github, update, rendered.body, author);
  const created = { outcome: "created", url: own.html_url } as const;
  if (update.mode === "new") return created;
  // The reply names the author for certain, also if it is not the one that was assumed.
  const all = await findPullComments(github, update, own.user?.id ?? author);
  const older = all.find(({ id, marker }) => id < own.id && !marker?.isFinal);
  if (older === undefined) return created;
  await remove(github, update.repository, own.id);
  if (isNewer(older.marker, update)) return { outcome: "superseded", url: older.html_url };
  const edited = await edit(github, update, older, renderAfter(older.marker));
  // The last one that was rendered is the one that is written.
  return edited ?? create(github, update, { ...creation, rendered: renderAfter(undefined) });
}

async function post(github: GitHub, update: CommentUpdate, body: string, author: number): Promise<Comment> {
  const path = repositoryApiPath(update.repository, "issues", update.number, "comments");
  try {
    return await github.call({ method: "POST", path, body: { body }, reply: comment, needs: writeComments });
  } catch (error) {
    if (!(error instanceof GitHubError && error.isAmbiguous)) throw error;
    // The reply was lost: look whether the comment was written.
    const written = (await findPullComments(github, update, author)).find((one) => one.body === body);
    if (written === undefined) throw error;
    return written;
  }
}

async function remove(github: GitHub, repository: Repository, id: number): Promise<void> {
  const path = repositoryApiPath(repository, "issues", "comments", id);
  try {
    await github.call({ method: "DELETE", path, reply: z.unknown(), needs: writeComments });
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}
