import * as z from "zod";
import type { GitHub } from "./client.ts";
import { GitHubError } from "./github-error.ts";
import { readMarker, shortHashes, splitHashes } from "./marker.ts";
import { type Repository, repositoryApiPath } from "./repository.ts";

/** An open pull request whose plan changes zones of this one, too. */
export interface OtherPullRequest {
  readonly number: number;
  /** The zones that both change. */
  readonly zones: readonly string[];
}

interface OthersSearch {
  readonly repository: Repository;
  readonly number: number;
  readonly key: string;
  readonly author: number;
  readonly zones: readonly string[];
}

/** At most 200 open pull requests and the 300 comments that were changed last are read: five requests. */
const mostPullPages = 2;
const mostCommentPages = 3;

const openPull = z.object({ number: z.int() });
const repositoryComment = z.object({
  body: z.string().nullish(),
  issue_url: z.string(),
  user: z.object({ id: z.int() }).nullable(),
});

/**
 * Other open pull requests that change the same zones, by the markers of their comments. Without the permission to read
 * them there are none: this is a hint for people, nothing depends on it.
 */
export async function findOthers(github: GitHub, search: OthersSearch): Promise<OtherPullRequest[]> {
  const { repository, number, key, author, zones } = search;
  if (zones.length === 0) return [];
  try {
    const open = new Set<number>();
    const pulls = {
      path: repositoryApiPath(repository, "pulls"),
      query: { state: "open" },
      needs: "pull-requests: read",
    };
    for await (const page of github.pages({ ...pulls, reply: z.array(openPull) }, mostPullPages))
      for (const pull of page) if (pull.number !== number) open.add(pull.number);
    if (open.size === 0) return [];

    const byHash = new Map(zones.map((zone) => [shortHashes([zone]), zone]));
    const found = new Map<number, readonly string[]>();
    const comments = {
      path: repositoryApiPath(repository, "issues", "comments"),
      query: { sort: "updated", direction: "desc" },
      needs: "pull-requests: read",
    };
    for await (const page of github.pages({ ...comments, reply: z.array(repositoryComment) }, mostCommentPages)) {
      for (const { body, issue_url, user } of page) {
        const of = Number(/\/issues\/(\d{1,15})$/.exec(issue_url)?.[1]);
        if (user?.id !== author || !open.has(of) || found.has(of)) continue;
        const marker = readMarker(key, body ?? "");
        if (marker === undefined) continue;
        found.set(
          of,
          splitHashes(marker.zones)
            .flatMap((hash) => byHash.get(hash) ?? [])
            .sort(),
        );
      }
    }
    return [...found]
      .filter(([, shared]) => shared.length > 0)
      .map(([of, shared]) => ({ number: of, zones: shared }))
      .sort((a, b) => a.number - b.number);
  } catch (error) {
    if (error instanceof GitHubError) return [];
    throw error;
  }
}
